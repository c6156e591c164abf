"""The steps of a run as small multiples: the line before and after, the example that moved it, what is still wrong.

A step is a single visit, an update, or a whole pass.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import exact
from rosenblatt.services.lessons.plot.canvas import BLUE, GREY, ink, key, legend_columns, literal, pyplot
from rosenblatt.services.lessons.plot.plane import (
    SHADE,
    Plane,
    draw_arrow,
    draw_line,
    shade,
    show_plane,
    write_if_on_one_side,
)
from rosenblatt.services.lessons.plot.points import Linear, Points, as_given, from_rows, halo_key, ring_key
from rosenblatt.services.lessons.trace.numbers import quantity, short_number, vector

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

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
        return self._linear(self.visits.before[0])

    @property
    def after(self) -> Linear:
        return self._linear(self.visits.after[-1])

    @property
    def changes(self) -> bool:
        return bool((self.visits.before[0] != self.visits.after[-1]).any())

    @property
    def place(self) -> str:
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
            return quantity(mistakes, "mistake")
        if len(visit.before) > 1:
            others = np.delete(np.arange(len(self.visits.classes)), visit.y)
            rival = others[visit.score[others].argmax()]
            right = f"{literal(visit.label)}: {short_number(visit.score[visit.y])}"
            total = f"{right}; its best rival {literal(self.visits.classes[rival])}: {short_number(visit.score[rival])}"
        else:
            products = [f"{_factor(w)}{DOT}{_factor(x)}" for w, x in zip(visit.before[0], visit.x, strict=True)]
            dot = f"({' + '.join(products)})" if len(products) <= FEW else "w.x"
            total = f"y (w.x) = {visit.y:+} {dot} = {short_number(visit.y * visit.score)}"
        return f"{total}\n{f'a mistake: {visit.reason}' if visit.mistake else 'right'}"

    @property
    def change(self) -> str:
        before, after = self.visits.before[0], self.visits.after[-1]
        return f"w = {vector(before[0])} {ARROW} {vector(after[0])}" if self.weights else "w changes"

    def _linear(self, W: Array) -> Linear:
        return from_rows(W, self.n_features, constant=self.visits.x[0][0], classes=self.visits.classes)


def _factor(value: Any) -> str:
    return f"({short_number(value)})" if value < 0 else short_number(value)


def steps_of(run: Any, every: Any, n_features: int) -> list[Step]:
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


def shorten(steps: list[Step], most: int, name: str) -> list[Step]:
    """The first steps and the last one, if there are too many."""
    if not most >= 1:
        raise ValueError(f"{name} must be at least 1, got {most}")
    return steps if len(steps) <= most else [*steps[: most - 1], steps[-1]]


def points_of(run: Any, features: Any, at: Any) -> Points:
    from rosenblatt.services.lessons.trace.data import Trace

    if not isinstance(run, Trace):
        raise TypeError(f"run must be a trace, as trace(X, y) gives it; got {type(run).__name__}")
    X = run.X
    if run.parameters["exact"]:  # it may be text, as "1/3"
        X = as_given(exact(X, "X", as_decimal=run.parameters["as_decimal"]).astype(float), X)
    return Points.of(X, run.labels, features=features, at=at, classes=run.classes)


PLURAL = {"update": "updates", "visit": "visits", "pass": "passes with updates"}
SHORT, LONG = 24, 34  # characters above a panel: in letters of the usual size, and in small ones
FAINT: Any = {"color": GREY, "linewidth": 1.2, "linestyle": (0, (2, 2)), "zorder": 1}


def steps(
    run: Any,
    *,
    every: Every = "update",
    features: Any = (0, 1),
    at: Any = None,
    max_panels: int = 12,
    figure: "Figure | SubFigure | None" = None,
) -> "Figure | SubFigure":
    r"""Draw a panel for each step of a run: the boundary after it, and the one before as a faint line.

    A disc marks the example that was visited, a ring what the new weights still get wrong.

    Parameters
    ----------
    run
        A trace.
    every
        What a panel shows: an "update" of the weights, a "visit" (also those that change nothing), or a "pass" (those
        that change something, as the weights are at the end of it).
    features, at
        As in `boundary`.
    max_panels
        The most panels. A longer run is shown by its first steps and its last one.
    figure
        The figure to draw on; None: a new one of pyplot's.

    Examples
    --------
    Lecture 002's figure 2, pass by pass; the ninth pass is clean.

    >>> from matplotlib.figure import Figure
    >>> from rosenblatt import plot, trace
    >>> from rosenblatt.data.lectures import AND
    >>> figure = plot.steps(trace(*AND), every="pass", figure=Figure(figsize=(9, 5.5), layout="compressed"))
    >>> [panel.get_title().replace("\n", ": ") for panel in figure.axes][:2]
    ['pass 1: w = (0, 1, 1)', 'pass 2: w = (-1, 2, 1)']
    """
    points = points_of(run, features, at)
    all_steps = steps_of(run, every, points.X.shape[1])
    drawn = shorten(all_steps, max_panels, "max_panels")
    plane = Plane.around(points.xy)
    columns = min(len(drawn), 3 if len(drawn) in (5, 6, 9) else 4)
    lines = -(-len(drawn) // columns)
    if figure is None:
        height = 0.8 + lines * (0.72 + 1.95 * plane.size[1] / plane.size[0])
        figure = pyplot().figure(figsize=(2.3 * max(columns, 3), height), layout="compressed")
    elif not figure.axes and figure.get_layout_engine() is None:
        figure.set_layout_engine("compressed")  # type: ignore[union-attr]
    panels = [figure.add_subplot(lines, columns, number) for number in range(1, len(drawn) + 1)]
    for ax, step in zip(panels, drawn, strict=True):
        before, after = (linear.on_plane(points.features, points.at) for linear in (step.before, step.after))
        if len(before) == 1 and step.changes:
            draw_line(ax, plane, before[0], **FAINT)
        wrong = step.after.gaps(points.X, points.number) <= 0
        panel(ax, plane, points, after, examples=step.examples, wrong=wrong)
        weights = step.weights if len(step.weights) <= LONG else ""
        ax.set_title(f"{step.place}\n{weights}".strip(), fontsize=10 if len(weights) <= SHORT else 8, color=ink())
    for ax in panels[-columns:]:
        ax.set_xlabel(points.names[0])
    for ax in panels[::columns]:
        ax.set_ylabel(points.names[1])
    if len(drawn) < len(all_steps):
        note = f"{len(all_steps)} {PLURAL[every]}: the first {len(drawn) - 1} and the last"
        figure.suptitle(note, fontsize=10, color=ink())
    keys = _keys(points, every)
    width = figure.bbox.width / figure.dpi
    below: Any = {"loc": "outside lower center", "ncols": legend_columns(keys, width, most=min(4, -(-len(keys) // 2)))}
    figure.legend(handles=keys, frameon=False, fontsize=10, **below)
    return figure


def panel(
    ax: "Axes",
    plane: Plane,
    points: Points,
    rows: Array,
    *,
    examples: Array,
    wrong: Array,
    foot: Array | None = None,
) -> None:
    """One weight vector (or one a class), the points, a disc behind the examples, a ring around what is wrong."""
    shade(ax, plane, rows, points.labels)
    if len(rows) == 1:
        draw_line(ax, plane, rows[0])
        write_if_on_one_side(ax, plane, rows[0], points.xy)
        draw_arrow(ax, plane, rows[0], plane.foot(rows[0], points.xy) if foot is None else foot)
    points.halo(ax, examples)
    points.draw(ax)
    points.ring(ax, np.flatnonzero(wrong))
    show_plane(ax, plane, points.xy)


def _keys(points: Points, every: Every) -> "list[Artist]":
    from matplotlib.patches import Patch

    keys: list[Artist] = [*points.keys(), ring_key("still a mistake")]
    if every != "pass":
        keys.append(halo_key("this example"))
    if len(points.classes) == 2:
        keys += [
            Patch(facecolor=BLUE, alpha=SHADE, label="+ side"),
            key("boundary", linestyle="-", color=ink(), linewidth=1.6),
            key("boundary before", **FAINT),
        ]
    return keys
