"""The frame of a fit: labels to classes, weights of rows, rows held out, pass after pass, and the trained model.

The linear and the kernel perceptron go through the same frame; a `Method` has what differs.
"""

from copy import deepcopy
from typing import Any, Protocol, TypeVar

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.labels import class_list, merge
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows
from rosenblatt.members.model import Classifier
from rosenblatt.members.online_run import check_no_rows_held_out
from rosenblatt.members.passes import Learner, Training, Watch, run_passes
from rosenblatt.members.randomness import held_out_of, random_state
from rosenblatt.members.sample_weight import part, step_weights
from rosenblatt.members.stopping import End, Stopping
from rosenblatt.members.validate import best_passes

M = TypeVar("M", bound=Classifier)


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
        rows, held_out = held_out_of(rows, target, p.validation_fraction, random)
    elif len(rows) < X.shape[0]:
        core_rows(X)  # before rows are taken from it: an error has the number of the row in X
    training = Training(X, target, weight, rows, held_out)
    learner, seed = method.begin(classes, X, random)
    stopping = method.stopping(len(rows))
    if p.max_iter == "validate":
        if p.early_stopping:
            raise ParameterError("max_iter: expected a number or 'auto' with early_stopping, found 'validate'")
        core_rows(X)  # an error has the number of the row in X
        stopping.max_iter = best_passes(method, training, classes, random)
    if stopping.max_iter == "auto":
        stopping.inseparable = lambda: method.inseparable(learner, *part(rows, X, target, None)[:2])

    def model(of: Learner, n_updates: int) -> M:
        return method.model(of, classes, X.shape[0], n_updates, [*stopping.mistakes], X.shape[1])

    n_updates = run_passes(
        learner,
        training,
        p,
        method.rule(len(rows)),
        stopping,
        seed,
        snapshot=lambda n_updates: model(learner.copy(), n_updates),
        watch=watch,
    )
    return model(learner, n_updates), stopping.end


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
