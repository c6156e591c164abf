"""The weights after every update of a run, which the lemmas are about: of a trace, a `plain.Run` or a fitted model.

Runs in integers stay integers, so that what is said of them is exact; of the others it is known how much was rounded.

Collins's theorem (2002) is Novikoff's: a structured run is a perceptron's on differences. At a mistake Phi(x, y) -
Phi(x, z) is added, whose score is not positive: it is a row of label +1, without a constant feature. So (R / delta)^2
is (R / gamma)^2 of these rows, and says nothing of how many outputs there are.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_fraction, exact
from rosenblatt.base.rows import Matrix, SparseRows, is_sparse
from rosenblatt.members.structured.features import values
from rosenblatt.services.proofs.exact_numbers import sqrt_up
from rosenblatt.services.proofs.signed_rows import SignedRows, combinations, magnitudes, signed_rows, with_constant

WEIGHTED = "run has steps of different lengths: the lemmas are about equal steps, without sample or class weights"
NOT_THE_DATA = "X and y are not what the run has learned from: its mistakes do not add up to its weights"
IN_SHARDS = (
    "run was made in shards, which keep no mistakes: of their theorem the sum of mixed_mistakes_ is to be at most the "
    "bound of certify; for both lemmas fit with shards=1 and keep_mistakes=True"
)


@dataclass
class RecordedRun:
    """What the lemmas are about. Weights are in one row, in units of the learning rate."""

    Z: SignedRows
    start: Array
    counts: Array  # how many mistakes each update has
    weights: Iterator[Array]  # the weights after each update
    mistakes: list[int]  # how many each pass makes
    margin: Fraction
    rounding: float  # the relative error of an operation of the run; 0 if nothing was rounded, and numbers are exact


def of_trace(run: Any) -> RecordedRun:
    p = run.parameters
    _refuse(p["step"], p["multiclass"], len(run.classes))
    if p["sample_weight"] is not None or p["class_weight"] is not None:
        raise ValueError(WEIGHTED)
    scaling, eta, margin = (
        as_fraction(p[name] or 0, as_decimal=p["as_decimal"]) for name in ("intercept_scaling", "eta0", "margin")
    )
    X = exact(run.X, "X", as_decimal=p["as_decimal"]) if p["exact"] else run.X
    labels = run.labels
    if p["positive"] is not None:  # the rows are signed as the labels are sorted
        labels = np.where(np.asarray(labels) == p["positive"], 1, -1)
    Z = signed_rows(X, labels, fit_intercept=p["fit_intercept"], intercept_scaling=scaling)
    steps, first, counts = np.unique(run.k[run.mistake], return_index=True, return_counts=True)
    if len(steps) != run.n_updates:
        raise ValueError(f"run is a part of a trace, with {len(steps)} of {run.n_updates} updates: give all of it")
    return _run_of(Z, run.start, run.after[run.mistake][first], counts, run.mistakes.tolist(), margin, eta)


def of_plain(run: plain.Run, X: Any, y: Any, margin: Any) -> RecordedRun:
    """The run of a `plain.Run` on rows X, whose constant feature, if any, is one of their entries."""
    Z = signed_rows(X, y, fit_intercept=False)
    events = np.array(run.events, dtype=object).reshape(-1, 4)
    examples, steps = events[:, 1], events[:, 3]
    if len(set(np.abs(steps))) > 1:
        raise ValueError(WEIGHTED)
    rows_a_mistake = min(2, len(run.after[0]))
    if rows_a_mistake == 2 and ((examples[::2] != examples[1::2]).any() or (steps[::2] + steps[1::2]).any()):
        _refuse("perceptron", "one-vs-rest", Z.n_classes)
    visits, moved = np.unique(events[:, 0].astype(np.int64), return_counts=True)
    after = np.array([run.after[visit] for visit in visits] or run.after[:1])
    start = after[0].astype(object)
    for _, i, row, step in events[: moved[:1].sum()]:  # subtract what the first update added, to get the start
        start[row] = start[row] - step * np.array(X[i], dtype=object)
    eta, beta = (as_fraction(value, as_decimal=False) for value in ([*np.abs(steps[:1]), 1][0], margin))
    counts = moved // rows_a_mistake
    return _run_of(Z, start.astype(after.dtype), after[: len(counts)], counts, run.mistakes, beta, eta)


def _run_of(
    Z: SignedRows, start: Array, after: Array, counts: Array, mistakes: list[int], margin: Fraction, eta: Fraction
) -> RecordedRun:
    """A run whose weights are all there; floats of another learning rate than 1 are rounded once more."""
    rounding = 0.0
    if after.dtype.kind == "f":
        rounding = roundoff(after.dtype, Z, start, counts) if eta == 1 else float(np.finfo(after.dtype).eps)
    unit: Any = float(eta) if rounding else eta
    weights = (numbers(W.ravel(), rounding) / unit for W in after)
    return RecordedRun(Z, numbers(start.ravel(), rounding) / unit, counts, weights, mistakes, margin / eta, rounding)


def linear_member(model: Any) -> Any:
    """The member that a fitted `Perceptron` has learned with, or the member itself; None if it is neither."""
    member = getattr(model, "_model", model)
    return member if hasattr(getattr(member, "state", None), "bias") else None


def of_member(member: Any, X: Any, y: Any) -> RecordedRun:
    """The run of a linear perceptron: its weights are made again from the mistakes that it has kept."""
    p, state, mistakes = member.parameters, member.state, member.state.mistakes
    scaling = as_fraction(p.intercept_scaling, as_decimal=False)
    Z = signed_rows(X, y, fit_intercept=p.fit_intercept, intercept_scaling=scaling)
    if mistakes is None:
        raise ValueError(IN_SHARDS if member.mixed else "run has kept no mistakes: fit with keep_mistakes=True")
    _refuse(p.step, p.multiclass, len(member.classes))
    if (np.abs(mistakes.events.tau) != 1).any():
        raise ValueError(WEIGHTED)
    if (len(Z.target), Z.X.shape[1], Z.n_classes) != (member.n_seen, len(state.w) - 1, len(member.classes)):
        raise ValueError(NOT_THE_DATA)
    _, moved = np.unique(mistakes.events.visit, return_counts=True)
    counts = moved // min(2, state.n_machines)
    first = 0 * state.w if state.start is None else state.start
    start, final = (_in_rows(w, state.n_machines, Z) for w in (first, state.w))
    rounding = roundoff(state.w.dtype, Z, start, counts)
    _same_data(Z, mistakes, start, final, rounding)
    margin = as_fraction((p.margin or 0) / state.unit, as_decimal=False)
    start = numbers(start, rounding)
    weights = _replay(Z, start, mistakes, moved, exact=rounding == 0)
    return RecordedRun(Z, start.ravel(), counts, weights, member.passes, margin, rounding)


def _same_data(Z: SignedRows, mistakes: Any, start: Array, final: Array, rounding: float) -> None:
    """The start and all mistakes must come to the final weights, or X is not what they were made on."""
    if not len(mistakes.events.tau):
        return
    added, A = mistakes.sums(np.ones_like(mistakes.events.tau), len(start)), _inputs(Z, mistakes.support_row)
    most = np.abs(start) + combinations(np.abs(added), magnitudes(A))
    if (np.abs(start + combinations(added, A) - final) > 8 * rounding * (len(mistakes.events.tau) + 1) * most).any():
        raise ValueError(NOT_THE_DATA)


def _replay(Z: SignedRows, start: Array, mistakes: Any, moved: Array, *, exact: bool) -> Iterator[Array]:
    """The weights after each update: the start and the mistakes so far."""
    W, A = start.copy(), _inputs(Z, mistakes.support_row)
    events = mistakes.events
    updates = zip(mistakes.support_index.tolist(), events.cls.tolist(), events.tau.tolist(), strict=True)
    for number in moved.tolist():
        for i, c, tau in islice(updates, number):
            x = A[[i]].toarray()[0] if is_sparse(A) else A[i]
            W[c] += int(tau) * numbers(x, 0.0 if exact else 1.0)
        yield W.ravel()


def _inputs(Z: SignedRows, examples: Array) -> Any:
    """Rows of X as floats, with their constant feature, if there is one, first."""
    X = Z.X[examples].astype(np.float64)
    return with_constant(X, float(Z.scaling)) if Z.scaling else X


def _in_rows(w: Array, n_machines: int, Z: SignedRows) -> Array:
    """The core's weights, feature by feature with the constant one last, as rows with the constant one first."""
    w = w[:, :n_machines].astype(np.float64)
    return np.asarray((np.vstack([w[-1:], w[:-1]]) if Z.scaling else w[:-1]).T)


