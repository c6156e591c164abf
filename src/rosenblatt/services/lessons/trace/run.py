"""The run that a trace records: which row comes when, what becomes of it, and when it ends.

In floats it is the core that runs and records, see core/lessons/recorder.hpp, so that every weight has the bits that
`Perceptron.fit` gives it. In ints and Fractions what the user wrote is read exactly, and plain.py learns from it. Both
give a `Recorded`, of which the columns are made here.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core, plain
from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import exact, simple
from rosenblatt.base.labels import answers
from rosenblatt.base.rows import core_rows
from rosenblatt.members.stopping import Stopping
from rosenblatt.services.lessons.trace.setting import WITHIN, Setting

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
        """The name that the core has for it, see core/lessons/turns.hpp."""
        return self.pick or ("listed" if self.seed is None else "shuffled")


@dataclass(frozen=True)
class Recorded:
    """What happened: columns with an entry a visit, the weights, the mistakes of each pass."""

    pass_: Array
    row: Array  # the row of X
    scores: Array  # (visits, 1 or classes), in multiples of the unit
    lost: Array  # how many contests were lost
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
    rows, rule, stopping = core_rows(setting.X), setting.parameters.rule(len(turns.rows)), stopping_of(setting, turns)
    left, updates, parts, weights = max_visits or ENDLESS, 0, list[tuple[Array, ...]](), [setting.weights[np.newaxis]]
    over = False
    while not over:
        pass_, row, before, k, lost, why, scores, more, mistakes, whole = _core.trace(
            rows,
            setting.target,
            setting.weight,
            rule,
            state=state,
            unit=state.unit,
            order=turns.rows,
            turn=turns.name,
            seed=turns.seed or 0,
            updates=updates,
            first_pass=len(stopping.mistakes),
            passes=stopping.passes_ahead(),
            visits=left,
        )
        scores = np.asarray(scores).reshape(-1, state.n_machines)
        parts.append((pass_, row, before + updates, k + updates, lost, why, scores))
        weights.append(
            np.asarray(more).reshape(-1, *weights[0].shape[1:])[1:]
        )  # the first weights of a part are the last of the part before
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


NUMBERS = ("margin", "eta0", "C", "r", "intercept_scaling", "init")


@dataclass
class Given:
    """The data, and those of the parameters that are numbers, all of them exact."""

    X: Array
    sample_weight: Array | None
    numbers: dict[str, Any]
    class_weight: dict[Any, Any]

    @classmethod
    def read(cls, X: Any, sample_weight: Any, parameters: dict[str, Any], *, as_decimal: bool) -> "Given":
        read = partial(exact, as_decimal=as_decimal)
        names = [name for name in NUMBERS if parameters.get(name) is not None]
        if isinstance(parameters.get("init"), str):
            names.remove("init")
        by_class = parameters.get("class_weight")
        return cls(
            read(X, "X"),
            None if sample_weight is None else read(sample_weight, "sample_weight"),
            {name: read(parameters[name], name)[()] for name in names},
            {label: read(by_class[label], "class_weight")[()] for label in by_class}
            if isinstance(by_class, dict)
            else {},
        )

    def floats(self, parameters: dict[str, Any]) -> tuple[Array, Array | None, dict[str, Any]]:
        """The same as floats, for all that does not need to be exact: the checks, the classes, the seed."""
        numbers: dict[str, Any] = {name: _floats(value)[()] for name, value in self.numbers.items()}
        if self.class_weight:
            numbers["class_weight"] = {label: float(weight) for label, weight in self.class_weight.items()}
        weight = None if self.sample_weight is None else _floats(self.sample_weight)
        return _floats(self.X), weight, {**parameters, **numbers}

    def weights(self, setting: Setting) -> list[Any] | None:
        by_class, labels = self.class_weight, setting.classes.tolist()
        if setting.parameters.class_weight == "balanced":
            counts = np.bincount(setting.target[setting.rows]).tolist()
            by_class = {
                label: Fraction(len(setting.rows), len(labels) * count)
                for label, count in zip(labels, counts, strict=True)
            }
        if setting.weight is None:
            return None
        weights = [1] * len(self.X) if self.sample_weight is None else self.sample_weight.tolist()
        return [weight * by_class.get(labels[c], 1) for weight, c in zip(weights, setting.target.tolist(), strict=True)]


class Looked(NamedTuple):
    """A row under some weights: its scores, the smallest gap of its contests, and how many of them it lost."""

    scores: list[Any]
    gap: Any
    lost: int


class PlainLearner:
    """Learns as plain.py does; weights and scores are exact, whatever the step."""

    def __init__(self, setting: Setting, exact_data: Given) -> None:
        from rosenblatt.members.linear.parameters import resolve_margin

        p = setting.parameters
        number = {name: getattr(p, name) for name in NUMBERS} | {"margin": resolve_margin(p.margin, p.step)}
        number |= exact_data.numbers
        self._setting, self._sum = setting, list[int]()
        # PA and AROW divide, and dividing two ints would make a float.
        self._margin = Fraction(number["margin"])
        self._steps = {
            "eta0": simple(Fraction(number["eta0"])),
            "C": Fraction(number["C"]),
            "r": Fraction(number["r"]),
            "sample_weight": exact_data.weights(setting),
        }
        constant = np.full((len(exact_data.X), int(p.fit_intercept)), simple(Fraction(number["intercept_scaling"])))
        self.x = np.column_stack([constant.astype(object), exact_data.X])
        start = np.atleast_2d(number["init"])
        if isinstance(p.init, str):
            start = exact(setting.weights, "init", as_decimal=False)
        none_given = np.full((len(start), self.x.shape[1] - start.shape[1]), 0)
        self.weights = self._start = np.column_stack([none_given.astype(object), start])
        self._X, self._y = self.x.tolist(), setting.y.tolist()

    def look(self, row: int) -> Looked:
        scores, p = [plain.dot(w, self._X[row]) for w in self.weights.tolist()], self._setting.parameters
        contests = self._setting.contests(scores, self._y[row], p.tie)
        lost = sum(plain.is_mistake(gap, wins_tie, self._margin, p.step) for gap, wins_tie, _ in contests)
        return Looked([simple(s) for s in scores], min(gap for gap, _, _ in contests), lost)

    def learn(self, rows: list[int]) -> None:
        setting, p = self._setting, self._setting.parameters
        # plain.run does not return AROW's variances, so that the sum of mistakes is made again from the start.
        arow = p.step == "arow"
        self._sum = [*self._sum, *rows] if arow else rows
        run = plain.run(
            self._X,
            self._y,
            contests=setting.contests,
            init=(self._start if arow else self.weights).tolist(),
            tie=p.tie,
            margin=self._margin,
            step=p.step,
            batch_size=1 if arow else len(rows),
            order=self._sum,
            max_iter=1,
            **self._steps,
        )
        self.weights = np.array([[simple(value) for value in w] for w in run.after[-1]], dtype=object)


def record_exactly(setting: Setting, learner: PlainLearner, turns: Turns, max_visits: int | None) -> Recorded:
    """As the core's recorder, core/lessons/recorder.hpp, but in exact numbers."""
    from rosenblatt.members.linear.parameters import resolve_batch_size

    p, visits, weights = setting.parameters, list[tuple[Any, ...]](), [learner.weights]
    size, stopping = resolve_batch_size(p.batch_size, p.step, len(turns.rows)), stopping_of(setting, turns)
    while True:
        number = len(stopping.mistakes) + 1
        order = _of_pass(turns, number, learner)
        visited = order if max_visits is None else order[: max_visits - len(visits)]
        for start in range(0, len(visited), size):
            batch, before, k = visited[start : start + size], learner.weights, len(weights) - 1
            looked = [learner.look(i) for i in batch]
            if any(look.lost for look in looked):
                learner.learn(batch)
                weights.append(learner.weights)
            visits += [
                (number, i, look.scores, look.lost, _why(look, before, len(weights) - 1), k, len(weights) - 1)
                for i, look in zip(batch, looked, strict=True)
            ]
        over = stopping.after([sum(visit[3] for visit in visits[len(visits) - len(visited) :])], 0.0)
        if over or len(visits) == max_visits:
            break
    passes, seen, scores, lost, reasons, old, new = zip(*visits, strict=True) if visits else [()] * 7
    return Recorded(
        np.array(passes, dtype=np.int64),
        np.array(seen, dtype=np.int64),
        np.array(scores, dtype=object).reshape(len(seen), len(learner.weights)),
        np.array(lost, dtype=np.int64),
        np.array(reasons, dtype=REASONS.dtype),
        np.array(old, dtype=np.int64),
        np.array(new, dtype=np.int64),
        np.array(weights, dtype=object),
        stopping.mistakes,
        stopping.end == "clean" and len(visited) == len(order),
    )


def _of_pass(turns: Turns, number: int, learner: PlainLearner) -> list[int]:
    """The rows as they come in pass `number`, counted from 1: see core/lessons/turns.hpp."""
    rows: list[int] = turns.rows.tolist()
    if turns.seed is not None:
        return [rows[i] for i in _core.order(len(rows), seed=turns.seed, pass_number=number - 1)]
    if turns.pick is None:
        return rows
    wrong = [i for i in rows if learner.look(i).lost]
    return wrong[:1] if turns.pick == "first-wrong" else sorted(wrong, key=lambda i: learner.look(i).gap)[:1]


def _why(look: Looked, before: Array, k: int) -> str:
    """The reason for an update, as reason() of the core gives it."""
    return reason_of(look.gap, zero=not before.any(), k=k) if look.lost else ""


def reason_of(gap: Any, *, zero: bool, k: int) -> str:
    """Why it is mistake number k; `zero`: all weights were zero before it."""
    if zero:
        return "first step" if k == 1 else "w = 0"
    return "wrong side" if gap < 0 else WITHIN if gap > 0 else "on the line"


def _floats(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)
