"""Joint features Phi(x, y), as a user's function returns them, and their weights.

A dict of names has weights with these names, and Python's numbers keep their types: ints and Fractions are exact. A 1-D
array or a sparse row has an array of weights: doubles, or objects if it has objects. A sparse row of scipy becomes a
row of `SparseRows`.
"""

import math
from typing import Any

import numpy as np

from rosenblatt.base.rows import SparseRows, as_rows, is_scipy, is_sparse


class Weights(dict[Any, Any]):
    """Weights by the names of their features; a missing weight is 0.

    >>> w = Weights({"long": 2})
    >>> w["short"], w @ {"long": 3, "short": 1}
    (0, 6)
    """

    def __missing__(self, name: Any) -> int:
        return 0

    def __matmul__(self, features: Any) -> Any:
        return sum(self[name] * value for name, value in features.items())


def as_vector(features: Any) -> Any:
    """Features as a dict of Python numbers, an array, or a sparse row with ascending columns."""
    if isinstance(features, dict):
        return {name: v.item() if isinstance(v, np.generic) else v for name, v in features.items()}
    if is_scipy(features) and 1 in (features.ndim, features.shape[0]):
        row = features.reshape((1, -1)).tocsr().astype(np.float64)
        row.sum_duplicates()
        return as_rows(row)
    if isinstance(features, np.ndarray) and features.ndim == 1 and features.dtype.kind in "biufO":
        return features if features.dtype == object else features.astype(np.float64)
    what = f"{type(features).__name__} of shape {np.shape(features)}" if hasattr(features, "shape") else repr(features)
    raise TypeError(f"features must give a dict, a 1-D array of numbers or one sparse row; got {what}")


def zeros_for(features: Any) -> Any:
    """The weights before the first update."""
    vector = as_vector(features)
    if isinstance(vector, dict):
        return Weights()
    return np.zeros(vector.shape[-1], dtype=vector.dtype)


def difference(right: Any, wrong: Any) -> Any:
    """Phi(x, y) - Phi(x, z), without zeros where it is sparse."""
    right, wrong = as_vector(right), as_vector(wrong)
    if type(right) is not type(wrong) or np.shape(right) != np.shape(wrong):
        raise ValueError(f"features must give vectors of one kind and length; got {_kind(right)} and {_kind(wrong)}")
    if isinstance(right, dict):
        both = {name: right.get(name, 0) - wrong.get(name, 0) for name in right | wrong}
        return {name: value for name, value in both.items() if value != 0}
    with np.errstate(invalid="ignore"):  # `squared_length` checks
        return _sparse_difference(right, wrong) if isinstance(right, SparseRows) else right - wrong


def _sparse_difference(right: SparseRows, wrong: SparseRows) -> SparseRows:
    """The difference of rows with ascending columns."""
    columns = np.union1d(right.indices, wrong.indices)
    values = np.zeros(len(columns))
    values[np.searchsorted(columns, right.indices)] = right.data
    values[np.searchsorted(columns, wrong.indices)] -= wrong.data
    left = values != 0
    starts = np.array([0, np.count_nonzero(left)], dtype=columns.dtype)
    return SparseRows(values[left], columns[left], starts, right.n_columns)


def _kind(vector: Any) -> str:
    if isinstance(vector, dict):
        return "a dict"
    return f"{'a sparse row' if is_sparse(vector) else type(vector).__name__} of length {vector.shape[-1]}"


def values(vector: Any) -> Any:
    """The numbers of a vector: all of an array, the stored ones of a sparse row."""
    if isinstance(vector, dict):
        return list(vector.values())
    return vector.data if is_sparse(vector) else vector


def squared_length(vector: Any) -> Any:
    """Phi|^2, which must be finite."""
    with np.errstate(over="ignore"):
        norm2 = sum(v * v for v in values(vector)) if isinstance(vector, dict) else values(vector) @ values(vector)
    if not norm2 < math.inf:
        raise ValueError(f"features must be finite numbers that can be squared; their difference is {vector}")
    return norm2


def score(w: Any, vector: Any) -> Any:
    return w[vector.indices] @ vector.data if is_sparse(vector) else w @ vector


def add(w: Any, tau: Any, vector: Any) -> None:
    """In place: w <- w + tau Phi."""
    if isinstance(vector, dict):
        for name, value in vector.items():
            w[name] = w[name] + tau * value
    elif is_sparse(vector):
        w[vector.indices] += tau * vector.data
    else:
        w += tau * vector
