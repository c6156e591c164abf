"""Probabilities from scores: p = exp g(s) / sum of exp g(s), and for two classes p = 1 / (1 + exp(-g(s))), g(0) = 0.

g rises and is a line between a few knots, so the most probable class is the one with the largest score. Its slopes
maximise the likelihood of the right labels of rows that the weights had not learned from (as Platt 1999 does with one
slope). One slope is too few for more than two classes: a score that is high enough for a class tells less, the higher
it is. Measured on texts of 20 classes, the expected calibration error is .05 with one slope, .02 with five.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts
from rosenblatt.members.randomness import fifths

ENOUGH = 3_000  # rows that calibrate: further fifths would cost a run each, and change little
MEASURED = 500  # rows whose scores tell the size of all
CELLS = 400_000  # scores that a fit looks at
QUANTILES = 0.05, 0.2, 0.5, 0.8  # of the scores of right classes, where the knots are
MIDDLE = 0.5  # with two classes the knots are 0 and, on both sides, this quantile of the distances from it
LEAST = 0.01  # the smallest slope, as a share of that of a line, so that no two scores become equal
USUAL = 2.0  # the slope for scores of size one, if no row can be held out

CALIBRATED = (
    "calibration: g(0) = 0, and g has the slopes before the first knot, between any two, and after the last; "
    "probability: exp g(s) over the sum of all exp g(s), of the second of two classes 1 / (1 + exp(-g(s)))"
)  # for the conventions of model files

Decide = Callable[[Array], Array]  # from the numbers of rows to their scores, (rows,) or (rows, classes)


@dataclass(frozen=True)
class Calibration:
    """The knots of g, in ascending order, and its slope before the first, between any two, and after the last."""

    knots: tuple[float, ...] = ()
    slopes: tuple[float, ...] = (1.0,)
    readout: str | None = None  # whose scores these are; None: the member has no choice of readouts

    def probabilities(self, decision: Array) -> Array:
        """The probability of each class, (rows, classes), for scores as `decision` returns them.

        >>> Calibration((0.0,), (1.0, 2.0)).probabilities(np.array([-2.0, 0.0, 2.0])).round(3).tolist()
        [[0.881, 0.119], [0.5, 0.5], [0.018, 0.982]]
        """
        logits = sum(slope * part for slope, part in zip(self.slopes, self._parts(decision), strict=True))
        return _softmax(np.asarray(logits))

    def _parts(self, decision: Array) -> list[Array]:
        """How far each score goes into each stretch between knots, from 0 on; for two classes, one score is 0."""
        s = decision.astype(np.float64)
        if s.ndim == 1:
            s = np.stack([np.zeros(len(s)), s], axis=1)
        ends = (-np.inf, *self.knots, np.inf)
        return [np.clip(s, low, high) - np.clip(0.0, low, high) for low, high in pairwise(ends)]

    def in_units_of(self, size: float) -> Self:
        """The same for scores that are so many times as large."""
        knots, slopes = (knot * size for knot in self.knots), (slope / size for slope in self.slopes)
        return replace(self, knots=tuple(knots), slopes=tuple(slopes))

    @classmethod
    def line(cls, decision: Array, target: Array, usual: float) -> Self:
        """Fit one slope, which is not far from what is usual if there are few rows."""
        parts = cls()._parts(decision)
        return cls((), tuple(_most_likely(parts, target, np.ones(len(target)), usual, 0.0, 1.0).tolist()))

    @classmethod
    def fit(cls, decision: Array, target: Array, weight: Array | None = None) -> Self:
        """Fit the slopes to scores and the classes of their rows."""
        most = max(20, CELLS // (decision.shape[1] if decision.ndim == 2 else 2))
        decision, target = decision[:most], target[:most]
        weight = np.ones(len(target)) if weight is None else weight[:most] / weight[:most].mean()
        size = _size(decision)
        decision = decision.astype(np.float64) / size
        line = _most_likely(cls()._parts(decision), target, weight, 1.0, 0.0)[0]
        if decision.ndim == 1:
            middle = np.quantile(np.abs(decision), MIDDLE)
            knots = np.array([-middle, 0.0, middle])
        else:
            knots = np.quantile(decision[np.arange(len(target)), target], QUANTILES)
        bent = cls(tuple(np.unique(knots).tolist()))
        slopes = _most_likely(bent._parts(decision), target, weight, line, 1.0)
        return cls(bent.knots, tuple(slopes.tolist())).in_units_of(size)


def calibrate(
    learn: Callable[[Array], Decide],
    decide: Decide,
    target: Array,
    random: "np.random.RandomState",
    weight: Array | None = None,
) -> Calibration:
    """Fit a calibration for the scores of `decide`, whose weights know all rows, by runs that leave out a fifth each.

    `learn` is such a run: it takes the numbers of rows to learn from. Weights grow with the number of rows and of
    passes, so all scores are divided by their mean size on rows that the weights have learned from.
    """
    scores, rows, n = list[Array](), list[Array](), 0
    for learned, held_out in left_out(target, random):
        if n >= ENOUGH:
            break
        decide_by_part = learn(learned)
        scores.append(decide_by_part(held_out) / _size(decide_by_part(_some(learned))))
        rows.append(held_out)
        n += len(held_out)
    size = _size(decide(_some(np.arange(len(target)))))
    if not rows:
        return Calibration((), (USUAL / size,))
    held_out = np.concatenate(rows)
    of_rows = None if weight is None else weight[held_out]
    return Calibration.fit(np.concatenate(scores), target[held_out], of_rows).in_units_of(size)


def left_out(target: Array, random: "np.random.RandomState") -> Iterator[tuple[Array, Array]]:
    """All rows but a fifth, and that fifth, at most five times. No fifth has the only row of a class.

    >>> [held_out.tolist() for _, held_out in left_out(np.array([0, 0, 1, 1, 2]), np.random.RandomState(0))]
    [[0], [1], [2], [3]]
    """
    alone = np.bincount(target)[target] == 1  # without its row, a run would not know the class
    for learned, held_out in fifths(target, random):
        if not alone[held_out].all():
            yield np.union1d(learned, held_out[alone[held_out]]), held_out[~alone[held_out]]


def calibration_to_record(model: Any) -> dict[str, Any]:
    """The entry of a model's calibration in its record, if it has one."""
    if model.calibration is None:
        return {}
    c: Calibration = model.calibration
    return {"calibration": {"knots": list(c.knots), "slopes": list(c.slopes), "readout": c.readout}}


