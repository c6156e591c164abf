"""The kernel perceptron as a scikit-learn classifier. The member learns and answers."""

import warnings
from dataclasses import replace
from typing import Any, ClassVar, Self

from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ScaleWarning, all_or_nothing
from rosenblatt.base.rows import as_users_have_it
from rosenblatt.doors.sklearn.callbacks import CallbackSupportMixin, callback_watch, with_callbacks
from rosenblatt.doors.sklearn.estimator import (
    FittedClassifier,
    makes_one_pass,
    of_model,
    parameters_of,
    public,
    validate_labels,
    validate_rows,
    validate_weight,
)
from rosenblatt.members.fit import untrained_model
from rosenblatt.members.kernel.model import KernelModel
from rosenblatt.members.kernel.parameters import KernelDeclaration, KernelParameters
from rosenblatt.members.kernel.perceptron import NEEDS_ROWS, KernelMember, fit_kernel, learn_more_kernel
from rosenblatt.members.kernel.values import Workers
from rosenblatt.members.scales import Scales, uneven_scales
from rosenblatt.members.stopping import End


def _may_go_on(model: Any) -> bool:
    if model.kernel == "precomputed":
        raise AttributeError(NEEDS_ROWS)
    return makes_one_pass(model)


def _in_context(parameters: KernelParameters) -> KernelParameters:
    """Turn `n_jobs` into a number of threads in joblib's context, which scikit-learn's searches set."""
    return replace(parameters, n_jobs=effective_n_jobs(parameters.n_jobs))


@public(KernelParameters)
class KernelPerceptron(FittedClassifier, CallbackSupportMixin, ClassifierMixin, BaseEstimator, KernelDeclaration):
    """The perceptron with a kernel: exactly the sequential rule, computed in blocks.

    Attributes
    ----------
    support_ : numbers of the training rows that are support vectors, in the order of their first mistakes
    support_vectors_ : these rows (none for a precomputed kernel)
    dual_coef_ : their coefficients, y alpha, in the hypothesis that answers: (1, n_support), for more than two classes
        (n_classes, n_support)
    n_support_ : how many support vectors each class has
    classes_ : the sorted labels
    n_iter_, converged_, mistakes_, n_updates_ : as for `Perceptron`
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    XOR, which no line separates, with the quadratic kernel of the lecture:

    >>> from rosenblatt import KernelPerceptron
    >>> from rosenblatt.data.lectures import XOR
    >>> model = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, readout="last", shuffle=False).fit(*XOR)
    >>> model.dual_coef_, model.decision_function(XOR.X)
    (array([[-7.,  5.,  5., -4.]]), array([-1.,  2.,  2., -3.]))
    >>> model.mistakes_, model.n_updates_, model.converged_
    (array([4, 4, 4, 4, 3, 1, 1, 0]), 21, True)
    """

    _model_class: ClassVar[type[KernelModel]] = KernelModel
    support_: Array = of_model("support_", "The numbers of the support vectors among the training rows.")
    support_vectors_: Any = of_model("support_vectors_", "The support vectors.", as_users_have_it)
    dual_coef_: Array = of_model(
        "dual_coef_", "The coefficients of the support vectors in the hypothesis that answers."
    )
    n_support_: Array = of_model("n_support_", "How many support vectors each class has.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from all rows, pass after pass, until one makes no mistake or `max_iter` ends it.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Labels of any kind.
        sample_weight
            Scales the steps: a row of weight 2 is added twice at a mistake, which is not the same as two visits. A row
            of weight 0 changes nothing, as if it were not there.
        """
        with all_or_nothing(self):
            end, scales = self._fit(X, y, sample_weight)
        if scales is not None:
            warnings.warn(scales.advice(vars(self).get("feature_names_in_")), ScaleWarning, stacklevel=3)
        if end == "plateau" and self.readout == "last":  # the other readouts are made for rows that are not separable
            warnings.warn(self._model.not_converged(), ConvergenceWarning, stacklevel=3)
        return self

    @with_callbacks
    def _fit(self, X: Any, y: Any, sample_weight: Any) -> tuple[End | None, Scales | None]:
        X, y = validate_rows(self, X, y, reset=True, without_duplicates=True)
        validate_labels(y)
        weight = validate_weight(sample_weight, X)
        watch, end = callback_watch(self, self.max_iter, X, y=y, metadata={"sample_weight": weight})
        parameters = parameters_of(self)
        model, why = fit_kernel(_in_context(parameters), X, y, weight, watch=watch)
        self._model = replace(model, parameters=parameters)
        end()
        return why, None if self.kernel == "precomputed" else uneven_scales(
            X if weight is None else X[weight != 0], 0.0
        )

    @available_if(_may_go_on)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows: one pass in the listed order, starting from the current support vectors.

        Chained calls equal one listed pass of `fit` over all the rows. New classes may come at any call; `classes`,
        optional, lists all of them at the first call.
        """
        with all_or_nothing(self):
            before = vars(self).get("_model")
            X, y = validate_rows(self, X, y, reset=before is None, without_duplicates=True)
            validate_labels(y)
            weight = validate_weight(sample_weight, X)
            parameters = parameters_of(self)
            model = learn_more_kernel(_in_context(parameters), before, X, y, classes, weight)
            self._model = replace(model, parameters=parameters)
        return self

    def _untrained_model(self, X: Any, classes: Any) -> KernelModel:
        """The model before the first visit, for rows like these. See `online`."""
        member = KernelMember(parameters_of(self), Workers(None), listed=True)
        model: KernelModel = untrained_model(member, X, classes)
        return model

    def decision_function(self, X: Any) -> Array:
        """Return the score of each row; for more than two classes, the score of each class.

        For readout="vote", the score is the share of visits that hypotheses with this answer survived: for two classes
        it goes from -1 to 1.
        """
        model = self._fitted_model()
        model = replace(model, parameters=_in_context(model.parameters))
        decision: Array = model.decision(validate_rows(self, X, reset=False, without_duplicates=True))
        return decision

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
