"""Is it separable? Yes or no, with a proof: `certify`.

There is a w with Z w > 0, or there are multipliers lambda >= 0, not all 0, with sum lambda z = 0, and never both
(Gordan 1873). This is the door: it reads the data, asks the solvers, and makes the certificate.

How inseparable? Rows whose positive multiples sum to 0 lie on every plane w with Z w >= 0, since a sum of what is not
negative is 0 only if each is. So w is orthogonal to all that these rows span: go to that orthogonal space, drop what
vanished, and ask again. Either the rest is separable there (quasi-complete: some plane still has each class on its own
side), or more rows join; when all rows are spanned, it is overlap.
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.data_hash import data_hash
from rosenblatt.base.rows import is_sparse
from rosenblatt.services.proofs.certificate import Certificate
from rosenblatt.services.proofs.decision import Decision, lower_end, upper_end, whole
from rosenblatt.services.proofs.exact_numbers import sqrt_down, sqrt_up
from rosenblatt.services.proofs.rational import null_space, primitive, row_echelon
from rosenblatt.services.proofs.signed_rows import SignedRows, as_floats, signed_rows
from rosenblatt.services.proofs.solvers import decide, peel

LARGEST = 10**8  # products of integers; if more are needed, the kind stays unknown


@dataclass(frozen=True)
class IntegerRows:
    """Rows of integers of any size, for the solvers."""

    values: Array

    def __len__(self) -> int:
        return len(self.values)

    @property
    def width(self) -> int:
        return int(self.values.shape[1])

    @cached_property
    def floats(self) -> Array:
        """The rows, each scaled to about 1: whether they are separable does not depend on their lengths."""
        return np.array([as_floats(row) for row in self.values])

    def integers(self, rows: Array) -> Array:
        return np.asarray(self.values[rows])

    def combination(self, counts: dict[int, int]) -> Array:
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
        decision = decide(IntegerRows(images[rest]), gap=1.0, deadline=deadline)
        if decision.separable:
            return "quasi-complete", primitive(decision.weights @ free), counts
        if decision.separable is None or decision.counts is None:
            break
        counts = _join_counts(Z, counts, {int(rest[row]): count for row, count in decision.counts.items()})
    return None, None, counts


def _join_counts(Z: SignedRows, counts: dict[int, int], more: dict[int, int]) -> dict[int, int]:
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


SMALL = 50_000  # up to so many values the exact margin is found without being asked for


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
    decision = decide(Z, gap=gap, exact=exact, deadline=start + budget)
    return Certificate(
        **_proven(Z, decision, start + budget),
        classes=Z.classes,
        n_rows=Z.X.shape[0],
        n_features=Z.X.shape[1],
        intercept_scaling=Z.scaling,
        center=Z.center,
        as_decimal=as_decimal,
        radius_exact=Z.squared_radius(),
        engine=decision.solver,
        data=data_hash(Z.X, y),
    )


def _proven(Z: SignedRows, decision: Decision, deadline: float) -> dict[str, Any]:
    proven: dict[str, Any] = {"separable": decision.separable, "kind": None, "weights": None, "counts": decision.counts}
    if decision.separable is False:
        kind, weights, counts = kind_of(Z, decision.counts, deadline)
        proven |= {"kind": kind, "weights": _by_class(Z, weights), "counts": counts}
        return proven | {"margin": (0.0, 0.0), "margin_exact": Fraction(0)}
    hi = sqrt_up(upper_end(Z, decision.counts) / Z.denominator**2)
    if decision.weights is None:
        return proven | {"margin": (0.0, hi), "margin_exact": None}
    lo = lower_end(Z, decision.weights) / Z.denominator**2
    proven |= {"kind": "complete", "weights": _by_class(Z, decision.weights)}
    return proven | {"margin": (sqrt_down(lo), hi), "margin_exact": lo if decision.exact else None}


def _by_class(Z: SignedRows, weights: Array | None) -> tuple[tuple[int, ...], ...] | None:
    if weights is None:
        return None
    return tuple(tuple(int(value) for value in row) for row in weights.reshape(-1, Z.n_inputs))
