"""A trained kernel perceptron: support vectors and coefficients under each readout, decisions, its record.

They are computed from the state of the run when they are needed, so that the readout may change after the fit.
"""

import math
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import count_machines
from rosenblatt.base.record.parts import FLOATS, MOST, Parts, Tensors, matrix, put_matrix
from rosenblatt.base.rows import Matrix, SparseRows, as_type, core_rows, without_duplicates
from rosenblatt.members.advice import PYTHON, Voice, for_inseparable, more_passes, still
from rosenblatt.members.calibration import CALIBRATED, calibration_from_record, calibration_to_record
from rosenblatt.members.kernel.parameters import KERNELS, KernelParameters, Readout
from rosenblatt.members.kernel.projection import Projection
from rosenblatt.members.kernel.state import DualState, EventList, Hypothesis, KernelEvents
from rosenblatt.members.kernel.values import Kernel, Vectors, workers
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
        "c project.factor = project.weights, for the average with (visits * weights - sums) / visits; "
        f"{CALIBRATED}"
    )
    parameters: KernelParameters
    state: DualState

    @property
    def support(self) -> Array:
        """The numbers of the support vectors among the training rows."""
        return np.asarray(self._all_vectors.support_row)

    @property
    def support_vectors(self) -> Matrix:
        support = self._all_vectors.support
        if support is None or self.state.kernel.kind == "precomputed":
            return np.empty((0, 0))
        return support.X

    @property
    def dual_coef(self) -> Array:
        """The coefficients of the support vectors in the hypothesis that answers: (machines, support vectors)."""
        hypothesis = self.state.hypothesis(self.parameters.answering)
        return hypothesis.scale(hypothesis.coef.T)

    @property
    def n_support(self) -> Array:
        state = self.state
        targets = state.support_target if state.dictionary is None else state.dictionary.support_target
        return np.bincount(targets[: len(self.support)], minlength=len(self.classes))

    @property
    def _all_vectors(self) -> Hypothesis:
        """The hypothesis that answers. For a vote it is the last one, which has the vectors of all."""
        readout = self.parameters.answering
        return self.state.hypothesis(Readout("last", passes=readout.passes) if readout.name == "vote" else readout)

    def decision(self, X: Matrix) -> Array:
        X = self.rows(X)
        dense_if_precomputed(X, self.state.kernel.kind)
        X = as_type(without_duplicates(X), self.state.dtype)
        core_rows(X)
        with workers(self.parameters.n_jobs) as threads:
            return self.state.decision(X, self.parameters.answering, self.parameters.tie, threads)

    def facts(self) -> dict[str, Any]:
        return {**super().facts(), "n_support": int(self.n_support.sum())}

    def not_converged(self, voice: Voice = PYTHON) -> str:
        p = self.parameters
        what = "this kernel" if p.budget is None else f"this kernel, with a budget of {p.budget},"
        return (
            f"{still(self.passes, p.counted)}. Either {what} does not separate the classes: then no number of passes "
            f"is enough, and {for_inseparable(voice, p.readout, ('average', 'vote'))}. Or it does, and needs more "
            f"passes: {more_passes(voice, self.passes)}.{self._proof(voice)}"
        )

    def _proof(self, voice: Voice) -> str:
        """The end of the advice: how to get a proof. It is empty with a budget, or for a kernel that has no proofs."""
        p = self.parameters
        if p.budget is not None or p.kernel not in ("linear", "poly", "rbf") or p.coef0 < 0:
            return ""
        of_the_kernel = {"linear": ("coef0",), "poly": ("gamma", "coef0", "degree"), "rbf": ("gamma",)}[p.kernel]
        words = {name: getattr(p, name) for name in of_the_kernel}
        return f" {voice.proof(kernel=p.kernel, **words)} tells which, with a proof."

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        return dual_to_record(self, tensors)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        assert classes is not None
        return cls(classes=classes, n_features=n_features, **dual_from_record(parameters, n_features, classes, parts))


def dense_if_precomputed(X: Matrix, kernel: Any) -> None:
    """Make a precomputed kernel dense, because it has all its values."""
    if kernel == "precomputed" and isinstance(X, SparseRows):
        raise TypeError("Sparse data was given: a precomputed kernel must be dense")


_KERNEL = "a kernel's name, gamma, coef0 and degree"


def dual_to_record(model: Any, tensors: Tensors) -> dict[str, Any]:
    """Write the run of a trained kernel perceptron into a record; arrays join the tensors.

    A kernel that is a function is in the record unchanged: pickles can hold it, and model files refuse it among the
    parameters. If the parameters name another kernel by now, this raises an error.
    """
    state: DualState = model.state
    kernel = state.kernel
    if callable(kernel.kind) and model.parameters.kernel is not kernel.kind:
        raise ValueError(f"kernel: expected {_KERNEL}, found {kernel.kind!r}")
    support, dictionary, budget = state.support, state.dictionary, None
    events = state.events.since()
    tensors |= {f"events.{field.name}": getattr(events, field.name) for field in fields(KernelEvents)}
    tensors |= {"support_row": state.support_row, "support_target": state.support_target, "norm2": state.norm2}
    tensors |= {"ends": np.array(state.ends, dtype=np.int64), "mistakes_": model.mistakes}
    if dictionary is not None:
        support, budget = dictionary.support, "project"
        tensors |= {f"project.{name}": getattr(dictionary, name) for name in ("factor", "weights", "sums")}
    if support is not None:
        put_matrix(tensors, "support", support.X)
        if support.norm2 is not None:
            tensors["support_norm2"] = support.norm2
    return {
        "kernel": [kernel.kind, float(kernel.gamma), float(kernel.coef0), int(kernel.degree)],
        "joint": state.joint,
        "unit": float(state.unit),
        "draw": float(state.draw),
        "dtype": np.dtype(state.dtype).name,
        "budget": budget,
        "n_seen": int(model.n_seen),
        "n_updates": int(model.n_updates),
        **calibration_to_record(model),
    }


