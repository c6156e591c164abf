"""Lecture 001's first learning algorithm, Ex_learning_alg(D; k): of k given hypotheses, the best on the training set.

It learns nothing, and is what a learner has to beat. The training error never grows with k.
"""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_array, check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from rosenblatt.exceptions import all_or_nothing
from rosenblatt.labels import encode
from rosenblatt.learning.sample_weight import rows_that_count
from rosenblatt.rows import core_rows, core_weights, score, validate_rows

Array = np.ndarray[Any, Any]


class RandomHypotheses(ClassifierMixin, BaseEstimator):
    """The first of k random hyperplanes with the least training error.

    Parameters
    ----------
    k
        How many hyperplanes are tried. The first k of k + 1 are the same.
    hypotheses
        The hyperplanes to try instead of random ones, one a row: (k, n_features), or with an intercept
        (k, n_features + 1), the constant feature's weight first.
    fit_intercept
        Whether a hyperplane may miss the origin.
    random_state
        Seed of the hyperplanes.

    Attributes
    ----------
    coef_ : (1, n_features), the hyperplane kept
    intercept_ : (1,)
    classes_ : the two labels, sorted
    errors_ : the training error of each hyperplane, (k,)
    best_ : which of them was kept
    training_error_ : its training error
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    On the lecture's AND function "always no" is wrong once in four, x1 once, and x1 + x2 > 3/2 never:

    >>> from rosenblatt import RandomHypotheses
    >>> model = RandomHypotheses(hypotheses=[[0, 0, 0], [0, 1, 0], [-1.5, 1, 1]])
    >>> model = model.fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> model.errors_, model.best_, model.training_error_
    (array([0.25, 0.25, 0.  ]), 2, 0.0)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "k": [Interval(Integral, 1, None, closed="left")],
        "hypotheses": ["array-like", None],
        "fit_intercept": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self, k: int = 100, *, hypotheses: Any = None, fit_intercept: bool = True, random_state: Any = 0
    ) -> None:
        self.k = k
        self.hypotheses = hypotheses
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Try every hyperplane on all rows, and keep the first with the least (weighted) training error."""
        with all_or_nothing(self):
            X, y = validate_rows(self, X, y, reset=True)
            X, y, weight = rows_that_count(X, y, sample_weight)
            kind = type_of_target(y, input_name="y", raise_unknown=True)
            if kind != "binary":
                raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
            self.classes_, target = encode(y)
            if len(self.classes_) < 2:
                one = self.classes_.tolist()[0]
                raise ValueError(f"RandomHypotheses needs samples of 2 classes, got one class: {one!r}")
            rows, least, errors = core_rows(X), np.inf, []
            for number, (coef, intercept) in enumerate(self._hyperplanes(X)):
                is_second = score(rows, core_weights(coef, intercept, 1.0), 1, 1.0)[:, 0] > 0
                errors.append(float(np.average(is_second != target, weights=weight)))
                if errors[-1] < least:
                    least, self.best_, self.coef_, self.intercept_ = errors[-1], number, coef, intercept
            self.errors_, self.training_error_ = np.array(errors), least
        return self

    def _hyperplanes(self, X: Any) -> Iterable[tuple[Array, Array]]:
        """(1, n_features) coefficients and (1,) intercept of each, one at a time: k may be large."""
        n_features, constant = X.shape[1], int(self.fit_intercept)
        if self.hypotheses is None:
            random = check_random_state(self.random_state)
            drawn: Any = (random.standard_normal(n_features + constant) for _ in range(self.k))
        else:
            drawn = check_array(self.hypotheses, dtype=np.float64, input_name="hypotheses")
            if drawn.shape[1] not in (n_features, n_features + constant):
                expected = f"{n_features}, or {n_features + 1} with the constant feature's weight first"
                raise ValueError(
                    f"hypotheses must have {expected if constant else n_features} columns, got {drawn.shape[1]}"
                )
        for w in drawn:
            coef = w[np.newaxis, len(w) - n_features :].astype(X.dtype)
            yield coef, w[: len(w) - n_features].astype(X.dtype) if len(w) > n_features else np.zeros(1, X.dtype)

    def decision_function(self, X: Any) -> Array:
        """The scores w.x + b."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False).astype(self.coef_.dtype, copy=False)
        return np.asarray(score(core_rows(X), core_weights(self.coef_, self.intercept_, 1.0), 1, 1.0)[:, 0])

    def predict(self, X: Any) -> Array:
        """The second class where the score is over 0, else the first."""
        is_second = self.decision_function(X) > 0
        return np.asarray(self.classes_[is_second.astype(int)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags
