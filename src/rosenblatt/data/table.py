"""Tables: columns by name, from CSV, Parquet or Arrow files, whole or block by block, and from frames.

CSV is read strictly: a header, all rows as long, UTF-8. Its cells are text until someone asks for numbers; an empty
cell is a missing one. Errors are `DataFileError`s that count lines (rows, where there are no lines) and cells.
"""

import csv
import operator
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain, islice
from typing import Any, Literal

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.data.blocks import DataFileError, line_limit
from rosenblatt.data.cells import as_texts
from rosenblatt.data.compressed import FileLike, Source, opened
from rosenblatt.data.format import format_of
from rosenblatt.data.number import exact, is_meant

Format = Literal["csv", "parquet", "arrow"]

BLOCK_ROWS = 8192


class Table:
    """Columns by name: `table["x1"]` is an array, of floats where the table says that they are numbers, else of text.

    What is missing is NaN or "". `read_table` makes one of a file, `Table.of` one of a frame.
    """

    def __init__(self, columns: dict[str, Any], path: str | None = None, lines: Sequence[int] = ()) -> None:
        self._columns, self._path, self._lines = columns, path, lines

    @classmethod
    def of(cls, frame: Any) -> "Table":
        """A frame of pandas or polars, a table of pyarrow, or a dict of columns; needs pyarrow.

        >>> table = Table.of({"weather": ["sunny", None], "wind": [3, 5]})
        >>> table.names, table["weather"].tolist(), table["wind"].tolist()
        (['weather', 'wind'], ['sunny', ''], [3.0, 5.0])
        """
        if isinstance(frame, cls):
            return frame
        from rosenblatt.data.arrow import columns_of

        return cls(columns_of(frame))

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def typed(self) -> bool:
        """Whether the columns have types; those of a CSV file have none, all of its cells are text."""
        return not isinstance(next(iter(self._columns.values())), np.ndarray)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.names)}>"

    def __getitem__(self, name: str) -> Array:
        self.check_name(name)
        column = self._columns[name]
        if isinstance(column, np.ndarray):
            return column
        from rosenblatt.data.arrow import values

        try:
            return values(column)
        except TypeError as error:
            raise self.error(0, name, "numbers, texts or booleans", str(error)) from None

    def check_name(self, name: str) -> None:
        """There must be such a column."""
        if name not in self._columns:
            raise self.error(0, None, f"a column {name!r}", ", ".join(self._columns))

    def rows(self, first: int, last: int) -> "Table":
        """Some of the rows."""
        columns = {name: column[first:last] for name, column in self._columns.items()}
        return Table(columns, self._path, self._lines[first:last])

    def are_numbers(self, name: str) -> bool | None:
        """Whether a column has numbers: its type says so or, in a CSV file, its first value; None if it has none."""
        column = self[name]
        if self.typed:
            return bool(column.dtype == np.float64)
        first = next(filter(None, column), None)
        return None if first is None else is_meant(first)

    def numbers(self, name: str) -> Array:
        """A column as floats, NaN where it is empty."""
        column = self[name]
        if column.dtype == np.float64:
            if np.isinf(column).any():
                row = int(np.isinf(column).argmax())
                raise self.error(row, name, "a finite number", str(column[row]))
            return column
        text, empty = "".join(column), column == ""
        if text.isascii() and "_" not in text:  # float() is not as strict as we are
            with suppress(ValueError):
                found = np.where(empty, "nan", column).astype(np.float64)
                if (np.isfinite(found) | empty).all():
                    return found
        return np.array([np.nan if number is None else number for number in self.fractions(name)], dtype=np.float64)

    def fractions(self, name: str) -> list[Any]:
        """A column as the numbers that are written there, None where it is empty."""
        column = self[name]
        if column.dtype == np.float64:
            return [None if np.isnan(value) else exact(repr(value)) for value in column.tolist()]
        found = [exact(cell) if cell else None for cell in column]
        for row, (cell, number) in enumerate(zip(column, found, strict=True)):
            if cell and number is None:
                raise self.error(row, name, "a number", repr(cell))
        return found

    def texts(self, name: str) -> Array:
        """A column as text, "" where it is empty."""
        column = self[name]
        if column.dtype != np.float64:
            return column
        from rosenblatt.data.arrow import texts

        return texts(self._columns[name])

    def error(self, row: int, name: str | None, expected: str, found: str) -> ValueError:
        """What is wrong with a cell; without a name, with the table."""
        said = found if name is None else f"{found} (column {name})"
        if self._path is None:
            place = "the table" if name is None else f"row {row} of the table"
            return ValueError(f"{place}: expected {expected}, found {said}")
        line, column = (1, 1) if name is None else (self._lines[row], self.names.index(name) + 1)
        return DataFileError(self._path, line, column, expected, said)


def read_table(path: FileLike, *, format: Format | None = None) -> Table:  # noqa: A002 - the word of the CLI
    r"""Read a table from a CSV, Parquet or Arrow file. Parquet and Arrow need pyarrow.

    Parameters
    ----------
    path
        A name, `-` for standard input, or a file opened in binary mode. Names in .gz, .bz2, .xz and .zst are
        decompressed.
    format
        "csv", "parquet" or "arrow" (also .feather and .ipc). Default: by the name, CSV if it does not say.

    Raises
    ------
    DataFileError
        `path:line:column: expected ..., found ...`; columns are cells, and the lines of a Parquet file its rows.

    See Also
    --------
    TableEncoding : What makes features of it.

    Examples
    --------
    >>> import io
    >>> table = read_table(io.BytesIO(b"weather,wind,walk\nsunny,3,yes\nrainy,5,no\n"))
    >>> table
    <Table of 2 rows: weather, wind, walk>
    >>> table["weather"].tolist()
    ['sunny', 'rainy']
    >>> read_table(io.BytesIO(b"weather,wind\nsunny\n"))
    Traceback (most recent call last):
    rosenblatt.DataFileError: <file>:2:2: expected 2 cells, as in the header, found 1
    """
    blocks = list(iter_table(path, format=format))
    columns = {name: _joined([block._columns[name] for block in blocks]) for name in blocks[0].names}
    return Table(columns, blocks[0]._path, list(chain.from_iterable(block._lines for block in blocks)))


def _joined(parts: list[Any]) -> Any:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    from rosenblatt.data.arrow import joined

    return joined(parts)


def iter_table(
    path: FileLike,
    *,
    format: Format | None = None,  # noqa: A002
    block_rows: int = BLOCK_ROWS,
) -> Iterator[Table]:
    """The same table in blocks of so many rows, the last one with what is left: for files larger than the memory."""
    if operator.index(block_rows) < 1:
        raise ValueError(f"block_rows must be at least 1, got {block_rows}")
    form = format or format_of(path, "csv")
    with opened(path) as source:
        if form == "csv":
            with closing(_csv_blocks(source, block_rows)) as blocks:
                yield from blocks
        else:
            from rosenblatt.data.arrow import blocks_of

            for start, columns in blocks_of(source, form, block_rows):
                size = len(next(iter(columns.values())))
                yield Table(columns, source.name, range(start + 1, start + size + 1))


def _csv_blocks(source: Source, block_rows: int) -> Generator[Table, None, None]:
    with closing(_rows(source)) as rows:
        line, row = next(rows, (1, []))
        header = [cell.strip() for cell in row]
        _check_header(source.name, line, header)
        width, any_rows = len(header), False
        while True:
            cells, lines = list[str](), list[int]()  # row after row in one list, which is faster than a list of rows
            for line, row in islice(rows, block_rows):
                if len(row) != width:
                    expected = f"{width} cells, as in the header"
                    raise DataFileError(source.name, line, min(len(row), width) + 1, expected, str(len(row)))
                cells += row
                lines.append(line)
            if not lines:
                break
            any_rows = True
            columns = {name: as_texts(map(str.strip, cells[place::width])) for place, name in enumerate(header)}
            yield Table(columns, source.name, lines)
        if not any_rows:
            raise DataFileError(source.name, line + 1, 1, "a row", "the end of the file")


def _check_header(path: str, line: int, header: list[str]) -> None:
    if not header or all(exact(cell) is not None for cell in header):
        found = f"the number {header[0]!r}" if header else "the end of the file"
        raise DataFileError(path, line, 1, "a header with the names of the columns", found)
    before = set[str]()
    for column, name in enumerate(header):
        if not name or name in before:
            raise DataFileError(path, line, column + 1, "a name of its own for each column", repr(name))
        before.add(name)


def _rows(source: Source) -> Generator[tuple[int, list[str]], None, None]:
    """The lines that are not blank: number and cells."""
    lines = _Lines(source)
    reader = csv.reader(lines, strict=True)
    try:
        for row in reader:
            lines.of_row = 0
            if len(row) > 1 or any(map(str.strip, row)):
                yield reader.line_num, row
    except csv.Error as error:
        raise DataFileError(source.name, max(reader.line_num, 1), 1, "CSV", f"an error: {error}") from None


class _Lines:
    """The lines of a file as text; `of_row` counts the bytes of the row they are in, which may have many lines."""

    def __init__(self, source: Source) -> None:
        self._source, self._number, self.of_row = source, 0, 0
        self._longest, self._too_long = line_limit()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self._number += 1
        line = self._line()
        if not line:
            raise StopIteration
        self.of_row += len(line) - line.endswith(b"\n")
        if self.of_row > self._longest:
            raise self._error(1, *self._too_long)
        try:
            text = line.decode("utf-8-sig" if self._number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise self._error(
                line.count(b",", 0, error.start) + 1, "UTF-8", f"the byte {line[error.start]:#04x}"
            ) from None
        if "\0" in text:
            raise self._error(text.partition("\0")[0].count(",") + 1, "text", "a character 0")
        return text

    def _line(self) -> bytes:
        try:
            line: bytes = self._source.file.readline(self._longest + 1)
        except self._source.damage as error:
            if getattr(error, "errno", None):  # it is the disk, not the data
                raise
            ended, data = isinstance(error, EOFError), f"{self._source.compression} data"
            problem = (f"more {data}", "the end of the file") if ended else (data, f"damage: {error}")
            raise self._error(1, *problem) from None
        return line

    def _error(self, column: int, expected: str, found: str) -> DataFileError:
        return DataFileError(self._source.name, self._number, column, expected, found)
