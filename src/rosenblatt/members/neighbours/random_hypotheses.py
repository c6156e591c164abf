"""Lecture 001's first learning algorithm, Ex_learning_alg(D; k): the best of k given hypotheses on the training set.

It does not learn; a learner must be better than it. The training error never grows with k.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.labels import answers, encode
from rosenblatt.base.record.parts import FLOATS, NUMBERS, Parts, Tensors
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows, core_weights, score
from rosenblatt.members.model import Model
from rosenblatt.members.neighbours.parameters import HypothesesParameters
from rosenblatt.members.neighbours.weights import outputs
from rosenblatt.members.randomness import random_state
from rosenblatt.members.sample_weight import one_a_row, rows_that_count


@dataclass
class HypothesesModel(Model):
    """The best hyperplane, and the training error of all hyperplanes."""

    kind: ClassVar[str] = "RandomHypotheses"
    conventions: ClassVar[str] = "score = coef_.x + intercept_, positive for the second class"
    n_classes: ClassVar[tuple[int, float]] = (2, 2)
    parameters: HypothesesParameters
    classes: Array
    coef: Array  # (1, n_features)
    intercept: Array  # (1,)
    errors: Array  # the error of each hyperplane
    best: int  # the number of the best hyperplane
    n_features: int = field(init=False)

    def __post_init__(self) -> None:
        self.n_features = self.coef.shape[1]

    @property
    def training_error(self) -> float:
        """The error of the best hyperplane."""
        return float(self.errors[self.best])

    def decision(self, X: Any) -> Array:
        return outputs(self.rows(X), self.coef, self.intercept)[:, 0]

    def predict(self, X: Any) -> Array:
        """The second class if the score is above 0, else the first."""
        return self.labels_of(self.decision(X))

    def labels_of(self, decision: Array) -> Array:
        return np.asarray(self.classes[answers(decision, "mistake")])

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        arrays = {"coef_": self.coef, "intercept_": self.intercept, "errors_": self.errors}
        tensors |= {name: np.asarray(value) for name, value in arrays.items()}
        return {"best": int(self.best)}

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        assert classes is not None
        coef = parts.tensor("coef_", (1, n_features), *FLOATS)
        intercept = parts.tensor("intercept_", (1,), *NUMBERS)
        errors, best = parts.tensor("errors_", (None,), "float64"), parts.count("best")
        if best >= len(errors):
            raise ValueError(f"best: expected one of the {len(errors)} hypotheses, found {best}")
        return cls(parameters, classes, coef, intercept, errors, best)


def fit_hypotheses(parameters: HypothesesParameters, X: Any, y: Any, sample_weight: Any = None) -> HypothesesModel:
    """Try every hyperplane on all rows, and keep the first with the least (weighted) training error.

    >>> model = fit_hypotheses(HypothesesParameters(hypotheses=[[0.0], [1.0]]), [[-1], [2]], ["no", "yes"])
    >>> model.errors, model.best, model.predict([[-3], [3]])
    (array([0.5, 0. ]), 1, array(['no', 'yes'], dtype='<U3'))
    """
    X = as_rows(X)
    X, y, weight = rows_that_count(X, one_a_row(y, X, "labels"), sample_weight)
    classes, target = encode(y)
    if len(classes) != 2:
        number_of_classes = f"{len(classes)} classes" if len(classes) != 1 else f"one class: {classes.tolist()[0]!r}"
        raise ValueError(f"RandomHypotheses needs samples of 2 classes, got {number_of_classes}")
    rows, least, errors = core_rows(X), np.inf, []
    for number, (coef, intercept) in enumerate(_hyperplanes(parameters, X)):
        is_second = score(rows, core_weights(coef, intercept, 1.0), 1, 1.0)[:, 0] > 0
        errors.append(float(np.average(is_second != target, weights=weight)))
        if errors[-1] < least:
            least, best, best_plane = errors[-1], number, (coef.copy(), intercept.copy())
    return HypothesesModel(parameters, classes, *best_plane, np.array(errors), best)


def _hyperplanes(p: HypothesesParameters, X: Matrix) -> Iterable[tuple[Array, Array]]:
    """(1, n_features) coefficients and (1,) intercept of each, one at a time, because k may be large."""
    n_features, constant = X.shape[1], int(p.fit_intercept)
    if p.hypotheses is None:
        random = random_state(p.random_state)
        drawn: Any = (random.standard_normal(n_features + constant) for _ in range(p.k))
    else:
        drawn = _rows_of(p.hypotheses)
        if drawn.shape[1] not in (n_features, n_features + constant):
            expected = f"{n_features}, or {n_features + 1} with the constant feature's weight first"
            raise ParameterError(
                f"hypotheses must have {expected if constant else n_features} columns, got {drawn.shape[1]}"
            )
    for w in drawn:
        w = as_type(w, X.dtype)
        yield w[np.newaxis, len(w) - n_features :], w[:1] if len(w) > n_features else np.zeros(1, X.dtype)


def _rows_of(hypotheses: Any) -> Array:
    rows = np.asarray(hypotheses, dtype=np.float64)
    if rows.ndim != 2 or len(rows) == 0:
        raise ParameterError(f"hypotheses: expected one hyperplane a row, found an array of shape {rows.shape}")
    if not np.isfinite(rows).all():
        raise ParameterError(f"hypotheses: expected finite numbers, found {rows[~np.isfinite(rows)][0]}")
    return rows
