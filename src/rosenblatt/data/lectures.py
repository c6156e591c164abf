"""The data sets of the lectures, in the lectures' order: X and y as integers, y = -1 or +1, no constant feature.

The order is part of each: it decides which weights the perceptron ends with. The arrays cannot be written to.
"""

from typing import Any, NamedTuple

import numpy as np

__all__ = ["AND", "CMU", "MELBOURNE", "XOR", "LabelledPoints"]

Integers = np.ndarray[Any, np.dtype[np.int64]]


class LabelledPoints(NamedTuple):
    """Points, one a row, and their labels.

    The AND function takes the listed order nine passes, and two passes the six points of lecture 000:

    >>> from rosenblatt import Perceptron
    >>> model = Perceptron(shuffle=False).fit(*AND)
    >>> model.intercept_, model.coef_, model.n_iter_
    (array([-4.]), array([[3., 2.]]), 9)
    >>> model = Perceptron(shuffle=False, fit_intercept=False).fit(*CMU)
    >>> model.coef_, model.n_iter_
    (array([[3., 1.]]), 2)

    XOR is not separable; the one point that is wrong is the least that any line can do:

    >>> from rosenblatt import RandomHypotheses
    >>> RandomHypotheses(k=1000).fit(*XOR).training_error_
    0.25

    Lecture 004 starts at (-.1, .2, 0) with eta = .1, and its two updates lead to (-.1, .3, 0):

    >>> model = Perceptron(shuffle=False, init=[-0.1, 0.2, 0.0], eta0=0.1)
    >>> model = model.partial_fit(*MELBOURNE)
    >>> model.intercept_.round(9), model.coef_.round(9), model.n_updates_
    (array([-0.1]), array([[0.3, 0. ]]), 2)
    """

    X: Integers
    y: Integers


def _points(*points: tuple[int, int, int]) -> LabelledPoints:
    table = np.array(points, dtype=np.int64)
    table.flags.writeable = False
    return LabelledPoints(table[:, :-1], table[:, -1])


AND = _points((0, 0, -1), (0, 1, -1), (1, 0, -1), (1, 1, +1))
"""The AND function of two variables: lecture 002, table 1, its 0 mapped to -1. Separable."""

XOR = _points((0, 0, -1), (0, 1, +1), (1, 0, +1), (1, 1, -1))
"""The exclusive OR, in the order of the AND table. No line separates it."""

CMU = _points((-1, 2, -1), (1, 0, +1), (1, 1, +1), (-1, 0, -1), (-1, -2, -1), (1, -1, +1))
"""The six points of lecture 000's worked example. Separable by a line through the origin."""

MELBOURNE = _points((1, 1, -1), (2, 1, +1))
"""The first two points of lecture 004's example 2. Its plot is lost; they follow from the sums that it prints."""
