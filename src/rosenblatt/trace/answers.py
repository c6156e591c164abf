"""Does a student's table agree with the true trace? Cell by cell, and the first that does not is named.

A number is right if it rounds to what was written: 0.333 is 1/3. One without a point must be right as it is, but for
the rounding of floats.
"""

import csv
import os
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from rosenblatt.trace.data import Trace
from rosenblatt.trace.numbers import counted, shown, written
from rosenblatt.trace.table import NAMES, columns_of

Answers = str | os.PathLike[str] | TextIO

SYNONYMS = {
    "iteration": "visit",
    "step": "visit",
    "epoch": "pass",
    "row": "example",
    "target": "y",
    "class": "label",
    "s": "score",
    "predicted": "prediction",
    "y_hat": "prediction",
    "mistake?": "mistake",
    "update": "mistake",
    "updated": "mistake",
    "action": "mistake",
    "reason": "why",
    "|w|": "norm",
    "updates": "k",
    "b": "w0",
    "bias": "w0",
}
YES, NO = {"yes", "y", "true", "1", "update"}, {"no", "n", "false", "0", "none", "-", ""}
ACTIONS = {"add": "+1", "subtract": "-1"}
LARGEST_EXPONENT = 400  # of a number worth a look; 1e999999999 would take all memory


@dataclass(frozen=True)
class Check:
    """Whether a table is right, and if it is not, its first wrong cell; as a bool, whether it is right.

    `line` and `column` count from 1, the column in cells; 0 where there is none, as for a row that is missing.
    """

    ok: bool
    message: str
    line: int = 0
    column: int = 0
    expected: str = ""
    found: str = ""

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.message


def compare(answers: Answers, trace: Trace, *, updates_only: bool = False) -> Check:
    """The first cell of `answers`, a CSV file, that differs from the trace, or from its updates only."""
    name, table = _read(answers)
    true = trace.updates if updates_only else trace
    line, header = table[0]
    known = {
        part: (column.name, [entries[place] for entries in column.entries])
        for column in columns_of(true, NAMES)
        for place, part in enumerate(column.parts)
    }
    parts = _parts(header, f"{name}:{line}", true, list(known))
    signs = [f"{y:+d}" for y in true.y.tolist()] if len(true.classes) == 2 else [""] * len(true)
    for (line, cells), i in zip(table[1:], range(len(true)), strict=False):
        if len(cells) > len(header):
            place = len(header) + 1
            raise ValueError(
                f"{name}:{line}:{place}: expected {len(header)} cells as in the header, found {len(cells)}"
            )
        for place, part in enumerate(parts):
            kind, values = known[part]
            found = cells[place] if place < len(cells) else ""
            if not _agrees(found, values[i], kind, signs[i]):
                expected = _expected(values[i])
                where = f"{name}:{line}:{place + 1}: column {part}, visit {true.visit[i]}"
                said = f"{where}: expected {expected or 'nothing'}, found {found or 'nothing'}"
                return Check(ok=False, message=said, line=line, column=place + 1, expected=expected, found=found)
    return _count(name, [line for line, _ in table], len(true), "update" if updates_only else "visit")


def _count(name: str, lines: list[int], n_rows: int, noun: str) -> Check:
    """Whether there are as many rows as there should be; all of those that are there are right."""
    expected, found = counted(n_rows, noun), counted(len(lines) - 1, "row")
    if len(lines) - 1 == n_rows:
        return Check(ok=True, message=f"{name}: all is right, {expected}")
    missing = len(lines) - 1 < n_rows
    line = lines[-1] + 1 if missing else lines[n_rows + 1]
    said = f"{name}:{line}: the run has {expected}; {f'found only {found}' if missing else 'this row is too much'}"
    return Check(ok=False, message=said, line=line, expected=expected, found=found)


def _read(answers: Answers) -> tuple[str, list[tuple[int, list[str]]]]:
    """The name of the file, and its lines that are not blank: number, and cells without blank ones at the end."""
    if not isinstance(answers, str | os.PathLike):
        name = str(getattr(answers, "name", "answers"))
        return name, _lines(answers, name)
    with Path(answers).open(encoding="utf-8-sig", newline="") as file:
        return os.fspath(answers), _lines(file, os.fspath(answers))


def _lines(file: TextIO, name: str) -> list[tuple[int, list[str]]]:
    lines, reader = [], csv.reader(file)
    try:
        for row in reader:
            cells = [" ".join(cell.split()) for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                lines.append((reader.line_num, cells))
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"{name}:{reader.line_num + 1}: expected a CSV file in UTF-8: {error}") from None
    if not lines:
        raise ValueError(f"{name}:1: expected a header with the names of the columns, found nothing")
    return lines


def _parts(header: list[str], where: str, trace: Trace, known: list[str]) -> list[str]:
    """Which column of the true table each cell of the header names."""
    folded = {part.casefold(): part for part in known}
    folded |= {word: part for word, part in SYNONYMS.items() if part in known}
    if trace.words["intercept_scaling"] != 1:  # then the bias is not the weight of the constant feature
        folded = {word: part for word, part in folded.items() if word not in ("b", "bias")}
    parts: list[str] = []
    for place, cell in enumerate(header, start=1):
        word = cell.casefold().removeprefix("new ")
        part = cell if cell in known else folded.get(word)
        if part is None:
            raise ValueError(f"{where}:{place}: unknown column {cell!r}; known are {', '.join(known)}")
        if part in parts:
            raise ValueError(f"{where}:{place}: column {part} comes twice")
        parts.append(part)
    (after,) = columns_of(trace, ["after"])
    missing = [part for part in after.parts if part not in parts]
    if missing:
        raise ValueError(f"{where}: expected the weights after, {', '.join(after.parts)}; {missing[0]} is not there")
    return parts


def _agrees(found: str, expected: Any, kind: str, sign: str) -> bool:
    if not isinstance(expected, str):
        return _is_number(found, expected)
    word = found.casefold()
    if kind == "mistake":
        if word in ACTIONS:
            return expected == "yes" and ACTIONS[word] == sign
        return word in (YES if expected == "yes" else NO)
    if kind == "why":
        return word == expected or (not expected and word in NO)
    return found == expected or (_number(expected) is not None and _number(found) == _number(expected))


def _is_number(found: str, expected: Any) -> bool:
    number = _number(found)
    if number is None:
        return False
    true = _exact(expected)
    allowed = Fraction(0)
    if "." in found:  # half of its last place
        exponent = Decimal(_plain(found)).as_tuple().exponent
        allowed = Fraction(10) ** int(exponent) / 2
    if isinstance(expected, float | np.floating):
        allowed = max(allowed, Fraction(float(np.finfo(expected).eps) ** 0.5) * max(Fraction(1), abs(true)))
    return abs(number - true) <= allowed


def _number(text: str) -> Fraction | None:
    """A number as written: -4, 0.333, 1/3."""
    text = _plain(text)
    try:
        if "/" not in text and abs(Decimal(text).adjusted()) > LARGEST_EXPONENT:
            return None
        return Fraction(text)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        return None


def _plain(text: str) -> str:
    return text.replace(" ", "").replace("\N{MINUS SIGN}", "-")


def _expected(value: Any) -> str:
    if isinstance(value, str):
        return value
    return shown(value) if _exact(value).denominator == 1 else written(value)


def _exact(value: Any) -> Fraction:
    return Fraction(value.item() if isinstance(value, np.generic) else value)
