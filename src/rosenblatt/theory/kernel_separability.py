"""Is it separable by a kernel? Yes or no, with a proof: `certify_kernel`. All that is needed is the kernel matrix K.

w = sum of a_i phi(x_i) scores x_i with (K a)_i, and its length is sqrt(a' K a); any part of w outside the span of the
examples changes no score. So min Z w / |w| <= gamma for any a, and gamma <= |sum l z| for any l >= 0 with sum 1. The
linear and the polynomial kernel are computed in fractions. That of rbf is within ERROR, which is part of both ends; it
separates whatever has no two equal rows of different classes, as its matrix is then positive definite (Micchelli 1986).
"""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Self

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.given import as_float_table, as_fraction
from rosenblatt.kernel.values import resolve_gamma
from rosenblatt.rows import is_sparse
from rosenblatt.theory.data_hash import data_hash
from rosenblatt.theory.decision import counted
from rosenblatt.theory.engines import decide
from rosenblatt.theory.given import signed_rows
from rosenblatt.theory.hull import nearest_in_floats
from rosenblatt.theory.kernel_certificate import KernelCertificate
from rosenblatt.theory.rational import FAST_ROWS, gram, primitive, row_echelon, solve
from rosenblatt.theory.reading import common_denominator, integers
from rosenblatt.theory.rounding import float_up, sqrt_down, sqrt_up
from rosenblatt.theory.signed_rows import SignedRows

