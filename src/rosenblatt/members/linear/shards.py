"""The perceptron in shards: what a shard does in a round, how a round is mixed, and a run of such passes.

The pass is the core's own, so that one shard and one round a pass is the plain run, to the bit. See `learning.shards`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.engines import Engine, Serial
from rosenblatt.base.rows import Matrix, SparseRows, core_rows
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.shards import mix, mixed_mistakes, spans

LEARNED = ("w", "spread", "sums")  # the arrays of a state that are mixed; AROW's variances as the weights are
WORTH_A_THREAD = 1 << 17  # values of a shard's round; fewer are learned from before a thread has begun


@dataclass(frozen=True)
class Shard:
    """Some of the rows, one after the other, of which `first` is the number of the first among all."""

    number: int
    first: int
    X: Matrix
    target: Array
    weight: Array | None


@dataclass(frozen=True)
class Round:
    """What all shards share in a round: the state that they start from, and what is asked of them."""

    state: LinearState
    parameters: PerceptronParameters
    seed: int | None
    number: int  # of this round, counted over all passes
    n_shards: int
    rounds: int  # of a pass


class Learned(NamedTuple):
    """What a shard has come to in a round. `arrays` are those of `LEARNED` that the state has, if anything changed."""

    arrays: dict[str, Array]
    visits: int
    mistakes: int
    updates: int
    loss: float


class Mixed(NamedTuple):
    """What a round has come to: mistakes of all shards, the same as they are mixed, loss and updates."""

    mistakes: int
    weighted: float
    loss: float
    updates: int


class Passes(NamedTuple):
    """The mistakes and the loss of each pass, and the updates of all."""

    mistakes: list[int]
    losses: list[float]
    updates: int


def cut(X: Matrix, target: Array, weight: Array | None, n_shards: int) -> list[Shard]:
    """All rows in shards, as equal as can be, on the same memory."""
    return [
        Shard(number, first, X[first:last], target[first:last], None if weight is None else weight[first:last])
        for number, (first, last) in enumerate(spans(len(target), n_shards))
    ]


def train_shard(shard: Shard, turn: Round) -> Learned:
    """Visit the part of a shard that this round is for. A pure function: neither argument changes.

    The order depends on the seed and on the numbers of the round and of the shard, and on nothing else.
    """
    first, last = spans(len(shard.target), turn.rounds)[turn.number % turn.rounds]
    if first == last:
        return Learned({}, 0, 0, 0, 0.0)
    X, target = shard.X[first:last], shard.target[first:last]
    state = turn.state.trainable()
    try:
        mistakes, losses, updates = state.train(
            core_rows(X, check=False),
            X,
            target,
            None if shard.weight is None else shard.weight[first:last],
            turn.parameters.rule(last - first),
            number=None,
            seed=turn.seed,
            first_pass=turn.number * turn.n_shards + shard.number,
            passes=1,
            whole_passes=False,
        )
    except (ValueError, OverflowError) as error:
        place = f"of the rows {shard.first + first} to {shard.first + last - 1}, counted from the first of these"
        raise type(error)(f"{place}: {error}") from None
    made = int(mistakes[0])
    arrays = {name: array for name in LEARNED if made and (array := getattr(state, name)) is not None}
    return Learned(arrays, last - first, made, updates, float(losses[0]))


@dataclass(frozen=True)
class Mixing:
    """Shards, as an engine holds them, and what is asked of them in all rounds of a run.

    The clock of a state counts the visits of the longest shard, since all visit at once. So the average is that of the
    weights which the shards had after each tick, weighted as they are mixed; the last of a shorter shard count once
    more.
    """

    shards: Sequence[Any]
    engine: Engine
    parameters: PerceptronParameters
    seed: int | None

    def passes(self, state: LinearState, *, first: int, most: int) -> Passes:
        """Up to so many passes of `state`, which changes, the first of this number; none after a clean one."""
        done, rounds = Passes([], [], 0), self.parameters.n_rounds
        while len(done.mistakes) < most and (not done.mistakes or done.mistakes[-1]):
            number = first + len(done.mistakes)
            made = [self.round(state, turn) for turn in range(number * rounds, (number + 1) * rounds)]
            end_pass(state, made, number)
            done = Passes(
                [*done.mistakes, sum(one.mistakes for one in made)],
                [*done.losses, fsum(one.loss for one in made)],
                done.updates + sum(one.updates for one in made),
            )
        return done

    def round(self, state: LinearState, number: int) -> Mixed:
        """The round of this number, counted over all passes: from `state`, which becomes what the shards mix to."""
        given = replace(state, start=None, mixed=None)
        shared = Round(given, self.parameters, self.seed, number, len(self.shards), self.parameters.n_rounds)
        learned = self.engine.run(train_shard, self.shards, shared)
        counts = [one.mistakes for one in learned]
        if any(counts):
            for name in LEARNED:
                if getattr(state, name) is not None:
                    setattr(state, name, mix([one.arrays.get(name) for one in learned], counts))
        state.visits += max(one.visits for one in learned)
        return Mixed(
            sum(counts),
            mixed_mistakes(counts, counts),
            fsum(one.loss for one in learned),
            sum(one.updates for one in learned),
        )


def end_pass(state: LinearState, made: Sequence[Mixed], number: int) -> None:
    """After the rounds of the pass of this number, counted from 0."""
    if not np.isfinite(state.w).all():
        raise OverflowError(f"the weights are too large for their type in pass {number + 1}")
    state.mixed = [*(state.mixed or []), fsum(one.weighted for one in made)]


@dataclass
class ShardedRun:
    """A run whose passes are made by shards: a `Learner` beside the `LinearState` that it changes."""

    state: LinearState
    parameters: PerceptronParameters
    engine: Engine

    def train(
        self,
        rows: Any,
        X: Matrix,
        target: Array,
        weight: Array | None,
        rule: Any,  # noqa: ARG002 - each shard makes that of its rows
        *,
        number: Array,  # noqa: ARG002 - no mistakes are kept
        seed: int | None,
        first_pass: int,
        passes: int,
    ) -> tuple[Array, Array, int]:
        """Passes over rows in memory, as `LinearState.train` makes them."""
        if first_pass == 0:
            _core.check(rows)  # here, where a row has its own number
        shards = cut(X, target, weight, self.parameters.shards)
        work = (X.nnz if isinstance(X, SparseRows) else X.size) // (len(shards) * self.parameters.n_rounds)
        engine = self.engine if work >= WORTH_A_THREAD else Serial()
        done = Mixing(shards, engine, self.parameters, seed).passes(self.state, first=first_pass, most=passes)
        return np.array(done.mistakes), np.array(done.losses), done.updates

    def train_more(
        self, X: Matrix, target: Array, weight: Array | None, rule: Any, *, number: Array
    ) -> tuple[Array, Array, int]:
        """One pass in the listed order. If it fails, nothing has changed: what was before is never written to."""
        rows = core_rows(X, check=False)
        return self.train(rows, X, target, weight, rule, number=number, seed=None, first_pass=0, passes=1)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the weights."""
        return self.state.dtype

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:
        """The scores of rows."""
        return self.state.decision(X, readout, tie)

    def copy(self) -> LinearState:
        """As it is now, whatever the run does next: arrays are replaced, never written to."""
        return replace(self.state)
