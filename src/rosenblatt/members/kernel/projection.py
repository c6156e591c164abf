"""A budget with projection: the first B mistaken rows are the dictionary, and later mistakes are projected on it.

Let K be the kernel between the B rows. The projection of x has the coefficients (K + ridge)^-1 k(x). With K + ridge = L
L' this is the linear perceptron on the features z(x) = L^-1 k(x) (Nystroem's): its weights w give the coefficients
L'^-1 w. So the last and the average hypothesis are two rows of weights, and both stay within the budget.
"""

from dataclasses import dataclass, replace

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.kernel.parameters import Readout
from rosenblatt.members.kernel.passes import NO_LIMIT, BlockVisit, DualPasses
from rosenblatt.members.kernel.state import DualState
from rosenblatt.members.kernel.values import Vectors, Workers, one_blas_thread

RIDGE = 1e-4  # times the mean of k(x, x); it is needed because equal rows make K singular
STRIP = 256  # rows of the inverse that are multiplied at once
SMALL = 32  # rows of a triangle that is inverted row by row


@dataclass
class Projection:
    """The dictionary, the factor L, the weights (machines, B) and the sums of what was added times its visit."""

    support: Vectors
    support_row: Array
    support_target: Array
    factor: Array
    weights: Array
    sums: Array
    _inverse: Array | None = None  # the inverse of the factor, computed when it is first needed

    @classmethod
    def begin(cls, run: DualPasses) -> "Projection":
        """Begin with the run so far; its support vectors are the dictionary."""
        state, place = run.state, run.support.place
        assert state.support is not None
        rows = state.support
        if state.kernel.kind == "precomputed":
            rows = run.rows.vectors[np.argsort(place)[np.count_nonzero(place < 0) :]]
        values = state.kernel.values(state.support, rows).astype(np.float64)
        values[np.diag_indices_from(values)] += RIDGE * np.mean(np.diag(values))
        try:
            factor = np.linalg.cholesky(values)
        except np.linalg.LinAlgError as error:
            raise ValueError("budget_policy='project' needs a kernel that is positive definite") from error
        events = state.events.since()
        coef, sums = np.zeros((2, len(state.support), state.n_machines))
        for total, factors in ((coef, None), (sums, events.visit)):
            row, machine, tau = events.sums(factors)
            total[row, machine] = tau
        return cls(state.support, state.support_row, state.support_target, factor, coef.T @ factor, sums.T @ factor)

    @property
    def inverse(self) -> Array:
        """L^-1, which turns features and coefficients into matrix products."""
        if self._inverse is None:
            self._inverse = inverse_of_triangle(self.factor)
        return self._inverse

    def visit(self, run: DualPasses, turn: BlockVisit) -> None:
        block, order, rows = turn.block, turn.order, run.rows
        features = self._features(run.state, rows.vectors[block.rows], turn.threads)
        score = self.weights @ features
        gram = np.empty((0, len(order)), features.dtype)
        place, is_support = np.full(len(order), -1, dtype=np.int32), np.ones(len(order), np.uint8)
        added = np.zeros((2, *score.shape))  # for each machine the amount of each row, and the same times its visit
        while True:
            turn.first, *counts, wanted, visit, row, cls, tau, _ = _core.kernel_visit(
                run.rule,
                order=order,
                **rows.of(block),
                score=score,
                gram=gram,
                place=place,
                held=is_support,
                norm2=run.state.norm2,
                room=NO_LIMIT,
                wait=False,
                first=turn.first,
                visits=turn.visits,
            )
            turn.counts.count(*counts)
            np.add.at(added[0], (cls, row), tau)
            np.add.at(added[1], (cls, row), tau * visit)
            if len(wanted) == 0:
                break
            place[wanted] = len(gram) + np.arange(len(wanted), dtype=np.int32)
            gram = np.concatenate([gram, np.ascontiguousarray(features[:, wanted].T) @ features])
        self.weights += added[0] @ features.T
        self.sums += added[1] @ features.T

    def _features(self, state: DualState, vectors: Vectors, threads: Workers) -> Array:
        """(B, rows): the features of each row, in a column."""
        values = threads.values(state.kernel, self.support, vectors)
        inverse, features = self.inverse.astype(values.dtype, copy=False), np.empty_like(values)
        for first in range(0, len(values), STRIP):
            last = first + STRIP  # entries right of the diagonal are zero
            np.matmul(inverse[first:last, :last], values[:last], out=features[first:last])
        return features

    def coef(self, readout: Readout, visits: int) -> Array:
        """(B, machines): the last hypothesis, or the average."""
        if readout.name not in ("last", "average") or replace(readout, name="average") != Readout():
            raise ValueError(
                "budget_policy='project' keeps sums, not the list of mistakes, once the budget is full: readout may be "
                "'last' or 'average', over all passes and not normalised"
            )
        weights = self.weights if readout.name == "last" else (visits * self.weights - self.sums) / max(1, visits)
        with one_blas_thread():
            return np.asarray(self.inverse.T @ weights.T)

    def grow(self, n_machines: int, rows: list[list[tuple[int, float]]], place: Array) -> "Projection":
        """Make room for more classes: `rows[c]` has the new machines of old machine c, and their signs."""
        weights, sums = np.zeros((2, n_machines, len(self.support)))
        for c, targets in enumerate(rows):
            for to, sign in targets:
                weights[to], sums[to] = sign * self.weights[c], sign * self.sums[c]
        return replace(self, weights=weights, sums=sums, support_target=place[self.support_target])


def inverse_of_triangle(L: Array) -> Array:
    """The inverse of a lower triangle, half by half: mostly matrix products.

    >>> inverse_of_triangle(np.array([[2.0, 0.0], [1.0, 4.0]]))
    array([[ 0.5  ,  0.   ],
           [-0.125,  0.25 ]])
    """
    size, inverse = len(L), np.zeros_like(L)
    if size <= SMALL:
        for k in range(size):
            inverse[k, :k] = -(L[k, :k] @ inverse[:k, :k]) / L[k, k]
            inverse[k, k] = 1 / L[k, k]
        return inverse
    half = size // 2
    inverse[:half, :half], inverse[half:, half:] = (
        inverse_of_triangle(L[:half, :half]),
        inverse_of_triangle(L[half:, half:]),
    )
    inverse[half:, :half] = -inverse[half:, half:] @ (L[half:, :half] @ inverse[:half, :half])
    return inverse
