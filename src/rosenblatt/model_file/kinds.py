"""The models that a model file can hold: each as a record and tensors, and back.

A model is built only by the class that is named here, by its own constructor and its own checks of the parameters.
"""

from collections.abc import Callable
from importlib import import_module
from reprlib import repr as short
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.kernel.record import restore_dual, take_dual
from rosenblatt.linear.record import restore_run, rows_of_weights, take_run
from rosenblatt.record.parts import (
    FLOATS,
    NUMBERS,
    Parts,
    labels_as_json,
    labels_from_json,
    parameters_as_json,
    parameters_from_json,
)
from rosenblatt.record.safetensors import Array, Tensors
from rosenblatt.tagger.record import restore_chain, take_chain


def taken_apart(model: Any) -> tuple[dict[str, Any], Tensors]:
    """The record and the tensors of a fitted model."""
    name = type(model).__name__
    if name not in KINDS or type(model) is not _class(name):
        raise TypeError(f"model: expected a {' or '.join(KINDS)}, found a {type(model).__module__}.{name}")
    check_is_fitted(model)
    tensors: Tensors = {}
    names = getattr(model, "feature_names_in_", None)
    record: dict[str, Any] = {
        "class": name,
        "parameters": parameters_as_json(model.get_params(deep=False), tensors),
        "n_features": int(model.n_features_in_),
        "feature_names": None if names is None else names.tolist(),
    }
    if hasattr(model, "classes_"):
        record["classes"] = labels_as_json(model.classes_)
    return record | KINDS[name].take(model, tensors), tensors


def put_together(record: dict[str, Any], tensors: Tensors) -> Any:
    """The model that was taken apart, which shares the memory of the tensors; a ValueError says what is wrong."""
    parts = Parts(record, tensors)
    name = parts.value("class", f"one of {', '.join(KINDS)}", lambda name: isinstance(name, str) and name in KINDS)
    found = parts.value("parameters", "a map of parameters", lambda value: isinstance(value, dict))
    unknown = found.keys() - set(_class(name)._get_param_names())
    if unknown:
        raise ValueError(f"parameters: expected those of {name}, found {short(min(unknown))}")
    model = _class(name)(**parameters_from_json(found, parts))
    model._validate_params()
    model.n_features_in_ = parts.count("n_features", least=1)
    names = parts.value("feature_names", f"{model.n_features_in_} names", lambda value: _are_names(value, model))
    if names is not None:
        model.feature_names_in_ = np.array(names, dtype=object)
    KINDS[name].restore(model, parts)
    parts.end()
    return model


def _class(name: str) -> Any:
    return getattr(import_module(KINDS[name].home), name)


def _are_names(found: Any, model: Any) -> bool:
    is_list = isinstance(found, list) and len(found) == model.n_features_in_
    return found is None or (is_list and all(isinstance(name, str) for name in found))


def _classes(parts: Parts, *, least: int, most: float = np.inf) -> Array:
    classes = labels_from_json(parts.value("classes", "the labels", lambda value: value is not None))
    if not least <= len(classes) <= most:
        raise ValueError(f"classes: expected {least if least == most else f'at least {least}'}, found {len(classes)}")
    return classes


def _restore_perceptron(model: Any, parts: Parts) -> None:
    restore_run(model, _classes(parts, least=1), parts)


def _restore_kernel(model: Any, parts: Parts) -> None:
    restore_dual(model, _classes(parts, least=1), parts)


def _take_unit(model: Any, tensors: Tensors) -> dict[str, Any]:
    tensors |= {name: np.asarray(getattr(model, name)) for name in ("coef_", "intercept_", "losses_")}
    return {"converged": bool(model.converged_)}


def _restore_unit(model: Any, parts: Parts) -> None:
    model.coef_ = parts.tensor("coef_", (model.n_features_in_,), *FLOATS)
    model.intercept_ = parts.tensor("intercept_", (), *NUMBERS)[()]
    _restore_descent(model, parts)


def _restore_unit_classifier(model: Any, parts: Parts) -> None:
    model.classes_ = _classes(parts, least=2)
    n_rows = rows_of_weights(model.classes_)
    model.coef_ = parts.tensor("coef_", (n_rows, model.n_features_in_), *FLOATS)
    model.intercept_ = parts.tensor("intercept_", (n_rows,), *NUMBERS)
    _restore_descent(model, parts)


def _restore_descent(model: Any, parts: Parts) -> None:
    model.losses_, model.converged_ = parts.tensor("losses_", (None,), "float64"), parts.flag("converged")
    model.n_iter_ = len(model.losses_)


def _take_hypotheses(model: Any, tensors: Tensors) -> dict[str, Any]:
    tensors |= {name: np.asarray(getattr(model, name)) for name in ("coef_", "intercept_", "errors_")}
    return {"best": int(model.best_)}


def _restore_hypotheses(model: Any, parts: Parts) -> None:
    model.classes_ = _classes(parts, least=2, most=2)
    model.coef_ = parts.tensor("coef_", (1, model.n_features_in_), *FLOATS)
    model.intercept_ = parts.tensor("intercept_", (1,), *NUMBERS)
    model.errors_, model.best_ = parts.tensor("errors_", (None,), "float64"), parts.count("best")
    if model.best_ >= len(model.errors_):
        raise ValueError(f"best: expected one of the {len(model.errors_)} hypotheses, found {model.best_}")
    model.training_error_ = float(model.errors_[model.best_])


def _restore_tagger(model: Any, parts: Parts) -> None:
    restore_chain(model, _classes(parts, least=1), parts)


class Kind(NamedTuple):
    """Where the class of a model is, what takes its state, and what puts it back."""

    home: str
    take: Callable[[Any, Tensors], dict[str, Any]]
    restore: Callable[[Any, Parts], None]


KINDS = {
    "Perceptron": Kind("rosenblatt.linear.estimator", take_run, _restore_perceptron),
    "LinearUnit": Kind("rosenblatt.neighbours.linear_unit", _take_unit, _restore_unit),
    "LinearUnitClassifier": Kind("rosenblatt.neighbours.linear_unit", _take_unit, _restore_unit_classifier),
    "RandomHypotheses": Kind("rosenblatt.neighbours.random_hypotheses", _take_hypotheses, _restore_hypotheses),
    "KernelPerceptron": Kind("rosenblatt.kernel.estimator", take_dual, _restore_kernel),
    "SequenceTagger": Kind("rosenblatt.tagger.estimator", take_chain, _restore_tagger),
}
