"""The state of a dual run: its support vectors, one ordered list of events, and every readout taken from them.

After `visit` visits, `tau` times support vector `row` was added to machine `cls`, whose squared length then was
`norm2`. The hypothesis of a machine is v = sum of tau k(x, .). With a window of visits from `first` to `last`:
  last: every event before `last`, once.        random: the same with a random `last`.
  average: an event at visit t is in the hypotheses after visits max(t, first) to last - 1. The division comes
      last, so that ties of whole numbers stay ties.
  normalised: each hypothesis is divided by its length |v| first. One-vs-rest machines each have a length of
      their own; if machines change together (argmax), the length is that of all machines.
  vote: the list is replayed, see core/kernel/kernel_readout.hpp.
"""

import copy
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import count_machines, rows_after
from rosenblatt.base.rows import Matrix
from rosenblatt.members.events import Events
from rosenblatt.members.kernel.parameters import Readout
from rosenblatt.members.kernel.values import Kernel, Vectors, Workers

if TYPE_CHECKING:
    from rosenblatt.members.kernel.projection import Projection


@dataclass
class KernelEvents(Events):
    """The list, or a piece of it; `norm2` is the squared length of the machine after the event."""

    norm2: Array = field(default_factory=lambda: np.empty(0, np.float64))

    @classmethod
    def blank(cls, size: int) -> "KernelEvents":
        return cls(*(np.empty(size, getattr(cls(), f.name).dtype) for f in fields(cls)))

    def before(self, visit: int) -> "KernelEvents":
        return self[: np.searchsorted(self.visit, visit)]

    def sums(self, factor: Array | None = None) -> tuple[Array, Array, Array]:
        """The sum of tau (times `factor`) for each support vector and machine: rows ascending, machines, sums."""
        width = int(self.cls.max()) + 1 if len(self) else 1
        key, at = np.unique(self.row * width + self.cls, return_inverse=True)
        total = np.bincount(at, weights=self.tau if factor is None else self.tau * factor, minlength=len(key))
        return key // width, (key % width).astype(np.int32), total


class EventList:
    """A list of events. Its memory doubles when it is full, so that events are seldom copied."""

    def __init__(self, events: KernelEvents | None = None) -> None:
        self._space = KernelEvents() if events is None else events
        self._size = len(self._space)

    def __len__(self) -> int:
        return self._size

    def since(self, mark: int = 0) -> KernelEvents:
        """The events from number `mark` on. They do not change when more come."""
        return self._space[mark : self._size]

    def append(self, events: KernelEvents) -> None:
        size = self._size + len(events)
        if size > len(self._space):
            self._space = KernelEvents.join([self.since(), KernelEvents.blank(size)])
        for f in fields(KernelEvents):
            getattr(self._space, f.name)[self._size : size] = getattr(events, f.name)
        self._size = size


def factors(events: KernelEvents, readout: str, first: int, last: int, *, normalise: bool, joint: bool) -> Array:
    """The factor of the tau of each event in the hypothesis that answers, or in the sum of hypotheses for an average.

    All events are before `last`.
    """
    survived = last - np.maximum(events.visit, first)
    if not normalise:
        return survived if readout == "average" else np.ones(len(events))
    factor = np.empty(len(events))
    for which in [np.arange(len(events))] if joint else [np.flatnonzero(events.cls == c) for c in set(events.cls)]:
        part = events[which]
        norm2 = _joint_norm2(part) if joint else part.norm2
        inverse = np.where(norm2 > 0, 1 / np.sqrt(np.where(norm2 > 0, norm2, 1)), 0)
        if readout == "average":
            # The hypothesis after event k lasts until event k + 1; it has all events up to k.
            lived = survived[which] - np.append(survived[which][1:], 0)
            factor[which] = np.cumsum((lived * inverse)[::-1])[::-1]
        else:
            factor[which] = inverse[-1] if len(which) else 0
    return factor


def _joint_norm2(events: KernelEvents) -> Array:
    """The squared length of all machines together after each event."""
    change = np.empty(len(events))
    for c in set(events.cls):
        of_it = events.cls == c
        change[of_it] = np.diff(events.norm2[of_it], prepend=0)
    return np.cumsum(change)


BLOCK = 512  # rows that are scored together by default


class Hypothesis(NamedTuple):
    """Support vectors, their numbers among all training rows, and their coefficients, times `unit` / `visits`.

    The last two are applied last, so that ties of whole numbers stay ties.
    """

    support_row: Array
    support: Vectors | None
    coef: Array  # (support vectors, machines)
    visits: int
    unit: float

    def scale(self, values: Array) -> Array:
        """Multiply coefficients, or scores made with them, by `unit` / `visits`."""
        return np.asarray(values / self.visits * self.unit)