def dual_from_record(parameters: KernelParameters, n_features: int, classes: Array, parts: Parts) -> dict[str, Any]:
    n_seen, passes = parts.count("n_seen", least=1), parts.integers("mistakes_", None, "int64", below=MOST)
    if len(passes) == 0:
        raise ValueError("tensor 'mistakes_': expected those of at least one pass, found none")
    ends, n_machines = _rising(parts, "ends", len(passes), below=MOST), count_machines(len(classes))
    kernel = Kernel(*parts.value("kernel", _KERNEL, _is_kernel))
    unit, draw = parts.number("unit"), parts.number("draw")
    if unit == 0 or draw >= 1:
        raise ValueError(f"unit, draw: expected a number over 0, and one from 0 to below 1, found {unit} and {draw}")
    dtype = parts.value("dtype", " or ".join(FLOATS), lambda name: name in FLOATS)
    state = DualState(
        kernel,
        n_machines,
        joint=parts.flag("joint"),
        unit=unit,
        draw=draw,
        dtype=np.dtype(dtype),
        support_row=parts.integers("support_row", None, "int64", below=n_seen),
        norm2=parts.tensor("norm2", (n_machines,), "float64"),
        ends=ends.tolist(),
    )
    targets = max(2, len(classes))  # a single class counts as the second
    state.support_target = parts.integers("support_target", len(state.support_row), "int32", below=targets)
    budget = parts.value("budget", "null or project", lambda b: b in (None, "project"))
    support = _support(parts, kernel, n_features, dtype)
    if (0 if support is None else len(support)) != len(state.support_row):
        raise ValueError(f"tensor 'support': expected one vector for each of the {len(state.support_row)} rows")
    if budget is None:
        state.support = support
    else:
        state.dictionary = _projection(parts, state, support)
    known = len(state.support_row) if state.dictionary is None else 0
    state.events = EventList(_events(parts, state.visits, known, n_machines))
    _check_size(state)
    return {
        "parameters": replace(parameters, kernel=kernel.kind) if callable(kernel.kind) else parameters,
        "state": state,
        "n_seen": n_seen,
        "n_updates": parts.count("n_updates"),
        "passes": passes.tolist(),
        "calibration": calibration_from_record(parts),
    }


def _check_size(state: DualState) -> None:
    """Under every readout the coefficients, times their unit, must be finite."""
    dictionary, visits = state.dictionary, max(1, state.visits)
    with np.errstate(all="ignore"):
        if dictionary is not None:
            value = [dictionary.coef(Readout(name), visits) for name in ("last", "average")]
        else:
            value = [np.abs(state.events.since().tau).sum() * visits]
        if not all(np.isfinite(coef * state.unit).all() for coef in value):
            raise ValueError("expected coefficients that are finite, found tensors and a unit whose are not")


def _is_kernel(value: Any) -> bool:
    if not isinstance(value, list) or [type(part) for part in value[1:]] != [float, float, int]:
        return False
    kind, gamma, coef0, degree = value
    known = kind in KERNELS if isinstance(kind, str) else callable(kind)  # a file cannot contain a function
    return known and 0 < gamma < math.inf and math.isfinite(coef0) and 0 <= degree <= MOST


def _rising(parts: Parts, name: str, size: int | None, *, below: int) -> Array:
    value = parts.integers(name, size, "int64", below=below)
    if (value[1:] < value[:-1]).any():
        raise ValueError(f"tensor {name!r}: expected visits in their order")
    return value


def _support(parts: Parts, kernel: Kernel, n_features: int, dtype: str) -> Vectors | None:
    """The support vectors, if there are any; for a precomputed kernel, their numbers."""
    if not (parts.has("support") or parts.has("support.data")):
        return None
    if kernel.kind == "precomputed":
        return Vectors(parts.integers("support", None, "int64", below=n_features))
    X = matrix(parts, "support", None, n_features, (dtype,))
    if isinstance(X, SparseRows):
        core_rows(X)
        X = without_duplicates(X)
    return Vectors(X, parts.tensor("support_norm2", (X.shape[0],), dtype) if kernel.kind == "rbf" else None)


def _events(parts: Parts, visits: int, n_support: int, n_machines: int) -> KernelEvents:
    visit = _rising(parts, "events.visit", None, below=visits + 1)
    return KernelEvents(
        visit,
        parts.integers("events.row", len(visit), "int64", below=n_support),
        parts.integers("events.cls", len(visit), "int32", below=n_machines),
        parts.tensor("events.tau", visit.shape, "float64"),
        parts.tensor("events.norm2", visit.shape, "float64"),
    )


def _projection(parts: Parts, state: DualState, support: Vectors | None) -> Projection:
    if support is None:
        raise ValueError("tensor 'support': expected the vectors that are projected on, found none")
    size = len(support)
    factor = parts.tensor("project.factor", (size, size), "float64")
    if np.triu(factor, 1).any() or not (np.diag(factor) > 0).all():
        raise ValueError("tensor 'project.factor': expected a lower triangle, its diagonal over 0")
    weights, sums = (
        parts.tensor(f"project.{name}", (state.n_machines, size), "float64") for name in ("weights", "sums")
    )
    return Projection(support, state.support_row, state.support_target, factor, weights, sums)