def roundoff(dtype: Any, Z: SignedRows, start: Array, counts: Array) -> float:
    """The relative error of one operation; 0 if all numbers of the run are integers that its type holds exactly."""
    unit = float(np.finfo(dtype).eps) / 2
    if Z.denominator > 1 or not np.array_equal(np.trunc(start), start):
        return unit
    R = sqrt_up(Z.squared_radius())
    return 0.0 if (float(np.linalg.norm(start)) + np.sum(counts) * R) * R < 1 / unit else unit


def numbers(values: Array, rounding: float) -> Array:
    """The values as floats if the run was rounded; else as integers, and Fractions as they are."""
    if rounding:
        return np.asarray(values, dtype=np.float64)
    return values if values.dtype == object else np.asarray(values.astype(np.int64).astype(object))


def _refuse(step: str, multiclass: str, n_classes: int) -> None:
    if step != "perceptron":
        raise ValueError(f"run has step={step!r}: the lemmas are about the perceptron's own step, w + eta y x")
    if multiclass == "one-vs-rest" and n_classes > 2:
        raise ValueError(
            "run has multiclass='one-vs-rest', a perceptron a class: check each of them, y == c, by itself"
        )


LARGEST_INT = 2**53  # a double holds this integer and all smaller ones


def structured_member(model: Any) -> Any:
    """The member that a fitted `StructuredPerceptron` has learned with, or the member itself; None if it is neither."""
    member = getattr(model, "_model", model)
    return member if hasattr(getattr(member, "state", None), "replay") else None


