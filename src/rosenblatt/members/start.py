"""Where a run begins: from zero weights, from random ones, or from given ones."""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, refuse_masked


def resolve_init(
    init: Any, n_machines: int, n_features: int, *, constant: bool, random: np.random.RandomState
) -> tuple[Array, Array]:
    """The start: (n_machines, n_features) coefficients and (n_machines,) weights of the constant feature."""
    refuse_masked(init, "init")
    if isinstance(init, str) and init == "random":
        init = random.normal(size=(n_machines, n_features + constant))
    elif isinstance(init, str):
        return np.zeros((n_machines, n_features)), np.zeros(n_machines)
    start = np.atleast_2d(np.asarray(init, dtype=np.float64))
    widths = {n_features, n_features + constant}
    if start.ndim != 2 or start.shape[0] != n_machines or start.shape[1] not in widths:
        expected = " or ".join(f"({n_machines}, {width})" for width in sorted(widths))
        raise ValueError(f"init must have shape {expected}, the constant feature's weight first; got {np.shape(init)}")
    if not np.isfinite(start).all():
        raise ValueError("init must be finite")
    if start.shape[1] == n_features:
        return start, np.zeros(n_machines)
    return start[:, 1:], start[:, 0]


def init_of(coef: Any, intercept: Any, n_features: int, bias: float) -> Array:
    """Turn coefficients and intercepts into an `init`, with the weight of the constant feature first. One may be None.

    `bias` is the value of that feature, 0 if there is none.
    """
    refuse_masked(coef, "coef_init")
    refuse_masked(intercept, "intercept_init")
    if intercept is not None and not bias:
        raise ValueError("intercept_init: expected None, as there is no intercept to start (fit_intercept=False)")
    rows = np.atleast_2d(np.asarray(np.zeros((np.size(intercept), n_features)) if coef is None else coef, dtype=float))
    if rows.ndim != 2 or rows.shape[1] != n_features:
        raise ValueError(f"coef_init: expected {n_features} columns, found the shape {np.shape(coef)}")
    if intercept is None:
        return rows
    offsets = np.atleast_1d(np.asarray(intercept, dtype=float))
    if offsets.shape != rows.shape[:1]:
        raise ValueError(f"intercept_init: expected the shape ({len(rows)},), found {offsets.shape}")
    return np.column_stack([offsets / bias, rows])
