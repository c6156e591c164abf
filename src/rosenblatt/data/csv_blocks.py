"""CSV text as blocks of columns, read strictly: a header, all rows as long, UTF-8. Cells stay text.

Errors are `DataFileError`s that count lines and cells.
"""

import csv
import re
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import chain, islice

from rosenblatt.arrays import Array
from rosenblatt.data.blocks import DataFileError, NoRowsError, line_limit
from rosenblatt.data.cells import as_texts
from rosenblatt.data.compressed import Source
from rosenblatt.data.number import exact

Block = tuple[dict[str, Array], list[int]]

DELIMITERS = (",", ";", "\t", "|")  # the first that the header has is between the cells


def csv_blocks(source: Source, delimiter: str | None, block_rows: int) -> Generator[Block, None, None]:
    """Blocks of so many rows: the columns by name, and the line of each row. Without a delimiter the header tells."""
    with closing(_rows(source, delimiter)) as rows:
        line, row = next(rows, (1, []))
        header = [cell.strip() for cell in row]
        _check_header(source.name, line, header)
        width, any_rows = len(header), False
        while True:
            cells, lines = list[str](), list[int]()  # row after row in one list, which is faster than a list of rows
            for line, row in islice(rows, block_rows):
                if len(row) != width:
                    expected = f"{width} {'cell' if width == 1 else 'cells'}, as in the header"
                    raise DataFileError(source.name, line, min(len(row), width) + 1, expected, str(len(row)))
                cells += row
                lines.append(line)
            if not lines:
                break
            any_rows = True
            yield {name: as_texts(map(str.strip, cells[place::width])) for place, name in enumerate(header)}, lines
        if not any_rows:
            raise NoRowsError(source.name, line + 1, 1, "a row", "the end of the file")


def _check_header(path: str, line: int, header: list[str]) -> None:
    expected = "a header with the names of the columns"
    if not header:
        raise NoRowsError(path, line, 1, expected, "the end of the file")
    if all(exact(cell) is not None for cell in header):
        raise DataFileError(path, line, 1, expected, f"the number {header[0]!r}")
    before = set[str]()
    for column, name in enumerate(header):
        if not name or name in before:
            raise DataFileError(path, line, column + 1, "a name of its own for each column", repr(name))
        before.add(name)


def _rows(source: Source, delimiter: str | None) -> Generator[tuple[int, list[str]], None, None]:
    """The lines that are not blank: number and cells."""
    lines, head = _lines(source), list[bytes]()
    for line in lines:
        head.append(line)
        if line.strip():
            break
    unquoted = re.sub(rb'"[^"]*"', b"", head[-1]) if head else b""
    delimiter = delimiter or next((one for one in DELIMITERS if one.encode() in unquoted), ",")
    text = _Text(source, chain(head, lines), delimiter)
    reader = csv.reader(text, strict=True, delimiter=delimiter)
    try:
        for row in reader:
            text.of_row = 0
            if len(row) > 1 or any(map(str.strip, row)):
                yield reader.line_num, row
    except csv.Error as error:
        raise DataFileError(source.name, max(reader.line_num, 1), 1, "CSV", f"an error: {error}") from None


class _Text:
    """Lines as text; `of_row` counts the bytes of the row they are in, which may have many lines."""

    def __init__(self, source: Source, lines: Iterator[bytes], delimiter: str) -> None:
        self._path, self._lines, self._delimiter = source.name, lines, delimiter
        self._number, self.of_row = 0, 0
        self._longest, self._too_long = line_limit()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        self.of_row += len(line) - line.endswith(b"\n")
        if self.of_row > self._longest:
            raise DataFileError(self._path, self._number, 1, *self._too_long)
        try:
            text = line.decode("utf-8-sig" if self._number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise self._error(line[: error.start].decode(), "UTF-8", f"the byte {line[error.start]:#04x}") from None
        if "\0" in text:
            raise self._error(text.partition("\0")[0], "text", "a character 0")
        return text

    def _error(self, before: str, expected: str, found: str) -> DataFileError:
        """What is wrong in the cell after the text before it."""
        return DataFileError(self._path, self._number, before.count(self._delimiter) + 1, expected, found)


def _lines(source: Source) -> Iterator[bytes]:
    """The lines of a file."""
    number, (longest, too_long) = 0, line_limit()
    while True:
        number += 1
        try:
            line = source.file.readline(longest + 2)
        except source.damage as error:
            if getattr(error, "errno", None):  # it is the disk, not the data
                raise
            ended, data = isinstance(error, EOFError), f"{source.compression} data"
            problem = (f"more {data}", "the end of the file") if ended else (data, f"damage: {error}")
            raise DataFileError(source.name, number, 1, *problem) from None
        if not line:
            return
        if len(line) - line.endswith(b"\n") > longest:
            raise DataFileError(source.name, number, 1, *too_long)
        yield line
