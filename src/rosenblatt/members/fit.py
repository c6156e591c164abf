"""The frame of a fit: labels to classes, weights of rows, rows held out, pass after pass, and the trained model.

The linear and the kernel perceptron go through the same frame; a `Method` has what differs.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.labels import answers, class_list, merge
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows
from rosenblatt.members.model import Classifier
from rosenblatt.members.online_run import check_no_rows_held_out
from rosenblatt.members.randomness import hold_out, random_state
from rosenblatt.members.run import Turn, Watch, run
from rosenblatt.members.sample_weight import part, step_weights
from rosenblatt.members.stopping import End, Stopping
from rosenblatt.members.validate import best_passes

M = TypeVar("M", bound=Classifier)


@dataclass
class Training:
    """The rows of a fit: those that are learned from, and those held out to see when to stop."""

    X: Matrix
    target: Array  # class numbers
    weight: Array | None
    rows: Array
    held_out: Array | None


class Method(Protocol[M]):
    """How a member learns: its parameters, where a run begins and goes on, and what becomes of it."""

    @property
    def parameters(self) -> Any:
        """Its parameters."""
        ...

    @property
    def kind(self) -> str:
        """The name of its estimator, for messages."""
        ...

    def checked(self, X: Matrix) -> Matrix:
        """The rows as its learner takes them."""
        ...

    def begin(self, classes: Array, X: Matrix, random: np.random.RandomState) -> tuple[Any, int | None]:
        """The learner before the first visit, and the seed of the orders (None: the listed one)."""
        ...

    def go_on(self, before: M, classes: Array) -> Any:
        """The learner after `before`, for classes that may be more than it knew. It uses `before` up."""
        ...

    def rule(self, n_samples: int) -> Any:
        """The rule of a run over so many rows, for the core."""
        ...

    def stopping(self, n_rows: int) -> Stopping:
        """When a run over so many rows ends."""
        ...

    def score(self, target: Array, decision: Array, weight: Array | None) -> float:
        """How good these decisions are for rows held out."""
        ...

    def inseparable(self, learner: Any, X: Matrix, target: Array) -> bool:
        """Whether it is certain that no pass over these rows can be clean."""
        ...

    def model(self, learner: Any, classes: Array, n_seen: int, n_updates: int, passes: list[int], n_features: int) -> M:
        """What was learned."""
        ...


def fit(
    method: Method[M], X: Any, y: Any, sample_weight: Any = None, watch: Watch | None = None
) -> tuple[M, End | None]:
    """Learn from all rows; returns the model, and why the run has ended."""
    X = method.checked(as_rows(X))
    p = method.parameters
    classes, target, weight, rows = step_weights(X, y, sample_weight, p.class_weight, all_labels=True)
    if len(classes) < 2:
        raise ValueError(f"{method.kind} needs at least 2 classes, got samples of only one class: {classes.tolist()}")
    random, held_out = random_state(p.random_state), None
    if p.early_stopping:
        core_rows(X)  # what is wrong with the rows comes first, also where there are too few of them
        rows, held_out = hold_out(rows, p.validation_fraction, random, target)
    elif len(rows) < X.shape[0]:
        core_rows(X)  # before rows are taken from it: an error has the number of the row in X
    training = Training(X, target, weight, rows, held_out)
    learner, seed = method.begin(classes, X, random)
    stop = method.stopping(len(rows))
    if p.max_iter == "validate":
        if p.early_stopping:
            raise ParameterError("max_iter: expected a number or 'auto' with early_stopping, found 'validate'")
        core_rows(X)  # an error has the number of the row in X
        stop.max_iter = best_passes(method, training, classes, random)
    if stop.max_iter == "auto":
        stop.inseparable = lambda: method.inseparable(learner, *part(rows, X, target, None)[:2])
    passes = InMemory(method, learner, classes, training, stop, seed)
    end = run(passes, stop, score=None if held_out is None else passes.score, watch=watch)
    return passes.model(), end


class InMemory:
    """Passes over rows in memory."""

    def __init__(
        self, method: Any, learner: Any, classes: Array, training: Training, stop: Stopping, seed: int | None
    ) -> None:
        self.method, self.learner, self.classes = method, learner, classes
        self.training, self.stop, self.seed, self.n_updates = training, stop, seed, 0
        self.X, self.target, self.weight = part(training.rows, training.X, training.target, training.weight)
        self.rows, self.rule = core_rows(self.X, check=False), method.rule(len(training.rows))

    def turn(self, passes: int) -> Turn:
        """At most so many passes; none after a clean one."""
        mistakes, losses, updates = self.learner.train(
            self.rows,
            self.X,
            self.target,
            self.weight,
            self.rule,
            number=self.training.rows,
            seed=self.seed,
            first_pass=len(self.stop.mistakes),
            passes=passes,
        )
        self.n_updates += updates
        return Turn(mistakes.tolist(), losses[-1] / len(self.training.rows))

    def score(self) -> float:
        """How good the learner is on the rows held out."""
        data, p = self.training, self.method.parameters
        assert data.held_out is not None
        X, target, weight = part(data.held_out, data.X, data.target, data.weight)
        return float(self.method.score(target, self.learner.decision(X, p.readout, p.tie), weight))

    def model(self, learner: Any = None) -> Any:
        """What was learned."""
        X, learner = self.training.X, self.learner if learner is None else learner
        return self.method.model(learner, self.classes, X.shape[0], self.n_updates, [*self.stop.mistakes], X.shape[1])

    def snapshot(self) -> Any:
        """The same, whatever comes next."""
        return self.model(self.learner.copy())


def share_right(target: Array, decision: Array, weight: Array | None, tie: str) -> float:
    """The weighted share of right answers."""
    return float(np.average(answers(decision, tie) == target, weights=weight))


def untrained_model(method: Method[M], X: Any, classes: Any) -> M:
    """The model before the first visit, for these classes and rows like those of X."""
    X, p = method.checked(as_rows(X)), method.parameters
    known = class_list(classes)
    learner, _ = method.begin(known, X, random_state(deepcopy(p.random_state)))
    return method.model(learner, known, 0, 0, [], X.shape[1])


def learn_more(
    method: Method[M], before: M | None, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
) -> M:
    """One pass over further rows in the listed order, from `before`, which is used up, or from the start.

    Classes may come as they will; `classes` lists all of them at the first call.
    """
    X = method.checked(as_rows(X))
    p = method.parameters
    check_no_rows_held_out(p)
    if p.class_weight == "balanced":
        raise ValueError("class_weight='balanced' needs all labels at once; give partial_fit a dict of weights")
    own, target, weight, rows = step_weights(X, y, sample_weight, p.class_weight, all_labels=False)
    merged = merge(own[:0] if before is None else before.classes, own if classes is None else class_list(classes))
    if not np.isin(own, merged).all():
        raise ValueError(f"y has labels that are not in classes: {np.setdiff1d(own, merged).tolist()}")
    target = np.searchsorted(merged, own).astype(np.int32)[target]
    if before is None:
        learner, _ = method.begin(merged, X, random_state(p.random_state))
    else:
        X = before.rows(X)
        learner = method.go_on(before, merged)
    if len(merged) == 1:  # the only class so far counts as positive until another one comes
        target = target + np.int32(1)
    X = as_type(X, learner.dtype)
    core_rows(X, check=len(rows) < X.shape[0])
    seen, n_rows = 0 if before is None else before.n_seen, X.shape[0]
    X, target, weight = part(rows, X, target, weight)
    mistakes, _, updates = learner.train_more(
        X, target, None if weight is None else as_type(weight, X.dtype), method.rule(len(rows)), number=seen + rows
    )
    passes = [] if before is None else before.passes
    passes.append(int(mistakes[0]))
    n_updates = updates + (0 if before is None else before.n_updates)
    return method.model(learner, merged, seen + n_rows, n_updates, passes, X.shape[1])
