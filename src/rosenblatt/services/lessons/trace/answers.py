"""Does a student's table agree with the true trace? Cell by cell, and the first that does not is named.

A number is right if it rounds to what was written: 0.333 is 1/3. One without a point must be right as it is, but for
the rounding of floats. Spreadsheets write CSV as their country does: with commas, or with semicolons and 0,5 for a
half, or with tabs.
"""

import os
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import IO, Any

import numpy as np

from rosenblatt.services.lessons.trace.data import Trace
from rosenblatt.services.lessons.trace.numbers import printable, quantity
from rosenblatt.services.lessons.trace.table import NAMES, columns_of

Answers = str | os.PathLike[str] | IO[Any]
Line = tuple[int, list[str]]  # its number, and its cells without blank ones at the end

LARGEST_EXPONENT = 400  # a larger exponent is not read, because 1e999999999 would take all memory
_DASHES = dict.fromkeys(map(ord, "\N{MINUS SIGN}\N{EN DASH}\N{HYPHEN}\N{NON-BREAKING HYPHEN}"), "-")
_FRACTION = re.compile(r"([+-]?)\s*(?:(\d+)\s+)?(\d+)\s*/\s*(\d+)")


def read(answers: Answers) -> tuple[str, list[Line]]:
    """The name of the file, and its lines that are not blank."""
    from pathlib import Path

    content: str | bytes
    if isinstance(answers, str | os.PathLike):
        name, content = os.fspath(answers), Path(answers).read_bytes()
    elif hasattr(answers, "read"):
        name, content = str(getattr(answers, "name", "answers")), answers.read()
    else:
        raise TypeError(f"answers must be a path, or a file open for reading; got {type(answers).__name__}")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{name}:{line}: expected a CSV file in UTF-8: {error}") from None
    return name, _lines(text.removeprefix("\N{BYTE ORDER MARK}"), name)


def _lines(text: str, name: str) -> list[Line]:
    import csv
    import io

    lines: list[Line] = []
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ValueError(f"{name}:{line}: expected a CSV file, found what is no text")
    header = next((line for line in text.splitlines() if line.strip(" ,;\t")), "")
    delimiter = next((mark for mark in ",;\t" if mark in header), ",")
    reader, before = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 0
    try:
        for cells in reader:
            while cells and not cells[-1].strip():
                cells.pop()
            if cells:
                lines.append((before + 1, cells))
            before = reader.line_num  # a quoted cell may go over several
    except csv.Error as error:
        raise ValueError(f"{name}:{before + 1}: expected a CSV file: {error}") from None
    if not lines:
        raise ValueError(f"{name}:1: expected a header with the names of the columns, found nothing")
    return lines


def number(text: str) -> Fraction | None:
    """A number as written, exactly; None if it is none.

    >>> [str(number(text)) for text in ("-4", "0.5", "0,5", "1/3", "1 1/3", "-1½", "1e0", "a third")]
    ['-4', '1/2', '1/2', '1/3', '4/3', '-3/2', '1', 'None']
    """
    text = _plain(text)
    try:
        if parts := _FRACTION.fullmatch(text):
            sign, whole, top, bottom = parts.groups()
            return (int(whole or 0) + Fraction(int(top), int(bottom))) * (-1 if sign == "-" else 1)
        return None if abs(Decimal(text).adjusted()) > LARGEST_EXPONENT else Fraction(text)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        return None


def vector_entries(text: str, size: int) -> list[str]:
    """The entries of a vector of this size, or of several in brackets; none if they are not so many.

    >>> vector_entries("(1, 0, 1/2)", 3), vector_entries("[0,5; 1]", 2), vector_entries("1 0", 2)
    (['1', '0', '1/2'], ['0,5', '1'], ['1', '0'])
    >>> vector_entries("(1, 0) (0, 1)", 4), vector_entries("(1, 0)", 3)
    (['1', '0', '0', '1'], [])
    """
    rows = [row.strip(" ,;\t") for row in re.split(r"[()\[\]]", text)]
    for mark in (";", ",", None):  # after a semicolon, 0,5 is a half
        entries = [entry.strip() for row in rows if row for entry in row.split(mark)]
        if len(entries) == size:
            return entries
    return []


def is_number(text: str, true: Fraction, rounding: Fraction) -> bool:
    """Whether a number is right, but for `rounding`; one with a point only as far as it goes.

    >>> [is_number(text, Fraction(1, 3), Fraction(0)) for text in ("1/3", "0.33", "0.34", "0")]
    [True, True, False, False]
    """
    written = number(text)
    if written is None:
        return False
    if "." in _plain(text):  # up to half a unit of its last digit
        rounding = max(rounding, Fraction(10) ** int(Decimal(_plain(text)).as_tuple().exponent) / 2)
    return abs(written - true) <= rounding


