"""The kernel perceptron (Aizerman et al. 1964; Freund and Schapire 1999): the first file of this room.

The score is s = sum of tau_j k(x_j, x) over the examples x_j that were added so far. It is a mistake if y s <= 0 (`tie`
decides what 0 means), or with a margin if y s <= beta. Then tau y k(x, .) is added to the sum: weights in the feature
space of k are sums of examples, so scores need only k between examples. With more classes each has its sum, and all
share the support vectors. With a full budget, a mistake is projected on the support vectors.

The core makes the visits of a block of rows, see `kernel.passes` and core/kernel/; this file has what the frames of
`members` need to know.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import count_machines
from rosenblatt.base.rows import Matrix, core_rows, without_duplicates
from rosenblatt.members.fit import fit, learn_more
from rosenblatt.members.kernel.model import KernelModel, dense_if_precomputed
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.kernel.passes import BlockVisit, Counts, DualPasses, RowBlocks
from rosenblatt.members.kernel.projection import Projection
from rosenblatt.members.kernel.state import DualState, EventList
from rosenblatt.members.kernel.values import Kernel, Workers, resolve_gamma, workers
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.rows import Order, RowMember, Visits, WeightedRows
from rosenblatt.members.run import Watch
from rosenblatt.members.stopping import End, Stopping, sure_passes

NEEDS_ROWS = "partial_fit needs rows, not a precomputed kernel: give the kernel by name or as a callable"


@dataclass
class KernelRun:
    """The state of a run, and what it needs only while it learns."""

    state: DualState
    passes: DualPasses | None = None

    @property
    def dtype(self) -> Any:
        return self.state.dtype

    def copy(self) -> "KernelRun":
        return KernelRun(self.state.copy())

    def finish(self) -> DualState:
        """The state at the end, without unused memory for support vectors."""
        state, self.passes = self.state, None
        if state.dictionary is not None:
            state.support = None
        elif state.support is not None:
            state.support = state.support.copy()
        return state


@dataclass(frozen=True)
class KernelMember(RowMember[KernelRun]):
    """The kernel perceptron in the frames of a run."""

    parameters: KernelParameters
    threads: Workers
    listed: bool = False  # whether to use the listed order, even if `shuffle` is True
    model_class: ClassVar[type[KernelModel]] = KernelModel

    def take_rows(self, X: Matrix) -> Matrix:
        """Join columns that a row has twice, because |x|^2 would be wrong. A precomputed kernel must be square."""
        p = self.parameters
        dense_if_precomputed(X, p.kernel)
        X = without_duplicates(X)
        core_rows(X)
        if p.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(f"Precomputed matrix must be a square matrix, got shape {X.shape}")
        return X

    def begin(
        self,
        classes: Array,
        X: Matrix,
        random: np.random.RandomState,
        start: Any = None,  # noqa: ARG002 - it has no weights to start from
    ) -> tuple[KernelRun, int | None]:
        p = self.parameters
        seed = drawn_seed(random, np.iinfo(np.int64).max - 1) if p.shuffle and not self.listed else None
        gamma = resolve_gamma(p.gamma, X) if p.kernel in ("poly", "rbf", "sigmoid") else 1.0
        n_machines = count_machines(len(classes))
        state = DualState(
            Kernel(p.kernel, gamma, float(p.coef0), int(p.degree)),
            n_machines,
            joint=n_machines > 1 and p.multiclass == "argmax",
            unit=float(p.eta0),
            draw=float(random.random_sample()),
            dtype=X.dtype,
        )
        return KernelRun(state), seed

    def visit(self, state: KernelRun, rows: WeightedRows, order: Order) -> Visits:
        dual, counts = state.state, Counts()
        if state.passes is None:
            state.passes = self._passes_over(dual, rows, order.seed)
        passes, visits = state.passes, dual.visits
        for block, inner in passes.rows.visits(order.first_pass):
            self._visit_block(dual, passes, BlockVisit(block, inner, visits, counts, self.threads))
            visits += len(inner)
        dual.ends.append(visits)
        return Visits(np.array([counts.mistakes]), np.array([counts.loss]), counts.updates)

    def _passes_over(self, state: DualState, rows: WeightedRows, seed: int | None) -> DualPasses:
        p = self.parameters
        assert rows.number is not None
        blocks = RowBlocks.cut(state, rows.X, rows.target, rows.weight, rows.number, seed, p.block_size)
        wait = p.budget_policy == "project"
        return DualPasses(state, blocks, p.rule, cache_size=p.cache_size, budget=p.budget, wait=wait)

    def _visit_block(self, state: DualState, passes: DualPasses, visit: BlockVisit) -> None:
        if state.dictionary is None:
            passes.visit(visit)
            if visit.first < len(visit.order):  # the budget is full
                state.dictionary = Projection.begin(passes)
                state.events = EventList()
        if state.dictionary is not None:
            state.dictionary.visit(passes, visit)

    def decision(self, state: KernelRun, X: Matrix) -> Array:
        return state.state.decision(X, self.parameters.answering, self.parameters.tie, self.threads)

    def stopping(self, n_rows: int) -> Stopping:
        p = self.parameters
        return Stopping(
            n_rows=n_rows,
            max_iter=p.max_iter,
            tol=0.0 if p.early_stopping and p.tol is None else p.tol,
            n_iter_no_change=p.n_iter_no_change,
            # A visit needs many rows, as a pocket does, and feature spaces are large, so few passes separate.
            at_least=min(100, sure_passes(n_rows, pocket=True)),
        )

    def go_on(self, before: KernelModel, classes: Array) -> KernelRun:
        if before.state.kernel.kind == "precomputed":
            raise ValueError(NEEDS_ROWS)
        run = KernelRun(before.state.copy().in_units_of(float(self.parameters.eta0)))
        return self.grow(run, before.classes, classes)

    def grow(self, state: KernelRun, before: Array, classes: Array) -> KernelRun:
        """A new class starts without a support vector."""
        return state if len(classes) == len(before) else replace(state, state=state.state.grow(before, classes))

    def all_or_nothing(self, state: KernelRun, X: Matrix) -> AbstractContextManager[None]:
        """Nothing to restore: the state is a copy, and errors in the rows come before."""
        del state
        core_rows(X)
        return nullcontext()

    def model(self, state: KernelRun, *counts: Any) -> KernelModel:
        model: KernelModel = super().model(state, *counts)
        model.state = state.finish()
        return model


def fit_kernel(
    parameters: KernelParameters, X: Any, y: Any, sample_weight: Any = None, *, watch: Watch | None = None
) -> tuple[KernelModel, End | None]:
    """Learn from all rows; return the model, and why the run ended."""
    with workers(parameters.n_jobs) as threads:
        return fit(KernelMember(parameters, threads), X, y, sample_weight, watch)


def learn_more_kernel(
    parameters: KernelParameters,
    before: KernelModel | None,
    X: Any,
    y: Any,
    classes: Any = None,
    sample_weight: Any = None,
) -> KernelModel:
    """One pass over further rows in the listed order, from `before`, which it changes, or from the start."""
    if parameters.kernel == "precomputed":
        raise ValueError(NEEDS_ROWS)
    with workers(parameters.n_jobs) as threads:
        model: KernelModel = learn_more(
            KernelMember(parameters, threads, listed=True), before, X, y, classes, sample_weight
        )
        return model
