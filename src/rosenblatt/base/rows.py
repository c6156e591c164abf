"""The rows that members learn from and answer: arrays, or sparse rows, and how the core sees them.

Dense float32 and float64 go to the core as they are if their rows are contiguous (a Fortran-ordered array is copied
once: its rows, read in place, cost more than the copy at every pass). Sparse rows go as they are, with 32- or 64-bit
indices. scipy is not needed: its matrices are taken where somebody has imported it, and become `SparseRows`.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, refuse_masked


@dataclass(frozen=True, eq=False)
class SparseRows:
    """The three arrays of a CSR matrix, and its number of columns.

    >>> X = SparseRows(np.array([1.0, 2.0, 3.0]), np.array([1, 0, 1]), np.array([0, 1, 3]), 2)
    >>> X.shape, X[1:].toarray(), X[[1, 0]].toarray().tolist()
    ((2, 2), array([[2., 3.]]), [[2.0, 3.0], [0.0, 1.0]])
    """

    data: Array
    indices: Array
    indptr: Array
    n_columns: int

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.indptr) - 1, self.n_columns

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.data.dtype)

    @property
    def nnz(self) -> int:
        return len(self.data)

    def astype(self, dtype: Any, *, copy: bool = True) -> "SparseRows":
        """The same values in another type."""
        return SparseRows(self.data.astype(dtype, copy=copy), self.indices, self.indptr, self.n_columns)

    def copy(self) -> "SparseRows":
        return SparseRows(self.data.copy(), self.indices.copy(), self.indptr.copy(), self.n_columns)

    def __getitem__(self, rows: Any) -> "SparseRows":
        """Some rows: a slice without steps shares the memory, numbers or a mask of rows make a copy."""
        starts = self.indptr
        if isinstance(rows, slice) and rows.step in (None, 1):
            first, last, _ = rows.indices(len(starts) - 1)
            last = max(first, last)
            part = slice(starts[first], starts[last])
            return SparseRows(
                self.data[part], self.indices[part], starts[first : last + 1] - part.start, self.n_columns
            )
        numbers = np.arange(len(starts) - 1)[rows]
        lengths = starts[numbers + 1] - starts[numbers]
        new = np.zeros(len(numbers) + 1, dtype=starts.dtype)
        np.cumsum(lengths, out=new[1:])
        places = np.repeat(starts[numbers] - new[:-1], lengths) + np.arange(new[-1])
        return SparseRows(self.data[places], self.indices[places], new, self.n_columns)

    def row_numbers(self) -> Array:
        """For each stored value the number of its row."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    def toarray(self) -> Array:
        """The dense array, with its zeros; values of one place are added."""
        dense = np.zeros(self.shape, dtype=self.dtype)
        np.add.at(dense, (self.row_numbers(), self.indices), self.data)
        return dense

    def times(self, factors: Array) -> Array:
        """`factors` (any, rows) times these rows, summed row after row."""
        numbers = self.row_numbers()
        out = np.empty((len(factors), self.n_columns))
        for k, factor in enumerate(factors):
            out[k] = np.bincount(self.indices, weights=factor[numbers] * self.data, minlength=self.n_columns)
        return out


Matrix: TypeAlias = Any  # an array of two dimensions, or SparseRows


def is_sparse(X: Any) -> bool:
    """Whether X is sparse: ours, or one of scipy's, which must have been imported to make it."""
    return isinstance(X, SparseRows) or is_scipy(X)


def is_scipy(X: Any) -> bool:
    """Whether X is one of scipy's sparse matrices or arrays."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(X))


def as_rows(X: Any, name: str = "X") -> Matrix:
    """X as a member takes it: an array of float32 or float64 with contiguous rows, or SparseRows.

    Nothing is copied that is so already. Whether values are finite is left to the core, which looks faster.

    >>> as_rows([[0, 1], [1, 1]])
    array([[0., 1.],
           [1., 1.]])
    """
    if is_scipy(X):
        X = X.tocsr()
        data, indices, indptr = map(np.ascontiguousarray, (X.data, X.indices, X.indptr))
        X = SparseRows(data, indices, indptr, int(X.shape[1]))
    if isinstance(X, SparseRows):
        return X if X.dtype in (np.float64, np.float32) else X.astype(np.float64)
    refuse_masked(X, name)
    array = np.asarray(X)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: expected rows of numbers, found {array.dtype} of shape {array.shape}")
    return np.ascontiguousarray(array, array.dtype if array.dtype in (np.float64, np.float32) else np.float64)


def as_scipy(X: SparseRows) -> Any:
    """One of scipy's CSR arrays on the same memory."""
    import scipy.sparse as sp

    return sp.csr_array((X.data, X.indices, X.indptr), shape=X.shape)


def as_users_have_it(X: Matrix) -> Any:
    """A matrix for a user: in place of sparse rows one of scipy's, an array or a matrix as scikit-learn is told.

    If scikit-learn is not imported yet, nobody has changed its setting. Before version 1.9 it has no such setting, and
    gives matrices.
    """
    if not isinstance(X, SparseRows):
        return X
    import scipy.sparse as sp

    sklearn = sys.modules.get("sklearn")
    arrays = sklearn is not None and sklearn.get_config().get("sparse_interface") == "sparray"
    return as_scipy(X) if arrays else sp.csr_matrix(as_scipy(X))


def as_type(X: Matrix, dtype: Any) -> Matrix:
    """X of the given type; a value too large for it becomes infinite, which the core refuses."""
    with np.errstate(over="ignore"):
        return X.astype(dtype, copy=False)


