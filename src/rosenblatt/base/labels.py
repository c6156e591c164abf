"""Array of any kind to class numbers and back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, check_labels, check_texts, unique


@dataclass(frozen=True, eq=False)
class NumberedLabels:
    """Labels whose classes are known: the sorted classes, and for each label the number of its class.

    To numpy they are the array of the labels. Of texts, to make and sort it takes longer than a pass over the rows.

    >>> labels = NumberedLabels.of(["yes", "no"], np.array([1, 0, 1], dtype=np.int32))
    >>> labels.classes, labels.numbers, np.asarray(labels)
    (array(['no', 'yes'], dtype='<U3'), array([0, 1, 0], dtype=int32), array(['no', 'yes', 'no'], dtype='<U3'))
    """

    classes: Array
    numbers: Array

    @classmethod
    def of(cls, texts: Sequence[str], numbers: Array) -> "NumberedLabels":
        """Texts, each of them once and somewhere a label, and for each label the number of its text."""
        check_texts(texts, "y")
        order = sorted(range(len(texts)), key=texts.__getitem__)
        place = np.empty(len(texts), dtype=np.int32)
        place[order] = np.arange(len(texts), dtype=np.int32)
        return cls(np.array([texts[k] for k in order], dtype=str), place.take(numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.classes.take(self.numbers), dtype=dtype)


def encode(y: Any) -> tuple[Array, np.ndarray[Any, np.dtype[np.int32]]]:
    """The sorted classes of y, and for each label the number of its class.

    >>> classes, numbers = encode(["no", "yes", "no"])
    >>> classes, numbers
    (array(['no', 'yes'], dtype='<U3'), array([0, 1, 0], dtype=int32))
    """
    if isinstance(y, NumberedLabels):
        return y.classes, y.numbers
    check_labels(y)
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    small = small_integers(y)
    if small is None:
        _check_classes(y)
        classes, numbers = unique(y)
        return classes, numbers.astype(np.int32, copy=False)
    low, offsets = small  # counting is many times faster than sorting
    present = np.flatnonzero(np.bincount(offsets))
    number_of = np.empty(int(present[-1]) + 1, dtype=np.int32)
    number_of[present] = np.arange(len(present), dtype=np.int32)
    return (present + low).astype(y.dtype), number_of[offsets]


def _check_classes(y: Array) -> None:
    """What scikit-learn's estimators refuse before they come here, in the same words."""
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity: expected labels")
    if y.dtype.kind == "f" and not np.array_equal(np.trunc(y), y):
        raise ValueError(
            f"Unknown label type: continuous. Expected classes, found the number {y[np.trunc(y) != y][0]:g}; "
            "LinearUnit (rosenblatt train --unit) learns numbers"
        )


def with_positive(classes: Array, numbers: Array, positive: Any) -> tuple[Array, Array]:
    """Two classes and their numbers with `positive` as the second, which is +1; None: as they are sorted.

    >>> with_positive(np.array(["+", "-"]), np.array([0, 1, 1]), "+")
    (array(['-', '+'], dtype='<U1'), array([1, 0, 0]))
    """
    if positive is None:
        return classes, numbers
    labels = classes.tolist()
    if len(labels) != 2:
        raise ValueError(f"positive is one of two labels, y has {len(labels)}")
    if positive not in labels:
        raise ValueError(f"positive must be a label of y, {labels[0]!r} or {labels[1]!r}; got {positive!r}")
    return (classes, numbers) if labels[1] == positive else (classes[::-1], 1 - numbers)


def count_machines(n_classes: int) -> int:
    """How many rows of weights: one for two classes, which is positive for the second, else one a class."""
    return 1 if n_classes <= 2 else n_classes


def answers(decision: Array, tie: str) -> Array:
    if decision.ndim == 1:
        return np.asarray(decision >= 0 if tie == "positive" else decision > 0).view(np.int8)
    if tie == "positive":  # the last of equal ones
        return np.asarray(decision.shape[1] - 1 - decision[:, ::-1].argmax(axis=1))
    return np.asarray(decision.argmax(axis=1))


def small_integers(y: Array) -> tuple[int, np.ndarray[Any, np.dtype[np.intp]]] | None:
    """The least of integer labels and the distance of each from it, if they are close together."""
    if y.dtype.kind not in "iuf" or len(y) == 0:
        return None
    low, high = y.min().item(), y.max().item()
    if not (low > -(2.0**53) and high < 2.0**53 and high - low < 1000 + len(y)):
        return None
    if y.dtype.kind == "f" and not np.array_equal(np.trunc(y), y):
        return None
    return int(low), y.astype(np.intp) - int(low)


def of_rows(rows: Array, classes: Array, numbers: Array) -> tuple[Array, Array]:
    """The classes that these rows have, and the class numbers among them (0 for all other rows).

    >>> of_rows(np.array([0, 2]), np.array(["a", "b", "c"]), np.array([0, 1, 2]))
    (array(['a', 'c'], dtype='<U1'), array([0, 0, 1], dtype=int32))
    """
    if len(rows) == len(numbers):
        return classes, numbers
    used, numbers_of_used = np.unique(numbers[rows], return_inverse=True)
    new = np.zeros(len(numbers), dtype=np.int32)
    new[rows] = numbers_of_used
    return classes[used], new


def class_list(classes: Any) -> Array:
    """All labels that a user lists, sorted."""
    check_labels(classes, "classes")
    return np.unique(np.asarray(classes))


def merge(old: Array, new: Array) -> Array:
    """All classes, sorted. Strings and numbers do not go together: 1 must not become "1"."""
    if len({isinstance(label, str) for labels in (old, new) for label in labels.tolist()}) > 1:
        raise ValueError(f"labels are strings or numbers, not both: {old.tolist()} before, {new.tolist()} now")
    return np.union1d(old, new) if len(old) else np.unique(new)


def rows_after(old: Array, new: Array, mirror: float) -> list[list[tuple[int, float]]]:
    """Where rows of weights go when classes come: for each old row, the new rows it becomes and their factors.

    Two classes have one row, positive for the second; with a third, each gets a row of its own, one the `mirror` of
    the other. The row of an only class is positive for it until a second one comes.
    """
    place = np.searchsorted(new, old).tolist()
    if len(old) > 2:
        return [[(to, 1.0)] for to in place]
    if len(new) == 2:
        return [[(0, 1.0 if place[0] == 1 else -1.0)]]
    return [[(place[-1], mirror), *([(place[0], -mirror)] if len(old) == 2 else [])]]
