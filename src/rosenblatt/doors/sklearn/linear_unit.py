"""The linear unit and the best of random hypotheses as scikit-learn's estimators. The members learn."""

import warnings
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.multiclass import type_of_target

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import all_or_nothing
from rosenblatt.base.rows import Matrix
from rosenblatt.doors.sklearn.estimator import (
    AnswersLabels,
    FittedModel,
    ScoresLabels,
    of_model,
    parameters_of,
    public,
    validate_labels,
    validate_rows,
    validate_weight,
)
from rosenblatt.members.neighbours.linear_unit import UnitClassifierModel, UnitModel, fit_unit, fit_unit_classifier
from rosenblatt.members.neighbours.parameters import (
    HypothesesDeclaration,
    HypothesesParameters,
    UnitClassifierDeclaration,
    UnitClassifierParameters,
    UnitDeclaration,
    UnitParameters,
)
from rosenblatt.members.neighbours.random_hypotheses import HypothesesModel, fit_hypotheses
from rosenblatt.members.neighbours.weights import set_by_hand
from rosenblatt.members.sample_weight import rows_that_count


def _settable(name: str, text: str) -> Any:
    """An attribute of the fitted model that users may set."""
    field = name.removesuffix("_")

    def set_value(estimator: Any, value: Any) -> None:
        model = estimator._fitted_model(name)
        estimator._model = replace(model, **{field: set_by_hand(name, value, getattr(model, field))})

    return of_model(name, text).setter(set_value)


