"""Matrices in a record: a dense one is one tensor, a sparse one three."""

import numpy as np

from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.base.rows import Matrix, SparseRows


def put_matrix(tensors: Tensors, name: str, X: Matrix) -> None:
    """A dense matrix is one tensor, a sparse one three."""
    if isinstance(X, SparseRows):
        tensors |= {f"{name}.data": X.data, f"{name}.indices": X.indices, f"{name}.indptr": X.indptr}
    else:
        tensors[name] = np.asarray(X)


def matrix(parts: Parts, name: str, n_rows: int | None, n_columns: int, dtypes: tuple[str, ...]) -> Matrix:
    """What `put_matrix` put there."""
    if not parts.has(f"{name}.data"):
        return parts.tensor(name, (n_rows, n_columns), *dtypes)
    data = parts.tensor(f"{name}.data", (None,), *dtypes)
    indices = parts.tensor(f"{name}.indices", data.shape, "int32", "int64")
    indptr = parts.tensor(f"{name}.indptr", (None if n_rows is None else n_rows + 1,), "int32", "int64")
    # they are used as numbers of places in memory
    if len(indptr) == 0 or indptr[0] != 0 or indptr[-1] != len(data) or (indptr[1:] < indptr[:-1]).any():
        raise ValueError(f"tensor '{name}.indptr': expected starts of rows that rise from 0 to {len(data)}")
    if len(indices) and (indices.min() < 0 or indices.max() >= n_columns):
        raise ValueError(f"tensor '{name}.indices': expected columns from 0 to {n_columns - 1}, found others")
    return SparseRows(data, indices, indptr, n_columns)
