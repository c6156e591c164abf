"""CSV text as blocks of columns, read strictly: a header, all rows as long, UTF-8. Cells stay text.

Errors are `DataFileError`s that count lines and cells.
"""

import csv
import re
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import chain, islice

from rosenblatt.arrays import Array
from rosenblatt.data.blocks import LONGEST_LINE, DataFileError, NoRowsError
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
    for column, name in enumerate(header):
        if not name or name in header[:column]:
            raise DataFileError(path, line, column + 1, "a name of its own for each column", repr(name))


def _rows(source: Source, delimiter: str | None) -> Generator[tuple[int, list[str]], None, None]:
    """The lines that are not blank: number and cells."""
    lines, head = _lines(source), list[bytes]()
    for line in lines:
        head.append(line)
        if line.strip():
            break
    unquoted = re.sub(rb'"[^"]*"', b"", head[-1]) if head else b""
    delimiter = delimiter or next((one for one in DELIMITERS if one.encode() in unquoted), ",")
    reader = csv.reader(_decoded(source, chain(head, lines), delimiter), strict=True, delimiter=delimiter)
    try:
        for row in reader:
            if len(row) > 1 or any(map(str.strip, row)):
                yield reader.line_num, row
    except csv.Error as error:
        raise DataFileError(source.name, max(reader.line_num, 1), 1, "CSV", f"an error: {error}") from None


def _decoded(source: Source, lines: Iterator[bytes], delimiter: str) -> Iterator[str]:
    """Lines as text."""
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            column = line.count(delimiter.encode(), 0, error.start) + 1
            raise DataFileError(source.name, number, column, "UTF-8", f"the byte {line[error.start]:#04x}") from None
        if "\0" in text:
            column = text.partition("\0")[0].count(delimiter) + 1
            raise DataFileError(source.name, number, column, "text", "a character 0")
        yield text


def _lines(source: Source) -> Iterator[bytes]:
    """The lines of a file."""
    number = 0
    while True:
        number += 1
        try:
            line = source.file.readline(LONGEST_LINE)
        except source.damage as error:
            if getattr(error, "errno", None):  # it is the disk, not the data
                raise
            ended, data = isinstance(error, EOFError), f"{source.compression} data"
            problem = (f"more {data}", "the end of the file") if ended else (data, f"damage: {error}")
            raise DataFileError(source.name, number, 1, *problem) from None
        if not line:
            return
        if len(line) == LONGEST_LINE:
            raise DataFileError(source.name, number, 1, f"a line of at most {LONGEST_LINE} bytes", "a longer one")
        yield line
