"""`coef_` and `intercept_` of an estimator that has one row of weights, or one for each class: to read, or to set.

The arrays are read-only, and do not change while the model learns. They are made once, not at each access.
"""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, as_rows, as_users_have_it, is_scipy, sparse


class WeightsOfModel:
    """For an estimator whose `_fitted_model` gives a `LinearModel`."""

    _fitted_model: Any

    def coef_for(self, readout: str) -> Array:
        """The coefficients that another readout answers with, from the same run.

        Examples
        --------
        The lecture's example, two passes: the mean of the weights after each of twelve visits is (5/2, 1/6).

        >>> from rosenblatt import Perceptron
        >>> X, y = [[-1, 2], [1, 0], [1, 1], [-1, 0], [-1, -2], [1, -1]], [-1, 1, 1, -1, -1, 1]
        >>> model = Perceptron(shuffle=False, fit_intercept=False, keep_mistakes=True).fit(X, y)
        >>> model.coef_, model.coef_for("average").round(4)
        (array([[3., 1.]]), array([[2.5   , 0.1667]]))
        """
        coef: Array = self._shape_coef(self._fitted_model("coef_").lasting_coef(readout))
        return coef

    def intercept_for(self, readout: str) -> Array:
        """The intercepts that another readout answers with, from the same run."""
        intercept: Array = self._fitted_model("coef_").lasting_intercept(readout)
        return intercept

    @property
    def coef_(self) -> Any:
        """The weights that answer, (1 or n_classes, n_features); those of a regressor (n_features,)."""
        model = self._fitted_model("coef_")
        by_hand = model.by_hand.get("coef_")
        coef = model.lasting_coef(model.parameters.readout) if by_hand is None else as_users_have_it(by_hand)
        return self._shape_coef(coef)

    @coef_.setter
    def coef_(self, coef: Any) -> None:
        if not is_scipy(coef):
            rows: Matrix = np.atleast_2d(coef)
        else:
            rows = as_rows(coef) if coef.ndim == 2 else sparse(np.atleast_2d(coef.toarray()))
        self._fitted_model("coef_").by_hand["coef_"] = rows

    @property
    def intercept_(self) -> Array:
        """The intercepts that answer, (1,) or (n_classes,)."""
        model = self._fitted_model("intercept_")
        by_hand = model.by_hand.get("intercept_")
        intercept: Array = model.lasting_intercept(model.parameters.readout) if by_hand is None else by_hand
        return intercept

    @intercept_.setter
    def intercept_(self, intercept: Any) -> None:
        self._fitted_model("intercept_").by_hand["intercept_"] = np.atleast_1d(np.asarray(intercept))

    def _shape_coef(self, coef: Any) -> Any:
        return coef
