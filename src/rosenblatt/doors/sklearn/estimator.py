"""What scikit-learn's estimators share: a declaration becomes constraints and a docstring, rows are validated as
scikit-learn does it, and a fitted estimator is its member's model.
"""

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from functools import wraps
from inspect import Signature, signature
from numbers import Integral, Real
from textwrap import fill
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import is_classifier
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from rosenblatt.base import declare
from rosenblatt.base.arrays import Array, check_labels, refuse_masked
from rosenblatt.base.declare import Kind, Number, OneOf, Parameters
from rosenblatt.base.engines import Engine, engine_of
from rosenblatt.base.labels import small_integers
from rosenblatt.base.record.parts import Parts
from rosenblatt.base.rows import Matrix, as_rows, core_rows, has_each_once, is_scipy

C = TypeVar("C", bound=type)

_CONSTRAINTS: dict[Kind, list[Any]] = {
    declare.NOTHING: [None],
    declare.FLAG: ["boolean"],
    declare.PATH: [str, HasMethods("__fspath__")],
    declare.TEXTS: [list, tuple],
    declare.CLASS_WEIGHTS: [dict],
    declare.SEED: ["random_state"],
    declare.FUNCTION: [callable],
    declare.NUMBERS: ["array-like"],
}


class NotOffered(NamedTuple):
    """A parameter of scikit-learn that has no meaning here.

    A value that changes nothing in scikit-learn is accepted and ignored, so that its defaults may be written out. For
    any other value the error says what to use instead; some values have advice of their own.
    """

    changes_nothing: Callable[[Any], bool]
    advice: str
    by_value: dict[str, str] = {}  # noqa: RUF012 - never written to


def public(parameters: type[Parameters], **not_offered: NotOffered) -> Callable[[C], C]:
    """Make a class with a declaration among its bases a public estimator with these parameters.

    It is known as a class of `rosenblatt`, so that pickles do not depend on its file. Its constraints and the section
    on its parameters come from the declaration. For parameters in `not_offered`, its constructor says what to use
    instead.
    """

    def decorate(cls: C) -> C:
        cls.__module__ = "rosenblatt"
        declared = parameters.declarations()
        section = ["Parameters", "----------"]
        for name, parameter in declared.items():
            section += [name, fill(parameter.text, 112, initial_indent="    ", subsequent_indent="    ")]
        cls.__doc__ = _with_section(cls.__doc__ or "", section)
        cls.__init__ = _constructor(cls.__init__, list(declared), not_offered)  # type: ignore[misc]
        cls._parameters_class = parameters  # type: ignore[attr-defined]
        cls._doc_link_module = "rosenblatt"  # type: ignore[attr-defined]
        cls._doc_link_template = property(_page_of_the_reference)  # type: ignore[attr-defined]
        cls._parameter_constraints = {  # type: ignore[attr-defined]
            name: _constraints_of(parameter.kinds) for name, parameter in declared.items()
        }
        return cls

    return decorate


def _page_of_the_reference(_: Any) -> str:
    """What scikit-learn turns into the link from the HTML of an estimator to its page in the reference."""
    from importlib.metadata import metadata

    lines = metadata("rosenblatt").get_all("Project-URL", [])
    addresses: dict[str, str] = dict(line.split(", ", 1) for line in lines)
    return addresses["Documentation"] + "reference/api/rosenblatt.{estimator_name}.html"


def drop_not_offered(
    name: str, values: dict[str, Any], not_offered: dict[str, NotOffered], error: type[Exception]
) -> dict[str, Any]:
    """Return the parameters for an estimator of this name, without those that change nothing."""
    for parameter, value in values.items():
        word = not_offered.get(parameter)
        if word is not None and not word.changes_nothing(value):
            advice = word.by_value.get(value, word.advice) if isinstance(value, str) else word.advice
            raise error(f"{name} has no {parameter!r}: {advice}")
    return {parameter: value for parameter, value in values.items() if parameter not in not_offered}


