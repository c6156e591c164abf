"""What there is to export of a model: one row of weights or one a class, the labels, and which class a tie goes to.

And the same as scikit-learn has it: the attributes of its own linear models, or such a model with these set.
"""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import check_fitted, is_member
from rosenblatt.base.rows import is_sparse
from rosenblatt.members import MEMBERS

KINDS = [kind for kind, member in MEMBERS.items() if member.is_linear]


class LinearWeights(NamedTuple):
    """The scores are X coef' + intercept. One row of weights is positive for the second class; of many the highest."""

    kind: str  # one of KINDS
    coef: Array  # a row for two classes or for a regressor, else one a class
    intercept: Array
    classes: Array | None  # None: a regressor
    last_of_ties: bool  # whether a score of 0 is for the second class, and a tie for the last
    fit_intercept: bool
    n_iter: int | None  # passes made, if it makes any
    feature_names: list[str] | None


def linear(model: Any) -> LinearWeights:
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
    return LinearWeights(
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


def to_sklearn(model: Any) -> Any:
    """The model as scikit-learn's `Perceptron`, a regressor as its `SGDRegressor`, which answers as this one does.

    It is there to predict. To learn on, keep the model: a `fit` of scikit-learn begins anew.

    Parameters
    ----------
    model
        A fitted `Perceptron` of any readout but "vote", a `PassiveAggressiveClassifier`, `PassiveAggressiveRegressor`,
        `LinearUnit`, `LinearUnitClassifier` or `RandomHypotheses`.
        tie="positive" is refused, since scikit-learn gives a tie to the first class.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> theirs = to_sklearn(Perceptron(shuffle=False).fit(*AND))
    >>> type(theirs).__module__.partition(".")[0], theirs.coef_, theirs.predict(AND.X)
    ('sklearn', array([[3., 2.]]), array([-1, -1, -1,  1]))
    """
    from sklearn.linear_model import Perceptron, SGDRegressor

    weights = linear(model)
    theirs = (SGDRegressor if weights.classes is None else Perceptron)(fit_intercept=weights.fit_intercept)
    vars(theirs).update(_attributes(weights))
    return theirs


def sklearn_attributes(model: Any) -> dict[str, Any]:
    """The same attributes as lists and numbers, for JSON: a program that reads them needs neither library.

    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> sklearn_attributes(Perceptron(shuffle=False).fit(*AND))
    {'coef_': [[3.0, 2.0]], 'intercept_': [-4.0], 'n_features_in_': 2, 'classes_': [-1, 1], 'n_iter_': 9}
    """
    return {name: np.asarray(value).tolist() for name, value in _attributes(linear(model)).items()}


def _attributes(weights: LinearWeights) -> dict[str, Any]:
    if weights.last_of_ties:
        raise ValueError("model: expected tie='mistake' or 'negative', found 'positive': scikit-learn has no such rule")
    named: dict[str, Any] = {
        "coef_": weights.coef.copy(),
        "intercept_": weights.intercept.copy(),
        "n_features_in_": weights.coef.shape[1],
    }
    if weights.classes is None:
        named["coef_"] = named["coef_"][0]
    else:
        named["classes_"] = weights.classes.copy()
    if weights.n_iter is not None:
        named["n_iter_"] = int(weights.n_iter)
    if weights.feature_names is not None:
        named["feature_names_in_"] = np.array(weights.feature_names, dtype=object)
    return named
