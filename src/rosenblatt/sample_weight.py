"""Which rows count: a row of weight 0 changes nothing, as if it were not there."""

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight

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
