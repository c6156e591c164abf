"""Whether some rows of Z span all of them: then, if their multiples sum to 0, the data overlaps."""

import numpy as np

from rosenblatt.base.data_hash import Array
from rosenblatt.services.proofs.verify.rows import Rows

PRIME = 2**31 - 1


def _independent(A: Array) -> list[int]:
    """Rows that are linearly independent modulo a prime, so over the integers; nearly always as many as can be."""
    A, kept = (A % PRIME).astype(np.int64), list[int]()
    for i in range(len(A)):
        found = np.flatnonzero(A[i])
        if len(found):
            kept.append(i)
            factors = A[i + 1 :, found[0]] * pow(int(A[i, found[0]]), -1, PRIME) % PRIME
            A[i + 1 :] = (A[i + 1 :] - factors[:, np.newaxis] * A[i]) % PRIME
    return kept


def _null_space(A: Array) -> Array:
    """All independent integer vectors orthogonal to A's rows, by elimination without fractions (Bareiss 1968)."""
    A, last, rows, pivots = A.copy(), 1, list[int](), list[int]()
    for i in range(len(A)):
        found = np.flatnonzero(A[i])
        if len(found):
            rows, pivots = [*rows, i], [*pivots, int(found[0])]
            pivot, others = A[i, found[0]], np.arange(len(A)) != i
            A[others] = (pivot * A[others] - A[others, found[0]][:, np.newaxis] * A[i]) // last
            last = pivot
    free = np.setdiff1d(np.arange(A.shape[1]), pivots)
    basis = np.zeros((len(free), A.shape[1]), dtype=object)
    basis[np.arange(len(free)), free] = last
    basis[:, pivots] = -A[rows][:, free].T
    return basis


def check_span(Z: Rows, rows: Array) -> None:
    """Refuse unless these rows of Z span all of them."""
    columns, n_blocks = Z.columns_in_use(), max(1, Z.n_blocks - 1)  # blocks sum to 0: the last says nothing new
    one = np.ones(1, dtype=object)
    dense = [Z.combination(rows[[i]], one)[0][:n_blocks, columns].ravel() for i in range(len(rows))]
    support = np.array(dense, dtype=object)
    independent = support[_independent(support)]
    if len(independent) == support.shape[1]:
        return
    for some in (independent, support):  # what is 0 modulo the prime need not be 0
        outside = []
        for vector in _null_space(some):
            weights = np.zeros((Z.n_blocks, Z.X.shape[1] + Z.first), dtype=object)
            weights[:n_blocks, columns] = vector.reshape(n_blocks, -1)
            outside += [row for value, row in Z.ends(weights) if value != 0]
        if not outside:
            return
    raise ValueError(f"kind: the rows with counts do not span {Z.name(outside[0])}, so overlap is not proven")
