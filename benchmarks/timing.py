"""Seconds of work on a machine that others use too.

The runs to compare take turns (a, b, c, a, b, c, ...), so that a busy minute hits all of them, and the minimum of
each is kept: noise only adds. CPU time is what ratios are made of; wall time stands beside it to show threads.
Libraries' thread pools are held to one thread: OpenBLAS's workers go on spinning after the call that woke them, and
the CPU time of the process would charge whoever has the next turn.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from threadpoolctl import threadpool_limits

Name = TypeVar("Name")
ROUND = 2.0  # seconds; where rounds are shorter, more of them are made: a minimum of few short ones is noise


@dataclass(frozen=True)
class Seconds:
    """CPU time of the whole process (all its threads) and wall time."""

    cpu: float
    wall: float

    def __sub__(self, other: "Seconds") -> "Seconds":
        return Seconds(self.cpu - other.cpu, self.wall - other.wall)

    def __mul__(self, factor: float) -> "Seconds":
        return Seconds(self.cpu * factor, self.wall * factor)

    def __truediv__(self, divisor: float) -> "Seconds":
        return self * (1 / divisor)


def one_thread() -> AbstractContextManager[Any]:
    """Holds the pools of the libraries loaded so far to one thread."""
    return cast(AbstractContextManager[Any], threadpool_limits(1))


def once(run: Callable[[], object]) -> Seconds:
    cpu, wall = time.process_time(), time.perf_counter()
    run()
    return Seconds(time.process_time() - cpu, time.perf_counter() - wall)


def interleaved(runs: Mapping[Name, Callable[[], object]], repeats: int) -> dict[Name, Seconds]:
    """The least seconds of each run, of `repeats` rounds in which every run has its turn; of more if they are short.

    >>> sorted(interleaved({"a": lambda: time.sleep(0.1), "b": lambda: None}, repeats=1))
    ['a', 'b']
    """
    rounds: list[dict[Name, Seconds]] = []
    end = time.perf_counter() + repeats * ROUND
    with one_thread():
        while len(rounds) < repeats or time.perf_counter() < end:
            rounds.append({name: once(run) for name, run in runs.items()})
    return {name: Seconds(min(r[name].cpu for r in rounds), min(r[name].wall for r in rounds)) for name in runs}
