"""Pass after pass: what a fit learns from, and the run itself, with scikit-learn's callbacks told of each pass."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rosenblatt.learning.sample_weight import part
from rosenblatt.learning.stopping import Stopping
from rosenblatt.linear.state import Array, answers
from rosenblatt.rows import Matrix, core_rows


@dataclass
class Training:
    """The rows of a fit: those that are learned from, and those held out to see when to stop."""

    X: Matrix
    y: Array
    target: Array  # class numbers
    weight: Array | None
    rows: Array
    held_out: Array | None


class State(Protocol):
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
        """Passes over `rows`, which are X; returns the mistakes and the loss of each, and the number of updates."""
        ...

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:
        """The scores of rows."""
        ...


def held_out_of(rows: Array, target: Array, fraction: float, random: np.random.RandomState) -> tuple[Array, Array]:
    """The rows to learn from, in their order, and those held out, with the same shares of the classes."""
    from sklearn.model_selection import train_test_split  # 15 MB that only early stopping needs

    rows, held_out = train_test_split(rows, test_size=fraction, stratify=target[rows], random_state=random)
    return np.sort(rows), held_out


def error(state: State, readout: str, tie: str, X: Matrix, target: Array, weight: Array | None) -> float:
    """The weighted share of wrong answers."""
    return float(np.average(answers(state.decision(X, readout, tie), tie) != target, weights=weight))


def run_passes(
    model: Any,
    training: Training,
    state: State,
    rule: Any,
    stopping: Stopping,
    seed: int | None,
    attributes: Callable[[Any, list[int]], dict[str, Any]],
) -> int:
    """Train `state` until `stopping` ends it; returns the number of updates.

    `attributes` gives what a copy of the model needs to answer as if it had ended after this pass.
    """
    X, target, weight = part(training.rows, training.X, training.target, training.weight)
    if training.held_out is not None:
        held_out = part(training.held_out, training.X, training.target, training.weight)
    watched = bool(getattr(model, "_skl_callbacks", ()))
    stopping.one_by_one |= watched
    task = model._init_callback_context(max_subtasks=None if stopping.max_iter == "auto" else stopping.max_iter)
    told = {
        "estimator": model,
        "X": training.X,
        "y": training.y,
        "metadata": {"sample_weight": training.weight},
    }
    task.call_on_fit_task_begin(**told)
    rows, n_updates, over = core_rows(X, check=False), 0, False
    while not over:
        one = task.subcontext(task_name="pass").call_on_fit_task_begin(**told) if watched else None
        mistakes, losses, updates = state.train(
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
        if training.held_out is None:
            cost = losses[-1] / len(training.rows)
        else:
            cost = error(state, model.readout, model.tie, *held_out)
        over = stopping.after(mistakes.tolist(), cost)
        if one is not None and one.call_on_fit_task_end(
            **told, reconstruction_attributes=lambda: attributes(copy.deepcopy(state), [*stopping.mistakes])
        ):
            stopping.end, over = stopping.end or "callback", True
    task.call_on_fit_task_end(**told)
    return n_updates
