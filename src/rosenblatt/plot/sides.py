"""What is drawn of the weights: which side is +, the line between the sides, w as an arrow, the band of the margin.

Two classes: the + side is shaded, and w points into it. More: each class has its region, in its colour.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.plot.canvas import BLUE, INK, mark, tidy
from rosenblatt.plot.plane import Array, Plane, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADE = 0.14
LINE: Any = {"color": INK, "linewidth": 1.6, "zorder": 2}


def show(ax: "Axes", plane: Plane, xy: Array) -> None:
    """Make the axes show the plane, in equal units where it has them, so that a right angle looks like one."""
    from matplotlib.ticker import MaxNLocator

    (left, lower), (right, upper) = plane.low, plane.high
    ax.set(xlim=(left, right), ylim=(lower, upper))
    if plane.is_stretched:
        ax.set_box_aspect(1)
    else:
        ax.set_aspect("equal")
    whole = bool(np.array_equal(xy, np.round(xy)))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10], integer=whole))
    tidy(ax)


def shade(ax: "Axes", plane: Plane, rows: Array) -> None:
    """The + side, or a region a class. Where all scores are 0 there is neither."""
    if not rows.any():
        return
    if len(rows) == 1:
        region, _ = cut(plane.corners(), rows[0])
        ax.fill(*region.T, facecolor=BLUE, alpha=SHADE, linewidth=0, zorder=0)
        return
    for number, row in enumerate(rows):
        region = plane.corners()
        for rival in np.delete(rows, number, axis=0):
            region, _ = cut(region, row - rival)
        ax.fill(*region.T, facecolor=mark(number)[0], alpha=SHADE, linewidth=0, zorder=0)
        ax.fill(*region.T, fill=False, edgecolor=INK, linewidth=1.2, zorder=2)


def line(ax: "Axes", plane: Plane, row: Array, **style: Any) -> None:
    """Where the score is 0, if it is in sight."""
    ends = plane.segment(row)
    if ends is not None:
        ax.plot(*ends.T, **{**LINE, **style})


def arrow(ax: "Axes", plane: Plane, row: Array, foot: Array | None) -> None:
    """The direction of w, from its foot on the line into the + side."""
    step = plane.arrow(row)
    if foot is None or step is None:
        return
    style = {"arrowstyle": "-|>", "color": INK, "lw": 1.6, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 12}
    tip, letter = foot + step, foot + 1.28 * step
    ax.annotate("", xy=(tip[0], tip[1]), xytext=(foot[0], foot[1]), arrowprops=style, zorder=4)
    look: Any = {"ha": "center", "va": "center", "color": INK, "fontsize": 10, "fontstyle": "italic", "clip_on": True}
    ax.text(letter[0], letter[1], "w", zorder=4, **look)


def name_plus_side(ax: "Axes", plane: Plane, row: Array, xy: Array) -> None:
    """In one of its corners."""
    if not all_on_one_side(ax, plane, row, xy):
        write_in_corner(ax, plane, xy, "+ side", lambda places: row[0] + places @ row[1:] > 0)


def all_on_one_side(ax: "Axes", plane: Plane, row: Array, xy: Array) -> bool:
    """Whether no line is in sight; then it says so, since the picture would not tell which side it is."""
    scores = row[0] + plane.corners(0) @ row[1:]
    if scores.min() < 0 < scores.max():
        return False
    side = "line: w = 0" if not scores.any() else "+ side" if scores.max() > 0 else "- side"
    write_in_corner(ax, plane, xy, f"all on the {side}", lambda places: np.full(len(places), fill_value=True))
    return True


def write_in_corner(ax: "Axes", plane: Plane, xy: Array, text: str, fits: Callable[[Array], Array]) -> None:
    """Write into the corner that is farthest from the points, of those that fit; nowhere if none does."""
    corners = np.array([[x, y] for x in (0, 1) for y in (0, 1)])
    places = plane.low + (0.1 + 0.8 * corners) * (plane.high - plane.low)
    gaps = np.array([plane.distance(xy, place).min(initial=np.inf) for place in places])
    gaps[~fits(places)] = -np.inf
    right, top = corners[gaps.argmax()]
    if gaps.max() > 0:
        style: Any = {"ha": ("left", "right")[right], "va": ("bottom", "top")[top], "color": BLUE, "fontsize": 10}
        ax.text(0.03 + 0.94 * right, 0.03 + 0.94 * top, text, transform=ax.transAxes, zorder=4, **style)
