"""Tables of which each line is a row of its own kind: JSON objects, `label<TAB>text`, fastText's `__label__x text`.

Cells are text, as those of CSV are, but nothing stands for a missing value except null, an empty text, and a line
without a label. A text keeps the blanks inside of it; what JSON has is kept as it is. With a separator of labels,
several labels of a line and lists in JSON become one cell, with the separator between them.
"""

import json
import re
from collections.abc import Callable, Generator
from json.decoder import JSONDecodeError
from typing import Any, NoReturn

import numpy as np

from rosenblatt import _core
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.base.numbers import first_names
from rosenblatt.services.files.blocks import SHOWN, LineBlocks
from rosenblatt.services.files.compressed import OpenFile
from rosenblatt.services.files.csv_blocks import CsvBlock, Names, in_utf8
from rosenblatt.services.files.notation import Notation
from rosenblatt.services.files.pipes import is_answered_at_once
from rosenblatt.services.files.text_column import TextColumn

LABEL, TEXT = "label", "text"  # the columns of lines that are no JSON
FASTTEXT_MARK = "__label__"
LINE_BYTES = 1 << 20  # how much text is read at a time
_HALF = re.compile("[\ud800-\udfff]")


def line_blocks(
    source: OpenFile,
    form: str,
    notation: Notation,
    block_rows: int,
    separator: str | None = None,
    *,
    for_answers: bool = False,
) -> Generator[CsvBlock, None, None]:
    """The rows of a file in blocks of `block_rows`; where a pipe has nothing more for now, what has come.

    A blank line is no row, but for answers an empty text, so that each line has its answer; among JSON objects
    it is none.
    """
    ways: dict[str, Callable[[int, str], dict[str, str]]] = {
        "jsonl": _JsonLines(source.name, separator),
        "lines": _row_of_label,
        "fasttext": _FastText(source.name, separator),
    }
    parse = ways[form]
    blank_lines = for_answers and form != "jsonl"
    at_once, n_lines, rows = is_answered_at_once(source), 0, _PendingRows(notation)
    for block in LineBlocks(in_utf8(source, notation), LINE_BYTES, head=True):
        lines = bytes(memoryview(block.buffer)[: block.size]).split(b"\n")
        lines.pop() if not lines[-1] else None
        for line in lines:
            n_lines += 1
            text = _decode(source.name, n_lines, line.removesuffix(b"\r"), notation)
            if n_lines == 1:
                text = text.removeprefix("\ufeff")
            if blank_lines or (text and not text.isspace()):
                rows.add(n_lines, parse(n_lines, text))
                if len(rows) == block_rows:
                    yield rows.take()
        if block.problem:
            raise DataFileError(source.name, n_lines + 1, 1, *block.problem)
        if at_once and len(rows):
            yield rows.take()
    if len(rows):
        yield rows.take()
    elif not rows.names:
        raise NoRowsError(source.name, n_lines + 1, 1, "a row", "the end of the file")


class _PendingRows:
    """Cells of rows, until they are a block."""

    def __init__(self, notation: Notation) -> None:
        self.notation, self.names = notation, list[str]()
        self._columns, self._lines = list[list[str]](), list[int]()

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, line: int, row: dict[str, str]) -> None:
        if not self.names:
            self.names = list(row)
            self._columns = [[] for _ in row]
        for column, cell in zip(self._columns, row.values(), strict=True):
            column.append(cell)
        self._lines.append(line)

    def take(self) -> CsvBlock:
        lines = np.array(self._lines, dtype=np.int64)
        block = _core.TableBlock.of_columns(self._columns, lines)
        columns = {name: TextColumn.of(block, place, self.notation) for place, name in enumerate(self.names)}
        self._columns, self._lines = [[] for _ in self.names], []
        return CsvBlock(columns, Names(self.names), lines)


def _decode(path: str, number: int, line: bytes, notation: Notation) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode()) + 1
        advice = "UTF-8 (or its --encoding, or --encoding-errors replace)"
        expected = advice if notation.encoding == "utf-8" else f"text in {notation.encoding}"
        raise DataFileError(path, number, column, expected, f"the byte {line[error.start]:#04x}") from None


