"""How often a classifier is wrong, and which class it takes for which."""

from typing import NamedTuple

import numpy as np

from rosenblatt.arrays import Array, unique


class Confusion(NamedTuple):
    """counts[i, j]: rows of class i that were taken for class j."""

    classes: Array
    counts: Array

    @classmethod
    def of(cls, y: Array, answers: Array, classes: Array) -> "Confusion":
        """Of right labels and answers; `classes` are those that answers can have, y may have others.

        >>> found = Confusion.of(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0, 1]))
        >>> found.counts, found.precision, found.recall
        (array([[1, 1],
               [0, 1]]), array([1. , 0.5]), array([0.5, 1. ]))
        """
        found, labels = unique(y)
        classes = np.union1d(classes, found)
        n, rows, columns = len(classes), np.searchsorted(classes, found)[labels], np.searchsorted(classes, answers)
        return cls(classes, np.bincount(rows * n + columns, minlength=n * n).reshape(n, n))

    def __add__(self, more: "Confusion") -> "Confusion":  # type: ignore[override]
        """Of the rows of both."""
        classes = np.union1d(self.classes, more.classes)
        counts = np.zeros((len(classes), len(classes)), dtype=np.int64)
        for part in (self, more):
            places = np.searchsorted(classes, part.classes)
            counts[np.ix_(places, places)] += part.counts
        return Confusion(classes, counts)

    @property
    def n_wrong(self) -> int:
        """Rows that were taken for another class."""
        return int(self.counts.sum() - np.trace(self.counts))

    @property
    def precision(self) -> Array:
        """Of the rows taken for a class, the share that is right; NaN where there are none."""
        return _shares(np.diag(self.counts), self.counts.sum(axis=0))

    @property
    def recall(self) -> Array:
        """Of the rows of a class, the share that was taken for it; NaN where there are none."""
        return _shares(np.diag(self.counts), self.counts.sum(axis=1))


def _shares(part: Array, whole: Array) -> Array:
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))
