"""Which weights answer? The state of a run, and every readout that can be taken from it.

The run never depends on the readout. `last` needs only the weights; `average` needs the lazy sums or the mistakes;
`vote` needs the mistakes; `pocket` needs its copy of the best weights. See core/base/readout.hpp for the formulas.
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


@dataclass
class Mistakes:
    """The rows added, in order, and the rows themselves."""

    events: Events = field(default_factory=Events)
    support: Matrix = None  # the rows that were added at least once ...
    support_row: Array = field(default_factory=lambda: np.empty(0, np.int64))  # ... and their numbers

    def extend(self, visit: Array, row: Array, cls: Array, tau: Array, *, X: Matrix, number: Array) -> "Mistakes":
        """Add mistakes on rows of X. `number` has their numbers among all rows, ascending."""
        row = number[row]
        new = np.setdiff1d(row, self.support_row)
        added = X[np.searchsorted(number, new)]
        return Mistakes(
            Events.join([self.events, Events(visit, row, cls, tau)]),
            added if self.support is None else stack_rows(self.support, added),
            np.concatenate([self.support_row, new]),
        )

    @property
    def support_index(self) -> Array:
        """For each mistake, the number of the support row that it added."""
        order = np.argsort(self.support_row)
        return np.asarray(order[np.searchsorted(self.support_row, self.events.row, sorter=order)])

    def sums(self, factor: Array, n_machines: int) -> Array:
        """For each row of weights and each support row, the sum of factor * tau."""
        sums = np.zeros((n_machines, len(self.support_row)))
        np.add.at(sums, (self.events.cls, self.support_index), factor * self.events.tau)
        return sums


def _with_long_indices(X: SparseRows) -> SparseRows:
    return replace(X, indices=X.indices.astype(np.int64), indptr=X.indptr.astype(np.int64))


class LinearState(_core.LinearState):
    """The state of a run, which the core changes, and what its readouts need. Arrays are shared, not copied.

    The weights that answer are unit * w, see core/base/step.hpp. `start` has the weights before the first visit, if
    they were not zero, `mistakes` all so far, if the run keeps them. The rest is in core/linear/state.hpp.
    """

    def __init__(
        self,
        w: Array,
        n_machines: int,
        bias: float,
        unit: float = 1.0,
        start: Array | None = None,
        mistakes: Mistakes | None = None,
        **of_core: Any,
    ) -> None:
        super().__init__(w, n_machines, bias, keep_mistakes=mistakes is not None, **of_core)
        self.unit, self.start, self.mistakes = unit, start, mistakes

    @classmethod
    def begin(
        cls, w: Array, n_machines: int, bias: float, unit: float, *, step: str, readout: str, keep_mistakes: bool
    ) -> Self:
        """The state before the first visit, with the arrays that `step` and `readout` need."""
        return cls(
            w,
            n_machines,
            bias,
            unit,
            start=w.copy() if w.any() else None,
            spread=np.ones_like(w) if step == "arow" else None,
            sums=np.zeros(w.shape) if readout == "average" else None,
            pocket=w.copy() if readout == "pocket" else None,
            mistakes=Mistakes() if keep_mistakes or readout == "vote" else None,
        )

    def with_changes(self, **changes: Any) -> "LinearState":
        """A copy with other values for these parameters of the constructor; the other arrays are shared."""
        return _state_of(self._fields() | changes)

    def __reduce__(self) -> Any:
        """Copies and pickles use the constructor's parameters; a deep copy copies each of them."""
        return _state_of, (self._fields(),)

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _FIELDS}

    def trainable(self) -> "LinearState":
        """A copy for training: it has arrays of its own for all that training changes, if only weights are kept."""
        return self.with_changes(**{name: array.copy() for name, array in self._changing()})

    def _changing(self) -> list[tuple[str, Array]]:
        """The arrays that training changes, without the pocket."""
        return [(name, array) for name in ("w", "spread", "sums") if (array := getattr(self, name)) is not None]

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.w.dtype)

    def copy(self) -> "LinearState":
        return copy.deepcopy(self)

    @contextmanager
    def all_or_nothing(self, X: Matrix) -> Iterator[None]:
        """Restore the weights if training on X fails. Only weights that X can change are saved.

        Read-only weights, such as those of a mapped file, are copied first.
        """
        for name, array in self._changing():
            if not array.flags.writeable:
                setattr(self, name, array.copy())
        last = self.n_features
        few = is_sparse(X) and X.nnz <= last
        touched: Any = np.append(X.indices.clip(0, last), last) if few else slice(None)
        saved = [(array, array[touched].copy()) for _, array in self._changing()]
        try:
            yield
        except BaseException:
            for array, values in saved:
                array[touched] = values
            raise

    def weights(self, readout: str) -> Array | None:
        """The weights that answer, in the layout of the core; None if the run did not keep what the readout needs."""
        if readout == "average":
            sums = self.sums if self.sums is not None else self._sums_of_mistakes()
            return None if sums is None else self.with_changes(sums=sums).average(self.unit)
        weights = self.pocket if readout == "pocket" else None if readout == "vote" else self.w
        return weights if weights is None or self.unit == 1 else weights * weights.dtype.type(self.unit)

    def _sums_of_mistakes(self) -> Array | None:
        if self.mistakes is None or self.mistakes.support is None:
            return None if self.mistakes is None else np.zeros(self.w.shape)
        per_row = self.mistakes.sums(self.mistakes.events.visit, self.n_machines)
        sums = np.zeros(self.w.shape)
        support = self.mistakes.support
        for c, factor in enumerate(per_row):  # if there are many classes, each has added few of the rows
            used = np.flatnonzero(factor)
            rows = support if len(used) == len(factor) else support[used]
            factor = factor[used]
            sums[:-1, c] = rows.times(factor[np.newaxis])[0] if is_sparse(rows) else factor @ rows
        sums[-1, : self.n_machines] = per_row.sum(axis=1) * self.bias
        return sums

    def votes(self, X: Matrix, tie: str) -> Array:
        """For each row of X and each class, the number of visits that the weights with this answer survived."""
        mistakes = self.mistakes
        if mistakes is None:
            raise RuntimeError("the run kept no mistakes")
        votes = np.zeros((X.shape[0], max(2, self.n_machines)))
        start = zero_weights(X.shape[1], self.n_machines, self.w.dtype) if self.start is None else self.start
        X = as_type(X, self.w.dtype)
        # For an empty X, numpy may make an array whose columns are not contiguous, which the core refuses.
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
            score(rows, start, self.n_machines, self.bias),
            votes,
        )
        return votes

    def decision(self, X: Matrix, readout: str, tie: str) -> Array:
        """Scores, or for a vote the share of each side: (rows,) for two classes, (rows, classes) for more."""
        if readout == "vote":
            votes = self.votes(X, tie) / max(1, self.visits)
            return np.asarray(votes[:, 1] - votes[:, 0] if self.n_machines == 1 else votes)
        w = self.weights(readout)
        if w is None:
            raise RuntimeError(f"the run kept no {readout}")
        decision = score(core_rows(X, check=False), w, self.n_machines, self.bias)
        return decision[:, 0] if self.n_machines == 1 else decision

    def dual_coef(self, n_seen: int) -> Array:
        """(n_machines, n_seen): how often each row, times its step, was added to each row of weights."""
        if self.mistakes is None:
            raise RuntimeError("the run kept no mistakes")
        dual = np.zeros((self.n_machines, n_seen))
        dual[:, self.mistakes.support_row] = self.mistakes.sums(np.ones_like(self.mistakes.events.tau), self.n_machines)
        return dual * self.unit

    def in_units_of(self, unit: float) -> "LinearState":
        """The same weights, for another learning rate."""
        if unit == self.unit:
            return self
        factor = self.unit / unit
        scaled: dict[str, Any] = {
            name: array * array.dtype.type(factor)
            for name in ("w", "start", "sums", "pocket")
            if (array := getattr(self, name)) is not None
        }
        mistakes = self.mistakes
        if mistakes is not None:
            mistakes = replace(mistakes, events=replace(mistakes.events, tau=mistakes.events.tau * factor))
        return self.with_changes(unit=unit, mistakes=mistakes, **scaled)

    def without_pocket(self) -> "LinearState":
        """Remove the pocket, because it belongs to one training set, and further rows are another."""
        return self.with_changes(pocket=None, pocket_errors=np.inf)

    def with_features(self, first: int, last: int) -> "LinearState":
        """Keep only the features `first` to `last`; new features get zero weights."""

        def cut(old: Array | None, fill: float = 0.0) -> Array | None:
            if old is None:
                return None
            new = np.full_like(old, fill, shape=(last - first + 1, old.shape[1]))
            known = old[first : min(last, len(old) - 1)]
            new[: len(known)], new[-1] = known, old[-1]
            return new

        return self.with_changes(
            w=cut(self.w), start=cut(self.start), spread=cut(self.spread, 1.0), sums=cut(self.sums)
        )

    def grow(self, n_machines: int, rows: list[list[tuple[int, float]]]) -> "LinearState":
        """Make room for more classes: `rows[c]` has the new rows of the old row c, and their signs."""

        def spread_out(old: Array | None, fill: float = 0.0, *, signed: bool = True) -> Array | None:
            if old is None:
                return None
            new = np.full_like(old, fill, shape=zero_weights(len(old) - 1, n_machines, old.dtype).shape)
            for c, targets in enumerate(rows):
                for to, sign in targets:
                    new[:, to] = old[:, c] * (sign if signed else 1)
            return new

        mistakes = self.mistakes
        if mistakes is not None:
            mistakes = replace(mistakes, events=mistakes.events.grow(rows))
        return self.with_changes(
            n_machines=n_machines,
            w=spread_out(self.w),
            start=spread_out(self.start),
            spread=spread_out(self.spread, 1.0, signed=False),
            sums=spread_out(self.sums),
            mistakes=mistakes,
        )


_OF_CORE = ("visits", "unaveraged", "spread", "sums", "pocket", "pocket_errors")
_FIELDS = ("w", "n_machines", "bias", "unit", "start", "mistakes", *_OF_CORE)


def _state_of(fields: dict[str, Any]) -> LinearState:
    return LinearState(**fields)
