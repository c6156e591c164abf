"""How often a classifier is wrong, which class it takes for which, and how well its scores tell two classes apart."""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array, unique
from rosenblatt.base.labels import encode


class Majority(NamedTuple):
    """The most frequent class (the first of equal ones), and the error of always answering with it."""

    label: Any
    n_wrong: int
    error: float

    @classmethod
    def of(cls, y: Any) -> "Majority":
        """Of labels.

        >>> Majority.of(["no", "yes", "no", "no"])
        Majority(label='no', n_wrong=1, error=0.25)
        """
        classes, numbers = encode(y)
        return cls.of_counts(classes, np.bincount(numbers, minlength=len(classes)))

    @classmethod
    def of_counts(cls, classes: Array, counts: Array) -> "Majority":
        """The majority of classes that are so often there."""
        most, n_rows = int(counts.argmax()), int(counts.sum())
        n_wrong = n_rows - int(counts[most])
        return cls(classes[most].item(), n_wrong, n_wrong / n_rows)

    def as_json(self) -> dict[str, Any]:
        return {"label": self.label, "error": self.error}


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
        >>> found.f1.round(3), found.balanced_accuracy, found.majority
        (array([0.667, 0.667]), 0.75, Majority(label=0, n_wrong=1, error=0.3333333333333333))
        """
        present, labels = unique(y)
        classes = np.union1d(classes, present)
        n, rows, columns = len(classes), np.searchsorted(classes, present)[labels], np.searchsorted(classes, answers)
        return cls(classes, np.bincount(rows * n + columns, minlength=n * n).reshape(n, n))

    def __add__(self, more: "Confusion") -> "Confusion":  # type: ignore[override]
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
        """The share of right answers among the rows taken for each class; NaN where there are none."""
        return _shares(np.diag(self.counts), self.counts.sum(axis=0))

    @property
    def recall(self) -> Array:
        """The share of each class's rows that were taken for it; NaN where there are none."""
        return _shares(np.diag(self.counts), self.counts.sum(axis=1))

    @property
    def f1(self) -> Array:
        """The harmonic mean of precision and recall; NaN for a class that neither labels nor answers have."""
        return _shares(2 * np.diag(self.counts), self.counts.sum(axis=0) + self.counts.sum(axis=1))

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes that the labels have: 1 / classes for a guess that ignores the rows."""
        return float(np.nanmean(self.recall))

    @property
    def majority(self) -> Majority:
        """The best that one answer for all rows can do."""
        return Majority.of_counts(self.classes, self.counts.sum(axis=1))


class Ranking:
    """The scores of the rows of two classes, from which the area under the ROC curve comes: 8 bytes a row.

    >>> ranking = Ranking()
    >>> ranking.add(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.4, 0.8]))
    >>> ranking.auc()
    0.875
    """

    def __init__(self) -> None:
        self._scores: tuple[list[Array], list[Array]] = [], []

    def add(self, positive: Array, scores: Array) -> None:
        """More rows: whether each is of the positive class, and its score."""
        for scores_of, rows in zip(self._scores, (~positive, positive), strict=True):
            scores_of.append(scores[rows])

    def auc(self) -> float | None:
        """How often a positive row has a larger score than a negative one, a tie counting half.

        None without rows of both classes.
        """
        below, above = (np.concatenate(scores) if scores else np.empty(0) for scores in self._scores)
        if not len(below) or not len(above):
            return None
        below.sort()
        won = int(np.searchsorted(below, above, "left").sum()) + int(np.searchsorted(below, above, "right").sum())
        return won / (2 * len(below) * len(above))


def _shares(part: Array, whole: Array) -> Array:
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))
