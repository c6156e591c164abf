"""CSV text as blocks of columns, which the core reads strictly: a header, all rows as long, UTF-8. Cells stay text.

Errors are `DataFileError`s that count lines and cells.
"""

import re
from collections.abc import Generator
from contextlib import closing
from typing import Any

from rosenblatt import _core
from rosenblatt.arrays import Array
from rosenblatt.data.blocks import DataFileError, LineBlocks, NoRowsError, line_limit
from rosenblatt.data.compressed import Source
from rosenblatt.data.number import exact
from rosenblatt.data.pipes import is_answered_at_once
from rosenblatt.data.text_column import TextColumn

Block = tuple[dict[str, TextColumn], Array]

DELIMITERS = (",", ";", "\t", "|")  # the first that the header has is between the cells
LINE_BYTES = 1 << 18  # of the lines that are given to the core at a time


def csv_blocks(source: Source, delimiter: str | None, block_rows: int) -> Generator[Block, None, None]:
    """Blocks of so many rows: the columns by name, and the line of each row. Without a delimiter the header tells."""
    with closing(_core_blocks(source, delimiter, block_rows)) as blocks:
        first = next(blocks, None)
        header = [] if first is None else [first.texts(place, 0, 1)[0] for place in range(first.width)]
        line = 1 if first is None else int(first.lines[0])
        _check_header(source.name, line, header)
        any_rows = False
        for block in blocks:
            any_rows = True
            yield {name: TextColumn.of(block, place) for place, name in enumerate(header)}, block.lines
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


def _core_blocks(source: Source, delimiter: str | None, block_rows: int) -> Generator[Any, None, None]:
    """The core's blocks: the header alone, then so many rows each, the last with what is left."""
    reader: Any = None
    size, blank_lines = 1, 0
    lines = LineBlocks(source, LINE_BYTES, head=True)
    at_once = is_answered_at_once(source)
    for block in lines:
        with memoryview(block.buffer)[: block.size] as text:
            if reader is None and (found := delimiter or _delimiter_of(bytes(text))):
                reader = _core.TableReader(delimiter=found.encode(), longest=line_limit()[0], lines=blank_lines)
            if reader is None:
                blank_lines += bytes(text).count(b"\n")
            else:
                reader.add(text)
        lines.recycle(block)
        while reader is not None and (_has_rows(source, reader, size) or (at_once and len(reader))):
            yield reader.take()
            size = block_rows
        if block.problem:
            line = blank_lines if reader is None else reader.lines
            raise DataFileError(source.name, line + 1, 1, *block.problem)
    if reader is not None:
        reader.end()
        if _has_rows(source, reader, size) or len(reader):
            yield reader.take()


def _delimiter_of(lines: bytes) -> str | None:
    """What is between the cells, as the first line that is not blank says; None if all are."""
    line = next((line for line in lines.split(b"\n") if line.strip()), None)
    if line is None:
        return None
    unquoted = re.sub(rb'"[^"]*"', b"", line)
    return next((one for one in DELIMITERS if one.encode() in unquoted), ",")


def _has_rows(source: Source, reader: Any, size: int) -> bool:
    """Let the core read so many rows; whether there are as many in the lines that it has."""
    reader.read(size)
    if reader.error:
        line, column, expected, found = reader.error
        raise DataFileError(source.name, line, column, expected, found.decode())
    return len(reader) == size
