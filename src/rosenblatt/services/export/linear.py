"""What there is to export of a model: one row of weights or one a class, the labels, and which class a tie goes to."""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import check_fitted, is_member
from rosenblatt.base.rows import is_sparse
from rosenblatt.members import MEMBERS

KINDS = [kind for kind, member in MEMBERS.items() if member.is_linear]


class Linear(NamedTuple):
    """The scores are X coef' + intercept. One row of weights is positive for the second class; of many the highest."""

    kind: str  # one of KINDS
    coef: Array  # a row for two classes or for a regressor, else one a class
    intercept: Array
    classes: Array | None  # None: a regressor
    last_of_ties: bool  # whether a score of 0 is for the second class, and a tie for the last
    fit_intercept: bool
    n_iter: int | None  # passes made, if it makes any
    feature_names: list[str] | None


def linear(model: Any) -> Linear:
    """The weights that answer. A vote has none, and a model of one class nothing to decide: a ValueError says so."""
    member, cls = is_member(model), type(model)
    kind = str(model.kind) if member else cls.__name__
    if kind not in KINDS or cls.__module__.partition(".")[0] != "rosenblatt":
        raise TypeError(f"model: expected a {' or '.join(KINDS)}, found a {cls.__module__}.{cls.__name__}")
    check_fitted(model)
    parameters = model.parameters if member else model
    if getattr(parameters, "readout", None) == "vote":
        raise ValueError("model: expected one weight vector, found readout='vote', which has many; take 'average'")
    try:
        coef, intercept = (model.coef, model.intercept) if member else (model.coef_, model.intercept_)
    except AttributeError as error:  # a readout that the run did not keep
        raise ValueError(f"model: {error}") from None
    coef = np.atleast_2d(coef.toarray() if is_sparse(coef) else coef)
    classes = model.labels if member else getattr(model, "classes_", None)
    if classes is not None and len(classes) < 2:
        raise ValueError(f"model: expected at least two classes, found {classes.tolist()}")
    n_iter = len(model.passes) if hasattr(model, "passes") else getattr(model, "n_iter" if member else "n_iter_", None)
    return Linear(
        kind,
        coef,
        np.broadcast_to(intercept, len(coef)),
        classes,
        getattr(parameters, "tie", None) == "positive",
        parameters.fit_intercept,
        n_iter,
        _feature_names(model),
    )


def _feature_names(model: Any) -> list[str] | None:
    names = getattr(model, "feature_names_in_", None)
    if names is None and getattr(model, "encoding_", None) is not None:
        names = model.encoding_.get_feature_names_out()
    return None if names is None else list(np.asarray(names).tolist())
