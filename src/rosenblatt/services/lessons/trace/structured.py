"""A structured run, update by update: what was right, what was said, what was added. Data that prints as a table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from rosenblatt.base.rows import is_sparse
from rosenblatt.members.structured.features import values
from rosenblatt.services.lessons.trace.numbers import LONG_VECTOR, printable, quantity, short_number, vector
from rosenblatt.services.lessons.trace.table import SHOWN, lines_of, shorten

if TYPE_CHECKING:
    from rosenblatt.members.structured.perceptron import StructuredRun

HEADS = ("pass", "visit", "example", "right", "answer", "added", "|w|", "k")
TEXTS = ("right", "answer", "added")  # columns set to the left; numbers are set to the right
WIDEST = 70  # characters of a cell


class Update(NamedTuple):
    """One update: in pass `pass_`, at visit `visit`, both from 1, row `row` of X, from 0, was answered wrong.

    `added` is what came to the weights, `norm` their length after it, `k` the updates so far.
    """

    pass_: int
    visit: int
    row: int
    right: Any
    answer: Any
    added: Any
    norm: float
    k: int


@dataclass(frozen=True, eq=False, repr=False)
class StructuredTrace:
    """The updates of a structured run; at all other visits nothing had to change, and nothing changed.

    A loop goes through the updates. Printed tables count examples from 1.

    Attributes
    ----------
    updates : one `Update` each
    visits : how many there were
    mistakes : of each pass
    converged : whether the last pass was clean
    """

    updates: tuple[Update, ...]
    visits: int
    mistakes: tuple[int, ...]
    converged: bool

    @classmethod
    def of(cls, run: "StructuredRun") -> Self:
        """Of a run that has kept its mistakes."""
        norms = [math.sqrt(sum(v * v for v in values(w))) for w, _ in run.replay()]
        updates = (
            Update(m.pass_, m.visit + 1, m.row, m.right, m.wrong, _times(m.step, m.difference), norm, k)
            for k, (m, norm) in enumerate(zip(run.kept, norms[1:], strict=True), start=1)
        )
        return cls(tuple(updates), run.visits, tuple(run.passes), run.passes[-1] == 0)

    def __len__(self) -> int:
        return len(self.updates)

    def __iter__(self) -> Iterator[Update]:
        return iter(self.updates)

    def __repr__(self) -> str:
        state = "converged" if self.converged else "not converged"
        return f"StructuredTrace({quantity(self.visits, 'visit')}, {quantity(len(self), 'update')}, {state})"

    def __str__(self) -> str:
        return self.table(limit=SHOWN)

    def table(self, *, limit: int | None = None) -> str:
        """All updates, or of more than `limit` the first and the last; examples are counted from 1."""
        half, left_out = shorten(len(self), limit, "update")
        shown = [*self.updates[:half], *self.updates[len(self) - half :]] if left_out else self.updates
        columns = zip(HEADS, *map(_cells, shown), strict=True)
        rows = lines_of(((column[0] not in TEXTS, list(column)) for column in columns), half, left_out)
        state = "converged" if self.converged else "not converged"
        end = f"{state}: {quantity(self.visits, 'visit')} in {quantity(len(self.mistakes), 'pass')}, "
        end += f"{quantity(len(self), 'update')}; at all other visits nothing had to change"
        return "\n".join([*rows, end])


def _times(step: Any, difference: Any) -> Any:
    return {name: step * v for name, v in difference.items()} if isinstance(difference, dict) else step * difference


def _cells(update: Update) -> tuple[str, ...]:
    counts = (update.pass_, update.visit, update.row + 1)
    texts = (_short(_output(update.right)), _short(_output(update.answer)), _short(_vector(update.added)))
    return (*map(str, counts), *texts, short_number(update.norm), str(update.k))


def _output(y: Any) -> str:
    return " ".join(map(printable, y)) if isinstance(y, list | tuple | np.ndarray) else printable(y)


def _vector(added: Any) -> str:
    if isinstance(added, np.ndarray):
        return vector(added, LONG_VECTOR)
    if is_sparse(added):
        added = dict(zip(added.indices.tolist(), added.data.tolist(), strict=True))
    return ", ".join(f"{_name(name)} {'+' if v > 0 else ''}{short_number(v)}" for name, v in added.items())


def _name(name: Any) -> str:
    return f"({', '.join(map(printable, name))})" if isinstance(name, tuple) else printable(name)


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."