def _plain(text: str) -> str:
    """With - for a minus, a point for a decimal comma, and 1 1/2 for 1½."""
    import unicodedata

    text = "".join(f" {unicodedata.normalize('NFKC', c)}" if unicodedata.category(c) == "No" else c for c in text)
    text = text.translate(_DASHES).replace("\N{FRACTION SLASH}", "/").replace(",", ".").strip()
    return re.sub(r"^([+-])\s+", r"\1", text)


SYNONYMS = {
    "iteration": "visit",
    "step": "visit",
    "epoch": "pass",
    "sample": "example",
    "point": "example",
    "target": "y",
    "class": "label",
    "s": "score",
    "predicted": "prediction",
    "yhat": "prediction",
    "mistake?": "mistake",
    "update": "mistake",
    "updated": "mistake",
    "action": "mistake",
    "reason": "why",
    "|w|": "norm",
    "updates": "k",
    "b": "w0",
    "bias": "w0",
    "w": "weights after",
    "weights": "weights after",
    "after": "weights after",
    "oldw": "weights before",
    "oldweights": "weights before",
    "before": "weights before",
}  # to the names that CSV files or printed tables have
YES, NO = {"yes", "y", "true", "1", "update"}, {"no", "n", "false", "0", "none", "-", ""}
UNGRADED = {"visit", "pass", "example", "x", "y", "label", "why"}  # what a sheet has already, and a reason in words
ACTIONS = {"add": "+1", "subtract": "-1"}
LONG = 60  # how many characters of a cell a message shows


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


@dataclass(frozen=True)
class CheckedTable:
    """A student's table, and of each cell whether it is right; cells of columns that are left blank are."""

    columns: list[str]
    rows: list[list[str]]
    cells: list[list[bool]]
    asked: list[bool]  # of each column, whether it is a number or a decision of the student's
    check: Check


def compare(answers: Answers, trace: Trace, *, updates_only: bool = False) -> Check:
    """The first cell of `answers`, a CSV file, that differs from the trace, or from its updates only."""
    return checked_table(answers, trace, updates_only=updates_only).check


def checked_table(answers: Answers, trace: Trace, *, updates_only: bool = False) -> CheckedTable:
    """All cells of `answers`, each held against the trace, or against its updates only."""
    name, table = read(answers)
    true = trace.updates if updates_only else trace
    line, header = table[0]
    named = _parts(header, f"{name}:{line}", true)
    parts = {
        place: part
        for place, part in enumerate(named)
        # a column without entries is left blank on purpose
        if any(place < len(cells) and cells[place].strip() for _, cells in table[1:])
    }
    signs = [f"{y:+d}" for y in true.y.tolist()] if len(true.classes) == 2 else [""] * len(true)
    right, first = list[list[bool]](), list[Check]()
    for i, (line, cells) in enumerate(table[1:]):
        if i < len(true) and len(cells) > len(header):
            place = len(header) + 1
            hint = '; a cell with commas stands in quotes: "(1, 0)"' if any("(" in cell for cell in cells) else ""
            expected = f"{quantity(len(header), 'cell')} as in the header"
            raise ValueError(f"{name}:{line}:{place}: expected {expected}, found {len(cells)}{hint}")
        right.append([i < len(true)] * len(header))
        for place, part in parts.items() if i < len(true) else ():
            cell = cells[place].strip() if place < len(cells) else ""
            if part.agrees(cell, i, signs[i]):
                continue
            right[-1][place] = False
            expected = part.right_text(i)
            where = f"{name}:{line}:{place + 1}: column {printable(part.name)}, visit {true.visit[i]}"
            message = f"{where}: expected {_quote(expected)}, found {_quote(cell)}"
            first.append(Check(ok=False, message=message, line=line, column=place + 1, expected=expected, found=cell))
    columns = [part.name for part in parts.values()]
    count = _count(name, table, len(true), "update" if updates_only else "visit", columns)
    rows = [[*cells, *[""] * (len(header) - len(cells))][: len(header)] for _, cells in table[1:]]
    asked = [part.kind not in UNGRADED for part in named]
    return CheckedTable(header, rows, right, asked, first[0] if first else count)


