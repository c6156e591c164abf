"""All values of a kernel between examples, exactly, and what they decide.

Floats guess: a root of K has rows with these products, and the nearest point of their hull is sought. What they find
is proven on K as it is.
"""

import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.proofs.decision import counted
from rosenblatt.services.proofs.engines import decide
from rosenblatt.services.proofs.hull import nearest_in_floats
from rosenblatt.services.proofs.kernel_points import KernelPoints
from rosenblatt.services.proofs.rational import FAST_ROWS, primitive, row_echelon, solve
from rosenblatt.services.proofs.signed_rows import SignedRows

SHORT = 512  # bits of a value, up to which as many rows as FAST_ROWS are solved for


@dataclass(frozen=True)
class KernelMatrix:
    """K as integers over a denominator, each value with at most this error; Z of the examples."""

    Z: SignedRows
    values: Array
    denominator: int
    error: Fraction
    _known: dict[tuple[int, ...], tuple[int, int]] = field(default_factory=dict)  # what was asked, which takes long

    @classmethod
    def of(cls, points: KernelPoints, deadline: float) -> Self | None:
        """That of these points; None if time runs out before all values are there."""
        values = points.matrix(deadline)
        return None if values is None else cls(points.Z, values, points.denominator, points.error)

    def decide(self, deadline: float) -> tuple[bool | None, Array | None, dict[int, int], bool]:
        """Whether it is separable, by which a, the counts, and whether they are those of the nearest point itself."""
        rows, multipliers, _ = nearest_in_floats(self._features(), deadline)
        counts = counted(rows, multipliers)
        if (nearest := self._nearest(list(counts))) is not None:
            is_zero = self.upper_end(nearest) == 0
            return not is_zero, None if is_zero else self.dual(nearest), nearest, True
        dual = self.dual(counts)
        if self.lower_end(dual) > 0:
            return True, dual, counts, False
        if self.error:  # rbf, which separates any rows that are not equal (Micchelli 1986): too thinly to show it
            return True, None, counts, False
        if time.monotonic() > deadline:
            return None, None, counts, False
        # Z with the rows of K for features: its products with a are those of w.
        of_K = SignedRows(self.values, self.Z.target, self.Z.classes, Fraction(0), None, as_decimal=False)
        found = decide(of_K, deadline=deadline)
        return found.separable, found.weights, counts if found.separable else found.counts, False

    def _features(self) -> Array:
        """Rows of Z in floats that have about its products: of a root of K, scaled to be no longer than 1."""
        from scipy.linalg.lapack import dpstrf  # by pivots: K need not be regular

        size = 1 << int(max(np.diag(self.values))).bit_length()
        K = np.array([(row / size).astype(np.float64) for row in self.values])
        lower, order, rank, _ = dpstrf(K, lower=1)
        root = np.empty((len(K), max(1, rank)))
        root[order - 1] = np.tril(lower)[:, : max(1, rank)]
        Z = SignedRows(root, self.Z.target, self.Z.classes, Fraction(0), None, as_decimal=False)
        return np.asarray(Z.floats)

    def dual(self, counts: dict[int, int]) -> Array:
        """The coefficients a, block by block, of the sum of count times row of Z."""
        rows, numbers = np.array(list(counts), dtype=np.int64), np.array(list(counts.values()), dtype=object)
        sides = self.Z.sides(rows)
        a = np.zeros((sides.shape[1], len(self.values)), dtype=object)
        for block, side in zip(a, sides.T, strict=True):
            np.add.at(block, rows // self.Z.n_rivals, side * numbers)
        return a.ravel()

    def _products(self, dual: Array) -> tuple[int, int]:
        """The least entry of Z w, and |w|^2, both times the denominator."""
        if (known := self._known.get(key := tuple(dual))) is not None:
            return known
        a = dual.reshape(-1, len(self.values))
        used = np.flatnonzero(a.any(axis=0))
        scores = np.zeros(a.shape, dtype=object)
        for row in used.tolist():
            scores += a[:, row, np.newaxis] * self.values[row]
        rows = np.arange(len(self.Z))
        entries = (self.Z.sides(rows) * scores.T[rows // self.Z.n_rivals]).sum(axis=1)
        self._known[key] = int(min(entries)), int((a * scores).sum())
        return self._known[key]

    def _off(self, dual: Array) -> Fraction:
        """How far |w|^2 may be off by the error of K."""
        return self.error * int((abs(dual.reshape(-1, len(self.values))).sum(axis=1) ** 2).sum())

    def lower_end(self, dual: Array) -> Fraction:
        """The square of min Z w / |w|, rounded down by the error; 0 if that is not positive."""
        least, square = (Fraction(value, self.denominator) for value in self._products(dual))
        least -= self.error * int(abs(dual).sum())
        return least**2 / (square + self._off(dual)) if least > 0 else Fraction(0)

    def upper_end(self, counts: dict[int, int]) -> Fraction:
        """The square of |sum l z|, rounded up by the error."""
        dual = self.dual(counts)
        square = Fraction(self._products(dual)[1], self.denominator)
        return (square + self._off(dual)) / sum(counts.values()) ** 2

    def _nearest(self, rows: list[int]) -> dict[int, int] | None:
        """The weights of the nearest point of the hull in feature space, if it lies between these rows: exactly.

        G + 11' is the Gram matrix of the rows with a constant feature; see `exact_nearest`. Of long values fewer rows
        are solved for, as that takes time by the length, and by the number's fourth power.
        """
        length = int(max(np.diag(self.values))).bit_length()
        if self.error or len(rows) > FAST_ROWS * min(1, SHORT / max(1, length)) ** 0.25:
            return None
        numbers = np.array(rows, dtype=np.int64)
        examples, sides = numbers // self.Z.n_rivals, self.Z.sides(numbers).astype(object)
        G = self.values[np.ix_(examples, examples)] * (sides @ sides.T)
        _, _, independent = row_echelon(G + 1)
        weights = primitive(solve(G[np.ix_(independent, independent)] + 1, np.ones(len(independent), dtype=object)))
        if not (weights > 0).all():
            return None
        found = {rows[place]: int(weight) for place, weight in zip(independent, weights, strict=True)}
        least, square = self._products(self.dual(found))
        return found if least * int(weights.sum()) >= square else None
