"""The examples as a kernel sees them: points of integers, and all of its values between them, some rows at a time.

The linear and the polynomial kernel are computed in fractions. That of rbf is within ERROR.
"""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import is_sparse
from rosenblatt.services.proofs.rational import inner
from rosenblatt.services.proofs.reading import common_denominator, integers
from rosenblatt.services.proofs.signed_rows import SignedRows

BITS = 60  # of rbf's values
ERROR = Fraction(1, 2**50)  # of rbf's values, at most: exp is right to some units of its last place, 2^-53
FAR = 100  # exp(-100) is 0 here, as is all beyond
BLOCK = 1 << 20  # products of numbers that are not long, which take a part of a second


@dataclass(frozen=True)
class KernelPoints:
    """The examples of Z times `unit`, and the kernel: rbf has no coef0, and the linear one no gamma and no degree."""

    Z: SignedRows
    points: Array
    unit: int
    gamma: Fraction
    coef0: Fraction | None
    degree: int

    @classmethod
    def of(cls, Z: SignedRows, gamma: Fraction | None, coef0: Fraction | None, degree: int | None) -> Self:
        """Those of Z."""
        dense = np.asarray(Z.X.toarray() if is_sparse(Z.X) else Z.X)
        unit = common_denominator(dense, as_decimal=Z.as_decimal)
        points = integers(dense, unit, as_decimal=Z.as_decimal)
        return cls(Z, points, unit, gamma or Fraction(1), coef0, degree or 1)

    @property
    def error(self) -> Fraction:
        """How far a value may be off."""
        return ERROR if self.coef0 is None else Fraction(0)

    @property
    def denominator(self) -> int:
        """Of all values."""
        if self.coef0 is None:
            return int(2**BITS)
        return int((self.gamma.denominator * self.coef0.denominator * self.unit**2) ** self.degree)

    def matrix(self, deadline: float) -> Array | None:
        """All values times the denominator; None if time runs out before they are there."""
        n_rows, width = self.points.shape
        norms = (self.points**2).sum(axis=1)
        at_once = max(1, BLOCK // (width + self.degree * int(max(norms)).bit_length() // 32))
        step, wide, rows = max(1, at_once // n_rows), min(at_once, n_rows), []
        for first in range(0, n_rows, step):
            some, pieces = slice(first, first + step), []
            for left in range(0, n_rows, wide):
                if time.monotonic() > deadline:
                    return None
                others = slice(left, left + wide)
                dots = inner(self.points[some], self.points[others])
                pieces.append(self._values(dots, norms[some, np.newaxis] + norms[others] - 2 * dots))
            rows.append(np.hstack(pieces))
        return np.concatenate(rows)

    def squared_radius(self) -> Fraction:
        """The largest k(x, x), twice if an example is in two blocks."""
        norms = (self.points**2).sum(axis=1).max(keepdims=True)
        largest = self._values(norms, norms * 0)[0]
        return Fraction(int(largest), self.denominator) * (1 if self.Z.n_classes <= 2 else 2)

    def _values(self, dots: Array, distances: Array) -> Array:
        if self.coef0 is None:
            scale = self.gamma / self.unit**2
            n, far = scale.numerator, FAR * scale.denominator
            exponents = [min(int(d) * n, far) / scale.denominator for d in distances.ravel()]
            values = [round(math.exp(-exponent) * 2.0**BITS) for exponent in exponents]
            return np.array(values, dtype=object).reshape(dots.shape)
        constant = self.coef0.numerator * self.gamma.denominator * self.unit**2
        return np.asarray((dots * (self.gamma.numerator * self.coef0.denominator) + constant) ** self.degree)

    def opposite(self) -> dict[int, int] | None:
        """The rows of Z of two equal rows of X that have different classes."""
        seen: dict[Any, int] = {}
        target, rivals = self.Z.target, self.Z.n_rivals
        for i, point in enumerate(map(tuple, self.points)):
            j = seen.setdefault(point, i)
            a, b = int(target[j]), int(target[i])
            if a != b:  # each against the other's class: of two classes there is no other row
                return {j * rivals + (b - (b > a)) * (rivals > 1): 1, i * rivals + (a - (a > b)) * (rivals > 1): 1}
        return None
