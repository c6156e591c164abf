"""The run that a trace records: which row comes when, what becomes of it, and when it ends."""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.arrays import Array
from rosenblatt.labels import answers
from rosenblatt.learning.stopping import Stopping
from rosenblatt.trace.conventions import WITHIN
from rosenblatt.trace.learners import Learner, Setting


class Visit(NamedTuple):
    """One row's turn: how many contests it lost, and the updates so far."""

    pass_: int
    row: int  # of X
    scores: Array  # in the learner's unit
    lost: int
    before: Array
    after: Array
    k: int


def rows_of_a_pass(setting: Setting, row_order: Any, first_row: int) -> list[int]:
    """Those of `row_order`, or all, beginning with `first_row` and going round; a row of weight 0 is not there."""
    n_rows = setting.X.shape[0]
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
    rows = rows[np.isin(rows, setting.rows)]
    if not len(rows):
        raise ValueError(f"row_order must have a row whose weight is not 0; got {row_order!r}")
    return [int(i) for i in rows]


def checked_order(row_order: Any, n_rows: int) -> Array:
    """Rows of X, or a ValueError."""
    rows = np.asarray(row_order)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not all(0 <= i < n_rows for i in rows.tolist()):
        raise ValueError(f"row_order must be a list of rows of X, from 0 to {n_rows - 1}; got {row_order!r}")
    return rows


def order_of_pass(setting: Setting, rows: list[int], number: int) -> list[int]:
    """The rows as they come in pass `number`, counted from 1."""
    if setting.seed is None:
        return rows
    order = _core.order(len(setting.rows), seed=setting.seed, pass_number=number - 1)
    return [int(i) for i in setting.rows[order]]


def record(
    setting: Setting, learner: Learner, rows: list[int], max_visits: int | None
) -> tuple[list[Visit], list[int], bool]:
    """Visit after visit, until a pass is clean, or `max_iter` or `max_visits` ends it.

    Returns the visits, the mistakes of each pass, and whether the last pass was clean.
    """
    from rosenblatt.linear.parameters import resolve_batch_size

    p, visits, k = setting.parameters, list[Visit](), 0
    size = resolve_batch_size(p.batch_size, p.step, len(rows))
    stopping = Stopping(
        n_rows=len(rows),
        n_values=0,
        max_iter=p.max_iter,
        tol=None,
        n_iter_no_change=1,
        pocket=p.readout == "pocket",
    )
    while True:
        number = len(stopping.mistakes) + 1
        order = order_of_pass(setting, rows, number)
        visited = order if max_visits is None else order[: max_visits - len(visits)]
        for start in range(0, len(visited), size):
            batch, before = visited[start : start + size], learner.weights
            learned = learner.learn(batch)
            k += any(learned.lost)
            visits += [
                Visit(number, i, scores, lost, before, learned.after, k)
                for i, scores, lost in zip(batch, learned.scores, learned.lost, strict=True)
            ]
        over = stopping.after([sum(visit.lost for visit in visits[-len(visited) :])], 0.0)
        if over or len(visits) == max_visits:
            return visits, stopping.mistakes, stopping.end == "clean" and len(visited) == len(order)


def columns_of(setting: Setting, learner: Learner, visits: list[Visit]) -> dict[str, Array]:
    """The columns of a trace."""
    number, rows, scores, lost, before, after, k = (np.array(column) for column in zip(*visits, strict=True))
    binary, tie = len(setting.classes) == 2, setting.parameters.tie
    decision = scores[:, 0] if binary else scores
    answer = answers(decision, tie).astype(np.int64)
    return {
        "visit": np.arange(1, len(visits) + 1),
        "pass_": number,
        "row": rows,
        "x": learner.x[rows],
        "y": setting.y[rows].astype(np.int64),
        "label": setting.classes[setting.target[rows]],
        "score": decision if learner.unit == 1 else decision * learner.unit,
        "prediction": 2 * answer - 1 if binary else answer,
        "mistake": lost > 0,
        "reason": np.array([why(setting, visit) if visit.lost else "" for visit in visits]),
        "before": before,
        "after": after,
        "norm": np.linalg.norm(after.reshape(len(visits), -1).astype(np.float64), axis=1),
        "k": k,
    }


def why(setting: Setting, visit: Visit) -> str:
    """Why it was a mistake: lecture 001's three reasons, a margin, or weights that have come back to zero."""
    if not visit.before.any():
        return "first step" if visit.k == 1 else "w = 0"
    contests = setting.contests(visit.scores.tolist(), int(setting.y[visit.row]), setting.parameters.tie)
    gap = min(gap for gap, _, _ in contests)
    if gap < 0:
        return "wrong side"
    return WITHIN if gap > 0 else "on the line"
