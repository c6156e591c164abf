"""A linear model as scikit-learn has it: the attributes of its own linear models, or such a model with these set."""

from typing import Any

import numpy as np

from rosenblatt.services.export.linear import Linear, linear


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

    found = linear(model)
    theirs = (SGDRegressor if found.classes is None else Perceptron)(fit_intercept=found.fit_intercept)
    vars(theirs).update(_attributes(found))
    return theirs


def sklearn_attributes(model: Any) -> dict[str, Any]:
    """The same attributes as lists and numbers, for JSON: whoever reads it needs neither library.

    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> sklearn_attributes(Perceptron(shuffle=False).fit(*AND))
    {'coef_': [[3.0, 2.0]], 'intercept_': [-4.0], 'n_features_in_': 2, 'classes_': [-1, 1], 'n_iter_': 9}
    """
    return {name: np.asarray(value).tolist() for name, value in _attributes(linear(model)).items()}


def _attributes(found: Linear) -> dict[str, Any]:
    if found.last_of_ties:
        raise ValueError("model: expected tie='mistake' or 'negative', found 'positive': scikit-learn has no such rule")
    named: dict[str, Any] = {
        "coef_": found.coef.copy(),
        "intercept_": found.intercept.copy(),
        "n_features_in_": found.coef.shape[1],
    }
    if found.classes is None:
        named["coef_"] = named["coef_"][0]
    else:
        named["classes_"] = found.classes.copy()
    if found.n_iter is not None:
        named["n_iter_"] = int(found.n_iter)
    if found.feature_names is not None:
        named["feature_names_in_"] = np.array(found.feature_names, dtype=object)
    return named
