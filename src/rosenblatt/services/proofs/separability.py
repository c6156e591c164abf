"""Is it separable? Yes or no, with a proof: `certify`.

There is a w with Z w > 0, or there are multipliers lambda >= 0, not all 0, with sum lambda z = 0, and never both
(Gordan 1873). This is the door: it reads the data, asks the engines, and makes the certificate.
"""

import time
from fractions import Fraction
from typing import Any, Literal

from rosenblatt.base.arrays import Array
from rosenblatt.base.data_hash import data_hash
from rosenblatt.services.proofs.certificate import Certificate
from rosenblatt.services.proofs.decision import Decision, lower_end, upper_end
from rosenblatt.services.proofs.engines import decide
from rosenblatt.services.proofs.faces import kind_of
from rosenblatt.services.proofs.given import signed_rows
from rosenblatt.services.proofs.rounding import sqrt_down, sqrt_up
from rosenblatt.services.proofs.signed_rows import SignedRows

SMALL = 50_000  # values up to which the exact margin is found unasked


def certify(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    intercept_scaling: Any = 1,
    center: Any = False,
    exact: bool | Literal["auto"] = "auto",
    as_decimal: bool = False,
    gap: float | None = None,
    budget: float = 10.0,
) -> Certificate:
    """Decide whether a linear rule can be right on all of the data, and prove it.

    Parameters
    ----------
    X
        Dense or sparse; floats, integers of any size, or Fractions, all taken exactly.
    y
        Labels of any kind. Of more than two classes, whether one weight vector a class can give each example's own
        class the highest score.
    fit_intercept, intercept_scaling
        The constant feature, as `Perceptron` has it. It is part of R and of gamma: see `Certificate.conventions`.
    center
        True measures x from the mean of the rows, an array from that point. With a constant feature the answer is the
        same, but R and gamma are not: far from the origin the bound is large.
    exact
        Whether to find gamma squared itself, as a fraction. "auto": for small data.
    as_decimal
        Whether a float is the decimal that its user wrote, not the binary number that is stored: 0.1 as 1/10.
    gap
        How close the two ends of the margin should come, relative to the upper one. None: 1e-6, or 1e-3 for sparse rows
        of many columns.
    budget
        Seconds after which to give up: the exact margin, then the gap, then the answer, which is then None.

    Returns
    -------
    A `Certificate`: the answer, its proof, margin, radius and mistake bound.

    Examples
    --------
    No line separates XOR: the points of the two classes have their midpoint in common.

    >>> from rosenblatt import certify
    >>> from rosenblatt.data.lectures import AND, CMU, XOR
    >>> proof = certify(*XOR)
    >>> proof.separable, proof.kind, proof.counts
    (False, 'overlap', {0: 1, 1: 1, 2: 1, 3: 1})

    Lecture 000's six points, through the origin, have gamma = 1 and R squared = 5:

    >>> print(certify(*CMU, fit_intercept=False))
    separable (6 rows, 2 features, 2 classes), by the nearest point of the hull
    complete: some plane has each class on its own side, and no point on it
    margin   gamma = 1
    radius   2.23607
    bound    at most 5 mistakes, in any order
    no constant feature; x from the origin; numbers as stored; y = +1 is 1
    """
    start = time.monotonic()
    if exact not in (True, False, "auto"):
        raise ValueError(f"exact must be True, False or 'auto', got {exact!r}")
    if gap is not None and not 0 <= gap <= 1:
        raise ValueError(f"gap must be from 0 to 1, got {gap}")
    if not budget >= 0:
        raise ValueError(f"budget must be a number of seconds, got {budget}")
    Z = signed_rows(
        X, y, fit_intercept=fit_intercept, intercept_scaling=intercept_scaling, center=center, as_decimal=as_decimal
    )
    if exact == "auto":
        exact = len(Z) * Z.width <= SMALL
    found = decide(Z, gap=gap, exact=exact, deadline=start + budget)
    return Certificate(
        **_proven(Z, found, start + budget),
        classes=Z.classes,
        n_rows=Z.X.shape[0],
        n_features=Z.X.shape[1],
        intercept_scaling=Z.scaling,
        center=Z.center,
        as_decimal=as_decimal,
        radius_exact=Z.squared_radius(),
        engine=found.engine,
        data=data_hash(Z.X, y),
    )


def _proven(Z: SignedRows, found: Decision, deadline: float) -> dict[str, Any]:
    """What the certificate says of a decision."""
    proven: dict[str, Any] = {"separable": found.separable, "kind": None, "weights": None, "counts": found.counts}
    if found.separable is False:
        kind, weights, counts = kind_of(Z, found.counts, deadline)
        proven |= {"kind": kind, "weights": _by_class(Z, weights), "counts": counts}
        return proven | {"margin": (0.0, 0.0), "margin_exact": Fraction(0)}
    hi = sqrt_up(upper_end(Z, found.counts) / Z.denominator**2)
    if found.weights is None:
        return proven | {"margin": (0.0, hi), "margin_exact": None}
    lo = lower_end(Z, found.weights) / Z.denominator**2
    proven |= {"kind": "complete", "weights": _by_class(Z, found.weights)}
    return proven | {"margin": (sqrt_down(lo), hi), "margin_exact": lo if found.exact else None}


def _by_class(Z: SignedRows, weights: Array | None) -> tuple[tuple[int, ...], ...] | None:
    if weights is None:
        return None
    return tuple(tuple(int(value) for value in row) for row in weights.reshape(-1, Z.n_inputs))