def _count(name: str, table: list[Line], n_rows: int, noun: str, checked: list[str]) -> Check:
    """Whether there are as many rows as there should be; all of those that are there are right."""
    n_found, expected = len(table) - 1, quantity(n_rows, noun)
    if n_found == n_rows:
        columns = f"column{'s' * (len(checked) != 1)} {', '.join(map(printable, checked))}"
        return Check(ok=True, message=f"{name}: all is right, {expected}, {columns}")
    rows = quantity(n_found, "row")
    if n_found < n_rows:
        line, problem = table[-1][0] + 1, f"found only {rows}{', right so far' if n_found else ''}"
    else:
        line, problem = table[n_rows + 1][0], "this row is too much, all before is right"
    message = f"{name}:{line}: the run has {expected}; {problem}"
    return Check(ok=False, message=message, line=line, expected=expected, found=rows)


@dataclass(frozen=True, eq=False)
class AnswerColumn:
    """What a column of a student's table may be: a number, a word, or a whole vector, as printed tables have it."""

    name: str
    kind: str
    values: list[Any]  # of each visit; a list if it is a vector

    def agrees(self, cell: str, visit: int, sign: str) -> bool:
        value = self.values[visit]
        if not isinstance(value, list):
            return _agrees(cell, value, self.kind, sign)
        entries = vector_entries(cell, len(value))
        return len(entries) == len(value) and all(
            _agrees(entry, true, self.kind, "") for entry, true in zip(entries, value, strict=True)
        )

    def right_text(self, visit: int) -> str:
        value = self.values[visit]
        return f"({', '.join(map(_right_text, value))})" if isinstance(value, list) else _right_text(value)


def _columns_by_name(trace: Trace) -> dict[str, AnswerColumn]:
    """All that a column may be, by the names that CSV files have, then by those of printed tables."""
    columns = columns_of(trace, NAMES)
    parts = [
        AnswerColumn(name, column.name, [entries[place] for entries in column.entries])
        for column in columns
        for place, name in enumerate(column.parts)
    ]
    parts += [AnswerColumn(column.head, column.name, column.entries) for column in columns if column.width]
    return {part.name: part for part in parts}


def _parts(header: list[str], where: str, trace: Trace) -> list[AnswerColumn]:
    """Which column of the true table each cell of the header names."""
    known = _columns_by_name(trace)
    folded = {_fold(name): part for name, part in known.items()}
    folded |= {word: known[name] for word, name in SYNONYMS.items() if name in known}
    if trace.parameters["intercept_scaling"] != 1:  # then the bias is not the weight of the constant feature
        folded = {word: part for word, part in folded.items() if word not in ("b", "bias")}
    parts: list[AnswerColumn] = []
    for place, cell in enumerate(header, start=1):
        part = known.get(cell, folded.get(_fold(cell)))
        if part is None:
            names = ", ".join(map(printable, known))
            raise ValueError(f"{where}:{place}: unknown column {cell[:LONG].strip()!r}; known are {names}")
        if part in parts:
            raise ValueError(f"{where}:{place}: column {printable(part.name)} comes twice")
        parts.append(part)
    return parts


def _fold(name: str) -> str:
    """Names that look different and are the same: W_1, new w1, theta1."""
    name, bracket, label = name.casefold().partition("[")
    name = "".join(name.split()).replace("_", "").replace("theta", "w").replace("\N{GREEK SMALL LETTER THETA}", "w")
    return f"{name.removeprefix('new')}{bracket}{' '.join(label.split())}"


def _agrees(cell: str, expected: Any, kind: str, sign: str) -> bool:
    if kind in ("y", "prediction") and sign and cell in ("+", "-", "\N{MINUS SIGN}"):
        cell += "1"
    if not isinstance(expected, str):
        rounding, true = Fraction(0), _exact(expected)
        if isinstance(expected, float | np.floating):
            rounding = Fraction(float(np.finfo(expected).eps) ** (2 / 3)) * max(Fraction(1), abs(true))
        return is_number(cell, true, rounding)
    word = cell.casefold()
    if kind == "mistake":
        if word in ACTIONS:
            return expected == "yes" and ACTIONS[word] == sign
        return word in (YES if expected == "yes" else NO)
    if kind == "why":
        return word == expected or (not expected and word in NO)
    return cell.split() == expected.split() or (number(expected) is not None and number(cell) == number(expected))


def _right_text(value: Any) -> str:
    """All of a whole number or a Fraction, and of a float as much as a student may be asked for."""
    if isinstance(value, str):
        return value
    exact = _exact(value)
    return f"{value:.8g}" if isinstance(value, float | np.floating) and exact.denominator > 1 else str(exact)


def _quote(text: str) -> str:
    text = printable(text)
    return text if 0 < len(text) <= LONG else f"{text[:LONG]}..." if text else "nothing"


def _exact(value: Any) -> Fraction:
    return Fraction(value.item() if isinstance(value, np.generic) else value)
