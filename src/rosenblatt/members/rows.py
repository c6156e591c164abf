"""What a member that learns from rows says of itself, and a run of it between two turns.

A `RowMember` says how a run begins, what a visit does, how it scores, and how its weights grow or are mixed. From that
it is fitted in memory, in shards, from files, on a cluster and without end: each is a `RowsRun` with another source of
visits, and all of them go through `members.run`.
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
from rosenblatt.members.sample_weight import part
from rosenblatt.members.stopping import Stopping

S = TypeVar("S")


class WeightedRows(NamedTuple):
    """Rows to visit: as the core has them and as Python does (None where nobody looks), their targets and weights."""

    rows: Any
    X: Any
    target: Array
    weight: Array | None = None
    number: Array | None = None  # of each among all rows of the run, for the mistakes that are kept

    @classmethod
    def of(cls, X: Matrix, target: Array, weight: Array | None, number: Array, *, check: bool = False) -> Self:
        """Those of these numbers."""
        X, target, weight = part(number, X, target, weight)
        return cls(core_rows(X, check=check), X, target, weight, number)


class Order(NamedTuple):
    """Which passes to make, and in which order of the rows."""

    seed: int | None = None  # None: the listed order
    first_pass: int = 0
    passes: int = 1
    whole_passes: bool = True  # else the rows are a part of a pass


class Visits(NamedTuple):
    """What passes came to: the mistakes and the loss of each, and the updates of all."""

    mistakes: Array
    losses: Array
    updates: int


class RowMember(ABC, Generic[S]):
    """A member that learns from rows and labels. Its state `S` is what visits change; it has a `copy`."""

    model_class: ClassVar[type[Classifier]]
    parameters: Any
    mixes: ClassVar[tuple[str, ...]] = ()  # the arrays of a state that are mixed, the weights first
    in_python: ClassVar[bool] = False  # whether visits look at the rows of Python, not only at those of the core

    def take_rows(self, X: Matrix) -> Matrix:
        """The rows as visits want them."""
        return X

    @abstractmethod
    def begin(self, classes: Array, X: Matrix, random: np.random.RandomState, start: Any = None) -> tuple[S, Any]:
        """The state before the first visit, and the seed of the orders (None: the listed one).

        `start` is a model to start from, or weights as the parameter `init` has them.
        """

    @abstractmethod
    def visit(self, state: S, rows: WeightedRows, order: Order) -> Visits:
        """Passes over the rows, which change the state; none after a clean one."""

    @abstractmethod
    def decision(self, state: S, X: Matrix) -> Array:
        """The scores of rows, or for a vote the share of each side."""

    @abstractmethod
    def stopping(self, n_rows: int) -> Stopping:
        """When a run over so many rows ends."""

    @abstractmethod
    def grow(self, state: S, before: Array, classes: Array) -> S:
        """The state for these classes, among which are those of before."""

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
        """What was learned."""
        counts = n_features, n_seen, n_updates, passes
        return self.model_class(self.parameters, classes, state, *counts, mixed=mixed)

    def go_on(self, before: Any, classes: Array) -> S:
        """The state after a model, for classes that may be more than it knew. The model is used up."""
        return self.grow(before.state, before.classes, classes)

    def columns(self, state: S, first: int, last: int) -> S:
        """Of the features `first` to `last` only; those that come after the ones known have no weight yet."""
        raise NotImplementedError

    def all_or_nothing(self, state: S, X: Matrix) -> AbstractContextManager[None]:
        """Further rows are learned within it: if that fails, the state is as before."""
        del state, X
        return nullcontext()

    def inseparable(self, state: S, X: Matrix, target: Array) -> bool:
        """Whether it is certain that no pass over these rows can be clean."""
        del state, X, target
        return False

    def measure(self, target: Array, decision: Array, weight: Array | None) -> float:
        """How good decisions are for rows held out: the weighted share of right answers."""
        return float(np.average(answers(decision, self.parameters.tie) == target, weights=weight))

    def check_room(self, state: S, n_features: int) -> None:
        """A `MemoryError` where the weights of so many features would not fit into memory."""

    def finish(self, model: Any) -> None:
        """Do what is worth doing at the end of a fit."""

    def for_shards(self, state: S) -> S:
        """What shards need of the state that they start from."""
        return state

    def state_to_record(self, state: S, tensors: Tensors) -> dict[str, Any]:
        """The state for the record of a checkpoint; arrays join the tensors."""
        raise NotImplementedError

    def state_from_record(self, parts: Parts, n_features: int, n_classes: int, n_seen: int) -> S:
        """The state of that record, so that it can be learned on."""
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
        self.mixed: list[float] | None = None  # mistakes of each pass as shards were mixed, if there are several

    @abstractmethod
    def turn(self, passes: int) -> Turn:
        """Go on: at most so many passes."""

    @property
    def score(self) -> Callable[[], float] | None:
        """What says how good the state is on the rows held out, if there are any."""
        out, member = self.held_out, self.member
        if out is None:
            return None
        return lambda: member.measure(out.target, member.decision(self.state, out.X), out.weight)

    def check_weights(self) -> None:
        """An `OverflowError` at the end of a pass after which they are no finite numbers."""
        if not np.isfinite(getattr(self.state, self.member.mixes[0])).all():
            raise OverflowError(f"the weights are too large for their type in pass {len(self.stop.mistakes) + 1}")

    @property
    def unfinished(self) -> int | None:
        """The mistakes of a pass that `watch` has ended before it was over."""
        return None

    @property
    def passes(self) -> list[int]:
        """The mistakes of each pass. Of one that `watch` has ended, a part without mistakes is no clean pass."""
        finished, part = self.stop.mistakes, self.unfinished
        return [*finished] if part is None or (part == 0 and finished) else [*finished, part]

    def model(self, state: Any = None) -> Any:
        """What was learned."""
        counts = self.n_features, self.n_seen, self.n_updates, self.passes, self.mixed
        return self.member.model(self.state if state is None else state, self.classes, *counts)

    def snapshot(self) -> Any:
        """The model so far, whatever the run does next."""
        return self.model(self.state.copy())


class RowsInMemory(RowsRun):
    """Passes over rows in memory."""

    def __init__(self, rows: WeightedRows, *run: Any) -> None:
        super().__init__(*run)
        self.rows = rows

    def turn(self, passes: int) -> Turn:
        """Passes until one is clean."""
        order = Order(self.seed, len(self.stop.mistakes), passes)
        mistakes, losses, updates = self.member.visit(self.state, self.rows, order)
        self.n_updates += updates
        return Turn(mistakes.tolist(), losses[-1] / len(self.rows.target))


def check_two_classes(kind: str, classes: Array) -> None:
    """A `ValueError` where there is nothing to tell apart."""
    if len(classes) < 2:
        raise ValueError(f"{kind} needs at least 2 classes, got samples of only one class: {classes.tolist()}")
