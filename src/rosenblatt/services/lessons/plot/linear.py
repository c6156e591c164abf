"""The weights to draw, from whatever has some: a fitted model, a weight vector, a certificate, a visit of a run.

A score is intercept + coef.x: for two classes there is one, positive for the second; for more there is one a class.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import check_fitted


@dataclass(frozen=True)
class Linear:
    """Scores that are linear in x; `coef` has one row for two classes, else one a class."""

    coef: Array
    intercept: Array
    classes: Array | None = None

    def scores(self, X: Any) -> Array:
        """The score of each row of X, (rows, 1) or (rows, classes)."""
        return np.asarray(X @ self.coef.T + self.intercept)

    def gaps(self, X: Any, number: Array) -> Array:
        """How far the right answer of each row is ahead: y s, or its score less that of its best rival.

        >>> AND = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> from_rows([[-4, 3, 2]], 2).gaps(AND, np.array([0, 0, 0, 1]))
        array([4., 2., 1., 1.])
        """
        scores = self.scores(X)
        if scores.shape[1] == 1:
            return np.where(number == 1, scores[:, 0], -scores[:, 0])
        own = np.arange(scores.shape[1]) == number[:, np.newaxis]
        return np.asarray(scores[own] - np.where(own, -np.inf, scores).max(axis=1))

    def on_plane(self, features: tuple[int, int], at: Array) -> Array:
        """The rows (b, w1, w2) of the scores where all features but two are as in `at`."""
        others = np.array(at, dtype=float)
        others[list(features)] = 0
        return np.column_stack([self.scores(others), self.coef[:, features]])


def from_rows(rows: Any, n_features: int, *, constant: Any = 1, classes: Any = None) -> Linear:
    """From rows of weights, the constant feature's first if they have one entry more than there are features.

    >>> from_rows([[-4, 3, 2]], 2)
    Linear(coef=array([[3., 2.]]), intercept=array([-4.]), classes=None)
    """
    W = np.array(rows, dtype=float)
    has_constant = W.shape[1] > n_features
    intercept = W[:, 0] * float(constant) if has_constant else np.zeros(len(W))
    return Linear(W[:, int(has_constant) :], intercept, classes)


def linear_of(model: Any, X: Any = None) -> Linear | None:
    """The weights of a model, a weight vector, a certificate or a trace; None if the model has none, but predicts."""
    from rosenblatt.services.lessons.trace.data import Trace
    from rosenblatt.services.proofs.certificate import Certificate

    if isinstance(model, Certificate):
        return _of_certificate(model)
    if isinstance(model, Trace):
        n_features = model.x.shape[1] - int(model.parameters["fit_intercept"])
        constant = Fraction(model.parameters["intercept_scaling"])
        return from_rows(model.weights, n_features, constant=constant, classes=model.classes)
    if hasattr(model, "predict"):
        return _of_model(model, X)
    try:
        W = np.atleast_2d(np.asarray(model, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(
            f"model must be a fitted classifier, a trace, a certificate or a weight vector, got {type(model).__name__}"
        ) from None
    if W.ndim != 2 or not np.isfinite(W).all():
        raise ValueError(f"w must be one row of finite numbers, or one a class, the constant feature's first; got {W}")
    return from_rows(W, W.shape[1] - 1)


def _of_certificate(proof: Any) -> Linear:
    if proof.weights is None:
        raise ValueError("the certificate has no weights to draw: it proves that nothing separates the data")
    largest = max(abs(value) for row in proof.weights for value in row)  # may be too large for a float
    W = [[float(Fraction(value, largest)) for value in row] for row in proof.weights]
    linear = from_rows(W, proof.n_features, constant=proof.intercept_scaling, classes=np.array(proof.classes))
    if proof.center is None:
        return linear
    center = np.array(proof.center, dtype=float)
    return Linear(linear.coef, linear.intercept - linear.coef @ center, linear.classes)


def attribute(model: Any, *names: str) -> Any:
    """What an estimator has by the first name, and a member of the family by the second; None if it has neither."""
    return next((getattr(model, name) for name in names if hasattr(model, name)), None)


def _of_model(model: Any, X: Any) -> Linear | None:
    check_fitted(model)
    classes, coef = attribute(model, "classes_", "classes"), attribute(model, "coef_", "coef")
    if classes is None:
        raise TypeError(f"model must be a classifier: {type(model).__name__} has no classes_, so no boundary")
    if coef is None:
        return None
    coef = np.atleast_2d(coef.toarray() if hasattr(coef, "toarray") else np.asarray(coef)).astype(float)
    intercept = np.asarray(attribute(model, "intercept_", "intercept"), dtype=float)
    linear = Linear(coef, np.broadcast_to(intercept, len(coef)), classes)
    if len(coef) == 1 or X is None:
        return linear
    # The rows of some models are not one a class: those of SVC are one a pair of classes.
    decision = attribute(model, "decision_function", "decision")(X)
    same = linear.scores(X).shape == np.shape(decision)
    return linear if same and np.allclose(linear.scores(X), decision, rtol=1e-3) else None
