"""CSV read by Python's csv module, row by row, as strictly as the core does: the oracle of `data/csv_blocks.py`."""

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

from rosenblatt.base.exceptions import DataFileError


class PlainTable(NamedTuple):
    """The cells of all rows, the first of them the header's, and the line that each ends on."""

    rows: list[list[str]]
    lines: list[int]


def read_plain(data: bytes, delimiter: str, longest: int) -> PlainTable:
    """The rows that are not blank, without blanks around cells; a DataFileError for what is wrong."""
    found = PlainTable([], [])
    text = _Text(data, delimiter, longest)
    reader = csv.reader(text, strict=True, delimiter=delimiter)
    try:
        for row in reader:
            text.of_row = 0
            if len(row) < 2 and not any(map(str.strip, row)) and '"' not in text.line:
                continue
            width = len(found.rows[0]) if found.rows else len(row)
            if len(row) != width:
                expected = f"{width} {'cell' if width == 1 else 'cells'}, as in the header"
                raise DataFileError("<file>", reader.line_num, min(len(row), width) + 1, expected, str(len(row)))
            found.rows.append([cell.strip() for cell in row])
            found.lines.append(reader.line_num)
    except csv.Error as error:
        said = str(error)
        if said.startswith("new-line character"):
            said = "a carriage return that does not end a line"
        raise DataFileError("<file>", max(reader.line_num, 1), 1, "CSV", f"an error: {said}") from None
    return found


class _Text:
    """Lines as text, the last of them in `line`; `of_row` counts the bytes of its row, which may have many lines."""

    def __init__(self, data: bytes, delimiter: str, longest: int) -> None:
        self._lines, self._delimiter, self._longest = io.BytesIO(data), delimiter, longest
        self._number, self.of_row, self.line = 0, 0, ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._lines.readline()
        if not line:
            raise StopIteration
        self._number += 1
        self.of_row += len(line) - line.endswith(b"\n")
        if self.of_row > self._longest:
            expected = f"a line of at most {self._longest} bytes"
            raise DataFileError("<file>", self._number, 1, expected, "a longer one")
        try:
            text = line.decode("utf-8-sig" if self._number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            start = error.start + 3 * (self._number == 1 and line.startswith(b"\xef\xbb\xbf"))
            raise self._error(line[:start].decode(), "UTF-8", f"the byte {line[start]:#04x}") from None
        if "\0" in text:
            raise self._error(text.partition("\0")[0], "text", "a character 0")
        self.line = text
        return text

    def _error(self, before: str, expected: str, found: str) -> DataFileError:
        """What is wrong in the cell after the text before it."""
        return DataFileError("<file>", self._number, before.count(self._delimiter) + 1, expected, found)
