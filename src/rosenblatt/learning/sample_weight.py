"""Which rows count: a row of weight 0 changes nothing, as if it were not there."""

from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from rosenblatt.labels import encode, of_rows
from rosenblatt.rows import Matrix

Array = np.ndarray[Any, Any]


def counting_rows(weight: Array | None, n_rows: int) -> Array:
    """The numbers of the rows whose weight is not 0."""
    rows = np.arange(n_rows) if weight is None else np.flatnonzero(weight)
    if len(rows) == 0:
        raise ValueError("all sample weights are zero: there is nothing to learn from")
    return rows


def part(rows: Array, X: Matrix, y: Array, weight: Array | None) -> tuple[Matrix, Array, Array | None]:
    """The given rows of each; nothing is copied if these are all."""
    if len(rows) == X.shape[0]:
        return X, y, weight
    return X[rows], y[rows], None if weight is None else weight[rows]


def rows_that_count(X: Matrix, y: Array, sample_weight: Any) -> tuple[Matrix, Array, Array | None]:
    """X, y and the weights without the rows of weight 0; weights of None if none are given.

    >>> X, y, weight = rows_that_count(np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1]), [2, 0, 1])
    >>> X.ravel(), y, weight
    (array([1., 3.]), array([0, 1]), array([2., 1.]))
    """
    if sample_weight is None:
        return X, y, None
    weight = _check_sample_weight(sample_weight, X, dtype=X.dtype, ensure_non_negative=True)
    return part(counting_rows(weight, len(weight)), X, y, weight)


def step_weights(
    X: Matrix, y: Array, sample_weight: Any, class_weight: Any, *, all_labels: bool
) -> tuple[Array, Array, Array | None, Array]:
    """Classes, the class number and step's weight (or None) of each row, and the rows whose weight is not 0.

    Without `all_labels`, classes of a dict of weights may still come.
    """
    classes, target = encode(y)
    weight, rows = None, np.arange(len(y))
    if sample_weight is not None:
        weight = _check_sample_weight(sample_weight, X, dtype=X.dtype, ensure_non_negative=True)
        rows = counting_rows(weight, len(y))
        classes, target = of_rows(rows, classes, target)
    if class_weight is not None:
        if all_labels:
            of_class = compute_class_weight(class_weight, classes=classes, y=classes[target[rows]])
        else:
            of_class = np.array([class_weight.get(label, 1.0) for label in classes.tolist()])
        weight = np.asarray((1.0 if weight is None else weight) * of_class[target], dtype=X.dtype)
        rows = counting_rows(weight, len(y))
        classes, target = of_rows(rows, classes, target)
    return classes, target, weight, rows
