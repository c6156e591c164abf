"""How passive-aggressive steps learn (Crammer et al. 2006): where a row loses, just far enough, held by C.

Labels are the perceptron's run. Numbers go through the same pass of the core: a row has lost if its output is farther
than epsilon from its number.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows, without_duplicates
from rosenblatt.members.fit import InMemory, Training, fit, learn_more
from rosenblatt.members.linear.learn import LinearMethod, Run
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.passive_aggressive.model import (
    PassiveAggressiveClassifierModel,
    PassiveAggressiveRegressorModel,
)
from rosenblatt.members.linear.passive_aggressive.parameters import (
    PassiveAggressiveClassifierParameters,
    PassiveAggressiveParameters,
    PassiveAggressiveRegressorParameters,
)
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.randomness import hold_out, random_state
from rosenblatt.members.run import Watch, run
from rosenblatt.members.sample_weight import checked_weight, counting_rows, part
from rosenblatt.members.stopping import End
from rosenblatt.members.targets import as_numbers, one_a_row


@dataclass(frozen=True, kw_only=True)
class PassiveAggressiveMethod(LinearMethod):
    """The perceptron's run, with their steps."""

    words: PassiveAggressiveParameters
    model_class: type[LinearModel]

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The name of its estimator, for messages."""
        return self.model_class.kind

    def begin(self, classes: Array, X: Matrix, random: np.random.RandomState) -> tuple[Run, int | None]:
        """As a perceptron, but the average may begin later."""
        run, seed = super().begin(classes, X, random)
        assert isinstance(run, LinearState)
        return replace(run, unaveraged=self.words.unaveraged), seed

    def rule(self, n_samples: int) -> Any:  # noqa: ARG002
        """For the core."""
        return self.words.rule()

    def score(self, target: Array, decision: Array, weight: Array | None) -> float:
        """The share of right answers; for numbers R^2, which has no meaning where all are the same."""
        if self.model_class.n_classes is not None:
            return super().score(target, decision, weight)
        squares = np.average((target - decision) ** 2, weights=weight)
        spread = np.average((target - np.average(target, weights=weight)) ** 2, weights=weight)
        return float(1 - squares / spread if spread > 0 else -squares)

    def model(
        self, learner: Any, classes: Array, n_seen: int, n_updates: int, passes: list[int], n_features: int
    ) -> LinearModel:
        """What was learned."""
        words, state = self.words, learner.state if isinstance(learner, NumbersRun) else learner
        return self.model_class(words, classes, state, n_features, n_seen, n_updates, passes)


def fit_classes(
    parameters: PassiveAggressiveClassifierParameters,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    start: Any = None,
    before: LinearModel | None = None,
    watch: Watch | None = None,
) -> tuple[LinearModel, End | None]:
    """Learn labels; returns the model, and why the run has ended.

    `start`: the weights of this fit alone, as `init` has them; `before`: the model to start from.
    """
    return fit(_method_for_classes(parameters, start, before), X, y, sample_weight, watch)


def learn_more_classes(
    parameters: PassiveAggressiveClassifierParameters,
    before: LinearModel | None,
    X: Any,
    y: Any,
    classes: Any = None,
    sample_weight: Any = None,
) -> LinearModel:
    """One pass over further rows, from `before`, which is used up, or from the start."""
    return learn_more(_method_for_classes(parameters), before, X, y, classes, sample_weight)


def _method_for_classes(
    p: PassiveAggressiveClassifierParameters, start: Any = None, before: LinearModel | None = None
) -> PassiveAggressiveMethod:
    run = p.perceptron(class_weight=p.class_weight)
    return PassiveAggressiveMethod(run, before, start=start, words=p, model_class=PassiveAggressiveClassifierModel)


@dataclass
class NumbersRun:
    """A run over numbers between two passes."""

    state: LinearState

    def train(
        self, rows: Any, X: Matrix, target: Array, weight: Array | None, rule: Any, *, number: Any = None, **order: Any
    ) -> tuple[Array, Array, int]:
        """Passes over `rows`; returns the rows farther off than epsilon and the loss of each, and the updates."""
        del X, number  # for mistakes that are kept: here are none
        state = self.state
        misses, losses, updates, state.visits = _core.train_numbers(
            rows,
            target,
            weight,
            rule,
            w=state.w,
            bias=state.bias,
            visits=state.visits,
            sums=state.sums,
            unaveraged=state.unaveraged,
            **order,
        )
        return misses, losses, updates

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:
        """The outputs of rows."""
        return self.state.decision(X, readout, tie)

    def copy(self) -> "NumbersRun":
        """As it is now, whatever the run does next."""
        return NumbersRun(self.state.copy())


def fit_numbers(
    parameters: PassiveAggressiveRegressorParameters,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    start: Any = None,
    before: PassiveAggressiveRegressorModel | None = None,
    watch: Watch | None = None,
) -> tuple[PassiveAggressiveRegressorModel, End | None]:
    """Learn numbers; returns the model, and why the run has ended.

    >>> p = PassiveAggressiveRegressorParameters(fit_intercept=False, epsilon=0, C=10, max_iter=1, shuffle=False)
    >>> fit_numbers(p, [[1.0], [2.0]], [2.0, 1.0])[0].coef
    array([[0.5]])
    """
    p = parameters
    X, y, weight, rows = _checked(X, y, sample_weight)
    method = _method_for_numbers(p, start, before)
    random, out = random_state(p.random_state), None
    if p.early_stopping:
        rows, out = hold_out(rows, p.validation_fraction, random)
    if len(rows) < X.shape[0]:
        core_rows(X)  # before rows are taken from it: an error has the number of the row in X
    state, seed = method.begin(np.empty(0), X, random)
    assert isinstance(state, LinearState)
    stop = method.stopping(len(rows))
    passes = InMemory(method, NumbersRun(state), np.empty(0), Training(X, y, weight, rows, out), stop, seed)
    end = run(passes, stop, score=passes.score if p.early_stopping else None, watch=watch)
    return passes.model(), end


def learn_more_numbers(
    parameters: PassiveAggressiveRegressorParameters,
    before: PassiveAggressiveRegressorModel | None,
    X: Any,
    y: Any,
    sample_weight: Any = None,
) -> PassiveAggressiveRegressorModel:
    """One pass over further rows in the listed order, from `before`, which is used up, or from the start."""
    X, y, weight, rows = _checked(X, y, sample_weight)
    if before is None:
        begun, _ = _method_for_numbers(parameters).begin(np.empty(0), X, random_state(parameters.random_state))
        assert isinstance(begun, LinearState)
        state = begun
    else:
        X, state = before.rows(X), before.state
    X = as_type(X, state.dtype)
    seen, n_rows = 0 if before is None else before.n_seen, X.shape[0]
    core_rows(X, check=len(rows) < n_rows)
    X, y, weight = part(rows, X, y, weight)
    order: dict[str, Any] = {"seed": None, "first_pass": 0, "passes": 1}
    with state.all_or_nothing(X):
        misses, _, updates = NumbersRun(state).train(
            core_rows(X, check=False), X, as_type(y, X.dtype), _as(weight, X), parameters.rule(), **order
        )
    passes = [*([] if before is None else before.passes), int(misses[0])]
    updates += 0 if before is None else before.n_updates
    words: Any = parameters
    return PassiveAggressiveRegressorModel(words, np.empty(0), state, X.shape[1], seen + n_rows, updates, passes)


def _method_for_numbers(
    p: PassiveAggressiveRegressorParameters, start: Any = None, before: LinearModel | None = None
) -> PassiveAggressiveMethod:
    return PassiveAggressiveMethod(
        p.perceptron(), before, start=start, words=p, model_class=PassiveAggressiveRegressorModel
    )


def _checked(X: Any, y: Any, sample_weight: Any) -> tuple[Matrix, Array, Array | None, Array]:
    """Rows, numbers, weights, and which rows have one that is not 0."""
    X = without_duplicates(as_rows(X))
    y = as_numbers(one_a_row(y, X, "numbers"), X.dtype)
    weight = None if sample_weight is None else checked_weight(sample_weight, X)
    return X, y, weight, counting_rows(weight, X.shape[0])


def _as(weight: Array | None, X: Matrix) -> Array | None:
    return None if weight is None else np.asarray(as_type(weight, X.dtype))
