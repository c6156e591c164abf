"""A trace as an HTML table that brings its style along: for a page, and for a notebook.

Numbers stand to the right, the places of vectors under each other, and mistakes on a ground of their own.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from rosenblatt.services.lessons.trace.link import STUDIO, hash_of
from rosenblatt.services.lessons.trace.numbers import DIGITS
from rosenblatt.services.lessons.trace.table import PRINTED, columns_of, page_of

if TYPE_CHECKING:
    from rosenblatt.services.lessons.trace.data import Trace

# A notebook has rules for tables too. Ours name the class, to win over them. Colours suit a dark page as well.
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
