"""Is it separable by a kernel? Yes or no, with a proof: `certify_kernel`. All that is needed is the kernel matrix K.

w = sum of a_i phi(x_i) scores x_i with (K a)_i, and its length is sqrt(a' K a); any part of w outside the span of the
examples changes no score. So min Z w / |w| <= gamma for any a, and gamma <= |sum l z| for any l >= 0 with sum 1. The
linear and the polynomial kernel are computed in fractions. That of rbf is within ERROR, which is part of both ends; it
separates whatever has no two equal rows of different classes, as its matrix is then positive definite (Micchelli 1986).

Floats guess: a root of K has rows with these products, and the nearest point of their hull is sought. What they find is
proven on K as it is.
"""

import math
import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.data_hash import data_hash
from rosenblatt.base.inputs import as_float_table, as_fraction
from rosenblatt.base.rows import is_sparse
from rosenblatt.members.kernel.values import resolve_gamma
from rosenblatt.services.proofs.certificate import KernelCertificate
from rosenblatt.services.proofs.decision import as_counts
from rosenblatt.services.proofs.exact_numbers import common_denominator, integers, sqrt_down, sqrt_up
from rosenblatt.services.proofs.nearest_point import nearest_in_floats
from rosenblatt.services.proofs.rational import FAST_ROWS, inner, primitive, row_echelon, solve
from rosenblatt.services.proofs.signed_rows import SignedRows, signed_rows
from rosenblatt.services.proofs.solvers import decide
from rosenblatt.services.proofs.verify.form import check_powers

BITS = 60  # that rbf's values have
# the most that a value of rbf is off, because exp is off by some units of its last place, 2^-53
ERROR = Fraction(1, 2**50)
FAR = 100  # exp(-100) and everything smaller counts as 0
BLOCK = 1 << 20  # so many products of short numbers take a fraction of a second


@dataclass(frozen=True)
class KernelPoints:
    """The examples of Z times `unit`, as points of integers, and all values of the kernel between them, rows at a time.

    rbf has no coef0, and the linear kernel no gamma and no degree.
    """

    Z: SignedRows
    points: Array
    unit: int
    gamma: Fraction
    coef0: Fraction | None
    degree: int

    @classmethod
    def of(cls, Z: SignedRows, gamma: Fraction | None, coef0: Fraction | None, degree: int | None) -> Self:
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
            if a != b:  # the row of each against the other's class; with two classes each example has only one row
                return {j * rivals + (b - (b > a)) * (rivals > 1): 1, i * rivals + (a - (a > b)) * (rivals > 1): 1}
        return None


SHORT = 512  # bits of a value; up to this length a system of FAST_ROWS rows is solved


