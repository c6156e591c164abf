"""The losses of the lectures, of a score s for a label y = -1 or +1, and the distance of a point from a hyperplane.

- zero-one: is sign(s) not y?
- perceptron: max(0, -y s)
- hinge: max(0, 1 - y s)
- squared: 1/2 (y - s)^2

A score of 0 is predicted -1, as in lecture 001.
"""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, refuse_masked


def zero_one_loss(y: Any, s: Any) -> Array:
    """1 where the sign of the score is not the label, else 0.

    >>> zero_one_loss([-1, +1, -1, +1], [0, 0, 2, 3])
    array([0., 1., 1., 0.])
    """
    y, s = _labels_and_scores(y, s)
    return np.where((s > 0) == (y > 0), 0.0, 1.0)


def perceptron_loss(y: Any, s: Any) -> Array:
    """max(0, -y s): 0 where the signs agree, |s| where they do not.

    >>> perceptron_loss([-1, +1, -1, +1], [0, 0.5, 2, -3])
    array([0., 0., 2., 3.])
    """
    y, s = _labels_and_scores(y, s)
    return np.asarray(np.maximum(0.0, -y * s) + 0.0)  # -0.0 + 0.0 is 0.0


def hinge_loss(y: Any, s: Any) -> Array:
    """max(0, 1 - y s), at most 1 above the perceptron's loss.

    >>> hinge_loss([-1, +1, -1, +1], [0, 0.5, 2, -3])
    array([1. , 0.5, 3. , 4. ])
    """
    y, s = _labels_and_scores(y, s)
    return np.asarray(np.maximum(0.0, 1.0 - y * s))


def squared_loss(y: Any, s: Any) -> Array:
    """1/2 (y - s)^2, the linear unit's.

    The best w = (-3/2, 1, 1) on the lecture's AND function has E = 1/2:

    >>> float(squared_loss([-1, -1, -1, +1], [-1.5, -0.5, -0.5, 0.5]).sum())
    0.5
    """
    y, s = _labels_and_scores(y, s)
    return np.asarray((y - s) ** 2 / 2.0)


def training_error(y: Any, s: Any) -> float:
    """The mean zero-one loss.

    >>> training_error([-1, -1, -1, +1], [-4, -2, -1, 0])
    0.25
    """
    loss = zero_one_loss(y, s)
    if loss.size == 0:
        raise ValueError("the training error of no examples is not defined")
    return float(loss.mean())


def signed_distance(X: Any, w: Any, b: float = 0.0) -> Array:
    """(w.x + b) / |w| for each row of X (or for one point): positive on the side that w points to.

    The origin lies inside the region 2 x1 + 3 x2 + 6 > 0, 6 / sqrt 13 away from its border:

    >>> round(float(signed_distance([0, 0], [2, 3], 6)), 4)
    1.6641
    """
    X, w = np.asarray(X, dtype=np.float64), np.asarray(w, dtype=np.float64)
    if w.ndim != 1 or X.ndim not in (1, 2) or X.shape[-1] != len(w):
        raise ValueError(f"X must be a point or rows of points with one entry a weight: X {X.shape}, w {w.shape}")
    norm = np.linalg.norm(w)
    if not (norm > 0 and np.isfinite(norm)):
        raise ValueError(f"w = {w} is no hyperplane: its length must be positive and finite")
    return np.asarray((X @ w + b) / norm)[()]


def _labels_and_scores(y: Any, s: Any) -> tuple[Array, Array]:
    refuse_masked(y, "y")
    refuse_masked(s, "s")
    y, s = np.asarray(y, dtype=np.float64), np.asarray(s, dtype=np.float64)
    if y.shape != s.shape:
        raise ValueError(f"one label a score: got labels of shape {y.shape} and scores of shape {s.shape}")
    if not np.isin(y, (-1, 1)).all():
        raise ValueError(f"labels must be -1 or +1, got {np.setdiff1d(y, (-1, 1))}")
    return y, s
