"""What can be seen at once: a row of Z that is 0, or two that are opposite, such as one point with both labels.

Rows are compared by a hash of their bits; pairs that are found are then checked exactly.
"""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, is_sparse

CANDIDATES = 100


def contradiction(Z: Any) -> dict[int, int] | None:
    """Counts of one or two rows of Z that sum to 0, if there are such.

    >>> from rosenblatt.services.proofs.given import signed_rows
    >>> contradiction(signed_rows([[1, 2], [3, 4], [1, 2]], [0, 1, 1]))
    {0: 1, 2: 1}
    """
    key, sign = _keys(Z.floats)
    zero = np.flatnonzero(sign == 0)[:CANDIDATES]
    for row in zero.tolist():
        if not Z.integers(np.array([row])).any():
            return {row: 1}
    order = np.lexsort((sign, key))
    key, sign = key[order], sign[order]
    # sorted by key, then by sign: where the sign changes within a key, two opposite rows are neighbours
    change = np.flatnonzero((key[1:] == key[:-1]) & (sign[1:] > 0) & (sign[:-1] < 0))
    pairs = np.sort(np.column_stack([order[change], order[change + 1]]))
    for pair in pairs[np.argsort(pairs[:, 0])[:CANDIDATES]]:
        if not Z.integers(pair).sum(axis=0).any():
            return {int(row): 1 for row in pair}
    return None


def _keys(Z: Matrix) -> tuple[Array, Array]:
    """For each row a hash of its bits up to its sign, and the sign of its first value that is not 0."""
    factor = _mixed(Z.shape[1])
    if not is_sparse(Z):
        first = np.take_along_axis(Z, (Z != 0).argmax(axis=1)[:, np.newaxis], axis=1)[:, 0]
        sign = np.sign(first)
        bits = (Z * sign[:, np.newaxis] + 0.0).view(np.uint64)  # + 0.0: no negative zeros
        return (bits * factor).sum(axis=1), sign
    keep = Z.data != 0
    rows, columns, values = Z.row_numbers()[keep], Z.indices[keep], Z.data[keep]
    filled, starts = np.unique(rows, return_index=True)
    sign, key = np.zeros(Z.shape[0]), np.zeros(Z.shape[0], dtype=np.uint64)
    sign[filled] = np.sign(values[starts])
    bits = (values * sign[rows]).view(np.uint64)
    key[filled] = np.add.reduceat(bits * factor[columns], starts) if len(filled) else 0
    return key, sign


def _mixed(n: int) -> Array:
    """Odd numbers of 64 bits that look random: those of SplitMix64 (Steele, Lea, Flood 2014)."""
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) | np.uint64(1)
