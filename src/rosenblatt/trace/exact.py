"""A trace in ints and Fractions: what its user wrote, read exactly, and plain.py, which learns from it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.trace.learners import Batch, Setting
from rosenblatt.trace.numbers import Array, exact, simple

NUMBERS = ("margin", "eta0", "C", "r", "intercept_scaling", "init")


@dataclass
class Given:
    """The data and those of the words that are numbers, all of them exact."""

    X: Array
    sample_weight: Array | None
    numbers: dict[str, Any]
    class_weight: dict[Any, Any]

    @classmethod
    def read(cls, X: Any, sample_weight: Any, words: dict[str, Any], *, as_decimal: bool) -> "Given":
        """From what the user wrote."""
        read = partial(exact, as_decimal=as_decimal)
        given = [name for name in NUMBERS if words.get(name) is not None]
        if isinstance(words.get("init"), str):
            given.remove("init")
        by_class = words.get("class_weight")
        return cls(
            read(X, "X"),
            None if sample_weight is None else read(sample_weight, "sample_weight"),
            {name: read(words[name], name)[()] for name in given},
            {label: read(by_class[label], "class_weight")[()] for label in by_class}
            if isinstance(by_class, dict)
            else {},
        )

    def floats(self, words: dict[str, Any]) -> tuple[Array, Array | None, dict[str, Any]]:
        """The same as floats, for all that does not need to be exact: the checks, the classes, the seed."""
        numbers: dict[str, Any] = {name: _floats(value)[()] for name, value in self.numbers.items()}
        if self.class_weight:
            numbers["class_weight"] = {label: float(weight) for label, weight in self.class_weight.items()}
        weight = None if self.sample_weight is None else _floats(self.sample_weight)
        return _floats(self.X), weight, {**words, **numbers}

    def weights(self, setting: Setting) -> list[Any] | None:
        """What scales the step of each row."""
        by_class, labels = self.class_weight, setting.classes.tolist()
        if setting.model.class_weight == "balanced":
            counts = np.bincount(setting.target[setting.rows]).tolist()
            by_class = {
                label: Fraction(len(setting.rows), len(labels) * count)
                for label, count in zip(labels, counts, strict=True)
            }
        if setting.weight is None:
            return None
        own = [1] * len(self.X) if self.sample_weight is None else self.sample_weight.tolist()
        return [weight * by_class.get(labels[c], 1) for weight, c in zip(own, setting.target.tolist(), strict=True)]


class PlainLearner:
    """Learns as plain.py does; weights and scores are exact, whatever the step."""

    unit = 1.0

    def __init__(self, setting: Setting, given: Given) -> None:
        from rosenblatt.linear.parameters import resolve_margin

        model = setting.model
        number = {name: getattr(model, name) for name in NUMBERS} | {"margin": resolve_margin(model.margin, model.step)}
        number |= given.numbers
        self._setting, self._sum = setting, list[int]()
        # PA and AROW divide, and int by int would be a float.
        self._margin = Fraction(number["margin"])
        self._words = {
            "eta0": simple(Fraction(number["eta0"])),
            "C": Fraction(number["C"]),
            "r": Fraction(number["r"]),
            "sample_weight": given.weights(setting),
        }
        constant = np.full((len(given.X), int(model.fit_intercept)), simple(Fraction(number["intercept_scaling"])))
        self.x = np.column_stack([constant.astype(object), given.X])
        start = np.atleast_2d(number["init"])
        if isinstance(model.init, str):
            start = exact(setting.weights, "init", as_decimal=False)
        none_given = np.full((len(start), self.x.shape[1] - start.shape[1]), 0)
        self.weights = self._start = np.column_stack([none_given.astype(object), start])
        self._X, self._y = self.x.tolist(), setting.y.tolist()

    def learn(self, rows: list[int]) -> Batch:
        """Score the rows with the weights as they are, then add the mistakes."""
        setting, model = self._setting, self._setting.model
        scores = [[plain.dot(w, self._X[i]) for w in self.weights.tolist()] for i in rows]
        lost = [
            sum(
                plain.is_mistake(gap, wins_tie, self._margin, model.step)
                for gap, wins_tie, _ in setting.contests(own, self._y[i], model.tie)
            )
            for own, i in zip(scores, rows, strict=True)
        ]
        if any(lost):
            # AROW's variances do not outlive plain.run: its sum of mistakes is made again from the start.
            arow = model.step == "arow"
            self._sum = [*self._sum, *rows] if arow else rows
            run = plain.run(
                self._X,
                self._y,
                contests=setting.contests,
                init=(self._start if arow else self.weights).tolist(),
                tie=model.tie,
                margin=self._margin,
                step=model.step,
                batch_size=1 if arow else len(rows),
                order=self._sum,
                max_iter=1,
                **self._words,
            )
            self.weights = np.array([[simple(value) for value in w] for w in run.after[-1]], dtype=object)
        return Batch(np.array([[simple(s) for s in own] for own in scores], dtype=object), lost, self.weights)


def _floats(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)
