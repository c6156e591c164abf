"""Iterative parameter mixing (McDonald, Hall, Mann 2010): how rows are cut into shards, and their weights mixed.

All shards start from the same weights w, each makes its own visits and comes to w_s with k_s mistakes, and
    w <- sum_s mu_s w_s,   mu_s = k_s / sum_s k_s.
For any mu that sums to 1, the proof of Novikoff's theorem holds: on separable rows, from zero weights, the mixed
mistakes sum_s mu_s k_s, summed over all rounds, are at most (R / gamma)^2. So after some pass no shard makes a mistake,
and all rows are right. mu is in proportion to the mistakes, not 1 / S, because near the end one shard may make the last
mistakes, and its step must not shrink with the number of shards that make none. (If all shards are alike, 1 / S takes
fewer passes on separable rows; with noise there is no difference: `python -m benchmarks scaling`.)
The cost: no shard sees the steps of the others, so a pass of many shards teaches less than a pass of a single shard.
Mixing several times in a pass, in rounds, makes up for most of it.
A shard makes the member's own passes, so a run with one shard and one round is the plain run, to the bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.engines import Engine, Serial
from rosenblatt.base.record.parts import MOST, Parts, Tensors
from rosenblatt.base.rows import Matrix, SparseRows, core_rows
from rosenblatt.members.rows import Order, RowMember, RowsRun, WeightedRows
from rosenblatt.members.run import Turn

CACHED = 1 << 16  # numbers that fit into the cache together
WORTH_A_THREAD = 1 << 17  # values of a shard's round; fewer take less time than starting a thread


def spans(count: int, parts: int) -> list[tuple[int, int]]:
    """The first and the last (excluded) number of each part, when 0 to `count` is cut into nearly equal parts.

    >>> spans(10, 4), spans(1, 2)
    ([(0, 2), (2, 5), (5, 7), (7, 10)], [(0, 0), (0, 1)])
    """
    return [(count * s // parts, count * (s + 1) // parts) for s in range(parts)]


def mix(arrays: Sequence[Array | None], mistakes: Sequence[int]) -> Array:
    """The mean of arrays of one shape, weighted by the mistakes of the shards that they come from, not all 0.

    An array of a shard without mistakes may be None, because it does not count. The sum is in the order of the shards,
    in 64 bits, with one division and one rounding to their type, so that the bits are the same on every machine. The
    array of a single shard is returned unchanged.

    >>> mix([np.array([1.0, 0.0]), np.array([5.0, 4.0])], [3, 1])
    array([2., 1.])
    """
    if len(arrays) == 1 and arrays[0] is not None:
        return arrays[0]
    learned = [(array, count) for array, count in zip(arrays, mistakes, strict=True) if count and array is not None]
    total = sum(count for _, count in learned)
    result = np.empty_like(learned[0][0])
    flat = result.reshape(-1)
    for first in range(0, flat.size, CACHED):  # while they are in the cache
        part = slice(first, first + CACHED)
        sums = np.zeros(flat[part].size)
        for array, count in learned:
            sums += np.multiply(array.reshape(-1)[part], float(count), dtype=np.float64)
        sums /= total
        flat[part] = sums
    return result


def shares(mistakes: Sequence[int], whole: int) -> list[int]:
    """Whole numbers by which shards are mixed: they add up to `whole`, nearly in proportion to the mistakes.

    A shard with a mistake gets at least 1, so `whole` must be at least the number of shards; a shard without gets 0.

    >>> shares([3, 0, 1], 8), shares([1, 1000], 4), shares([0, 0], 4)
    ([5, 0, 3], [1, 3], [0, 0])
    """
    free = whole - sum(count > 0 for count in mistakes)
    total, so_far, result = max(1, sum(mistakes)), 0, []
    for count in mistakes:
        before, so_far = free * so_far // total, so_far + count
        result.append((count > 0) + free * so_far // total - before)
    return result


def mixed_mistakes(mistakes: Sequence[int], weights: Sequence[int]) -> float:
    """sum_s mu_s k_s of a round, where mu_s is in proportion to the weights.

    >>> mixed_mistakes([3, 1, 0], [3, 1, 0]), mixed_mistakes([0, 0], [0, 0])
    (2.5, 0.0)
    """
    return sum(count * weight for count, weight in zip(mistakes, weights, strict=True)) / max(1, sum(weights))


@dataclass(frozen=True)
class RowsShard:
    """Some adjacent rows; `first` is the number of the first among all."""

    number: int
    first: int
    X: Matrix
    target: Array
    weight: Array | None


@dataclass(frozen=True)
class RowsRound:
    """What all shards share in a round: the state that they start from, and their task."""

    member: RowMember[Any]
    state: Any
    seed: int | None
    number: int  # of this round, counted over all passes
    n_shards: int
    rounds: int  # of a pass


class ShardVisits(NamedTuple):
    """The result of a shard in a round. `arrays` are the arrays to mix, if anything changed."""

    arrays: dict[str, Array]
    visits: int
    mistakes: int
    updates: int
    loss: float


class Mixed(NamedTuple):
    """The result of a round: mistakes of all shards, the mixed mistakes, loss and updates."""

    mistakes: int
    weighted: float
    loss: float
    updates: int


def cut(X: Matrix, target: Array, weight: Array | None, n_shards: int) -> list[RowsShard]:
    """Cut all rows into shards of nearly the same size, without a copy."""
    return [
        RowsShard(number, first, X[first:last], target[first:last], None if weight is None else weight[first:last])
        for number, (first, last) in enumerate(spans(len(target), n_shards))
    ]


def train_shard(shard: RowsShard, turn: RowsRound) -> ShardVisits:
    """Visit the part of a shard that this round is for. A pure function: neither argument changes.

    The order depends on the seed and on the numbers of the round and of the shard, and on nothing else.
    """
    first, last = spans(len(shard.target), turn.rounds)[turn.number % turn.rounds]
    if first == last:
        return ShardVisits({}, 0, 0, 0, 0.0)
    X, weight = shard.X[first:last], None if shard.weight is None else shard.weight[first:last]
    rows = WeightedRows(core_rows(X, check=False), X, shard.target[first:last], weight)
    order = Order(turn.seed, turn.number * turn.n_shards + shard.number, 1, whole_passes=False)
    state = turn.state.copy()
    try:
        mistakes, losses, updates = turn.member.visit(state, rows, order)
    except (ValueError, OverflowError) as error:
        place = f"of the rows {shard.first + first} to {shard.first + last - 1}, counted from the first of these"
        raise type(error)(f"{place}: {error}") from None
    count = int(mistakes[0])
    arrays = {name: array for name in turn.member.mixes if count and (array := getattr(state, name)) is not None}
    return ShardVisits(arrays, last - first, count, updates, float(losses[0]))


class RowsInShards(RowsRun):
    """Rounds over shards in an engine: of rows in memory, or on the workers of a cluster.

    The clock of a state counts the visits of the longest shard, because all shards work at the same time. So the
    average is over the mixed weights of the shards after each tick; the last weights of a shorter shard count again
    until the longest one ends. `place` says where the run is, for `watch`.
    """

    def __init__(
        self,
        shards: Sequence[Any],
        engine: Engine,
        n_rows: int,
        *run: Any,
        place: Callable[["RowsInShards"], Any] | None = None,
    ) -> None:
        super().__init__(*run)
        self.shards, self.engine, self.n_rows, self.place = shards, engine, n_rows, place
        self.rounds: list[Mixed] = []  # rounds of the pass that has not ended

    @classmethod
    def of(cls, rows: WeightedRows, engine: Engine, member: RowMember[Any], *run: Any) -> "RowsInShards":
        """Rows in memory. They are checked here, where errors can name the row of X."""
        _core.check(rows.rows)
        p, X = member.parameters, rows.X
        work = (X.nnz if isinstance(X, SparseRows) else X.size) // (p.shards * p.n_rounds)
        shards = cut(X, rows.target, rows.weight, p.shards)
        return cls(shards, engine if work >= WORTH_A_THREAD else Serial(), len(rows.target), member, *run)

    def turn(self, passes: int) -> Turn:  # noqa: ARG002 - one round
        n_rounds, number = self.member.parameters.n_rounds, len(self.stop.mistakes)
        self.rounds.append(self._mix_round(number * n_rounds + len(self.rounds)))
        self.n_updates += self.rounds[-1].updates
        mistakes, loss = sum(part.mistakes for part in self.rounds), fsum(part.loss for part in self.rounds)
        at = None if self.place is None else self.place(self)
        if len(self.rounds) < n_rounds:
            return Turn(so_far=mistakes, at=at)
        self.check_weights()
        if len(self.shards) > 1:
            self.mixed = [*(self.mixed or []), fsum(part.weighted for part in self.rounds)]
        self.rounds = []
        return Turn([mistakes], loss / self.n_rows, at=at)

    @property
    def unfinished(self) -> int | None:
        return sum(part.mistakes for part in self.rounds) if self.rounds else None

    def model(self, state: Any = None) -> Any:
        """The model, with the rounds of a pass that has not ended."""
        model = super().model(state)
        if len(model.passes) > len(self.stop.mistakes) and len(self.shards) > 1:
            model.mixed = [*(self.mixed or []), fsum(part.weighted for part in self.rounds)]
        return model

    def _mix_round(self, number: int) -> Mixed:
        """Make the round with this number, counted over all passes, and replace the state by the mix of the shards."""
        member = self.member
        shared = RowsRound(
            member, member.for_shards(self.state), self.seed, number, len(self.shards), member.parameters.n_rounds
        )
        learned = self.engine.run(train_shard, self.shards, shared)
        counts = [part.mistakes for part in learned]
        if any(counts):
            for name in member.mixes:
                if getattr(self.state, name) is not None:
                    setattr(self.state, name, mix([part.arrays.get(name) for part in learned], counts))
        self.state.visits += max(part.visits for part in learned)
        return Mixed(
            sum(counts),
            mixed_mistakes(counts, counts),
            fsum(part.loss for part in learned),
            sum(part.updates for part in learned),
        )

    def to_record(self) -> tuple[dict[str, Any], Tensors]:
        tensors: Tensors = {"rounds": np.array(self.rounds, dtype=np.float64).reshape(-1, len(Mixed._fields))}
        if self.mixed is not None:
            tensors["mixed"] = np.array(self.mixed, dtype=np.float64)
        state = self.member.state_to_record(self.state, tensors)
        return {**state, **self.stop.to_record(tensors), "n_updates": self.n_updates}, tensors

    def restore(self, parts: Parts) -> None:
        self.n_updates = parts.count("n_updates")
        self.stop.restore(parts)
        rounds = parts.tensor("rounds", (None, len(Mixed._fields)), "float64")
        if len(rounds) >= self.member.parameters.n_rounds or (rounds < 0).any() or (rounds[:, [0, 3]] > MOST).any():
            raise ValueError("tensor 'rounds': expected the rounds of a pass that has begun")
        self.rounds = [Mixed(int(row[0]), row[1], row[2], int(row[3])) for row in rounds.tolist()]
        if parts.has("mixed"):
            self.mixed = parts.tensor("mixed", (len(self.stop.mistakes),), "float64").tolist()
        self.state = self.member.state_from_record(parts, self.n_features, len(self.classes), self.n_seen)
        parts.end()
