"""CSV text as blocks of columns, which the core reads strictly: all rows as long as the first. Cells stay text.

The names of the columns come from the header or from the user. Text in other characters than UTF-8 is made UTF-8 for
the core. Errors are `DataFileError`s that count lines and cells.
"""

import codecs
import re
import warnings
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing
from itertools import chain, pairwise
from typing import Any, NamedTuple

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.base.numbers import exact
from rosenblatt.services.files.blocks import LineBlocks, line_limit
from rosenblatt.services.files.column_kind import is_sign, seems_to_be_a_number
from rosenblatt.services.files.compressed import OpenFile
from rosenblatt.services.files.dates import microseconds, needs_order
from rosenblatt.services.files.notation import UTF8, Notation
from rosenblatt.services.files.pandas_index import nameless, no_feature_of
from rosenblatt.services.files.pipes import is_answered_at_once
from rosenblatt.services.files.text_column import TextColumn

_STRANGE = "rosenblatt: no character"
# Replace a wrong byte by one that UTF-8 never has, so that the core tells where it is.
codecs.register_error(_STRANGE, lambda error: ("\udcff", getattr(error, "end", 0)))


def in_utf8(source: OpenFile, notation: Notation) -> OpenFile:
    """The same file in UTF-8; what is no character becomes U+FFFD if wanted, or a byte that is none in UTF-8 either."""
    if notation.encoding == UTF8 and notation.encoding_errors == "error":
        return source
    errors = _STRANGE if notation.encoding_errors == "error" else "replace"
    return source._replace(file=_InUtf8(source.file, notation.encoding, errors))


class _InUtf8:
    """A file in another encoding, read as UTF-8."""

    def __init__(self, file: Any, encoding: str, errors: str) -> None:
        self._read: Any = getattr(file, "read1", file.read)
        self._decoder = codecs.getincrementaldecoder(encoding)(errors)
        self._waiting, self._ended = b"", False

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        while not self._waiting and not self._ended:
            text = self._read(max(size, 1))
            self._ended = not text
            self._waiting = self._decoder.decode(text, final=self._ended).encode(UTF8, "surrogateescape")
        part, self._waiting = self._waiting[:size], self._waiting[size:]
        return part


def likely_encoding(text: bytes) -> str | None:
    r"""By some bytes that are not UTF-8; None where many encodings are as likely.

    >>> likely_encoding("größe,ja\n".encode("latin-1")), likely_encoding("a “b”, ça va".encode("cp1252"))
    ('latin-1', 'cp1252')
    >>> likely_encoding("a,b\n".encode("utf-16")), likely_encoding("да,нет\n".encode("cp1251"))
    ('utf-16', None)
    """
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in text:
        return None
    n_letters, n_beyond = len(re.findall(rb"[A-Za-z]", text)), len(re.findall(rb"[\x80-\xff]", text))
    if n_beyond > n_letters:
        return None
    return "cp1252" if re.search(rb"[\x80-\x9f]", text) else "latin-1"


EXPECTED = "a header with the names of the columns"
INDEX = "index"  # the name of a first column without a name
FEW = 100  # rows and columns that are compared with the header

Wanted = Callable[[str], bool]


class Names(NamedTuple):
    """The names of the columns, and which of them are probably an index: row numbers or names, no feature."""

    columns: list[str]
    row_names: tuple[str, ...] = ()


def names_of_header(path: str, line: int, header: list[str], notation: Notation, wanted: Wanted | None) -> Names:
    """The names that a header has, or those that take their place; what was done to them is said in a warning."""
    if not header:
        raise NoRowsError(path, line, 1, EXPECTED, "the end of the file")
    if notation.names is not None:
        return Names(_as_many(path, line, notation.names, len(header), "header"))
    if notation.header is None and all(exact(cell) is not None for cell in header):
        expected = f"{EXPECTED} (or --no-header if there is none, --header if these are names)"
        raise DataFileError(path, line, 1, expected, f"the number {header[0]!r}")
    if len(header) > 1 and not header[0]:
        header = [_number(INDEX, set(header)), *header[1:]]
        index = [header[0], *nameless(header[1:])]
    else:
        index = nameless(header)
    if indexes := [name for name in index if wanted is None or wanted(name)]:
        warnings.warn(
            f"{path}: {no_feature_of(indexes)}; to use it, name all columns with --header --names", stacklevel=2
        )
    columns, changed, others = list[str](), list[str](), set(header)
    before = set[str]()
    for place, cell in enumerate(header):
        name = cell
        if not name:
            raise DataFileError(path, line, place + 1, "a name for each column (or --header --names)", repr(name))
        if name in before:
            name = _number(name, others)
            if wanted is None or wanted(name):
                changed.append(f"{name!r} (cell {place + 1})")
        before.add(name)
        others.add(name)
        columns.append(name)
    if changed:
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        message = f"{path}: columns with the same name are numbered: {', '.join(changed[:5])}{more}"
        warnings.warn(f"{message}; if the first line is no header, say --no-header", stacklevel=2)
    return Names(columns, tuple(index))


