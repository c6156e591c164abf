"""The weights of the neighbours: the outputs coef.x + intercept, and weights that users set."""

from reprlib import repr as short
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, as_type, core_rows, core_weights, score


def outputs(X: Matrix, coef: Array, intercept: Any) -> Array:
    """The output of each row under each row of weights, in the type of the weights: (rows, rows of weights).

    >>> outputs(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 1.0]), 0.5)
    array([[12.5],
           [34.5]])
    """
    coef = np.atleast_2d(coef)
    weights = core_weights(coef, np.atleast_1d(intercept), 1.0)
    return score(core_rows(as_type(X, coef.dtype), check=False), weights, len(coef), 1.0)


def set_by_hand(name: str, weights: Any, learned: Any) -> Any:
    """Give the weights that a user sets the shape of the learned ones. A single intercept is used for all rows.

    >>> set_by_hand("coef_", [1, 2], np.array([[0.5, 0.5]]))
    array([[1., 2.]])
    """
    shape, values = np.shape(learned), np.asarray(weights)
    if values.dtype.kind not in "biuf" or not np.isfinite(values).all():
        raise ValueError(f"{name}: expected finite numbers, found {short(weights)}")
    if values.ndim == 0 and len(shape) == 1 and name == "intercept_":
        values = np.full(shape, values)
    if values.size != np.size(learned):
        raise ValueError(f"{name}: expected shape {shape}, found {values.shape}")
    dtype = values.dtype if values.dtype in (np.float64, np.float32) else np.float64
    return values.astype(dtype, copy=False).reshape(shape)[()]
