"""Kernel values between rows: dot products (by the BLAS of numpy, of sparse rows by the core), and the map from them
to the kernel in the core.

A function as kernel gets blocks of rows, never pairs. For a precomputed kernel the columns are selected. Several
threads compute tiles of a fixed size, each by one product in one thread, so that the bits do not depend on the number
of threads.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.cores import n_threads
from rosenblatt.base.rows import Matrix, SparseRows, as_scipy, core_rows, is_sparse, sparse


@dataclass
class Vectors:
    """Rows, and for rbf their squared lengths. Support vectors of a precomputed kernel are numbers of rows."""

    X: Matrix
    norm2: Array | None = None

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def __getitem__(self, rows: Any) -> "Vectors":
        return Vectors(self.X[rows], None if self.norm2 is None else self.norm2[rows])

    def copy(self) -> "Vectors":
        return Vectors(self.X.copy(), None if self.norm2 is None else self.norm2.copy())


def stack(parts: list[Vectors]) -> Vectors:
    """Join rows, one block below another; the result is sparse if any of them is."""
    lengths = [part.norm2 for part in parts if part.norm2 is not None]
    norm2 = np.concatenate(lengths) if len(lengths) == len(parts) else None
    if not any(isinstance(part.X, SparseRows) for part in parts):
        return Vectors(np.concatenate([part.X for part in parts]), norm2)
    rows = [_as_sparse(part.X) for part in parts]
    data, indices = (np.concatenate([getattr(X, name) for X in rows]) for name in ("data", "indices"))
    starts = np.zeros(sum(map(len, parts)) + 1, dtype=indices.dtype)
    np.cumsum(np.concatenate([np.diff(X.indptr) for X in rows]), out=starts[1:])
    return Vectors(SparseRows(data, indices, starts, rows[0].n_columns), norm2)


@dataclass(frozen=True)
class Kernel:
    """The kernel of a run, with a value for every parameter."""

    kind: str | Callable[[Any, Any], Any]
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3

    def vectors(self, X: Matrix) -> Vectors:
        return Vectors(X, squared_lengths(X) if self.kind == "rbf" else None)

    def support(self, vectors: Vectors, rows: Array, number: Array) -> Vectors:
        """Support vectors from `rows` of these vectors, whose numbers among all training rows are `number`."""
        return Vectors(number[rows]) if self.kind == "precomputed" else vectors[rows]

    def values(self, support: Vectors, rows: Vectors) -> Array:
        if self.kind == "precomputed":
            return np.ascontiguousarray(rows.X[:, support.X].T)
        if callable(self.kind):
            A, B = (as_scipy(X) if isinstance(X, SparseRows) else X for X in (support.X, rows.X))
            return _check_values(self.kind(A, B), len(support), len(rows), rows.X.dtype)
        values = dots(support.X, rows.X)
        kernel = _core.Kernel(kind=self.kind, gamma=self.gamma, coef0=self.coef0, degree=self.degree)
        _core.kernel_values(kernel, values, support.norm2, rows.norm2)
        return values

    def gram(self, rows: Vectors, which: Array, number: Array) -> Array:
        """The kernel between the rows `which` of a block and all of it; `number` has their numbers among all rows."""
        values = self.values(self.support(rows, which, number), rows)
        if self.kind == "rbf":
            values[np.arange(len(which)), which] = 1  # exactly 1, although |x|^2 + |x|^2 - 2 x.x may round
        return values


def dots(A: Matrix, B: Matrix) -> Array:
    """The dot product of each row of A with each row of B. Sparse rows must be sorted, without duplicate columns."""
    if not (isinstance(A, SparseRows) or isinstance(B, SparseRows)):
        return np.require(A @ B.T, requirements=["C", "W"])
    out = np.empty((A.shape[0], B.shape[0]), dtype=A.dtype)
    a, b = (core_rows(_as_sparse(X), check=False) for X in (A, B))
    _core.sparse_dots(a, b, out)
    return out


def squared_lengths(X: Matrix) -> Array:
    """|x|^2 of each row."""
    if not isinstance(X, SparseRows):
        return np.asarray(np.einsum("ij,ij->i", X, X))
    out = np.empty(X.shape[0], dtype=X.dtype)
    _core.squared_norms(core_rows(X, check=False), out)
    return out


def _as_sparse(X: Matrix) -> SparseRows:
    return X if isinstance(X, SparseRows) else sparse(X)


def _check_values(values: Any, n: int, m: int, dtype: Any) -> Array:
    values = np.asarray(values.toarray() if is_sparse(values) else values)
    if values.shape != (n, m):
        raise ValueError(f"kernel must give ({n}, {m}) values for {n} and {m} rows, got shape {values.shape}")
    return np.require(values, dtype=dtype, requirements=["C", "A"])


def resolve_gamma(gamma: float | str, X: Matrix) -> float:
    """As in scikit-learn's SVC: "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features."""
    if gamma == "auto":
        return 1.0 / int(X.shape[1])
    if gamma != "scale":
        return float(gamma)
    if isinstance(X, SparseRows):
        mean, mean2 = (np.sum(v, dtype=np.float64) / np.prod(X.shape) for v in (X.data, np.square(X.data)))
        variance = float(mean2 - mean**2)
    else:
        variance = float(X.var(dtype=np.float64))
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


TILE = 256  # rows of a tile


class Workers:
    """Computes tiles, in order, on one or several threads."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool

    def tiles(self, kernel: Kernel, support: Vectors, rows: Vectors, which: Array) -> Iterator[tuple[Array, Array]]:
        """The values of the support vectors in `which`, ascending, with the rows, TILE of them at a time."""

        def tile(first: int) -> tuple[Array, Array]:
            part = which[first : first + TILE]
            in_a_row = part[-1] - part[0] + 1 == len(part)  # then a slice needs no copy
            return part, kernel.values(support[part[0] : part[-1] + 1] if in_a_row else support[part], rows)

        firsts = range(0, len(which), TILE)
        yield from map(tile, firsts) if self._pool is None else self._pool.map(tile, firsts)

    def values(self, kernel: Kernel, support: Vectors, rows: Vectors) -> Array:
        return np.concatenate([tile for _, tile in self.tiles(kernel, support, rows, np.arange(len(support)))])


@contextmanager
def workers(n_jobs: int | None) -> Iterator[Workers]:
    """A group of threads. A BLAS with threads of its own uses one for each of them."""
    threads = n_threads(n_jobs)
    with one_blas_thread():
        if threads == 1:
            yield Workers(None)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield Workers(pool)


def one_blas_thread() -> Any:
    """A context in which the BLAS of numpy uses one thread, so that its bits do not depend on the number of threads."""
    return _blas().limit(limits=1, user_api="blas")


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
