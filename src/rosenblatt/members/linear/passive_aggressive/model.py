"""What passive-aggressive steps have learned: a perceptron's weights, whose scores decide, or are the numbers."""

from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts
from rosenblatt.base.rows import Matrix
from rosenblatt.members.advice import PYTHON, Voice, more_passes
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.record import run_from_record


class PassiveAggressiveModel(LinearModel):
    """What both share."""

    def not_converged(self, voice: Voice = PYTHON) -> str:
        """What to say of a run that `max_iter` has ended, where `tol` was to."""
        return (
            f"pass {len(self.passes)} was the last, and the loss still falls by more than {voice.parameter('tol')} a "
            f"pass: {more_passes(voice, self.passes)}, or raise {voice.parameter('tol')}"
        )


class PassiveAggressiveClassifierModel(PassiveAggressiveModel):
    """One row of weights for two classes, one a class for more."""

    kind: ClassVar[str] = "PassiveAggressiveClassifier"
    conventions: ClassVar[str] = (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = x.w + bias * last row of w; if `average` is not 0 and n = "
        "visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    )


class PassiveAggressiveRegressorModel(PassiveAggressiveModel):
    """One row of weights, whose scores are the numbers. It has no classes: `classes` is empty."""

    kind: ClassVar[str] = "PassiveAggressiveRegressor"
    conventions: ClassVar[str] = (
        "w: a weight a feature, the constant feature's last; output = x.w + bias * last of w; if `average` is not 0 "
        "and n = visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    )
    n_classes: ClassVar[None] = None

    @property
    def labels(self) -> None:
        """There are none."""
        return

    def predict(self, X: Matrix) -> Array:
        """The number of each row."""
        return self.decision(X)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:  # noqa: ARG003
        """From a record."""
        none = np.empty(0)
        return cls(parameters, none, n_features=n_features, **run_from_record(n_features, none, parts))
