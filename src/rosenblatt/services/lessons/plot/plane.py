"""The plane of a picture: two features are drawn, the others stay at a point. On it a score is b + w1 x1 + w2 x2.

Such a score is a row (b, w1, w2). Lengths and right angles are those on the screen: `unit` says how much of each
feature is as long as the other. It is (1, 1), so that w is drawn as it is, unless the features differ too much.

Of two classes the + side is shaded, and w points into it. Of more each has its region, in its colour.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.lessons.plot.canvas import BLUE, COLOURS, ink, mark, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTER = 1.28  # distance of the letter w from the arrow's foot, in lengths of the arrow
STRETCHED = 4.0  # if one range is so many times the other, equal units would leave a mere line


@dataclass(frozen=True)
class Plane:
    """A rectangle to draw in, from `low` to `high`."""

    low: Array
    high: Array
    unit: Array

    @classmethod
    def around(cls, xy: Array) -> Self:
        """A rectangle with room around the points: the fewer they are, the more of the line is to be seen.

        >>> plane = Plane.around(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
        >>> plane.low, plane.high
        (array([-0.5, -0.5]), array([1.5, 1.5]))
        """
        low, high = xy.min(axis=0).astype(float), xy.max(axis=0).astype(float)
        extent = high - low
        extent[extent == 0] = extent.max() or 1.0
        if extent.max() > STRETCHED * extent.min():
            unit = extent
        else:
            unit, extent = np.ones(2), np.maximum(extent, 0.75 * extent.max())
        room = (0.1 + 2 / (1 + len(xy))) * (extent / unit).max() * unit
        middle = (low + high) / 2
        return cls(middle - extent / 2 - room, middle + extent / 2 + room, unit)

    @property
    def is_stretched(self) -> bool:
        """Whether the two features are drawn in units of their own."""
        return bool((self.unit != 1).any())

    @property
    def size(self) -> Array:
        """Width and height on the screen."""
        return np.asarray((self.high - self.low) / self.unit)

    def corners(self, more: float = 0.05) -> Array:
        """The corners of a rectangle that is a little larger: what is drawn up to them has no end that can be seen."""
        margin = more * (self.high - self.low)
        (left, lower), (right, upper) = self.low - margin, self.high + margin
        return np.array([[left, lower], [right, lower], [right, upper], [left, upper]])

    def segment(self, row: Array) -> Array | None:
        """The two ends of the line where the score is 0, or None if it passes the rectangle by."""
        _, ends = cut(self.corners(), row)
        return ends if len(ends) == 2 else None

    def normal(self, row: Array) -> Array | None:
        """The direction on the screen in which the score grows, of length 1."""
        on_screen = row[1:] * self.unit
        length = np.linalg.norm(on_screen)
        return np.asarray(on_screen / length) if length > 0 else None

    def nearest(self, row: Array, point: Array) -> Array:
        """The point of the line that is nearest to the given one on the screen."""
        on_screen = row[1:] * self.unit
        return np.asarray(point - (row[0] + row[1:] @ point) / (on_screen @ on_screen) * on_screen * self.unit)

    def distance(self, p: Array, q: Array) -> Array:
        """How far apart points are on the screen."""
        return np.asarray(np.linalg.norm((p - q) / self.unit, axis=-1))

    def foot(self, row: Array, xy: Array) -> Array | None:
        """Where on the line w is to start: clear of the points if it can be, and there as near the middle as can be."""
        ends, arrow = self.segment(row), self.draw_arrow(row)
        if ends is None or arrow is None:
            return None
        feet = ends[0] + np.linspace(0, 1, 49)[:, np.newaxis] * (ends[1] - ends[0])
        edge = 0.06 * (self.high - self.low)
        in_sight = [(p > self.low + edge) & (p < self.high - edge) for p in (feet, feet + arrow)]
        feet = feet[np.all(in_sight, axis=(0, 2))]
        if not len(feet):
            return None
        parts, some = self.parts_of_w(row, feet), xy[:: len(xy) // 5000 + 1]
        gaps = self.distance(parts[:, :, np.newaxis], some).min(axis=(0, 2), initial=np.inf)
        free = feet[gaps >= min(gaps.max(), 0.15 * self.size.min())]
        return np.asarray(free[self.distance(free, (self.low + self.high) / 2).argmin()])

    def parts_of_w(self, row: Array, foot: Array | None) -> Array:
        """Places along w, for each place where it may start: its foot, middle and tip, and its letter."""
        arrow = self.draw_arrow(row)
        if foot is None or arrow is None:
            return np.zeros((0, 2))
        return np.stack([foot + part * arrow for part in (0, 0.5, 1, LETTER)])

    def draw_arrow(self, row: Array) -> Array | None:
        """From the foot of w to its tip. Only the direction of w is drawn: the length is always the same."""
        normal = self.normal(row)
        return None if normal is None else np.asarray(0.17 * self.size.min() * normal * self.unit)


def cut(polygon: Array, row: Array) -> tuple[Array, Array]:
    """The part of a convex polygon where the score is not negative, and its corners where the score is 0.

    >>> square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]])
    >>> inside, ends = cut(square, np.array([-1, 1, 0]))
    >>> inside.tolist(), ends.tolist()
    ([[1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 2.0]], [[1.0, 0.0], [1.0, 2.0]])
    """
    scores = row[0] + polygon @ row[1:]
    inside: list[Array] = []
    ends: list[Array] = []
    for p, q, s, t in zip(polygon, np.roll(polygon, -1, axis=0), scores, np.roll(scores, -1), strict=True):
        if s >= 0:
            inside.append(p)
        if s == 0:
            ends.append(p)
        if min(s, t) < 0 < max(s, t):
            ends.append(p + s / (s - t) * (q - p))
            inside.append(ends[-1])
    return np.array(inside, dtype=float).reshape(-1, 2), np.array(ends, dtype=float).reshape(-1, 2)


SHADE = 0.14


def show_plane(ax: "Axes", plane: Plane, xy: Array) -> None:
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
        (formatter := ScalarFormatter()).set_powerlimits((-3, 4))  # because 15000 is too long for a small panel
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


def draw_line(ax: "Axes", plane: Plane, row: Array, **style: Any) -> None:
    """Draw where the score is 0, if it is in sight."""
    ends = plane.segment(row)
    if ends is not None:
        ax.plot(*ends.T, **{"color": ink(), "linewidth": 1.6, "zorder": 2, **style})


def draw_arrow(ax: "Axes", plane: Plane, row: Array, foot: Array | None) -> None:
    """Draw the direction of w, from its foot on the line into the + side."""
    if foot is None:
        return
    style = {"arrowstyle": "-|>", "color": ink(), "lw": 1.6, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 12}
    _, _, tip, letter = plane.parts_of_w(row, foot)
    ax.annotate("", xy=(tip[0], tip[1]), xytext=(foot[0], foot[1]), arrowprops=style, zorder=4)
    look: Any = {"ha": "center", "va": "center", "color": ink(), "fontsize": 10, "fontstyle": "italic", "clip_on": True}
    ax.text(letter[0], letter[1], "w", zorder=4, **look)


def draw_arrow_and_name(ax: "Axes", plane: Plane, row: Array, xy: Array) -> None:
    """Draw w, and "+ side" in a corner of that side if w leaves one free."""
    if write_if_on_one_side(ax, plane, row, xy):
        return

    def is_plus(places: Array) -> Array:
        return np.asarray(row[0] + places @ row[1:] > 0)

    foot = plane.foot(row, np.vstack([xy, _places_of_name(plane, corner(plane, xy, is_plus))]))
    draw_arrow(ax, plane, row, foot)
    w = plane.parts_of_w(row, foot)
    free = corner(plane, np.vstack([xy, w]), is_plus)
    if plane.distance(w[:, np.newaxis], _places_of_name(plane, free)).min(initial=np.inf) > 0.1 * plane.size.min():
        write_in_corner(ax, free, "+ side")


def write_if_on_one_side(ax: "Axes", plane: Plane, row: Array, xy: Array) -> bool:
    """If no line is in sight, write on which side all is, because the picture would not tell; whether it did so."""
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
    if corner is not None:
        right, top = corner
        style: Any = {"ha": ("left", "right")[right], "va": ("bottom", "top")[top], "color": BLUE, "fontsize": 10}
        ax.text(0.03 + 0.94 * right, 0.03 + 0.94 * top, text, transform=ax.transAxes, zorder=4, **style)


def _places_of_name(plane: Plane, corner: Array | None) -> Array:
    """Places that a short name in a corner covers."""
    if corner is None:
        return np.zeros((0, 2))
    inside = np.array([[0.05, 0.06], [0.14, 0.06], [0.23, 0.06]])
    return np.asarray(plane.low + np.abs(corner - inside) * (plane.high - plane.low))
