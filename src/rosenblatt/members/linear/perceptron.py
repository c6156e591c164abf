"""The perceptron (Rosenblatt 1957): the first file of this room.

The score is s = w.x, with w_0 for the constant feature. It is a mistake if y s <= 0 (`tie` decides what 0 means), or
with a margin if y s <= beta. Then
    w <- w + tau y x,
where tau is the learning rate eta; a passive-aggressive tau is just large enough for the margin. AROW also has a
variance sigma for each weight; with beta = 1 / (sum of sigma x^2 + r) it does
    w <- w + beta (margin - y s) y sigma x,   sigma <- sigma - beta (sigma x)^2.
With more classes each has its w, and the wrong class with the best score gets -tau x. On separable rows there are at
most (R / gamma)^2 mistakes (Novikoff 1962), in any order, and the run stops at the first pass without a mistake.

The core makes the visits, see core/linear/linear.hpp; this file has what the frames of `members` need to know.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import answers, count_machines, rows_after
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.base.rows import Matrix, core_rows, core_weights, is_sparse, without_duplicates, zero_weights
from rosenblatt.members.linear.model import LinearModel, restore_state, take_state
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.rows import Order, RowMember, Visits, WeightedRows
from rosenblatt.members.start import resolve_init
from rosenblatt.members.stopping import Stopping, sure_passes

MIXED_PASSES = (
    10_000  # minimum of passes over shards for max_iter="auto", because mixing takes longer than visiting few rows
)
_LIMIT = Path("/sys/fs/cgroup/memory.max")  # the limit of memory in a container
GIB = 1 << 30
TRIED = 3  # how many pairs of classes are tried: those with the most mistakes
WIDEST, MOST_VALUES = 400, 10**7  # the largest rows that take milliseconds
PASSES, NEAR = 20, 0.9  # a positive distance of the hull is enough: its nearest point is not needed


@dataclass(frozen=True)
class LinearMember(RowMember[LinearState]):
    """The perceptron in the frames of a run."""

    parameters: PerceptronParameters
    model_class: ClassVar[type[LinearModel]] = LinearModel
    mixes: ClassVar[tuple[str, ...]] = ("w", "spread", "sums")  # AROW's variances are mixed as the weights are

    def take_rows(self, X: Matrix) -> Matrix:
        """Join columns that a row has twice, because |x|^2 would be wrong. Scores and sums need no change."""
        return X if self.parameters.step == "perceptron" else without_duplicates(X)

    def begin(
        self, classes: Array, X: Matrix, random: np.random.RandomState, start: Any = None
    ) -> tuple[LinearState, int | None]:
        """Begin with zero weights, those of `init` or `start`, or those of the model before."""
        p = self.parameters
        if p.shards > 1:
            check_offered(p, "shards")
        if p.step == "arow" and (p.keep_mistakes or p.readout == "vote"):
            raise ValueError(
                "an AROW step is not a multiple of its example, so its mistakes cannot be kept or vote; "
                "use readout='average'"
            )
        n_machines, n_features = count_machines(len(classes)), X.shape[1]
        check_room(p, n_features, n_machines, X.dtype)
        init = p.init if start is None else start
        if isinstance(init, LinearModel):
            w = self._weights_of(init, classes, n_features).astype(X.dtype)
        elif isinstance(init, str) and init == "zeros":
            w = zero_weights(n_features, n_machines, X.dtype)
        else:
            coef, constant = resolve_init(init, n_machines, n_features, constant=p.fit_intercept, random=random)
            w = core_weights((coef / p.unit).astype(X.dtype), constant / p.unit, 1.0)
        state = LinearState.begin(
            w, n_machines, p.bias, p.unit, step=p.step, readout=p.readout, keep_mistakes=p.keep_mistakes
        )
        _check_only_class(classes, state)
        return state, drawn_seed(random) if p.shuffle else None

    def _weights_of(self, before: LinearModel, classes: Array, n_features: int) -> Array:
        if not np.array_equal(classes, before.classes):
            raise ValueError(f"warm_start needs the same classes: {before.classes} before, {classes} now")
        if before.n_features != n_features:
            raise ValueError(f"warm_start needs the same features: {before.n_features} before, {n_features} now")
        return before.state.in_units_of(self.parameters.unit).w

    def visit(self, state: LinearState, rows: WeightedRows, order: Order) -> Visits:
        rule = self.parameters.rule(len(rows.target))
        visits = Visits(*state.run(rows.rows, rows.target, rows.weight, rule, **order._asdict()))
        if state.mistakes is not None:
            assert rows.number is not None
            state.mistakes = state.mistakes.extend(*state.take_mistakes(), X=rows.X, number=rows.number)
        return visits

    def decision(self, state: LinearState, X: Matrix) -> Array:
        return state.decision(X, self.parameters.readout, self.parameters.tie)

    def stopping(self, n_rows: int) -> Stopping:
        p = self.parameters
        return Stopping(
            n_rows=n_rows,
            max_iter="auto" if p.max_iter == "validate" else p.max_iter,
            tol=0.0 if p.early_stopping and p.tol is None else p.tol,
            n_iter_no_change=p.n_iter_no_change,
            pocket=p.readout == "pocket",
            at_least=None if p.shards == 1 else min(sure_passes(n_rows), MIXED_PASSES),
        )

    def go_on(self, before: LinearModel, classes: Array) -> LinearState:
        p, state = self.parameters, before.state.without_pocket()
        if p.shards > 1:
            check_offered(p, "shards")
        if (state.spread is None) == (p.step == "arow"):
            raise ValueError("partial_fit cannot change step to or from 'arow', which has a variance for each weight")
        _check_only_class(classes, state)
        return self.grow(state, before.classes, classes).in_units_of(p.unit)

    def grow(self, state: LinearState, before: Array, classes: Array) -> LinearState:
        """A new class starts with zero weights. If two classes share one row of weights, each gets its own."""
        p, n_machines = self.parameters, count_machines(len(classes))
        if len(classes) == len(before) or (len(before) == 0 and n_machines == 1):
            return state
        if len(before) == 0:
            return state.grow(n_machines, [[(0, 1.0)]])
        mirror = 0.5 if p.step != "perceptron" and p.multiclass == "argmax" else 1.0
        return state.grow(n_machines, rows_after(before, classes, mirror))

    def columns(self, state: LinearState, first: int, last: int) -> LinearState:
        return state.with_features(first, last)

    def check_room(self, state: LinearState, n_features: int) -> None:
        """Check the room for the weights, and for what the step and the readout store beside them."""
        check_room(self.parameters, n_features, state.n_machines, state.dtype)

    def finish(self, model: LinearModel) -> None:
        """Compute the average here, because the first answer would otherwise wait for it."""
        if self.parameters.readout == "average":
            model.weights("average")

    def all_or_nothing(self, state: LinearState, X: Matrix) -> AbstractContextManager[None]:
        """Save only those weights that X can change."""
        return state.all_or_nothing(X)

    def inseparable(self, state: LinearState, X: Matrix, target: Array) -> bool:
        """Decide by pairs of classes, in milliseconds."""
        p = self.parameters
        if not (p.tie == "mistake" or p.fit_intercept):
            return False
        answered = answers(state.decision(X, "last", p.tie), p.tie)
        return surely_inseparable(X, target, answered, p.bias, one_vs_rest=p.multiclass != "argmax")

    def for_shards(self, state: LinearState) -> LinearState:
        """Leave out the weights of the start, because only votes need them."""
        return state.with_changes(start=None)

    def state_to_record(self, state: LinearState, tensors: Tensors) -> dict[str, Any]:
        return take_state(state, tensors)

    def state_from_record(self, parts: Parts, n_features: int, n_classes: int, n_seen: int) -> LinearState:
        return restore_state(n_features, count_machines(n_classes), n_seen, parts).trainable()


def _check_only_class(classes: Array, state: LinearState) -> None:
    if len(classes) == 1 and state.start is not None:
        raise ValueError("partial_fit with init needs all classes at the first call: classes=...")


def check_room(parameters: PerceptronParameters, n_features: int, n_machines: int, dtype: object) -> None:
    """Raise a `MemoryError` if the weights, with what the step and the readout store beside them, do not fit.

    This happens before they are allocated, because a system may promise memory that it does not have.

    >>> check_room(PerceptronParameters(), 10**9, 10**6, "float64")
    Traceback (most recent call last):
    MemoryError: expected weights that fit into ... GiB of memory, found 1,000,000,000 columns with 1,000,000 weights \
