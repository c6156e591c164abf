"""A run that learns: the state, what is kept only while it learns, and the budget that may take over."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.kernel.events import EventList
from rosenblatt.kernel.passes import DualPasses, Found, Rows, Turn
from rosenblatt.kernel.projection import Projection
from rosenblatt.kernel.removal import REMOVALS, Slots
from rosenblatt.kernel.state import DualState, Readout
from rosenblatt.kernel.values import Array, Vectors, Workers
from rosenblatt.rows import Matrix


@dataclass
class Learner:
    """Passes over the rows of one fit, or one pass over those of a partial_fit.

    A deep copy of it is the state alone, as it is now.
    """

    state: DualState
    readout: Readout
    threads: Workers
    block_size: int
    cache_size: float
    budget: int | None
    budget_policy: str
    _passes: DualPasses | None = None

    def train(
        self,
        rows: Any,  # noqa: ARG002 (as training.State has it)
        X: Matrix,
        target: Array,
        weight: Array | None,
        rule: Any,
        *,
        number: Array,
        seed: int | None,
        first_pass: int,
        passes: int,
    ) -> tuple[Array, Array, int]:
        """One pass; returns its mistakes, its loss, and the number of updates."""
        assert passes == 1
        state = self.state
        if self._passes is None:
            cut = Rows.cut(state, X, target, weight, number, seed, self.block_size)
            wait = self.budget_policy == "project"
            self._passes = DualPasses(state, cut, rule, cache_size=self.cache_size, budget=self.budget, wait=wait)
            if self.budget is not None and self.budget_policy in REMOVALS and state.dictionary is None:
                if len(state.events):
                    raise ValueError(f"budget_policy={self.budget_policy!r} must be set before the first partial_fit")
                state.dictionary = Slots.begin(self.budget_policy, self.budget, state.n_rows)
        run, found, visits = self._passes, Found(), state.visits
        for block, order in run.rows.visits(first_pass):
            turn = Turn(block, order, visits, found, self.threads)
            if state.dictionary is None:
                run.visit(turn)
                if turn.first < len(order):  # the budget is full
                    state.dictionary = Projection.begin(run)
                    state.events = EventList()
            if state.dictionary is not None:
                state.dictionary.visit(run, turn)
            visits += len(order)
        state.ends.append(visits)
        return np.array([found.mistakes]), np.array([found.loss]), found.updates

    def finished(self) -> DualState:
        """The state at the end, without the room that support vectors had to grow."""
        state, self._passes = self.state, None
        if state.dictionary is not None:
            state.support = None
        elif state.support is not None:
            state.support = Vectors(state.support.X.copy(), state.support.norm2)
        return state

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:  # noqa: ARG002
        """The scores of rows held out."""
        return self.state.decision(X, self.readout, tie)

    def __deepcopy__(self, memo: dict[int, Any]) -> DualState:
        return self.state.copied()
