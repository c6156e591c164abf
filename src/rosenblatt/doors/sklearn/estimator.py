"""What scikit-learn's estimators share: a declaration becomes constraints and a docstring, rows are validated as
scikit-learn does it, and a fitted estimator is its member's model.
"""

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from numbers import Integral, Real
from textwrap import fill
from typing import Any, TypeVar

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


def public(parameters: type[Parameters]) -> Callable[[C], C]:
    """Make a class a public estimator with these parameters.

    It is known as a class of `rosenblatt`, so that pickles do not depend on where it lives; its constraints and the
    section on its parameters come from the declaration.
    """

    def decorate(cls: C) -> C:
        cls.__module__ = "rosenblatt"
        declared = parameters.declarations()
        names = [name for name in signature(cls).parameters if name in declared]
        section = ["Parameters", "----------"]
        for name in names:
            section += [name, fill(declared[name].text, 112, initial_indent="    ", subsequent_indent="    ")]
        cls.__doc__ = _with_section(cls.__doc__ or "", section)
        cls.__init__ = _naming_what_is_unknown(cls.__init__, names)  # type: ignore[misc]
        cls._parameters_class = parameters  # type: ignore[attr-defined]
        cls._doc_link_module = "rosenblatt"  # type: ignore[attr-defined]
        cls._doc_link_template = property(_page_of_the_reference)  # type: ignore[attr-defined]
        cls._parameter_constraints = {  # type: ignore[attr-defined]
            name: _constraints_of(one.kinds) for name, one in declared.items()
        }
        return cls

    return decorate


def _page_of_the_reference(_: Any) -> str:
    """What scikit-learn makes the link of: the HTML of an estimator leads to its page on the site of pyproject.toml."""
    from importlib.metadata import metadata

    addresses: dict[str, str] = dict(one.split(", ", 1) for one in metadata("rosenblatt").get_all("Project-URL", []))
    return addresses["Documentation"] + "reference/api/rosenblatt.{estimator_name}.html"


def _naming_what_is_unknown(init: Callable[..., None], names: list[str]) -> Callable[..., None]:
    """A constructor whose error for an unknown parameter says which one may have been meant."""

    @wraps(init)
    def checked(self: Any, *args: Any, **given: Any) -> None:
        try:
            init(self, *args, **given)
        except TypeError as error:
            unknown = [name for name in given if f"unexpected keyword argument {name!r}" in str(error)]
            if not unknown:
                raise
            meant = get_close_matches(unknown[0], names, n=1)
            advice = f"did you mean {meant[0]!r}?" if meant else f"it has {', '.join(names)}"
            raise TypeError(f"{type(self).__name__} has no parameter {unknown[0]!r}: {advice}") from None

    return checked


def _with_section(docstring: str, section: list[str]) -> str:
    head, attributes, rest = docstring.partition("    Attributes\n")
    lines = "".join(f"    {line}\n" if line else "\n" for part in section for line in part.split("\n"))
    return f"{head}{lines}\n{attributes}{rest}"


def _constraints_of(kinds: tuple[Kind, ...]) -> Any:
    """What scikit-learn is to check; a kind that it has no word for is checked by the member alone."""
    if all(isinstance(kind, OneOf | Number) or kind in _CONSTRAINTS for kind in kinds):
        return [one for kind in kinds for one in _constraints(kind)]
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
    """For its shards: as many threads as `n_jobs` means in the context of joblib, which scikit-learn's searches set."""
    return engine_of(min(estimator.shards, effective_n_jobs(estimator.n_jobs)))


def parameters_of(estimator: Any) -> Any:
    """The parameters of an estimator as its member has them."""
    cls = estimator._parameters_class
    return cls(**{name: getattr(estimator, name) for name in cls.declarations()})


def makes_one_pass(estimator: Any) -> bool:
    """Whether it has `partial_fit`, which has no rows to hold out; see `available_if`."""
    if estimator.early_stopping:
        raise AttributeError(
            "partial_fit makes one pass over all it gets, and early_stopping=True holds rows out: use fit, or "
            "early_stopping=False"
        )
    return True


