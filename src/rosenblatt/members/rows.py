"""What a member that learns from rows defines, and a run of it between two turns.

A `RowMember` defines how a run begins, what a visit does, how it scores, and how its weights grow or are mixed. With
that it can be fitted in memory, in shards, from files, on a cluster and without end: each is a `RowsRun` with another
source of visits, and all of them use `members.run`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import answers
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.base.rows import Matrix, core_rows
from rosenblatt.members.model import Classifier
from rosenblatt.members.run import Turn
from rosenblatt.members.sample_weight import part, step_weights
from rosenblatt.members.stopping import Stopping

S = TypeVar("S")


class WeightedRows(NamedTuple):
    """Rows to visit, in the form of the core and of Python (None if nobody needs it), with targets and weights."""

    rows: Any
    X: Any
    target: Array
    weight: Array | None = None
    number: Array | None = None  # of each row among all rows of the run, for the list of mistakes

    @classmethod
    def of(cls, X: Matrix, target: Array, weight: Array | None, number: Array, *, check: bool = False) -> Self:
        X, target, weight = part(number, X, target, weight)
        return cls(core_rows(X, check=check), X, target, weight, number)


class Order(NamedTuple):
    """Which passes to make, and in which order."""

    seed: int | None = None  # None: the listed order
    first_pass: int = 0
    passes: int = 1
    whole_passes: bool = True  # False: the rows are a part of a pass


class Visits(NamedTuple):
    """The result of some passes: the mistakes and the loss of each, and the updates of all."""

    mistakes: Array
    losses: Array
    updates: int


class RowMember(ABC, Generic[S]):
    """A member that learns from rows and labels. Its state `S` is what visits change.

    A state has `copy`, `dtype` and `visits`, the number of visits so far.
    """

    model_class: ClassVar[type[Classifier]]
    parameters: Any
    mixes: ClassVar[tuple[str, ...]] = ()  # names of the arrays of a state that mixing averages, the weights first
    in_python: ClassVar[bool] = False  # whether visits need the rows in their Python form too

    def take_rows(self, X: Matrix) -> Matrix:
        return X

    def targets(
        self, X: Matrix, y: Any, sample_weight: Any, *, all_labels: bool
    ) -> tuple[Array, Array, Array | None, Array]:
        """The classes, the target and the weight of each row, and the rows whose weight is not 0.

        A member that learns numbers has no classes. Without `all_labels`, more may come later.
        """
        targets = step_weights(X, y, sample_weight, self.parameters.class_weight, all_labels=all_labels)
        if all_labels:
            check_two_classes(self.model_class.kind, targets[0])
        return targets

    @abstractmethod
    def begin(self, classes: Array, X: Matrix, random: np.random.RandomState, start: Any = None) -> tuple[S, Any]:
        """The state before the first visit, and the seed of the orders (None: the listed order).

        `start` is a model to start from, or weights in the form of the parameter `init`.
        """

    @abstractmethod
    def visit(self, state: S, rows: WeightedRows, order: Order) -> Visits:
        """Make passes over the rows, which change the state. Stop after a pass without a mistake."""

    @abstractmethod
    def decision(self, state: S, X: Matrix) -> Array:
        """The scores of rows, or for a vote the share of each side."""

    @abstractmethod
    def stopping(self, n_rows: int) -> Stopping:
        """When a run over this number of rows ends."""

    @abstractmethod
    def grow(self, state: S, before: Array, classes: Array) -> S:
        """The state for these classes, which include those of `before`."""

    def model(
        self,
        state: S,
        classes: Array,
        n_features: int,
        n_seen: int,
        n_updates: int,
        passes: list[int],
        mixed: list[float] | None,
    ) -> Any:
        counts = n_features, n_seen, n_updates, passes
        return self.model_class(self.parameters, classes, state, *counts, mixed=mixed)

    def go_on(self, before: Any, classes: Array) -> S:
        """A state that continues after a model, for classes that may be more than it knows.

        The model must not be used again.
        """
        return self.grow(before.state, before.classes, classes)

    def columns(self, state: S, first: int, last: int) -> S:
        """Keep only the features `first` to `last`. New features have zero weights."""
        raise NotImplementedError

    def all_or_nothing(self, state: S, X: Matrix) -> AbstractContextManager[None]:
        """A block in which further rows are learned: if that fails, the state is as before."""
        del state, X
        return nullcontext()

    def inseparable(self, state: S, X: Matrix, target: Array) -> bool:
        """Whether it is certain that every pass over these rows has a mistake."""
        del state, X, target
        return False

    def measure(self, target: Array, decision: Array, weight: Array | None) -> float:
        """How good decisions are for held-out rows: the weighted share of right answers."""
        return float(np.average(answers(decision, self.parameters.tie) == target, weights=weight))

    def check_room(self, state: S, n_features: int) -> None:
        """Raise a `MemoryError` if the weights of this number of features would not fit into memory."""

    def finish(self, model: Any) -> None:
        """Do slow work at the end of a fit that the first answer would else have to do."""

    def for_shards(self, state: S) -> S:
        """The part of the first state that shards need."""
        return state

    def state_to_record(self, state: S, tensors: Tensors) -> dict[str, Any]:
        """The state for the record of a checkpoint; arrays join the tensors."""
        raise NotImplementedError

    def state_from_record(self, parts: Parts, n_features: int, n_classes: int, n_seen: int) -> S:
        """The state of that record, ready for further learning."""
        raise NotImplementedError


class RowsRun(ABC):
    """A run over rows between two turns."""

    def __init__(
        self,
        member: RowMember[Any],
        state: Any,
        classes: Array,
        n_features: int,
        n_seen: int,
        stop: Stopping,
        seed: int | None = None,
        held_out: WeightedRows | None = None,
    ) -> None:
        self.member, self.state, self.classes, self.stop = member, state, classes, stop
        self.n_features, self.n_seen, self.seed, self.held_out = n_features, n_seen, seed, held_out
        self.n_updates = 0
        self.mixed: list[float] | None = (
            None  # mistakes of each pass with the factors that mix the shards, if there are several
        )

    @abstractmethod
    def turn(self, passes: int) -> Turn:
        """Continue for at most this number of passes."""

    @property
    def score(self) -> Callable[[], float] | None:
        """A function that says how good the state is on the held-out rows, if there are any."""
        out, member = self.held_out, self.member
        if out is None:
            return None
        return lambda: member.measure(out.target, member.decision(self.state, out.X), out.weight)

    def check_weights(self) -> None:
        """At the end of a pass, raise an `OverflowError` if the weights are not finite."""
        if not np.isfinite(getattr(self.state, self.member.mixes[0])).all():
            raise OverflowError(f"the weights are too large for their type in pass {len(self.stop.mistakes) + 1}")

    @property
    def unfinished(self) -> int | None:
        """The mistakes of a pass that `watch` ended early."""
        return None

    @property
    def passes(self) -> list[int]:
        """The mistakes of each pass. Of one that `watch` has ended, a part without mistakes is no clean pass."""
        finished, part = self.stop.mistakes, self.unfinished
        return [*finished] if part is None or (part == 0 and finished) else [*finished, part]

    def model(self, state: Any = None) -> Any:
        counts = self.n_features, self.n_seen, self.n_updates, self.passes, self.mixed
        return self.member.model(self.state if state is None else state, self.classes, *counts)

    def snapshot(self) -> Any:
        """A copy of the model so far, which the run does not change."""
        return self.model(self.state.copy())


class RowsInMemory(RowsRun):
    """Passes over rows in memory."""

    def __init__(self, rows: WeightedRows, *run: Any) -> None:
        super().__init__(*run)
        self.rows = rows

    def turn(self, passes: int) -> Turn:
        """Make passes until one has no mistake."""
        order = Order(self.seed, len(self.stop.mistakes), passes)
        mistakes, losses, updates = self.member.visit(self.state, self.rows, order)
        self.n_updates += updates
        return Turn(mistakes.tolist(), losses[-1] / len(self.rows.target))


def check_two_classes(kind: str, classes: Array) -> None:
    """Raise a `ValueError` if there are fewer than two classes."""
    if len(classes) < 2:
        raise ValueError(f"{kind} needs at least 2 classes, got samples of only one class: {classes.tolist()}")
