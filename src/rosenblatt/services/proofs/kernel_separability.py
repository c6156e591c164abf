"""Is it separable by a kernel? Yes or no, with a proof: `certify_kernel`. All that is needed is the kernel matrix K.

w = sum of a_i phi(x_i) scores x_i with (K a)_i, and its length is sqrt(a' K a); any part of w outside the span of the
examples changes no score. So min Z w / |w| <= gamma for any a, and gamma <= |sum l z| for any l >= 0 with sum 1. The
linear and the polynomial kernel are computed in fractions. That of rbf is within ERROR, which is part of both ends; it
separates whatever has no two equal rows of different classes, as its matrix is then positive definite (Micchelli 1986).
"""

import math
import time
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from rosenblatt.base.data_hash import data_hash
from rosenblatt.base.inputs import as_float_table, as_fraction
from rosenblatt.members.kernel.values import resolve_gamma
from rosenblatt.services.proofs.given import signed_rows
from rosenblatt.services.proofs.kernel_certificate import KernelCertificate
from rosenblatt.services.proofs.kernel_matrix import KernelMatrix
from rosenblatt.services.proofs.kernel_points import KernelPoints
from rosenblatt.services.proofs.rounding import sqrt_down, sqrt_up
from rosenblatt.services.proofs.signed_rows import SignedRows
from rosenblatt.services.proofs.verify.form import check_powers

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
    given = _parameters(Z, PARAMETERS[kernel], gamma, coef0, degree)
    points = KernelPoints.of(Z, **given)
    return KernelCertificate(
        **_proven(points, deadline),
        classes=Z.classes,
        n_rows=Z.X.shape[0],
        n_features=Z.X.shape[1],
        kernel=kernel,
        **given,
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
    if K is None:  # rbf separates any rows that are not equal (Micchelli 1986)
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
        gamma, coef0 = found["gamma"], found["coef0"]
        check_powers([gamma.numerator, gamma.denominator, coef0.numerator, coef0.denominator], found["degree"])
    return found
