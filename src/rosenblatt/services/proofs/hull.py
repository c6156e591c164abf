"""Separable or not by the nearest point of the hull of Z to the origin: by floats first, and then exactly.

The nearest point is the separator of largest margin; where it is the origin, its weights prove that there is none. The
core finds it in floats. Where they are not enough, exact steps go on from there, and for many columns a linear program
gives a second opinion.
"""

import time
from fractions import Fraction

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import core_rows, is_sparse
from rosenblatt.services.proofs.decision import Decision, Rows, counted, lower_end, separates, upper_end
from rosenblatt.services.proofs.exact_nearest import Nearest, nearest_point
from rosenblatt.services.proofs.linear_program import separating_program
from rosenblatt.services.proofs.rational import FAST_ROWS, primitive
from rosenblatt.services.proofs.verify.form import MOST_HEXADECIMAL

HULL = "the nearest point of the hull"
LONGEST = 1 << 8 * MOST_HEXADECIMAL // 5  # of its square, which is twice as long, `verify` must read the digits
PASSES = 20  # over the rows before the clock is looked at
TOLERANCE = 1e-13  # what floats can give


def by_nearest_point(Z: Rows, *, gap: float, exact: bool, deadline: float) -> Decision:
    """Decide dense rows, or few columns."""
    F = np.asarray(Z.floats.toarray() if is_sparse(Z.floats) else Z.floats)
    corral, multipliers, point = nearest_in_floats(F, deadline)
    weights = separates(Z, point)
    if weights is None:
        # In other units of the features, and with rows of like length, rounding hurts less; the answer is the same.
        units, lengths = _scales(F)
        scaled = F * units * lengths[:, np.newaxis]
        again, theirs, point = nearest_in_floats(scaled, deadline)
        weights = separates(Z, point * units)
        if weights is None:
            corral, multipliers = again, theirs * lengths[again]
    counts = counted(corral, multipliers)
    if weights is not None:
        found = Decision(separable=True, counts=counts, engine=HULL, weights=weights)
        if not exact and lower_end(Z, weights) >= upper_end(Z, counts) * (1 - Fraction(gap)) ** 2:
            return found
    if len(corral) <= FAST_ROWS:
        nearest = nearest_point(Z, corral.tolist(), multipliers.tolist(), deadline)
        if nearest is not None and max(map(abs, [*nearest.weights, *nearest.point])) < LONGEST:
            return _exactly(nearest)
    if weights is not None:
        return found
    weights = separating_program(scaled, deadline)
    weights = None if weights is None else separates(Z, weights * units)
    separable = None if weights is None else True
    return Decision(separable=separable, counts=counts, engine="a linear program", weights=weights)


def _exactly(nearest: Nearest) -> Decision:
    counts = dict(sorted(zip(nearest.corral, primitive(nearest.weights).tolist(), strict=True)))
    if nearest.meets:
        return Decision(separable=False, counts=counts, engine=HULL)
    return Decision(separable=True, counts=counts, engine=HULL, weights=primitive(nearest.point), exact=True)


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
