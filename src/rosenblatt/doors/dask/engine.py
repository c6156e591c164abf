"""The engine of a Dask cluster: pure tasks with fixed names on parts that its workers hold.

A part is a future of Dask, which knows how to compute it: if its worker dies, another computes it again. What tasks
share is sent once for each round, as the result of a task, so that it too can be computed again, and workers get it
from each other. (Dask's own `scatter(broadcast=True)` waits for ever if a worker dies meanwhile, and scattered data is
lost with its worker.) We open no sockets of our own, and no task waits for another task of its round.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar
from warnings import catch_warnings, filterwarnings

from rosenblatt.base.cores import cpu_count
from rosenblatt.base.engines import Engine
from rosenblatt.doors.dask.cluster import load_distributed

R = TypeVar("R")
T = TypeVar("T")

RETRIES = 3  # how often a task that fails is tried again


class DaskEngine(Engine):
    """Runs tasks on the workers of a client. `name` is the name of the run, different from all others."""

    def __init__(self, client: Any, name: str) -> None:
        self.client, self.name, self._turn = client, name, 0
        self.threads = cpu_count()  # local work may use all of them, because workers on this machine wait meanwhile

    def run(self, task: Callable[[Any, Any], R], parts: Sequence[Any], shared: Any) -> list[R]:
        """Compute task(part, shared) for each part, which is a future, in the order of `parts`."""
        name = self._next_name(task)
        with data_in_tasks():
            sent = self.client.submit(itself, shared, key=f"{name}-shared", retries=RETRIES)
        running = [
            self.client.submit(run_task, task, part, sent, key=f"{name}-{number}", retries=RETRIES)
            for number, part in enumerate(parts)
        ]
        try:
            results: list[R] = self.client.gather(running)
        except CancelledError:
            self._check_parts(parts)
            raise
        except load_distributed().KilledWorker as error:
            raise RuntimeError(
                f"a shard has ended {error.allowed_failures + 1} workers, one after the other: they may have too "
                f"little memory; the last was {error.last_worker.address}"
            ) from None
        for future in (*running, sent):  # not after Ctrl-C, when another thread of Dask still waits for them
            future.release()
        return results

    def _next_name(self, task: Callable[..., Any]) -> str:
        self._turn += 1
        return f"{task.__name__}-{self.name}-{self._turn}"

    def _check_parts(self, parts: Sequence[Any]) -> None:
        for number, part in enumerate(parts):
            if part.status in ("cancelled", "lost"):
                raise RuntimeError(
                    f"shard {number + 1} of {len(parts)} is gone with the worker that held it, and what it was made "
                    "from was scattered: give data that can be read again"
                ) from None


class Made:
    """The value that a task computes from a part when it is first needed.

    The value may not pickle. So only the part goes to another worker or to the disk, and the value is computed again.
    `n_bytes` is its size for the scheduler.
    """

    def __init__(self, task: Callable[[Any, None], Any], part: Any, n_bytes: int) -> None:
        self.task, self.part, self.n_bytes = task, part, n_bytes

    @cached_property
    def value(self) -> Any:
        return self.task(self.part, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Made, (self.task, self.part, self.n_bytes)

    def __sizeof__(self) -> int:
        return self.n_bytes


def run_task(task: Callable[[Any, Any], R], part: Any, shared: Any) -> R:
    """A task of a worker, on a part that it was sent or holds."""
    return task(part.value if isinstance(part, Made) else part, shared)


def itself(value: T) -> T:
    return value


@contextmanager
def data_in_tasks() -> Iterator[None]:
    """Allow tasks that carry data, which Dask can then send again. It would warn about their size."""
    with catch_warnings():
        filterwarnings("ignore", "Sending large graph", UserWarning)
        yield
