"""The steps of a run as small multiples: the line before and after, the example that moved it, what is still wrong."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.lessons.plot import sides
from rosenblatt.services.lessons.plot.canvas import BLUE, GREY, ink, key, legend_columns, pyplot
from rosenblatt.services.lessons.plot.plane import Plane
from rosenblatt.services.lessons.plot.points import Points, halo_key, ring_key
from rosenblatt.services.lessons.plot.visits import Every, points_of, shortened, steps_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

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
    drawn = shortened(all_steps, max_panels, "max_panels")
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
            sides.line(ax, plane, before[0], **FAINT)
        wrong = step.after.gaps(points.X, points.number) <= 0
        panel(ax, plane, points, after, examples=step.examples, wrong=wrong)
        weights = step.weights if len(step.weights) <= LONG else ""
        ax.set_title(f"{step.place}\n{weights}".strip(), fontsize=10 if len(weights) <= SHORT else 8, color=ink())
    for ax in panels[-columns:]:
        ax.set_xlabel(points.names[0])
    for ax in panels[::columns]:
        ax.set_ylabel(points.names[1])
    if len(drawn) < len(all_steps):
        said = f"{len(all_steps)} {PLURAL[every]}: the first {len(drawn) - 1} and the last"
        figure.suptitle(said, fontsize=10, color=ink())
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
    sides.shade(ax, plane, rows, points.labels)
    if len(rows) == 1:
        sides.line(ax, plane, rows[0])
        sides.all_on_one_side(ax, plane, rows[0], points.xy)
        sides.arrow(ax, plane, rows[0], plane.foot(rows[0], points.xy) if foot is None else foot)
    points.halo(ax, examples)
    points.draw(ax)
    points.ring(ax, np.flatnonzero(wrong))
    sides.show(ax, plane, points.xy)


def _keys(points: Points, every: Every) -> "list[Artist]":
    from matplotlib.patches import Patch

    keys: list[Artist] = [*points.keys(), ring_key("still a mistake")]
    if every != "pass":
        keys.append(halo_key("this example"))
    if len(points.classes) == 2:
        keys += [
            Patch(facecolor=BLUE, alpha=sides.SHADE, label="+ side"),
            key("boundary", linestyle="-", color=ink(), linewidth=1.6),
            key("boundary before", **FAINT),
        ]
    return keys
