"""From blocks to shards on the workers, for rows and for sentences: the facts of each block, and the parts of each
shard.

A block is what is read at a time. A shard is a range of rows (or sentences); all shards have nearly the same size,
whatever the sizes of the blocks. Without a number of shards, each block is one. A block that is read again, because its
worker has died, must be the same as before: a digest of its content shows it.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Any, Generic, Protocol, TypeVar

from rosenblatt.doors.dask.cluster import check_memory, load_distributed
from rosenblatt.doors.dask.engine import RETRIES
from rosenblatt.members.shards import spans


class Known(Protocol):
    """The facts of any block before the first round; members add more."""

    @property
    def name(self) -> str: ...

    @property
    def n_rows(self) -> int: ...

    @property
    def n_bytes(self) -> int: ...

    @property
    def digest(self) -> str: ...


F = TypeVar("F", bound=Known)


class Blocks(Generic[F]):
    """Blocks, which are futures, and the facts of each. If the workers cannot hold them, they are refused."""

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
        return blake2b("".join(block.digest for block in self.facts).encode()).hexdigest()

    def starts(self) -> list[int]:
        return [0, *self.ends[:-1]]

    def cuts(self, n_shards: int | None) -> list[tuple[int, int]]:
        """The first and the last (excluded) row of each shard."""
        if n_shards is None:
            return list(zip(self.starts(), self.ends, strict=True))
        return spans(self.ends[-1] if self.ends else 0, n_shards)

    def overlaps(self, first: int, last: int) -> list[tuple[int, tuple[int, int]]]:
        """The blocks that have rows from `first` to `last` (excluded), and the places of these rows in each."""
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
        """Compute task(number, blocks, places, *shared) for each shard, and wait until all futures have a result.

        `blocks` are the numbers of the blocks of a shard, `places` the places of its rows in each.
        """
        self._turn += 1  # a new name each time, because Dask computes a name only once
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
            if shard.exception() is not None:  # waits for the result
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
    """A task of a worker that makes a shard. Its blocks must be the same as when they were first read."""
    for block, digest in zip(blocks, digests, strict=True):
        if block.digest != digest:
            raise ValueError(f"{block.name}: expected the rows that were read before, found others: they have changed")
    return task(number, blocks, places, *shared)