def of_structured(member: Any, w: Any) -> tuple[RecordedRun, Any]:
    """The run of a structured perceptron, and `w` in the order of its columns."""
    run, p = member.state, member.parameters
    mistakes = run.kept
    if not mistakes:
        raise ValueError("run has made no mistake: there is nothing to check")
    if any(mistake.step != 1 for mistake in mistakes):
        raise ValueError("run has steps of other lengths than 1: the lemmas are about the perceptron's own step")
    D, w = in_columns([mistake.difference for mistake in mistakes], w)
    Z = signed_rows(D, np.ones(len(mistakes)), fit_intercept=False)
    start, counts = np.zeros(Z.width), np.ones(len(mistakes), dtype=np.int64)
    rounding = 0.0 if D.dtype == object else roundoff(D.dtype, Z, start, counts)
    # A mistake is also a rival whose score is behind by less than its loss: this is a margin.
    margin = Fraction(0)
    if p.rival is not None:
        losses = (1 if p.loss is None else p.loss(m.right, m.wrong) for m in mistakes)
        margin = max(as_fraction(loss, as_decimal=False) for loss in losses)
    start = numbers(start, rounding)
    return RecordedRun(Z, start, counts, _sums(D, start, rounding), run.passes, margin, rounding), w


def in_columns(differences: Sequence[Any], w: Any) -> tuple[Matrix, Any]:
    """Differences as rows of a matrix, of objects only where doubles would round, and `w` in its columns."""
    exact = all(isinstance(v, int | Fraction) for d in differences for v in values(d))
    if isinstance(differences[0], dict):
        names = {name: j for j, name in enumerate(dict.fromkeys(name for d in differences for name in d))}
        columns = np.array([names[name] for d in differences for name in d], dtype=np.int64)
        entries = [v for d in differences for v in d.values()]
        if not isinstance(w, dict | None):
            raise TypeError(f"w must be a dict, as the features are; got {type(w).__name__}")
        w = w if w is None else [w.get(name, 0) for name in names]
        whole = all(isinstance(v, int) and abs(v) <= LARGEST_INT for v in entries)
        stored = np.array(entries, dtype=np.float64 if whole or not exact else object)
        rows = SparseRows(stored, columns, _starts(map(len, differences)), max(1, len(names)))
        return (rows.toarray() if stored.dtype == object else rows), w
    if is_sparse(differences[0]):
        data, indices = (np.concatenate([getattr(d, name) for d in differences]) for name in ("data", "indices"))
        return SparseRows(data, indices, _starts(len(d.data) for d in differences), differences[0].shape[-1]), w
    D = np.array(differences)
    return (D if exact else D.astype(np.float64)), w


def _starts(lengths: Iterable[int]) -> Array:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _sums(D: Matrix, w: Array, rounding: float) -> Iterator[Array]:
    for i in range(D.shape[0]):
        w = w + numbers(D[[i]].toarray()[0] if is_sparse(D) else D[i], rounding)
        yield w
