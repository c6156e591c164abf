"""What the weights of a trace say of further rows."""

from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.trace.numbers import Array, exact


def scores_of(X: Any, weights: Array, words: dict[str, Any]) -> Array:
    """The scores of further rows, (rows, 1 or classes): the core's, or exact as the trace was."""
    from sklearn.utils import check_array

    from rosenblatt.rows import core_rows, core_weights, score

    constant = int(words["fit_intercept"])
    if words["exact"]:
        rows = exact(X, "X", as_decimal=words["as_decimal"])
        check_array(rows.astype(np.float64))
    else:
        rows = check_array(X, accept_sparse="csr", dtype=weights.dtype, order="C", ensure_all_finite=False)
    if rows.shape[1] != weights.shape[1] - constant:
        raise ValueError(f"X must have {weights.shape[1] - constant} features, as in the trace; got {rows.shape[1]}")
    if words["exact"]:
        scaling = exact(words["intercept_scaling"], "intercept_scaling", as_decimal=words["as_decimal"])
        x = np.column_stack([np.full((len(rows), constant), scaling[()], dtype=object), rows])
        return np.array([[plain.dot(w, row) for w in weights] for row in x], dtype=object)
    bias = float(words["intercept_scaling"]) * constant
    w = core_weights(weights[:, constant:], weights[:, 0] if constant else 0, 1.0)
    return score(core_rows(rows), w, len(weights), bias)