@dataclass(frozen=True)
class KernelMatrix:
    """K as integers over a denominator, each value with at most this error; Z of the examples."""

    Z: SignedRows
    values: Array
    denominator: int
    error: Fraction
    # answers so far, because each takes long
    _known: dict[tuple[int, ...], tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, points: KernelPoints, deadline: float) -> Self | None:
        """The matrix of these points; None if time runs out before all its values are there."""
        values = points.matrix(deadline)
        return None if values is None else cls(points.Z, values, points.denominator, points.error)

    def decide(self, deadline: float) -> tuple[bool | None, Array | None, dict[int, int], bool]:
        """Whether it is separable, by which a, the counts, and whether they are those of the nearest point itself."""
        rows, multipliers, _ = nearest_in_floats(self._features(), deadline)
        counts = as_counts(rows, multipliers)
        if (nearest := self._nearest(list(counts))) is not None:
            is_zero = self.upper_end(nearest) == 0
            return not is_zero, None if is_zero else self.dual(nearest), nearest, True
        dual = self.dual(counts)
        if self.lower_end(dual) > 0:
            return True, dual, counts, False
        if self.error:  # rbf separates all rows that differ (Micchelli 1986), but here by too little to show it
            return True, None, counts, False
        if time.monotonic() > deadline:
            return None, None, counts, False
        # Take the rows of K as features: then Z a has the scores of w.
        of_K = SignedRows(self.values, self.Z.target, self.Z.classes, Fraction(0), None, as_decimal=False)
        decision = decide(of_K, deadline=deadline)
        return decision.separable, decision.weights, counts if decision.separable else decision.counts, False

    def _features(self) -> Array:
        """Rows of Z in floats that have about its products: of a root of K, scaled to be no longer than 1."""
        from scipy.linalg.lapack import dpstrf  # it pivots, because K may be singular

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
        weight_of = {rows[place]: int(weight) for place, weight in zip(independent, weights, strict=True)}
        least, square = self._products(self.dual(weight_of))
        return weight_of if least * int(weights.sum()) >= square else None


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
        Seconds after which to give up; the answer is then None.

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
    if not budget >= 0:
        raise ValueError(f"budget must be a number of seconds, got {budget}")
    deadline = time.monotonic() + budget
    if kernel not in PARAMETERS:
        raise ValueError(f"kernel must be 'linear', 'poly' or 'rbf', whose feature space is known; got {kernel!r}")
    Z = signed_rows(X, y, fit_intercept=False, as_decimal=as_decimal)
    parameters = _parameters(Z, PARAMETERS[kernel], gamma, coef0, degree)
    points = KernelPoints.of(Z, **parameters)
    return KernelCertificate(
        **_proven(points, deadline),
        classes=Z.classes,
        n_rows=Z.X.shape[0],
        n_features=Z.X.shape[1],
        kernel=kernel,
        **parameters,
        as_decimal=as_decimal,
        radius_exact=points.squared_radius(),
        data=data_hash(Z.X, y),
    )


def _proven(points: KernelPoints, deadline: float) -> dict[str, Any]:
    """What the certificate says of the verdict, and the proof."""
    opposite = points.opposite()
    if opposite is not None:
        return _inseparable(opposite)
    K = KernelMatrix.of(points, deadline)
    if K is None:  # rbf separates all rows that differ (Micchelli 1986)
        verdict = True if points.error else None
        return {"separable": verdict, "dual": None, "counts": None, "margin": (0.0, math.inf), "margin_exact": None}
    separable, dual, counts, exact = K.decide(deadline)
    if separable is False:
        return _inseparable(counts)
    lo, hi = Fraction(0) if dual is None else K.lower_end(dual), K.upper_end(counts)
    return {
        "separable": separable,
        "dual": None if dual is None else tuple(int(a) for a in dual),
        "counts": counts,
        "margin": (sqrt_down(lo), sqrt_up(hi)),
        "margin_exact": hi if exact else None,
    }


def _inseparable(counts: dict[int, int]) -> dict[str, Any]:
    verdict = {"separable": False, "dual": None, "counts": counts}
    return {**verdict, "margin": (0.0, 0.0), "margin_exact": Fraction(0)}


def _parameters(Z: SignedRows, names: tuple[str, ...], gamma: Any, coef0: Any, degree: Any) -> dict[str, Any]:
    """The parameters that the kernel has, as exact numbers in their ranges; None for the others."""
    if isinstance(gamma, str) and gamma in ("scale", "auto"):
        gamma = resolve_gamma(gamma, as_float_table(Z.X))
    values = {"gamma": gamma, "coef0": coef0, "degree": degree}
    values = {name: value if name in names else None for name, value in values.items()}
    for name in {"gamma", "coef0"}.intersection(names):
        try:
            number = as_fraction(values[name], as_decimal=Z.as_decimal)
        except (OverflowError, TypeError, ValueError, ZeroDivisionError):
            number = Fraction(-1)
        if number < 0 or (name == "gamma" and number == 0):
            raise ValueError(f"{name} must be a number {'> 0' if name == 'gamma' else '>= 0'}, got {values[name]!r}")
        values[name] = number
    if "degree" in names:
        if isinstance(degree, bool) or not isinstance(degree, int | np.integer) or not 1 <= degree <= MOST_DEGREE:
            raise ValueError(f"degree must be a whole number from 1 to {MOST_DEGREE}, got {degree!r}")
        values["degree"] = int(degree)
        gamma, coef0 = values["gamma"], values["coef0"]
        check_powers([gamma.numerator, gamma.denominator, coef0.numerator, coef0.denominator], values["degree"])
    return values