@dataclass
class DualState:
    """A run so far."""

    kernel: Kernel
    n_machines: int  # machines: 1 for two classes, else one a class
    joint: bool  # whether machines move together (argmax)
    unit: float  # the learning rate: effective coefficients = unit * coefficients
    draw: float  # the place in the run of readout="random", from 0 to 1
    dtype: Any  # of the rows
    events: EventList = field(default_factory=EventList)
    support: Vectors | None = None
    support_row: Array = field(default_factory=lambda: np.empty(0, np.int64))
    support_target: Array = field(default_factory=lambda: np.empty(0, np.int32))  # their classes
    norm2: Array = field(default_factory=lambda: np.empty(0))
    ends: list[int] = field(default_factory=list)  # the number of visits at the end of each pass
    dictionary: "Projection | None" = None  # replaces the events when the budget is full

    @property
    def visits(self) -> int:
        return self.ends[-1] if self.ends else 0

    def window(self, readout: Readout) -> tuple[int, int]:
        """The first and last visit that a readout uses."""
        ends = [0, *self.ends]
        n_passes = len(self.ends)
        stop = n_passes if readout.passes is None else min(float(readout.passes), n_passes)
        start = 0.0 if readout.suffix is None else max(0.0, stop - float(readout.suffix))
        first, last = (int(np.interp(at, range(len(ends)), ends)) for at in (start, stop))
        if readout.name == "random":
            last = first + int(self.draw * (last - first)) + 1 if last > first else last
        return first, last

    def hypothesis(self, readout: Readout) -> Hypothesis:
        dictionary = self.dictionary
        if dictionary is not None:
            return Hypothesis(
                dictionary.support_row, dictionary.support, dictionary.coef(readout, self.visits), 1, self.unit
            )
        if readout.name == "vote":
            raise AttributeError("a vote has no coefficients: each hypothesis of the run answers for itself")
        first, last = self.window(readout)
        events = self.events.since().before(last)
        n = int(events.row.max()) + 1 if len(events) else 0
        factor = factors(events, readout.name, first, last, normalise=readout.normalise, joint=self.joint)
        coef = np.zeros((n, self.n_machines))
        row, cls, total = events.sums(factor)
        coef[row, cls] = total
        visits = max(1, last - first) if readout.name == "average" else 1
        support = None if self.support is None else self.support[:n]
        return Hypothesis(self.support_row[:n], support, coef, visits, 1.0 if readout.normalise else self.unit)

    def decision(self, X: Matrix, readout: Readout, tie: str, threads: Workers) -> Array:
        """Scores, or for a vote the share of each side: (rows,) for two classes, (rows, classes) for more."""
        decide = self._votes if readout.name == "vote" and self.dictionary is None else self._scores
        decision = decide(X, readout, tie, threads)
        return decision[:, 0] if self.n_machines == 1 else decision

    def _scores(self, X: Matrix, readout: Readout, _tie: str, threads: Workers) -> Array:
        hypothesis = self.hypothesis(readout)
        support, coef = hypothesis.support, hypothesis.coef
        scores = np.zeros((X.shape[0], self.n_machines))
        row, cls = np.nonzero(coef)
        if support is None or len(row) == 0:
            return scores
        for first, block in self._blocks(X):
            score = np.zeros((self.n_machines, len(block)))
            for which, tile in threads.tiles(self.kernel, support, block, np.arange(len(support))):
                part = slice(*np.searchsorted(row, (which[0], which[-1] + 1)))
                add([tile], row[part] - which[0], cls[part], coef[row[part], cls[part]], score)
            scores[first : first + len(block)] = score.T
        return hypothesis.scale(scores)

    def _votes(self, X: Matrix, readout: Readout, tie: str, threads: Workers) -> Array:
        first, last = self.window(readout)
        events = self.events.since().before(last)
        votes = np.zeros((X.shape[0], max(2, self.n_machines)))
        votes[:, -1 if tie == "positive" else 0] = last - first  # where nothing was ever added
        if len(events) and self.support is not None:
            support = self.support[: int(events.row.max()) + 1]
            for start, block in self._blocks(X):
                values = threads.values(self.kernel, support, block)
                of_block = np.zeros((votes.shape[1], len(block)))
                _core.kernel_vote(
                    values,
                    *(events.visit, events.row, events.cls, events.tau, events.norm2),
                    first=first,
                    last=last,
                    n_machines=self.n_machines,
                    tie=tie,
                    normalise=readout.normalise and not self.joint,
                    votes=of_block,
                )
                votes[start : start + len(block)] = of_block.T
        votes /= max(1, last - first)
        return votes[:, 1:] - votes[:, :1] if self.n_machines == 1 else votes

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
        dictionary = copy.deepcopy(self.dictionary)
        events = EventList(self.events.since())
        return replace(self, events=events, norm2=self.norm2.copy(), ends=[*self.ends], dictionary=dictionary)

    def grow(self, old: Array, new: Array) -> "DualState":
        """Make room for more classes: `old` are the classes so far, `new` all classes."""
        rows, n_machines = rows_after(old, new, 1.0), count_machines(len(new))
        norm2 = np.zeros(n_machines)
        place = np.resize(np.searchsorted(new, old), max(2, len(old))).astype(np.int32)  # a single class is the second
        for c, targets in enumerate(rows if len(self.norm2) else ()):  # there is none before the first row
            for to, _ in targets:
                norm2[to] = self.norm2[c]
        return replace(
            self,
            n_machines=n_machines,
            events=EventList(self.events.since().grow(rows)),
            norm2=norm2,
            support_target=place[self.support_target],
            dictionary=None if self.dictionary is None else self.dictionary.grow(n_machines, rows, place),
        )


def add(tiles: list[Array], row: Array, cls: Array, tau: Array, score: Array) -> None:
    """score[cls] += tau * values[row], for each triple, rows ascending; tiles have the values, one below another."""
    _core.kernel_add(tiles, row, cls.astype(np.int32, copy=False), tau, score)
