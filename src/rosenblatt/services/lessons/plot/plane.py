"""The plane of a picture: two features are drawn, the others stay at a point. On it a score is b + w1 x1 + w2 x2.

Such a score is a row (b, w1, w2). Lengths and right angles are those on the screen: `unit` says how much of each
feature is as long as the other. It is (1, 1), so that w is drawn as it is, unless the features differ too much.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from rosenblatt.base.arrays import Array

LETTER = 1.28  # how far the letter of w is from its foot, in lengths of the arrow
STRETCHED = 4.0  # with one range so many times the other, equal units would leave a mere line of the picture


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
        """Those of a rectangle that is a little larger: what is drawn to them has no end that can be seen."""
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
        ends, arrow = self.segment(row), self.arrow(row)
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
        arrow = self.arrow(row)
        if foot is None or arrow is None:
            return np.zeros((0, 2))
        return np.stack([foot + part * arrow for part in (0, 0.5, 1, LETTER)])

    def arrow(self, row: Array) -> Array | None:
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
