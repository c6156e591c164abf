"""Do the columns have similar scales? A step adds a row unchanged, so a column of large numbers decides everything.

The scale of a column is the root of the mean square of its values other than 0. Counts of words, indicators, pixels and
tf-idf weights differ by less than a hundred; income and age differ by a thousand. A sample of the rows shows it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rosenblatt.base.rows import Matrix, is_sparse
from rosenblatt.members.advice import PYTHON, Voice

ROWS, MUCH = 500, 1000.0


class Scales(NamedTuple):
    """The columns with the largest and the smallest numbers; -1 is the constant feature."""

    largest: int
    large: float
    smallest: int
    small: float

    def advice(self, names: Sequence[str] | None = None, voice: Voice = PYTHON) -> str:
        """What is wrong, and what to do."""
        small = "the constant feature" if self.smallest < 0 else self._column(self.smallest, names)
        return (
            f"the numbers of {self._column(self.largest, names)} are about {self.large:.2g}, those of {small} "
            f"{self.small:.2g}: the large ones decide and the small ones are hardly learned. Scale the columns first: "
            f"{voice.scaling}"
        )

    def without(self, first: int) -> "Scales":
        """The same, with columns counted from `first` on."""
        places = [max(number - first, -1) for number in (self.largest, self.smallest)]
        return self._replace(largest=places[0], smallest=places[1])

    def _column(self, number: int, names: Sequence[str] | None) -> str:
        return f"column {number}" if names is None else f"column {names[number]!r}"


def uneven_scales(X: Matrix, bias: float) -> Scales | None:
    """The columns whose scales differ most, if they differ by more than a thousand; the constant feature is one.

    >>> found = uneven_scales(np.array([[52_000.0, 0.31], [61_000.0, 0.44], [48_000.0, 0.0]]), bias=1.0)
    >>> found.largest, round(found.large), found.smallest, round(found.small, 2)
    (0, 53941, 1, 0.38)
    >>> uneven_scales(np.array([[180.0, 80.0], [165.0, 60.0]]), bias=1.0) is None
    True
    """
    some = X[np.linspace(0, X.shape[0] - 1, min(X.shape[0], ROWS)).astype(np.int64)]
    with np.errstate(over="ignore", invalid="ignore"):
        if is_sparse(some):
            squares, columns = some.data.astype(np.float64) ** 2, some.indices
            sums = np.bincount(columns, squares, some.shape[1])
            counts = np.bincount(columns, squares > 0, some.shape[1])
        else:
            squares = some.astype(np.float64) ** 2
            sums, counts = squares.sum(axis=0), np.count_nonzero(squares, axis=0)
    used = np.flatnonzero(counts)
    if not len(used):
        return None
    scale = np.sqrt(sums[used] / counts[used])
    if bias:
        used, scale = np.append(used, -1), np.append(scale, bias)
    high, low = int(scale.argmax()), int(scale.argmin())
    if used[high] < 0 or not scale[high] > MUCH * scale[low]:
        return None
    return Scales(int(used[high]), float(scale[high]), int(used[low]), float(scale[low]))
