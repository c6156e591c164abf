"""The perceptron as a scikit-learn classifier. The linear member learns and answers."""

import os
import warnings
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import SparseCoefMixin
from sklearn.utils.metaestimators import available_if

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ScaleWarning, all_or_nothing
from rosenblatt.doors.sklearn.callbacks import CallbackSupportMixin, callback_watch, with_callbacks
from rosenblatt.doors.sklearn.estimator import (
    FittedClassifier,
    NotOffered,
    drop_not_offered,
    engine_for,
    makes_one_pass,
    of_model,
    parameters_of,
    public,
    validate_labels,
    validate_rows,
    validate_weight,
)
from rosenblatt.members.fit import fit, learn_more, untrained_model
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronDeclaration, PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.linear.weights import WeightsOfModel
from rosenblatt.members.run import Watch
from rosenblatt.members.scales import Scales, uneven_scales
from rosenblatt.members.start import init_of
from rosenblatt.members.stopping import End
from rosenblatt.services.files.compressed import FileLike, expand_names
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.stream.fit import Fitted, fit_in_memory, fit_stream, open_stream
from rosenblatt.services.stream.streams import Stream

if TYPE_CHECKING:
    from rosenblatt.doors.sklearn.table_encoding import TableEncoding
    from rosenblatt.services.files.table_file import Format
    from rosenblatt.services.proofs.certificate import Certificate


def _may_go_on(model: Any) -> bool:
    if model.readout == "pocket":
        raise AttributeError("partial_fit has no training set to fill the pocket from; use readout='average'")
    return makes_one_pass(model)


def _has_weights(model: Any) -> bool:
    if model.readout == "vote":
        raise AttributeError("a vote has no single weight vector to make sparse; use readout='average'")
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, Real)


def _never(value: Any) -> bool:  # noqa: ARG001
    return False


_NOT_REGULARISED = "a perceptron is not regularised; use step='pa1' with a small C, step='arow', or readout='average'"
_PA1, _PA2 = "use step='pa1', whose largest step is C", "use step='pa2', whose steps C softens"
_NUMBERS = "PassiveAggressiveRegressor and LinearUnit learn numbers"
_PROBABILITIES = (
    "this is a loss for probabilities; use sklearn.calibration.CalibratedClassifierCV(Perceptron(...)) for these, or "
    "step='pa1'"
)

_NOT_OFFERED: dict[str, NotOffered] = {
    "penalty": NotOffered(lambda value: value is None, _NOT_REGULARISED),
    "alpha": NotOffered(_is_number, _NOT_REGULARISED),  # has no effect without a penalty
    "l1_ratio": NotOffered(lambda value: value is None or _is_number(value), _NOT_REGULARISED),
    "verbose": NotOffered(
        lambda value: isinstance(value, Integral) and value == 0,
        "use set_callbacks(ProgressBar()) of sklearn.callback (scikit-learn 1.9 and newer) to watch the passes",
    ),
    "average": NotOffered(
        lambda value: value is False,
        "use readout='average'; PassiveAggressiveClassifier has average, also with the visit that it begins with",
    ),
    "loss": NotOffered(
        lambda value: value == "perceptron",
        "use step and margin to choose the rule: step='perceptron' with margin=0 is the perceptron loss",
        {
            "hinge": _PA1,
            "squared_hinge": _PA2,
            "log_loss": _PROBABILITIES,
            "modified_huber": _PROBABILITIES,
            **dict.fromkeys(("epsilon_insensitive", "squared_epsilon_insensitive", "squared_error", "huber"), _NUMBERS),
        },
    ),
    "learning_rate": NotOffered(
        lambda value: value == "constant",
        "the rate is always eta0; use readout='average' in place of a rate that falls",
        {"pa1": _PA1, "pa2": _PA2},
    ),
    "power_t": NotOffered(_is_number, "the rate is always eta0"),  # has no effect with a constant rate
    "epsilon": NotOffered(_is_number, _NUMBERS),  # has no effect on a classifier's loss
    "dual": NotOffered(_never, "leave it out: rows are learned one by one; KernelPerceptron has dual coefficients"),
    "solver": NotOffered(_never, "leave it out: there is one, pass after pass over the rows; step chooses the rule"),
    "multi_class": NotOffered(
        _never,
        "use multiclass='argmax' or 'one-vs-rest'",
        {"ovr": "use multiclass='one-vs-rest'", "crammer_singer": "use multiclass='argmax'"},
    ),
}


