"""From blocks to shards that the workers hold, whatever they are blocks of: what is known of each, and who has which.

A block is what was read at a time, a shard some of the rows (or sentences), one after the other, all as equal as can
be, however the blocks are cut. Without a number of shards each block is one. A block that is read again after its
worker has died must be what it was before: a digest of its content tells.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Any, Generic, Protocol, TypeVar

from rosenblatt.doors.dask.cluster import check_memory, load_distributed
from rosenblatt.doors.dask.engine import RETRIES
from rosenblatt.members.shards import spans


class Known(Protocol):
    """What is known of any block before the first round; members know more."""

    @property
    def name(self) -> str:
        """For messages."""
        ...

    @property
    def n_rows(self) -> int:
        """Or sentences."""
        ...

    @property
    def n_bytes(self) -> int:
        """Of memory, at the least."""
        ...

    @property
    def digest(self) -> str:
        """Of its content."""
        ...


F = TypeVar("F", bound=Known)


class Blocks(Generic[F]):
    """Blocks, which are futures, and the facts of each. More than the workers can hold is refused."""

    def __init__(self, client: Any, name: str, futures: Sequence[Any], facts_of: Callable[[Any], F]) -> None:
        self.client, self.name, self.futures, self._turn = client, name, futures, 0
        asked = [
            client.submit(facts_of, block, key=f"facts-{name}-{number}", retries=RETRIES)
            for number, block in enumerate(futures)
        ]
        n_bytes = 0
        for _, facts in load_distributed().as_completed(asked, loop=client.loop, with_results=True):
            n_bytes += facts.n_bytes
            check_memory(client, n_bytes)
        self.facts: list[F] = client.gather(asked)
        self.ends = list(accumulate(block.n_rows for block in self.facts))

    @property
    def digest(self) -> str:
        """What tells all that they hold from anything else."""
        return blake2b("".join(block.digest for block in self.facts).encode()).hexdigest()

    def starts(self) -> list[int]:
        """The number of the first row of each block."""
        return [0, *self.ends[:-1]]

    def cuts(self, n_shards: int | None) -> list[tuple[int, int]]:
        """The first and the last (excluded) row of each shard."""
        if n_shards is None:
            return list(zip(self.starts(), self.ends, strict=True))
        return spans(self.ends[-1] if self.ends else 0, n_shards)

    def overlaps(self, first: int, last: int) -> list[tuple[int, tuple[int, int]]]:
        """Of the rows `first` to `last` (excluded): which blocks they are in, and where in each."""
        overlaps = []
        for block, (start, end) in enumerate(zip(self.starts(), self.ends, strict=True)):
            if max(first, start) < min(last, end):
                overlaps.append((block, (max(first, start) - start, min(last, end) - start)))
        return overlaps

    def make(
        self,
        task: Callable[..., Any],
        shards: Sequence[Sequence[tuple[int, Any]]],
        *shared: Any,
    ) -> list[Any]:
        """task(number, blocks, places, *shared) of each shard, as a future, all of which have come to be.

        A shard is made of blocks by their numbers, each with the places of its rows in it.
        """
        self._turn += 1  # a name for each time: what Dask has under a name is not made again
        shards_there = [
            self.client.submit(
                put_together,
                task,
                number,
                [self.futures[block] for block, _ in parts],
                [places for _, places in parts],
                [self.facts[block].digest for block, _ in parts],
                *shared,
                key=f"{task.__name__}-{self.name}-{self._turn}-{number}",
                retries=RETRIES,
            )
            for number, parts in enumerate(shards)
        ]
        for shard in shards_there:
            if shard.exception() is not None:  # waits for it
                shard.result()
        return shards_there


def put_together(
    task: Callable[..., Any],
    number: int,
    blocks: Sequence[Any],
    places: Sequence[Any],
    digests: Sequence[str],
    *shared: Any,
) -> Any:
    """A task of a worker, on blocks that must be what they were."""
    for block, digest in zip(blocks, digests, strict=True):
        if block.digest != digest:
            raise ValueError(f"{block.name}: expected the rows that were read before, found others: they have changed")
    return task(number, blocks, places, *shared)
