"""Margins of points and of a set for a given w: how far the points are on the right side of its plane.

Two conventions for the offset, as the lectures have them. "geometric" (lecture 001): y (w.x + b) / |w|, the distance
from the plane, |w| without the offset. "augmented": the constant feature is a feature like the others, and its weight
belongs to |w|; this is the gamma of the mistake bound. Without an offset they are the same.
"""

import math
from typing import Any, Literal

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_fraction
from rosenblatt.services.proofs.exact_numbers import as_given
from rosenblatt.services.proofs.rational import primitive
from rosenblatt.services.proofs.signed_rows import SignedRows, as_floats, products, signed_rows

__all__ = ["margin", "margins"]

Offset = Literal["geometric", "augmented"]


def margin(w: Any, X: Any, y: Any, *, offset: Offset = "geometric", intercept_scaling: Any = 1) -> float:
    """The margin of the set for w, the least of its `margins`: positive iff w separates it.

    Examples
    --------
    AND, and the weights that the perceptron comes to. 1 / margin^2 shows which of them count in |w|:

    >>> from rosenblatt.data.lectures import AND
    >>> from rosenblatt.services.proofs.margin import margin
    >>> round(margin((-4, 3, 2), *AND), 5)
    0.27735
    >>> round(margin((-4, 3, 2), *AND) ** -2, 9), round(margin((-4, 3, 2), *AND, offset="augmented") ** -2, 9)
    (13.0, 29.0)
    """
    return float(margins(w, X, y, offset=offset, intercept_scaling=intercept_scaling).min())


def margins(w: Any, X: Any, y: Any, *, offset: Offset = "geometric", intercept_scaling: Any = 1) -> Array:
    """The margin of each point for w: y times its signed distance from the plane.

    Parameters
    ----------
    w
        The constant feature's weight first, if it has one entry more than X has features; else there is no offset. For
        more than two classes one row a class: a point's margin is how far its class is ahead of the best rival.
    X, y
        Points, dense or sparse, or one point, and labels of any kind; of two labels the larger counts as +1, and a
        label alone too, unless it is -1.
    offset
        "geometric" leaves the offset out of |w|, "augmented" does not.
    intercept_scaling
        The value of the constant feature.

    Examples
    --------
    >>> from rosenblatt.data.lectures import AND
    >>> from rosenblatt.services.proofs.margin import margins
    >>> (margins((-4, 3, 2), *AND) * 13**0.5).round(9), (margins((-4, 3, 2), [0, 0], -1) * 13**0.5).round(9)
    (array([4., 2., 1., 1.]), array([4.]))
    """
    if offset not in ("geometric", "augmented"):
        raise ValueError(f"offset must be 'geometric' or 'augmented', got {offset!r}")
    if np.ndim(y) == 0:
        X, y = [X], [y]
    X = as_given(X)
    width, n_features = np.shape(w)[-1:], X.shape[1]
    if width not in ((n_features,), (n_features + 1,)):
        raise ValueError(f"w must have {n_features} entries, or {n_features + 1} with an offset; got {np.shape(w)}")
    Z = signed_rows(X, y, fit_intercept=width == (n_features + 1,), intercept_scaling=intercept_scaling)
    rows = as_floats(whole_weights(w, Z)).reshape(-1, Z.n_inputs)
    norm = np.linalg.norm(rows[:, 1:] if Z.scaling and offset == "geometric" else rows)
    if norm == 0:
        raise ValueError("w is only an offset: its plane is nowhere")
    ahead = products(Z.floats, rows.ravel()).reshape(-1, Z.n_rivals).min(axis=1)
    return np.asarray(ahead / norm)


def whole_weights(w: Any, Z: SignedRows) -> Array:
    """Weights for Z in one row, as integers: any positive multiple of w has the same margins.

    >>> from rosenblatt.data.lectures import AND
    >>> whole_weights([-0.75, 0.5, 0.5], signed_rows(*AND))
    array([-3, 2, 2], dtype=object)
    """
    n_machines = Z.n_classes if Z.n_classes > 2 else 1
    shapes = [(n_machines, Z.n_inputs), *([(Z.n_inputs,)] if n_machines == 1 else [])]
    if np.shape(w) not in shapes:
        first = ", the constant feature's first" if Z.scaling else ""
        raise ValueError(f"w must have shape {' or '.join(map(str, shapes))}{first}; got {np.shape(w)}")
    try:
        exact = [as_fraction(value, as_decimal=False) for value in np.asarray(w, dtype=object).flat]
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"w must be of finite numbers, got {w}") from None
    if not any(exact):
        raise ValueError("w is zero: it has no plane, and no margin")
    denominator = math.lcm(*(value.denominator for value in exact))
    return primitive(np.array([int(value * denominator) for value in exact], dtype=object))
