"""Probabilities from scores: p = exp(a s) / sum of exp(a s), and for two classes p = 1 / (1 + exp(-(a s + b))).

a and b maximise the likelihood of the right labels of texts that were not learned (Platt 1999, Guo et al. 2017).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from rosenblatt.base.arrays import Array

USUAL, SPREAD = 4.0, 4.0  # what a is where nothing is known, and how far it may be from there


@dataclass(frozen=True)
class Calibration:
    """The two numbers a and b."""

    a: float = USUAL
    b: float = 0.0

    def probabilities(self, decision: Array) -> Array:
        """The probability of each class, (rows, classes), for scores as `decision` returns them."""
        return _softmax(_logits(decision) @ np.array([self.a, self.b]))

    @classmethod
    def fit(cls, decision: Array, target: Array) -> Self:
        """Fit a and b to scores and the classes of their rows, by Newton's method."""
        numbers = np.array([USUAL, 0.0])
        logits, rows = _logits(decision), np.arange(len(target))
        prior = np.diag([SPREAD**-2, 1.0])
        if decision.ndim == 2:
            prior[1, 1] = 1e9  # with more than two classes there is no b: the prior holds it at 0
        for _ in range(50):
            p = _softmax(logits @ numbers)
            mean = (p[:, :, np.newaxis] * logits).sum(axis=1)  # of each row, what is expected of the logits' parts
            gradient = (mean - logits[rows, target]).sum(axis=0) + prior @ (numbers - [USUAL, 0.0])
            centred = logits - mean[:, np.newaxis]
            hessian = np.einsum("nk,nki,nkj->ij", p, centred, centred) + prior
            step = np.linalg.solve(hessian, gradient)
            numbers = numbers - step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-12))
            if np.abs(step).max() < 1e-9:
                break
        return cls(max(float(numbers[0]), 0.0), float(numbers[1]) if decision.ndim == 1 else 0.0)


def _logits(decision: Array) -> Array:
    """(rows, classes, 2): what a and b are multiplied by."""
    if decision.ndim == 1:
        s = np.stack([np.zeros(len(decision)), decision.astype(np.float64)], axis=1)
        return np.stack([s, np.broadcast_to([0.0, 1.0], s.shape)], axis=2)
    s = decision.astype(np.float64)
    return np.stack([s, np.zeros_like(s)], axis=2)


def _softmax(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
