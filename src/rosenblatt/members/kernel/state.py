"""The state of a dual run: its support vectors, its events, and every readout that can be taken from them."""

import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import n_weight_rows, rows_after
from rosenblatt.base.rows import Matrix
from rosenblatt.members.kernel.events import EventList, factors
from rosenblatt.members.kernel.parameters import Readout
from rosenblatt.members.kernel.threads import Workers
from rosenblatt.members.kernel.values import Kernel, Vectors

if TYPE_CHECKING:
    from rosenblatt.members.kernel.projection import Projection

BLOCK = 512  # rows scored at once where nothing else is asked for


class Hypothesis(NamedTuple):
    """Support vectors, their numbers among all training rows, and their coefficients, times `unit` / `visits`.

    These two come last of all, so that a tie of whole numbers stays one.
    """

    support_row: Array
    support: Vectors | None
    coef: Array  # (support vectors, machines)
    visits: int
    unit: float

    def scaled(self, values: Array) -> Array:
        """Coefficients, or scores made with them, times `unit` / `visits`."""
        return np.asarray(values / self.visits * self.unit)


@dataclass
class DualState:
    """A run so far."""

    kernel: Kernel
    n_rows: int  # machines: 1 for two classes, else one a class
    joint: bool  # whether machines move together (argmax)
    unit: float  # the learning rate: effective coefficients = unit * coefficients
    draw: float  # where in the run readout="random" looks, from 0 to 1
    dtype: Any  # of the rows
    events: EventList = field(default_factory=EventList)
    support: Vectors | None = None
    support_row: Array = field(default_factory=lambda: np.empty(0, np.int64))
    support_target: Array = field(default_factory=lambda: np.empty(0, np.int32))  # their classes
    norm2: Array = field(default_factory=lambda: np.empty(0))
    ends: list[int] = field(default_factory=list)  # the visits made at the end of each pass
    dictionary: "Projection | None" = None  # keeps the budget, once it is full, in place of the events

    @property
    def visits(self) -> int:
        """Visits made in the passes that are over."""
        return self.ends[-1] if self.ends else 0

    def window(self, readout: Readout) -> tuple[int, int]:
        """The visits from which to which a readout is taken."""
        ends = [0, *self.ends]
        made = len(self.ends)
        stop = made if readout.passes is None else min(float(readout.passes), made)
        start = 0.0 if readout.suffix is None else max(0.0, stop - float(readout.suffix))
        first, last = (int(np.interp(at, range(len(ends)), ends)) for at in (start, stop))
        if readout.name == "random":
            last = first + int(self.draw * (last - first)) + 1 if last > first else last
        return first, last

    def hypothesis(self, readout: Readout) -> Hypothesis:
        """What answers."""
        kept = self.dictionary
        if kept is not None:
            return Hypothesis(kept.support_row, kept.support, kept.coef(readout, self.visits), 1, self.unit)
        if readout.name == "vote":
            raise AttributeError("a vote has no coefficients: each hypothesis of the run answers for itself")
        first, last = self.window(readout)
        events = self.events.since().before(last)
        n = int(events.row.max()) + 1 if len(events) else 0
        factor = factors(events, readout.name, first, last, normalise=readout.normalise, joint=self.joint)
        coef = np.zeros((n, self.n_rows))
        row, cls, total = events.sums(factor)
        coef[row, cls] = total
        visits = max(1, last - first) if readout.name == "average" else 1
        support = None if self.support is None else self.support[:n]
        return Hypothesis(self.support_row[:n], support, coef, visits, 1.0 if readout.normalise else self.unit)

    def decision(self, X: Matrix, readout: Readout, tie: str, threads: Workers) -> Array:
        """Scores, or for a vote the share of each side: (rows,) for two classes, (rows, classes) for more."""
        decide = self._votes if readout.name == "vote" and self.dictionary is None else self._scores
        decision = decide(X, readout, tie, threads)
        return decision[:, 0] if self.n_rows == 1 else decision

    def _scores(self, X: Matrix, readout: Readout, _tie: str, threads: Workers) -> Array:
        hypothesis = self.hypothesis(readout)
        support, coef = hypothesis.support, hypothesis.coef
        scores = np.zeros((X.shape[0], self.n_rows))
        row, cls = np.nonzero(coef)
        if support is None or len(row) == 0:
            return scores
        for first, block in self._blocks(X):
            score = np.zeros((self.n_rows, len(block)))
            for held, tile in threads.tiles(self.kernel, support, block, np.arange(len(support))):
                part = slice(*np.searchsorted(row, (held[0], held[-1] + 1)))
                add([tile], row[part] - held[0], cls[part], coef[row[part], cls[part]], score)
            scores[first : first + len(block)] = score.T
        return hypothesis.scaled(scores)

    def _votes(self, X: Matrix, readout: Readout, tie: str, threads: Workers) -> Array:
        first, last = self.window(readout)
        events = self.events.since().before(last)
        votes = np.zeros((X.shape[0], max(2, self.n_rows)))
        votes[:, -1 if tie == "positive" else 0] = last - first  # where nothing was ever added
        if len(events) and self.support is not None:
            support = self.support[: int(events.row.max()) + 1]
            for start, block in self._blocks(X):
                values = threads.values(self.kernel, support, block)
                found = np.zeros((votes.shape[1], len(block)))
                _core.kernel_vote(
                    values,
                    *(events.visit, events.row, events.cls, events.tau, events.norm2),
                    first=first,
                    last=last,
                    machines=self.n_rows,
                    tie=tie,
                    normalise=readout.normalise and not self.joint,
                    votes=found,
                )
                votes[start : start + len(block)] = found.T
        votes /= max(1, last - first)
        return votes[:, 1:] - votes[:, :1] if self.n_rows == 1 else votes

    def _blocks(self, X: Matrix) -> Any:
        vectors = self.kernel.vectors(X)
        return ((first, vectors[first : first + BLOCK]) for first in range(0, X.shape[0], BLOCK))

    def in_units_of(self, unit: float) -> "DualState":
        """The same hypotheses, for another learning rate."""
        if unit == self.unit:
            return self
        if self.dictionary is not None:
            raise ValueError(f"partial_fit cannot change eta0 ({self.unit} before) once a budget is full")
        factor = self.unit / unit
        events = self.events.since()
        scaled = replace(events, tau=events.tau * factor, norm2=events.norm2 * factor**2)
        return replace(self, unit=unit, events=EventList(scaled), norm2=self.norm2 * factor**2)

    def copy(self) -> "DualState":
        """As it is now, whatever the run does next."""
        kept = copy.deepcopy(self.dictionary)
        events = EventList(self.events.since())
        return replace(self, events=events, norm2=self.norm2.copy(), ends=[*self.ends], dictionary=kept)

    def grown(self, old: Array, new: Array) -> "DualState":
        """With more classes: those that were, and all there are now."""
        rows, n_rows = rows_after(old, new, 1.0), n_weight_rows(len(new))
        norm2 = np.zeros(n_rows)
        place = np.resize(np.searchsorted(new, old), max(2, len(old))).astype(np.int32)  # an only class is the second
        for c, targets in enumerate(rows if len(self.norm2) else ()):  # there are none before the first row
            for to, _ in targets:
                norm2[to] = self.norm2[c]
        return replace(
            self,
            n_rows=n_rows,
            events=EventList(self.events.since().grown(rows)),
            norm2=norm2,
            support_target=place[self.support_target],
            dictionary=None if self.dictionary is None else self.dictionary.grown(n_rows, rows, place),
        )


def add(tiles: list[Array], row: Array, cls: Array, tau: Array, score: Array) -> None:
    """score[cls] += tau * values[row], for each triple, rows ascending; tiles have the values, one below another."""
    _core.kernel_add(tiles, row, cls.astype(np.int32, copy=False), tau, score)
