"""What is drawn of the weights: which side is +, the line between the sides, w as an arrow, the band of the margin.

Two classes: the + side is shaded, and w points into it. More: each class has its region, in its colour.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.lessons.plot.canvas import BLUE, COLOURS, ink, mark, tidy
from rosenblatt.services.lessons.plot.plane import Plane, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADE = 0.14


def show(ax: "Axes", plane: Plane, xy: Array) -> None:
    """Make the axes show the plane, in equal units where it has them, so that a right angle looks like one."""
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    (left, lower), (right, upper) = plane.low, plane.high
    ax.set(xscale="linear", yscale="linear", xlim=(left, right), ylim=(lower, upper))
    if plane.is_stretched:
        ax.set_box_aspect(1)
    else:
        ax.set_aspect("equal")
    whole = bool(np.array_equal(xy, np.round(xy)))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10], integer=whole))
        (formatter := ScalarFormatter()).set_powerlimits((-3, 4))  # 15000 is too long for a small panel
        axis.set_major_formatter(formatter)
    tidy(ax)


def shade(ax: "Axes", plane: Plane, rows: Array, labels: Sequence[str] = ()) -> None:
    """The + side, or a region a class. Where all scores are the same there is neither.

    With more classes than colours, each of `labels` stands in its region.
    """
    if not (rows if len(rows) == 1 else rows - rows[0]).any():
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
        if len(region) and len(labels) > len(COLOURS):
            style: Any = {"ha": "center", "va": "center", "fontsize": 10, "color": ink(), "clip_on": True}
            middle = region.mean(axis=0)
            ax.text(middle[0], middle[1], labels[number], zorder=4, **style)
        ax.fill(*region.T, fill=False, edgecolor=ink(), linewidth=1.2, zorder=2)


def line(ax: "Axes", plane: Plane, row: Array, **style: Any) -> None:
    """Where the score is 0, if it is in sight."""
    ends = plane.segment(row)
    if ends is not None:
        ax.plot(*ends.T, **{"color": ink(), "linewidth": 1.6, "zorder": 2, **style})


def arrow(ax: "Axes", plane: Plane, row: Array, foot: Array | None) -> None:
    """The direction of w, from its foot on the line into the + side."""
    if foot is None:
        return
    style = {"arrowstyle": "-|>", "color": ink(), "lw": 1.6, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 12}
    _, _, tip, letter = plane.parts_of_w(row, foot)
    ax.annotate("", xy=(tip[0], tip[1]), xytext=(foot[0], foot[1]), arrowprops=style, zorder=4)
    look: Any = {"ha": "center", "va": "center", "color": ink(), "fontsize": 10, "fontstyle": "italic", "clip_on": True}
    ax.text(letter[0], letter[1], "w", zorder=4, **look)


def arrow_and_name(ax: "Axes", plane: Plane, row: Array, xy: Array) -> None:
    """W, and "+ side" in a corner of that side if w leaves one free."""
    if all_on_one_side(ax, plane, row, xy):
        return

    def is_plus(places: Array) -> Array:
        return np.asarray(row[0] + places @ row[1:] > 0)

    foot = plane.foot(row, np.vstack([xy, _covered(plane, corner(plane, xy, is_plus))]))
    arrow(ax, plane, row, foot)
    w = plane.parts_of_w(row, foot)
    free = corner(plane, np.vstack([xy, w]), is_plus)
    if plane.distance(w[:, np.newaxis], _covered(plane, free)).min(initial=np.inf) > 0.1 * plane.size.min():
        write_in_corner(ax, free, "+ side")


def all_on_one_side(ax: "Axes", plane: Plane, row: Array, xy: Array) -> bool:
    """Whether no line is in sight; then it says so, since the picture would not tell which side it is."""
    scores = row[0] + plane.corners(0) @ row[1:]
    if scores.min() < 0 < scores.max():
        return False
    side = "line: w = 0" if not scores.any() else "+ side" if scores.max() > 0 else "- side"
    anywhere = corner(plane, xy, lambda places: np.full(len(places), fill_value=True))
    write_in_corner(ax, anywhere, f"all on the {side}")
    return True


def corner(plane: Plane, xy: Array, fits: Callable[[Array], Array]) -> Array | None:
    """The corner that is farthest from the points, of those that fit: 0 or 1 for left or right, and for low or high."""
    corners = np.array([[x, y] for x in (0, 1) for y in (0, 1)])
    places = plane.low + (0.1 + 0.8 * corners) * (plane.high - plane.low)
    gaps = np.array([plane.distance(xy, place).min(initial=np.inf) for place in places])
    gaps[~fits(places)] = -np.inf
    return np.asarray(corners[gaps.argmax()]) if gaps.max() > 0 else None


def write_in_corner(ax: "Axes", corner: Array | None, text: str) -> None:
    """Write there, if there is such a corner."""
    if corner is not None:
        right, top = corner
        style: Any = {"ha": ("left", "right")[right], "va": ("bottom", "top")[top], "color": BLUE, "fontsize": 10}
        ax.text(0.03 + 0.94 * right, 0.03 + 0.94 * top, text, transform=ax.transAxes, zorder=4, **style)


def _covered(plane: Plane, corner: Array | None) -> Array:
    """Places that a short name in a corner covers."""
    if corner is None:
        return np.zeros((0, 2))
    inside = np.array([[0.05, 0.06], [0.14, 0.06], [0.23, 0.06]])
    return np.asarray(plane.low + np.abs(corner - inside) * (plane.high - plane.low))
