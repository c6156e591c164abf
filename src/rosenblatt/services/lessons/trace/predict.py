"""What the weights of a trace say of further rows."""

from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_float_table, as_table, exact
from rosenblatt.base.rows import as_type, core_rows, core_weights, score


def scores_of(X: Any, weights: Array, parameters: dict[str, Any]) -> Array:
    """The scores of further rows, (rows, 1 or classes): the core's, or exact as the trace was."""
    constant, as_decimal = int(parameters["fit_intercept"]), parameters["as_decimal"]
    rows = as_table(exact(X, "X", as_decimal=as_decimal)) if parameters["exact"] else as_float_table(X)
    if rows.shape[1] != weights.shape[1] - constant:
        raise ValueError(f"X must have {weights.shape[1] - constant} features, as in the trace; got {rows.shape[1]}")
    if parameters["exact"]:
        scaling = exact(parameters["intercept_scaling"], "intercept_scaling", as_decimal=as_decimal)
        x = np.column_stack([np.full((len(rows), constant), scaling[()], dtype=object), rows])
        return np.array([[plain.dot(w, row) for w in weights] for row in x], dtype=object)
    bias = float(parameters["intercept_scaling"]) * constant
    w = core_weights(weights[:, constant:], weights[:, 0] if constant else 0, 1.0)
    return score(core_rows(as_type(rows, weights.dtype)), w, len(weights), bias)
