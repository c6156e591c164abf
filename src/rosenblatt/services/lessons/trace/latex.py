"""A trace as a LaTeX tabular: letters of mathematics and numbers in math mode, labels escaped."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rosenblatt.services.lessons.trace.numbers import DIGITS
from rosenblatt.services.lessons.trace.table import PRINTED, Column, columns_of

if TYPE_CHECKING:
    from rosenblatt.services.lessons.trace.data import Trace

HEADS = {"x": "$x$", "y": "$y$", "norm": r"$\|w\|$", "k": "$k$"}
ESCAPED = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        **{character: f"${character}$" for character in "<>|"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "[": "{[}",  # after the end of a row it would be read as an option
    }
)


def latex(trace: "Trace", columns: Sequence[str] | None = None, *, digits: int | None = DIGITS) -> str:
    """A tabular that needs no package; the conventions and the end of the run are comments."""
    chosen = columns_of(trace, PRINTED if columns is None else columns, digits)
    cells = [_cells(column) for column in chosen]
    heads = [HEADS.get(column.name, column.head) for column in chosen]
    return "\n".join(
        [
            f"% {trace.conventions}",
            f"\\begin{{tabular}}{{{''.join('r' if column.is_number else 'l' for column in chosen)}}}",
            "\\hline",
            " & ".join(heads) + r" \\",
            "\\hline",
            *(" & ".join(row) + r" \\" for row in zip(*cells, strict=True)),
            "\\hline",
            "\\end{tabular}",
            f"% {trace.ending}",
            "",
        ]
    )


def _cells(column: Column) -> list[str]:
    cells = column.cells()
    if not (column.is_number or column.width):
        return [cell.translate(ESCAPED) for cell in cells]
    cells = [cell.replace(") (", r")\ (") for cell in cells]
    return [f"${re.sub(r'e([+-][0-9]+)', _power, cell)}$" for cell in cells]


def _power(exponent: re.Match[str]) -> str:
    return rf" \cdot 10^{{{int(exponent[1])}}}"
