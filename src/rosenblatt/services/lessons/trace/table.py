"""A trace as a table for people: as plain text and CSV, HTML and LaTeX. Or as JSON, which is for programs.

People count examples from 1, and want some digits of a number, all of them only if they ask. JSON has the rows of X,
from 0, and numbers as they are. HTML brings its style along, for a page and for a notebook: numbers stand to the right,
the places of vectors under each other, and mistakes on a ground of their own. LaTeX has letters of mathematics and
numbers in math mode.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.services.lessons.trace.link import STUDIO, hash_of
from rosenblatt.services.lessons.trace.numbers import DIGITS, most_entries, printable, quantity, short_number, vector

if TYPE_CHECKING:
    import os

    from rosenblatt.services.lessons.trace.data import Trace

SHOWN = 40  # how many rows a page shows; of a longer table those in the middle are left out
SEE_ALL = "table() has all"


def shorten(n_rows: int, limit: int | None, noun: str, see_all: str = SEE_ALL) -> tuple[int, str]:
    """How many rows are shown of each end, and what is said of the others; nothing if all are shown.

    >>> shorten(100, 40, "visit"), shorten(30, 40, "visit")
    ((20, '... 60 visits left out here; table() has all ...'), (30, ''))
    """
    if limit is None or n_rows <= limit:
        return n_rows, ""
    half = limit // 2
    return half, f"... {quantity(n_rows - 2 * half, noun)} left out here; {see_all} ..."


def lines_of(columns: Iterable[tuple[bool, list[str]]], half: int, left_out: str) -> list[str]:
    """The heads and the rows, with what is said of rows left out after so many; numbers are set to the right.

    >>> lines_of([(True, ["k", "1", "12"]), (False, ["why", "wrong side", ""])], 2, "")
    [' k  why', ' 1  wrong side', '12']
    """
    padded = []
    for is_number, cells in columns:
        pad, width = str.rjust if is_number else str.ljust, max(map(len, cells))
        padded.append([pad(cell, width) for cell in cells])
    lines = ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]
    if left_out:
        lines.insert(half + 1, left_out)
    return lines


PRINTED = ("pass", "example", "x", "y", "score", "mistake", "why", "after", "norm", "k")
FILED = ("visit", "pass", "example", "x", "y", "label", "score", "prediction", "mistake", "why", "after", "norm", "k")
NAMES = (*FILED, "before")
NUMBERS = {"visit", "pass", "example", "y", "score", "prediction", "norm", "k"}
HEADS = {"before": "weights before", "after": "weights after", "norm": "|w|"}
_ATTRIBUTES = {"pass": "pass_", "why": "reason", "example": "row"}
_LETTERS = {"x": "x", "before": "old w", "after": "w"}


@dataclass(frozen=True)
class TraceColumn:
    """A column of the table. A vector has an entry, and in files a name, for each of its numbers."""

    name: str
    parts: list[str]
    entries: list[list[Any]]  # of each visit
    width: int = 0  # of a vector
    digits: int | None = DIGITS

    @property
    def head(self) -> str:
        return HEADS.get(self.name, self.name)

    @property
    def is_number(self) -> bool:
        return self.name in NUMBERS and not self.width and all(not isinstance(e, str) for (e,) in self.entries)

    def cells(self, *, aligned: bool = False, short: bool = False) -> list[str]:
        """One text a visit; if `short`, without the end of a long vector."""
        signed = self.name in ("y", "prediction")
        texts = [
            [
                printable(e) if isinstance(e, str) else f"{e:+d}" if signed else short_number(e, self.digits)
                for e in entries
            ]
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


def columns_of(trace: "Trace", names: Sequence[str], digits: Any = DIGITS) -> list[TraceColumn]:
    if isinstance(names, str) or not names or not set(names) <= set(NAMES):
        raise ValueError(f"columns must be a list of some of {', '.join(NAMES)}; got {names!r}")
    if digits is not None and not (isinstance(digits, int) and digits >= 1):
        raise ValueError(f"digits must be a number from 1 on, or None for all; got {digits!r}")
    return [replace(_column(trace, name), digits=digits) for name in names]


def _column(trace: "Trace", name: str) -> TraceColumn:
    values = getattr(trace, _ATTRIBUTES.get(name, name))
    labels = [f"[{label}]" for label in trace.classes.tolist()] if len(trace.classes) > 2 else [""]
    if name in _LETTERS:
        first = 0 if trace.parameters["fit_intercept"] else 1
        features = range(first, first + values.shape[-1])
        rows = [""] if name == "x" else labels
        parts = [f"{_LETTERS[name]}{j}{label}" for label in rows for j in features]
        return TraceColumn(name, parts, [list(entries) for entries in values.reshape(-1, len(parts))], len(features))
    if values.ndim == 2:
        return TraceColumn(name, [f"{name}{label}" for label in labels], list(map(list, values)), len(labels))
    if name == "example":
        values = values + 1
    elif name == "mistake":
        values = np.where(values, "yes", "no")
    elif name in ("y", "prediction") and len(labels) > 1:
        values = trace.classes[values]
    is_text = name in ("label", "mistake", "why") or (name in ("y", "prediction") and len(labels) > 1)
    return TraceColumn(name, [name], [[str(value) if is_text else value] for value in values])


def page_of(trace: "Trace", limit: int | None, see_all: str = SEE_ALL) -> tuple["Trace", int, str]:
    """The first and the last visits, how many are the first, and what to say of the others."""
    half, left_out = shorten(len(trace), limit, "visit", see_all)
    rows: np.ndarray[Any, Any] = np.r_[:half, len(trace) - half : len(trace)]
    return (trace[rows] if left_out else trace), half, left_out


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
    return csv_of(columns_of(trace, FILED if columns is None else columns, digits), digits)


def csv_of(chosen: Sequence[TraceColumn], digits: int | None) -> str:
    """Columns as CSV."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([part for column in chosen for part in column.parts])
    for row in zip(*(column.entries for column in chosen), strict=True):
        writer.writerow([e if isinstance(e, str) else short_number(e, digits) for entries in row for e in entries])
    return out.getvalue()