def _constructor(
    init: Callable[..., None], names: list[str], not_offered: dict[str, NotOffered]
) -> Callable[..., None]:
    """A constructor with the declared parameters. For an unknown parameter the error suggests a similar name."""
    known, parameters = frozenset(names), signature(init).parameters

    @wraps(init)
    def construct(self: Any, *args: Any, **values: Any) -> None:
        if not known.issuperset(values):
            class_name = type(self).__name__
            values = drop_not_offered(class_name, values, not_offered, TypeError)
            unknown = [name for name in values if name not in known]
            if unknown:
                meant = get_close_matches(unknown[0], names, n=1)
                advice = f"did you mean {meant[0]!r}?" if meant else f"it has {', '.join(names)}"
                raise TypeError(f"{class_name} has no parameter {unknown[0]!r}: {advice}")
        init(self, *args, **values)

    ordered = [parameters["self"], *(parameters[name] for name in names)]
    construct.__signature__ = Signature(ordered, return_annotation=None)  # type: ignore[attr-defined]
    return construct


def _with_section(docstring: str, section: list[str]) -> str:
    head, attributes, rest = docstring.partition("    Attributes\n")
    lines = "".join(f"    {line}\n" if line else "\n" for part in section for line in part.split("\n"))
    return f"{head}{lines}\n{attributes}{rest}"


def _constraints_of(kinds: tuple[Kind, ...]) -> Any:
    """The constraints that scikit-learn checks. A kind that it cannot name is checked by `parameters_of`."""
    if all(isinstance(kind, OneOf | Number) or kind in _CONSTRAINTS for kind in kinds):
        return [constraint for kind in kinds for constraint in _constraints(kind)]
    return "no_validation"


def _constraints(kind: Kind) -> list[Any]:
    if isinstance(kind, OneOf):
        return [StrOptions(set(kind.words))]
    if isinstance(kind, Number):
        low = kind.least if kind.over is None else kind.over
        closed = "left" if kind.least is not None else "neither"
        return [Interval(Integral if kind.whole else Real, low, kind.below, closed=closed)]
    return _CONSTRAINTS[kind]


def engine_for(estimator: Any) -> Engine:
    """The engine for shards, with the number of threads that `n_jobs` means in the current context of joblib."""
    return engine_of(min(estimator.shards, effective_n_jobs(estimator.n_jobs)))


def parameters_of(estimator: Any) -> Any:
    """The parameters of an estimator as its member has them."""
    cls, constraints = estimator._parameters_class, estimator._parameter_constraints
    values = {name: getattr(estimator, name) for name in cls.declarations()}
    for name, parameter in cls.declarations().items():
        if constraints[name] == "no_validation":
            parameter.check(values[name])
    return cls(**values)


def makes_one_pass(estimator: Any) -> bool:
    """Whether `partial_fit` is available: not if rows are left out, because one pass has none. For `available_if`."""
    if estimator.early_stopping:
        raise AttributeError(
            "partial_fit makes one pass over all it gets, and early_stopping=True holds rows out: use fit, or "
            "early_stopping=False"
        )
    if getattr(estimator, "probabilities", False):
        raise AttributeError(
            "partial_fit makes one pass over all it gets, and probabilities=True needs runs without some of the rows: "
            "use fit, or probabilities=False"
        )
    return True


def validate_rows(
    estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool, without_duplicates: bool = False
) -> Any:
    """Check X (and y, if given) as scikit-learn does: shape, names, number of features; float32 stays float32.

    The core checks whether every value is finite, because it is faster. A member that needs each column only once in a
    row checks that itself; with `without_duplicates`, scipy joins duplicates in its own matrices, which is many times
    faster.
    """
    if not reset and isinstance(y, str) and is_as_learned(estimator, X):
        return X
    refuse_masked(X, "X")
    if not (y is None or isinstance(y, str)):  # a string means that scikit-learn checks no labels
        (check_labels if is_classifier(estimator) else refuse_masked)(y, "y")
    checked = validate_data(
        estimator,
        X,
        y,
        reset=reset,
        accept_sparse="csr",
        accept_large_sparse=True,
        dtype=[np.float64, np.float32],
        order="C",
        ensure_all_finite=False,
    )
    if isinstance(checked, tuple):
        return _rows_of(checked[0], without_duplicates=without_duplicates), checked[1]
    return _rows_of(checked, without_duplicates=without_duplicates)


