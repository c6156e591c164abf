"""A kernel perceptron that has learned: support vectors and coefficients under each readout, decisions, its record.

All of it is taken from the state of the run when it is asked for, so that the readout may change after the fit.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.base.rows import Matrix, SparseRows, as_type, core_rows, without_duplicates
from rosenblatt.members.advice import PYTHON, Voice, for_inseparable, more_passes, still
from rosenblatt.members.kernel.parameters import KernelParameters, Readout
from rosenblatt.members.kernel.record import dual_from_record, dual_to_record
from rosenblatt.members.kernel.state import DualState, Hypothesis
from rosenblatt.members.kernel.threads import workers
from rosenblatt.members.model import Classifier


@dataclass
class KernelModel(Classifier):
    """A trained kernel perceptron."""

    kind: ClassVar[str] = "KernelPerceptron"
    conventions: ClassVar[str] = (
        "kernel: its name, gamma, coef0, degree; events: after `visit` visits, tau times support vector `row` was "
        "added to machine cls, positive for the second of two classes, else one a class, whose squared length then was "
        "norm2; score = unit * sum of tau k(support[row], x), for the readout average with tau (visits - visit) / "
        "visits; if a budget is full, the coefficients are those of slots.coefs where slots.born is not -1, or c with "
        "c project.factor = project.weights, for the average with (visits * weights - sums) / visits"
    )
    parameters: KernelParameters
    state: DualState

    @property
    def support(self) -> Array:
        """The numbers of the support vectors among the training rows."""
        return np.asarray(self._all_vectors.support_row)

    @property
    def support_vectors(self) -> Matrix:
        """The support vectors; none for a precomputed kernel."""
        support = self._all_vectors.support
        if support is None or self.state.kernel.kind == "precomputed":
            return np.empty((0, 0))
        return support.X

    @property
    def dual_coef(self) -> Array:
        """The coefficients of the support vectors in the hypothesis that answers: (machines, support vectors)."""
        hypothesis = self.state.hypothesis(self.parameters.answering)
        return hypothesis.scaled(hypothesis.coef.T)

    @property
    def n_support(self) -> Array:
        """How many support vectors each class has."""
        state = self.state
        targets = state.support_target if state.dictionary is None else state.dictionary.support_target
        return np.bincount(targets[: len(self.support)], minlength=len(self.classes))

    @property
    def _all_vectors(self) -> Hypothesis:
        """The hypothesis that answers; of a vote the last one, which has the vectors of all."""
        readout = self.parameters.answering
        return self.state.hypothesis(Readout("last", passes=readout.passes) if readout.name == "vote" else readout)

    def decision(self, X: Matrix) -> Array:
        """The score of each row; for more than two classes, of each class; the share of the votes for a vote."""
        X = self.rows(X)
        dense_if_precomputed(X, self.state.kernel.kind)
        X = as_type(without_duplicates(X), self.state.dtype)
        core_rows(X)
        with workers(self.parameters.n_jobs) as threads:
            return self.state.decision(X, self.parameters.answering, self.parameters.tie, threads)

    def facts(self) -> dict[str, Any]:
        """What is to be said of its training."""
        return {**super().facts(), "n_support": int(self.n_support.sum())}

    def not_converged(self, voice: Voice = PYTHON) -> str:
        """What to say of a run that ended with mistakes where it was left to us when to end."""
        p = self.parameters
        what = "this kernel" if p.budget is None else f"this kernel, with a budget of {p.budget},"
        return (
            f"{still(self.passes, p.counted)}. Either {what} does not separate the classes: then no number of passes "
            f"is enough, and {for_inseparable(voice, p.readout, ('average', 'vote'))}. Or it does, and needs more "
            f"passes: {more_passes(voice, self.passes)}.{self._proof(voice)}"
        )

    def _proof(self, voice: Voice) -> str:
        """The way to a proof, for kernels that there are proofs of; a budget is not of the data."""
        p = self.parameters
        if p.budget is not None or p.kernel not in ("linear", "poly", "rbf") or p.coef0 < 0:
            return ""
        of_the_kernel = {"linear": ("coef0",), "poly": ("gamma", "coef0", "degree"), "rbf": ("gamma",)}[p.kernel]
        given = {name: getattr(p, name) for name in of_the_kernel}
        return f" {voice.proof(kernel=p.kernel, **given)} tells which, with a proof."

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        """For a record."""
        return dual_to_record(self, tensors)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        """From a record."""
        assert classes is not None
        return cls(classes=classes, n_features=n_features, **dual_from_record(parameters, n_features, classes, parts))


def dense_if_precomputed(X: Matrix, kernel: Any) -> None:
    """A precomputed kernel has all its values."""
    if kernel == "precomputed" and isinstance(X, SparseRows):
        raise TypeError("Sparse data was given: a precomputed kernel must be dense")
