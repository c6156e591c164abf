"""One ordered list of events gives every readout, at any stopping time.

After `visit` visits, `tau` times support vector `row` was added to machine `cls`, whose squared length then was
`norm2`. The hypothesis of a machine is v = sum of tau k(x, .). With a window of visits from `first` to `last`:
  last: every event before `last`, once.        random: the same with `last` drawn.
  average: an event at visit t is in the hypotheses after visits max(t, first) to last - 1. The division comes last of
      all, so that a tie of whole numbers stays one.
  normalised: each hypothesis is divided by its length |v| first. One-vs-rest machines have each its own length; where
      two rows move together (argmax), the length is that of all rows.
  vote: the list is replayed, see core/kernel/kernel_readout.hpp.
"""

from dataclasses import dataclass, field, fields

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.members.events import Events


@dataclass
class KernelEvents(Events):
    """The list, or a piece of it; `norm2` is the squared length of the machine after the event."""

    norm2: Array = field(default_factory=lambda: np.empty(0, np.float64))

    @classmethod
    def blank(cls, size: int) -> "KernelEvents":
        """Room for so many."""
        return cls(*(np.empty(size, getattr(cls(), f.name).dtype) for f in fields(cls)))

    def before(self, visit: int) -> "KernelEvents":
        """Those of the first `visit` visits."""
        return self[: np.searchsorted(self.visit, visit)]

    def sums(self, factor: Array | None = None) -> tuple[Array, Array, Array]:
        """For each support vector and machine the sum of tau (times `factor`): rows ascending, machines, sums."""
        width = int(self.cls.max()) + 1 if len(self) else 1
        key, at = np.unique(self.row * width + self.cls, return_inverse=True)
        total = np.bincount(at, weights=self.tau if factor is None else self.tau * factor, minlength=len(key))
        return key // width, (key % width).astype(np.int32), total


class EventList:
    """A list that grows: room is made for twice as many, so that it is made seldom."""

    def __init__(self, events: KernelEvents | None = None) -> None:
        self._space = KernelEvents() if events is None else events
        self._size = len(self._space)

    def __len__(self) -> int:
        return self._size

    def since(self, mark: int = 0) -> KernelEvents:
        """The events from number `mark` on. They do not change when more come."""
        return self._space[mark : self._size]

    def append(self, events: KernelEvents) -> None:
        """Also these."""
        size = self._size + len(events)
        if size > len(self._space):
            self._space = KernelEvents.joined([self.since(), KernelEvents.blank(size)])
        for f in fields(KernelEvents):
            getattr(self._space, f.name)[self._size : size] = getattr(events, f.name)
        self._size = size


def factors(events: KernelEvents, readout: str, first: int, last: int, *, normalise: bool, joint: bool) -> Array:
    """What each event's tau counts for in the hypothesis that answers, or in the sum of those averaged.

    All events are before `last`.
    """
    survived = last - np.maximum(events.visit, first)
    if not normalise:
        return survived if readout == "average" else np.ones(len(events))
    factor = np.empty(len(events))
    for own in [np.arange(len(events))] if joint else [np.flatnonzero(events.cls == c) for c in set(events.cls)]:
        part = events[own]
        norm2 = _joint_norm2(part) if joint else part.norm2
        inverse = np.where(norm2 > 0, 1 / np.sqrt(np.where(norm2 > 0, norm2, 1)), 0)
        if readout == "average":
            # The hypothesis after event k lives until event k + 1; an event is in all those from its own on.
            lived = survived[own] - np.append(survived[own][1:], 0)
            factor[own] = np.cumsum((lived * inverse)[::-1])[::-1]
        else:
            factor[own] = inverse[-1] if len(own) else 0
    return factor


def _joint_norm2(events: KernelEvents) -> Array:
    """The squared length of all machines together after each event."""
    change = np.empty(len(events))
    for c in set(events.cls):
        own = events.cls == c
        change[own] = np.diff(events.norm2[own], prepend=0)
    return np.cumsum(change)
