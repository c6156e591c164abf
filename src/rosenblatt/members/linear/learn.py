"""How a perceptron learns: w <- w + tau y x at every mistake (Rosenblatt 1957), pass after pass in the core.

On separable data it makes at most (R / gamma)^2 mistakes (Novikoff 1962), whatever the order, and stops at the first
pass without one.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.cores import n_threads
from rosenblatt.base.engines import Engine, engine_of
from rosenblatt.base.labels import answers, n_weight_rows, rows_after
from rosenblatt.base.rows import Matrix, core_weights, without_duplicates
from rosenblatt.members.fit import fit, learn_more, share_right
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.room import check_room
from rosenblatt.members.linear.separable import surely_inseparable
from rosenblatt.members.linear.shards import ShardedRun
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.run import Watch
from rosenblatt.members.start import resolve_init
from rosenblatt.members.stopping import End, Stopping, sure_passes

Run: TypeAlias = LinearState | ShardedRun
MIXED_PASSES = 10_000  # that max_iter="auto" makes of shards in any case: to mix takes longer than to visit few rows


@dataclass(frozen=True)
class LinearMethod:
    """What is the perceptron's own in the frame of a fit."""

    parameters: PerceptronParameters
    before: LinearModel | None = None  # for warm_start
    engine: Engine | None = None  # for shards; None: threads of this machine, as `n_jobs` says
    start: Any = None  # the weights of this fit alone, as `init` has them
    kind: ClassVar[str] = "Perceptron"

    def checked(self, X: Matrix) -> Matrix:
        """|x|^2 is wrong if a column is named twice; scores and sums do not mind."""
        return X if self.parameters.step == "perceptron" else without_duplicates(X)

    def begin(self, classes: Array, X: Matrix, random: np.random.RandomState) -> tuple[Run, int | None]:
        """From zero weights, those of `init`, or those of the fit before."""
        p = self.parameters
        p.check_shards()
        if p.step == "arow" and (p.keep_mistakes or p.readout == "vote"):
            raise ValueError(
                "an AROW step is not a multiple of its example, so its mistakes cannot be kept or vote; "
                "use readout='average'"
            )
        n_rows, n_features = n_weight_rows(len(classes)), X.shape[1]
        check_room(p, n_features, n_rows, X.dtype)
        if self.before is not None:
            w = self._warm(self.before, classes, n_features).astype(X.dtype)
        else:
            init = p.init if self.start is None else self.start
            coef, constant = resolve_init(init, n_rows, n_features, constant=p.fit_intercept, random=random)
            w = core_weights((coef / p.unit).astype(X.dtype), constant / p.unit, 1.0)
        state = LinearState.begin(
            w, n_rows, p.bias, p.unit, step=p.step, readout=p.readout, keep_mistakes=p.keep_mistakes
        )
        _check_only_class(classes, state)
        return self._run(state, []), drawn_seed(random) if p.shuffle else None

    def _run(self, state: LinearState, passes: list[int]) -> Run:
        """In shards, if there are several; `passes` are the mistakes of those before."""
        p = self.parameters
        if p.shards == 1:
            return state
        mixed = list(map(float, passes)) if state.mixed is None else state.mixed
        engine = self.engine or engine_of(min(p.shards, n_threads(p.n_jobs)))
        return ShardedRun(replace(state, mixed=mixed), p, engine)

    def _warm(self, before: LinearModel, classes: Array, n_features: int) -> Array:
        if not np.array_equal(classes, before.classes):
            raise ValueError(f"warm_start needs the same classes: {before.classes} before, {classes} now")
        if before.n_features != n_features:
            raise ValueError(f"warm_start needs the same features: {before.n_features} before, {n_features} now")
        return before.state.in_units_of(self.parameters.unit).w

    def go_on(self, before: LinearModel, classes: Array) -> Run:
        """From the weights as they are; a new class starts with zero weights."""
        self.parameters.check_shards()
        p, state = self.parameters, before.state.without_pocket()
        if (state.spread is None) == (p.step == "arow"):
            raise ValueError("partial_fit cannot change step to or from 'arow', which has a variance for each weight")
        _check_only_class(classes, state)
        return self._run(with_classes(p, state, before.classes, classes).in_units_of(p.unit), before.passes)

    def rule(self, n_samples: int) -> Any:
        """For the core."""
        return self.parameters.rule(n_samples)

    def stopping(self, n_rows: int) -> Stopping:
        """As `max_iter`, `tol` and `early_stopping` have it."""
        p = self.parameters
        return Stopping(
            n_rows=n_rows,
            max_iter="auto" if p.max_iter == "validate" else p.max_iter,
            tol=0.0 if p.early_stopping and p.tol is None else p.tol,
            n_iter_no_change=p.n_iter_no_change,
            pocket=p.readout == "pocket",
            at_least=None if p.shards == 1 else min(sure_passes(n_rows), MIXED_PASSES),
        )

    def score(self, target: Array, decision: Array, weight: Array | None) -> float:
        """The share of right answers."""
        return share_right(target, decision, weight, self.parameters.tie)

    def inseparable(self, learner: Run, X: Matrix, target: Array) -> bool:
        """Whether it is certain that no pass over these rows can be clean. Shards, perhaps elsewhere, are not asked."""
        p = self.parameters
        if isinstance(learner, ShardedRun) or not (p.tie == "mistake" or p.fit_intercept):
            return False
        answered = answers(learner.decision(X, "last", p.tie), p.tie)
        return surely_inseparable(X, target, answered, p.bias, one_vs_rest=p.multiclass != "argmax")

    def model(
        self, learner: Run, classes: Array, n_seen: int, n_updates: int, passes: list[int], n_features: int
    ) -> LinearModel:
        """What was learned."""
        state = learner.state if isinstance(learner, ShardedRun) else learner
        return LinearModel(self.parameters, classes, state, n_features, n_seen, n_updates, passes)


def fit_linear(
    parameters: PerceptronParameters,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    start: Any = None,
    before: LinearModel | None = None,
    watch: Watch | None = None,
    engine: Engine | None = None,
) -> tuple[LinearModel, End | None]:
    """Learn from all rows; returns the model, and why the run has ended.

    `start`: the weights of this fit alone, as `init` has them; `before`: the model to start from.
    """
    model, end = fit(LinearMethod(parameters, before, engine, start), X, y, sample_weight, watch)
    if parameters.readout == "average":
        model.weights("average")  # here rather than at the first answer, which would wait for it
    return model, end


def learn_more_linear(
    parameters: PerceptronParameters,
    before: LinearModel | None,
    X: Any,
    y: Any,
    classes: Any = None,
    sample_weight: Any = None,
    *,
    engine: Engine | None = None,
) -> LinearModel:
    """One pass over further rows, from `before`, which is used up, or from the start."""
    return learn_more(LinearMethod(parameters, engine=engine), before, X, y, classes, sample_weight)


def with_classes(p: PerceptronParameters, state: LinearState, old: Array, new: Array) -> LinearState:
    """The state for more classes than before."""
    if len(new) == len(old):
        return state
    mirror = 0.5 if p.step != "perceptron" and p.multiclass == "argmax" else 1.0
    return state.grown(n_weight_rows(len(new)), rows_after(old, new, mirror))


def _check_only_class(classes: Array, state: LinearState) -> None:
    if len(classes) == 1 and state.start is not None:
        raise ValueError("partial_fit with init needs all classes at the first call: classes=...")