def validate_rows(
    estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool, without_duplicates: bool = False
) -> Any:
    """X (and y, if given) checked as scikit-learn does it: shape, names, number of features; float32 stays float32.

    Whether every value is finite is left to the core, which looks faster. A member that wants each column of a row once
    sees to it itself; with `without_duplicates` scipy does it for its own matrices, many times faster.
    """
    if not reset and isinstance(y, str) and is_as_learned(estimator, X):
        return X
    refuse_masked(X, "X")
    if not (y is None or isinstance(y, str)):  # scikit-learn has a word for no labels
        (check_labels if is_classifier(estimator) else refuse_masked)(y, "y")
    found = validate_data(
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
    rows = _rows_of(found[0] if isinstance(found, tuple) else found, without_duplicates=without_duplicates)
    return (rows, found[1]) if isinstance(found, tuple) else rows


def is_as_learned(estimator: Any, X: Any) -> bool:
    """Whether X is an array that scikit-learn would hand back as it is: to ask it takes longer than to score a row."""
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
    core_rows(rows)  # scipy reads starts and columns without looking
    X = X.copy()
    X.sum_duplicates()
    return as_rows(X)


def validate_labels(y: Array) -> None:
    """Refuses what are no classes, in scikit-learn's words. That takes a sort, which whole numbers do not need."""
    if small_integers(y) is None:
        check_classification_targets(y)


def validate_weight(sample_weight: Any, X: Matrix) -> Array | None:
    """The weights of the rows of X, if there are any."""
    if sample_weight is None:
        return None
    refuse_masked(sample_weight, "sample_weight")
    rows = np.broadcast_to(np.zeros(1, X.dtype), X.shape)  # what scikit-learn looks at: the shape and the type
    return np.asarray(_check_sample_weight(sample_weight, rows, dtype=X.dtype, ensure_non_negative=True))


class FittedModel:
    """For an estimator whose `_model` is the model of its member: what it is before and after a fit, and pickled."""

    _model: Any

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in vars(self)

    def _fitted(self, attribute: str | None = None) -> Any:
        """The model with the parameters as they are now, so that a readout may change after the fit.

        For an attribute an AttributeError, so that hasattr is False before the fit.
        """
        values = vars(self)
        if "_model" not in values:
            if attribute is not None:
                raise AttributeError(f"{type(self).__name__} has no {attribute} before it is fitted")
            check_is_fitted(self)
        model = values["_model"]
        if all(getattr(self, name) is value for name, value in vars(model.parameters).items()):
            return model  # nothing has changed since the fit: to look is many times faster than to copy
        return replace(model, parameters=parameters_of(self))

    def __getstate__(self) -> dict[str, Any]:
        """The model goes as its record, so that a pickle knows nothing of the classes behind it."""
        parent: Any = super()
        state: dict[str, Any] = dict(parent.__getstate__())
        if "_model" in state:
            model, tensors = state["_model"], dict[str, Array]()
            record = model.to_record(tensors)
            state["_model"] = (model.n_features, model.labels, record, tensors)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        taken = state.pop("_model", None)
        super().__setstate__(state)  # type: ignore[misc]
        if taken is not None:
            n_features, labels, record, tensors = taken
            parts = Parts(record, tensors)
            self._model = type(self)._model_class.from_record(parameters_of(self), n_features, labels, parts)  # type: ignore[attr-defined]


class ScoresLabels:
    """For an estimator with the score of scikit-learn's mixin, which would pass over a mask, and make one of labels."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right answers, or for numbers R^2, as scikit-learn has it."""
        (check_labels if is_classifier(self) else refuse_masked)(y, "y")
        refuse_masked(sample_weight, "sample_weight")
        parent: Any = super()
        return float(parent.score(X, y, sample_weight))


class NoProbabilities:
    """For a classifier whose scores are no probabilities: `hasattr` is False, and the error says what to do."""

    @property
    def predict_proba(self) -> Any:
        """Not offered; wrap the model in `sklearn.calibration.CalibratedClassifierCV`, which has it."""
        raise self._no_probabilities("predict_proba")

    @property
    def predict_log_proba(self) -> Any:
        """Not offered; wrap the model in `sklearn.calibration.CalibratedClassifierCV`, which has it."""
        raise self._no_probabilities("predict_log_proba")

    def _no_probabilities(self, method: str) -> AttributeError:
        name = type(self).__name__
        return AttributeError(
            f"{name} has no {method}, because its scores are not probabilities: use decision_function for the scores, "
            f"or sklearn.calibration.CalibratedClassifierCV({name}(...)), which has {method}"
        )


class FittedRun(FittedModel):
    """For an estimator of a perceptron: what its passes were like."""

    @property
    def classes_(self) -> Array:
        """The sorted labels."""
        classes: Array = self._fitted("classes_").classes
        return classes

    @property
    def n_iter_(self) -> int:
        """Passes made."""
        return len(self._fitted("n_iter_").mistakes)

    @property
    def converged_(self) -> bool:
        """Whether the last pass made no mistake."""
        return bool(self._fitted("converged_").converged)

    @property
    def mistakes_(self) -> Array:
        """The mistakes of each pass."""
        mistakes: Array = self._fitted("mistakes_").mistakes
        return mistakes


class FittedOnSentences(FittedRun):
    """For an estimator that has learned from sentences, perhaps of a file."""

    @property
    def kept_pass_(self) -> int:
        """The number of the pass whose weights it has."""
        return int(self._fitted("kept_pass_").kept_pass)

    @property
    def sentence_mistakes_(self) -> Array:
        """The sentences of each pass with a mistake."""
        mistakes: Array = self._fitted("sentence_mistakes_").sentence_mistakes
        return mistakes

    @property
    def validation_scores_(self) -> Array:
        """The score of the sentences held out, after each pass."""
        scores: Array | None = self._fitted("validation_scores_").validation_scores
        if scores is None:
            raise AttributeError("validation_scores_ is there only if sentences were held out: early_stopping or dev")
        return scores

    @property
    def file_columns_(self) -> Any:
        """What the columns of the file are that it has learned from."""
        columns = self._fitted("file_columns_").file_columns
        if columns is None:
            raise AttributeError("file_columns_ is there only after fit_file")
        return columns


class FittedClassifier(NoProbabilities, ScoresLabels, FittedRun):
    """For an estimator of a perceptron that has learned from rows and labels."""

    @property
    def n_updates_(self) -> int:
        """How often the weights changed."""
        return int(self._fitted("n_updates_").n_updates)

    def decision_function(self, X: Any) -> Array:
        """The score of each row; for more than two classes, of each class.

        For readout="vote" the share of visits survived by the hypotheses that answer so: from -1 to 1 for two classes.
        """
        model = self._fitted()
        decision: Array = model.decision(validate_rows(self, X, reset=False))
        return decision

    def predict(self, X: Any) -> Array:
        """The label of each row."""
        labels: Array = self._fitted().labels_of(self.decision_function(X))
        return labels
