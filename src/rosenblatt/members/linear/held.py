"""A run over shards that an engine holds elsewhere, round by round: all that it is between two rounds.

The rows never come here: what they are is known before the first round, and the rest is the same run as over rows in
memory, to the bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.engines import Engine, Serial
from rosenblatt.base.labels import n_weight_rows
from rosenblatt.base.record.parts import MOST, Parts, Tensors
from rosenblatt.base.rows import SparseRows
from rosenblatt.members.linear.learn import LinearMethod
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.record import restore_state, take_state
from rosenblatt.members.linear.shards import Mixed, Mixing, end_pass
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.randomness import random_state
from rosenblatt.members.stopping import End, Stopping

_NOT_HELD: dict[str, tuple[set[Any], str]] = {
    "readout": ({"last", "average"}, "the mistakes and a pocket need one run over all rows"),
    "keep_mistakes": ({False}, "the mistakes need one run over all rows"),
    "early_stopping": ({False}, "no row is drawn from shards that are held elsewhere; use tol, or try more max_iter"),
}


class Rows(NamedTuple):
    """What is known of all rows before the first round."""

    classes: Array
    n_features: int
    dtype: Any
    n_seen: int
    n_counting: int  # those whose weight is not 0: shards have no others

    @property
    def none(self) -> SparseRows:
        """Rows of this width and type, none of them: for what asks no more of X."""
        empty = np.empty(0, np.int64)
        return SparseRows(np.empty(0, self.dtype), empty, np.zeros(1, np.int64), self.n_features)


@dataclass
class HeldRun:
    """All that a run is between two rounds."""

    parameters: PerceptronParameters
    rows: Rows
    state: LinearState
    seed: int | None
    stopping: Stopping
    n_updates: int = 0
    made: list[Mixed] = field(default_factory=list)  # the rounds of this pass so far

    @classmethod
    def begin(cls, parameters: PerceptronParameters, rows: Rows, before: LinearModel | None = None) -> "HeldRun":
        """Before the first visit; `before` is the model to start from."""
        check_held(parameters)
        method = LinearMethod(parameters, before, Serial())
        if len(rows.classes) < 2:
            raise ValueError(
                f"{method.kind} needs at least 2 classes, got samples of only one class: {rows.classes.tolist()}"
            )
        run, seed = method.begin(rows.classes, rows.none, random_state(parameters.random_state))
        state = run if isinstance(run, LinearState) else run.state
        return cls(parameters, rows, state, seed, method.stopping(rows.n_counting))

    def go_on(self, shards: Sequence[Any], engine: Engine) -> None:
        """One more round over the shards, as `engine` holds them."""
        mixing = Mixing(shards, engine, self.parameters, self.seed)
        passes = len(self.stopping.mistakes)
        number = passes * self.parameters.n_rounds + len(self.made)
        made = [*self.made, mixing.round(self.state, number)]
        self.n_updates += made[-1].updates
        if len(made) == self.parameters.n_rounds:
            end_pass(self.state, made, passes)
            if self.parameters.shards == 1:
                self.state.mixed = None  # as in a plain run
            mistakes, loss = sum(one.mistakes for one in made), fsum(one.loss for one in made)
            self.stopping.after([mistakes], loss / self.rows.n_counting)
            made = []
        self.made = made

    def finished(self) -> LinearModel:
        """The model."""
        rows, passes = self.rows, [*self.stopping.mistakes]
        model = LinearModel(
            self.parameters, rows.classes, self.state, rows.n_features, rows.n_seen, self.n_updates, passes
        )
        if self.parameters.readout == "average":
            model.weights("average")
        return model

    def to_record(self) -> tuple[dict[str, Any], Tensors]:
        """The record and the tensors of a checkpoint."""
        tensors: Tensors = {"made": np.array(self.made, dtype=np.float64).reshape(-1, len(Mixed._fields))}
        if self.state.mixed is not None:
            tensors["mixed"] = np.array(self.state.mixed, dtype=np.float64)
        record = {**take_state(self.state, tensors), **self.stopping.to_record(tensors), "n_updates": self.n_updates}
        return record, tensors

    def restore(self, parts: Parts) -> None:
        """Go on from there."""
        self.n_updates = parts.count("n_updates")
        self.stopping.restore(parts)
        made = parts.tensor("made", (None, len(Mixed._fields)), "float64")
        if len(made) >= self.parameters.n_rounds or (made < 0).any() or (made[:, [0, 3]] > MOST).any():
            raise ValueError("tensor 'made': expected the rounds of a pass that has begun")
        self.made = [Mixed(int(row[0]), row[1], row[2], int(row[3])) for row in made.tolist()]
        mixed: list[float] | None = None
        if self.state.mixed is not None:
            mixed = parts.tensor("mixed", (len(self.stopping.mistakes),), "float64").tolist()
        rows = self.rows
        self.state = restore_state(rows.n_features, n_weight_rows(len(rows.classes)), rows.n_seen, parts)
        self.state.mixed = mixed
        parts.end()


def fit_held(
    run: HeldRun, shards: Sequence[Any], engine: Engine, after_round: Callable[[HeldRun], None] | None = None
) -> tuple[LinearModel, End | None]:
    """Round after round until the run ends; the model, and why it has ended."""
    while not run.stopping.end:
        run.go_on(shards, engine)
        if after_round is not None:
            after_round(run)
    return run.finished(), run.stopping.end


def check_held(parameters: PerceptronParameters) -> None:
    """A `ValueError` where a choice needs all rows in one place."""
    if parameters.max_iter == "validate":
        raise ValueError("max_iter must be a number or 'auto' on a cluster, got 'validate': no row is held out there")
    for name, (offered, why) in _NOT_HELD.items():
        if (found := getattr(parameters, name)) not in offered:
            expected = " or ".join(map(repr, sorted(offered)))
            raise ValueError(f"{name} must be {expected} on a cluster, got {found!r}: {why}")
