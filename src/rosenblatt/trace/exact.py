"""A trace in ints and Fractions: what its user wrote, read exactly, and plain.py, which learns from it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.arrays import Array
from rosenblatt.given import exact, simple
from rosenblatt.trace.learners import Batch, Setting

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


class PlainLearner:
    """Learns as plain.py does; weights and scores are exact, whatever the step."""

    unit = 1.0

    def __init__(self, setting: Setting, given: Given) -> None:
        from rosenblatt.linear.parameters import resolve_margin

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

    def learn(self, rows: list[int]) -> Batch:
        """Score the rows with the weights as they are, then add the mistakes."""
        setting, p = self._setting, self._setting.parameters
        scores = [[plain.dot(w, self._X[i]) for w in self.weights.tolist()] for i in rows]
        lost = [
            sum(
                plain.is_mistake(gap, wins_tie, self._margin, p.step)
                for gap, wins_tie, _ in setting.contests(own, self._y[i], p.tie)
            )
            for own, i in zip(scores, rows, strict=True)
        ]
        if any(lost):
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
        return Batch(np.array([[simple(s) for s in own] for own in scores], dtype=object), lost, self.weights)


def _floats(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)
