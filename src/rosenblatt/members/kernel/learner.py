"""A run that learns: the state, what is kept only while it learns, and the budget that may take over."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, core_rows
from rosenblatt.members.kernel.events import EventList
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.kernel.passes import DualPasses, Found, Rows, Turn
from rosenblatt.members.kernel.projection import Projection
from rosenblatt.members.kernel.state import DualState
from rosenblatt.members.kernel.threads import Workers


@dataclass
class KernelLearner:
    """Passes over the rows of one fit, or one pass over further rows."""

    parameters: KernelParameters
    state: DualState
    threads: Workers
    _passes: DualPasses | None = None

    @property
    def dtype(self) -> Any:
        """Of the rows."""
        return self.state.dtype

    def train(
        self,
        rows: Any,  # noqa: ARG002 (as LinearState has it)
        X: Matrix,
        target: Array,
        weight: Array | None,
        rule: Any,
        *,
        number: Array,
        seed: int | None,
        first_pass: int,
        passes: int,  # noqa: ARG002
    ) -> tuple[Array, Array, int]:
        """One pass; returns its mistakes, its loss, and the number of updates."""
        state = self.state
        if self._passes is None:
            self._passes = self._begin(
                Rows.cut(state, X, target, weight, number, seed, self.parameters.block_size), rule
            )
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

    def _begin(self, rows: Rows, rule: Any) -> DualPasses:
        p, wait = self.parameters, self.parameters.budget_policy == "project"
        return DualPasses(self.state, rows, rule, cache_size=p.cache_size, budget=p.budget, wait=wait)

    def train_more(
        self, X: Matrix, target: Array, weight: Array | None, rule: Any, *, number: Array
    ) -> tuple[Array, Array, int]:
        """One pass in the listed order."""
        core_rows(X)
        return self.train(None, X, target, weight, rule, number=number, seed=None, first_pass=0, passes=1)

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:  # noqa: ARG002
        """The scores of rows held out."""
        return self.state.decision(X, self.parameters.answering, tie, self.threads)

    def copy(self) -> "KernelLearner":
        """As it is now, whatever the run does next."""
        return replace(self, state=self.state.copy(), _passes=None)

    def finished(self) -> DualState:
        """The state at the end, without the room that support vectors had to grow."""
        state, self._passes = self.state, None
        if state.dictionary is not None:
            state.support = None
        elif state.support is not None:
            state.support = state.support.copy()
        return state
