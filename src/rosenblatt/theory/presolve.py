"""What can be seen at once: a row of Z that is 0, or two that are opposite, such as one point with both labels.

Rows are compared by a hash of their bits; whoever is found is then looked at exactly.
"""

from typing import Any

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.rows import Matrix, is_sparse

CANDIDATES = 100


def contradiction(Z: Any) -> dict[int, int] | None:
    """Counts of one or two rows of Z that sum to 0, if there are such.

    >>> from rosenblatt.theory.given import signed_rows
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
    for place in change[:CANDIDATES].tolist():
        pair = order[[place, place + 1]]
        if not Z.integers(pair).sum(axis=0).any():
            return {int(row): 1 for row in sorted(pair)}
    return None


def _keys(Z: Matrix) -> tuple[Array, Array]:
    """For each row a hash of its bits up to its sign, and the sign of its first value that is not 0."""
    factor = np.random.default_rng(0).integers(1 << 63, size=Z.shape[1], dtype=np.uint64) * 2 + 1
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
