"""Which visits of a run are drawn, and what is said of them: single ones, the updates, or whole passes."""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import exact
from rosenblatt.services.lessons.plot.canvas import literal
from rosenblatt.services.lessons.plot.linear import Linear, from_rows
from rosenblatt.services.lessons.plot.points import Points, as_given
from rosenblatt.services.lessons.trace.numbers import counted, shown, vector

if TYPE_CHECKING:
    from rosenblatt.services.lessons.trace.data import Trace

Every = Literal["update", "visit", "pass"]
DOT, ARROW = "\N{MIDDLE DOT}", "\N{RIGHTWARDS ARROW}"
FEW = 4  # so many weights are written out


@dataclass(frozen=True)
class Step:
    """Visits that are drawn together: one, all mistakes of a batch, or a pass."""

    visits: "Trace"
    every: Every
    n_features: int

    @property
    def examples(self) -> Array:
        """The rows of X that made this step; none is named for a pass."""
        return self.visits.row[: 0 if self.every == "pass" else None]

    @property
    def before(self) -> Linear:
        """The weights before it."""
        return self._linear(self.visits.before[0])

    @property
    def after(self) -> Linear:
        """The weights after it."""
        return self._linear(self.visits.after[-1])

    @property
    def changes(self) -> bool:
        """Whether it changes the weights."""
        return bool((self.visits.before[0] != self.visits.after[-1]).any())

    @property
    def place(self) -> str:
        """Where in the run it is."""
        rows = ", ".join(str(row + 1) for row in self.examples[:FEW]) + (", ..." if len(self.examples) > FEW else "")
        examples = f", example{'s' * (len(self.examples) > 1)} {rows}" if len(self.examples) else ""
        return f"pass {self.visits.pass_[-1]}{examples}"

    @property
    def weights(self) -> str:
        """The weights after it, if they are few."""
        W = self.visits.after[-1]
        return f"w = {vector(W[0])}" if len(W) == 1 and len(W[0]) <= FEW else ""

    @property
    def sum(self) -> str:
        """The sum that decides, with the numbers of this visit, and what it says."""
        visit = self.visits[-1]
        if len(self.visits) > 1:
            mistakes = int(self.visits.mistake.sum())
            return counted(mistakes, "mistake")
        if len(visit.before) > 1:
            others = np.delete(np.arange(len(self.visits.classes)), visit.y)
            rival = others[visit.score[others].argmax()]
            own = f"{literal(visit.label)}: {shown(visit.score[visit.y])}"
            total = f"{own}; its best rival {literal(self.visits.classes[rival])}: {shown(visit.score[rival])}"
        else:
            products = [f"{_factor(w)}{DOT}{_factor(x)}" for w, x in zip(visit.before[0], visit.x, strict=True)]
            dot = f"({' + '.join(products)})" if len(products) <= FEW else "w.x"
            total = f"y (w.x) = {visit.y:+} {dot} = {shown(visit.y * visit.score)}"
        return f"{total}\n{f'a mistake: {visit.reason}' if visit.mistake else 'right'}"

    @property
    def change(self) -> str:
        """What becomes of the weights."""
        before, after = self.visits.before[0], self.visits.after[-1]
        return f"w = {vector(before[0])} {ARROW} {vector(after[0])}" if self.weights else "w changes"

    def _linear(self, W: Array) -> Linear:
        return from_rows(W, self.n_features, constant=self.visits.x[0][0], classes=self.visits.classes)


def _factor(value: Any) -> str:
    return f"({shown(value)})" if value < 0 else shown(value)


def steps_of(run: Any, every: Any, n_features: int) -> list[Step]:
    """All steps of a run, in order."""
    if every not in (known := get_args(Every)):
        raise ValueError(f"every must be one of {known}, got {every!r}")
    visits = run.updates if every == "update" else run
    number = {"update": visits.k, "visit": visits.visit, "pass": visits.pass_}[every]
    cuts = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(visits)]
    steps = [Step(visits[start:end], every, n_features) for start, end in pairwise(cuts) if start < end]
    if every == "pass":  # a clean pass changes nothing
        steps = [step for step in steps if step.changes]
    if not steps:
        raise ValueError(f"the run has no {every} to draw: no visit changed its weights; every='visit' shows them all")
    return steps


def shortened(steps: list[Step], most: int, name: str) -> list[Step]:
    """The first steps and the last one, if there are too many."""
    if not most >= 1:
        raise ValueError(f"{name} must be at least 1, got {most}")
    return steps if len(steps) <= most else [*steps[: most - 1], steps[-1]]


def points_of(run: Any, features: Any, at: Any) -> Points:
    """The points that a run visits."""
    from rosenblatt.services.lessons.trace.data import Trace

    if not isinstance(run, Trace):
        raise TypeError(f"run must be a trace, as trace(X, y) gives it; got {type(run).__name__}")
    X = run.X
    if run.parameters["exact"]:  # it may be text, as "1/3"
        X = as_given(exact(X, "X", as_decimal=run.parameters["as_decimal"]).astype(float), X)
    return Points.of(X, run.labels, features=features, at=at, classes=run.classes)
