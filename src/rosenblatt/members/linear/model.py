"""A trained perceptron: its weights under each readout, decisions, labels, and its record.

The weights are computed from the state of the run when they are needed, so that `readout` may change after the fit. A
record is not trusted: sizes and indices are compared with each other before anything is built from them.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import count_machines
from rosenblatt.base.record.parts import FLOATS, MOST, NUMBERS, Parts, Tensors, matrix, put_matrix
from rosenblatt.base.rows import Matrix, SparseRows, as_type, core_rows, core_weights, score, zero_weights
from rosenblatt.members.advice import PYTHON, Voice, for_inseparable, more_passes, still
from rosenblatt.members.calibration import CALIBRATED, calibration_from_record, calibration_to_record
from rosenblatt.members.events import Events
from rosenblatt.members.linear.parameters import READOUTS
from rosenblatt.members.linear.state import LinearState, Mistakes
from rosenblatt.members.model import Classifier

_MISSING = {
    "average": "fit with readout='average' or keep_mistakes=True",
    "pocket": "fit with readout='pocket'",
    "vote": "fit with readout='vote' or keep_mistakes=True",
}


@dataclass
class LinearModel(Classifier):
    """A trained perceptron."""

    kind: ClassVar[str] = "Perceptron"
    conventions: ClassVar[str] = (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = unit * (x.w + bias * last row of w); in place of w: "
        "(visits * w - sums) / visits for the readout average, pocket for the readout pocket; mistakes: after `visit` "
        "visits, tau times training row `row`, which support_row finds in the support, was added to column cls; "
        "shards: of n rows shard s has n s // shards to n (s + 1) // shards, in so many rounds a pass (auto: an eighth "
        "of the shards, at least 1); round r, counted from 0 over all passes, visits part r mod rounds of each shard, "
        "cut likewise, in the order of pass r shards + s; mixed_mistakes_: the mistakes of each pass as shards were "
        f"mixed; {CALIBRATED}"
    )
    state: LinearState
    by_hand: dict[str, Any] = field(default_factory=dict)  # coefficients and intercepts that users set
    weights_of: dict[str, Array] = field(default_factory=dict)  # of readouts used since the last change
    lasting: dict[str, tuple[Array, Array]] = field(default_factory=dict)  # coefficients and intercepts

    def weights(self, readout: str) -> Array:
        if readout == "vote":
            raise AttributeError("a vote has no single weight vector; take coef_for('average') or coef_for('last')")
        if readout not in READOUTS:
            raise ValueError(f"readout must be one of {READOUTS}, got {readout!r}")
        if readout not in self.weights_of:
            weights = self.state.weights(readout)
            if weights is None:
                raise _not_kept(readout)
            self.weights_of[readout] = weights
        return self.weights_of[readout]

    def coef_for(self, readout: str) -> Array:
        return np.asarray(self.weights(readout)[:-1, : self.state.n_machines].T)

    def intercept_for(self, readout: str) -> Array:
        return np.asarray(self.weights(readout)[-1, : self.state.n_machines] * self.state.bias)

    def lasting_coef(self, readout: str) -> Array:
        """The same as a read-only array, made once, which does not change when the run continues."""
        return self._lasting(readout)[0]

    def lasting_intercept(self, readout: str) -> Array:
        return self._lasting(readout)[1]

    def _lasting(self, readout: str) -> tuple[Array, Array]:
        if readout not in self.lasting:
            coef, intercept = self.coef_for(readout), self.intercept_for(readout)
            if self.state.w.flags.writeable and np.may_share_memory(coef, self.state.w):
                coef = coef.copy()
            coef.flags.writeable = intercept.flags.writeable = False
            self.lasting[readout] = coef, intercept
        return self.lasting[readout]

    @property
    def coef(self) -> Array | SparseRows:
        """The coefficients that the user set, or else those of the readout."""
        return self.by_hand["coef_"] if "coef_" in self.by_hand else self.coef_for(self.parameters.readout)

    @property
    def intercept(self) -> Array:
        return (
            self.by_hand["intercept_"] if "intercept_" in self.by_hand else self.intercept_for(self.parameters.readout)
        )

    @property
    def mixed_mistakes(self) -> Array:
        """The mixed mistakes of each pass; with one shard they are its mistakes."""
        return np.array(self.passes if self.mixed is None else self.mixed, dtype=np.float64)

    @property
    def dual_coef(self) -> Array:
        """How much of each training row was added: (n,) for two classes, (n_classes, n) for more."""
        if self.state.mistakes is None:
            raise AttributeError("dual_coef_ is there only if the mistakes are kept: fit with keep_mistakes=True")
        dual = self.state.dual_coef(self.n_seen)
        return np.abs(dual[0]) if self.state.n_machines == 1 else dual

    def decision(self, X: Matrix) -> Array:
        X = self.rows(X)
        state, readout = self.state, self.parameters.readout
        if self.by_hand:
            coef = self.coef.toarray() if isinstance(self.coef, SparseRows) else np.asarray(self.coef)
            w, n_machines, bias = core_weights(as_type(coef, X.dtype), self.intercept, 1.0), len(coef), 1.0
        elif readout == "vote":
            if state.mistakes is None:
                raise _not_kept("vote")
            return state.decision(X, readout, self.parameters.tie)
        else:
            X, w, n_machines, bias = as_type(X, state.dtype), self.weights(readout), state.n_machines, state.bias
        decision = score(core_rows(X, check=False), w, n_machines, bias)
        return decision[:, 0] if n_machines == 1 else decision

    def not_converged(self, voice: Voice = PYTHON) -> str:
        p = self.parameters
        conventions = {} if p.fit_intercept else {"fit_intercept": False}
        return (
            f"{still(self.passes, p.counted)}. Either the classes are not linearly separable: then no number of passes "
            f"is enough, and {for_inseparable(voice, p.readout, ('average', 'pocket'))}. Or they are, and need more "
            f"passes: {more_passes(voice, self.passes)}. {voice.proof(**conventions)} tells which, with a proof."
        )

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        return run_to_record(self, tensors)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        assert classes is not None
        return cls(parameters, classes, n_features=n_features, **run_from_record(n_features, classes, parts))


def _not_kept(readout: str) -> AttributeError:
    return AttributeError(f"this run did not keep what readout={readout!r} needs; {_MISSING[readout]}")


def run_to_record(model: Any, tensors: Tensors) -> dict[str, Any]:
    """Write the run of a trained perceptron into a record; arrays join the tensors."""
    for name, values in model.by_hand.items():
        put_matrix(tensors, f"given.{name}", values)
    tensors["mistakes_"] = model.mistakes
    if model.mixed is not None:
        tensors["mixed_mistakes_"] = model.mixed_mistakes
    return {
        **take_state(model.state, tensors),
        "n_seen": int(model.n_seen),
        "n_updates": int(model.n_updates),
        "converged": bool(model.converged),
        **calibration_to_record(model),
    }


def take_state(state: LinearState, tensors: Tensors) -> dict[str, Any]:
    """Write the state of a run into a record; arrays join the tensors."""
    for name in ("w", "start", "spread", "sums", "pocket"):
        if getattr(state, name) is not None:
            tensors[name] = getattr(state, name)
    if state.mistakes is not None:
        for name in ("visit", "row", "cls", "tau"):
            tensors[f"mistakes.{name}"] = getattr(state.mistakes.events, name)
        tensors["mistakes.support_row"] = state.mistakes.support_row
        put_matrix(tensors, "mistakes.support", state.mistakes.support)
    return {
        "bias": float(state.bias),
        "unit": float(state.unit),
        "visits": int(state.visits),
        **({"unaveraged": int(state.unaveraged)} if state.unaveraged else {}),
        "pocket_errors": float(state.pocket_errors) if state.pocket_errors < np.inf else None,
    }


def run_from_record(n_features: int, classes: Array, parts: Parts) -> dict[str, Any]:
    n_machines, n_seen = count_machines(len(classes)), parts.count("n_seen", least=1)
    passes = parts.integers("mistakes_", None, "int64", below=MOST)
    if len(passes) == 0:
        raise ValueError("tensor 'mistakes_': expected those of at least one pass, found none")
    if parts.flag("converged") != (passes[-1] == 0):
        raise ValueError(f"converged: expected what the last of mistakes_ says, which is {passes[-1]}")
    return {
        "state": restore_state(n_features, n_machines, n_seen, parts),
        "n_seen": n_seen,
        "n_updates": parts.count("n_updates"),
        "passes": passes.tolist(),
        "mixed": _read_mixed(passes, parts),
        "by_hand": _by_hand(n_features, n_machines, len(classes), parts),
        "calibration": calibration_from_record(parts),
    }


def _read_mixed(passes: Array, parts: Parts) -> list[float] | None:
    """The mixed mistakes of each pass; None if there was only one shard."""
    if not parts.has("mixed_mistakes_"):
        return None
    mixed = parts.tensor("mixed_mistakes_", (len(passes),), "float64")
    if (mixed < 0).any() or (mixed > passes).any():
        raise ValueError("tensor 'mixed_mistakes_': expected numbers from 0 to those of mistakes_")
    return list(mixed.tolist())


def _by_hand(n_features: int, n_machines: int, n_classes: int, parts: Parts) -> dict[str, Any]:
    by_hand: dict[str, Any] = {}
    if parts.has("given.coef_") or parts.has("given.coef_.data"):
        coef = matrix(parts, "given.coef_", None, n_features, NUMBERS)
        if coef.shape[0] not in (n_machines, n_classes):
            raise ValueError(f"tensor 'given.coef_': expected {n_machines} rows, found {coef.shape[0]}")
        by_hand["coef_"], n_machines = coef, coef.shape[0]
    if parts.has("given.intercept_"):
        intercept = parts.tensor("given.intercept_", (None,), *NUMBERS)
        if len(intercept) not in (1, n_machines):
            raise ValueError(f"tensor 'given.intercept_': expected {n_machines} numbers, found {len(intercept)}")
        by_hand["intercept_"] = intercept
    return by_hand


def restore_state(n_features: int, n_machines: int, n_seen: int, parts: Parts) -> LinearState:
    """The state that `take_state` wrote, of a run over `n_seen` rows."""
    shape = (n_features + 1, zero_weights(0, n_machines, np.float64).shape[1])
    w = parts.tensor("w", shape, *FLOATS)
    dtype = w.dtype.name

    def beside(name: str, dtype: str) -> Array | None:
        return parts.tensor(name, shape, dtype) if parts.has(name) else None

    spread = beside("spread", dtype)
    if spread is not None and spread.min() < 0:
        raise ValueError(f"tensor 'spread': expected variances from 0 on, found {spread.min()}")
    visits = parts.count("visits")
    pocket_errors = parts.number("pocket_errors", none=np.inf)
    unit = parts.number("unit")
    if unit == 0:
        raise ValueError("unit: expected a number over 0, found 0.0")
    state = LinearState(
        w=w,
        n_machines=n_machines,
        bias=parts.number("bias"),
        unit=unit,
        start=beside("start", dtype),
        visits=visits,
        unaveraged=parts.count("unaveraged", left_out=0),
        spread=spread,
        sums=beside("sums", "float64"),
        pocket=beside("pocket", dtype),
        pocket_errors=pocket_errors,
        mistakes=_mistakes(n_features, n_machines, n_seen, visits, dtype, parts)
        if parts.has("mistakes.visit")
        else None,
    )
    _check_size(state)
    return state


def _check_size(state: LinearState) -> None:
    """Under every readout the weights, times their unit, must be finite in their type."""
    factor = state.unit * max(1.0, state.bias)
    largest = max(_largest(w) for w in (state.w, state.pocket) if w is not None)
    of_all_visits = state.visits * largest + (0.0 if state.sums is None else _largest(state.sums))
    added = 0.0 if state.mistakes is None else float(np.abs(state.mistakes.events.tau).sum())
    fits = largest * factor <= np.finfo(state.w.dtype).max
    if not (fits and np.isfinite(max(of_all_visits, added, 1.0) * factor)):
        raise ValueError(
            f"unit, bias: expected weights that fit into {state.w.dtype}, found {state.unit}, {state.bias}"
        )


def _largest(w: Array) -> float:
    return max(float(w.max(initial=0)), -float(w.min(initial=0)))


def _mistakes(n_features: int, n_machines: int, n_seen: int, visits: int, dtype: str, parts: Parts) -> Mistakes:
    visit = parts.integers("mistakes.visit", None, "int64", below=visits + 1)
    if (visit[1:] < visit[:-1]).any():
        raise ValueError("tensor 'mistakes.visit': expected mistakes in the order of their visits")
    support_row = parts.integers("mistakes.support_row", None, "int64", below=n_seen)
    if len(np.unique(support_row)) < len(support_row):
        raise ValueError("tensor 'mistakes.support_row': expected each row once, found one twice")
    row = parts.integers("mistakes.row", len(visit), "int64", below=n_seen)
    missing = np.setdiff1d(row, support_row)
    if len(missing):
        raise ValueError(f"tensor 'mistakes.row': expected only rows of the support, found {missing[0]}")
    cls = parts.integers("mistakes.cls", len(visit), "int32", below=n_machines)
    tau = parts.tensor("mistakes.tau", (len(visit),), "float64")
    support = matrix(parts, "mistakes.support", len(support_row), n_features, (dtype,))
    return Mistakes(Events(visit, row, cls, tau), support, support_row)
