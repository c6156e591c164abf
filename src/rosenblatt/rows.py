"""From what a user has (arrays, sparse matrices, frames) to the rows of the core, without a copy where none is needed.

Dense float32 and float64 go as they are if their rows are contiguous (a Fortran-ordered array is copied once: its
rows, read in place, cost more than the copy at every pass). CSR goes as it is, with 32- or 64-bit indices.
"""

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import validate_data

from rosenblatt import _core

Matrix: TypeAlias = Any  # np.ndarray, or scipy's CSR

LANES = 8  # the core pads weights of several classes to this many


def validate_rows(estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
    """X (and y, if given) checked as scikit-learn does it: shape, names, number of features; float32 stays float32.

    Whether every value is finite is left to the core, which looks faster.
    """
    return validate_data(
        estimator,
        X,
        y,
        reset=reset,
        accept_sparse="csr",
        accept_large_sparse=True,
        dtype=[np.float64, np.float32],
        order="C",
        ensure_all_finite=False,
    )


def is_sparse(X: Matrix) -> bool:
    """Whether X is one of scipy's sparse matrices or arrays."""
    return bool(sp.issparse(X))


def core_rows(X: Matrix, *, check: bool = True) -> Any:
    """The rows of a validated X for the core.

    A value that is not finite or an index outside of X is an error, at once or, without `check`, when the core comes
    to that row: training and scoring look at a row while it is in the cache.
    """
    if not is_sparse(X):
        rows = _core.dense_rows(X)
    else:
        indices, indptr = X.indices, X.indptr
        if indices.dtype != indptr.dtype or indices.dtype not in (np.int32, np.int64):
            indices, indptr = indices.astype(np.int64), indptr.astype(np.int64)
        rows = _core.sparse_rows(X.data, indices, indptr, X.shape[1])
    if check:
        _core.check(rows)
    return rows


def without_duplicates(X: Matrix) -> Matrix:
    """X with each column at most once in a row; a copy if it was not so."""
    if not is_sparse(X):
        return X
    core_rows(X, check=False)  # scipy reads indptr without looking
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def zero_weights(n_features: int, n_rows: int, dtype: Any) -> np.ndarray[Any, Any]:
    """Weights as the core has them: feature by feature, the constant feature last; see core/rows.hpp."""
    stride = 1 if n_rows == 1 else -(-n_rows // LANES) * LANES
    return np.zeros((n_features + 1, stride), dtype=dtype)


def core_weights(coef: Any, intercept: Any, bias: float) -> np.ndarray[Any, Any]:
    """`coef` (n_rows, n_features) and `intercept` (n_rows,) in the core's layout."""
    n_rows, n_features = coef.shape
    w = zero_weights(n_features, n_rows, coef.dtype)
    w[:-1, :n_rows] = coef.T
    if bias:
        w[-1, :n_rows] = np.asarray(intercept) / bias
    return w


def score(rows: Any, w: np.ndarray[Any, Any], n_rows: int, bias: float) -> np.ndarray[Any, Any]:
    """The score of each row under each row of weights, (rows, n_rows)."""
    out = np.empty((len(rows), n_rows), dtype=w.dtype)
    _core.scores(rows, w, n_rows, bias, out)
    return out
