"""Tables: columns by name, of a file or of a frame.

The cells of CSV are text until someone asks for numbers or dates; how they are written, and which stand for nothing, a
`Notation` says. Errors are `DataFileError`s that count lines (rows, where there are no lines) and cells.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.base.numbers import exact
from rosenblatt.services.files.column_kind import advice, most_are_numbers, needs_an_option, sign_of_all
from rosenblatt.services.files.dates import EXPECTED, MISSING, UNITS, in_unit, in_unit_exactly, microseconds
from rosenblatt.services.files.notation import PLAIN, Notation
from rosenblatt.services.files.text_column import Coded, TextColumn

BLOCK_ROWS = 8192
_TOTALS = re.compile(r"(grand |sub)?(total|sum|summe|gesamt|insgesamt|totaal|totale)s?:?", re.IGNORECASE)


class Table:
    """Columns by name: `table["x1"]` is an array, of floats where the table says that they are numbers, else of text.

    What is missing is NaN or "". `read_table` makes one of a file, `Table.of` one of a frame.
    """

    notation = PLAIN
    gap = "nothing"  # what messages call a missing value
    index: tuple[str, ...] = ()  # the columns that are probably one: row numbers or names

    def __init__(self, columns: dict[str, Any], path: str | None = None, lines: Sequence[int] | Array = ()) -> None:
        self._columns, self._path, self._lines = columns, path, lines
        self.all_names = list(columns)  # messages count columns by these, also those that were left out since
        self._blocks: list[Table] = []  # the blocks that it was joined from
        # kept for columns with a type; a `TextColumn` keeps what was read itself
        self._results: dict[tuple[str, str], Any] = {}

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
        from rosenblatt.services.files.frames import columns_of, columns_of_rows, is_array

        if not is_array(frame):
            return cls(columns_of(frame)).with_index()
        table = cls(columns_of_rows(frame, names))
        table.gap = "NaN"
        return table

    @classmethod
    def join(cls, blocks: list["Table"]) -> "Table":
        columns = {name: _join([block._columns[name] for block in blocks]) for name in blocks[0].names}
        lines: Any = [block._lines for block in blocks]
        is_range = isinstance(lines[0], range)
        lines_of_all = range(lines[0].start, lines[-1].stop) if is_range else np.concatenate(lines)
        table = cls(columns, blocks[0]._path, lines_of_all)._like(blocks[0])
        table._blocks = blocks
        return table

    def with_index(self) -> "Table":
        """The same, knowing which columns were an index without a name before pandas has read it."""
        from rosenblatt.services.files.pandas_index import nameless

        self.index = tuple(nameless(self.all_names))
        return self

    def _like(self, table: "Table") -> "Table":
        """Take over what is known of another table, of which this one is a part or the whole; return this one."""
        self.all_names, self.notation, self.index, self.gap = table.all_names, table.notation, table.index, table.gap
        return self

    def written_as(self, notation: Notation) -> "Table":
        """The same, if its columns have types: the texts among them are read as numbers and dates so."""
        if not self.typed:
            return self
        table = self.only(self.names)
        table.notation, table._blocks = notation, [block.written_as(notation) for block in self._blocks]
        return table

    @property
    def names(self) -> list[str]:
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
        values = self._values(name)
        return values if values.flags.writeable else values.copy()

    def _values(self, name: str) -> Array:
        """The values of a column with a type; they may lie in its memory, which cannot be written to."""
        from rosenblatt.services.files.arrow import values

        try:
            return values(self._columns[name])
        except TypeError as error:
            raise self._no_values(name, error) from None

    def _no_values(self, name: str, error: TypeError) -> ValueError:
        return self.error(0, name, "numbers, texts, booleans or dates (or the column ignored)", str(error))

    def check_name(self, name: str) -> None:
        """Raise an error if there is no such column."""
        if name not in self._columns:
            raise self.error(0, None, f"a column {name!r}", ", ".join(self.all_names))

    def rows(self, first: int, last: int) -> "Table":
        columns = {name: column[first:last] for name, column in self._columns.items()}
        return Table(columns, self._path, self._lines[first:last])._like(self)

    def only(self, names: list[str]) -> "Table":
        """Some of the columns, with what was read of them."""
        table = Table({name: self._columns[name] for name in names}, self._path, self._lines)._like(self)
        table._results = {key: value for key, value in self._results.items() if key[1] in table._columns}
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
        """Whether a column has numbers: its type says so or, in a CSV file, most values; None if it has none.

        Of as many numbers as others the first value says it.
        """
        self.check_name(name)
        column = self._columns[name]
        if not isinstance(column, TextColumn):
            return self._type_is_number(name)
        return most_are_numbers(column, self.notation)

    def sign_of(self, name: str) -> str | None:
        """Of a column of text the sign that all of its values have, if they are numbers: $, €, %."""
        column = self._columns[name]
        return sign_of_all(column, self.notation) if isinstance(column, TextColumn) else None

    def check_categories(self, name: str, *, dates: bool) -> None:
        """A column that nobody has called categories must not have numbers or dates that only an option would read."""
        column = self._columns[name]
        if isinstance(column, TextColumn) and (wrong := needs_an_option(column, self.notation, dates=dates)):
            row, expected, text = wrong
            raise self.error(row, name, f"{expected}, or the column among the categorical ones", repr(text))

    def _type_is_number(self, name: str) -> bool:
        from rosenblatt.services.files.arrow import are_numbers

        try:
            return are_numbers(self._columns[name].type)
        except TypeError as error:
            raise self._no_values(name, error) from None

    def numbers(self, name: str, unit: str | None = None) -> Array:
        """A column as floats, NaN where it is missing; with a unit, of dates, or the sign that its numbers may have."""
        if unit in UNITS:
            return in_unit(self.microseconds(name), unit)
        self.check_name(name)
        column = self._columns[name]
        is_text = isinstance(column, TextColumn)
        numbers: Array | None = column.numbers(unit or "") if is_text else self._once("numbers", name, self._finite)
        if numbers is not None:
            return numbers
        fractions = self.fractions(name, unit)
        return np.array([np.nan if number is None else number for number in fractions], dtype=np.float64)

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
        if (what, name) in self._results:
            return self._results[what, name]
        result = make(name)
        if len(self) <= BLOCK_ROWS:
            self._results[what, name] = result
        return result

    def are_dates(self, name: str) -> bool:
        """Whether a column has dates: its type says so, or all of its texts are dates and there is one."""
        self.check_name(name)
        column = self._columns[name]
        if isinstance(column, TextColumn):
            if microseconds(column.first() or "", self.notation.date_order) is None:
                return False
        else:
            from rosenblatt.services.files.arrow import is_time

            if is_time(column.type):
                return True
            is_dictionary = hasattr(column.type, "index_type")  # a dictionary: the user has made them categories
            if is_dictionary or self._type_is_number(name):
                return False
        texts = [text for text in self.codes(name).texts if text]
        return len(texts) > 0 and all(microseconds(text, self.notation.date_order) is not None for text in texts)

    def microseconds(self, name: str) -> Array:
        """A column of dates as microseconds since the beginning of 1970, `MISSING` where it is empty."""
        self.check_name(name)
        if self.typed:
            from rosenblatt.services.files import arrow

            if arrow.is_time(self._columns[name].type):
                try:
                    return arrow.microseconds(self._columns[name])
                except TypeError as error:
                    raise self.error(0, name, EXPECTED, str(error)) from None
        coded = self.codes(name)
        order = self.notation.date_order
        counts = [microseconds(text, order) if text else MISSING for text in coded.texts]
        self._refuse(coded, [count is None for count in counts], name, EXPECTED)
        return np.array(counts, dtype=np.int64)[coded.numbers]

    def _refuse(self, coded: Coded, wrong: list[bool], name: str, expected: str) -> None:
        """Say where the first cell is whose text is wrong."""
        if (row := coded.first(wrong)) is not None:
            raise self.error(row, name, expected, repr(coded.texts[coded.numbers[row]]))

    def fractions(self, name: str, unit: str | None = None) -> list[Any]:
        """The same as the numbers that are written there, None where one is missing."""
        if unit in UNITS:
            return in_unit_exactly(self.microseconds(name), unit)
        if self.typed and (column := self[name]).dtype == np.float64:
            return [None if np.isnan(value) else exact(repr(value)) for value in column.tolist()]
        coded, missing, form = self.codes(name), self.notation.missing, self.notation.form(unit or "")
        numbers = [None if text in missing else exact(form.plain(text) or "") for text in coded.texts]
        strange = [text not in missing and number is None for text, number in zip(coded.texts, numbers, strict=True)]
        if (row := coded.first(strange)) is not None:
            text = coded.texts[coded.numbers[row]]
            raise self.error(row, name, f"a number{'' if self.typed else advice(text, self.notation)}", repr(text))
        return [numbers[number] for number in coded.numbers]

    def texts(self, name: str) -> Array:
        """A column as text, "" where it is empty."""
        column = self[name]
        if column.dtype != np.float64:
            return column
        from rosenblatt.services.files.arrow import texts

        return texts(self._columns[name])

    def codes(self, name: str) -> Coded:
        """A column as text, each of its texts once."""
        self.check_name(name)
        column = self._columns[name]
        if isinstance(column, TextColumn):
            return column.codes()
        coded: Coded = self._once("codes", name, self._codes)
        return coded

    def _codes(self, name: str) -> Coded:
        from rosenblatt.services.files.arrow import codes

        try:
            return codes(self._columns[name])
        except TypeError as error:
            raise self._no_values(name, error) from None

    def nothing(self, row: int, name: str) -> str:
        """What to say of a missing cell: nothing, or the text that stands for it."""
        column = self._columns[name]
        text = column.raw_text(row) if isinstance(column, TextColumn) else ""
        return f"{text!r}, which --na takes for nothing" if text else self.gap

    def _has_totals(self, row: int) -> bool:
        columns = (column for column in self._columns.values() if isinstance(column, TextColumn))
        first = next(filter(None, (column.raw_text(row) for column in columns)), "")
        return _TOTALS.fullmatch(first) is not None

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.all_names)}

    def error(self, row: int, name: str | None, expected: str, actual: str) -> ValueError:
        """What is wrong with a cell; without a name, with the table."""
        problem = actual if name is None else f"{actual} (column {name})"
        if self._path is None:
            place = "the table" if name is None else f"row {row} of the table"
            return ValueError(f"{place}: expected {expected}, found {problem}")
        if name is not None and self._has_totals(row):
            problem += "; the row seems to have totals: remove such rows"
        line, column = (1, 1) if name is None else (int(self._lines[row]), self._places[name] + 1)
        return DataFileError(self._path, line, column, expected, problem)


def _join(parts: list[Any]) -> Any:
    if isinstance(parts[0], TextColumn):
        return TextColumn.join(parts)
    from rosenblatt.services.files.arrow import join_columns

    return join_columns(parts)
