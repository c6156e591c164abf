"""How long? When a run of passes ends, and why.

It ends at the first pass without a mistake. `max_iter` is a maximum of passes, or "auto". "auto" first waits for a
plateau: five passes in a row without a new minimum of mistakes that is 5 % below the last one. Then it asks whether the
rows can be separated at all. If they certainly cannot, every pass will have a mistake, so the run ends. Otherwise it
continues, because separable rows may need long: n rows get a million visits, or 10 n^2 if that is more (random
separable sets of n rows need up to 3 n^2), but beyond 1000 rows only 10^13 / n^2. After these visits a plateau always
ends the run, and so does pass 1000. A pocket, which looks at many rows after each mistake, gets a twentieth of the
visits.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rosenblatt.base.record.parts import MOST, Parts, Tensors

__all__ = ["sure_passes"]

End = Literal["clean", "limit", "plateau", "inseparable", "no change", "callback"]

_ENDS = (None, "clean", "limit", "plateau", "no change")  # the ends of a run in a checkpoint
SMALL, PROGRESS, PATIENCE, AUTO_LIMIT = 1000, 0.95, 5, 1000


def sure_passes(n_rows: int, *, pocket: bool = False) -> int:
    """The passes that max_iter="auto" makes unless one has no mistake or the rows are known to be inseparable."""
    visits = max(10**6, 10 * n_rows**2) if n_rows <= SMALL else 10**13 // n_rows**2
    return visits // n_rows // (20 if pocket else 1)


@dataclass
class Stopping:
    """Decides after each pass whether the run ends, and why.

    With `tol`, it also ends when the loss (or the error on the held-out part) has not fallen by more than `tol` for
    `n_iter_no_change` passes.
    """

    n_rows: int
    max_iter: int | Literal["auto"]
    tol: float | None
    n_iter_no_change: int
    pocket: bool = False
    at_least: int | None = None  # minimum of passes for "auto"; None: see `sure_passes`
    inseparable: Callable[[], bool] | None = None  # whether that is certain; called at most once, at the first plateau
    mistakes: list[int] = field(default_factory=list)
    end: End | None = None
    _fewest: tuple[int, int] = (-1, 0)  # the minimum of mistakes, and its pass
    _best: float = float("inf")
    _no_change: int = 0

    @property
    def _sure(self) -> int:
        return sure_passes(self.n_rows, pocket=self.pocket) if self.at_least is None else self.at_least

    def passes_ahead(self) -> int:
        """How many passes to make before the next call of `after`.

        As many as possible, because each call of the core checks all columns again: Python may have changed them.
        """
        if self.tol is not None:
            return 1
        last = self._may_end if self.max_iter == "auto" else self.max_iter
        return max(1, last - len(self.mistakes))

    @property
    def _may_end(self) -> int:
        """The earliest pass after which "auto" may end the run, or ask whether the rows can be separated at all."""
        plateau = self._fewest[1] + PATIENCE
        return plateau if self.inseparable is not None else max(self._sure, min(plateau, AUTO_LIMIT))

    def after(self, mistakes: list[int], cost: float) -> bool:
        """Count the mistakes of the next passes and the cost of the last one. Return True when the run is over."""
        self.mistakes += mistakes
        passes, last = len(self.mistakes), self.mistakes[-1]
        for number, count in enumerate(mistakes, start=passes - len(mistakes) + 1):
            if self._fewest[0] < 0 or count < PROGRESS * self._fewest[0]:
                self._fewest = (count, number)
        if last == 0:
            self.end = "clean"
        elif self.tol is not None and self._stands_still(cost):
            self.end = "no change"
        elif self.max_iter != "auto":
            self.end = "limit" if passes >= self.max_iter else None
        elif passes >= self._sure and (passes - self._fewest[1] >= PATIENCE or passes >= AUTO_LIMIT):
            self.end = "plateau"
        elif self.inseparable is not None and passes - self._fewest[1] >= PATIENCE:
            ask, self.inseparable = self.inseparable, None
            self.end = "inseparable" if ask() else None
        return self.end is not None

    def halt(self) -> None:
        """End the run, because `watch` wants it."""
        self.end = self.end or "callback"

    def _stands_still(self, cost: float) -> bool:
        assert self.tol is not None
        self._no_change = 0 if cost < self._best - self.tol else self._no_change + 1
        self._best = min(cost, self._best)
        return self._no_change >= self.n_iter_no_change

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        """How far it is, for the record of a checkpoint; arrays join the tensors."""
        tensors["mistakes_"] = np.array(self.mistakes, dtype=np.int64)
        tensors["fewest"] = np.array(self._fewest, dtype=np.int64)
        best = None if self._best == np.inf else self._best
        return {"stopped": self.end if self.end in _ENDS else None, "best": best, "no_change": self._no_change}

    def restore(self, parts: Parts) -> None:
        self.mistakes = parts.integers("mistakes_", None, "int64", below=MOST).tolist()
        fewest, after = parts.tensor("fewest", (2,), "int64").tolist()
        self._fewest = fewest, after
        self._best, self._no_change = parts.number("best", none=np.inf), parts.count("no_change")
        self.end = parts.value("stopped", f"one of {_ENDS}", lambda value: value in _ENDS)