def names_without_header(path: str, line: int, width: int, notation: Notation, lacking: str | None) -> Names:
    """The names that the user gave, without that of the column that may be `lacking`; else x1, x2, ..."""
    names = notation.names
    if names is None:
        return Names([f"x{number}" for number in range(1, width + 1)])
    if lacking in names and width == len(names) - 1:
        names = tuple(name for name in names if name != lacking)
    return Names(_as_many(path, line, names, width, "first row"))


def warn_of_data(path: str, header: list[str], below: Callable[[int], Sequence[str]], notation: Notation) -> None:
    """Warn of a header that looks like a row of data; `below`: some cells of a column, by its number."""
    strange = [cell for cell in header if exact(cell) is not None]
    if not strange or _are_a_run(strange):
        few = header[:FEW]
        strange = [cell for place, cell in enumerate(few) if cell and len(cells := below(place)) > 1 and cell in cells]
        strange = strange if 2 * len(strange) > len(few) else []
        strange += [cell for place, cell in enumerate(few) if _is_as_those_below(cell, below(place), notation)]
    if strange:
        warnings.warn(
            f"{path}: the first line is taken for a header, but looks like data ({strange[0]!r}). If it is a row, say "
            "--no-header, and name the columns with --names; if it is a header, say --header",
            stacklevel=2,
        )


def _as_many(path: str, line: int, names: Sequence[str], width: int, what: str) -> list[str]:
    if len(names) != width:
        raise DataFileError(path, line, 1, f"{width} names, as many as the {what} has cells", f"{len(names)} (--names)")
    return list(names)


def _are_a_run(cells: Sequence[str]) -> bool:
    """Whether cells are as 0, 1, 2 or 1990, 1991, 1992: names rather than values."""
    numbers = [exact(cell) for cell in cells]
    return len(numbers) > 2 and all(b is not None and a is not None and b - a == 1 for a, b in pairwise(numbers))


def _is_as_those_below(cell: str, cells: Sequence[str], notation: Notation) -> bool:
    """Whether it is a date, an amount or a number with other marks, and most cells below it are the same."""
    kind = _kind_of(cell, notation)
    return kind is not None and 2 * sum(_kind_of(below, notation) == kind for below in cells) > len(cells)


def _kind_of(cell: str, notation: Notation) -> str | None:
    if not any(map(str.isdigit, cell)) or exact(cell) is not None:
        return None
    if microseconds(cell) is not None or needs_order(cell):
        return "date"
    return "".join(filter(is_sign, cell)) if seems_to_be_a_number(cell, notation) else None


def _number(name: str, others: Collection[str | None]) -> str:
    """The name or, if it is others, name.1, name.2, ..., as pandas has it."""
    number, candidate = 0, name
    while candidate in others:
        number += 1
        candidate = f"{name}.{number}"
    return candidate


DELIMITERS = (",", ";", "\t", "|")  # the first of these that is in the header separates the cells
LINE_BYTES = 1 << 18  # how much text the core gets at a time


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


def csv_blocks(source: OpenFile, reading: CsvReading, block_rows: int) -> Generator[CsvBlock, None, None]:
    """The rows of a CSV file in blocks of `block_rows`."""
    notation, path = reading.notation, source.name
    with closing(_core_blocks(in_utf8(source, notation), reading, block_rows)) as core_blocks:
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


def _core_blocks(source: OpenFile, reading: CsvReading, block_rows: int) -> Generator[Any, None, None]:
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
            raise _error_of(source.name, reader.error, reading.notation, bytes(last_lines))
        return len(reader) == size or (at_once and len(reader) > 0)

    for block in lines:
        with memoryview(block.buffer)[: block.size] as text:
            if reader is None and (delimiter := reading.delimiter or _delimiter_of(bytes(text), reading.notation)):
                like = "the header" if has_header else "the first row"
                reader = _core.TableReader(
                    delimiter=delimiter.encode(), longest=line_limit()[0], lines=blank_lines, like=like
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
    return next((mark for mark in order if mark.encode() in unquoted), ",")


def _error_of(path: str, error: tuple[int, int, str, bytes], notation: Notation, text: bytes) -> DataFileError:
    """What the core has found, and what to do about it; `text`: the lines in which it may be."""
    line, column, expected, cell = error
    actual = cell.decode()
    if expected == "UTF-8" and notation.encoding != UTF8:
        expected, actual = f"text in {notation.encoding}", "bytes that are none"
    elif expected == "UTF-8":
        wrong = [part for part in text.split(b"\n") if not _is_utf8(part)]
        likely = likely_encoding(b"\n".join(wrong)) if wrong else None
        advice = (
            f"--encoding {likely}, which it seems to be" if likely else "its --encoding, or --encoding-errors replace"
        )
        expected += f" (or {advice})"
    elif expected.startswith("a line of at most"):
        expected, actual = line_limit()[1]
    elif expected.startswith("1 cell,") and notation.names is None:
        expected += " (is there a title above the header? remove such lines)"
    return DataFileError(path, line, column, expected, actual)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
