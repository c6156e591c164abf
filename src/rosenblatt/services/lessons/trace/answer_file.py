"""A student's file as it was written: its lines and cells, and the numbers in them.

Spreadsheets write CSV as their country does: with commas, or with semicolons and 0,5 for a half, or with tabs.
"""

import os
import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import IO, Any

Answers = str | os.PathLike[str] | IO[Any]
Line = tuple[int, list[str]]  # its number, and its cells without blank ones at the end

LARGEST_EXPONENT = 400  # of a number worth a look; 1e999999999 would take all memory
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
    if "." in _plain(text):  # half of its last place
        rounding = max(rounding, Fraction(10) ** int(Decimal(_plain(text)).as_tuple().exponent) / 2)
    return abs(written - true) <= rounding


def _plain(text: str) -> str:
    """With - for a minus, a point for a decimal comma, and 1 1/2 for 1½."""
    import unicodedata

    text = "".join(f" {unicodedata.normalize('NFKC', c)}" if unicodedata.category(c) == "No" else c for c in text)
    text = text.translate(_DASHES).replace("\N{FRACTION SLASH}", "/").replace(",", ".").strip()
    return re.sub(r"^([+-])\s+", r"\1", text)
