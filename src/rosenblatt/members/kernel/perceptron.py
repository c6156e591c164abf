"""The kernel perceptron (Aizerman et al. 1964; Freund and Schapire 1999): the first file of this room.

It scores s = sum of tau_j k(x_j, x) over the examples x_j that were added so far. It is wrong where y s <= 0 (`tie`
says what 0 is), or y s <= beta with a margin. Then it adds tau y k(x, .) to the sum: weights in the feature space of k
are sums of examples, so that scores need only k between these. With more classes each has its sum, and all share the
support vectors. With a budget, a mistake that finds it full is projected on the support vectors there are.

The visits of a block of rows are the core's, see `kernel.passes` and core/kernel/; here is what the frames of
`members` need to know of it.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import n_weight_rows
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
    """The state of a run, and what is kept only while it learns."""

    state: DualState
    passes: DualPasses | None = None

    @property
    def dtype(self) -> Any:
        """Of the rows."""
        return self.state.dtype

    def copy(self) -> "KernelRun":
        """As it is now, whatever the run does next."""
        return KernelRun(self.state.copy())

    def finish(self) -> DualState:
        """The state at the end, without the room that support vectors had to grow."""
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
    listed: bool = False  # whether rows are taken in the listed order, whatever `shuffle` says
    model_class: ClassVar[type[KernelModel]] = KernelModel

    def take_rows(self, X: Matrix) -> Matrix:
        """|x|^2 is wrong if a column is named twice; a precomputed kernel is square."""
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
        """Without a support vector."""
        p = self.parameters
        seed = drawn_seed(random, np.iinfo(np.int64).max - 1) if p.shuffle and not self.listed else None
        gamma = resolve_gamma(p.gamma, X) if p.kernel in ("poly", "rbf", "sigmoid") else 1.0
        n_rows = n_weight_rows(len(classes))
        state = DualState(
            Kernel(p.kernel, gamma, float(p.coef0), int(p.degree)),
            n_rows,
            joint=n_rows > 1 and p.multiclass == "argmax",
            unit=float(p.eta0),
            draw=float(random.random_sample()),
            dtype=X.dtype,
        )
        return KernelRun(state), seed

    def visit(self, state: KernelRun, rows: WeightedRows, order: Order) -> Visits:
        """One pass, block by block."""
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
        """Under the readout of the parameters."""
        return state.state.decision(X, self.parameters.answering, self.parameters.tie, self.threads)

    def stopping(self, n_rows: int) -> Stopping:
        """As `max_iter`, `tol` and `early_stopping` have it."""
        p = self.parameters
        return Stopping(
            n_rows=n_rows,
            max_iter=p.max_iter,
            tol=0.0 if p.early_stopping and p.tol is None else p.tol,
            n_iter_no_change=p.n_iter_no_change,
            # A visit looks at many rows, as a pocket does, and feature spaces are large: few passes separate.
            at_least=min(100, sure_passes(n_rows, pocket=True)),
        )

    def go_on(self, before: KernelModel, classes: Array) -> KernelRun:
        """From the support vectors there are."""
        if before.state.kernel.kind == "precomputed":
            raise ValueError(NEEDS_ROWS)
        run = KernelRun(before.state.copy().in_units_of(float(self.parameters.eta0)))
        return self.grow(run, before.classes, classes)

    def grow(self, state: KernelRun, before: Array, classes: Array) -> KernelRun:
        """A new class starts without a support vector."""
        return state if len(classes) == len(before) else replace(state, state=state.state.grow(before, classes))

    def all_or_nothing(self, state: KernelRun, X: Matrix) -> AbstractContextManager[None]:
        """The state is a copy; what is wrong with the rows is said before."""
        del state
        core_rows(X)
        return nullcontext()

    def model(self, state: KernelRun, *counts: Any) -> KernelModel:
        """What was learned."""
        model: KernelModel = super().model(state, *counts)
        model.state = state.finish()
        return model


def fit_kernel(
    parameters: KernelParameters, X: Any, y: Any, sample_weight: Any = None, *, watch: Watch | None = None
) -> tuple[KernelModel, End | None]:
    """Learn from all rows; returns the model, and why the run has ended."""
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
    """One pass over further rows in the listed order, from `before`, which is used up, or from the start."""
    if parameters.kernel == "precomputed":
        raise ValueError(NEEDS_ROWS)
    with workers(parameters.n_jobs) as threads:
        model: KernelModel = learn_more(
            KernelMember(parameters, threads, listed=True), before, X, y, classes, sample_weight
        )
        return model