def stack_rows(above: Matrix, below: Matrix) -> Matrix:
    """Rows below others: sparse if those above are."""
    if not isinstance(above, SparseRows):
        return np.concatenate([above, below.toarray() if isinstance(below, SparseRows) else below])
    return join_rows([above, below if isinstance(below, SparseRows) else sparse(below)])


def stack_all(parts: Sequence[Matrix]) -> Matrix:
    """Rows below each other that are all sparse, or all not."""
    return join_rows(parts) if isinstance(parts[0], SparseRows) else np.concatenate(parts)


def join_rows(parts: Sequence[SparseRows]) -> SparseRows:
    """Sparse rows below each other, with as many columns as the widest of them.

    >>> wide, narrow = sparse(np.array([[0.0, 2.0]])), sparse(np.array([[1.0], [3.0]]))
    >>> join_rows([narrow, wide]).toarray().tolist()
    [[1.0, 0.0], [3.0, 0.0], [0.0, 2.0]]
    """
    ends = np.cumsum([0, *(part.nnz for part in parts)])
    starts = [part.indptr[1:].astype(np.int64) + end for part, end in zip(parts, ends[:-1], strict=True)]
    narrow = ends[-1] <= np.iinfo(np.int32).max and all(part.indptr.dtype == np.int32 for part in parts)
    return SparseRows(
        np.concatenate([part.data for part in parts]),
        np.concatenate([part.indices for part in parts], dtype=np.int32 if narrow else np.int64),
        np.concatenate([[0], *starts], dtype=np.int32 if narrow else np.int64),
        max(part.n_columns for part in parts),
    )


def side_by_side(parts: Sequence[SparseRows]) -> SparseRows:
    """The columns of all parts, each part after the other, with indices of 32 bits if they fit.

    >>> side_by_side([sparse(np.array([[1.0, 0.0], [2.0, 3.0]])), sparse(np.array([[4.0], [5.0]]))]).toarray().tolist()
    [[1.0, 0.0, 4.0], [2.0, 3.0, 5.0]]
    """
    if len(parts) == 1:
        return parts[0]
    n_values, width = sum(part.nnz for part in parts), sum(part.n_columns for part in parts)
    kind = np.int32 if max(width, n_values) <= np.iinfo(np.int32).max else np.int64
    lengths = np.array([np.diff(part.indptr) for part in parts])
    starts = np.concatenate([[0], np.cumsum(lengths.sum(axis=0))]).astype(kind)
    data = np.empty(n_values, np.result_type(*(part.dtype for part in parts)))
    indices, first, offset = np.empty(n_values, kind), starts[:-1].astype(np.int64), 0
    for part, length in zip(parts, lengths, strict=True):
        places = np.repeat(first - part.indptr[:-1], length) + np.arange(part.nnz)
        data[places], indices[places] = part.data, part.indices + offset
        first, offset = first + length, offset + part.n_columns
    return SparseRows(data, indices, starts, width)


def sparse(X: Array) -> SparseRows:
    """A dense matrix without its zeros."""
    rows, columns = map(np.ascontiguousarray, np.nonzero(X))
    starts = np.searchsorted(rows, np.arange(len(X) + 1))
    return SparseRows(X[rows, columns], columns, starts, X.shape[1])


def core_rows(X: Matrix, *, check: bool = True) -> Any:
    """The rows of X for the core.

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
    """X with sorted columns, each at most once in a row; a copy if it was not so."""
    if not isinstance(X, SparseRows) or has_each_once(X):
        return X
    core_rows(X)  # raises an error unless starts and columns are within bounds
    return sum_duplicates(X)


def has_each_once(X: SparseRows) -> bool:
    """Whether the columns of each row ascend. The core reads them once; that they are within bounds it says later."""
    return _core.ascending(core_rows(X, check=False))


def sum_duplicates(X: SparseRows) -> SparseRows:
    """The same for rows whose starts and columns are within bounds, and for values of any type."""
    out_of_order = X.indices[1:] <= X.indices[:-1]
    starts = X.indptr[(X.indptr > 0) & (X.indptr < X.nnz)]
    out_of_order[starts - 1] = False  # the first column of a row may be below the last of the row before
    if not out_of_order.any():
        return X
    rows = X.row_numbers()
    order = np.lexsort((X.indices, rows))
    rows, indices, data = rows[order], X.indices[order], X.data[order]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = (rows[1:] != rows[:-1]) | (indices[1:] != indices[:-1])
    sums = np.zeros(np.count_nonzero(first), dtype=data.dtype)
    np.add.at(sums, np.cumsum(first) - 1, data)
    starts = np.searchsorted(rows[first], np.arange(X.shape[0] + 1)).astype(X.indptr.dtype)
    return SparseRows(sums, indices[first], starts, X.n_columns)


def zero_weights(n_features: int, n_machines: int, dtype: Any) -> Array:
    """Weights as the core has them: feature by feature, the constant feature last; see core/base/rows.hpp."""
    return np.zeros((n_features + 1, _core.stride(n_machines)), dtype=dtype)


def core_weights(coef: Any, intercept: Any, bias: float) -> Array:
    """`coef` (n_machines, n_features) and `intercept` (n_machines,) in the core's layout."""
    n_machines, n_features = coef.shape
    w = zero_weights(n_features, n_machines, coef.dtype)
    w[:-1, :n_machines] = coef.T
    if bias:
        w[-1, :n_machines] = np.asarray(intercept) / bias
    return w


def score(rows: Any, w: Array, n_machines: int, bias: float) -> Array:
    """The score of each row under each row of weights, (rows, n_machines)."""
    out = np.empty((len(rows), n_machines), dtype=w.dtype)
    _core.scores(rows, w, n_machines, bias, out)
    return out
