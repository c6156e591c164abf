"""The state of a structured run: its weights, the lazy sums of their mean, and the mistakes, if they are kept."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt.base.rows import SparseRows
from rosenblatt.members.structured.features import Weights, add

PLAIN = ("w", "sums", "mistakes", "visits", "n_seen", "n_updates", "passes")


class Mistake(NamedTuple):
    """After `visit` visits, in pass `pass_` (from 1), row `row` of X (from 0) was answered wrong.

    `step` times `difference`, Phi(x, right) - Phi(x, wrong), was added to the weights.
    """

    visit: int
    pass_: int
    row: int
    right: Any
    wrong: Any
    step: Any
    difference: Any


@dataclass
class StructuredRun:
    """What happened so far."""

    w: Any
    sums: Any  # of visits * what was added at them: the mean of the weights after n visits is w - sums / n
    mistakes: list[Mistake] | None
    visits: int = 0
    n_seen: int = 0  # examples given
    n_updates: int = 0
    passes: list[int] = field(default_factory=list)  # the mistakes of each
    _taken: tuple[int, Any] = (0, None)  # after how many visits, and the average then

    def add(self, mistake: Mistake) -> None:
        """One update."""
        add(self.w, mistake.step, mistake.difference)
        add(self.sums, mistake.visit * mistake.step, mistake.difference)
        self.n_updates += 1
        if self.mistakes is not None:
            self.mistakes.append(mistake)

    @property
    def kept(self) -> list[Mistake]:
        """The mistakes, which not every run keeps."""
        if self.mistakes is None:
            raise AttributeError("this run did not keep its mistakes; fit with keep_mistakes=True or readout='vote'")
        return self.mistakes

    def weights(self, readout: str) -> Any:
        """The last weights, or the mean of those after each visit, which is taken once."""
        if readout == "last":
            return self.w
        if self._taken[0] != self.visits:
            self._taken = self.visits, self._average(self.visits)
        return self._taken[1]

    def _average(self, n: int) -> Any:
        # One division at the end, so that the mean of ints is rounded once.
        if isinstance(self.w, dict):
            return Weights({name: (n * value - self.sums[name]) / n for name, value in self.w.items()})
        return (n * self.w - self.sums) / n

    def replayed(self) -> Iterator[tuple[Any, int]]:
        """Each weight vector, and the visits that it survived; it is the same object, moved from one to the next."""
        w: Any = Weights() if isinstance(self.w, dict) else np.zeros_like(self.w)
        since = 0
        for mistake in self.kept:
            yield w, mistake.visit - since
            add(w, mistake.step, mistake.difference)
            since = mistake.visit
        yield w, self.visits - since

    def votes(self, decode: Callable[[Any, Any], Any], X: list[Any]) -> list[list[list[Any]]]:
        """For each x the answers [y, n] in the order of their coming, n the visits survived by weights that say y."""
        votes: list[list[list[Any]]] = [[] for _ in X]
        for w, survived in self.replayed():
            if not survived:
                continue
            for x, found in zip(X, votes, strict=True):
                answer = decode(w, x)
                for vote in found:
                    if same(vote[0], answer):
                        vote[1] += survived
                        break
                else:
                    found.append([answer, survived])
        return votes

    def copy(self) -> "StructuredRun":
        """To learn on, and leave this one as it is."""
        kept = None if self.mistakes is None else [*self.mistakes]
        return replace(self, w=copy(self.w), sums=copy(self.sums), mistakes=kept, passes=[*self.passes])

    def as_plain(self) -> dict[str, Any]:
        """As dicts, tuples and arrays, for a pickle that names no class of this room."""
        found = {name: getattr(self, name) for name in PLAIN}
        if isinstance(self.w, dict):
            found |= {"w": dict(self.w), "sums": dict(self.sums)}
        if self.mistakes is not None:
            found["mistakes"] = [(*mistake[:-1], _plain(mistake.difference)) for mistake in self.mistakes]
        return found

    @classmethod
    def of_plain(cls, found: dict[str, Any]) -> Self:
        """What `as_plain` made."""
        found = dict(found)
        if isinstance(found["w"], dict):
            found |= {"w": Weights(found["w"]), "sums": Weights(found["sums"])}
        if found["mistakes"] is not None:
            found["mistakes"] = [Mistake._make((*rest, _vector(plain))) for *rest, plain in found["mistakes"]]
        return cls(**found)


def same(y: Any, z: Any) -> bool:
    """Whether two outputs are equal, as Python's == has it; arrays are if all their entries are."""
    if {type(y), type(z)} == {list, tuple}:
        raise TypeError("decode gives lists where y has tuples, or tuples for lists: in Python these are never equal")
    if isinstance(y, np.ndarray) or isinstance(z, np.ndarray):
        return np.array_equal(y, z)
    return bool(y == z)


def _plain(vector: Any) -> Any:
    if not isinstance(vector, SparseRows):
        return vector
    return vector.data, vector.indices, vector.indptr, vector.n_columns


def _vector(plain: Any) -> Any:
    return SparseRows(*plain) if isinstance(plain, tuple) else plain