BITS = 60  # of rbf's values
ERROR = Fraction(1, 2**50)  # of rbf's values, at most: exp is right to some units of its last place, 2^-53
PARAMETERS = {"linear": ("coef0",), "poly": ("gamma", "coef0", "degree"), "rbf": ("gamma",)}
MOST_DEGREE = 999


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
        As for `certify`. Of more than two classes, whether one sum of features a class can give each example's own
        class the highest score.
    kernel, gamma, coef0, degree
        As for `KernelPerceptron`. There is no constant feature: coef0=1 is one. gamma > 0, or "scale" or "auto";
        coef0 >= 0; degree from 1 to 999.
    as_decimal
        Whether a float, also gamma and coef0, is the decimal that its user wrote: 0.1 as 1/10.
    budget
        Seconds after which to give up.

    Returns
    -------
    A `KernelCertificate`: the answer, its proof, margin, radius and mistake bound.

    Examples
    --------
    XOR by the lecture's quadratic kernel, of which a perceptron makes 21 mistakes, and by the linear one:

    >>> from rosenblatt.data.lectures import XOR
    >>> from rosenblatt import certify_kernel
    >>> proof = certify_kernel(*XOR, kernel="poly", degree=2, coef0=1)
    >>> proof.separable, proof.dual, proof.margin_exact, proof.bound_exact
    (True, (-13, 8, 8, -6), Fraction(3, 35), Fraction(105, 1))
    >>> certify_kernel(*XOR, kernel="linear", coef0=1).separable
    False
    """
    deadline = time.monotonic() + budget
    if kernel not in PARAMETERS:
        raise ValueError(f"kernel must be 'linear', 'poly' or 'rbf', whose feature space is known; got {kernel!r}")
    Z = signed_rows(X, y, fit_intercept=False, as_decimal=as_decimal)
    given = _parameters(Z, PARAMETERS[kernel], gamma, coef0, degree)
    K = KernelMatrix.of(Z, **given)
    separable, dual, counts, exact = K.decide(deadline)
    lo = Fraction(0) if dual is None else K.lower_end(dual)
    hi = K.upper_end(counts)
    return KernelCertificate(
        separable=separable,
        classes=Z.classes,
        n_rows=Z.X.shape[0],
        n_features=Z.X.shape[1],
        kernel=kernel,
        **given,
        as_decimal=as_decimal,
        dual=None if dual is None else tuple(int(a) for a in dual),
        counts=counts,
        margin=(0.0, 0.0) if separable is False else (sqrt_down(lo), sqrt_up(hi)),
        margin_exact=Fraction(0) if separable is False else hi if exact else None,
        radius_exact=K.squared_radius(),
        data=data_hash(Z.X, y),
    )


def _parameters(Z: SignedRows, names: tuple[str, ...], gamma: Any, coef0: Any, degree: Any) -> dict[str, Any]:
    """Those that the kernel has, as exact numbers in their ranges; None for the others."""
    if isinstance(gamma, str) and gamma in ("scale", "auto"):
        gamma = resolve_gamma(gamma, as_float_table(Z.X))
    found = {"gamma": gamma, "coef0": coef0, "degree": degree}
    found = {name: value if name in names else None for name, value in found.items()}
    for name in {"gamma", "coef0"}.intersection(names):
        try:
            number = as_fraction(found[name], as_decimal=Z.as_decimal)
        except (OverflowError, TypeError, ValueError, ZeroDivisionError):
            number = Fraction(-1)
        if number < 0 or (name == "gamma" and number == 0):
            raise ValueError(f"{name} must be a number {'> 0' if name == 'gamma' else '>= 0'}, got {found[name]!r}")
        found[name] = number
    if "degree" in names:
        if isinstance(degree, bool) or not isinstance(degree, int | np.integer) or not 1 <= degree <= MOST_DEGREE:
            raise ValueError(f"degree must be a whole number from 1 to {MOST_DEGREE}, got {degree!r}")
        found["degree"] = int(degree)
    return found


@dataclass(frozen=True)
class KernelMatrix:
    """K as integers over a denominator, each value with at most this error; points as integers; Z of the examples."""

    Z: SignedRows
    values: Array
    denominator: int
    error: Fraction
    points: Array

    @classmethod
    def of(cls, Z: SignedRows, gamma: Fraction | None, coef0: Fraction | None, degree: int | None) -> Self:
        """That of the kernel which has these parameters: rbf has no coef0, and the linear one no gamma."""
        dense = np.asarray(Z.X.toarray() if is_sparse(Z.X) else Z.X)
        unit = common_denominator(dense, as_decimal=Z.as_decimal)
        points = integers(dense, unit, as_decimal=Z.as_decimal)
        dots = gram(points)
        if coef0 is None:
            norms = np.diag(dots)
            scale = (gamma or Fraction(1)) / unit**2
            exponents = [[_exp(scale * int(d)) for d in row] for row in norms[:, np.newaxis] + norms - 2 * dots]
            return cls(Z, np.array(exponents, dtype=object), 2**BITS, ERROR, points)
        gamma, degree = gamma or Fraction(1), degree or 1
        shared = gamma.denominator * coef0.denominator * unit**2
        inner = dots * (gamma.numerator * coef0.denominator) + coef0.numerator * gamma.denominator * unit**2
        return cls(Z, inner**degree, shared**degree, Fraction(0), points)

    def decide(self, deadline: float) -> tuple[bool | None, Array | None, dict[int, int], bool]:
        """Whether it is separable, by which a, the counts, and whether they are those of the nearest point itself."""
        opposite = self.opposite()
        if opposite is not None:
            return False, None, opposite, True
        rows, multipliers, _ = nearest_in_floats(self._features(), deadline)
        counts = counted(rows, multipliers)
        if not self.error and len(counts) <= FAST_ROWS and (nearest := self._nearest(list(counts))) is not None:
            is_zero = self.upper_end(nearest) == 0
            return not is_zero, None if is_zero else self.dual(nearest), nearest, True
        dual = self.dual(counts)
        if self.lower_end(dual) > 0:
            return True, dual, counts, False
        if self.error:  # rbf, which separates any rows that are not equal (Micchelli, 1986): too thinly to show it
            return True, None, counts, False
        # Z with the rows of K for features: its products with a are those of w.
        of_K = SignedRows(self.values, self.Z.target, self.Z.classes, Fraction(0), None, as_decimal=False)
        found = decide(of_K, deadline=deadline)
        return found.separable, found.weights, counts if found.separable else found.counts, False

    def _features(self) -> Array:
        """Rows of Z in floats that have about its products: of a root of K, scaled to be no longer than 1."""
        size = 1 << int(max(np.diag(self.values))).bit_length()
        values, vectors = np.linalg.eigh((self.values / size).astype(np.float64))
        root = vectors * np.sqrt(np.maximum(values, 0))
        Z = SignedRows(root, self.Z.target, self.Z.classes, Fraction(0), None, as_decimal=False)
        return np.asarray(Z.floats)

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
        a = dual.reshape(-1, len(self.values))
        used = np.flatnonzero(a.any(axis=0))
        scores = a[:, used] @ self.values[used]
        rows = np.arange(len(self.Z))
        entries = (self.Z.sides(rows) * scores.T[rows // self.Z.n_rivals]).sum(axis=1)
        return int(min(entries)), int((a * scores).sum())

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

    def squared_radius(self) -> Fraction:
        """The largest k(x, x), twice if an example is in two blocks."""
        return Fraction(int(max(np.diag(self.values))), self.denominator) * (1 if self.Z.n_classes <= 2 else 2)

    def _nearest(self, rows: list[int]) -> dict[int, int] | None:
        """The weights of the nearest point of the hull in feature space, if it lies between these rows: exactly.

        G + 11' is the Gram matrix of the rows with a constant feature; see `exact_nearest`.
        """
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


def _exp(exponent: Fraction) -> int:
    return round(math.exp(-float_up(exponent)) * 2.0**BITS)
