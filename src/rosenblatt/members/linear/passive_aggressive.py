"""Passive-aggressive steps (Crammer et al. 2006) with the parameters of scikit-learn's classes: for labels, and for
numbers.

A row has the loss l = max(0, 1 - y s); with numbers l = max(0, |y - s| - epsilon). Then w <- w + tau y x (for numbers,
the sign of y - s replaces y), with tau = min(C, l / |x|^2), or for a squared loss tau = l / (|x|^2 + 1 / 2C): just far
enough, but limited by C. As in scikit-learn, |x|^2 does not count the constant feature. The run is the perceptron's.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts
from rosenblatt.base.rows import Matrix
from rosenblatt.members.advice import PYTHON, Voice, more_passes
from rosenblatt.members.fit import fit
from rosenblatt.members.linear.model import LinearModel, run_from_record
from rosenblatt.members.linear.parameters import (
    PassiveAggressiveParameters,
    PassiveAggressiveRegressorParameters,
)
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.rows import Order, Visits, WeightedRows
from rosenblatt.members.sample_weight import as_numbers, checked_weight, counting_rows, one_a_row
from rosenblatt.members.stopping import End


class PassiveAggressiveModel(LinearModel):
    """What the models for labels and for numbers share."""

    def not_converged(self, voice: Voice = PYTHON) -> str:
        """The advice if `max_iter` ended a run before `tol` did."""
        return (
            f"pass {len(self.passes)} was the last, and the loss still falls by more than {voice.parameter('tol')} a "
            f"pass: {more_passes(voice, self.passes)}, or raise {voice.parameter('tol')}"
        )


class PassiveAggressiveClassifierModel(PassiveAggressiveModel):
    """One row of weights for two classes, one for each class for more."""

    kind: ClassVar[str] = "PassiveAggressiveClassifier"
    conventions: ClassVar[str] = (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = x.w + bias * last row of w; if `average` is not 0 and n = "
        "visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    )


class PassiveAggressiveRegressorModel(PassiveAggressiveModel):
    """One row of weights, whose scores are the predicted numbers. `classes` is empty."""

    kind: ClassVar[str] = "PassiveAggressiveRegressor"
    conventions: ClassVar[str] = (
        "w: a weight a feature, the constant feature's last; output = x.w + bias * last of w; if `average` is not 0 "
        "and n = visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    )
    n_classes: ClassVar[None] = None

    @property
    def labels(self) -> None:
        return

    def predict(self, X: Matrix) -> Array:
        return self.decision(X)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:  # noqa: ARG003
        none = np.empty(0)
        return cls(parameters, none, n_features=n_features, **run_from_record(n_features, none, parts))


@dataclass(frozen=True)
class PassiveAggressiveMember(LinearMember):
    """The perceptron in the frames of a run, with these steps. `parameters` are `words` in terms of a perceptron."""

    words: Any

    @classmethod
    def of(cls, words: PassiveAggressiveParameters) -> Self:
        return cls(words.perceptron(), words)

    @property
    def model_class(self) -> type[LinearModel]:  # type: ignore[override]
        return PassiveAggressiveClassifierModel

    def begin(
        self, classes: Array, X: Matrix, random: np.random.RandomState, start: Any = None
    ) -> tuple[LinearState, int | None]:
        """As for a perceptron, but the average may begin later."""
        state, seed = super().begin(classes, X, random, start)
        return state.with_changes(unaveraged=self.words.unaveraged), seed

    def visit(self, state: LinearState, rows: WeightedRows, order: Order) -> Visits:
        rule = self.words.rule()
        return Visits(*state.run(rows.rows, rows.target, rows.weight, rule, **order._asdict()))

    def model(self, state: LinearState, *counts: Any) -> LinearModel:
        model: LinearModel = super().model(state, *counts)
        model.parameters = self.words
        return model


class NumbersMember(PassiveAggressiveMember):
    """The same for numbers: a row has a loss if its output is farther than epsilon from its number."""

    @property
    def model_class(self) -> type[LinearModel]:  # type: ignore[override]
        return PassiveAggressiveRegressorModel

    def targets(
        self,
        X: Matrix,
        y: Any,
        sample_weight: Any,
        *,
        all_labels: bool,  # noqa: ARG002 - there are no labels
    ) -> tuple[Array, Array, Array | None, Array]:
        y = as_numbers(one_a_row(y, X, "numbers"), X.dtype)
        weight = None if sample_weight is None else checked_weight(sample_weight, X)
        return np.empty(0), y, weight, counting_rows(weight, X.shape[0])

    def measure(self, target: Array, decision: Array, weight: Array | None) -> float:
        """R^2, or minus the mean square if all numbers are equal, because R^2 would divide by 0."""
        squares = np.average((target - decision) ** 2, weights=weight)
        spread = np.average((target - np.average(target, weights=weight)) ** 2, weights=weight)
        return float(1 - squares / spread if spread > 0 else -squares)


def fit_numbers(
    parameters: PassiveAggressiveRegressorParameters, X: Any, y: Any, sample_weight: Any = None, **run: Any
) -> tuple[PassiveAggressiveRegressorModel, End]:
    """Learn numbers; return the model, and why the run ended. `run` is for `members.fit`.

    >>> p = PassiveAggressiveRegressorParameters(fit_intercept=False, epsilon=0, C=10, max_iter=1, shuffle=False)
    >>> fit_numbers(p, [[1.0], [2.0]], [2.0, 1.0])[0].coef
    array([[0.5]])
    """
    return fit(NumbersMember.of(parameters), X, y, sample_weight, **run)
