"""A perceptron that learns row by row without end, in place: a prediction or an update costs as much as its row."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.online_run import Answered, RowsOnline


class LinearOnline(RowsOnline):
    """A run without end of a perceptron, with the parameters of a `Perceptron`.

    Examples
    --------
    The lecture's six examples, and the prediction for each before its label came; sign(0) is +1.

    >>> from rosenblatt.members.linear.parameters import PerceptronParameters
    >>> run = LinearOnline(PerceptronParameters(fit_intercept=False, tie="positive"), classes=[-1, 1])
    >>> X, y = [[-1, 2], [1, 0], [1, 1], [-1, 0], [-1, -2], [1, -1]], [-1, 1, 1, -1, -1, 1]
    >>> [answered.label for answered in run.learn(X, y)]
    [1, 1, -1, -1, 1, 1]
    >>> run.model().coef
    array([[3., 1.]])
    """

    member, portion = LinearMember, 128

    def __init__(
        self, parameters: Any, before: LinearModel | None = None, *, same_pass: bool = False, classes: Any = None
    ) -> None:
        super().__init__(parameters, before, same_pass=same_pass, classes=classes)
        self._rule, init = parameters.rule(1), parameters.init
        if self._state is None and len(self._classes) < 2 and not (isinstance(init, str) and init == "zeros"):
            raise ParameterError("init: expected all labels before the first row, found other weights than 'zeros'")

    @property
    def n_features(self) -> int | None:
        """The width of the rows so far; wider ones may come."""
        return None if self._state is None else self._state.n_features

    def _resume(self, before: Any) -> LinearState:
        state: LinearState = self._member.go_on(replace(before, state=before.state.trainable()), before.classes)
        return state

    def _take(self, X: Any) -> Matrix:
        X = super()._take(X)
        if self._state is not None and X.shape[1] > self._state.n_features:
            self._state = self._state.with_features(0, X.shape[1])
        return X

    def _play(self, X: Matrix, y: Sequence[Any]) -> list[Answered]:
        state, only, target = self._state, len(self._classes) == 1, self._targets(y)
        X, weight = as_type(X, state.dtype), self._weights_of(y)
        labels, answered = self._classes.tolist(), list[Answered]()
        self._count(0, 0, len(y))
        while (done := len(answered)) < len(y):
            classes, n_rows, mistakes, updates = state.play(
                core_rows(X[done:], check=False),
                target[done:],
                None if weight is None else weight[done:],
                self._rule,
                average=self.parameters.readout == "average",
                unit=state.unit,
            )
            self._count(mistakes, updates, 0)
            answered += [Answered(labels[0 if only else k]) for k in classes[:n_rows].tolist()]
            if len(answered) < len(y):  # the next row is too large for its type
                answered.append(Answered(None, learned=False))
        return answered

    def decision(self, X: Any) -> Array:
        """The score of each row now. Rows may be narrower than those learned."""
        state = self._state
        X = as_type(as_rows(X), state.dtype)
        out = np.empty((X.shape[0], state.n_machines), dtype=state.dtype)
        average = self.parameters.readout == "average"
        state.standing_scores(core_rows(X, check=False), average=average, unit=state.unit, out=out)
        return out[:, 0] if state.n_machines == 1 else out

    def model(self) -> LinearModel:
        """The model so far. All rows after `before` count as one pass."""
        self._n_features = self.n_features
        model: LinearModel = super().model()
        return model
