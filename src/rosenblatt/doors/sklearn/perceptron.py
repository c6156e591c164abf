"""The perceptron as a scikit-learn classifier: a door to the linear member, which learns and answers."""

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import SparseCoefMixin
from sklearn.utils.metaestimators import available_if

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ScaleWarning, all_or_nothing
from rosenblatt.doors.sklearn.callbacks import CallbackSupportMixin, callback_watch, with_callbacks
from rosenblatt.doors.sklearn.estimator import (
    FittedClassifier,
    engine_for,
    makes_one_pass,
    parameters_of,
    public,
    validate_labels,
    validate_rows,
    validate_weight,
)
from rosenblatt.doors.sklearn.fit_file import LearnsFromFiles
from rosenblatt.doors.sklearn.not_offered import offered, takes_what_changes_nothing
from rosenblatt.members.fit import untrained_model
from rosenblatt.members.linear.learn import LinearMethod, fit_linear, learn_more_linear
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.weights import WeightsOfModel
from rosenblatt.members.scales import Scales, uneven_scales
from rosenblatt.members.start import init_of
from rosenblatt.members.stopping import End

if TYPE_CHECKING:
    from rosenblatt.services.proofs.certificate import Certificate


def _may_go_on(model: Any) -> bool:
    if model.readout == "pocket":
        raise AttributeError("partial_fit has no training set to fill the pocket from; use readout='average'")
    return makes_one_pass(model)


def _has_weights(model: Any) -> bool:
    if model.readout == "vote":
        raise AttributeError("a vote has no single weight vector to make sparse; use readout='average'")
    return True


