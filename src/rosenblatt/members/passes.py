"""Pass after pass: what a fit learns from, and the run itself, which tells a `watch` function of each pass."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import answers
from rosenblatt.base.rows import Matrix, core_rows
from rosenblatt.members.sample_weight import part
from rosenblatt.members.stopping import Stopping


@dataclass
class Training:
    """The rows of a fit: those that are learned from, and those held out to see when to stop."""

    X: Matrix
    target: Array  # class numbers
    weight: Array | None
    rows: Array
    held_out: Array | None


class Pass(NamedTuple):
    """A pass that is over: its number from 1 on, its mistakes, whether it was the last one, and the model so far."""

    number: int
    mistakes: int
    last: bool
    model: Callable[[], Any]


Watch = Callable[[Pass], bool | None]
"""Is told of each pass; what is true ends the run."""


class Learner(Protocol):
    """What can be trained pass by pass, and answers."""

    def train(
        self,
        rows: Any,
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
        """Passes over `rows`, which are X; returns the mistakes and the loss of each, and the number of updates.

        `number` has the numbers of these rows among all that were given, for the mistakes that are kept.
        """
        ...

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:
        """The scores of rows."""
        ...


def run_passes(
    learner: Learner,
    training: Training,
    parameters: Any,
    rule: Any,
    stopping: Stopping,
    seed: int | None,
    *,
    snapshot: Callable[[int], Any],
    watch: Watch | None,
    measure: Callable[..., float] | None = None,
) -> int:
    """Train `learner` until `stopping` or `watch` ends it; returns the number of updates.

    `snapshot` gives, after so many updates, the model as if the run had ended there. `measure` says how
    wrong the learner is on rows held out; None: the share of wrong answers.
    """
    X, target, weight = part(training.rows, training.X, training.target, training.weight)
    held_out = None
    if training.held_out is not None:
        held_out = part(training.held_out, training.X, training.target, training.weight)
    stopping.one_by_one |= watch is not None
    rows, n_updates, over = core_rows(X, check=False), 0, False
    while not over:
        mistakes, losses, updates = learner.train(
            rows,
            X,
            target,
            weight,
            rule,
            number=training.rows,
            seed=seed,
            first_pass=len(stopping.mistakes),
            passes=stopping.chunk(),
        )
        n_updates += updates
        if held_out is None:
            loss = losses[-1] / len(training.rows)
        else:
            loss = (measure or error)(learner, parameters, *held_out)
        over = stopping.after(mistakes.tolist(), loss)
        made = Pass(len(stopping.mistakes), stopping.mistakes[-1], over, partial(snapshot, n_updates))
        if watch is not None and watch(made):
            stopping.end, over = stopping.end or "callback", True
    return n_updates


def error(learner: Learner, parameters: Any, X: Matrix, target: Array, weight: Array | None) -> float:
    """The weighted share of wrong answers."""
    decision = learner.decision(X, parameters.readout, parameters.tie)
    return float(np.average(answers(decision, parameters.tie) != target, weights=weight))
