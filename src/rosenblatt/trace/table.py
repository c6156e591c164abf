"""A trace as a table: plain text, CSV, JSON, LaTeX, HTML. Tables have four digits of a number, files all of them.

People read these, so examples are counted from 1; only JSON, which is for programs, has the rows of X as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.trace.numbers import most_entries, printable, shown, vector, written

if TYPE_CHECKING:
    import os

    from rosenblatt.trace.data import Trace

PRINTED = ("pass", "example", "x", "y", "score", "mistake", "why", "after", "norm", "k")
FILED = ("visit", "pass", "example", "x", "y", "label", "score", "prediction", "mistake", "why", "after", "norm", "k")
NAMES = (*FILED, "before")
NUMBERS = {"visit", "pass", "example", "y", "score", "prediction", "norm", "k"}
HEADS = {"before": "weights before", "after": "weights after", "norm": "|w|"}
_ATTRIBUTES = {"pass": "pass_", "why": "reason"}
_LETTERS = {"x": "x", "before": "old w", "after": "w"}
_LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        **{character: f"${character}$" for character in "<>|"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "[": "{[}",  # after the end of a row it would be read as an option
    }
)


@dataclass(frozen=True)
class Column:
    """A column of the table. A vector has an entry, and in files a name, for each of its numbers."""

    name: str
    parts: list[str]
    entries: list[list[Any]]  # of each visit
    width: int = 0  # of a vector

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
            [printable(e) if isinstance(e, str) else f"{e:+d}" if signed else shown(e) for e in entries]
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


def columns_of(trace: "Trace", names: Sequence[str]) -> list[Column]:
    """The columns of these names."""
    if isinstance(names, str) or not names or not set(names) <= set(NAMES):
        raise ValueError(f"columns must be a list of some of {', '.join(NAMES)}; got {names!r}")
    return [_column(trace, name) for name in names]


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


def _shortened(trace: "Trace", limit: int | None) -> tuple["Trace", int, str]:
    """The first and the last visits, how many are the first, and what to say of the others."""
    if limit is None or len(trace) <= limit:
        return trace, len(trace), ""
    half = limit // 2
    said = f"... {len(trace) - 2 * half} visits are left out here; table(), CSV and JSON have all ..."
    kept: np.ndarray[Any, Any] = np.r_[:half, len(trace) - half : len(trace)]
    return trace[kept], half, said


def text(trace: "Trace", columns: Sequence[str] | None = None, limit: int | None = None) -> str:
    """Plain text, aligned: the conventions, the table, the end of the run."""
    part, half, left_out = _shortened(trace, limit)
    padded = []
    for column in columns_of(part, PRINTED if columns is None else columns):
        cells = [column.head, *column.cells(aligned=True, short=limit is not None)]
        pad, width = str.rjust if column.is_number else str.ljust, max(map(len, cells))
        padded.append([pad(cell, width) for cell in cells])
    lines = ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]
    if left_out:
        lines.insert(half + 1, left_out)
    return "\n".join([trace.conventions, *lines, trace.ending])


def csv_text(trace: "Trace", columns: Sequence[str] | None = None) -> str:
    """A header and a line a visit; a column for each number of a vector."""
    import csv
    import io

    chosen = columns_of(trace, FILED if columns is None else columns)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([part for column in chosen for part in column.parts])
    for row in zip(*(column.entries for column in chosen), strict=True):
        writer.writerow([e if isinstance(e, str) else written(e) for entries in row for e in entries])
    return out.getvalue()


def json_text(trace: "Trace", columns: Sequence[str]) -> str:
    """The columns, by their names as attributes, and the facts of the run. Fractions, and unusual labels, as text."""
    import json

    facts = ("conventions", "classes", "mistakes", "n_updates", "converged", "start", "weights")
    said = {name: getattr(trace, name) for name in (*facts, *columns)}
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in said.items()}
    out = {"schema": 1, **{name: plain[name] for name in facts}, "columns": {name: plain[name] for name in columns}}
    return json.dumps(out, default=str) + "\n"


def latex(trace: "Trace", columns: Sequence[str] | None = None) -> str:
    """A tabular that needs no package; the conventions and the end of the run are comments."""
    chosen = columns_of(trace, PRINTED if columns is None else columns)
    cells = [_latex_cells(column) for column in chosen]
    return "\n".join(
        [
            f"% {trace.conventions}",
            f"\\begin{{tabular}}{{{''.join('r' if column.is_number else 'l' for column in chosen)}}}",
            "\\hline",
            " & ".join(column.head.translate(_LATEX) for column in chosen) + r" \\",
            "\\hline",
            *(" & ".join(row) + r" \\" for row in zip(*cells, strict=True)),
            "\\hline",
            "\\end{tabular}",
            f"% {trace.ending}",
            "",
        ]
    )


def _latex_cells(column: Column) -> list[str]:
    if not (column.is_number or column.width):
        return [cell.translate(_LATEX) for cell in column.cells()]
    cells = [cell.replace(") (", r")\ (") for cell in column.cells()]
    return [f"${re.sub(r'e([+-][0-9]+)', _power, cell)}$" for cell in cells]


def _power(exponent: re.Match[str]) -> str:
    return rf" \cdot 10^{{{int(exponent[1])}}}"


def html(trace: "Trace", columns: Sequence[str] | None = None, limit: int | None = None) -> str:
    """A table with a caption, heads of columns and rows, and the end of the run as its foot; ASCII only."""
    import html as markup

    part, half, left_out = _shortened(trace, limit)
    chosen = columns_of(part, ("visit", *PRINTED) if columns is None else columns)
    rows = [
        f'<tr><th scope="row">{markup.escape(first)}</th>{"".join(f"<td>{markup.escape(c)}</td>" for c in cells)}</tr>'
        for first, *cells in zip(*(column.cells(short=limit is not None) for column in chosen), strict=True)
    ]
    if left_out:
        rows.insert(half, f'<tr><td colspan="{len(chosen)}">{left_out}</td></tr>')
    heads = "".join(f'<th scope="col">{markup.escape(column.head)}</th>' for column in chosen)
    foot = f'<tr><td colspan="{len(chosen)}">{markup.escape(trace.ending)}</td></tr>'
    lines = [
        "<table>",
        f"<caption>{markup.escape(trace.conventions)}</caption>",
        f"<thead>\n<tr>{heads}</tr>\n</thead>",
        "<tbody>",
        *rows,
        "</tbody>",
        f"<tfoot>\n{foot}\n</tfoot>",
        "</table>",
        "",
    ]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def save(path: "str | os.PathLike[str] | None", content: str) -> str | None:
    """Write the text to a file; without a path return it."""
    if path is None:
        return content
    from rosenblatt.data.atomic_write import replacing

    with replacing(path) as file:
        file.write(content.encode())
    return None
