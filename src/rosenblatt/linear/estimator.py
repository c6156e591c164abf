"""The perceptron: w <- w + tau y x at every mistake (Rosenblatt 1957), as a scikit-learn classifier.

On separable data it makes at most (R / gamma)^2 mistakes (Novikoff 1962), whatever the order, and stops at the first
pass without one. Thin: it validates, calls the core, and sets the fitted attributes.
"""

import warnings
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import SparseCoefMixin
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if

from rosenblatt import _core
from rosenblatt.exceptions import all_or_nothing
from rosenblatt.labels import merge, rows_after
from rosenblatt.learning.passes import Training, held_out_of, run_passes
from rosenblatt.learning.sample_weight import part, step_weights
from rosenblatt.learning.stopping import End, Stopping, not_converged
from rosenblatt.linear.answer import LinearAnswers, run_attributes
from rosenblatt.linear.parameters import (
    PERCEPTRON,
    refuses_what_is_not_offered,
    resolve_batch_size,
    resolve_init,
    resolve_margin,
)
from rosenblatt.linear.state import Array, LinearState, as_type
from rosenblatt.rows import Matrix, core_rows, core_weights, is_sparse, validate_rows, without_duplicates
from rosenblatt.stream.fit import LearnsFromFiles


def _has_no_pocket(model: Any) -> bool:
    if model.readout == "pocket":
        raise AttributeError("partial_fit has no training set to fill the pocket from; use readout='average'")
    return True


def _has_weights(model: Any) -> bool:
    if model.readout == "vote":
        raise AttributeError("a vote has no single weight vector to make sparse; use readout='average'")
    return True