def is_as_learned(estimator: Any, X: Any) -> bool:
    """Whether scikit-learn would return the array X unchanged. Asking scikit-learn takes longer than scoring a row."""
    return (
        type(X) is np.ndarray
        and X.ndim == 2
        and X.dtype in (np.float64, np.float32)
        and X.flags.c_contiguous
        and X.shape[0] > 0
        and X.shape[1] == getattr(estimator, "n_features_in_", None)
        and not hasattr(estimator, "feature_names_in_")
    )


def _rows_of(X: Any, *, without_duplicates: bool) -> Matrix:
    rows = as_rows(X)
    if not (without_duplicates and is_scipy(X)) or has_each_once(rows):
        return rows
    core_rows(rows)  # scipy does not check starts and columns, and would read other memory
    X = X.copy()
    X.sum_duplicates()
    return as_rows(X)


def validate_labels(y: Array) -> None:
    """Refuse labels that are no classes, in scikit-learn's words. That needs a sort, except for whole numbers."""
    if small_integers(y) is None:
        check_classification_targets(y)


def validate_weight(sample_weight: Any, X: Matrix) -> Array | None:
    """Check the weights of the rows of X, if there are any."""
    if sample_weight is None:
        return None
    refuse_masked(sample_weight, "sample_weight")
    rows = np.broadcast_to(np.zeros(1, X.dtype), X.shape)  # scikit-learn only looks at the shape and the type
    return np.asarray(_check_sample_weight(sample_weight, rows, dtype=X.dtype, ensure_non_negative=True))


class FittedModel:
    """For an estimator whose `_model` is its member's model: its state before and after a fit, and its pickle."""

    _model: Any

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in vars(self)

    def _fitted_model(self, attribute: str | None = None) -> Any:
        """The model with the current parameters, so that a readout may change after the fit.

        `attribute` asks for an AttributeError before the fit, so that hasattr is False.
        """
        values = vars(self)
        if "_model" not in values:
            if attribute is not None:
                raise AttributeError(f"{type(self).__name__} has no {attribute} before it is fitted")
            check_is_fitted(self)
        model = values["_model"]
        if all(getattr(self, name) is value for name, value in vars(model.parameters).items()):
            return model  # nothing changed since the fit: comparing is many times faster than copying
        return replace(model, parameters=parameters_of(self))

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the model as its record, so that a pickle does not depend on the classes behind it."""
        parent: Any = super()
        state: dict[str, Any] = dict(parent.__getstate__())
        if "_model" in state:
            model, tensors = state["_model"], dict[str, Array]()
            record = model.to_record(tensors)
            state["_model"] = (model.n_features, model.labels, record, tensors)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        fitted = state.pop("_model", None)
        super().__setstate__(state)  # type: ignore[misc]
        if fitted is not None:
            n_features, labels, record, tensors = fitted
            parts = Parts(record, tensors)
            self._model = type(self)._model_class.from_record(parameters_of(self), n_features, labels, parts)  # type: ignore[attr-defined]


class ScoresLabels:
    """The score of scikit-learn's mixin for an estimator that refuses masked arrays, whose masks the mixin ignores."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of right answers, or R^2 for numbers, as scikit-learn computes it."""
        (check_labels if is_classifier(self) else refuse_masked)(y, "y")
        refuse_masked(sample_weight, "sample_weight")
        parent: Any = super()
        return float(parent.score(X, y, sample_weight))


