"""Is it separable by a kernel? Yes or no, with a proof: `certify_kernel`. All that is needed is the kernel matrix K.

w = sum of a_i phi(x_i) scores x_i with (K a)_i, and its length is sqrt(a' K a); any part of w outside the span of the
examples changes no score. So min y K a / |w| <= gamma for any a, and gamma <= |sum l y phi(x)| for any l >= 0 with sum
1. The linear and the polynomial kernel are computed in fractions. That of rbf is within ERROR, which is part of both
ends; it separates whatever has no two equal rows of different classes, as its matrix is then positive definite
(Micchelli 1986).
"""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Self

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.given import as_fraction
from rosenblatt.rows import is_sparse
from rosenblatt.theory.decision import counted
from rosenblatt.theory.engines import decide
from rosenblatt.theory.given import signed_rows
from rosenblatt.theory.hull import nearest_in_floats
from rosenblatt.theory.rational import FAST_ROWS, gram, primitive, row_echelon, solve
from rosenblatt.theory.reading import common_denominator, integers
from rosenblatt.theory.rounding import float_up, sqrt_down, sqrt_up

BITS = 60  # of rbf's values
ERROR = Fraction(1, 2**50)  # of rbf's values, at most: exp is right to some units of its last place, 2^-53


@dataclass(frozen=True)
class KernelCertificate:
    """What `certify_kernel` has proven, and the proof.

    Attributes
    ----------
    separable : True, False, or None where the budget was not enough to tell
    dual : integers a, one a row, for which y K a > 0; None where there are none, or (rbf only) none was found
    counts : row -> a positive integer. Where the data is not separable, sum count y phi(x) = 0; else they prove the
        upper end of `margin`.
    margin : lo and hi, with lo <= gamma <= hi proven; gamma is the margin in the kernel's feature space
    margin_exact : gamma squared, if it was found
    radius_exact : R squared, the largest k(x, x)
    kernel, gamma, coef0, degree, as_decimal : what was certified
    """

    separable: bool | None
    dual: tuple[int, ...] | None
    counts: dict[int, int]
    margin: tuple[float, float]
    margin_exact: Fraction | None
    radius_exact: Fraction
    kernel: str
    gamma: Fraction
    coef0: Fraction
    degree: int
    as_decimal: bool

    @property
    def bound_exact(self) -> Fraction | None:
        """(R / gamma)^2, if gamma squared was found."""
        return self.radius_exact / self.margin_exact if self.margin_exact else None

    @property
    def bound(self) -> float:
        """(R / gamma)^2, the most mistakes that a kernel perceptron can make; from `lo`, rounded up. inf: none."""
        square = self.margin_exact or Fraction(self.margin[0]) ** 2
        return float_up(self.radius_exact / square) if square else math.inf

    def verify(self, X: Any, y: Any) -> bool:
        """Whether the proof holds for this data: everything is computed again."""
        K = _Matrix.of(X, y, self.kernel, self.gamma, self.coef0, self.degree, as_decimal=self.as_decimal)
        rows = set(range(len(K.sign)))
        if not set(self.counts) <= rows or min(self.counts.values(), default=0) <= 0:
            return False
        hi = K.upper_end(self.counts)
        if self.separable is False:
            return hi == 0 or K.opposite() is not None
        fits = self.dual is not None and len(self.dual) == len(rows)
        lo = K.lower_end(np.array(self.dual, dtype=object)) if fits else Fraction(0)
        proven = lo > 0 or (self.separable is None or (self.kernel == "rbf" and K.opposite() is None))
        exact = self.margin_exact is None or lo == hi == self.margin_exact
        ends = sqrt_down(lo) >= self.margin[0] and sqrt_up(hi) <= self.margin[1]
        return proven and exact and ends and K.squared_radius() == self.radius_exact


def certify_kernel(
    X: Any,
    y: Any,
    *,
    kernel: Literal["linear", "poly", "rbf"],
    gamma: Any = 1,
    coef0: Any = 0,
    degree: int = 3,
    as_decimal: bool = False,
    budget: float = 10.0,
) -> KernelCertificate:
    """Decide whether a kernel can be right on all of the data, and prove it.

    Parameters
    ----------
    X, y
        As for `certify`; y of two classes.
    kernel, gamma, coef0, degree
        As for `KernelPerceptron`, numbers only. There is no constant feature: coef0=1 is one. coef0 >= 0 and gamma > 0.
    as_decimal
        Whether a float, also gamma and coef0, is the decimal that its user wrote: 0.1 as 1/10.
    budget
        Seconds after which to give up.

    Examples
    --------
    XOR by the lecture's quadratic kernel, of which a perceptron makes 21 mistakes, and by the linear one:

    >>> from rosenblatt.data.lectures import XOR
    >>> from rosenblatt.theory.kernel_separability import certify_kernel
    >>> proof = certify_kernel(*XOR, kernel="poly", degree=2, coef0=1)
    >>> proof.separable, proof.dual, proof.margin_exact, proof.bound_exact
    (True, (-13, 8, 8, -6), Fraction(3, 35), Fraction(105, 1))
    >>> certify_kernel(*XOR, kernel="linear", coef0=1).separable
    False
    """
    deadline = time.monotonic() + budget
    gamma, coef0 = (as_fraction(value, as_decimal=as_decimal) for value in (gamma, coef0))
    if kernel not in ("linear", "poly", "rbf"):
        raise ValueError(f"kernel must be 'linear', 'poly' or 'rbf', whose feature space is known; got {kernel!r}")
    if gamma <= 0 or coef0 < 0 or degree < 0:
        raise ValueError(f"expected gamma > 0, coef0 >= 0 and degree >= 0, got {gamma}, {coef0} and {degree}")
    K = _Matrix.of(X, y, kernel, gamma, coef0, degree, as_decimal=as_decimal)
    separable, dual, counts, exact = K.decide(deadline)
    lo = Fraction(0) if dual is None else K.lower_end(dual)
    hi = K.upper_end(counts)
    return KernelCertificate(
        separable=separable,
        dual=None if dual is None else tuple(int(a) for a in dual),
        counts=counts,
        margin=(0.0, 0.0) if separable is False else (sqrt_down(lo), sqrt_up(hi)),
        margin_exact=Fraction(0) if separable is False else hi if exact else None,
        radius_exact=K.squared_radius(),
        kernel=kernel,
        gamma=gamma,
        coef0=coef0,
        degree=degree,
        as_decimal=as_decimal,
    )


