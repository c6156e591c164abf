"""What a table holds, seen block by block: of each column its type, what is missing, how many values, and which.

Nothing is refused: a column may have gaps, mixed cells, or a type that no feature can be made of.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.data.dates import MISSING, as_written
from rosenblatt.data.distinct import Distinct
from rosenblatt.data.number import is_whole
from rosenblatt.data.table import Table

EXAMPLES = 3  # of texts, the first that come
LONGEST = 24  # characters of one


class Column(NamedTuple):
    """A column: the type as the file has it or, of text, as all cells are read; counts; the range, or some values."""

    name: str
    type: str
    n_missing: int
    n_distinct: int | None  # None: values of this type are not looked into
    exact: bool  # whether n_distinct is, or an estimate
    least: float | str | None  # of numbers, or of dates as they are written
    most: float | str | None
    values: list[str]


class Overview(NamedTuple):
    """The rows and the columns of a table."""

    n_rows: int
    columns: list[Column]


def overview(blocks: Iterable[Table]) -> Overview:
    r"""Of the blocks of a table.

    >>> import io
    >>> from rosenblatt.data.table_file import iter_table
    >>> text = b"wind,on\n3,2024-01-02\n,2024-01-02\n5,2024-01-02\n"
    >>> for column in overview(iter_table(io.BytesIO(text))).columns:
    ...     print(column.name, column.type, column.n_missing, column.n_distinct, column.least, column.most)
    wind whole number 1 2 3.0 5.0
    on date 0 1 2024-01-02 2024-01-02
    """
    seen, n_rows = dict[str, _Seen](), 0
    for block in blocks:
        n_rows += len(block)
        for name in block.names:
            seen.setdefault(name, _Seen(name)).see(block)
    return Overview(n_rows, [one.column() for one in seen.values()])


class _Seen:
    """What is known of a column so far. Cells are tried as numbers and as dates, until one is none."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._type: str | None = None
        self._sign: str | None = None
        self._n_cells, self._n_missing, self._distinct, self._readable = 0, 0, Distinct(), True
        self._numbers, self._dates, self._texts = _Range(), _Range(), list[str]()

    def see(self, table: Table) -> None:
        """More rows."""
        self._n_cells += len(table)
        self._type = self._type or table.type_of(self._name)
        try:
            cells = table[self._name]
        except ValueError:  # of a type that is neither numbers nor texts
            self._readable, self._n_missing = False, self._n_missing + table.n_null(self._name)
            return
        if cells.dtype == np.float64:
            self._n_missing += int(np.isnan(cells).sum())
            self._numbers.see(cells[~np.isnan(cells)])
            self._distinct.numbers(cells[~np.isnan(cells)])
            self._dates.holds = False
            return
        there = cells[cells != ""]
        self._n_missing += len(cells) - len(there)
        self._distinct.texts(there)
        for text in there if len(self._texts) < EXAMPLES else ():
            if text not in self._texts and len(self._texts) < EXAMPLES:
                self._texts.append(text)
        if len(there) and self._numbers.holds and self._type is None:
            self._numbers.holds = False
            self._sign = self._sign or table.sign_of(self._name)
            if self._sign or table.are_numbers(self._name):
                with suppress(ValueError):
                    numbers = table.numbers(self._name, self._sign)
                    self._numbers.see(numbers[~np.isnan(numbers)])
        if len(there) and self._dates.holds:
            self._dates.holds = table.are_dates(self._name)
            if self._dates.holds:
                self._dates.see(table.microseconds(self._name))

    def column(self) -> Column:
        """What is known of it now."""
        least: float | str | None = None
        most: float | str | None = None
        if self._numbers.ends is not None and self._numbers.holds:
            least, most = self._numbers.ends
        elif self._dates.ends is not None and self._dates.holds:
            least, most = as_written(np.array(self._dates.ends, dtype=np.int64))
        values = [text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..." for text in self._texts]
        count = min(self._distinct.count, self._n_cells - self._n_missing) if self._readable else None
        shown = values if least is None else []
        return Column(self._name, self._kind(), self._n_missing, count, self._distinct.exact, least, most, shown)

    def _kind(self) -> str:
        if self._type is not None:
            return self._type
        if self._numbers.holds and self._numbers.ends is not None:
            kind = "whole number" if self._numbers.whole else "number"
            return f"{kind} with {self._sign}" if self._sign else kind
        if self._dates.holds and self._dates.ends is not None:
            return "date"
        return "text" if self._texts else "empty"


class _Range:
    """The least and the most of some numbers, and whether all are whole; `holds`: all cells so far were such."""

    def __init__(self) -> None:
        self.holds, self.whole = True, True
        self.ends: tuple[Any, Any] | None = None

    def see(self, numbers: Array) -> None:
        """More of them."""
        self.holds = True
        numbers = numbers[numbers != MISSING]
        if len(numbers):
            self.whole = self.whole and is_whole(numbers)
            ends = (*(self.ends or ()), numbers.min().item(), numbers.max().item())
            self.ends = min(ends), max(ends)
