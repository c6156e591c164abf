"""What a trace records: a learner, batch after batch. Here it is the core, in floats; exact.py has one in fractions.

No rule is written here. The core gets the rows of one batch at a time and keeps its state in between, so that every
weight has the bits that `Perceptron.fit` gives it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from rosenblatt import _core, plain
from rosenblatt.arrays import Array
from rosenblatt.given import as_float_table, check_lengths
from rosenblatt.labels import with_positive
from rosenblatt.learning.sample_weight import step_weights
from rosenblatt.rows import Matrix, core_rows, score

if TYPE_CHECKING:
    from rosenblatt.linear.learn import LinearMethod

_REFUSED = {
    "early_stopping": "a trace holds out no rows",
    "warm_start": "a trace starts where init says",
    "shards": "a trace is one run",
    "tol": "a trace ends at a clean pass, or after max_iter passes or max_visits visits",
}


@dataclass
class Setting:
    """Everything that is settled before the first visit, as `Perceptron.fit` settles it."""

    method: "LinearMethod"
    X: Matrix
    classes: Array
    target: Array  # class numbers
    weight: Array | None
    rows: Array  # those whose weight is not 0
    state: Any  # the core's
    seed: int | None

    @property
    def parameters(self) -> Any:
        """Those of a `Perceptron`, by name."""
        return self.method.parameters

    @property
    def contests(self) -> Callable[..., list[plain.Contest]]:
        """Which gaps decide."""
        if len(self.classes) == 2:
            return plain.binary
        return plain.argmax if self.parameters.multiclass == "argmax" else plain.one_vs_rest

    @property
    def y(self) -> Array:
        """-1 or +1 for two classes, class numbers for more."""
        return 2 * self.target - 1 if len(self.classes) == 2 else self.target

    @property
    def weights(self) -> Array:
        """The core's weights as they are now: (1 or classes, features), the constant feature first."""
        w = self.state.weights("last")[:, : self.state.n_rows]
        return np.array((np.vstack([w[-1:], w[:-1]]) if self.parameters.fit_intercept else w[:-1]).T)


def settle(X: Any, sample_weight: Any, given: dict[str, Any], *, y: Any, positive: Any) -> Setting:
    """Checks the data and the parameters that are given, and draws the start and the seed; of two, `positive` is +1."""
    # Here and in `method_of`: pictures need the numbers of a trace too, but seldom a perceptron.
    from rosenblatt.learning.randomness import random_state

    method = method_of(given)
    p = method.parameters
    for name, reason in _REFUSED.items():
        if not p.is_default(name):
            raise ValueError(f"trace cannot have {name}={getattr(p, name)!r}: {reason}")
    X, y = as_float_table(X), np.asarray(y)
    check_lengths(X, y)
    X = method.checked(X)
    core_rows(X)  # every value is finite
    classes, target, weight, rows = step_weights(X, y, sample_weight, p.class_weight, all_labels=True)
    if len(classes) < 2:
        raise ValueError(f"trace needs at least 2 classes, got samples of only one class: {classes.tolist()}")
    classes, target = with_positive(classes, target, positive)
    state, seed = method.begin(classes, X, random_state(p.random_state))
    return Setting(method, X, classes, target, weight, rows, state, seed)


def method_of(given: dict[str, Any]) -> "LinearMethod":
    """The perceptron's way of learning with these parameters, each within its range."""
    from rosenblatt.linear.learn import LinearMethod
    from rosenblatt.linear.parameters import PerceptronParameters

    known = PerceptronParameters.declared()
    for name in given:
        if name not in known:
            raise TypeError(f"trace has no parameter {name!r}: expected one of Perceptron's, {', '.join(known)}")
    return LinearMethod(PerceptronParameters.checked(**given))


class Batch(NamedTuple):
    """What became of a batch: the scores of each row, how many contests it lost, and the weights after the batch."""

    scores: Array
    lost: list[int]
    after: Array


class Learner(Protocol):
    """Learns from one batch of rows after the other."""

    x: Array  # (rows, features), the constant feature first
    weights: Array  # (1 or classes, features), as they are now
    unit: float  # what the scores of a batch are measured in

    def learn(self, rows: list[int]) -> Batch:
        """Score the rows with the weights as they are, then add the mistakes."""


class CoreLearner:
    """The core: the learning rate is the unit of its weights, see core/loop/step.hpp."""

    def __init__(self, setting: Setting, rows_of_a_pass: int) -> None:
        self._setting, self._rule = setting, setting.method.rule(rows_of_a_pass)
        self._rows_a_mistake = 2 if setting.contests is plain.argmax else 1
        state, X = setting.state, setting.X
        self.unit = state.unit
        constant = np.full((X.shape[0], int(setting.parameters.fit_intercept)), state.bias, dtype=X.dtype)
        self.x = np.column_stack([constant, X.toarray() if hasattr(X, "toarray") else X])
        self.weights = setting.weights

    def learn(self, rows: list[int]) -> Batch:
        """Score the rows with the weights as they are, then add the mistakes."""
        setting, state = self._setting, self._setting.state
        batch = core_rows(setting.X[rows], check=False)
        try:
            scores = score(batch, state.w, state.n_rows, state.bias)
            *_, lost, _, _ = _core.train(
                batch,
                setting.target[rows],
                None if setting.weight is None else setting.weight[rows],
                self._rule,
                w=state.w,
                n_rows=state.n_rows,
                bias=state.bias,
                visits=0,
                spread=state.spread,
                sums=None,
                pocket=None,
                pocket_errors=np.inf,
                keep_mistakes=True,
                seed=None,
                first_pass=0,
                passes=1,
            )
        except OverflowError as error:  # which counts the rows from the first of the batch
            examples = ", ".join(str(row + 1) for row in rows)
            raise OverflowError(
                f"rows {rows} of X (in tables example {examples}) make scores or weights too large for their type"
            ) from error
        if len(lost):
            self.weights = setting.weights
        return Batch(scores, (np.bincount(lost, minlength=len(rows)) // self._rows_a_mistake).tolist(), self.weights)