class Probabilities:
    """For a classifier that has probabilities where asked: else `hasattr` is False, and the error says what to do."""

    @property
    def predict_proba(self) -> Callable[[Any], Array]:
        """A function that returns the probability of each class for each row, in the order of `classes_`.

        It is there with `probabilities=True`. Without this parameter, `sklearn.calibration.CalibratedClassifierCV` has
        it.
        """
        self._check_probabilities("predict_proba")
        return self._probabilities

    @property
    def predict_log_proba(self) -> Callable[[Any], Array]:
        """A function that returns the logarithms of these probabilities."""
        self._check_probabilities("predict_log_proba")
        return self._log_probabilities

    def _probabilities(self, X: Any) -> Array:
        decide: Any = self
        model = decide._fitted_model()
        probabilities: Array = model.needed_calibration().probabilities(decide.decision_function(X))
        return probabilities

    def _log_probabilities(self, X: Any) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._probabilities(X)))

    def _check_probabilities(self, method: str) -> None:
        if getattr(self, "probabilities", False):
            return
        name = type(self).__name__
        use = (
            f"fit it with probabilities=True, or use sklearn.calibration.CalibratedClassifierCV({name}(...))"
            if hasattr(self, "probabilities")
            else f"use decision_function for the scores, or sklearn.calibration.CalibratedClassifierCV({name}(...)), "
            f"which has {method}"
        )
        raise AttributeError(f"{name} has no {method}, because its scores are not probabilities: {use}")


def of_model(name: str, text: str, convert: Callable[[Any], Any] | None = None) -> Any:
    """A property of the fitted model, which the estimator shows with an underscore at the end of its name."""
    field = name.removesuffix("_")

    def attribute(estimator: Any) -> Any:
        value = getattr(estimator._fitted_model(name), field)
        return value if convert is None else convert(value)

    return property(attribute, doc=text)


class FittedRun(FittedModel):
    """For an estimator of a perceptron: how many passes and mistakes it made."""

    classes_: Array = of_model("classes_", "The sorted labels.")
    converged_: bool = of_model("converged_", "Whether the last pass made no mistake.", bool)
    mistakes_: Array = of_model("mistakes_", "The mistakes of each pass.")

    @property
    def n_iter_(self) -> int:
        """The number of passes."""
        return len(self._fitted_model("n_iter_").mistakes)


class FittedOnSentences(FittedRun):
    """For an estimator that has learned from sentences, in memory or in a file."""

    kept_pass_: int = of_model("kept_pass_", "The number of the pass whose weights it has.")
    sentence_mistakes_: Array = of_model("sentence_mistakes_", "The sentences of each pass with a mistake.")

    @property
    def validation_scores_(self) -> Array:
        """The score of the held-out sentences after each pass."""
        scores: Array | None = self._fitted_model("validation_scores_").validation_scores
        if scores is None:
            raise AttributeError("validation_scores_ is there only if sentences were held out: early_stopping or dev")
        return scores

    @property
    def file_columns_(self) -> Any:
        """The meaning of the columns of the file that it has learned from."""
        columns = self._fitted_model("file_columns_").file_columns
        if columns is None:
            raise AttributeError("file_columns_ is there only after fit_file")
        return columns

    def _set_model(self, model: Any) -> Self:
        self._model, self.n_features_in_ = model, model.n_features
        return self

    def __sklearn_tags__(self) -> Any:
        parent: Any = super()
        tags = parent.__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.target_tags.required = True
        return tags


class AnswersLabels(Probabilities, ScoresLabels, FittedModel):
    """For a classifier of rows: it answers with the classes of its model."""

    classes_: Array = of_model("classes_", "The sorted labels.")

    def decision_function(self, X: Any) -> Array:
        """Return the score of each row; for more than two classes, the score of each class.

        For readout="vote", the score is the share of visits that hypotheses with this answer survived: for two classes
        it goes from -1 to 1.
        """
        model = self._fitted_model()
        decision: Array = model.decision(validate_rows(self, X, reset=False))
        return decision

    def predict(self, X: Any) -> Array:
        """The label of each row."""
        labels: Array = self._fitted_model().labels_of(self.decision_function(X))
        return labels


class FittedClassifier(AnswersLabels, FittedRun):
    """For an estimator of a perceptron that has learned from rows and labels."""

    n_updates_: int = of_model("n_updates_", "How often the weights changed.", int)
