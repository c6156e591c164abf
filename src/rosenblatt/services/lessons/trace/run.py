"""The run that a trace records: which row comes when, what becomes of it, and when it ends.

In floats it is the core that runs and records, see core/lessons/recorder.hpp, so that every weight has the bits that
`Perceptron.fit` gives it; exact.py runs in fractions. Both give a `Recorded`, of which the columns are made here.
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import answers
from rosenblatt.base.rows import core_rows
from rosenblatt.members.stopping import Stopping
from rosenblatt.services.lessons.trace.conventions import WITHIN
from rosenblatt.services.lessons.trace.setting import Setting

PICKS = ("first-wrong", "worst-wrong")
REASONS = np.array(["", "first step", "w = 0", "wrong side", "on the line", WITHIN])  # by their numbers in the core
ENDLESS = 2**62  # visits


@dataclass(frozen=True)
class Turns:
    """Which rows a pass visits: `rows` as they are listed, shuffled, or of those that are wrong the one to `pick`."""

    rows: Array
    seed: int | None = None
    pick: str | None = None

    @property
    def name(self) -> str:
        """As the core calls it, see core/lessons/turns.hpp."""
        return self.pick or ("listed" if self.seed is None else "shuffled")


@dataclass(frozen=True)
class Recorded:
    """What happened: columns with an entry a visit, the weights, the mistakes of each pass."""

    pass_: Array
    row: Array  # of X
    scores: Array  # (visits, 1 or classes), in multiples of the unit
    lost: Array  # contests
    reason: Array
    before: Array  # which of the weights were there before ...
    k: Array  # ... and after: all visits of a batch have the same
    weights: Array  # (updates + 1, 1 or classes, features), the constant feature first
    mistakes: list[int]
    converged: bool
    unit: float = 1.0


def turns_of(setting: Setting, row_order: Any, first_row: Any, pick: str | None) -> Turns:
    """The rows of `row_order`, or all, beginning with `first_row` and going round; a row of weight 0 is not there."""
    from rosenblatt.members.linear.parameters import resolve_batch_size

    if pick is not None and pick not in PICKS:
        raise ValueError(f"pick must be one of {', '.join(map(repr, PICKS))} or None; got {pick!r}")
    if pick is not None and setting.seed is not None:
        raise ValueError("shuffle=True makes an order of its own: leave out pick, or shuffle")
    n_rows, p = setting.X.shape[0], setting.parameters
    if row_order is None:
        if not (isinstance(first_row, int | np.integer) and 0 <= first_row < n_rows):
            raise ValueError(f"first_row must be a row of X, from 0 to {n_rows - 1}; got {first_row!r}")
        rows = np.roll(np.arange(n_rows), -first_row)
    elif first_row != 0:
        raise ValueError(
            f"row_order says where a pass begins: give it or first_row, not both; got first_row={first_row!r}"
        )
    else:
        rows = checked_order(row_order, n_rows)
    rows = rows[np.isin(rows, setting.rows)].astype(np.int64)
    if not len(rows):
        raise ValueError(f"row_order must have a row whose weight is not 0; got {row_order!r}")
    if pick is not None and resolve_batch_size(p.batch_size, p.step, len(rows)) != 1:
        raise ValueError(f"pick visits one row at a time: leave out batch_size={p.batch_size!r}")
    return Turns(rows, setting.seed, pick)


def checked_order(row_order: Any, n_rows: int) -> Array:
    """Rows of X, or a ValueError."""
    rows = np.asarray(row_order)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not all(0 <= i < n_rows for i in rows.tolist()):
        raise ValueError(f"row_order must be a list of rows of X, from 0 to {n_rows - 1}; got {row_order!r}")
    return rows


def stopping_of(setting: Setting, turns: Turns) -> Stopping:
    """When the run ends: at a clean pass, or as `max_iter` has it."""
    p = setting.parameters
    return Stopping(
        n_rows=len(turns.rows),
        max_iter=p.max_iter,
        tol=None,
        n_iter_no_change=1,
        pocket=p.readout == "pocket",
    )


def record(setting: Setting, turns: Turns, max_visits: int | None) -> Recorded:
    """Visit after visit by the core, until a pass is clean, or `max_iter` or `max_visits` ends it."""
    state = setting.state
    rows, rule, stopping = core_rows(setting.X), setting.method.rule(len(turns.rows)), stopping_of(setting, turns)
    left, updates, parts, weights = max_visits or ENDLESS, 0, list[tuple[Array, ...]](), [setting.weights[np.newaxis]]
    over = False
    while not over:
        pass_, row, before, k, lost, why, scores, more, mistakes, whole = _core.trace(
            rows,
            setting.target,
            setting.weight,
            rule,
            w=state.w,
            n_rows=state.n_rows,
            bias=state.bias,
            unit=state.unit,
            spread=state.spread,
            order=turns.rows,
            turn=turns.name,
            seed=turns.seed or 0,
            updates=updates,
            first_pass=len(stopping.mistakes),
            passes=stopping.passes_ahead(),
            visits=left,
        )
        scores = np.asarray(scores).reshape(-1, state.n_rows)
        parts.append((pass_, row, before + updates, k + updates, lost, why, scores))
        weights.append(
            np.asarray(more).reshape(-1, *weights[0].shape[1:])[1:]
        )  # the first are the last of the part before
        updates += len(weights[-1])
        left -= len(row)
        over = stopping.after(mistakes.tolist(), 0.0) or left == 0
    pass_, row, before, k, lost, why, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Recorded(
        pass_,
        row,
        scores,
        lost,
        REASONS[why],
        before,
        k,
        np.concatenate(weights),
        stopping.mistakes,
        stopping.end == "clean" and whole,
        state.unit,
    )


def columns_of(setting: Setting, x: Array, run: Recorded) -> dict[str, Array]:
    """The columns of a trace; `x` has the constant feature first."""
    binary = len(setting.classes) == 2
    decision = run.scores[:, 0] if binary else run.scores
    answer = answers(decision, setting.parameters.tie).astype(np.int64)
    after = run.weights[run.k]
    return {
        "visit": np.arange(1, len(run.row) + 1),
        "pass_": run.pass_,
        "row": run.row,
        "x": x[run.row],
        "y": setting.y[run.row].astype(np.int64),
        "label": setting.classes[setting.target[run.row]],
        "score": decision if run.unit == 1 else decision * run.unit,
        "prediction": 2 * answer - 1 if binary else answer,
        "mistake": run.lost > 0,
        "reason": run.reason,
        "before": run.weights[run.before],
        "after": after,
        "norm": _lengths(after.reshape(len(after), prod(after.shape[1:])).astype(np.float64)),
        "k": run.k,
    }


def _lengths(rows: Array) -> Array:
    """The length of each row, summed up in the core's order: the studio shows the same bits."""
    squares = np.empty(len(rows))
    _core.squared_norms(core_rows(rows, check=False), squares)
    return np.asarray(np.sqrt(squares))
