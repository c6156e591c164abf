"""Passive-aggressive steps under the names of scikit-learn's own classes, which scikit-learn will remove."""

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, _fit_context, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import SparseCoefMixin

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ScaleWarning, all_or_nothing
from rosenblatt.doors.sklearn.estimator import (
    FittedClassifier,
    FittedModel,
    ScoresLabels,
    of_model,
    parameters_of,
    public,
    validate_labels,
    validate_rows,
    validate_weight,
)
from rosenblatt.members.fit import fit, learn_more
from rosenblatt.members.linear.parameters import (
    PassiveAggressiveClassifierDeclaration,
    PassiveAggressiveClassifierParameters,
    PassiveAggressiveRegressorDeclaration,
    PassiveAggressiveRegressorParameters,
)
from rosenblatt.members.linear.passive_aggressive import (
    NumbersMember,
    PassiveAggressiveClassifierModel,
    PassiveAggressiveMember,
    PassiveAggressiveRegressorModel,
)
from rosenblatt.members.linear.weights import WeightsOfModel
from rosenblatt.members.run import Pass
from rosenblatt.members.scales import uneven_scales
from rosenblatt.members.start import init_of


class _PassiveAggressive(WeightsOfModel, FittedModel, SparseCoefMixin):
    """What the classifier and the regressor share."""

    @property
    def n_iter_(self) -> int:
        """The number of passes."""
        return len(self._fitted_model("n_iter_").passes)

    @property
    def t_(self) -> int:
        """The number of visits plus 1."""
        return int(self._fitted_model("t_").state.visits) + 1

    _member: ClassVar[type[PassiveAggressiveMember]]

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, sample_weight: Any) -> Self:
        with all_or_nothing(self):
            X, y = validate_rows(self, X, y, reset=True, without_duplicates=True)
            if is_classifier(self):
                validate_labels(y)
            parameters, start = parameters_of(self), None
            if coef_init is not None or intercept_init is not None:
                start = init_of(coef_init, intercept_init, X.shape[1], float(parameters.fit_intercept))
            elif parameters.warm_start:
                start = vars(self).get("_model")
            weight = validate_weight(sample_weight, X)
            watch = _print_pass if parameters.verbose else None
            self._model, end = fit(self._member.of(parameters), X, y, weight, watch, start=start)
        scales = uneven_scales(X if weight is None else X[weight != 0], float(parameters.fit_intercept))
        if scales is not None:
            warnings.warn(scales.advice(vars(self).get("feature_names_in_")), ScaleWarning, stacklevel=4)
        if end == "limit" and parameters.tol is not None:
            warnings.warn(self._model.not_converged(), ConvergenceWarning, stacklevel=4)
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        with all_or_nothing(self):
            parameters, before = parameters_of(self), vars(self).get("_model")
            if parameters.early_stopping:
                raise ValueError("early_stopping: expected False for partial_fit, which holds no rows out; found True")
            X, y = validate_rows(self, X, y, reset=before is None, without_duplicates=True)
            if is_classifier(self):
                validate_labels(y)
            weight = validate_weight(sample_weight, X)
            self._model = learn_more(self._member.of(parameters), before, X, y, classes, weight)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _print_pass(last: Pass) -> None:
    print(f"pass {last.number}: {last.mistakes} updates")


