"""How often a classifier is wrong, and which class it takes for which."""

from typing import NamedTuple

import numpy as np

from rosenblatt.arrays import Array


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
        classes = np.union1d(classes, y)
        counts = np.zeros((len(classes), len(classes)), dtype=np.int64)
        np.add.at(counts, (np.searchsorted(classes, y), np.searchsorted(classes, answers)), 1)
        return cls(classes, counts)

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
