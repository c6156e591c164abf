"""Exact linear algebra over the integers: by Bareiss, or for many rows by python-flint, if it is installed.

Bareiss (1968) eliminates without fractions: every entry stays a minor of the matrix, so that divisions leave no rest
and numbers grow no more than they must. It is fast enough for some tens of rows; flint (extra `exact`) for some
hundreds. Both give the same numbers.
"""

import math
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array

FAST_ROWS = 300 if find_spec("flint") else 60  # a system of so many rows takes seconds at most
LIGHT = 10_000  # so many products of integers take less time than importing flint


def row_echelon(A: Array) -> tuple[Array, int, list[int]]:
    """The reduced row echelon form of an integer matrix as integers, their common denominator, and its pivots.

    >>> row_echelon(np.array([[2, 4, 6], [1, 2, 4]], dtype=object))
    (array([[2, 4, 0],
           [0, 0, 2]], dtype=object), 2, [0, 2])
    """
    M = _flint(A, len(A) * A.size)
    if M is None:
        return _bareiss(A)
    reduced, denominator, rank = M.rref()
    rows = np.array([[int(value) for value in row] for row in reduced.tolist()[:rank]], dtype=object)
    rows = rows.reshape(rank, A.shape[1])
    return rows, int(denominator), [int(np.flatnonzero(row)[0]) for row in rows]


def _flint(A: Array, n_products: int) -> Any:
    """A as a matrix of flint's, if that is installed and worth its import."""
    if n_products <= LIGHT and "flint" not in sys.modules:
        return None
    try:
        from flint import fmpz_mat
    except ImportError:
        return None
    return fmpz_mat([[int(value) for value in row] for row in A])


def inner(A: Array, B: Array) -> Array:
    """The products of all rows of A with all rows of B.

    >>> A = np.array([[1, 2], [3, 4]], dtype=object)
    >>> inner(A, A)
    array([[5, 11],
           [11, 25]], dtype=object)
    """
    M = _flint(A, len(A) * B.size)
    if M is None:
        return np.asarray(A @ B.T)
    N = M if B is A else _flint(B, len(A) * B.size)
    return np.array([[int(value) for value in row] for row in (M * N.transpose()).tolist()], dtype=object)


def _bareiss(A: Array) -> tuple[Array, int, list[int]]:
    A, last, pivots = A.copy(), 1, list[int]()
    for column in range(A.shape[1]):
        row = len(pivots)
        nonzero = np.flatnonzero(A[row:, column])
        if not len(nonzero):
            continue
        A[[row, row + nonzero[0]]] = A[[row + nonzero[0], row]]
        pivot = A[row, column]
        others = np.arange(len(A)) != row
        A[others] = (pivot * A[others] - A[others, column][:, np.newaxis] * A[row]) // last
        last = pivot
        pivots.append(column)
        if len(pivots) == len(A):
            break
    return A[: len(pivots)], last, pivots


def solve(A: Array, b: Array) -> Array:
    """A positive multiple of the solution of A x = b in integers, for a regular A.

    >>> solve(np.array([[2, 1], [1, 3]], dtype=object), np.array([1, 1], dtype=object))
    array([2, 1], dtype=object)
    """
    rows, denominator, _ = row_echelon(np.column_stack([A, b]))
    return np.asarray(rows[:, -1] * (1 if denominator > 0 else -1))


def primitive(x: Array) -> Array:
    """Integers without their common divisor.

    >>> primitive(np.array([-6, 4, 4], dtype=object))
    array([-3, 2, 2], dtype=object)
    """
    return np.asarray(x // max(1, math.gcd(*(int(value) for value in x))))


def null_space(A: Array) -> Array:
    """Rows of integers that are a basis of all x with A x = 0.

    >>> null_space(np.array([[1, 2, 3]], dtype=object))
    array([[-2, 1, 0],
           [-3, 0, 1]], dtype=object)
    """
    rows, denominator, pivots = row_echelon(A)
    free = [column for column in range(A.shape[1]) if column not in set(pivots)]
    basis = np.zeros((len(free), A.shape[1]), dtype=object)
    for x, column in zip(basis, free, strict=True):
        x[column] = denominator
        x[pivots] = -rows[:, column]
    return np.array([primitive(x) for x in basis], dtype=object).reshape(len(free), A.shape[1])