@public(PerceptronParameters, **_NOT_OFFERED)
class Perceptron(
    WeightsOfModel,
    FittedClassifier,
    CallbackSupportMixin,
    SparseCoefMixin,
    ClassifierMixin,
    BaseEstimator,
    PerceptronDeclaration,
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
    mixed_mistakes_ : with `shards`, the mean of the shards' mistakes, with the factors that mix their weights, summed
        over the rounds of a pass. On separable rows the sum of all passes is at most (R / gamma)^2; with one shard they
        equal mistakes_
    n_updates_ : how often the weights changed
    dual_coef_ : with `keep_mistakes`, how often (times the step) each training row was added: for two classes the
        weights are the sum of dual_coef_[i] y_i x_i, for more classes dual_coef_ @ X
    n_features_in_, feature_names_in_ : as scikit-learn has them
    zero_based_ : after `fit_file`, whether the file counts columns from 0

    Examples
    --------
    The lecture's AND function, in the listed order: 18 updates, and the ninth pass makes no mistake.

    >>> from rosenblatt import Perceptron
    >>> model = Perceptron(shuffle=False).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> model.intercept_, model.coef_
    (array([-4.]), array([[3., 2.]]))
    >>> model.mistakes_, model.n_updates_, model.converged_
    (array([2, 3, 3, 2, 2, 3, 2, 1, 0]), 18, True)
    """

    _model_class: ClassVar[type[LinearModel]] = LinearModel
    mixed_mistakes_: Array = of_model("mixed_mistakes_", "The mistakes of each pass as `shards` are mixed.")
    dual_coef_: Array = of_model(
        "dual_coef_", "How much of each training row was added: (n,) for two classes, (n_classes, n) for more."
    )

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; parameters of scikit-learn's perceptron that change nothing are accepted too."""
        super().set_params(**drop_not_offered(type(self).__name__, params, _NOT_OFFERED, ValueError))
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
            Multiplies the step of each row, or its limit: `C` of PA-I and PA-II, 1 / `r` of AROW. For "pa", which has
            no limit, weights above 1 count as 1. A row of weight 0 changes nothing, as if it were not there.
        coef_init, intercept_init
            The weights that this fit starts with, in the form of `coef_` and `intercept_`, as in scikit-learn. Default:
            0. The parameter `init` does the same.
        """
        with all_or_nothing(self):
            self.__dict__.pop("zero_based_", None)
            end, scales = self._fit(X, y, sample_weight, coef_init, intercept_init)
        if scales is not None:
            warnings.warn(scales.advice(vars(self).get("feature_names_in_")), ScaleWarning, stacklevel=3)
        if end == "plateau" and self.readout == "last":  # the other readouts are made for rows that are not separable
            warnings.warn(self._model.not_converged(), ConvergenceWarning, stacklevel=3)
        return self

    @with_callbacks
    def _fit(
        self, X: Any, y: Any, sample_weight: Any, coef_init: Any, intercept_init: Any
    ) -> tuple[End | None, Scales | None]:
        X, y = validate_rows(self, X, y, reset=True, without_duplicates=self.step != "perceptron")
        validate_labels(y)
        weight = validate_weight(sample_weight, X)
        parameters = parameters_of(self)
        start: Any = vars(self).get("_model") if self.warm_start else None
        if coef_init is not None or intercept_init is not None:
            start = init_of(coef_init, intercept_init, X.shape[1], parameters.bias)
        watch, end = callback_watch(self, self.max_iter, X, y=y, metadata={"sample_weight": weight})
        member, engine = LinearMember(parameters), engine_for(self)
        self._model, why = fit(member, X, y, weight, watch, start=start, engine=engine)
        end()
        return why, uneven_scales(X if weight is None else X[weight != 0], parameters.bias)

    @available_if(_may_go_on)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows: one pass in the listed order, starting from the current weights.

        Chained calls equal one listed pass of `fit` over all the rows. New classes may come at any call: they start
        with zero weights. (`classes`, optional, lists all of them at the first call; then the chain equals `fit` from
        the start for more than two classes too.) `shuffle`, `max_iter` and `warm_start` have no effect. With
        `early_stopping` there is no `partial_fit`, because one pass has no rows to hold out.
        """
        with all_or_nothing(self):
            before = vars(self).get("_model")
            twice = self.step != "perceptron"  # |x|^2 would be wrong if a row has a column twice
            X, y = validate_rows(self, X, y, reset=before is None, without_duplicates=twice)
            validate_labels(y)
            weight = validate_weight(sample_weight, X)
            member, engine = LinearMember(parameters_of(self)), engine_for(self)
            self._model = learn_more(member, before, X, y, classes, weight, engine=engine)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_file(
        self,
        path: FileLike | Sequence[FileLike],
        *,
        n_features: int | None = None,
        dtype: Any = np.float64,
        zero_based: bool | Literal["auto"] = "auto",
        encoding: "TableEncoding | None" = None,
        format: "Format | None" = None,  # noqa: A002
        delimiter: str | None = None,
        cache: "str | os.PathLike[str] | None" = None,
        checkpoint: "str | os.PathLike[str] | None" = None,
        resume: bool = False,
        checkpoint_seconds: float = 10.0,
        watch: Watch | None = None,
    ) -> Self:
        r"""Learn from a file of svmlight text, or from a table, block by block, in little memory.

        The rows come in the listed order; `shuffle` is ignored. With two classes the result equals `fit` on all rows in
        memory in this order, to the bit; a third class and further ones start with zero weights when they first come.
        Only the readouts "last" and "average" are available.

        Several files are read into memory; then `cache`, `checkpoint` and `watch` are not available. With `shards`,
        even one file is read into memory, and the result is that of `fit` on all rows: shuffled if `shuffle` is True,
        as in `rosenblatt train`.

        Parameters
        ----------
        path
            As in `read_svmlight`; or several of these in a list, or a pattern such as "part-*.svm", whose files are
            taken in the order of their names: one data set, as wide as the widest of them.
        n_features, dtype, zero_based
            As in `read_svmlight`.
        encoding
            If given, the file is a table: CSV, Parquet or Arrow, by its name. Fit the encoding first, to this file or
            to a similar one, and save it with the model: `save(model, path, encoding=encoding)`.
        format, delimiter
            For a table whose name and first line do not show them; as in `read_table`.
        cache
            A file that the first pass writes. Further passes, and later calls while the text is the same, read it
            instead of the text. It is an Arrow IPC file with the columns label, index and value. It is mapped into
            memory, so it must not change during the run.
        checkpoint
            A file that gets the state of the run every `checkpoint_seconds`, and at its end. It may be removed once
            the model is saved.
        resume
            Whether to continue from the checkpoint, if there is one. The model is the same as without the interruption.
        checkpoint_seconds
            Seconds between two checkpoints.
        watch
            A function that is called after each block and at the end of each pass, with its number, its mistakes so
            far, and its place in the file (`at`). If it returns a true value, the run ends, as if the file ended there.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from rosenblatt import Perceptron
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "and.svm")
        ...     _ = path.write_text("-1\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n")
        ...     model = Perceptron().fit_file(path)
        >>> model.coef_, model.intercept_, model.n_iter_
        (array([[3., 2.]]), array([-4.]), 9)
        """
        files = expand_names(path)
        learned = None if encoding is None else encoding._fitted_encoding()
        words: dict[str, Any] = {"n_features": n_features, "dtype": dtype, "zero_based": zero_based}
        reading = Reading(**words, format=format, delimiter=delimiter, encoding=learned)
        if len(files) == 1 and self.shards == 1:
            stream = open_stream(files[0], reading, cache=cache, resume=resume)
            return self._fit_stream(stream, checkpoint, resume=resume, seconds=checkpoint_seconds, watch=watch)
        for name, value in {"cache": cache, "checkpoint": checkpoint, "watch": watch}.items():
            if value is not None:
                raise ValueError(f"{name}: expected None for several files and for shards, whose rows are in memory")
        return self._fit_in_memory(files, reading)

    def _fit_in_memory(self, files: Sequence[FileLike], reading: Reading) -> Self:
        return self._take(
            lambda: fit_in_memory(LinearMember(parameters_of(self)), files, reading, engine=engine_for(self))
        )

    def _fit_stream(self, stream: Stream, checkpoint: Any = None, **options: Any) -> Self:
        return self._take(lambda: fit_stream(LinearMember(parameters_of(self)), stream, checkpoint, **options))

    def _take(self, fit: Callable[[], Fitted]) -> Self:
        with all_or_nothing(self):
            fitted = fit()
            self.__dict__.pop("feature_names_in_", None)
            self._model, self.zero_based_ = fitted.model, fitted.zero_based
            self.n_features_in_ = fitted.model.n_features
        if fitted.scales is not None:
            warnings.warn(fitted.scales.advice(), ScaleWarning, stacklevel=5)
        if fitted.end == "plateau" and fitted.model.parameters.readout == "last":
            warnings.warn(fitted.model.not_converged(), ConvergenceWarning, stacklevel=5)
        return self

    def _untrained_model(self, X: Any, classes: Any) -> LinearModel:
        """The model before the first visit, for rows like these. See `online`."""
        model: LinearModel = untrained_model(LinearMember(parameters_of(self)), X, classes)
        return model

    sparsify = available_if(_has_weights)(SparseCoefMixin.sparsify)

    def certificate(self, X: Any, y: Any) -> "Certificate":
        """Decide, with a proof, whether the rows of the fit are separable, in the conventions of this model.

        With `keep_mistakes`, every update of the run is checked against the proof: both lemmas and the mistake bound.
        If one of them does not hold, that is a RuntimeError. `rosenblatt.check_run` shows the columns of this check;
        `rosenblatt.certify` offers more conventions.

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

        model = self._fitted_model()
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
