"""The nearest point of the hull of Z to the origin, exactly (Wolfe 1976, in integers): the last word on any data.

A corral S of affinely independent rows has weights lambda > 0 that make p, the nearest point of its affine hull. While
some row z has z.p < |p|^2, it joins, and the weights move to the new minimiser; a weight that would become negative
drops its row. |p| falls with every corral, so none comes twice. At the end p is the nearest point of all: gamma = |p|.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.proofs.rational import inner, null_space, primitive, row_echelon, solve


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
    given = np.array([max(1, round(weights[place] / largest * 2**60)) for place in independent], dtype=object)
    return _descend([corral[place] for place in independent], given, rows[independent])


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
        corral, rows, weights = [r for r, kept in zip(corral, keep, strict=True) if kept], rows[keep], weights[keep]
    return _descend(corral, weights, rows)


def _descend(corral: list[int], weights: Array, rows: Array) -> Nearest:
    """From weights that are not negative to the minimiser of a corral all of whose weights are positive."""
    while True:
        target = _minimiser(rows)
        if (target > 0).all():
            return _nearest(corral, target, rows)
        # the last point on the way from weights to target that has none negative
        here, there = weights * int(target.sum()), target * int(weights.sum())
        falling = [place for place in range(len(rows)) if there[place] <= 0 and here[place] != there[place]]
        steps = {place: Fraction(int(here[place]), int(here[place] - there[place])) for place in falling}
        step = min(steps.values())
        weights = primitive(here * (step.denominator - step.numerator) + there * step.numerator)
        keep = np.array([not (place in steps and steps[place] == step) for place in range(len(rows))])
        corral, rows, weights = [r for r, kept in zip(corral, keep, strict=True) if kept], rows[keep], weights[keep]


def _minimiser(rows: Array) -> Array:
    """The weights of the nearest point of the affine hull of affinely independent rows, as integers.

    They solve (G + 11') x = 1 up to a factor, for the Gram matrix G: it is positive definite.
    """
    return primitive(solve(inner(rows, rows) + 1, np.ones(len(rows), dtype=object)))


def _nearest(corral: list[int], weights: Array, rows: Array) -> Nearest:
    return Nearest(corral, weights, weights @ rows)
