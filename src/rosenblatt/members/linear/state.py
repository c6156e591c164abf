"""Which weights answer? The state of a run, and every readout that can be taken from it.

The run never depends on the readout. `last` is always there; `average` needs the lazy sums or the mistakes; `vote`
needs the mistakes; `pocket` needs its copy of the best weights. See core/base/readout.hpp for the formulas.
"""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import (
    Matrix,
    SparseRows,
    as_type,
    core_rows,
    is_sparse,
    score,
    sparse,
    stack_rows,
    zero_weights,
)
from rosenblatt.members.events import Events

CACHED = 1 << 16  # numbers that are worked on at once


@dataclass
class Mistakes:
    """The rows added, in order, and the rows themselves."""

    events: Events = field(default_factory=Events)
    support: Matrix = None  # the rows that were added at least once, ...
    support_row: Array = field(default_factory=lambda: np.empty(0, np.int64))  # ... and which rows these are

    def extended(self, visit: Array, row: Array, cls: Array, tau: Array, *, X: Matrix, number: Array) -> "Mistakes":
        """With further mistakes on rows of X, whose numbers among all rows are `number`, ascending."""
        row = number[row]
        new = np.setdiff1d(row, self.support_row)
        added = X[np.searchsorted(number, new)]
        return Mistakes(
            Events.joined([self.events, Events(visit, row, cls, tau)]),
            added if self.support is None else stack_rows(self.support, added),
            np.concatenate([self.support_row, new]),
        )

    @property
    def support_index(self) -> Array:
        """For each mistake, which of the support rows it added."""
        order = np.argsort(self.support_row)
        return np.asarray(order[np.searchsorted(self.support_row, self.events.row, sorter=order)])

    def sums(self, factor: Array, n_rows: int) -> Array:
        """For each row of weights and each support row, the sum of factor * tau."""
        sums = np.zeros((n_rows, len(self.support_row)))
        np.add.at(sums, (self.events.cls, self.support_index), factor * self.events.tau)
        return sums


def _with_long_indices(X: SparseRows) -> SparseRows:
    return replace(X, indices=X.indices.astype(np.int64), indptr=X.indptr.astype(np.int64))


