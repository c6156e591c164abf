"""A trace in ints and Fractions: what its user wrote, read exactly, and plain.py, which learns from it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core, plain
from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import exact, simple
from rosenblatt.services.lessons.trace.conventions import WITHIN
from rosenblatt.services.lessons.trace.run import REASONS, Recorded, Turns, stopping_of
from rosenblatt.services.lessons.trace.setting import Setting

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
        """From what the user wrote."""
        read = partial(exact, as_decimal=as_decimal)
        given = [name for name in NUMBERS if parameters.get(name) is not None]
        if isinstance(parameters.get("init"), str):
            given.remove("init")
        by_class = parameters.get("class_weight")
        return cls(
            read(X, "X"),
            None if sample_weight is None else read(sample_weight, "sample_weight"),
            {name: read(parameters[name], name)[()] for name in given},
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
        """What scales the step of each row."""
        by_class, labels = self.class_weight, setting.classes.tolist()
        if setting.parameters.class_weight == "balanced":
            counts = np.bincount(setting.target[setting.rows]).tolist()
            by_class = {
                label: Fraction(len(setting.rows), len(labels) * count)
                for label, count in zip(labels, counts, strict=True)
            }
        if setting.weight is None:
            return None
        own = [1] * len(self.X) if self.sample_weight is None else self.sample_weight.tolist()
        return [weight * by_class.get(labels[c], 1) for weight, c in zip(own, setting.target.tolist(), strict=True)]


class Looked(NamedTuple):
    """A row under some weights: its scores, the smallest gap of its contests, and how many of them it lost."""

    scores: list[Any]
    gap: Any
    lost: int


class PlainLearner:
    """Learns as plain.py does; weights and scores are exact, whatever the step."""

    def __init__(self, setting: Setting, given: Given) -> None:
        from rosenblatt.members.linear.parameters import resolve_margin

        p = setting.parameters
        number = {name: getattr(p, name) for name in NUMBERS} | {"margin": resolve_margin(p.margin, p.step)}
        number |= given.numbers
        self._setting, self._sum = setting, list[int]()
        # PA and AROW divide, and int by int would be a float.
        self._margin = Fraction(number["margin"])
        self._steps = {
            "eta0": simple(Fraction(number["eta0"])),
            "C": Fraction(number["C"]),
            "r": Fraction(number["r"]),
            "sample_weight": given.weights(setting),
        }
        constant = np.full((len(given.X), int(p.fit_intercept)), simple(Fraction(number["intercept_scaling"])))
        self.x = np.column_stack([constant.astype(object), given.X])
        start = np.atleast_2d(number["init"])
        if isinstance(p.init, str):
            start = exact(setting.weights, "init", as_decimal=False)
        none_given = np.full((len(start), self.x.shape[1] - start.shape[1]), 0)
        self.weights = self._start = np.column_stack([none_given.astype(object), start])
        self._X, self._y = self.x.tolist(), setting.y.tolist()

    def look(self, row: int) -> Looked:
        """How a row stands with the weights as they are."""
        scores, p = [plain.dot(w, self._X[row]) for w in self.weights.tolist()], self._setting.parameters
        contests = self._setting.contests(scores, self._y[row], p.tie)
        lost = sum(plain.is_mistake(gap, wins_tie, self._margin, p.step) for gap, wins_tie, _ in contests)
        return Looked([simple(s) for s in scores], min(gap for gap, _, _ in contests), lost)

    def learn(self, rows: list[int]) -> None:
        """Adds the mistakes of a batch."""
        setting, p = self._setting, self._setting.parameters
        # AROW's variances do not outlive plain.run: its sum of mistakes is made again from the start.
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


def record(setting: Setting, learner: PlainLearner, turns: Turns, max_visits: int | None) -> Recorded:
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
    """As reason() of the core has it."""
    if not look.lost:
        return ""
    if not before.any():
        return "first step" if k == 1 else "w = 0"
    return "wrong side" if look.gap < 0 else WITHIN if look.gap > 0 else "on the line"


def _floats(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)
