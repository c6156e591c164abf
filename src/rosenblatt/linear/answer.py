"""What a fitted linear model answers: its weights under each readout, decisions and predictions.

All of it is taken from the state of the run when it is asked for, so that `readout` may change after the fit.
"""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.linear.parameters import READOUTS
from rosenblatt.linear.state import Array, LinearState, answers, as_type
from rosenblatt.rows import core_rows, core_weights, is_sparse, score, validate_rows

if TYPE_CHECKING:
    from rosenblatt.theory.certificate import Certificate

_MISSING = {
    "average": "fit with readout='average' or keep_mistakes=True",
    "pocket": "fit with readout='pocket'",
    "vote": "fit with readout='vote' or keep_mistakes=True",
}


def run_attributes(state: LinearState, classes: Array, n_seen: int, passes: list[int]) -> dict[str, Any]:
    """What a fitted model must have to answer."""
    return {
        "_state": state,
        "classes_": classes,
        "_n_seen": n_seen,
        "_passes": passes,
        "_given": {},  # weights set by hand, or made sparse
        "_taken": {},  # readouts taken since the state last changed
    }


class LinearAnswers:
    """For an estimator with `_state` (a LinearState), `classes_` and the words of a perceptron."""

    readout: Any
    tie: Any
    step: Any
    multiclass: Any
    fit_intercept: Any
    intercept_scaling: Any
    classes_: Array
    _state: LinearState
    _n_seen: int
    _passes: list[int]
    _given: dict[str, Any]
    _taken: dict[str, Array]

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
        return np.asarray(self._weights_for(readout)[:-1, : self._state.n_rows].T)

    def intercept_for(self, readout: str) -> Array:
        """The intercepts that another readout answers with, from the same run."""
        return np.asarray(self._weights_for(readout)[-1, : self._state.n_rows] * self._state.bias)

    @property
    def coef_(self) -> Any:
        """The weights that answer, (1 or n_classes, n_features)."""
        self._check_attribute("coef_")
        return self._given["coef_"] if "coef_" in self._given else self.coef_for(self.readout)

    @coef_.setter
    def coef_(self, coef: Any) -> None:
        self._given["coef_"] = coef

    @property
    def intercept_(self) -> Array:
        """The intercepts that answer, (1,) or (n_classes,)."""
        self._check_attribute("intercept_")
        return self._given["intercept_"] if "intercept_" in self._given else self.intercept_for(self.readout)

    @intercept_.setter
    def intercept_(self, intercept: Any) -> None:
        self._given["intercept_"] = np.atleast_1d(np.asarray(intercept))

    @property
    def mistakes_(self) -> Array:
        """The mistakes of each pass."""
        self._check_attribute("mistakes_")
        return np.asarray(self._passes, dtype=np.int64)

    @property
    def dual_coef_(self) -> Array:
        """How much of each training row was added: (n,) for two classes, (n_classes, n) for more."""
        self._check_attribute("dual_coef_")
        if self._state.mistakes is None:
            raise AttributeError("dual_coef_ is there only if the mistakes are kept: fit with keep_mistakes=True")
        dual = self._state.dual_coef(self._n_seen)
        return np.abs(dual[0]) if self._state.n_rows == 1 else dual

    def decision_function(self, X: Any) -> Array:
        """The score of each row; for more than two classes, of each class.

        For readout="vote" the share of visits survived by the weights that answer so: from -1 to 1 for two classes.
        """
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        state, readout = self._state, self.readout
        if not self._given and readout != "vote":
            X = as_type(X, state.w.dtype)
            decision = score(core_rows(X, check=False), self._weights_for(readout), state.n_rows, state.bias)
            return decision[:, 0] if state.n_rows == 1 else decision
        if not self._given:
            self._check_kept("vote", there=state.mistakes is not None)
            return state.decision(X, readout, self.tie)
        coef = self.coef_.toarray() if is_sparse(self.coef_) else np.asarray(self.coef_)
        w = core_weights(coef.astype(X.dtype, copy=False), self.intercept_, 1.0)
        decision = score(core_rows(X, check=False), w, len(coef), 1.0)
        return decision[:, 0] if len(coef) == 1 else decision

    def predict(self, X: Any) -> Array:
        """The label of each row."""
        decision = self.decision_function(X)
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, len(decision))
        return np.asarray(self.classes_[answers(decision, self.tie)])

    def certificate(self, X: Any, y: Any) -> "Certificate":
        """Whether the rows this model was fitted to are separable, with a proof, in the conventions of this model.

        With `keep_mistakes` every update of the run is held against it: both lemmas and the mistake bound. What does
        not hold is a RuntimeError. For the columns of this check see `rosenblatt.check_run`, for more conventions
        `rosenblatt.certify`.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> from rosenblatt.data.lectures import AND
        >>> model = Perceptron(shuffle=False, keep_mistakes=True).fit(*AND)
        >>> model.n_updates_, model.certificate(*AND).bound_exact
        (18, Fraction(51, 1))
        """
        from rosenblatt.theory.check_run import check_run
        from rosenblatt.theory.separability import certify

        check_is_fitted(self)
        if len(self.classes_) > 2 and self.multiclass != "argmax":
            raise ValueError("certificate is for multiclass='argmax'; for one against the rest, certify(X, y == label)")
        scaling = self.intercept_scaling if self.fit_intercept else 1
        proof = certify(X, y, fit_intercept=self.fit_intercept, intercept_scaling=scaling)
        if self._state.mistakes is not None and self.step == "perceptron":
            checked = check_run(self, X, y, certificate=proof)
            if not checked:
                raise RuntimeError(f"this run is not what the theorem is about: {checked.violation}")
        return proof

    def _set_run(self, state: LinearState, classes: Array, n_seen: int, passes: list[int]) -> Self:
        vars(self).update(run_attributes(state, classes, n_seen, passes))
        return self

    def _weights_for(self, readout: str) -> Array:
        self._check_attribute("coef_")
        if readout == "vote":
            raise AttributeError("a vote has no single weight vector; take coef_for('average') or coef_for('last')")
        if readout not in READOUTS:
            raise ValueError(f"readout must be one of {READOUTS}, got {readout!r}")
        if readout not in self._taken:
            weights = self._state.weights(readout)
            self._check_kept(readout, there=weights is not None)
            assert weights is not None
            self._taken[readout] = weights
        return self._taken[readout]

    def _check_kept(self, readout: str, *, there: bool) -> None:
        if not there:
            raise AttributeError(f"this run did not keep what readout={readout!r} needs; {_MISSING[readout]}")

    def _check_attribute(self, name: str) -> None:
        # AttributeError, so that hasattr is False before the fit
        if not hasattr(self, "_state"):
            raise AttributeError(f"{type(self).__name__} has no {name} before it is fitted")
