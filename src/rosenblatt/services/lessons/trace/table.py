"""A trace as a table for people: plain text and CSV here, LaTeX and HTML beside. Or as JSON, which is for programs.

People count examples from 1, and want some digits of a number, all of them only if they ask. JSON has the rows of X,
from 0, and numbers as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.services.lessons.trace.numbers import DIGITS, most_entries, printable, shown, vector
from rosenblatt.services.lessons.trace.page import SEE_ALL, lines_of, shortened

if TYPE_CHECKING:
    import os

    from rosenblatt.services.lessons.trace.data import Trace

PRINTED = ("pass", "example", "x", "y", "score", "mistake", "why", "after", "norm", "k")
FILED = ("visit", "pass", "example", "x", "y", "label", "score", "prediction", "mistake", "why", "after", "norm", "k")
NAMES = (*FILED, "before")
NUMBERS = {"visit", "pass", "example", "y", "score", "prediction", "norm", "k"}
HEADS = {"before": "weights before", "after": "weights after", "norm": "|w|"}
_ATTRIBUTES = {"pass": "pass_", "why": "reason", "example": "row"}
_LETTERS = {"x": "x", "before": "old w", "after": "w"}


@dataclass(frozen=True)
class Column:
    """A column of the table. A vector has an entry, and in files a name, for each of its numbers."""

    name: str
    parts: list[str]
    entries: list[list[Any]]  # of each visit
    width: int = 0  # of a vector
    digits: int | None = DIGITS

    @property
    def head(self) -> str:
        """What stands above it."""
        return HEADS.get(self.name, self.name)

    @property
    def is_number(self) -> bool:
        """Whether its cells are single numbers."""
        return self.name in NUMBERS and not self.width and all(not isinstance(e, str) for (e,) in self.entries)

    def cells(self, *, aligned: bool = False, short: bool = False) -> list[str]:
        """One text a visit; if `short`, without the end of a long vector."""
        signed = self.name in ("y", "prediction")
        texts = [
            [printable(e) if isinstance(e, str) else f"{e:+d}" if signed else shown(e, self.digits) for e in entries]
            for entries in self.entries
        ]
        if not self.width:
            return [text for (text,) in texts]
        if aligned:
            widths = [max(map(len, place)) for place in zip(*texts, strict=True)]
            texts = [[text.rjust(width) for text, width in zip(row, widths, strict=True)] for row in texts]
        starts = range(0, len(self.parts), self.width)
        most = most_entries(len(starts)) if short else None
        return [" ".join(vector(row[i : i + self.width], most) for i in starts) for row in texts]


def columns_of(trace: "Trace", names: Sequence[str], digits: Any = DIGITS) -> list[Column]:
    """The columns of these names."""
    if isinstance(names, str) or not names or not set(names) <= set(NAMES):
        raise ValueError(f"columns must be a list of some of {', '.join(NAMES)}; got {names!r}")
    if digits is not None and not (isinstance(digits, int) and digits >= 1):
        raise ValueError(f"digits must be a number from 1 on, or None for all; got {digits!r}")
    return [replace(_column(trace, name), digits=digits) for name in names]


def _column(trace: "Trace", name: str) -> Column:
    values = getattr(trace, _ATTRIBUTES.get(name, name))
    labels = [f"[{label}]" for label in trace.classes.tolist()] if len(trace.classes) > 2 else [""]
    if name in _LETTERS:
        first = 0 if trace.parameters["fit_intercept"] else 1
        features = range(first, first + values.shape[-1])
        rows = [""] if name == "x" else labels
        parts = [f"{_LETTERS[name]}{j}{label}" for label in rows for j in features]
        return Column(name, parts, [list(entries) for entries in values.reshape(-1, len(parts))], len(features))
    if values.ndim == 2:
        return Column(name, [f"{name}{label}" for label in labels], list(map(list, values)), len(labels))
    if name == "example":
        values = values + 1
    elif name == "mistake":
        values = np.where(values, "yes", "no")
    elif name in ("y", "prediction") and len(labels) > 1:
        values = trace.classes[values]
    is_text = name in ("label", "mistake", "why") or (name in ("y", "prediction") and len(labels) > 1)
    return Column(name, [name], [[str(value) if is_text else value] for value in values])


def page_of(trace: "Trace", limit: int | None, see_all: str = SEE_ALL) -> tuple["Trace", int, str]:
    """The first and the last visits, how many are the first, and what to say of the others."""
    half, left_out = shortened(len(trace), limit, "visit", see_all)
    kept: np.ndarray[Any, Any] = np.r_[:half, len(trace) - half : len(trace)]
    return (trace[kept] if left_out else trace), half, left_out


def text(
    trace: "Trace",
    columns: Sequence[str] | None = None,
    *,
    digits: int | None = DIGITS,
    limit: int | None = None,
    see_all: str = SEE_ALL,
) -> str:
    """Plain text, aligned: the conventions, the table, the end of the run.

    With a `limit`, the first and the last visits of more, and the first entries of long vectors; `see_all` says how to
    see all of them.
    """
    part, half, left_out = page_of(trace, limit, see_all)
    cells = (
        (column.is_number, [column.head, *column.cells(aligned=True, short=limit is not None)])
        for column in columns_of(part, PRINTED if columns is None else columns, digits)
    )
    return "\n".join([trace.conventions, *lines_of(cells, half, left_out), trace.ending])


def csv_text(trace: "Trace", columns: Sequence[str] | None = None, *, digits: int | None = DIGITS) -> str:
    """A header and a line a visit; a column for each number of a vector."""
    import csv
    import io

    chosen = columns_of(trace, FILED if columns is None else columns, digits)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([part for column in chosen for part in column.parts])
    for row in zip(*(column.entries for column in chosen), strict=True):
        writer.writerow([e if isinstance(e, str) else shown(e, digits) for entries in row for e in entries])
    return out.getvalue()


def json_text(trace: "Trace", columns: Sequence[str]) -> str:
    """The columns, by their names as attributes, and the facts of the run. Fractions, and unusual labels, as text."""
    import json

    facts = ("conventions", "classes", "mistakes", "n_updates", "converged", "start", "weights")
    said = {name: getattr(trace, name) for name in (*facts, *columns)}
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in said.items()}
    out = {"schema": 1, **{name: plain[name] for name in facts}, "columns": {name: plain[name] for name in columns}}
    return json.dumps(out, default=str) + "\n"


def save(path: "str | os.PathLike[str] | None", content: str) -> str | None:
    """Write the text to a file; without a path return it."""
    if path is None:
        return content
    from rosenblatt.base.atomic_write import replacing

    with replacing(path) as file:
        file.write(content.encode())
    return None
