"""Separable or not by p, the nearest point of the hull of Z to the origin: in floats first, and then exactly.

p is the separator of largest margin; where it is the origin, its weights prove that there is none. The core finds it in
floats. Where they are not enough, exact steps go on from there: a corral S of affinely independent rows has weights
lambda > 0 that make p, the nearest point of its affine hull. While some row z has z.p < |p|^2, it joins, and the
weights move to the new minimiser; a weight that would become negative drops its row. |p| falls with every corral, so
none comes twice, and at the end p is the nearest point of all: gamma = |p| (Wolfe 1976, in integers).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import core_rows, is_sparse
from rosenblatt.services.proofs.decision import Decision, ExactRows, as_counts, lower_end, separates, upper_end
from rosenblatt.services.proofs.rational import FAST_ROWS, inner, null_space, primitive, row_echelon, solve
from rosenblatt.services.proofs.verify.form import MOST_HEXADECIMAL


def separating_program(Z: Array, deadline: float) -> Array | None:
    """A second opinion for many columns: the w with the largest t, where Z w >= t and |w| <= 1 in each entry, by HiGHS.

    It starts with some rows, and adds those that its answer has most wrong until none is: most rows never matter. The
    program is always feasible and bounded; that t > 0 in floats is no proof, but w is a guess that can be proven. None
    if time runs out or HiGHS gives up.

    >>> separating_program(np.array([[-1.0, 0], [-1, -1], [1, 2]]), time.monotonic() + 10).round(4)
    array([-1.    ,  0.6667])
    """
    from scipy.optimize import linprog

    n, width = Z.shape
    few = max(200, 4 * (width + 1))
    chosen = np.unique(np.linspace(0, n - 1, min(n, few)).astype(np.int64))
    while (left := deadline - time.monotonic()) > 0:
        rows = Z[chosen]
        # variables w and t: minimise -t with t - Z w <= 0
        result = linprog(
            np.append(np.zeros(width), -1.0),
            A_ub=np.column_stack([-rows, np.ones(len(rows))]),
            b_ub=np.zeros(len(rows)),
            bounds=[(-1.0, 1.0)] * width + [(None, None)],
            method="highs-ds",
            options={"time_limit": left},
        )
        if result.x is None or result.status != 0:
            return None
        w, t = result.x[:-1], result.x[-1]
        scores = Z @ w
        worse = np.setdiff1d(np.flatnonzero(scores < t - 1e-9 * max(1.0, abs(t))), chosen)
        if not len(worse):
            return np.asarray(w)
        worst = worse[np.argsort(scores[worse])[:few]]
        chosen = np.union1d(chosen, worst)
    return None


@dataclass
class Nearest:
    """A corral, its weights as integers, and the point they make: p = sum weights z / total, times the denominator."""

    corral: list[int]
    weights: Array
    point: Array  # sum of weights times integer rows: p times the total times the denominator

    @property
    def meets(self) -> bool:
        """Whether the point is the origin: the weights are multipliers that prove the rows inseparable."""
        return not self.point.any()


def nearest_point(Z: Any, start: Sequence[int], weights: Sequence[float], deadline: float) -> Nearest | None:
    """The nearest point, from a corral that floats found; None if time runs out."""
    state = _begin(Z, list(start), weights)
    while time.monotonic() < deadline:
        if state.meets:
            return state
        least, row = Z.least(state.point)
        # z.p >= |p|^2, both times the denominator squared and the total squared
        if least * int(state.weights.sum()) >= int((state.point**2).sum()):
            return state
        state = _with_row(Z, state, row)
    return None


def _begin(Z: Any, corral: list[int], weights: Sequence[float]) -> Nearest:
    """The rows of the given corral that are affinely independent, with weights that make the nearest point."""
    rows = Z.integers(np.array(corral))
    _, _, independent = row_echelon(np.column_stack([rows, np.ones(len(rows), dtype=object)]).T)
    largest = max(weights)
    start = np.array([max(1, round(weights[place] / largest * 2**60)) for place in independent], dtype=object)
    return _descend([corral[place] for place in independent], start, rows[independent])


def _with_row(Z: Any, state: Nearest, row: int) -> Nearest:
    corral = [*state.corral, row]
    rows = Z.integers(np.array(corral))
    weights = np.append(state.weights, 0)
    lines = null_space(np.column_stack([rows, np.ones(len(rows), dtype=object)]).T)
    if len(lines):
        # sum line z = 0 and sum line = 0: moving along it keeps p. Give the new row weight until another has none.
        line = lines[0] if lines[0][-1] > 0 else -lines[0]
        falling = [place for place in range(len(line)) if line[place] < 0]
        first = min(falling, key=lambda place: Fraction(int(weights[place]), -int(line[place])))
        weights = weights * -line[first] + line * weights[first]
        keep = weights > 0
        corral, rows, weights = [r for r, keeps in zip(corral, keep, strict=True) if keeps], rows[keep], weights[keep]
    return _descend(corral, weights, rows)


def _descend(corral: list[int], weights: Array, rows: Array) -> Nearest:
    """Go from weights that are not negative to the minimiser of a corral, with positive weights only."""
    while True:
        target = _minimiser(rows)
        if (target > 0).all():
            return _nearest(corral, target, rows)
        # the last point on the way from weights to target at which no weight is negative
        here, there = weights * int(target.sum()), target * int(weights.sum())
        falling = [place for place in range(len(rows)) if there[place] <= 0 and here[place] != there[place]]
        steps = {place: Fraction(int(here[place]), int(here[place] - there[place])) for place in falling}
        step = min(steps.values())
        weights = primitive(here * (step.denominator - step.numerator) + there * step.numerator)
        keep = np.array([not (place in steps and steps[place] == step) for place in range(len(rows))])
        corral, rows, weights = [r for r, keeps in zip(corral, keep, strict=True) if keeps], rows[keep], weights[keep]


def _minimiser(rows: Array) -> Array:
    """The weights of the nearest point of the affine hull of affinely independent rows, as integers.

    They solve (G + 11') x = 1 up to a factor, for the Gram matrix G: it is positive definite.
    """
    return primitive(solve(inner(rows, rows) + 1, np.ones(len(rows), dtype=object)))


def _nearest(corral: list[int], weights: Array, rows: Array) -> Nearest:
    return Nearest(corral, weights, weights @ rows)


HULL = "the nearest point of the hull"
# `verify` must be able to read the digits of its square, which is twice as long
LONGEST = 1 << 8 * MOST_HEXADECIMAL // 5
PASSES = 20  # how many passes over the rows are made before the clock is looked at
TOLERANCE = 1e-13  # floats cannot come closer


def by_nearest_point(Z: ExactRows, *, gap: float, exact: bool, deadline: float) -> Decision:
    """Decide dense rows, or few columns."""
    F = np.asarray(Z.floats.toarray() if is_sparse(Z.floats) else Z.floats)
    corral, multipliers, point = nearest_in_floats(F, deadline)
    weights = separates(Z, point)
    if weights is None:
        # With other units of the features, and rows of similar length, rounding does less harm; the answer is the same.
        units, lengths = _scales(F)
        scaled = F * units * lengths[:, np.newaxis]
        again, theirs, point = nearest_in_floats(scaled, deadline)
        weights = separates(Z, point * units)
        if weights is None:
            corral, multipliers = again, theirs * lengths[again]
    counts = as_counts(corral, multipliers)
    if weights is not None:
        decision = Decision(separable=True, counts=counts, solver=HULL, weights=weights)
        if not exact and lower_end(Z, weights) >= upper_end(Z, counts) * (1 - Fraction(gap)) ** 2:
            return decision
    if len(corral) <= FAST_ROWS:
        nearest = nearest_point(Z, corral.tolist(), multipliers.tolist(), deadline)
        if nearest is not None and max(map(abs, [*nearest.weights, *nearest.point])) < LONGEST:
            return _exactly(nearest)
    if weights is not None:
        return decision
    weights = separating_program(scaled, deadline)
    weights = None if weights is None else separates(Z, weights * units)
    separable = None if weights is None else True
    return Decision(separable=separable, counts=counts, solver="a linear program", weights=weights)


def _exactly(nearest: Nearest) -> Decision:
    counts = dict(sorted(zip(nearest.corral, primitive(nearest.weights).tolist(), strict=True)))
    if nearest.meets:
        return Decision(separable=False, counts=counts, solver=HULL)
    return Decision(separable=True, counts=counts, solver=HULL, weights=primitive(nearest.point), exact=True)


def nearest_in_floats(F: Array, deadline: float) -> tuple[Array, Array, Array]:
    """The corral, its weights and the point, as far as floats can tell."""
    search = _core.NearestPoint(core_rows(np.ascontiguousarray(F)))
    while search.run(PASSES, TOLERANCE) == "running" and time.monotonic() < deadline:
        pass
    return search.corral, search.weights, search.point


def _scales(F: Array) -> tuple[Array, Array]:
    """Powers of two, with which nothing is rounded, that bring the columns and then the rows to about 1."""
    units = _power_below(np.abs(F).max(axis=0))
    return units, _power_below(np.abs(F * units).max(axis=1))


def _power_below(largest: Array) -> Array:
    exponent = np.frexp(np.where(largest > 0, largest, 1.0))[1]
    return np.ldexp(1.0, np.minimum(-exponent, 1000))
