"""What a run of a parser costs, as all rows of the table count it."""

import time
from collections.abc import Callable
from typing import NamedTuple

REPEATS = 3  # of parsing; the least counts


class Cost(NamedTuple):
    """CPU seconds of training and of parsing, megabytes of the model, and what is to be said."""

    train: float
    parse: float
    size: float
    note: str = ""


def least(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest repeat."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)
