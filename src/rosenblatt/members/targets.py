"""What a member learns from rows: one number or one label for each of them."""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, refuse_masked
from rosenblatt.base.rows import Matrix, as_type


def one_a_row(labels: Any, X: Matrix, what: str) -> Array:
    """An array with one entry for each row of X, of which there must be some; `what` they are is for errors.

    >>> one_a_row([[1], [2]], np.zeros((2, 3)), "labels")
    array([1, 2])
    """
    refuse_masked(labels, "y")
    y: Array = np.asarray(labels)
    if X.shape[0] == 0:
        raise ValueError("X: expected at least one row, found none")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.shape != (X.shape[0],):
        raise ValueError(f"y: expected {X.shape[0]} {what}, one a row, found an array of shape {y.shape}")
    return y


def as_numbers(y: Array, dtype: Any) -> Array:
    """The numbers y in the type of X. One that is too large for it becomes infinite, which the core refuses."""
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(f"y: expected finite numbers, found {y[~np.isfinite(y)][0]}")
    try:
        return np.asarray(as_type(y, dtype))
    except (TypeError, ValueError) as error:
        raise ValueError(f"y: expected numbers: {error}") from None
