"""What there is to export of a model: one row of weights or one a class, the labels, and whom a tie goes to."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.linear.state import Array
from rosenblatt.rows import is_sparse

KINDS = ("Perceptron", "LinearUnit", "LinearUnitClassifier", "RandomHypotheses")


class Linear(NamedTuple):
    """The scores are X coef' + intercept. One row of weights is positive for the second class; of many the highest."""

    coef: Array  # a row for two classes or for a regressor, else one a class
    intercept: Array
    classes: Array | None  # None: a regressor
    last_of_ties: bool  # whether a score of 0 is for the second class, and a tie for the last
    feature_names: list[str] | None


def linear(model: Any) -> Linear:
    """The weights that answer. A vote has none, and a model of one class nothing to decide: a ValueError says so."""
    name = type(model).__name__
    if name not in KINDS or not type(model).__module__.startswith("rosenblatt."):
        raise TypeError(f"model: expected a {' or '.join(KINDS)}, found a {type(model).__module__}.{name}")
    check_is_fitted(model)
    if getattr(model, "readout", None) == "vote":
        raise ValueError("model: expected one weight vector, found readout='vote', which has many; take 'average'")
    try:
        coef: Any = model.coef_
    except AttributeError as error:  # a readout that the run did not keep
        raise ValueError(f"model: {error}") from None
    coef = np.atleast_2d(coef.toarray() if is_sparse(coef) else coef)
    classes = getattr(model, "classes_", None)
    if classes is not None and len(classes) < 2:
        raise ValueError(f"model: expected at least two classes, found {classes.tolist()}")
    names = getattr(model, "feature_names_in_", None)
    if names is None and getattr(model, "encoding_", None) is not None:
        names = model.encoding_.get_feature_names_out()
    return Linear(
        coef,
        np.broadcast_to(model.intercept_, len(coef)),
        classes,
        getattr(model, "tie", None) == "positive",
        None if names is None else names.tolist(),
    )