class Perceptron(LinearAnswers, LearnsFromFiles, CallbackSupportMixin, SparseCoefMixin, ClassifierMixin, BaseEstimator):
    """The perceptron, in all the ways of the lectures.

    Parameters
    ----------
    readout
        Which weights answer. "last": those after the last visit. "average": the mean of the weights after each visit,
        the best choice for real data. "vote": every weight vector votes, once for each visit it survived. "pocket":
        the weights with the fewest mistakes on the training set (each new weight vector is tried on it, which takes
        time on large inseparable data, so that max_iter="auto" makes fewer passes). Else it never changes the run, and
        it may be changed after the fit.
    step
        How far to step. "perceptron": `eta0`. "pa", "pa1", "pa2": passive-aggressive, just far enough to reach the
        margin, limited by `C`. "arow": confidence-weighted, second order, with `r`.
    tie
        What a score of 0 is. "mistake": wrong for either class, the lectures' y s <= 0. "positive": sign(0) = +1.
        "negative": sign(0) = -1. With more than two classes a tie goes to the last or the first of them.
    margin
        How far ahead the right answer must be: y s <= margin is a mistake. None: 0, and 1 for PA and AROW (for which
        y s = margin is right, as there is nothing to correct).
    eta0
        The learning rate. From a zero start without margin it only scales the weights.
    C
        The largest step of "pa1", the aggressiveness of "pa2".
    r
        The regularisation of "arow": the larger, the smaller its steps.
    init
        The start: "zeros", "random" (normal), or an array of one row for two classes, one a class for more; with an
        intercept the rows may have one entry more, the constant feature's weight first, as in the lectures.
    shuffle
        Whether each pass takes the rows in a new random order; else in the listed one.
    max_iter
        The most passes. "auto" goes on until a pass is clean within a budget of visits that separates small separable
        sets; over large sets it goes on as long as passes make fewer and fewer mistakes. See
        `rosenblatt.learning.stopping`.
    tol
        With a number, a run also ends when the loss of its passes has not fallen by more than `tol` a row for
        `n_iter_no_change` passes. None: it does not.
    batch_size
        1 is the online rule. b adds the mistakes of b rows, all scored with the weights before them, as one sum;
        "all" is batch gradient descent on the perceptron loss.
    multiclass
        "argmax": one weight row a class, the right class against its best rival, two rows move. "one-vs-rest": one
        binary perceptron a class.
    fit_intercept
        Whether to add the lectures' constant feature, the same for dense and sparse data.
    intercept_scaling
        The value of the constant feature.
    class_weight
        Weights of the classes, which scale the steps: a dict, or "balanced".
    early_stopping
        Whether to hold out a part of the rows and stop when the score on it no longer improves.
    validation_fraction
        The part held out.
    n_iter_no_change
        For how many passes the loss or the score may stand still.
    keep_mistakes
        Whether to keep the mistakes, and so `dual_coef_` and the readouts "average" and "vote", whatever `readout` is.
    warm_start
        Whether a further `fit` starts from the last weights.
    random_state
        Seed of the orders, the random start and the part held out.

    Attributes
    ----------
    coef_ : (1, n_features), or (n_classes, n_features) for more than two classes
    intercept_ : (1,) or (n_classes,)
    classes_ : the sorted labels
    n_iter_ : passes made
    converged_ : whether the last pass made no mistake
    mistakes_ : mistakes of each pass
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

    _parameter_constraints = PERCEPTRON

    @refuses_what_is_not_offered
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
        max_iter: int | Literal["auto"] = "auto",
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
        self.warm_start = warm_start
        self.random_state = random_state

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
            Scales the steps. A row of weight 0 changes nothing, as if it were not there.
        """
        with all_or_nothing(self):
            self.__dict__.pop("zero_based_", None)
            end = self._fit(X, y, sample_weight)
        if end in ("limit", "plateau"):
            warnings.warn(not_converged(self._passes), ConvergenceWarning, stacklevel=3)
        return self

    @with_callbacks
    def _fit(self, X: Any, y: Any, sample_weight: Any) -> End | None:
        X, y = self._validate(X, y, reset=True)
        classes, target, weight, rows = step_weights(X, y, sample_weight, self.class_weight, all_labels=True)
        if len(classes) < 2:
            raise ValueError(f"Perceptron needs at least 2 classes, got samples of only one class: {classes.tolist()}")
        random = check_random_state(self.random_state)
        held_out = None
        if self.early_stopping:
            rows, held_out = held_out_of(rows, target, self.validation_fraction, random)
        if len(rows) < X.shape[0]:
            core_rows(X)  # before rows are taken from it: an error has the number of the row in X
        state = self._begin(classes, X, random)
        seed = int(random.randint(np.iinfo(np.int64).max, dtype=np.int64)) if self.shuffle else None
        stopping = Stopping(
            n_rows=len(rows),
            n_values=X.nnz if is_sparse(X) else X.size,
            max_iter=self.max_iter,
            tol=0.0 if self.early_stopping and self.tol is None else self.tol,
            n_iter_no_change=self.n_iter_no_change,
            one_by_one=self.early_stopping,
            pocket=self.readout == "pocket",
        )
        self.n_updates_ = run_passes(
            self,
            Training(X, y, target, weight, rows, held_out),
            state,
            self._rule(len(rows)),
            stopping,
            seed,
            lambda state, passes: run_attributes(state, classes, X.shape[0], passes),
        )
        self.n_iter_, self.converged_ = len(stopping.mistakes), stopping.end == "clean"
        self._set_run(state, classes, X.shape[0], stopping.mistakes)
        return stopping.end

    @available_if(_has_no_pocket)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows: one pass in the listed order, from the weights as they are.

        Chained calls equal one listed pass of `fit` over all the rows. Classes may come as they will: a new one
        starts with zero weights (`classes`, optional, lists all of them at the first call; then the chain equals
        `fit` from the start for more than two classes too). `shuffle`, `max_iter`, `early_stopping` and `warm_start`
        have no part in it.
        """
        if self.class_weight == "balanced":
            raise ValueError("class_weight='balanced' needs all labels at once; give partial_fit a dict of weights")
        with all_or_nothing(self):
            return self._partial_fit(X, y, classes, sample_weight, first=not hasattr(self, "_state"))

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any, *, first: bool) -> Self:
        X, y = self._validate(X, y, reset=first)
        own, target, weight, rows = step_weights(X, y, sample_weight, self.class_weight, all_labels=False)
        merged = merge(own[:0] if first else self.classes_, own if classes is None else np.asarray(classes))
        if not np.isin(own, merged).all():
            raise ValueError(f"y has labels that are not in classes: {np.setdiff1d(own, merged).tolist()}")
        target = np.searchsorted(merged, own).astype(np.int32)[target]
        state = self._begin(merged, X, check_random_state(self.random_state)) if first else self._state.without_pocket()
        if (state.spread is None) == (self.step == "arow"):
            raise ValueError("partial_fit cannot change step to or from 'arow', which has a variance for each weight")
        if len(merged) == 1 and state.start is not None:
            raise ValueError("partial_fit with init needs all classes at the first call: classes=...")
        if not first:
            state = self._with_classes(state, self.classes_, merged)
        state = state.in_units_of(self._unit)
        if len(merged) == 1:  # the only class so far counts as positive until another one comes
            target = target + np.int32(1)
        X = as_type(X, state.w.dtype)
        core = core_rows(X, check=len(rows) < X.shape[0])
        X, target, weight = part(rows, X, target, weight)
        seen = 0 if first else self._n_seen
        with state.all_or_nothing(X):
            mistakes, _, updates = state.train(
                core if len(core) == len(rows) else core_rows(X, check=False),
                X,
                target,
                None if weight is None else weight.astype(X.dtype, copy=False),
                self._rule(len(rows)),
                number=seen + rows,
                seed=None,
                first_pass=0,
                passes=1,
            )
        passes = [] if first else self._passes
        passes.append(int(mistakes[0]))
        self.n_updates_ = updates + (0 if first else self.n_updates_)
        self.n_iter_, self.converged_ = len(passes), passes[-1] == 0
        return self._set_run(state, merged, seen + len(y), passes)

    sparsify = available_if(_has_weights)(SparseCoefMixin.sparsify)

    def _validate(self, X: Any, y: Any, *, reset: bool) -> tuple[Matrix, Array]:
        X, y = validate_rows(self, X, y, reset=reset)
        # |x|^2 is wrong if a column is named twice; scores and sums do not mind.
        return (X if self.step == "perceptron" else without_duplicates(X)), y

    def _begin(self, classes: Array, X: Matrix, random: np.random.RandomState) -> LinearState:
        """The state before the first visit: `init`, or with `warm_start` the last weights of the fit before."""
        if self.step == "arow" and (self.readout == "vote" or self.keep_mistakes):
            raise ValueError(
                "an AROW step is not a multiple of its example, so its mistakes cannot be kept or vote; "
                "use readout='average'"
            )
        n_rows, n_features = _n_rows(classes), X.shape[1]
        bias = float(self.intercept_scaling) if self.fit_intercept else 0.0
        if self.warm_start and hasattr(self, "_state"):
            if not np.array_equal(classes, self.classes_):
                raise ValueError(f"warm_start needs the same classes: {self.classes_} before, {classes} now")
            if (before := len(self._state.w) - 1) != n_features:
                raise ValueError(f"warm_start needs the same features: {before} before, {n_features} now")
            w = self._state.in_units_of(self._unit).w.astype(X.dtype)
        else:
            coef, constant = resolve_init(self.init, n_rows, n_features, constant=self.fit_intercept, random=random)
            w = core_weights((coef / self._unit).astype(X.dtype), constant / self._unit, 1.0)
        return LinearState.begin(
            w, n_rows, bias, self._unit, step=self.step, readout=self.readout, keep_mistakes=self.keep_mistakes
        )

    def _with_classes(self, state: LinearState, old: Array, new: Array) -> LinearState:
        """The state for more classes than before."""
        if len(new) == len(old):
            return state
        mirror = 0.5 if self.step != "perceptron" and self.multiclass == "argmax" else 1.0
        return state.grown(_n_rows(new), rows_after(old, new, mirror))

    @property
    def _unit(self) -> float:
        return float(self.eta0) if self.step == "perceptron" else 1.0

    def _rule(self, n_samples: int) -> Any:
        return _core.Rule(
            tie=self.tie,
            margin=resolve_margin(self.margin, self.step) / self._unit,
            step=self.step,
            C=self.C,
            r=self.r,
            multiclass=self.multiclass,
            batch_size=resolve_batch_size(self.batch_size, self.step, n_samples),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _n_rows(classes: Array) -> int:
    return 1 if len(classes) <= 2 else len(classes)
