"""Which solver decides whether Z w > 0 has a solution: it depends on the size of the data, and whether it is sparse.

Each works in floats and only guesses. What it finds, weights or multipliers, is then proven on Z as it is; what cannot
be proven goes on to the next solver, and at last to the exact one. First comes what can be seen at once: a row of Z
that is 0, or two that are opposite, such as one point with both labels. Few columns, or dense rows, are for the nearest
point.

Many columns are for peeling: a column whose values all have one sign satisfies its rows by itself; peeled away, again
and again, such columns leave a core, often small or empty, that decides. The mistakes of a perceptron are multipliers,
so that even a run that has not converged proves something: the margin is at most |w| / k. Descent on the dual of the
largest margin then brings the ends of the margin together.
"""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, mix_bits
from rosenblatt.base.rows import Matrix, core_rows, is_sparse, zero_weights
from rosenblatt.services.proofs.decision import Decision, ExactRows, as_counts, separates
from rosenblatt.services.proofs.nearest_point import by_nearest_point
from rosenblatt.services.proofs.signed_rows import DENSE_VALUES, SignedRows, as_floats

CANDIDATES = 100


def contradiction(Z: Any) -> dict[int, int] | None:
    """Counts of one or two rows of Z that sum to 0, if there are such.

    Rows are compared by a hash of their bits; pairs that are equal by it are then checked exactly.

    >>> from rosenblatt.services.proofs.signed_rows import signed_rows
    >>> contradiction(signed_rows([[1, 2], [3, 4], [1, 2]], [0, 1, 1]))
    {0: 1, 2: 1}
    """
    key, sign = _keys(Z.floats)
    zero = np.flatnonzero(sign == 0)[:CANDIDATES]
    for row in zero.tolist():
        if not Z.integers(np.array([row])).any():
            return {row: 1}
    order = np.lexsort((sign, key))
    key, sign = key[order], sign[order]
    # sorted by key, then by sign: where the sign changes within a key, two opposite rows are neighbours
    change = np.flatnonzero((key[1:] == key[:-1]) & (sign[1:] > 0) & (sign[:-1] < 0))
    pairs = np.sort(np.column_stack([order[change], order[change + 1]]))
    for pair in pairs[np.argsort(pairs[:, 0])[:CANDIDATES]]:
        if not Z.integers(pair).sum(axis=0).any():
            return {int(row): 1 for row in pair}
    return None


def _keys(Z: Matrix) -> tuple[Array, Array]:
    """For each row a hash of its bits up to its sign, and the sign of its first value that is not 0."""
    factor = _odd_numbers(Z.shape[1])
    if not is_sparse(Z):
        first = np.take_along_axis(Z, (Z != 0).argmax(axis=1)[:, np.newaxis], axis=1)[:, 0]
        sign = np.sign(first)
        bits = (Z * sign[:, np.newaxis] + 0.0).view(np.uint64)  # adding 0.0 makes -0.0 a 0.0
        return (bits * factor).sum(axis=1), sign
    keep = Z.data != 0
    rows, columns, values = Z.row_numbers()[keep], Z.indices[keep], Z.data[keep]
    filled, starts = np.unique(rows, return_index=True)
    sign, key = np.zeros(Z.shape[0]), np.zeros(Z.shape[0], dtype=np.uint64)
    sign[filled] = np.sign(values[starts])
    bits = (values * sign[rows]).view(np.uint64)
    key[filled] = np.add.reduceat(bits * factor[columns], starts) if len(filled) else 0
    return key, sign


def _odd_numbers(n: int) -> Array:
    """Odd numbers of 64 bits that look random: those of SplitMix64."""
    return mix_bits(np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)


SEED = 0
PASSES = 50  # how many the perceptron makes
EPOCHS = 2  # how many descent makes before its result is looked at
HOPELESS = 200  # epochs: weights that do not separate by then hardly ever will
RULE = _core.Rule(tie="mistake", margin=0.0, step="perceptron", C=1.0, r=1.0, multiclass="argmax", batch_size=1)


def by_peeling(Z: SignedRows, *, gap: float, deadline: float) -> Decision:
    """Decide sparse rows of many columns."""
    core, extend = peel(Z.floats)
    weights, solver = None, "peeling"
    if not len(core):
        weights = separates(Z, extend(np.zeros(Z.width)))
    elif len(core) < len(Z) and Z.n_classes <= 2:
        part, columns = Z.part(core)
        decision = by_nearest_point(part, gap=1.0, exact=False, deadline=deadline) if not is_sparse(part.X) else None
        if decision is not None and decision.separable is False:
            return replace(decision, counts={int(core[row]): count for row, count in decision.counts.items()})
        if decision is not None and decision.weights is not None:
            inner = np.zeros(Z.width)
            inner[columns] = as_floats(decision.weights)
            weights, solver = separates(Z, extend(inner)), decision.solver
    if weights is None:
        w, _ = perceptron(Z.floats)
        weights, solver = separates(Z, w), "the perceptron"
    w, multipliers = descend(Z.floats, gap, deadline)
    wide = separates(Z, w)
    if wide is not None:
        solver = "descent on the dual" if weights is None else solver
        weights = wide
    if weights is None and len(Z) * Z.width <= DENSE_VALUES:
        return by_nearest_point(Z, gap=gap, exact=False, deadline=deadline)
    separable = None if weights is None else True
    # 40 bits of each are enough, and the checker is fast with short numbers
    counts = as_counts(np.arange(len(Z)), np.rint(multipliers * (2.0**40 / multipliers.max())))
    return Decision(separable=separable, counts=counts, solver=solver, weights=weights)


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
    state = _core.LinearState(zero_weights(Z.shape[1], 1, np.float64), 1, 0.0, keep_mistakes=True)
    target = np.ones(Z.shape[0], dtype=np.int32)
    state.run(core_rows(Z), target, None, RULE, seed=SEED, first_pass=0, passes=PASSES)
    _, row, _, _ = state.take_mistakes()
    return state.w[:-1, 0], np.bincount(row, minlength=Z.shape[0]).astype(np.float64)


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


GAP, SPARSE_GAP = 1e-6, 1e-3
FEW_COLUMNS = 400  # the nearest point's corral has at most one row more


def decide(Z: ExactRows, *, gap: float | None = None, exact: bool = False, deadline: float) -> Decision:
    """Decide by the first solver that can prove it.

    `gap` is how close the ends of the margin should come, relative to the upper one (None: as is worth its time);
    `exact` asks for the nearest point itself. Both are given up, and in the end the decision too, when `deadline`, of
    the monotonic clock, has passed.
    """
    opposite = contradiction(Z)
    if opposite is not None:
        return Decision(separable=False, counts=opposite, solver="presolve")
    if isinstance(Z, SignedRows) and is_sparse(Z.floats) and Z.width > FEW_COLUMNS:
        return by_peeling(Z, gap=SPARSE_GAP if gap is None else gap, deadline=deadline)
    return by_nearest_point(Z, gap=GAP if gap is None else gap, exact=exact, deadline=deadline)