@dataclass(frozen=True)
class _Matrix:
    """K as integers over a denominator, each value with at most this error, and the labels as signs."""

    values: Array
    denominator: int
    error: Fraction
    sign: Array
    points: Array

    @classmethod
    def of(
        cls, X: Any, y: Any, kernel: str, gamma: Fraction, coef0: Fraction, degree: int, *, as_decimal: bool
    ) -> Self:
        Z = signed_rows(X, y, fit_intercept=False, as_decimal=as_decimal)
        if Z.n_classes != 2:
            raise ValueError(f"y must be of two classes, got {Z.n_classes}: {Z.classes}")
        dense = np.asarray(Z.X.toarray() if is_sparse(Z.X) else Z.X)
        unit = common_denominator(dense, as_decimal=as_decimal)
        points = integers(dense, unit, as_decimal=as_decimal)
        dots, sign = gram(points), np.where(Z.target == 0, -1, 1).astype(object)
        if kernel == "rbf":
            norms = np.diag(dots)
            scale = gamma / unit**2
            values = [[_exp(scale * int(d)) for d in row] for row in norms[:, np.newaxis] + norms - 2 * dots]
            return cls(np.array(values, dtype=object), 2**BITS, ERROR, sign, points)
        gamma, degree = (gamma, degree) if kernel == "poly" else (Fraction(1), 1)
        shared = gamma.denominator * coef0.denominator * unit**2
        inner = dots * (gamma.numerator * coef0.denominator) + coef0.numerator * gamma.denominator * unit**2
        return cls(inner**degree, shared**degree, Fraction(0), sign, points)

    def decide(self, deadline: float) -> tuple[bool | None, Array | None, dict[int, int], bool]:
        """Whether it is separable, by which a, the counts, and whether they are those of the nearest point itself."""
        opposite = self.opposite()
        if opposite is not None:
            return False, None, opposite, True
        signed = self.values * self.sign * self.sign[:, np.newaxis]
        size, vectors = np.linalg.eigh((signed / self.denominator).astype(np.float64))
        rows, multipliers, _ = nearest_in_floats(vectors * np.sqrt(np.maximum(size, 0)), deadline)
        counts = counted(rows, multipliers)
        if not self.error and len(counts) <= FAST_ROWS and (nearest := _nearest(signed, list(counts))) is not None:
            is_zero = self.upper_end(nearest) == 0
            return not is_zero, None if is_zero else self._dual(nearest), nearest, True
        dual = self._dual(counts)
        if self.lower_end(dual) > 0:
            return True, dual, counts, False
        if self.error:
            return True, None, counts, False  # by the theorem
        found = decide(signed_rows(self.values, self.sign.astype(int), fit_intercept=False), deadline=deadline)
        return found.separable, found.weights, counts if found.separable else found.counts, False

    def opposite(self) -> dict[int, int] | None:
        """Two equal rows of different classes."""
        seen: dict[Any, int] = {}
        for i, point in enumerate(map(tuple, self.points)):
            first = seen.setdefault(point, i)
            if self.sign[first] != self.sign[i]:
                return {first: 1, i: 1}
        return None

    def _dual(self, counts: dict[int, int]) -> Array:
        dual = np.zeros(len(self.sign), dtype=object)
        dual[list(counts)] = list(counts.values())
        return dual * self.sign

    def lower_end(self, dual: Array) -> Fraction:
        """The square of min y K a / |w|, rounded down by the error; 0 if that is not positive."""
        scores, total = self.values @ dual, int(abs(dual).sum())
        least = Fraction(int((self.sign * scores).min()), self.denominator) - self.error * total
        square = Fraction(int(dual @ scores), self.denominator) + self.error * total**2
        return least**2 / square if least > 0 else Fraction(0)

    def upper_end(self, counts: dict[int, int]) -> Fraction:
        """The square of |sum l y phi(x)|, rounded up by the error."""
        dual, total = self._dual(counts), sum(counts.values())
        return Fraction(int(dual @ self.values @ dual), self.denominator * total**2) + self.error

    def squared_radius(self) -> Fraction:
        """The largest k(x, x)."""
        return Fraction(int(np.diag(self.values).max()), self.denominator)


def _exp(exponent: Fraction) -> int:
    return round(math.exp(-float_up(exponent)) * 2.0**BITS)


def _nearest(signed: Array, rows: list[int]) -> dict[int, int] | None:
    """The weights of the nearest point of the hull in feature space, if it lies between these rows: exactly.

    G + 11' is the Gram matrix of the rows with a constant feature; see `exact_nearest`.
    """
    _, _, independent = row_echelon(signed[np.ix_(rows, rows)] + 1)
    rows = [rows[place] for place in independent]
    weights = primitive(solve(signed[np.ix_(rows, rows)] + 1, np.ones(len(rows), dtype=object)))
    if not (weights > 0).all():
        return None
    products = signed[:, rows] @ weights
    is_nearest = products.min() * weights.sum() >= weights @ products[rows]
    return dict(zip(rows, (int(w) for w in weights), strict=True)) if is_nearest else None
