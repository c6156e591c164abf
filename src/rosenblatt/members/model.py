"""What every trained classifier is: parameters, classes, a state that answers, and how its run went.

A member adds how its state decides, and how it becomes a record of a model file and back.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.declare import Parameters
from rosenblatt.base.labels import answers
from rosenblatt.base.rows import Matrix, as_rows
from rosenblatt.members import MEMBERS
from rosenblatt.members.advice import PYTHON, Voice
from rosenblatt.members.calibration import Calibration

if TYPE_CHECKING:
    from rosenblatt.base.record.parts import Parts, Tensors


class Model(ABC):
    """What a model file can hold: a member of the family that has learned."""

    kind: ClassVar[str]  # the name of its estimator, also in model files
    conventions: ClassVar[str]  # how to read the tensors of its files, for a reader in another language
    n_classes: ClassVar[tuple[int, float] | None] = (1, math.inf)  # the minimum and the maximum; None: no labels
    parameters: Any
    n_features: int

    @classmethod
    def parameters_of(cls) -> type[Parameters]:
        declaration: type[Parameters] = MEMBERS[cls.kind].load("parameters")
        return declaration

    @property
    def labels(self) -> Array | None:
        return getattr(self, "classes", None)

    @abstractmethod
    def to_record(self, tensors: "Tensors") -> dict[str, Any]:
        """What it has learned, for a record; arrays join the tensors. Parameters and classes are not in it."""

    @classmethod
    @abstractmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: "Parts") -> Self:
        """The model whose record this is; every size and index is checked."""

    def facts(self) -> dict[str, Any]:
        """What is to be said of its training, beside its features and classes."""
        return {}

    @property
    def n_given(self) -> int:
        """How many features the rows that are given to it have; a model may find further ones in texts."""
        return self.n_features

    @property
    def given_texts(self) -> list[str]:
        """The columns of a table that are given to it as texts."""
        return []

    def rows(self, X: Any) -> Matrix:
        """X as rows with the right number of features."""
        X = as_rows(X)
        if X.shape[1] != self.n_features:
            raise ValueError(f"X has {X.shape[1]} features, but {self.kind} is expecting {self.n_features} features")
        return X


@dataclass
class Classifier(Model):
    """A perceptron that has learned from rows and labels."""

    parameters: Any
    classes: Array
    state: Any
    n_features: int
    n_seen: int  # rows of the fit, including those of weight 0
    n_updates: int
    passes: list[int]  # the mistakes of each pass
    mixed: list[float] | None = field(default=None, kw_only=True)  # the same, with the factors that mix several shards
    calibration: Calibration | None = field(default=None, kw_only=True)  # from scores to probabilities, if asked for

    @property
    def mistakes(self) -> Array:
        return np.asarray(self.passes, dtype=np.int64)

    @property
    def converged(self) -> bool:
        """Whether the last pass made no mistake."""
        return self.passes[-1] == 0

    def facts(self) -> dict[str, Any]:
        """What is to be said of its training."""
        return {
            "n_iter": len(self.passes),
            "n_updates": int(self.n_updates),
            "converged": self.converged,
            "mistakes_of_last_pass": self.passes[-1],
        }

    @abstractmethod
    def not_converged(self, voice: Voice = PYTHON) -> str:
        """What to say of a run that ended with mistakes where it was left to us when to end."""

    @abstractmethod
    def decision(self, X: Matrix) -> Array:
        """Scores, or for a vote the share of each side: (rows,) for two classes, (rows, classes) for more."""

    def predict(self, X: Matrix) -> Array:
        return self.labels_of(self.decision(X))

    def probabilities(self, X: Any) -> Array:
        """The probability of each class for each row, (rows, classes)."""
        return self.needed_calibration().probabilities(self.decision(X))

    def best(self, decision: Array, k: int) -> list[list[tuple[Any, float]]]:
        """The k best labels of each row, best first, with their probabilities, or their scores if there are none.

        With two classes, the score is that of the second, and its negative that of the first.
        """
        if not hasattr(k, "__index__") or k < 1:
            raise ValueError(f"k: expected a whole number from 1 on, found {k}")
        if self.calibration is not None:
            scores = self.needed_calibration().probabilities(decision)
        else:
            scores = decision if decision.ndim == 2 else np.stack([-decision, decision], axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        labels, best = self.classes.tolist(), np.take_along_axis(scores, order, axis=1)
        return [
            [(labels[c], score) for c, score in zip(*row, strict=True)]
            for row in zip(order.tolist(), best.tolist(), strict=True)
        ]

    def needed_calibration(self) -> Calibration:
        """How scores become probabilities."""
        if self.calibration is None:
            raise ValueError(f"expected a {self.kind} with probabilities, found scores alone")
        fitted, readout = self.calibration.readout, getattr(self.parameters, "readout", None)
        if fitted != readout:
            raise ValueError(
                f"readout: expected {fitted!r}, whose probabilities were fitted, found {readout!r}: fit again"
            )
        return self.calibration

    def labels_of(self, decision: Array) -> Array:
        if len(self.classes) == 1:
            return np.repeat(self.classes, len(decision))
        return np.asarray(self.classes[answers(decision, self.parameters.tie)])
