"""A perceptron that learns without end, row by row, in place: to predict and to learn cost what the row costs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.labels import answers, class_list, merge
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows
from rosenblatt.members.linear.learn import LinearMethod, with_classes
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.online_run import Answered, check_class_weight, check_endless
from rosenblatt.members.randomness import random_state

_ENDLESS: dict[str, tuple[tuple[Any, ...], str]] = {
    "readout": (("last", "average"), "votes need every mistake ever made, a pocket all rows"),
    "keep_mistakes": ((False,), "there is no end of them"),
    "shards": ((1,), "rows come one after the other"),
    "batch_size": ((1,), "each row is learned when it comes"),
    "early_stopping": ((False,), "each row is learned when it comes, and none is held out"),
}


class LinearOnline:
    """A perceptron's run that is never over.

    Parameters
    ----------
    parameters
        Those of a `Perceptron`; readout "last" or "average".
    before
        The model to go on from; it stays as it is.
    same_pass
        Whether its last pass goes on, as that of a run that `model` gave; else a new one begins.
    classes
        Labels that are known before the first row.

    Examples
    --------
    The lecture's six examples, and what each was taken for before its label came; sign(0) is +1.

    >>> run = LinearOnline(PerceptronParameters(fit_intercept=False, tie="positive"), classes=[-1, 1])
    >>> X, y = [[-1, 2], [1, 0], [1, 1], [-1, 0], [-1, -2], [1, -1]], [-1, 1, 1, -1, -1, 1]
    >>> [taken.label for taken in run.learn(X, y)]
    [1, 1, -1, -1, 1, 1]
    >>> run.model().coef
    array([[3., 1.]])
    """

    in_place, portion = True, 128

    def __init__(
        self,
        parameters: PerceptronParameters,
        before: LinearModel | None = None,
        *,
        same_pass: bool = False,
        classes: Any = None,
    ) -> None:
        check_endless(parameters, _ENDLESS)
        check_class_weight(parameters.class_weight)
        self._method, self.parameters = LinearMethod(parameters), parameters
        self._rule = parameters.rule(1)
        self._state: LinearState | None = None
        self._classes = np.empty(0) if classes is None else class_list(classes)
        self._passes, self._n_seen, self._n_updates = list[int](), 0, 0
        if before is not None:
            copied = replace(before, state=before.state.trainable())
            self._state = self._method.go_on(copied, before.classes)  # type: ignore[assignment]
            self._passes, self._n_seen, self._n_updates = [*before.passes], before.n_seen, before.n_updates
            self._classes = before.classes
        self._begun = same_pass  # the last of the passes is this run's
        self._number = {label: k for k, label in enumerate(self._classes.tolist())}
        if self._state is None and len(self._classes) < 2 and not _is_zeros(parameters.init):
            raise ParameterError("init: expected all labels before the first row, found other weights than 'zeros'")

    @property
    def classes(self) -> Array | None:
        """The labels so far."""
        return self._classes if len(self._classes) else None

    @property
    def n_features(self) -> int | None:
        """How wide the rows are so far; wider ones may come."""
        return None if self._state is None else len(self._state.w) - 1

    def learn(self, X: Any, y: Sequence[Any]) -> list[Answered]:
        """Answer and learn each row, in order. Rows may be wider than those before."""
        X, found, first = as_rows(X), list[Answered](), 0
        if self._state is None and len(self._classes):
            self._begin(X)  # with labels that were told there are weights to answer with
        self._make_room(X)
        while first < len(y):
            last = next((k for k in range(first, len(y)) if y[k] not in self._number), len(y))
            if last > first and self._state is not None:
                found += self._play(X[first:last], y[first:last])
                first = last
                continue
            # A label or a state that was not there yet: nobody could have predicted it, but an answer was given.
            try:
                label = None if self._state is None else self.answer(X[first : first + 1])[0][0]
            except OverflowError:  # its score is too large for its type
                found.append(Answered(None, learned=False))
            else:
                self._expect(y[first], X)
                found.append(self._play(X[first : first + 1], y[first : first + 1])[0]._replace(label=label))
            first += 1
        return found

    def _make_room(self, X: Matrix) -> None:
        if self._state is not None and X.shape[1] > len(self._state.w) - 1:
            self._state = self._state.with_features(0, X.shape[1])

    def _begin(self, X: Matrix) -> None:
        random = random_state(self.parameters.random_state)
        self._state, _ = self._method.begin(self._classes, X[:0], random)  # type: ignore[assignment]

    def _expect(self, label: Any, X: Matrix) -> None:
        """That rows of this label can be learned."""
        before, p = self._classes, self.parameters
        if label not in self._number:
            self._classes = merge(before[:0] if not len(before) else before, np.asarray([label]))
            self._number = {known: k for k, known in enumerate(self._classes.tolist())}
        if self._state is None:
            self._begin(X)
        elif len(before) < len(self._classes):
            self._state = with_classes(p, self._state, before, self._classes)

    def _play(self, X: Matrix, y: Sequence[Any]) -> list[Answered]:
        """Rows whose labels are all known."""
        state, only = self._state, len(self._classes) == 1
        assert state is not None
        if not self._begun:
            self._passes, self._begun = [*self._passes, 0], True
        # The only class so far counts as positive until another one comes.
        target = np.array([1 if only else self._number[label] for label in y], dtype=np.int32)
        X, weight = as_type(X, state.dtype), None
        if self.parameters.class_weight is not None:
            weight = np.array([self.parameters.class_weight.get(label, 1.0) for label in y], dtype=state.dtype)
        labels, found = self._classes.tolist(), list[Answered]()
        while len(found) < len(y):
            done = len(found)
            taken, rows, mistakes, updates, state.visits = _core.play(
                core_rows(X[done:], check=False),
                target[done:],
                None if weight is None else weight[done:],
                self._rule,
                w=state.w,
                n_rows=state.n_rows,
                bias=state.bias,
                visits=state.visits,
                spread=state.spread,
                sums=state.sums,
                average=self.parameters.readout == "average",
                unit=state.unit,
            )
            self._n_updates += updates
            self._passes[-1] += mistakes
            found += [Answered(labels[0 if only else k]) for k in taken[:rows].tolist()]
            if len(found) < len(y):  # the next row is too large for its type
                found.append(Answered(None, learned=False))
        self._n_seen += len(y)
        return found

    def decision(self, X: Any) -> Array:
        """The score of each row as the model is now; for more than two classes, of each class."""
        state, average = self._state, self.parameters.readout == "average"
        assert state is not None
        X = as_type(as_rows(X), state.dtype)
        out = np.empty((X.shape[0], state.n_rows), dtype=state.dtype)
        _core.standing_scores(
            core_rows(X, check=False),
            state.w,
            state.n_rows,
            state.bias,
            visits=state.visits,
            sums=state.sums if average else None,
            unit=state.unit,
            out=out,
        )
        return out[:, 0] if state.n_rows == 1 else out

    def answer(self, X: Any) -> tuple[list[Any], Array]:
        """The labels of rows as the model is now, and their scores. Rows may be narrower than those learned."""
        decision, labels = self.decision(X), self._classes.tolist()
        if len(labels) == 1:
            return labels * len(decision), decision
        return [labels[k] for k in answers(decision, self.parameters.tie).tolist()], decision

    def model(self) -> LinearModel:
        """What was learned so far; all that came after `before` counts as one pass."""
        if self._state is None:
            raise ValueError("expected an example to learn from before there is a model, found none")
        state = self._state.trainable()
        counts: Any = (len(state.w) - 1, self._n_seen, self._n_updates, [*self._passes])
        return LinearModel(self.parameters, self._classes, state, *counts)


def _is_zeros(init: Any) -> bool:
    return isinstance(init, str) and init == "zeros"
