"""A second opinion: the largest t with Z w >= t and |w| <= 1 in each entry, by HiGHS, on few rows at a time.

It starts with some rows, and adds those that its answer has most wrong until none is: most rows never matter. The
program is always feasible and bounded; that t > 0 in floats is no proof, but w is a guess that can be proven.
"""

import time

import numpy as np

from rosenblatt.base.arrays import Array


def separating_program(Z: Array, deadline: float) -> Array | None:
    """The weights with the largest least score; None if time runs out or HiGHS gives up.

    >>> separating_program(np.array([[-1.0, 0], [-1, -1], [1, 2]]), time.monotonic() + 10).round(4)
    array([-1.    ,  0.6667])
    """
    from scipy.optimize import linprog

    n, width = Z.shape
    few = max(200, 4 * (width + 1))
    chosen = np.unique(np.linspace(0, n - 1, min(n, few)).astype(np.int64))
    while (left := deadline - time.monotonic()) > 0:
        rows = Z[chosen]
        # variables w and t: minimise -t with t - Z w <= 0
        result = linprog(
            np.append(np.zeros(width), -1.0),
            A_ub=np.column_stack([-rows, np.ones(len(rows))]),
            b_ub=np.zeros(len(rows)),
            bounds=[(-1.0, 1.0)] * width + [(None, None)],
            method="highs-ds",
            options={"time_limit": left},
        )
        if result.x is None or result.status != 0:
            return None
        w, t = result.x[:-1], result.x[-1]
        scores = Z @ w
        worse = np.setdiff1d(np.flatnonzero(scores < t - 1e-9 * max(1.0, abs(t))), chosen)
        if not len(worse):
            return np.asarray(w)
        worst = worse[np.argsort(scores[worse])[:few]]
        chosen = np.union1d(chosen, worst)
    return None
