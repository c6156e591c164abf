"""What the theory computes with rows in floats, the same for arrays and SparseRows; scipy is not needed."""

from dataclasses import replace

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, SparseRows, core_rows, score


def with_constant(X: Matrix, value: float) -> Matrix:
    """X with a constant column before all others.

    >>> X = SparseRows(np.array([2.0, 3.0]), np.array([1, 0]), np.array([0, 1, 1, 2]), 2)
    >>> with_constant(X, 1.0).toarray()
    array([[1., 0., 2.],
           [1., 0., 0.],
           [1., 3., 0.]])
    """
    n = X.shape[0]
    if not isinstance(X, SparseRows):
        return np.concatenate([np.full((n, 1), value), X], axis=1)
    starts = X.indptr[:-1]
    data, indices = np.insert(X.data, starts, value), np.insert(X.indices + 1, starts, 0)
    return SparseRows(data, indices, X.indptr + np.arange(n + 1), X.n_columns + 1)


def scale(X: Matrix, factors: Array) -> Matrix:
    """Each row times its factor."""
    if isinstance(X, SparseRows):
        return replace(X, data=X.data * np.repeat(factors, np.diff(X.indptr)))
    return X * factors[:, np.newaxis]


def oppose(X: SparseRows, positive: Array, negative: Array, n_blocks: int) -> SparseRows:
    """Each row twice, in blocks as wide as X: as it is in the block `positive`, and negative in the block `negative`.

    >>> X = SparseRows(np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 2]), 2)
    >>> oppose(X, np.array([2]), np.array([0]), 3).toarray()
    array([[-1., -2.,  0.,  0.,  1.,  2.]])
    """
    blocks = np.sort(np.column_stack([positive, negative])).astype(np.int64)
    signs = np.where(blocks == positive[:, np.newaxis], 1.0, -1.0)
    halves = scale(X[np.repeat(np.arange(X.shape[0]), 2)], signs.ravel())
    columns = halves.indices + np.repeat(blocks.ravel() * X.n_columns, np.diff(halves.indptr))
    return SparseRows(halves.data, columns, halves.indptr[::2].copy(), X.n_columns * n_blocks)


def magnitudes(X: Matrix) -> Matrix:
    """The absolute value of each number."""
    return replace(X, data=np.abs(X.data)) if isinstance(X, SparseRows) else np.abs(X)


def products(X: Matrix, w: Array) -> Array:
    """X w, for doubles. Of sparse rows a product too large for a double is an OverflowError."""
    if not isinstance(X, SparseRows):
        return np.asarray(X @ w)
    return score(core_rows(X, check=False), np.append(w, 0.0)[:, np.newaxis], 1, 0.0)[:, 0]


def combinations(factors: Array, X: Matrix) -> Array:
    """The rows of X, summed with each row of factors."""
    return X.times(factors) if isinstance(X, SparseRows) else np.asarray(factors @ X)