@public(PassiveAggressiveClassifierParameters)
class PassiveAggressiveClassifier(
    _PassiveAggressive, FittedClassifier, ClassifierMixin, BaseEstimator, PassiveAggressiveClassifierDeclaration
):
    """`Perceptron(step="pa1")` in the words of scikit-learn's `PassiveAggressiveClassifier`, with its weights.

    With more than two classes, each is learned against the rest, as in scikit-learn. On dense rows in the listed order,
    for as many passes, the weights are those of scikit-learn; sparse rows give the same as dense ones.

    Attributes
    ----------
    coef_ : (1, n_features), or (n_classes, n_features) for more than two classes
    intercept_ : (1,) or (n_classes,)
    classes_ : the sorted labels
    n_iter_ : passes made
    converged_ : whether the last pass had nothing to correct
    mistakes_ : updates of each pass: rows that were wrong or inside the margin
    n_updates_ : how often the weights changed
    t_ : the number of visits plus 1
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    >>> from rosenblatt import PassiveAggressiveClassifier
    >>> X, y = [[0, 1], [1, 0], [2, 2]], ["no", "no", "yes"]
    >>> model = PassiveAggressiveClassifier(C=0.5, max_iter=5, tol=None, shuffle=False).fit(X, y)
    >>> model.predict([[0, 0], [3, 3]])
    array(['no', 'yes'], dtype='<U3')
    """

    _member: ClassVar[type[PassiveAggressiveMember]] = PassiveAggressiveMember
    _model_class: ClassVar[type[PassiveAggressiveClassifierModel]] = PassiveAggressiveClassifierModel

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Learn from all rows, pass after pass, until `tol` is reached or `max_iter` passes are made.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Labels of any kind.
        coef_init, intercept_init
            The weights that this fit starts with, in the form of `coef_` and `intercept_`. Default: 0.
        sample_weight
            Weights of the rows. A row of weight 0 changes nothing, as if it were not there.
        """
        return self._fit(X, y, coef_init, intercept_init, sample_weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows: one pass in the listed order, starting from the current weights.

        New classes may come at any call; `classes`, optional, lists all of them at the first call.
        """
        return self._partial_fit(X, y, classes, sample_weight)


@public(PassiveAggressiveRegressorParameters)
class PassiveAggressiveRegressor(
    _PassiveAggressive, ScoresLabels, RegressorMixin, BaseEstimator, PassiveAggressiveRegressorDeclaration
):
    """Regression by passive-aggressive steps, in the words of scikit-learn's class, with its weights.

    A row whose output is farther than `epsilon` from its number moves the weights just far enough towards it, limited
    by `C`. On dense rows in the listed order, for as many passes, the weights are those of scikit-learn; sparse rows
    give the same as dense ones.

    Attributes
    ----------
    coef_ : (n_features,)
    intercept_ : (1,)
    n_iter_ : passes made
    converged_ : whether in the last pass no row was farther off than `epsilon`
    mistakes_ : updates of each pass: rows farther off than `epsilon`
    t_ : the number of visits plus 1
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    The first row moves w from 0 to 2. The second row is then wrong by 3; its step of 3/4 gives w = 2 - 3/4 * 2 = 1/2.

    >>> from rosenblatt import PassiveAggressiveRegressor
    >>> model = PassiveAggressiveRegressor(C=10, epsilon=0, fit_intercept=False, shuffle=False, max_iter=1, tol=None)
    >>> model.fit([[1], [2]], [2, 1]).coef_
    array([0.5])
    """

    _member: ClassVar[type[PassiveAggressiveMember]] = NumbersMember
    _model_class: ClassVar[type[PassiveAggressiveRegressorModel]] = PassiveAggressiveRegressorModel
    converged_: bool = of_model("converged_", "Whether in the last pass no row was farther off than `epsilon`.", bool)
    mistakes_: Array = of_model("mistakes_", "The updates of each pass.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Learn from all rows, pass after pass, until `tol` is reached or `max_iter` passes are made.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Numbers.
        coef_init, intercept_init
            The weights that this fit starts with, in the form of `coef_` and `intercept_`. Default: 0.
        sample_weight
            Weights of the rows. A row of weight 0 changes nothing, as if it were not there.
        """
        return self._fit(X, y, coef_init, intercept_init, sample_weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from further rows: one pass in the listed order, starting from the current weights."""
        return self._partial_fit(X, y, None, sample_weight)

    def _shape_coef(self, coef: Any) -> Any:
        return coef[0] if isinstance(coef, np.ndarray) else coef

    def predict(self, X: Any) -> Array:
        """The number of each row."""
        numbers: Array = self._fitted_model().decision(validate_rows(self, X, reset=False))
        return numbers