def calibration_from_record(parts: Parts) -> Calibration | None:
    """Read a calibration from the record of a model, and check it."""
    if not parts.has_entry("calibration"):
        return None
    value = parts.value("calibration", "rising knots, one slope over 0 more, and a readout or null", _is_calibration)
    return Calibration(tuple(value["knots"]), tuple(value["slopes"]), value["readout"])


def _some(rows: Array) -> Array:
    return rows[:: -(-len(rows) // MEASURED)]


def _size(decision: Array) -> float:
    """The root of the mean square of scores; 1 if they are 0."""
    largest = float(np.abs(decision).max(initial=0.0))
    if largest < 1e-290:
        return 1.0
    return largest * float(np.sqrt(np.mean(np.square(decision.astype(np.float64) / largest))))


def _most_likely(
    parts: list[Array], target: Array, weight: Array, usual: float, stiffness: float, pull: float = 0.0
) -> Array:
    """Slopes of the maximum likelihood, by Newton's method, which keeps them over a share of what is usual.

    With a `pull` they are close to what is usual, and with `stiffness` to their neighbours, as far as rows do not say
    otherwise. Without a pull a right label counts as a little less than certain, as if one row more had another one
    (Platt 1999), since all might be right.
    """
    n, m = len(target), len(parts)
    doubt = 0.0 if pull else 1.0 / (n + 2)
    shares = np.full(parts[0].shape, doubt / (parts[0].shape[1] - 1))
    shares[np.arange(n), target] = 1.0 - doubt
    apart = np.diff(np.eye(m), axis=0)
    prior = (stiffness * (apart.T @ apart) + pull * np.eye(m)) / usual**2
    slopes, least = np.full(m, usual), LEAST * usual
    for _ in range(60):
        p = _softmax(sum(slope * part for slope, part in zip(slopes, parts, strict=True)))
        means = np.stack([(p * part).sum(axis=1) for part in parts])
        wrong = weight[:, np.newaxis] * (p - shares)
        weighted = weight[:, np.newaxis] * p
        gradient = np.array([np.vdot(wrong, part) for part in parts]) + prior @ slopes - pull / usual
        hessian = np.array([[np.vdot(weighted * a, b) for b in parts] for a in parts]) + prior
        hessian -= (means * weight) @ means.T
        hessian[np.diag_indices(m)] += 1e-9 * np.trace(hessian) / m + 1e-300
        free = (slopes > least) | (gradient < 0)
        step = np.zeros(m)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        longest = np.abs(step).max(initial=0.0)
        new = np.maximum(slopes - step * min(1.0, 2.0 * slopes.mean() / max(longest, 1e-300)), least)
        done = np.abs(new - slopes).max() <= 1e-9 * slopes.mean()
        slopes = new
        if done:
            break
    return slopes


def _softmax(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _is_calibration(value: Any) -> bool:
    if not (isinstance(value, dict) and value.keys() == {"knots", "slopes", "readout"}):
        return False
    knots, slopes, readout = value["knots"], value["slopes"], value["readout"]
    if not (readout is None or isinstance(readout, str)):
        return False
    if not (isinstance(knots, list) and isinstance(slopes, list) and len(slopes) == len(knots) + 1):
        return False
    if any(type(x) is not float or not np.isfinite(x) for x in (*knots, *slopes)):
        return False
    return min(slopes) > 0 and all(a < b for a, b in pairwise(knots))