@public(PerceptronParameters)
class Perceptron(
    WeightsOfModel,
    FittedClassifier,
    LearnsFromFiles,
    CallbackSupportMixin,
    SparseCoefMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """The perceptron, in all the ways of the lectures.

    Attributes
    ----------
    coef_ : (1, n_features), or (n_classes, n_features) for more than two classes
    intercept_ : (1,) or (n_classes,)
    classes_ : the sorted labels
    n_iter_ : passes made
    converged_ : whether the last pass made no mistake
    mistakes_ : mistakes of each pass
    mixed_mistakes_ : the same as `shards` are mixed: the mean of the shards' mistakes, weighted as their weights are,
        summed over the rounds of a pass. On separable rows these sum up to at most (R / gamma)^2; for one shard they
        are mistakes_
    n_updates_ : how often the weights changed
    dual_coef_ : with `keep_mistakes`, how often (times the step) each training row was added: for two classes the
        weights are the sum of dual_coef_[i] y_i x_i, for more classes dual_coef_ @ X
    n_features_in_, feature_names_in_ : as scikit-learn has them
    zero_based_ : after `fit_file`, whether the file counts columns from 0

    Examples
    --------
    The lecture's AND function, in the listed order: 18 updates, and the ninth pass is clean.

    >>> from rosenblatt import Perceptron
    >>> model = Perceptron(shuffle=False).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> model.intercept_, model.coef_
    (array([-4.]), array([[3., 2.]]))
    >>> model.mistakes_, model.n_updates_, model.converged_
    (array([2, 3, 3, 2, 2, 3, 2, 1, 0]), 18, True)
    """

    _model_class: ClassVar[type[LinearModel]] = LinearModel

    @takes_what_changes_nothing
    def __init__(
        self,
        *,
        readout: Literal["last", "average", "vote", "pocket"] = "last",
        step: Literal["perceptron", "pa", "pa1", "pa2", "arow"] = "perceptron",
        tie: Literal["mistake", "positive", "negative"] = "mistake",
        margin: float | None = None,
        eta0: float = 1.0,
        C: float = 1.0,
        r: float = 1.0,
        init: Any = "zeros",
        shuffle: bool = True,
        max_iter: int | Literal["auto", "validate"] = "auto",
        tol: float | None = None,
        batch_size: int | Literal["all"] = 1,
        multiclass: Literal["argmax", "one-vs-rest"] = "argmax",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        keep_mistakes: bool = False,
        shards: int = 1,
        rounds: int | Literal["auto"] = "auto",
        n_jobs: int | None = None,
        warm_start: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.readout = readout
        self.step = step
        self.tie = tie
        self.margin = margin
        self.eta0 = eta0
        self.C = C
        self.r = r
        self.init = init
        self.shuffle = shuffle
        self.max_iter = max_iter
        self.tol = tol
        self.batch_size = batch_size
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.keep_mistakes = keep_mistakes
        self.shards = shards
        self.rounds = rounds
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.random_state = random_state

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; those of scikit-learn's perceptron that change nothing are taken too."""
        super().set_params(**offered(type(self).__name__, params, ValueError))
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, coef_init: Any = None, intercept_init: Any = None
    ) -> Self:
        """Learn from all rows, pass after pass, until one makes no mistake or `max_iter` ends it.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Labels of any kind.
        sample_weight
            Scales the steps, or what limits them: `C` of PA-I and PA-II, 1 / `r` of AROW; for "pa", which nothing
            limits, weights above 1 are as 1. A row of weight 0 changes nothing, as if it were not there.
        coef_init, intercept_init
            Where this fit starts, in the form of `coef_` and `intercept_`, as scikit-learn has it; `init` is the same
            as a parameter. What is left out is 0.
        """
        with all_or_nothing(self):
            self.__dict__.pop("zero_based_", None)
            end, scales = self._fit(X, y, sample_weight, coef_init, intercept_init)
        if scales is not None:
            warnings.warn(scales.advice(vars(self).get("feature_names_in_")), ScaleWarning, stacklevel=3)
        if end == "plateau" and self.readout == "last":  # the others are made for rows that are not separable
            warnings.warn(self._model.not_converged(), ConvergenceWarning, stacklevel=3)
        return self

    @with_callbacks
    def _fit(
        self, X: Any, y: Any, sample_weight: Any, coef_init: Any, intercept_init: Any
    ) -> tuple[End | None, Scales | None]:
        X, y = validate_rows(self, X, y, reset=True, without_duplicates=self.step != "perceptron")
        validate_labels(y)
        weight = validate_weight(sample_weight, X)
        parameters, start = parameters_of(self), None
        if coef_init is not None or intercept_init is not None:
            start = init_of(coef_init, intercept_init, X.shape[1], parameters.bias)
        before = self._model if self.warm_start and start is None and "_model" in vars(self) else None
        watch, end = callback_watch(self, self.max_iter, X, y=y, metadata={"sample_weight": weight})
        self._model, why = fit_linear(
            parameters, X, y, weight, start=start, before=before, watch=watch, engine=engine_for(self)
        )
        end()
        return why, uneven_scales(X if weight is None else X[weight != 0], parameters.bias)

    @available_if(_may_go_on)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows: one pass in the listed order, from the weights as they are.

        Chained calls equal one listed pass of `fit` over all the rows. Classes may come as they will: a new one
        starts with zero weights (`classes`, optional, lists all of them at the first call; then the chain equals
        `fit` from the start for more than two classes too). `shuffle`, `max_iter` and `warm_start` have no part in
        it. It is not there with `early_stopping`, which holds rows out.
        """
        with all_or_nothing(self):
            before = vars(self).get("_model")
            twice = self.step != "perceptron"  # |x|^2 is wrong if a column is named twice
            X, y = validate_rows(self, X, y, reset=before is None, without_duplicates=twice)
            validate_labels(y)
            weight = validate_weight(sample_weight, X)
            parameters, engine = parameters_of(self), engine_for(self)
            self._model = learn_more_linear(parameters, before, X, y, classes, weight, engine=engine)
        return self

    def _untrained(self, X: Any, classes: Any) -> LinearModel:
        """The model before the first visit, for rows like these: see `online`."""
        return untrained_model(LinearMethod(parameters_of(self)), X, classes)

    sparsify = available_if(_has_weights)(SparseCoefMixin.sparsify)

    @property
    def mixed_mistakes_(self) -> Array:
        """The mistakes of each pass as `shards` are mixed."""
        made: Array = self._fitted("mixed_mistakes_").mixed_mistakes
        return made

    @property
    def dual_coef_(self) -> Array:
        """How much of each training row was added: (n,) for two classes, (n_classes, n) for more."""
        dual: Array = self._fitted("dual_coef_").dual_coef
        return dual

    def certificate(self, X: Any, y: Any) -> "Certificate":
        """Whether the rows this model was fitted to are separable, with a proof, in the conventions of this model.

        With `keep_mistakes` every update of the run is held against it: both lemmas and the mistake bound. What does
        not hold is a RuntimeError. For the columns of this check see `rosenblatt.check_run`, for more conventions
        `rosenblatt.certify`.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> from rosenblatt.data.lectures import AND
        >>> model = Perceptron(shuffle=False, keep_mistakes=True).fit(*AND)
        >>> model.n_updates_, model.certificate(*AND).bound_exact
        (18, Fraction(51, 1))
        """
        from rosenblatt.services.proofs.check_run import check_run
        from rosenblatt.services.proofs.separability import certify

        model = self._fitted()
        if len(self.classes_) > 2 and self.multiclass != "argmax":
            raise ValueError("certificate is for multiclass='argmax'; for one against the rest, certify(X, y == label)")
        scaling = self.intercept_scaling if self.fit_intercept else 1
        proof = certify(X, y, fit_intercept=self.fit_intercept, intercept_scaling=scaling)
        if model.state.mistakes is not None and self.step == "perceptron":
            checked = check_run(self, X, y, certificate=proof)
            if not checked:
                raise RuntimeError(f"this run is not what the theorem is about: {checked.violation}")
        return proof

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
