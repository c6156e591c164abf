"""The engine of a Dask cluster: pure tasks with fixed names on parts that its workers hold.

A part is a future of Dask's, which knows how it was made: if its worker dies, it is made again elsewhere. What tasks
share goes once a round, as a task that gives it, so that it too can be made again, and workers get it from each other.
(Dask's own `scatter(broadcast=True)` waits for ever if a worker dies meanwhile, and what is scattered is lost with the
worker that has it.) There are no sockets of our own, and no task waits for another of its round.
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

RETRIES = 3  # of a task that fails


class DaskEngine(Engine):
    """Runs tasks on the workers of a client. `name` tells one run from all others."""

    def __init__(self, client: Any, name: str) -> None:
        self.client, self.name, self._turn = client, name, 0
        self.threads = cpu_count()  # workers on this machine wait meanwhile

    def run(self, task: Callable[[Any, Any], R], parts: Sequence[Any], shared: Any) -> list[R]:
        """task(part, shared) of each part, which is a future, in the order of `parts`."""
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
        for future in (*running, sent):  # not after Ctrl-C, while Dask still waits for them in another thread
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
    """What a task makes of a part, made where it is wanted for the first time.

    It may not pickle: to another worker, or to the disk, goes the part alone, and it is made again. `n_bytes` is what
    the scheduler is to know of its size.
    """

    def __init__(self, task: Callable[[Any, None], Any], part: Any, n_bytes: int) -> None:
        self.task, self.part, self.n_bytes = task, part, n_bytes

    @cached_property
    def value(self) -> Any:
        """What the task has made."""
        return self.task(self.part, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Made, (self.task, self.part, self.n_bytes)

    def __sizeof__(self) -> int:
        return self.n_bytes


def run_task(task: Callable[[Any, Any], R], part: Any, shared: Any) -> R:
    """A task of a worker, on a part as it was given or held."""
    return task(part.value if isinstance(part, Made) else part, shared)


def itself(value: T) -> T:
    """What a task has been given."""
    return value


@contextmanager
def data_in_tasks() -> Iterator[None]:
    """Tasks that carry data, so that these can be sent again: Dask would warn of their size."""
    with catch_warnings():
        filterwarnings("ignore", "Sending large graph", UserWarning)
        yield