each: they take 7.45e+06 GiB or more. A few wrong indices make many columns; n_features limits them
    """
    size = np.dtype(dtype).itemsize  # type: ignore[call-overload]
    of_a_weight = size * (1 + (parameters.step == "arow")) + (8 if parameters.readout == "average" else 0)
    needed, there = n_features * n_machines * of_a_weight, memory()
    if needed > there:
        each = f"{n_machines:,} weights each" if n_machines > 1 else "one weight each"
        columns = "A few wrong indices make many columns; n_features limits them"
        cause = columns if n_features > n_machines else "There is a weight a class: are the labels the right column?"
        raise MemoryError(
            f"expected weights that fit into {there / GIB:.3g} GiB of memory, found {n_features:,} columns with "
            f"{each}: they take {needed / GIB:.3g} GiB or more. {cause}"
        )


def memory() -> float:
    """The bytes of memory that this process may use; infinity if that is unknown."""
    try:
        there = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float("inf")
    try:
        return min(there, float(_LIMIT.read_text(encoding="ascii")))
    except (OSError, ValueError):  # no such file, or "max"
        return there


def surely_inseparable(X: Matrix, target: Array, answered: Array, bias: float, *, one_vs_rest: bool) -> bool:
    """Whether it is certain that no weights give each row its class; `answered` has the classes that some weights give.

    Weights without a mistake separate any two classes from each other (one against the rest: each class from all
    others), so two classes that cannot be separated are enough. The point of their hull that is nearest to the origin
    decides: if it is zero within the precision of doubles, no plane is between them. Rows that are too wide for this
    are mostly separable, unless the same row has two classes; that is checked first.

    >>> X, target = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    >>> [surely_inseparable(X, y, 1 - y, 1.0, one_vs_rest=False) for y in (target, np.array([0, 0, 0, 1]))]
    [True, False]
    """
    return _same_row_of_two_classes(X, target) or any(
        _meet(X, rows, sign, bias) for rows, sign in _contests(target, answered, one_vs_rest)
    )


def _same_row_of_two_classes(X: Matrix, target: Array) -> bool:
    if is_sparse(X):
        ends = zip(X.indptr, X.indptr[1:], strict=False)
        rows = (X.indices[begin:end].tobytes() + X.data[begin:end].tobytes() for begin, end in ends)
    else:
        rows = (row.tobytes() for row in X)
    class_of = dict[bytes, int]()
    digests = (hashlib.blake2b(row, digest_size=16).digest() for row in rows)
    return any(class_of.setdefault(row, c) != c for row, c in zip(digests, target.tolist(), strict=True))


def _contests(target: Array, answered: Array, one_vs_rest: bool) -> Iterator[tuple[Array, Array]]:
    """The rows of two classes and the sign of each, for the pairs of classes that are confused most often."""
    wrong = np.flatnonzero(target != answered)
    right, rival = target[wrong].astype(np.int64), answered[wrong].astype(np.int64)
    if one_vs_rest and target.max() > 1:
        for c in _most_often(np.concatenate([right, rival])):
            yield np.arange(len(target)), np.where(target == c, 1.0, -1.0)
        return
    n_classes = int(target.max()) + 1
    for pair in _most_often(np.minimum(right, rival) * n_classes + np.maximum(right, rival)):
        first, two = divmod(pair, n_classes)
        rows = np.flatnonzero((target == first) | (target == two))
        yield rows, np.where(target[rows] == first, 1.0, -1.0)


def _most_often(numbers: Array) -> list[int]:
    distinct, counts = np.unique(numbers, return_counts=True)
    most: list[int] = distinct[np.argsort(-counts, kind="stable")[:TRIED]].tolist()
    return most


def _meet(X: Matrix, rows: Array, sign: Array, bias: float) -> bool:
    """Whether the hull of the signed rows contains the origin."""
    width = X.shape[1] + 1
    if width > WIDEST or len(rows) * width > MOST_VALUES:
        return False
    part = X[rows].toarray() if is_sparse(X) else X[rows]
    signed = np.column_stack([part, np.full(len(rows), bias)]).astype(np.float64) * sign[:, np.newaxis]
    return bool(_core.NearestPoint(core_rows(signed)).run(PASSES, NEAR) == "meets")
