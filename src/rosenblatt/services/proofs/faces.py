"""How inseparable? Quasi-complete, where some plane still has each class on its own side, or overlap.

Rows whose positive multiples sum to 0 lie on every plane w with Z w >= 0, since a sum of what is not negative is 0 only
if each is. So w is orthogonal to all that these rows span: go to that orthogonal space, drop what vanished, and ask
again. Either the rest is separable there (quasi-complete), or more rows join; when all rows are spanned, it is overlap.
"""

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import is_sparse
from rosenblatt.services.proofs.decision import whole
from rosenblatt.services.proofs.engines import decide
from rosenblatt.services.proofs.rational import null_space, primitive, row_echelon
from rosenblatt.services.proofs.signed_rows import SignedRows, as_floats
from rosenblatt.services.proofs.sparse_engines import peel

LARGEST = 10**8  # products of integers, beyond which the kind is left open


@dataclass(frozen=True)
class IntegerRows:
    """Rows of integers of any size, for the engines."""

    values: Array

    def __len__(self) -> int:
        return len(self.values)

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.values.shape[1])

    @cached_property
    def floats(self) -> Array:
        """The rows, each scaled to about 1: whether they are separable does not depend on their lengths."""
        return np.array([as_floats(row) for row in self.values])

    def integers(self, rows: Array) -> Array:
        """Some rows."""
        return np.asarray(self.values[rows])

    def combination(self, counts: dict[int, int]) -> Array:
        """The sum of count times row."""
        return np.asarray(np.array(list(counts.values()), dtype=object) @ self.values[list(counts)])

    def least(self, w: Array) -> tuple[int, int]:
        """The least product with w, and its row."""
        products = self.values @ w
        row = int(np.argmin(products))
        return int(products[row]), row


Face = tuple[Literal["quasi-complete", "overlap"] | None, Array | None, dict[int, int]]


def kind_of(Z: SignedRows, counts: dict[int, int], deadline: float) -> Face:
    """The kind of inseparable rows, from counts that prove it; weights w with Z w >= 0, not all 0; and the counts.

    The counts that come back prove an overlap too: the rows that they count span all rows. The kind is None if time
    runs out.
    """
    if is_sparse(Z.floats):
        core, extend = peel(Z.floats)
        weights = extend(np.zeros(Z.width)) if len(core) < len(Z) else np.zeros(Z.width)
        if weights.any() and np.isfinite(weights).all() and Z.least(whole(weights))[0] == 0:
            return "quasi-complete", whole(weights), counts
    while time.monotonic() < deadline and len(Z) * Z.width * (Z.width - len(counts)) <= LARGEST:
        spanned = Z.integers(np.array(list(counts), dtype=np.int64))
        free = null_space(spanned)
        if not len(free):
            return "overlap", None, counts
        every = np.arange(len(Z))
        images = np.column_stack([Z.products(w, every) for w in free])
        rest = np.flatnonzero([row.any() for row in images])
        if not len(rest):
            return "overlap", None, counts
        found = decide(IntegerRows(images[rest]), gap=1.0, deadline=deadline)
        if found.separable:
            return "quasi-complete", primitive(found.weights @ free), counts
        if found.separable is None or found.counts is None:
            break
        counts = _joined(Z, counts, {int(rest[row]): count for row, count in found.counts.items()})
    return None, None, counts


def _joined(Z: SignedRows, counts: dict[int, int], more: dict[int, int]) -> dict[int, int]:
    """Counts of all the rows of both, where `more` sums to something that the rows of `counts` span.

    That something is sum m z over those rows, m of any sign; enough times `counts` minus m is positive everywhere.
    """
    rows = np.array(list(counts), dtype=np.int64)
    reduced, denominator, pivots = row_echelon(np.column_stack([Z.integers(rows).T, Z.combination(more)]))
    sign = 1 if denominator > 0 else -1
    m = dict.fromkeys(counts, 0) | {
        int(rows[place]): sign * int(value) for place, value in zip(pivots, reduced[:, -1], strict=True)
    }
    enough = max(0, *(-(-(m[row] + 1) // count) for row, count in counts.items()))
    joined = {row: enough * count - m[row] for row, count in counts.items()}
    joined |= {row: abs(denominator) * count for row, count in more.items()}
    return dict(zip(joined, primitive(np.array(list(joined.values()), dtype=object)).tolist(), strict=True))
