"""A run without end: examples come one after another, and each is answered before it is learned.

The result does not depend on how examples are grouped into calls, to the bit. The model counts all examples as one
pass. The loop over examples is here. A member defines how its state begins and grows, how it learns examples with known
labels, how it answers, and what its model is.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import answers, class_list, merge
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows
from rosenblatt.members.calibration import Calibration
from rosenblatt.members.model import Model
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import random_state
from rosenblatt.members.rows import Order, RowMember, WeightedRows


class Answered(NamedTuple):
    """The answer to an example before it was learned (None before any label), and whether it was learned.

    If its numbers are too large, it is not learned, and changes nothing.
    """

    label: Any
    learned: bool = True


class OnlineRun(ABC):
    """A member that learns example by example.

    Parameters
    ----------
    parameters
        The parameters of its estimator, as far as a run without end needs them.
    before
        The model to continue from; it does not change.
    same_pass
        Whether to continue the last pass of this model, as after a call of `model`; else a new pass begins.
    classes
        Labels that are known before the first example.
    """

    in_place: ClassVar[bool] = True  # whether `answer` must wait while it learns
    portion: ClassVar[int] = 128  # examples to learn at a time, so that others need not wait long

    def __init__(self, parameters: Any, before: Any = None, *, same_pass: bool = False, classes: Any = None) -> None:
        check_offered(parameters, "endless")
        self.parameters, self._before = parameters, before
        self._begun = same_pass  # whether the last pass belongs to this run
        self._state: Any = None
        self._classes = self._list(() if classes is None else classes)
        if before is not None:
            self._classes, self._state = before.classes, self._resume(before)

    @property
    def classes(self) -> Array | None:
        """The labels so far; None before the first example, if none were known."""
        return self._classes if len(self._classes) else None

    @property
    @abstractmethod
    def n_features(self) -> int | None:
        """The width of rows; None before the first."""

    @property
    def calibration(self) -> Calibration | None:
        """From scores to probabilities, if the run has them."""
        return None

    def learn(self, X: Any, y: Sequence[Any]) -> list[Answered]:
        X, answered, first = self._take(X), list[Answered](), 0
        while first < len(y):
            last = next((k for k in range(first, len(y)) if not self._knows(y[k])), len(y))
            if last > first and self._state is not None:
                answered += self._play(X[first:last], y[first:last])
                first = last
            else:  # the label is new, or there is no state yet
                answered.append(self._meet(X[first : first + 1], y[first : first + 1]))
                first += 1
        return answered

    def _meet(self, X: Any, y: Any) -> Answered:
        """Learn the first example of a label. The answer could not be right, but it is recorded."""
        before = self._state, self._classes
        try:
            label = None if self._state is None else self.answer(X)[0][0]
        except OverflowError:  # its score is too large for its type
            return Answered(None, learned=False)
        classes = self._merge(self._classes, y)
        self._state = self._begin(classes, X) if self._state is None else self._grow(self._state, classes)
        self._classes = classes
        (played,) = self._play(X, y)
        if not played.learned:
            self._state, self._classes = before
        return Answered(label, played.learned)

    def _take(self, X: Any) -> Any:
        """Examples in the form that `_play` needs. The state makes room for them."""
        return X

    @abstractmethod
    def _knows(self, label: Any) -> bool:
        """Whether examples of this label can be learned without a change of the state."""

    def _list(self, classes: Any) -> Array:
        return class_list(classes) if len(classes) else np.empty(0)

    def _merge(self, classes: Array, y: Any) -> Array:
        return merge(classes, np.asarray(y))

    @abstractmethod
    def _resume(self, before: Any) -> Any:
        """A state to continue from, which shares nothing with the model that changes."""

    @abstractmethod
    def _begin(self, classes: Array, X: Any) -> Any:
        """The state before the first visit."""

    @abstractmethod
    def _grow(self, state: Any, classes: Array) -> Any:
        """The state for these classes."""

    @abstractmethod
    def _play(self, X: Any, y: Sequence[Any]) -> list[Answered]:
        """Answer and learn examples whose labels are all known."""

    @abstractmethod
    def answer(self, X: Any) -> tuple[list[Any], Any]:
        """The labels of examples as the model is now, and the scores behind them, if it has any."""

    @abstractmethod
    def model(self) -> Model:
        """What was learned so far, whatever is learned next."""


class RowsOnline(OnlineRun):
    """A member that learns row by row: any `RowMember`; a subclass defines the `member`."""

    member: type[RowMember[Any]]
    portion = 8

    def __init__(self, parameters: Any, before: Any = None, *, same_pass: bool = False, classes: Any = None) -> None:
        self._member = self._member_of(parameters)
        self._n_features: int | None = None
        self._passes, self._n_seen, self._n_updates = list[int](), 0, 0
        self._number_of: dict[Any, int] = {}
        super().__init__(parameters, before, same_pass=same_pass, classes=classes)
        if before is not None:
            self._passes, self._n_seen, self._n_updates = [*before.passes], before.n_seen, before.n_updates
            self._n_features = before.n_features

    def _member_of(self, parameters: Any) -> RowMember[Any]:
        make: Any = self.member
        member: RowMember[Any] = make(parameters)
        return member

    @property
    def n_features(self) -> int | None:
        return self._n_features

    @property
    def _numbers(self) -> dict[Any, int]:
        if len(self._number_of) != len(self._classes):
            self._number_of = {label: k for k, label in enumerate(self._classes.tolist())}
        return self._number_of

    def _knows(self, label: Any) -> bool:
        return label in self._numbers

    def _targets(self, y: Sequence[Any]) -> Array:
        """Class numbers. A single class counts as positive until another one comes."""
        only, numbers = len(self._classes) == 1, self._numbers
        return np.array([1 if only else numbers[label] for label in y], dtype=np.int32)

    def _take(self, X: Any) -> Matrix:
        X = as_rows(X)
        if self._state is None and len(self._classes):  # if labels are known, there are weights that can answer
            self._state = self._begin(self._classes, X[:0])
        return X

    def _resume(self, before: Any) -> Any:
        return before.state.copy()

    def _begin(self, classes: Array, X: Matrix) -> Any:
        self._n_features = X.shape[1]
        return self._member.begin(classes, X, random_state(self.parameters.random_state))[0]

    def _grow(self, state: Any, classes: Array) -> Any:
        return self._member.grow(state, self._classes, classes)

    def _count(self, mistakes: int, updates: int, n_rows: int) -> None:
        if not self._begun:
            self._passes, self._begun = [*self._passes, 0], True
        self._passes[-1] += mistakes
        self._n_updates += updates
        self._n_seen += n_rows

    def _weights_of(self, y: Sequence[Any]) -> Array | None:
        of_class = self.parameters.class_weight
        return None if of_class is None else np.array([of_class.get(label, 1.0) for label in y], self._state.dtype)

    def _play(self, X: Matrix, y: Sequence[Any]) -> list[Answered]:
        return [self._play_row(X[k : k + 1], y[k : k + 1]) for k in range(len(y))]

    def _play_row(self, x: Matrix, y: Sequence[Any]) -> Answered:
        label = self.answer(x)[0][0]
        try:
            counts = self._visit(as_type(x, self._state.dtype), y)
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):  # the numbers are too large to continue
            self._n_seen += 1
            return Answered(label, learned=False)
        self._count(*counts, n_rows=1)
        return Answered(label)

    def _visit(self, x: Matrix, y: Sequence[Any]) -> tuple[int, int]:
        rows = WeightedRows(core_rows(x), x, self._targets(y), self._weights_of(y), np.array([self._n_seen]))
        mistakes, _, updates = self._member.visit(self._state, rows, Order())
        return int(mistakes[0]), updates

    def decision(self, X: Any) -> Array:
        """The score of each row as the model is now; for more than two classes, of each class."""
        X = as_type(as_rows(X), self._state.dtype)
        core_rows(X)
        return self._member.decision(self._state, X)

    def answer(self, X: Any) -> tuple[list[Any], Array]:
        decision, labels = self.decision(X), self._classes.tolist()
        if len(labels) == 1:
            return labels * len(decision), decision
        return [labels[k] for k in answers(decision, self.parameters.tie).tolist()], decision

    def model(self) -> Any:
        if self._state is None:
            raise ValueError("expected an example to learn from before there is a model, found none")
        counts: Any = self._n_features, self._n_seen, self._n_updates, [*self._passes], None
        return self._member.model(self._state.copy(), self._classes, *counts)
