"""A budget kept by removing the oldest vector, a random one, or (rbf) by merging the least with another.

Only what is there now is known: the last hypothesis. Its vectors lie in slots, one more than the budget, of which one
is always free. See core/kernel/kernel_budget.hpp.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.arrays import Array
from rosenblatt.kernel.passes import DualPasses, Turn
from rosenblatt.kernel.readout import Readout
from rosenblatt.kernel.state import DualState
from rosenblatt.kernel.values import Vectors, stacked
from rosenblatt.rows import Matrix, SparseRows, without_duplicates


@dataclass
class Slots:
    """A vector, its number among all training rows (-1: merged), its coefficients and its age, in each slot."""

    removal: str
    vectors: list[Vectors]  # in each slot, what was last in it
    numbers: Array
    targets: Array
    coefs: Array
    born: Array  # the visit at which it came; -1: the slot is free

    @classmethod
    def begin(cls, removal: str, budget: int, n_rows: int) -> "Slots":
        """All free."""
        empty = np.full(budget + 1, -1, dtype=np.int64)
        return cls(removal, [], empty, empty.astype(np.int32), np.zeros((budget + 1, n_rows)), empty.copy())

    @property
    def _taken(self) -> Array:
        return np.flatnonzero(self.born >= 0)

    @property
    def support_row(self) -> Array:
        """The numbers of the support vectors."""
        return np.asarray(self.numbers[self._taken])

    @property
    def support_target(self) -> Array:
        """Their classes; a merged vector has that of the one it lies nearer to."""
        return np.asarray(self.targets[self._taken])

    @property
    def support(self) -> Vectors | None:
        """The support vectors; None before the first."""
        return stacked([self.vectors[s] for s in self._taken]) if len(self._taken) else None

    def coef(self, readout: Readout, _visits: int) -> Array:
        """(support vectors, machines), the last ones."""
        if readout != Readout("last"):
            raise ValueError(
                f"budget_policy={self.removal!r} removes vectors that any other readout would need: readout must be "
                "'last', after all passes and not normalised"
            )
        return np.asarray(self.coefs[self._taken])

    def visit(self, run: DualPasses, turn: Turn) -> None:
        """Learns from a block."""
        state, rows, block, order = run.state, run.rows, turn.block, turn.order
        kernel, exponents, count = state.kernel, self.removal == "merge", len(self.born)
        vectors, number = rows.vectors[block.rows], rows.number[block.rows]
        taken, values = self._taken, np.zeros((count, count + len(order)))
        if (held := self.support) is not None:
            values[taken, count:] = kernel.values(held, vectors, exponents=exponents)
            if exponents:
                values[np.ix_(taken, taken)] = kernel.values(held, held, exponents=True)
        whole = kernel.support(vectors, np.arange(len(order)), number)
        gram = kernel.values(whole, vectors, exponents=exponents).astype(np.float64)
        if kernel.kind == "rbf":
            np.fill_diagonal(gram, 0.0 if exponents else 1.0)
        sorter = np.argsort(self.numbers)
        at = sorter[np.searchsorted(self.numbers, number, sorter=sorter).clip(max=count - 1)]
        slot_of = np.where((self.numbers[at] == number) & (self.born[at] >= 0), at, -1)
        *counts, slot, row, other, h = _core.kernel_visit_within_budget(
            run.rule,
            self.removal,
            order=order,
            **rows.of(block),
            gram=gram,
            slot_of=slot_of,
            coef=self.coefs,
            born=self.born,
            values=values,
            visits=turn.visits,
            seed=(rows.seed or 0) + turn.visits,
        )
        turn.found.count(*counts)
        target = rows.target[block.rows]
        self._follow(
            state, vectors, number, target, zip(slot.tolist(), row.tolist(), other.tolist(), h.tolist(), strict=True)
        )

    def _follow(self, state: DualState, vectors: Vectors, number: Array, target: Array, moves: Any) -> None:
        """What became of the slots in the core, for the vectors."""
        for slot, row, other, h in moves:
            if row >= 0:
                which = np.array([row])
                new = state.kernel.support(vectors, which, number)
                self.vectors[slot : slot + 1] = [new]  # slots are first taken one after the other
                self.numbers[slot], self.targets[slot] = number[row], target[row]
            elif other >= 0:
                merged = _between(h, self.vectors[slot].X, self.vectors[other].X)
                self.vectors[slot] = state.kernel.vectors(merged)
                self.numbers[[slot, other]] = -1
                self.targets[slot] = self.targets[slot if h >= 0.5 else other]
            else:
                self.numbers[slot] = -1

    def grown(self, n_rows: int, rows: list[list[tuple[int, float]]], place: Array) -> "Slots":
        """With more classes: `rows[c]` says which machines, and with what sign, the old machine c becomes."""
        coefs = np.zeros((len(self.born), n_rows))
        for c, targets in enumerate(rows):
            for to, sign in targets:
                coefs[:, to] = sign * self.coefs[:, c]
        return replace(self, coefs=coefs, targets=place[self.targets])


def _between(h: float, A: Matrix, B: Matrix) -> Matrix:
    """The row h A + (1 - h) B, of one row each; sparse, and without zeros, if both are."""
    if not (isinstance(A, SparseRows) and isinstance(B, SparseRows)):
        A, B = (X.toarray() if isinstance(X, SparseRows) else X for X in (A, B))
        return h * A + (1 - h) * B
    data, indices = np.concatenate([h * A.data, (1 - h) * B.data]), np.concatenate([A.indices, B.indices])
    both = without_duplicates(SparseRows(data, indices, np.array([0, len(data)], indices.dtype), A.n_columns))
    kept = both.data != 0
    starts = np.array([0, np.count_nonzero(kept)], indices.dtype)
    return SparseRows(both.data[kept], both.indices[kept], starts, A.n_columns)
