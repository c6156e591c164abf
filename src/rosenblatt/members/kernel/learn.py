"""How a kernel perceptron learns (Aizerman et al. 1964; Freund and Schapire 1999).

Weights are a sum of examples, so scores need only the kernel between them: every mistake adds its example to the sum.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import n_weight_rows
from rosenblatt.base.rows import Matrix, core_rows, without_duplicates
from rosenblatt.members.fit import fit, learn_more, share_right
from rosenblatt.members.kernel.learner import KernelLearner
from rosenblatt.members.kernel.model import KernelModel, dense_if_precomputed
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.kernel.state import DualState
from rosenblatt.members.kernel.threads import Workers, workers
from rosenblatt.members.kernel.values import Kernel, resolve_gamma
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.run import Watch
from rosenblatt.members.stopping import End, Stopping, sure_passes

NEEDS_ROWS = "partial_fit needs rows, not a precomputed kernel: give the kernel by name or as a callable"


@dataclass(frozen=True)
class KernelMethod:
    """What is the kernel perceptron's own in the frame of a fit."""

    parameters: KernelParameters
    threads: Workers
    listed: bool = False  # whether rows are taken in the listed order, whatever `shuffle` says
    kind: ClassVar[str] = "KernelPerceptron"

    def checked(self, X: Matrix) -> Matrix:
        """|x|^2 is wrong if a column is named twice; a precomputed kernel is square."""
        p = self.parameters
        dense_if_precomputed(X, p.kernel)
        X = without_duplicates(X)
        core_rows(X)
        if p.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(f"Precomputed matrix must be a square matrix, got shape {X.shape}")
        return X

    def begin(self, classes: Array, X: Matrix, random: np.random.RandomState) -> tuple[KernelLearner, int | None]:
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
        return KernelLearner(p, state, self.threads), seed

    def go_on(self, before: KernelModel, classes: Array) -> KernelLearner:
        """From the support vectors there are."""
        if before.state.kernel.kind == "precomputed":
            raise ValueError(NEEDS_ROWS)
        state = before.state.copy().in_units_of(float(self.parameters.eta0))
        if len(classes) > len(before.classes):
            state = state.grown(before.classes, classes)
        return KernelLearner(self.parameters, state, self.threads)

    def rule(self, n_samples: int) -> Any:  # noqa: ARG002 (as learning.fit.Method has it)
        """For the core."""
        return self.parameters.rule

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

    def score(self, target: Array, decision: Array, weight: Array | None) -> float:
        """The share of right answers."""
        return share_right(target, decision, weight, self.parameters.tie)

    def inseparable(self, learner: KernelLearner, X: Matrix, target: Array) -> bool:  # noqa: ARG002
        """Never asked for long: few passes are made in any case."""
        return False

    def model(
        self, learner: KernelLearner, classes: Array, n_seen: int, n_updates: int, passes: list[int], n_features: int
    ) -> KernelModel:
        """What was learned."""
        return KernelModel(self.parameters, classes, learner.finished(), n_features, n_seen, n_updates, passes)


def fit_kernel(
    parameters: KernelParameters, X: Any, y: Any, sample_weight: Any = None, *, watch: Watch | None = None
) -> tuple[KernelModel, End | None]:
    """Learn from all rows; returns the model, and why the run has ended."""
    with workers(parameters.n_jobs) as threads:
        return fit(KernelMethod(parameters, threads), X, y, sample_weight, watch)


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
        return learn_more(KernelMethod(parameters, threads, listed=True), before, X, y, classes, sample_weight)
