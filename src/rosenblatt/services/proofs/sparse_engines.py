"""For many columns: peeling, the perceptron itself, and the dual of the largest margin by coordinate descent.

A column whose values all have one sign satisfies its rows by itself; peeled away, again and again, such columns leave a
core, often small or empty, that decides. The mistakes of a perceptron are multipliers, so that even a run that has not
converged proves something: the margin is at most |w| / k. Descent then brings the ends of the margin together.
"""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, core_rows, is_sparse, zero_weights
from rosenblatt.services.proofs.decision import Decision, counted, separates
from rosenblatt.services.proofs.hull import by_nearest_point
from rosenblatt.services.proofs.signed_rows import DENSE_VALUES, SignedRows, as_floats

SEED = 0
PASSES = 50  # of the perceptron
EPOCHS = 2  # of descent, before it is looked at
HOPELESS = 200  # epochs after which weights that do not separate will hardly do so
RULE = _core.Rule(tie="mistake", margin=0.0, step="perceptron", C=1.0, r=1.0, multiclass="argmax", batch_size=1)


def by_peeling(Z: SignedRows, *, gap: float, deadline: float) -> Decision:
    """Decide sparse rows of many columns."""
    core, extend = peel(Z.floats)
    weights, engine = None, "peeling"
    if not len(core):
        weights = separates(Z, extend(np.zeros(Z.width)))
    elif len(core) < len(Z) and Z.n_classes <= 2:
        part, columns = Z.part(core)
        found = by_nearest_point(part, gap=1.0, exact=False, deadline=deadline) if not is_sparse(part.X) else None
        if found is not None and found.separable is False:
            return replace(found, counts={int(core[row]): count for row, count in found.counts.items()})
        if found is not None and found.weights is not None:
            inner = np.zeros(Z.width)
            inner[columns] = as_floats(found.weights)
            weights, engine = separates(Z, extend(inner)), found.engine
    if weights is None:
        w, _ = perceptron(Z.floats)
        weights, engine = separates(Z, w), "the perceptron"
    w, multipliers = descend(Z.floats, gap, deadline)
    wide = separates(Z, w)
    if wide is not None:
        engine = "descent on the dual" if weights is None else engine
        weights = wide
    if weights is None and len(Z) * Z.width <= DENSE_VALUES:
        return by_nearest_point(Z, gap=gap, exact=False, deadline=deadline)
    separable = None if weights is None else True
    # 40 bits of each are enough, and short numbers are checked fast
    counts = counted(np.arange(len(Z)), np.rint(multipliers * (2.0**40 / multipliers.max())))
    return Decision(separable=separable, counts=counts, engine=engine, weights=weights)


def peel(Z: Matrix) -> tuple[Array, Any]:
    """The rows that peeling leaves, and a function from weights that separate them to weights that separate all.

    >>> from rosenblatt.base.rows import SparseRows
    >>> core, extend = peel(SparseRows(np.array([1.0, 2.0, -1.0]), np.array([0, 1, 0]), np.array([0, 2, 3]), 2))
    >>> core, extend(np.zeros(2))
    (array([], dtype=int64), array([-1.,  1.]))
    """
    peeled = _core.peel(core_rows(Z))
    return peeled.core, peeled.weights


def perceptron(Z: Matrix) -> tuple[Array, Array]:
    """The weights after some passes over rows that all should score above 0, and how often each was added."""
    w = zero_weights(Z.shape[1], 1, np.float64)
    _, _, _, _, _, _, row, _, _ = _core.train(
        core_rows(Z),
        np.ones(Z.shape[0], dtype=np.int32),
        None,
        RULE,
        w=w,
        n_rows=1,
        bias=0.0,
        visits=0,
        spread=None,
        sums=None,
        pocket=None,
        pocket_errors=np.inf,
        keep_mistakes=True,
        seed=SEED,
        first_pass=0,
        passes=PASSES,
    )
    return w[:-1, 0], np.bincount(row, minlength=Z.shape[0]).astype(np.float64)


def descend(Z: Matrix, gap: float, deadline: float) -> tuple[Array, Array]:
    """Weights and multipliers whose ends of the margin are as close as asked, or as time allows."""
    search, epochs = _core.DualDescent(core_rows(Z), SEED), 0
    while True:
        search.run(EPOCHS)
        epochs += EPOCHS
        lowest = search.lowest()
        # lo = lowest / |w| and hi = |w| / total
        reached = lowest * search.total >= (1 - gap) * search.squared_length
        if reached or (lowest <= 0 and epochs >= HOPELESS) or time.monotonic() > deadline:
            break
    return search.weights, search.alpha
