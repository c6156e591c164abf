"""Who does the work: an engine runs one pure task on each of some parts, and gives the results in the order of parts.

A result depends on its part and on what all tasks share, never on who worked it out nor when. So every engine gives the
same bits, and a part whose worker has died is simply worked out again. No engine has an algorithm of its own.
"""

from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, Protocol, TypeVar

from rosenblatt import _core

P = TypeVar("P")
S = TypeVar("S")
R = TypeVar("R")


class Engine(Protocol):
    """Runs tasks here, on threads, or on other machines."""

    threads: int = 1
    """How many the core may have for what is done here, between tasks."""

    def run(self, task: Callable[[Any, S], R], parts: Sequence[Any], shared: S) -> list[R]:
        """task(part, shared) of each part, in the order of `parts`.

        `task` is a function of a module, without side effects: it changes neither its part nor what is shared. `parts`
        are what the engine's tasks take, or what it has made of them to hold them elsewhere.
        """
        ...


class Serial(Engine):
    """One part after the other."""

    def run(self, task: Callable[[P, S], R], parts: Sequence[P], shared: S) -> list[R]:
        """Run the tasks on the caller's thread."""
        return [task(part, shared) for part in parts]


class Threads(Engine):
    """Several parts at once. It pays for tasks that are in the core most of the time, where Python's lock is free.

    >>> Threads(2).run(lambda part, shared: part * shared, [1, 2, 3], 10)
    [10, 20, 30]
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def run(self, task: Callable[[P, S], R], parts: Sequence[P], shared: S) -> list[R]:
        """On at most so many threads. A Ctrl-C here, or a task that fails, ends all others; of several errors that of
        the first part comes.
        """
        from concurrent.futures import ThreadPoolExecutor  # late: what has one thread starts sooner

        ended = Event()

        def ask() -> None:
            if ended.is_set():
                raise InterruptedError("another part has ended the work")

        def work(part: P) -> R:
            result: R = _core.call_asking(lambda: task(part, shared), ask)
            return result

        with ThreadPoolExecutor(self.threads) as pool:
            running = [pool.submit(work, part) for part in parts]
            try:
                return [part.result() for part in running]
            except BaseException:
                ended.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def engine_of(threads: int) -> Engine:
    """The engine of this machine with so many threads."""
    return Serial() if threads <= 1 else Threads(threads)
