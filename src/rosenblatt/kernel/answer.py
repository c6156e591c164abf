"""What a fitted kernel perceptron answers with: its readout, support vectors and coefficients, scores and labels."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.kernel.state import DualState, Readout
from rosenblatt.kernel.values import Array
from rosenblatt.linear.state import answers, as_type
from rosenblatt.rows import core_rows, validate_rows, without_duplicates


def run_attributes(state: DualState, classes: Array, n_seen: int, passes: list[int]) -> dict[str, Any]:
    """What a fitted model must have to answer."""
    return {"_state": state, "classes_": classes, "_n_seen": n_seen, "_passes": passes}


class KernelAnswers:
    """For an estimator with `_state` (a DualState), `classes_` and the words of a kernel perceptron."""

    kernel: Any
    readout: Any
    normalise: Any
    passes: Any
    suffix: Any
    tie: Any
    classes_: Array
    _state: DualState
    _passes: list[int]

    @property
    def mistakes_(self) -> Array:
        """The mistakes of each pass."""
        self._fitted("mistakes_")
        return np.asarray(self._passes, dtype=np.int64)

    @property
    def support_(self) -> Array:
        """The numbers of the support vectors among the training rows."""
        return np.asarray(self._fitted("support_").hypothesis(self._readout_with_vectors).support_row)

    @property
    def support_vectors_(self) -> Any:
        """The support vectors."""
        support = self._fitted("support_vectors_").hypothesis(self._readout_with_vectors).support
        if support is None or self.kernel == "precomputed":
            return np.empty((0, 0))
        return support.X

    @property
    def dual_coef_(self) -> Array:
        """The coefficients of the support vectors in the hypothesis that answers."""
        hypothesis = self._fitted("dual_coef_").hypothesis(self._readout)
        return hypothesis.scaled(hypothesis.coef.T)

    @property
    def n_support_(self) -> Array:
        """How many support vectors each class has."""
        state = self._fitted("n_support_")
        targets = state.support_target if state.dictionary is None else state.dictionary.support_target
        return np.bincount(targets[: len(self.support_)], minlength=len(self.classes_))

    def decision_function(self, X: Any) -> Array:
        """The score of each row; for more than two classes, of each class.

        For readout="vote" the share of visits survived by the hypotheses that answer so: from -1 to 1 for two classes.
        """
        check_is_fitted(self)
        X = as_type(without_duplicates(validate_rows(self, X, reset=False)), self._state.dtype)
        core_rows(X)
        return self._state.decision(X, self._readout, self.tie)

    def predict(self, X: Any) -> Array:
        """The label of each row."""
        decision = self.decision_function(X)
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, len(decision))
        return np.asarray(self.classes_[answers(decision, self.tie)])

    @property
    def _readout(self) -> Readout:
        return Readout(self.readout, self.normalise, self.passes, self.suffix)

    @property
    def _readout_with_vectors(self) -> Readout:
        """Of a vote, all that it is made of."""
        return Readout("last", passes=self.passes) if self.readout == "vote" else self._readout

    def _set_run(self, state: DualState, classes: Array, n_seen: int, passes: list[int]) -> Self:
        vars(self).update(run_attributes(state, classes, n_seen, passes))
        self.n_iter_, self.converged_ = len(passes), passes[-1] == 0
        return self

    def _fitted(self, name: str) -> DualState:
        # AttributeError, so that hasattr is False before the fit
        if not hasattr(self, "_state"):
            raise AttributeError(f"{type(self).__name__} has no {name} before it is fitted")
        return self._state
