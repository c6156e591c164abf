"""The state of a perceptron's run as a record and tensors, and back: every readout, and all that learning goes on from.

Nothing of a record is believed: sizes and indices are checked against each other before anything is built from them.
"""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import n_weight_rows
from rosenblatt.base.record.parts import FLOATS, MOST, NUMBERS, Parts, Tensors, matrix, put_matrix
from rosenblatt.base.rows import zero_weights
from rosenblatt.members.events import Events
from rosenblatt.members.linear.state import LinearState, Mistakes


def run_to_record(model: Any, tensors: Tensors) -> dict[str, Any]:
    """The run of a trained perceptron: what goes into the record; arrays join the tensors."""
    for name, given in model.given.items():
        put_matrix(tensors, f"given.{name}", given)
    tensors["mistakes_"] = model.mistakes
    if model.state.mixed is not None:
        tensors["mixed_mistakes_"] = model.mixed_mistakes
    return {
        **take_state(model.state, tensors),
        "n_seen": int(model.n_seen),
        "n_updates": int(model.n_updates),
        "converged": bool(model.converged),
    }


def take_state(state: LinearState, tensors: Tensors) -> dict[str, Any]:
    """The same for the state of a run alone."""
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
    """What `taken_run` took, as the fields of a `LinearModel`."""
    n_rows, n_seen = n_weight_rows(len(classes)), parts.count("n_seen", least=1)
    passes = parts.integers("mistakes_", None, "int64", below=MOST)
    if len(passes) == 0:
        raise ValueError("tensor 'mistakes_': expected those of at least one pass, found none")
    if parts.flag("converged") != (passes[-1] == 0):
        raise ValueError(f"converged: expected what the last of mistakes_ says, which is {passes[-1]}")
    state = restore_state(n_features, n_rows, n_seen, parts)
    state.mixed = _mixed(passes, parts)
    return {
        "state": state,
        "n_seen": n_seen,
        "n_updates": parts.count("n_updates"),
        "passes": passes.tolist(),
        "given": _given(n_features, n_rows, len(classes), parts),
    }


def _mixed(passes: Array, parts: Parts) -> list[float] | None:
    """The mistakes of each pass as shards were mixed; None if there was but one."""
    if not parts.has("mixed_mistakes_"):
        return None
    mixed = parts.tensor("mixed_mistakes_", (len(passes),), "float64")
    if (mixed < 0).any() or (mixed > passes).any():
        raise ValueError("tensor 'mixed_mistakes_': expected numbers from 0 to those of mistakes_")
    found: list[float] = mixed.tolist()
    return found


def _given(n_features: int, n_rows: int, n_classes: int, parts: Parts) -> dict[str, Any]:
    """Weights that were set by hand."""
    given: dict[str, Any] = {}
    if parts.has("given.coef_") or parts.has("given.coef_.data"):
        coef = matrix(parts, "given.coef_", None, n_features, NUMBERS)
        if coef.shape[0] not in (n_rows, n_classes):
            raise ValueError(f"tensor 'given.coef_': expected {n_rows} rows, found {coef.shape[0]}")
        given["coef_"], n_rows = coef, coef.shape[0]
    if parts.has("given.intercept_"):
        intercept = parts.tensor("given.intercept_", (None,), *NUMBERS)
        if len(intercept) not in (1, n_rows):
            raise ValueError(f"tensor 'given.intercept_': expected {n_rows} numbers, found {len(intercept)}")
        given["intercept_"] = intercept
    return given


def restore_state(n_features: int, n_rows: int, n_seen: int, parts: Parts) -> LinearState:
    """The state that `take_state` took, of a run over `n_seen` rows."""
    shape = (n_features + 1, zero_weights(0, n_rows, np.float64).shape[1])
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
        n_rows=n_rows,
        bias=parts.number("bias"),
        unit=unit,
        start=beside("start", dtype),
        visits=visits,
        unaveraged=parts.count("unaveraged", left_out=0),
        spread=spread,
        sums=beside("sums", "float64"),
        pocket=beside("pocket", dtype),
        pocket_errors=pocket_errors,
        mistakes=_mistakes(n_features, n_rows, n_seen, visits, dtype, parts) if parts.has("mistakes.visit") else None,
    )
    _check_size(state)
    return state


def _check_size(state: LinearState) -> None:
    """Under every readout the weights, in their unit, are numbers of their type."""
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


def _mistakes(n_features: int, n_rows: int, n_seen: int, visits: int, dtype: str, parts: Parts) -> Mistakes:
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
    cls = parts.integers("mistakes.cls", len(visit), "int32", below=n_rows)
    tau = parts.tensor("mistakes.tau", (len(visit),), "float64")
    support = matrix(parts, "mistakes.support", len(support_row), n_features, (dtype,))
    return Mistakes(Events(visit, row, cls, tau), support, support_row)