def json_text(trace: "Trace", columns: Sequence[str]) -> str:
    """The columns, by their names as attributes, and the facts of the run. Fractions, and unusual labels, as text."""
    import json

    facts = ("conventions", "classes", "mistakes", "n_updates", "converged", "start", "weights")
    values = {name: getattr(trace, name) for name in (*facts, *columns)}
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
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


# A notebook has rules for tables too. Ours name the class, because the more specific rule wins. The colours suit a
# dark page as well.
STYLE = """<style>
table.rosenblatt-trace { border-collapse: collapse; }
table.rosenblatt-trace caption { caption-side: top; text-align: left; padding: .4em 0; }
table.rosenblatt-trace :is(th, td) { padding: .15em .7em; border: 0; text-align: left; font-weight: normal;
  white-space: pre; font-variant-numeric: tabular-nums; }
table.rosenblatt-trace :is(th, td).number { text-align: right; }
table.rosenblatt-trace tbody .vector { font-family: monospace; }
table.rosenblatt-trace thead th { border-bottom: 1px solid; font-weight: bold; }
table.rosenblatt-trace tbody tr { background: none; }
table.rosenblatt-trace tbody tr.mistake { background: rgba(213, 94, 0, .14); }
table.rosenblatt-trace tfoot td { border-top: 1px solid; white-space: normal; }
</style>"""


def html(
    trace: "Trace",
    columns: Sequence[str] | None = None,
    *,
    digits: int | None = DIGITS,
    limit: int | None = None,
) -> str:
    """A table with a caption, heads of columns and rows, the end of the run as its foot, and a link; ASCII only."""
    part, half, left_out = page_of(trace, limit)
    chosen = columns_of(part, ("visit", *PRINTED) if columns is None else columns, digits)
    cells = [column.cells(aligned=True, short=limit is not None) for column in chosen]
    kinds = [' class="number"' if column.is_number else ' class="vector"' if column.width else "" for column in chosen]
    heads = "".join(
        f'<th scope="col"{kind}>{escape(column.head)}</th>' for column, kind in zip(chosen, kinds, strict=True)
    )
    rows = []
    for mistake, row in zip(part.mistake.tolist(), zip(*cells, strict=True), strict=True):
        first, *others = map(escape, row)
        line = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(others, kinds[1:], strict=True))
        start = '<tr class="mistake">' if mistake else "<tr>"
        rows.append(f'{start}<th scope="row"{kinds[0]}>{first}</th>{line}</tr>')
    if left_out:
        rows.insert(half, f'<tr><td colspan="{len(chosen)}">{left_out}</td></tr>')
    foot = f'<tr><td colspan="{len(chosen)}">{escape(trace.ending)}</td></tr>'
    lines = [
        STYLE,
        '<table class="rosenblatt-trace">',
        f"<caption>{escape(trace.conventions)}</caption>",
        f"<thead>\n<tr>{heads}</tr>\n</thead>",
        "<tbody>",
        *rows,
        "</tbody>",
        f"<tfoot>\n{foot}\n</tfoot>",
        "</table>",
        _studio(trace),
        "",
    ]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _studio(trace: "Trace") -> str:
    """Where the run can be stepped through: a link, if the page can make it, and the way that needs no network."""
    link, offline = hash_of(trace), "<code>rosenblatt.studio.show(run)</code>"
    if link is None:
        return f"<p>To step through it: {offline}</p>"
    return f'<p><a href="{escape(STUDIO + link)}">Step through it in the studio</a>; offline: {offline}</p>'


LATEX_HEADS = {"x": "$x$", "y": "$y$", "norm": r"$\|w\|$", "k": "$k$", "alpha": r"$\alpha$"}
ESCAPED = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        **{character: f"${character}$" for character in "<>|"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "[": "{[}",  # LaTeX would read a [ after the end of a row as an option
    }
)


def latex(trace: "Trace", columns: Sequence[str] | None = None, *, digits: int | None = DIGITS) -> str:
    """A tabular that needs no package; the conventions and the end of the run are comments."""
    return latex_of(columns_of(trace, PRINTED if columns is None else columns, digits), trace.conventions, trace.ending)


def latex_of(chosen: Sequence[TraceColumn], conventions: str, ending: str) -> str:
    """Columns as a tabular."""
    cells = [_cells(column) for column in chosen]
    heads = [LATEX_HEADS.get(column.name, column.head) for column in chosen]
    return "\n".join(
        [
            f"% {conventions}",
            f"\\begin{{tabular}}{{{''.join('r' if column.is_number else 'l' for column in chosen)}}}",
            "\\hline",
            " & ".join(heads) + r" \\",
            "\\hline",
            *(" & ".join(row) + r" \\" for row in zip(*cells, strict=True)),
            "\\hline",
            "\\end{tabular}",
            f"% {ending}",
            "",
        ]
    )


def _cells(column: TraceColumn) -> list[str]:
    cells = column.cells()
    if not (column.is_number or column.width):
        return [cell.translate(ESCAPED) for cell in cells]
    cells = [cell.replace(") (", r")\ (") for cell in cells]
    return [f"${re.sub(r'e([+-][0-9]+)', _power, cell)}$" for cell in cells]


def _power(exponent: re.Match[str]) -> str:
    return rf" \cdot 10^{{{int(exponent[1])}}}"