@dataclass
class LinearState:
    """The weights of a run in the core's layout, and what its readouts need."""

    w: Array
    n_rows: int  # 1 for two classes, else one a class
    bias: float  # the value of the constant feature; 0 if there is none
    unit: float = 1.0  # the learning rate: effective weights = unit * w, see core/base/step.hpp
    start: Array | None = None  # the weights before the first visit, if not zero
    visits: int = 0
    unaveraged: int = 0  # the first visits, whose weights the average leaves out
    spread: Array | None = None
    sums: Array | None = None
    pocket: Array | None = None
    pocket_errors: float = np.inf
    mistakes: Mistakes | None = None

    @classmethod
    def begin(
        cls, w: Array, n_rows: int, bias: float, unit: float, *, step: str, readout: str, keep_mistakes: bool
    ) -> Self:
        """Before the first visit, with what `step` and `readout` will need."""
        return cls(
            w=w,
            n_rows=n_rows,
            bias=bias,
            unit=unit,
            start=w.copy() if w.any() else None,
            spread=np.ones_like(w) if step == "arow" else None,
            sums=np.zeros(w.shape) if readout == "average" else None,
            pocket=w.copy() if readout == "pocket" else None,
            mistakes=Mistakes() if keep_mistakes or readout == "vote" else None,
        )

    def train(
        self, rows: Any, X: Matrix, target: Array, weight: Array | None, rule: Any, *, number: Any, **order: Any
    ) -> tuple[Array, Array, int]:
        """Passes over `rows`, which are X; returns the mistakes and the loss of each, and the number of updates.

        `number` has the numbers of these rows among all that were given, for the mistakes that are kept.
        """
        mistakes, losses, updates, visits, pocket_errors, visit, row, cls, tau = _core.train(
            rows,
            target,
            weight,
            rule,
            w=self.w,
            n_rows=self.n_rows,
            bias=self.bias,
            visits=self.visits,
            spread=self.spread,
            sums=self.sums,
            pocket=self.pocket,
            pocket_errors=self.pocket_errors,
            keep_mistakes=self.mistakes is not None,
            unaveraged=self.unaveraged,
            **order,
        )
        if self.mistakes is not None:
            self.mistakes = self.mistakes.extended(visit, row, cls, tau, X=X, number=number)
        self.visits, self.pocket_errors = visits, pocket_errors
        return mistakes, losses, updates

    def trainable(self) -> "LinearState":
        """The same with arrays of its own for all that training changes, where nothing is kept but weights."""
        arrays = ((name, getattr(self, name)) for name in ("w", "spread", "sums"))
        own: dict[str, Any] = {name: array.copy() for name, array in arrays if array is not None}
        return replace(self, **own)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the weights."""
        return np.dtype(self.w.dtype)

    def train_more(
        self, X: Matrix, target: Array, weight: Array | None, rule: Any, *, number: Array
    ) -> tuple[Array, Array, int]:
        """One pass in the listed order. If it fails, the weights are as before."""
        with self.all_or_nothing(X):
            return self.train(
                core_rows(X, check=False), X, target, weight, rule, number=number, seed=None, first_pass=0, passes=1
            )

    def copy(self) -> "LinearState":
        """As it is now, whatever the run does next."""
        return copy.deepcopy(self)

    @contextmanager
    def all_or_nothing(self, X: Matrix) -> Iterator[None]:
        """Puts the weights back if training on X fails. Saves no more than X can change.

        Weights that cannot be written to, as those of a mapped file, are copied first.
        """
        for name in ("w", "spread", "sums"):
            if (array := getattr(self, name)) is not None and not array.flags.writeable:
                setattr(self, name, array.copy())
        few = is_sparse(X) and X.nnz < self.w.shape[0]
        last = self.w.shape[0] - 1
        touched: Any = np.append(X.indices.clip(0, last), last) if few else slice(None)
        saved = [(a, a[touched].copy()) for a in (self.w, self.spread, self.sums) if a is not None]
        try:
            yield
        except BaseException:
            for array, values in saved:
                array[touched] = values
            raise

    def weights(self, readout: str) -> Array | None:
        """The weights that answer, in the core's layout; None if the run did not keep what they need."""
        if readout == "average":
            sums = self.sums if self.sums is not None else self._sums_of_mistakes()
            if sums is None or self.visits > self.unaveraged:
                return None if sums is None else self._average(sums)
        weights = self.pocket if readout == "pocket" else None if readout == "vote" else self.w
        return weights if weights is None or self.unit == 1 else weights * weights.dtype.type(self.unit)

    def _average(self, sums: Array) -> Array:
        # Some rows after the other, while they are in the cache: new memory is slow, and this takes none but its own.
        average, unit = np.empty_like(self.w), self.w.dtype.type(self.unit)
        visits = self.visits - self.unaveraged
        step = max(1, CACHED // self.w.shape[1])
        for first in range(0, len(average), step):
            part = slice(first, first + step)
            total = np.multiply(self.w[part], float(visits), dtype=np.float64)
            total -= sums[part]
            total /= visits  # one division at the end, so that the mean of integers is rounded once
            average[part] = total
            if unit != 1:
                average[part] *= unit
        return average

    def _sums_of_mistakes(self) -> Array | None:
        if self.mistakes is None or self.mistakes.support is None:
            return None if self.mistakes is None else np.zeros(self.w.shape)
        per_row = self.mistakes.sums(self.mistakes.events.visit, self.n_rows)
        sums = np.zeros(self.w.shape)
        support = self.mistakes.support
        for c, factor in enumerate(per_row):  # of many classes each has added few of the rows
            used = np.flatnonzero(factor)
            rows = support if len(used) == len(factor) else support[used]
            factor = factor[used]
            sums[:-1, c] = rows.times(factor[np.newaxis])[0] if is_sparse(rows) else factor @ rows
        sums[-1, : self.n_rows] = per_row.sum(axis=1) * self.bias
        return sums

    def votes(self, X: Matrix, tie: str) -> Array:
        """For each row of X and each class, the visits survived by the weights that answer it."""
        mistakes = self.mistakes
        if mistakes is None:
            raise RuntimeError("the run kept no mistakes")
        votes = np.zeros((X.shape[0], max(2, self.n_rows)))
        start = zero_weights(X.shape[1], self.n_rows, self.w.dtype) if self.start is None else self.start
        X = as_type(X, self.w.dtype)
        # Of no rows numpy may make an array whose columns are not side by side, which the core refuses.
        support = X[:0] if len(mistakes.events) == 0 else mistakes.support
        if is_sparse(X) != is_sparse(support):
            X = sparse(X) if is_sparse(support) else X.toarray()
        if is_sparse(X) and len({a.dtype for a in (X.indices, X.indptr, support.indices, support.indptr)}) > 1:
            X, support = _with_long_indices(X), _with_long_indices(support)
        rows = core_rows(X)
        _core.vote(
            rows,
            core_rows(support),
            mistakes.events.visit,
            mistakes.support_index,
            mistakes.events.cls,
            mistakes.events.tau,
            self.visits,
            tie,
            self.bias,
            score(rows, start, self.n_rows, self.bias),
            votes,
        )
        return votes

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:
        """Scores, or for a vote the share of each side: (rows,) for two classes, (rows, classes) for more."""
        if readout == "vote":
            votes = self.votes(X, tie) / max(1, self.visits)
            return np.asarray(votes[:, 1] - votes[:, 0] if self.n_rows == 1 else votes)
        w = self.weights(readout)
        if w is None:
            raise RuntimeError(f"the run kept no {readout}")
        decision = score(core_rows(X, check=False), w, self.n_rows, self.bias)
        return decision[:, 0] if self.n_rows == 1 else decision

    def dual_coef(self, n_seen: int) -> Array:
        """(n_rows, n_seen): how much of each row seen was added to each row of weights."""
        if self.mistakes is None:
            raise RuntimeError("the run kept no mistakes")
        dual = np.zeros((self.n_rows, n_seen))
        dual[:, self.mistakes.support_row] = self.mistakes.sums(np.ones_like(self.mistakes.events.tau), self.n_rows)
        return dual * self.unit

    def in_units_of(self, unit: float) -> "LinearState":
        """The same weights, for another learning rate."""
        if unit == self.unit:
            return self
        factor = self.unit / unit
        scaled: dict[str, Any] = {
            name: None if (array := getattr(self, name)) is None else array * array.dtype.type(factor)
            for name in ("w", "start", "sums", "pocket")
        }
        mistakes = self.mistakes
        if mistakes is not None:
            mistakes = replace(mistakes, events=replace(mistakes.events, tau=mistakes.events.tau * factor))
        return replace(self, unit=unit, mistakes=mistakes, **scaled)

    def without_pocket(self) -> "LinearState":
        """A pocket is for one training set, so it does not go on with further rows."""
        return replace(self, pocket=None, pocket_errors=np.inf)

    def with_features(self, first: int, last: int) -> "LinearState":
        """Of the features `first` to `last` only; those that come after the ones known have weights of zero."""

        def cut(old: Array | None, fill: float = 0.0) -> Array | None:
            if old is None:
                return None
            new = np.full_like(old, fill, shape=(last - first + 1, old.shape[1]))
            known = old[first : min(last, len(old) - 1)]
            new[: len(known)], new[-1] = known, old[-1]
            return new

        w = cut(self.w)
        assert w is not None
        return replace(self, w=w, start=cut(self.start), spread=cut(self.spread, 1.0), sums=cut(self.sums))

    def grown(self, n_rows: int, rows: list[list[tuple[int, float]]]) -> "LinearState":
        """With more classes: `rows[c]` says which new rows, and with what sign, the old row c becomes."""

        def spread_out(old: Array | None, fill: float = 0.0, *, signed: bool = True) -> Array | None:
            if old is None:
                return None
            new = np.full_like(old, fill, shape=zero_weights(len(old) - 1, n_rows, old.dtype).shape)
            for c, targets in enumerate(rows):
                for to, sign in targets:
                    new[:, to] = old[:, c] * (sign if signed else 1)
            return new

        mistakes = self.mistakes
        if mistakes is not None:
            mistakes = replace(mistakes, events=mistakes.events.grown(rows))
        w = spread_out(self.w)
        assert w is not None
        return replace(
            self,
            n_rows=n_rows,
            w=w,
            start=spread_out(self.start),
            spread=spread_out(self.spread, 1.0, signed=False),
            sums=spread_out(self.sums),
            mistakes=mistakes,
        )
