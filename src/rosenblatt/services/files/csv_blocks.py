"""CSV text as blocks of columns, which the core reads strictly: all rows as long as the first. Cells stay text.

Errors are `DataFileError`s that count lines and cells.
"""

import re
from collections.abc import Generator
from contextlib import closing
from itertools import chain
from typing import Any, NamedTuple

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.services.files.blocks import LineBlocks, line_limit
from rosenblatt.services.files.characters import in_utf8, likely_encoding
from rosenblatt.services.files.compressed import Source
from rosenblatt.services.files.header import (
    EXPECTED,
    FEW,
    Names,
    Wanted,
    names_of_header,
    names_without_header,
    warn_of_data,
)
from rosenblatt.services.files.notation import UTF8, Notation
from rosenblatt.services.files.pipes import is_answered_at_once
from rosenblatt.services.files.text_column import TextColumn

DELIMITERS = (",", ";", "\t", "|")  # the first that the header has is between the cells
LINE_BYTES = 1 << 18  # of the lines that are given to the core at a time


class CsvReading(NamedTuple):
    """How a CSV file is to be read; without a delimiter its first line tells.

    `wanted`: the columns of which something is to be said; `lacking`: one that a file without a header may not have.
    """

    notation: Notation
    delimiter: str | None = None
    wanted: Wanted | None = None
    lacking: str | None = None


class CsvBlock(NamedTuple):
    """Some rows: the columns, the names of all of them, and the line of each row."""

    columns: dict[str, TextColumn]
    names: Names
    lines: Array


def csv_blocks(source: Source, reading: CsvReading, block_rows: int) -> Generator[CsvBlock, None, None]:
    """Blocks of so many rows."""
    notation, path = reading.notation, source.name
    with closing(_core_blocks(in_utf8(source, notation.encoding), reading, block_rows)) as core_blocks:
        blocks: Any = core_blocks
        first = next(blocks, None)
        if first is None:
            raise NoRowsError(path, 1, 1, EXPECTED if notation.has_header else "a row", "the end of the file")
        line = int(first.lines[0])
        if notation.has_header:
            header = [first.texts(place, 0, 1)[0] for place in range(first.width)]
            names = names_of_header(path, line, header, notation, reading.wanted)
            second = next(blocks, None)
            if second is None:
                raise NoRowsError(path, line + 1, 1, "a row", "the end of the file")
            if notation.header is None:
                warn_of_data(path, header, lambda place: second.texts(place, 0, min(len(second), FEW)), notation)
            blocks = chain([second], blocks)
        else:
            names = names_without_header(path, line, first.width, notation, reading.lacking)
            blocks = chain([first], blocks)
        for block in blocks:
            columns = {name: TextColumn.of(block, place, notation) for place, name in enumerate(names.columns)}
            yield CsvBlock(columns, names, block.lines)


def _core_blocks(source: Source, reading: CsvReading, block_rows: int) -> Generator[Any, None, None]:
    """The core's blocks: a header alone, then so many rows each, the last with what is left."""
    reader: Any = None
    has_header = reading.notation.has_header
    size, blank_lines = 1 if has_header else block_rows, 0
    lines = LineBlocks(source, LINE_BYTES, head=True)
    at_once = is_answered_at_once(source)

    def has_rows(last_lines: memoryview) -> bool:
        """Let the core read so many rows; whether there are as many in the lines that it has, or any to be answered."""
        reader.read(size)
        if reader.error:
            raise _said(source.name, reader.error, reading.notation, bytes(last_lines))
        return len(reader) == size or (at_once and len(reader) > 0)

    for block in lines:
        with memoryview(block.buffer)[: block.size] as text:
            if reader is None and (found := reading.delimiter or _delimiter_of(bytes(text), reading.notation)):
                like = "the header" if has_header else "the first row"
                reader = _core.TableReader(
                    delimiter=found.encode(), longest=line_limit()[0], lines=blank_lines, like=like
                )
            if reader is None:
                blank_lines += bytes(text).count(b"\n")
            else:
                reader.add(text)
            while reader is not None and has_rows(text):
                yield reader.take()
                size = block_rows
        lines.recycle(block)
        if block.problem:
            line = blank_lines if reader is None else reader.lines
            raise DataFileError(source.name, line + 1, 1, *block.problem)
    if reader is not None:
        reader.end()
        if has_rows(memoryview(b"")) or len(reader):
            yield reader.take()


def _delimiter_of(lines: bytes, notation: Notation) -> str | None:
    """What is between the cells, as the first line that is not blank says; None if all are.

    A comma that may be in numbers, those of a first row among them, is the last to be thought of.
    """
    line = next((line for line in lines.split(b"\n") if line.strip()), None)
    if line is None:
        return None
    unquoted = re.sub(rb'"[^"]*"', b"", line)
    in_numbers = not notation.has_header or "," in (notation.decimal, notation.thousands)
    order = (*DELIMITERS[1:], ",") if in_numbers else DELIMITERS
    return next((one for one in order if one.encode() in unquoted), ",")


def _said(path: str, error: tuple[int, int, str, bytes], notation: Notation, text: bytes) -> DataFileError:
    """What the core has found, and what to do about it; `text`: the lines in which it may be."""
    line, column, expected, cell = error
    said = cell.decode()
    if expected == "UTF-8" and notation.encoding != UTF8:
        expected, said = f"text in {notation.encoding}", "bytes that are none"
    elif expected == "UTF-8":
        wrong = [part for part in text.split(b"\n") if not _is_utf8(part)]
        likely = likely_encoding(b"\n".join(wrong)) if wrong else None
        expected += f" (or --encoding {likely}, which it seems to be)" if likely else " (or its --encoding)"
    elif expected.startswith("1 cell,") and notation.names is None:
        expected += " (is there a title above the header? remove such lines)"
    return DataFileError(path, line, column, expected, said)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
