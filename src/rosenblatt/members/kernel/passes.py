"""The blocked pass: the sequential perceptron, with kernel values from matrix products over the next rows.

Each block stores the scores of its rows. A visit adds only what was learned since its last visit ("delta scores"): the
kernel values of the support vectors whose coefficients changed. These values are stored while `cache_size` has room for
them, so that a further pass computes only those of new support vectors. The tile of a block grows by whole runs of
support vectors or not at all, so that no value is removed before its next use. (A cache that removes the least recently
used values would do that in a cyclic scan.) Blocks always have the same rows; a shuffled pass visits the blocks, and
the rows in them, in a new order.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix
from rosenblatt.members.kernel.state import DualState, KernelEvents, add
from rosenblatt.members.kernel.values import Vectors, Workers, stack

NO_LIMIT = np.iinfo(np.int64).max


@dataclass
class Counts:
    """The counts of a pass."""

    mistakes: int = 0
    loss: float = 0.0
    updates: int = 0

    def count(self, mistakes: Any, loss: Any, updates: Any) -> None:
        self.mistakes, self.loss, self.updates = self.mistakes + mistakes, self.loss + loss, self.updates + updates


@dataclass
class ScoredBlock:
    """Rows that are scored together, and what is known about them."""

    rows: Array
    score: Array  # machines x rows
    mark: int = 0  # the number of events that the scores include
    tiles: list[Array] = field(default_factory=list)  # kernel values of runs of support vectors
    covered: int = 0  # the number of support vectors in the tiles


@dataclass
class BlockVisit:
    """The visit of a block in a pass: the order of its rows, the visits before it, and the first position to visit."""

    block: ScoredBlock
    order: Array
    visits: int
    counts: Counts
    threads: Workers
    first: int = 0


@dataclass
class RowBlocks:
    """The rows of a run, cut into blocks."""

    X: Matrix
    vectors: Vectors
    target: Array
    weight: Array | None
    number: Array  # the numbers of these rows among all rows of the fit
    blocks: list[ScoredBlock]
    seed: int | None

    @classmethod
    def cut(
        cls, state: DualState, X: Matrix, target: Array, weight: Array | None, number: Array, seed: Any, size: int
    ) -> "RowBlocks":
        """Cut rows into blocks of `size`, in the listed order, or in a random order."""
        order = _core.order(X.shape[0], seed=seed, pass_number=0)
        parts = [order[first : first + size] for first in range(0, len(order), size)]
        blocks = [ScoredBlock(part, np.zeros((state.n_machines, len(part)))) for part in parts]
        weight = None if weight is None else weight.astype(np.float64)
        return cls(X, state.kernel.vectors(X), target, weight, number, blocks, seed)

    def visits(self, pass_number: int) -> Any:
        """The blocks in the order of this pass, each with the order of its rows."""
        if self.seed is None or pass_number == 0:
            return ((block, np.arange(len(block.rows))) for block in self.blocks)
        order = _core.order(len(self.blocks), seed=self.seed, pass_number=pass_number)
        inner = pass_number * len(self.blocks)
        return (
            (self.blocks[b], _core.order(len(self.blocks[b].rows), seed=self.seed + 1, pass_number=inner + b))
            for b in order
        )

    def of(self, block: ScoredBlock) -> dict[str, Any]:
        """The targets and weights of a block, in the form of the core."""
        weight = None if self.weight is None else self.weight[block.rows]
        return {"target": self.target[block.rows], "weight": weight}


class Support:
    """The support vectors. Their memory doubles when it is full, so that they are seldom copied."""

    def __init__(self, state: DualState, rows: RowBlocks) -> None:
        self.state, self.rows = state, rows
        self.place = np.full(len(rows.vectors), -1, dtype=np.int64)  # the place of each row among the support vectors
        self._space: Vectors | None = None

    def learn(self, block: ScoredBlock, local: Array) -> Array:
        """The places of these rows of the block among the support vectors. New ones are added."""
        rows = block.rows[local]
        first_seen = np.sort(np.unique(rows, return_index=True)[1])
        new = rows[first_seen][self.place[rows[first_seen]] < 0]
        state = self.state
        self.place[new] = len(state.support_row) + np.arange(len(new))
        if len(new):
            self._append(state.kernel.support(self.rows.vectors, new, self.rows.number))
            state.support_row = np.concatenate([state.support_row, self.rows.number[new]])
            state.support_target = np.concatenate([state.support_target, self.rows.target[new]])
        return self.place[rows]

    def _append(self, new: Vectors) -> None:
        known = self.state.support
        if known is None:
            self.state.support = new
        elif not isinstance(known.X, np.ndarray) or not isinstance(new.X, np.ndarray):
            self.state.support = stack([known, new])
        else:
            n = len(known) + len(new)
            if self._space is None or len(self._space) < n:
                space = np.empty((2 * n, *known.X.shape[1:]), known.X.dtype)
                self._space = Vectors(space, None if known.norm2 is None else np.empty(2 * n, known.norm2.dtype))
                self._fill(slice(0, len(known)), known)
            self._fill(slice(len(known), n), new)
            self.state.support = self._space[:n]

    def _fill(self, where: slice, vectors: Vectors) -> None:
        assert self._space is not None
        self._space.X[where] = vectors.X
        if self._space.norm2 is not None:
            self._space.norm2[where] = vectors.norm2


class DualPasses:
    """Passes that store the list of events: without a budget, or until it is full."""

    def __init__(
        self, state: DualState, rows: RowBlocks, rule: Any, *, cache_size: float, budget: int | None, wait: bool
    ):
        self.state, self.rows, self.rule = state, rows, rule
        self.support = Support(state, rows)
        self._free = int(cache_size * 2**20)  # bytes
        self._budget = NO_LIMIT if budget is None else min(budget, NO_LIMIT)
        self._wait = wait  # whether a mistake without room stops the visit; else it is skipped
        if len(state.norm2) == 0:
            state.norm2 = np.zeros(state.n_machines)

    def visit(self, turn: BlockVisit) -> None:
        """Learn from a block, up to `turn.first`, which is before the end if the budget is full."""
        block, order = turn.block, turn.order
        vectors = self.rows.vectors[block.rows]
        self._refresh(block, vectors, turn.threads)
        gram = np.empty((0, len(order)), vectors.X.dtype)
        place = np.full(len(order), -1, dtype=np.int32)
        is_support = (self.support.place[block.rows] >= 0).astype(np.uint8)
        room = self._budget - len(self.state.support_row) + int(is_support.sum())
        pieces = []
        while True:
            turn.first, *counts, wanted, visit, row, cls, tau, norm2 = _core.kernel_visit(
                self.rule,
                order=order,
                **self.rows.of(block),
                score=block.score,
                gram=gram,
                place=place,
                held=is_support,
                norm2=self.state.norm2,
                room=room - int(is_support.sum()),
                wait=self._wait,
                first=turn.first,
                visits=turn.visits,
            )
            turn.counts.count(*counts)
            pieces.append(KernelEvents(visit, row, cls, tau, norm2))
            if len(wanted) == 0:
                break
            place[wanted] = len(gram) + np.arange(len(wanted), dtype=np.int32)
            gram = np.concatenate([gram, self.state.kernel.gram(vectors, wanted, self.rows.number[block.rows])])
        events = KernelEvents.join(pieces)
        if len(events):
            events.row = self.support.learn(block, events.row)
            self.state.events.append(events)
        block.mark = len(self.state.events)

    def _refresh(self, block: ScoredBlock, vectors: Vectors, threads: Workers) -> None:
        """Add to the scores of a block what was learned since its last visit."""
        support = self.state.support
        if support is None or block.mark == len(self.state.events):
            return
        row, cls, tau = self.state.events.since(block.mark).sums()
        known = int(np.searchsorted(row, block.covered))
        add(block.tiles, row[:known], cls[:known], tau[:known], block.score)
        row, cls, tau = row[known:], cls[known:], tau[known:]
        missing = np.unique(row)
        whole = np.arange(block.covered, len(support))
        size = len(whole) * len(vectors) * vectors.X.dtype.itemsize
        # The scores include the block's own support vectors already, but the tile needs their values too.
        keep = size <= self._free and len(whole) <= 2 * len(missing)
        for which, tile in threads.tiles(self.state.kernel, support, vectors, whole if keep else missing):
            part = slice(*np.searchsorted(row, (which[0], which[-1] + 1)))
            add([tile], np.searchsorted(which, row[part]), cls[part], tau[part], block.score)
            if keep:
                block.tiles.append(tile)
        if keep:
            block.covered = len(support)
            self._free -= size
