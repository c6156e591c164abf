"""Can any weights separate the rows? The quick answer for a run that does not become clean: perhaps, or surely not.

Weights that make no mistake separate any two classes from each other (one against the rest: each class from all
others), so that two classes are enough to say no. The nearest point of their hull to the origin says it, an engine of
`certify`: where it is zero as far as doubles can tell, no plane is between them. Rows that are too wide for it are
mostly separable, unless the same row has two classes: that is looked for first.
"""

import hashlib
from collections.abc import Iterator

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, core_rows, is_sparse

TRIED = 3  # pairs of classes, those with the most mistakes
WIDEST, MOST_VALUES = 400, 10**7  # what is decided in milliseconds
PASSES, NEAR = 20, 0.9  # that a hull is positive is enough to know: its nearest point itself is not needed


def surely_inseparable(X: Matrix, target: Array, answered: Array, bias: float, *, one_vs_rest: bool) -> bool:
    """Whether it is certain that no weights give each row its class; `answered` has the classes that some give.

    >>> X, target = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    >>> [surely_inseparable(X, y, 1 - y, 1.0, one_vs_rest=False) for y in (target, np.array([0, 0, 0, 1]))]
    [True, False]
    """
    return _same_row_of_two_classes(X, target) or any(
        _meet(X, rows, sign, bias) for rows, sign in _contests(target, answered, one_vs_rest)
    )


def _same_row_of_two_classes(X: Matrix, target: Array) -> bool:
    """Whether two rows of different classes have the same numbers."""
    if is_sparse(X):
        ends = zip(X.indptr, X.indptr[1:], strict=False)
        rows = (X.indices[begin:end].tobytes() + X.data[begin:end].tobytes() for begin, end in ends)
    else:
        rows = (row.tobytes() for row in X)
    class_of = dict[bytes, int]()
    digests = (hashlib.blake2b(row, digest_size=16).digest() for row in rows)
    return any(class_of.setdefault(row, c) != c for row, c in zip(digests, target.tolist(), strict=True))


def _contests(target: Array, answered: Array, one_vs_rest: bool) -> Iterator[tuple[Array, Array]]:
    """The rows of two classes and the sign of each, for the classes that are most often taken for each other."""
    wrong = np.flatnonzero(target != answered)
    right, other = target[wrong].astype(np.int64), answered[wrong].astype(np.int64)
    if one_vs_rest and target.max() > 1:
        for c in _most_often(np.concatenate([right, other])):
            yield np.arange(len(target)), np.where(target == c, 1.0, -1.0)
        return
    n_classes = int(target.max()) + 1
    for pair in _most_often(np.minimum(right, other) * n_classes + np.maximum(right, other)):
        one, two = divmod(pair, n_classes)
        rows = np.flatnonzero((target == one) | (target == two))
        yield rows, np.where(target[rows] == one, 1.0, -1.0)


def _most_often(numbers: Array) -> list[int]:
    distinct, counts = np.unique(numbers, return_counts=True)
    most: list[int] = distinct[np.argsort(-counts, kind="stable")[:TRIED]].tolist()
    return most


def _meet(X: Matrix, rows: Array, sign: Array, bias: float) -> bool:
    """Whether the hull of the signed rows has the origin in it."""
    width = X.shape[1] + 1
    if width > WIDEST or len(rows) * width > MOST_VALUES:
        return False
    part = X[rows].toarray() if is_sparse(X) else X[rows]
    signed = np.column_stack([part, np.full(len(rows), bias)]).astype(np.float64) * sign[:, np.newaxis]
    return bool(_core.NearestPoint(core_rows(signed)).run(PASSES, NEAR) == "meets")