class _JsonLines:
    """A JSON object a line: texts, numbers as they are written, true and false; null is missing."""

    def __init__(self, path: str, separator: str | None) -> None:
        self._path, self._separator, self._names = path, separator, list[str]()
        decoder = json.JSONDecoder(
            parse_float=_Number, parse_int=_Number, parse_constant=_no_number, object_pairs_hook=_object
        )
        self._decode: Callable[[str], tuple[Any, int]] = decoder.raw_decode

    def __call__(self, number: int, line: str) -> dict[str, str]:
        try:
            row = self._row(line)
        except JSONDecodeError as error:
            rest = repr(_abridge(line[error.pos :])) if error.pos < len(line) else "the end of the line"
            self._fail(number, error.pos, f"JSON ({error.msg[0].lower()}{error.msg[1:]})", rest)
        except _JsonError as error:
            self._fail(number, 0, *error.args)
        except RecursionError:
            self._fail(number, 0, "an object of texts and numbers", "one that is nested too deep")
        self._names = self._names or list(row)
        if list(row) == self._names:
            return row
        missing = next((name for name in self._names if name not in row), None)
        if missing is not None:
            self._fail(number, 0, f"a key {missing!r}, as in the first line", first_names(list(row)))
        return {name: row[name] for name in self._names}

    def _row(self, line: str) -> dict[str, str]:
        start = len(line) - len(line.lstrip(" \t"))
        value, end = self._decode(line, start) if start else self._decode(line)  # type: ignore[call-arg]
        if line[end:].strip(" \t"):
            end += len(line[end:]) - len(line[end:].lstrip(" \t"))
            raise JSONDecodeError("the end of the line after the object", line, end)
        if not isinstance(value, dict):
            raise _JsonError(
                "an object with a key for each column", "a list" if isinstance(value, list) else "no object"
            )
        if not value:
            raise _JsonError("an object with a key for each column", "{}")
        if "\\u" in line and _HALF.search("".join(map(str, [*value, *value.values()]))):
            raise _JsonError("whole characters", "half of a pair, from \\ud800 to \\udfff")
        return {name: cell if type(cell) is str else self._cell(name, cell) for name, cell in value.items()}

    def _cell(self, name: str, value: Any) -> str:
        if not isinstance(value, list):
            return _cell(name, value)
        if self._separator is None:
            expected = f"a text, a number, true, false or null under {name!r}, or with label_separator a list of texts"
            raise _JsonError(expected, "a list")
        for label in value:
            if type(label) is not str or not label or self._separator in label:
                expected = f"texts without {self._separator!r} in the list under {name!r}"
                raise _JsonError(expected, repr(_abridge(label)) if type(label) is str else "another value")
        return self._separator.join(value)

    def _fail(self, line: int, place: int, expected: str, actual: str) -> NoReturn:
        raise DataFileError(self._path, line, place + 1, expected, actual)


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


class _JsonError(ValueError):
    """What was expected of an object, and what was found."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        raise _JsonError("each key once", repr(next(name for name in names if names.count(name) > 1)))
    return row


def _no_number(name: str) -> NoReturn:
    raise _JsonError("numbers as JSON has them", name)


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, _Number):
        return str(value)
    raise _JsonError(f"a text, a number, true, false or null under {name!r}", "an object")


def _abridge(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _row_of_label(_: int, line: str) -> dict[str, str]:
    """`label<TAB>text`; a line without a tab is a text without a label."""
    label, tab, text = line.partition("\t")
    return {LABEL: label.strip(), TEXT: text} if tab else {LABEL: "", TEXT: label}


class _FastText:
    """`__label__x text`, as fastText has it; a line without it is a text without a label."""

    def __init__(self, path: str, separator: str | None) -> None:
        self._path, self._separator = path, separator

    def __call__(self, number: int, line: str) -> dict[str, str]:
        labels, text = list[str](), line
        while text.startswith(FASTTEXT_MARK):
            head, *rest = text.split(maxsplit=1)
            label = head.removeprefix(FASTTEXT_MARK)
            if labels and self._separator is None:
                self._fail(number, line, text, "one label a line (or label_separator, with all rows in memory)")
            if self._separator is not None and self._separator in label:
                self._fail(number, line, text, f"a label without {self._separator!r}")
            labels += [label] if label else []
            text = rest[0] if rest else ""
        return {LABEL: (self._separator or "").join(labels), TEXT: text}

    def _fail(self, number: int, line: str, rest: str, expected: str) -> NoReturn:
        place = len(line) - len(rest) + 1
        raise DataFileError(self._path, number, place, expected, repr(_abridge(rest.split()[0])))
