"""Kernel values between rows: matrix products by the BLAS of numpy, and the map from them to the kernel in the core.

They come in tiles of a fixed size, each one product of one thread, so that their bits do not depend on how many threads
there are. A callable gets blocks of rows, never pairs. Of a precomputed kernel the columns are picked.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp
from joblib import effective_n_jobs
from sklearn.utils.extmath import row_norms
from threadpoolctl import ThreadpoolController

from rosenblatt import _core
from rosenblatt.rows import Matrix, is_sparse

Array = np.ndarray[Any, Any]

TILE = 256  # rows of a tile
KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


@dataclass
class Vectors:
    """Rows, and for rbf their squared lengths. Of a precomputed kernel the support vectors are their numbers."""

    X: Matrix
    norm2: Array | None = None

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def __getitem__(self, rows: Any) -> "Vectors":
        return Vectors(self.X[rows], None if self.norm2 is None else self.norm2[rows])

    def stacked(self, below: "Vectors") -> "Vectors":
        """These rows and those."""
        if is_sparse(self.X) or is_sparse(below.X):
            X: Any = sp.vstack([sp.csr_array(self.X), sp.csr_array(below.X)], format="csr")
        else:
            X = np.concatenate([self.X, below.X])
        norm2 = None if self.norm2 is None or below.norm2 is None else np.concatenate([self.norm2, below.norm2])
        return Vectors(X, norm2)


@dataclass(frozen=True)
class Kernel:
    """The kernel of a run, with every number settled."""

    kind: str | Callable[[Any, Any], Any]
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3

    def vectors(self, X: Matrix) -> Vectors:
        """Rows that `values` takes."""
        return Vectors(X, row_norms(X, squared=True) if self.kind == "rbf" else None)

    def support(self, vectors: Vectors, rows: Array, number: Array) -> Vectors:
        """Support vectors from `rows` of these vectors, whose numbers among all training rows are `number`."""
        return Vectors(number[rows]) if self.kind == "precomputed" else vectors[rows]

    def values(self, support: Vectors, rows: Vectors, *, exponents: bool = False) -> Array:
        """The kernel between each support vector and each row; of rbf, if so asked, -log of it."""
        if self.kind == "precomputed":
            return np.ascontiguousarray(rows.X[:, support.X].T)
        if callable(self.kind):
            return _checked(self.kind(support.X, rows.X), len(support), len(rows), rows.X.dtype)
        A, B = support.X, rows.X
        dots = np.ascontiguousarray((A @ B.T).toarray()) if is_sparse(A) and is_sparse(B) else np.asarray(A @ B.T)
        kind = "exponent" if exponents else self.kind
        kernel = _core.Kernel(kind=kind, gamma=self.gamma, coef0=self.coef0, degree=self.degree)
        dots = np.require(dots, requirements=["C", "W"])
        _core.kernel_values(kernel, dots, support.norm2, rows.norm2)
        return dots

    def gram(self, rows: Vectors, which: Array, number: Array) -> Array:
        """The kernel between the rows `which` of a block and all of it; `number` has their numbers among all rows."""
        values = self.values(self.support(rows, which, number), rows)
        if self.kind == "rbf":
            values[np.arange(len(which)), which] = 1  # without the rounding of |x|^2 + |x|^2 - 2 x.x
        return values


def _checked(values: Any, n: int, m: int, dtype: Any) -> Array:
    values = np.asarray(values.toarray() if is_sparse(values) else values)
    if values.shape != (n, m):
        raise ValueError(f"kernel must give ({n}, {m}) values for {n} and {m} rows, got shape {values.shape}")
    return np.require(values, dtype=dtype, requirements=["C", "A"])


def resolve_gamma(gamma: float | str, X: Matrix) -> float:
    """As scikit-learn's SVC has it: "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features."""
    if gamma == "auto":
        return 1.0 / int(X.shape[1])
    if gamma != "scale":
        return float(gamma)
    values = X.data if is_sparse(X) else X
    mean, mean2 = (np.sum(v, dtype=np.float64) / np.prod(X.shape) for v in (values, np.square(values)))
    variance = float(mean2 - mean**2) if is_sparse(X) else float(X.var(dtype=np.float64))
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


class Workers:
    """Computes tiles, in order, on one thread or several; a BLAS of many threads is told to use one for each."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool

    def tiles(self, kernel: Kernel, support: Vectors, rows: Vectors, which: Array) -> Iterator[tuple[Array, Array]]:
        """The values of the support vectors in `which`, ascending, with the rows, TILE of them at a time."""

        def tile(first: int) -> tuple[Array, Array]:
            part = which[first : first + TILE]
            in_a_row = part[-1] - part[0] + 1 == len(part)  # then nothing need be copied
            return part, kernel.values(support[part[0] : part[-1] + 1] if in_a_row else support[part], rows)

        firsts = range(0, len(which), TILE)
        yield from map(tile, firsts) if self._pool is None else self._pool.map(tile, firsts)

    def values(self, kernel: Kernel, support: Vectors, rows: Vectors) -> Array:
        """The values of all support vectors with the rows."""
        return np.concatenate([tile for _, tile in self.tiles(kernel, support, rows, np.arange(len(support)))])


@cache
def _controller() -> Any:
    return ThreadpoolController()


@contextmanager
def workers(n_jobs: int | None) -> Iterator[Workers]:
    """So many threads, -1 for all cores, as in scikit-learn."""
    threads = effective_n_jobs(n_jobs)
    with _controller().limit(limits=1, user_api="blas"):
        if threads == 1:
            yield Workers(None)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield Workers(pool)