class _UnitEstimator(FittedModel, BaseEstimator, UnitDeclaration):
    """What the regressor and the classifier share: the parameters, the weights, and how the run went."""

    coef_: Array = _settable("coef_", "The coefficients.")
    intercept_: Any = _settable("intercept_", "The intercept; of the regressor a number.")
    losses_: Array = of_model("losses_", "E after each pass.")
    n_iter_: int = of_model("n_iter_", "Passes made.")
    converged_: bool = of_model("converged_", "Whether `tol` was reached.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Descend until `tol` is reached or `max_iter` passes are made.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Numbers for `LinearUnit`, labels of any kind for `LinearUnitClassifier`.
        sample_weight
            The c of E; an integer one is the same as so many equal rows.
        """
        with all_or_nothing(self):
            before = self._model if self.warm_start and "_model" in vars(self) else None
            X, y = validate_rows(self, X, y, reset=before is None)
            self._model, warning = self._learn(X, y, validate_weight(sample_weight, X), before)
            if warning is not None:
                warnings.warn(warning, ConvergenceWarning, stacklevel=3)
        return self

    def _learn(self, X: Matrix, y: Array, weight: Array | None, before: Any) -> tuple[Any, str | None]:
        """Return the new model, and its warning."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@public(UnitParameters)
class LinearUnit(ScoresLabels, RegressorMixin, _UnitEstimator):
    """The linear unit as a regressor: least squares by gradient descent.

    Attributes
    ----------
    coef_ : (n_features,)
    intercept_ : a number
    n_iter_ : passes made
    converged_ : whether `tol` was reached
    losses_ : E after each pass
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    The lecture's AND function. Three steps of batch descent with eta = 1/10 give E = 42/25, 949/625, 87011/62500:

    >>> from rosenblatt import LinearUnit
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> model = LinearUnit(eta0=0.1, max_iter=3, tol=None).fit(X, y)
    >>> model.losses_.round(6)
    array([1.68    , 1.5184  , 1.392176])

    The minimum is E = 1/2 at w = (-3/2, 1, 1):

    >>> model = LinearUnit().fit(X, y)
    >>> print(f"{model.intercept_:.3f}", model.coef_.round(3), f"{model.losses_[-1]:.3f}", model.converged_)
    -1.500 [1. 1.] 0.500 True
    """

    _model_class: ClassVar[type[UnitModel]] = UnitModel

    def _learn(self, X: Matrix, y: Array, weight: Array | None, before: Any) -> tuple[UnitModel, str | None]:
        return fit_unit(parameters_of(self), X, y, weight, before=before)

    def predict(self, X: Any) -> Array:
        """The outputs o = w.x."""
        model = self._fitted_model()
        outputs: Array = model.predict(validate_rows(self, X, reset=False))
        return outputs


@public(UnitClassifierParameters)
class LinearUnitClassifier(AnswersLabels, ClassifierMixin, _UnitEstimator, UnitClassifierDeclaration):
    """The linear unit as a classifier: least squares on labels -1 and +1, and a threshold at 0.

    With more than two classes there is one unit for each, which learns it against all others; the highest score
    answers.

    Attributes
    ----------
    coef_ : (1, n_features), or (n_classes, n_features) for more than two classes
    intercept_ : (1,) or (n_classes,)
    classes_ : the sorted labels
    n_iter_ : passes made, by the unit that made most
    converged_ : whether `tol` was reached, by all units
    losses_ : E after each pass, summed over the units
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    The best fit is not the fewest mistakes. The points 0, 1 and 2, 9 are separable, yet the line (-3/5, 1/5) of least
    squares is -1/5 at 2, on the wrong side:

    >>> from rosenblatt import LinearUnitClassifier
    >>> model = LinearUnitClassifier().fit([[0], [1], [2], [9]], [-1, -1, 1, 1])
    >>> model.intercept_.round(3), model.coef_.round(3), model.predict([[2]])
    (array([-0.6]), array([[0.2]]), array([-1]))
    """

    _model_class: ClassVar[type[UnitClassifierModel]] = UnitClassifierModel

    def _learn(self, X: Matrix, y: Array, weight: Array | None, before: Any) -> tuple[UnitClassifierModel, str | None]:
        X, y, weight = rows_that_count(X, y, weight)
        validate_labels(y)
        return fit_unit_classifier(parameters_of(self), X, y, weight, before=before)


@public(HypothesesParameters)
class RandomHypotheses(AnswersLabels, ClassifierMixin, BaseEstimator, HypothesesDeclaration):
    """The first of k random hyperplanes with the least training error.

    Attributes
    ----------
    coef_ : (1, n_features), the best hyperplane
    intercept_ : (1,)
    classes_ : the two labels, sorted
    errors_ : the training error of each hyperplane, (k,)
    best_ : the number of the best hyperplane, from 0
    training_error_ : its training error
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    On the lecture's AND function, "always no" makes one mistake in four, x1 makes one, and x1 + x2 > 3/2 makes none:

    >>> from rosenblatt import RandomHypotheses
    >>> model = RandomHypotheses(hypotheses=[[0, 0, 0], [0, 1, 0], [-1.5, 1, 1]])
    >>> model = model.fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> model.errors_, model.best_, model.training_error_
    (array([0.25, 0.25, 0.  ]), 2, 0.0)
    """

    _model_class: ClassVar[type[HypothesesModel]] = HypothesesModel
    coef_: Array = _settable("coef_", "The hyperplane that was kept.")
    intercept_: Array = _settable("intercept_", "Its intercept.")
    errors_: Array = of_model("errors_", "The training error of each hyperplane.")
    best_: int = of_model("best_", "Which of them was kept.")
    training_error_: float = of_model("training_error_", "The training error of the hyperplane that was kept.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Try every hyperplane on all rows, and keep the first with the least (weighted) training error."""
        with all_or_nothing(self):
            X, y = validate_rows(self, X, y, reset=True)
            X, y, weight = rows_that_count(X, y, validate_weight(sample_weight, X))
            kind = type_of_target(y, input_name="y", raise_unknown=True)
            if kind != "binary":
                raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
            parameters = parameters_of(self)
            if self.hypotheses is not None:
                checked = check_array(self.hypotheses, dtype=np.float64, input_name="hypotheses")
                parameters = replace(parameters, hypotheses=checked)
            self._model = fit_hypotheses(parameters, X, y, weight)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags
