"""Tables: columns by name, from CSV, Parquet or Arrow files, whole or block by block, and from frames.

CSV is read strictly: a header, all rows as long, UTF-8. Its cells are text until someone asks for numbers or dates; an
empty cell is a missing one. Errors are `DataFileError`s that count lines (rows, where there are no lines) and cells.
"""

import operator
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, Literal

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.data.blocks import DataFileError
from rosenblatt.data.compressed import FileLike, head_of, opened
from rosenblatt.data.csv_blocks import csv_blocks
from rosenblatt.data.dates import EXPECTED, MISSING, in_unit, in_unit_exactly, microseconds
from rosenblatt.data.format import format_of, table_format
from rosenblatt.data.number import exact, is_meant
from rosenblatt.data.text_column import Coded, TextColumn

Format = Literal["csv", "tsv", "parquet", "arrow"]

BLOCK_ROWS = 8192


class Table:
    """Columns by name: `table["x1"]` is an array, of floats where the table says that they are numbers, else of text.

    What is missing is NaN or "". `read_table` makes one of a file, `Table.of` one of a frame.
    """

    def __init__(self, columns: dict[str, Any], path: str | None = None, lines: Sequence[int] | Array = ()) -> None:
        self._columns, self._path, self._lines = columns, path, lines
        self.all_names = list(columns)  # as messages count them: also of columns that are not there any more
        self._blocks: list[Table] = []  # if it was joined of them
        self.nothing = "nothing"  # as messages call a missing value
        self._made: dict[tuple[str, str], Any] = {}  # of columns with a type, as a `TextColumn` keeps what was read

    @classmethod
    def of(cls, frame: Any, names: Sequence[str] | None = None) -> "Table":
        """A frame of pandas or polars, a table of pyarrow, a dict of columns, or rows; needs pyarrow.

        Rows are an array of two dimensions, or a list of them; their columns are x0, x1, ... unless they have `names`.
        The index of a frame of pandas is no column.

        >>> table = Table.of({"weather": ["sunny", None], "wind": [3, 5]})
        >>> table.names, table["weather"].tolist(), table["wind"].tolist()
        (['weather', 'wind'], ['sunny', ''], [3.0, 5.0])
        """
        if isinstance(frame, cls):
            return frame
        from rosenblatt.data.frames import columns_of, columns_of_rows, is_array

        if not is_array(frame):
            return cls(columns_of(frame))
        table = cls(columns_of_rows(frame, names))
        table.nothing = "NaN"
        return table

    @classmethod
    def joined(cls, blocks: list["Table"]) -> "Table":
        """One table of the blocks of a table."""
        columns = {name: _joined([block._columns[name] for block in blocks]) for name in blocks[0].names}
        lines: Any = [block._lines for block in blocks]
        is_range = isinstance(lines[0], range)
        joined = range(lines[0].start, lines[-1].stop) if is_range else np.concatenate(lines)
        table = cls(columns, blocks[0]._path, joined)
        table.all_names, table._blocks = blocks[0].all_names, blocks
        return table

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def typed(self) -> bool:
        """Whether the columns have types; those of a CSV file have none, all of its cells are text."""
        return not isinstance(next(iter(self._columns.values())), TextColumn)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.names)}>"

    def __getitem__(self, name: str) -> Array:
        self.check_name(name)
        column = self._columns[name]
        if isinstance(column, TextColumn):
            return column.texts()
        found = self._values(name)
        return found if found.flags.writeable else found.copy()

    def _values(self, name: str) -> Array:
        """Of a column with a type; they may lie in its memory, which cannot be written to."""
        from rosenblatt.data.arrow import values

        try:
            return values(self._columns[name])
        except TypeError as error:
            raise self._no_values(name, error) from None

    def _no_values(self, name: str, error: TypeError) -> ValueError:
        return self.error(0, name, "numbers, texts, booleans or dates (or the column ignored)", str(error))

    def check_name(self, name: str) -> None:
        """There must be such a column."""
        if name not in self._columns:
            raise self.error(0, None, f"a column {name!r}", ", ".join(self.all_names))

    def rows(self, first: int, last: int) -> "Table":
        """Some of the rows."""
        columns = {name: column[first:last] for name, column in self._columns.items()}
        table = Table(columns, self._path, self._lines[first:last])
        table.all_names, table.nothing = self.all_names, self.nothing
        return table

    def only(self, names: list[str]) -> "Table":
        """Some of the columns, with what was read of them."""
        table = Table({name: self._columns[name] for name in names}, self._path, self._lines)
        table.all_names, table.nothing = self.all_names, self.nothing
        table._made = {key: made for key, made in self._made.items() if key[1] in table._columns}
        return table

    def blocks(self) -> Iterator["Table"]:
        """All rows, `BLOCK_ROWS` at a time; there is one without rows if the table has none."""
        if len(self) <= BLOCK_ROWS:
            yield self
        elif self._blocks and all(len(block) == BLOCK_ROWS for block in self._blocks[:-1]):
            yield from self._blocks
        else:
            for first in range(0, len(self), BLOCK_ROWS):
                yield self.rows(first, first + BLOCK_ROWS)

    def forget(self) -> None:
        """Give the memory of the text of a CSV file back; the numbers and codes that were read of it stay."""
        for column in self._columns.values():
            if isinstance(column, TextColumn):
                column.forget()

    def type_of(self, name: str) -> str | None:
        """The type of a column, as the file or the frame names it; None if it has none."""
        if not self.typed:
            return None
        kind = self._columns[name].type
        return f"dictionary<{kind.value_type}>" if hasattr(kind, "index_type") else str(kind)

    def n_null(self, name: str) -> int:
        """Cells of a column with a type that have no value."""
        return int(self._columns[name].null_count)

    def are_numbers(self, name: str) -> bool | None:
        """Whether a column has numbers: its type says so or, in a CSV file, its first value; None if it has none."""
        self.check_name(name)
        column = self._columns[name]
        if not isinstance(column, TextColumn):
            return self._type_is_number(name)
        first = column.first()
        return None if first is None else is_meant(first)

    def _type_is_number(self, name: str) -> bool:
        from rosenblatt.data.arrow import are_numbers

        try:
            return are_numbers(self._columns[name].type)
        except TypeError as error:
            raise self._no_values(name, error) from None

    def numbers(self, name: str) -> Array:
        """A column as floats, NaN where it is empty."""
        self.check_name(name)
        column = self._columns[name]
        is_text = isinstance(column, TextColumn)
        numbers: Array | None = column.numbers() if is_text else self._once("numbers", name, self._finite)
        if numbers is not None:
            return numbers
        return np.array([np.nan if number is None else number for number in self.fractions(name)], dtype=np.float64)

    def _finite(self, name: str) -> Array | None:
        """A column whose type says that it has numbers; None if it does not."""
        if not self._type_is_number(name):
            return None
        column = self._values(name)
        if np.isinf(column).any():
            row = int(np.isinf(column).argmax())
            raise self.error(row, name, "a finite number", str(column[row]))
        return column

    def _once(self, what: str, name: str, make: Callable[[str], Any]) -> Any:
        """What is made of a column; it is kept if the table is a block, which is learned from and then encoded."""
        if (what, name) in self._made:
            return self._made[what, name]
        made = make(name)
        if len(self) <= BLOCK_ROWS:
            self._made[what, name] = made
        return made

    def are_dates(self, name: str) -> bool:
        """Whether a column has dates: its type says so, or all of its texts are dates and there is one."""
        self.check_name(name)
        column = self._columns[name]
        if isinstance(column, TextColumn):
            if microseconds(column.first() or "") is None:
                return False
        else:
            from rosenblatt.data.arrow import is_time

            if is_time(column.type):
                return True
            is_dictionary = hasattr(column.type, "index_type")  # someone has called them categories
            if is_dictionary or self._type_is_number(name):
                return False
        texts = [text for text in self.coded(name).texts if text]
        return len(texts) > 0 and all(microseconds(text) is not None for text in texts)

    def dates(self, name: str, unit: str) -> Array:
        """A column as days or seconds since the beginning of 1970, NaN where it is empty."""
        return in_unit(self.microseconds(name), unit)

    def microseconds(self, name: str) -> Array:
        """A column of dates as microseconds since the beginning of 1970, `MISSING` where it is empty."""
        self.check_name(name)
        if self.typed:
            from rosenblatt.data import arrow

            if arrow.is_time(self._columns[name].type):
                try:
                    return arrow.microseconds(self._columns[name])
                except TypeError as error:
                    raise self.error(0, name, EXPECTED, str(error)) from None
        coded = self.coded(name)
        found = [microseconds(text) if text else MISSING for text in coded.texts]
        self._refuse(coded, [count is None for count in found], name, EXPECTED)
        return np.array(found, dtype=np.int64)[coded.numbers]

    def _refuse(self, coded: Coded, wrong: list[bool], name: str, expected: str) -> None:
        """Say where the first cell is whose text is wrong."""
        if (row := coded.first(wrong)) is not None:
            raise self.error(row, name, expected, repr(coded.texts[coded.numbers[row]]))

    def fractions(self, name: str, unit: str | None = None) -> list[Any]:
        """A column as the numbers that are written there, None where it is empty; with a unit, of dates."""
        if unit is not None:
            return in_unit_exactly(self.microseconds(name), unit)
        if self.typed and (column := self[name]).dtype == np.float64:
            return [None if np.isnan(value) else exact(repr(value)) for value in column.tolist()]
        coded = self.coded(name)
        found = [exact(text) if text else None for text in coded.texts]
        strange = [bool(text) and number is None for text, number in zip(coded.texts, found, strict=True)]
        self._refuse(coded, strange, name, "a number")
        return [found[number] for number in coded.numbers]

    def texts(self, name: str) -> Array:
        """A column as text, "" where it is empty."""
        column = self[name]
        if column.dtype != np.float64:
            return column
        from rosenblatt.data.arrow import texts

        return texts(self._columns[name])

    def coded(self, name: str) -> Coded:
        """A column as text, each of its texts once."""
        self.check_name(name)
        column = self._columns[name]
        if isinstance(column, TextColumn):
            return column.coded()
        coded: Coded = self._once("coded", name, self._coded)
        return coded

    def _coded(self, name: str) -> Coded:
        from rosenblatt.data.arrow import coded

        try:
            return coded(self._columns[name])
        except TypeError as error:
            raise self._no_values(name, error) from None

    def error(self, row: int, name: str | None, expected: str, found: str) -> ValueError:
        """What is wrong with a cell; without a name, with the table."""
        said = found if name is None else f"{found} (column {name})"
        if self._path is None:
            place = "the table" if name is None else f"row {row} of the table"
            return ValueError(f"{place}: expected {expected}, found {said}")
        line, column = (1, 1) if name is None else (int(self._lines[row]), self.all_names.index(name) + 1)
        return DataFileError(self._path, line, column, expected, said)


def read_table(
    path: FileLike,
    *,
    format: Format | None = None,  # noqa: A002 - the word of the CLI
    delimiter: str | None = None,
) -> Table:
    r"""Read a table from a CSV, Parquet or Arrow file. Parquet and Arrow need pyarrow.

    Parameters
    ----------
    path
        A name, `-` for standard input, or a file opened in binary mode. Names in .gz, .bz2, .xz and .zst are
        decompressed.
    format
        "csv", "tsv" (tabs between the cells), "parquet" or "arrow" (also .feather and .ipc). Default: by the name; if
        that does not say, by how the file begins.
    delimiter
        The character between the cells of a CSV file. Default: of comma, semicolon, tab and | the first that the
        header has.

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
    return Table.joined(list(iter_table(path, format=format, delimiter=delimiter)))


def _joined(parts: list[Any]) -> Any:
    if isinstance(parts[0], TextColumn):
        return TextColumn.joined(parts)
    from rosenblatt.data.arrow import joined

    return joined(parts)


def iter_table(
    path: FileLike,
    *,
    format: Format | None = None,  # noqa: A002
    delimiter: str | None = None,
    block_rows: int = BLOCK_ROWS,
    wanted: Callable[[str], bool] | None = None,
) -> Generator[Table, None, None]:
    """The same table in blocks of so many rows, the last one with what is left: for files larger than the memory.

    `wanted` says by its name whether a column is to be in the blocks; of Parquet and Arrow the others are not read.
    Where none is wanted, all are there.
    """
    if operator.index(block_rows) < 1:
        raise ValueError(f"block_rows must be at least 1, got {block_rows}")
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise ValueError(f"delimiter: expected one character between the cells, found {delimiter!r}")
    form: str = format or format_of(path, "")
    with opened(path) as source:
        form = form or ("csv" if delimiter else table_format(head_of(source.file)))
        if form in ("csv", "tsv"):
            with closing(csv_blocks(source, delimiter or ("\t" if form == "tsv" else None), block_rows)) as blocks:
                for by_name, lines in blocks:
                    table = Table(by_name, source.name, lines)
                    yield table.only(list(filter(wanted, by_name)) or table.names)
        elif delimiter is not None:
            raise ValueError(f"{source.name}: expected CSV with {delimiter!r} between the cells, found {form}")
        else:
            from rosenblatt.data.arrow import blocks_of

            for start, names, by_name in blocks_of(source, form, block_rows, wanted):
                size = len(next(iter(by_name.values())))
                table = Table(by_name, source.name, range(start + 1, start + size + 1))
                table.all_names = names
                yield table
