"""What a table holds, seen block by block: of each column its type, what is missing, how many values, and which.

Nothing is refused: a column may have gaps, mixed cells, or a type that no feature can be made of.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.numbers import is_whole
from rosenblatt.services.files.dates import MISSING, as_written
from rosenblatt.services.files.distinct import Distinct
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.telling import FEWEST_ROWS, LabelNumbers, Telling

OWN_TEXT, OWN_NUMBER = 0.8, 0.98  # the share of rows with values of their own from which on a column seems an id
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
    hints: list[str]  # why it may be no feature: "constant", "id", "label"
    n_right: int | None  # rows in which it alone gives the right label, if these are nearly all


class Overview(NamedTuple):
    """The rows and the columns of a table."""

    n_rows: int
    columns: list[Column]


def overview(blocks: Iterable[Table], label: str | None = None) -> Overview:
    r"""Of the blocks of a table, whose labels are in the last column unless they are said to be in another.

    >>> import io
    >>> from rosenblatt.services.files.table_file import iter_table
    >>> text = b"wind,on\n3,2024-01-02\n,2024-01-02\n5,2024-01-02\n"
    >>> for column in overview(iter_table(io.BytesIO(text))).columns:
    ...     print(column.name, column.type, column.n_missing, column.n_distinct, column.least, column.most)
    wind whole number 1 2 3.0 5.0
    on date 0 1 2024-01-02 2024-01-02
    """
    seen, n_rows, numbered = dict[str, _Seen](), 0, LabelNumbers()
    for block in blocks:
        n_rows += len(block)
        label = label or block.names[-1]
        labels = None
        with suppress(ValueError):  # there is no such column, or none that can be read
            labels = numbered.of(block.coded(label))
        for name in block.names:
            seen.setdefault(name, _Seen(name)).see(block, None if name == label else labels)
    return Overview(n_rows, [one.column(is_label=name == label) for name, one in seen.items()])


class _Seen:
    """What is known of a column so far. Cells are tried as numbers and as dates, until one is none."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._type: str | None = None
        self._sign: str | None = None
        self._n_cells, self._n_missing, self._distinct, self._readable = 0, 0, Distinct(), True
        self._numbers, self._dates, self._texts = _Range(), _Range(), list[str]()
        self._telling: Telling | None = Telling()
        self._kind_before: tuple[bool, bool] | None = None

    def see(self, table: Table, labels: Array | None) -> None:
        """More rows, and the numbers of their labels, unless there are too many or this is their column."""
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
            self._tell(None, cells, labels)
            return
        there, places = cells[cells != ""], np.where(cells == "", np.nan, 0.0)
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
                    places = table.numbers(self._name, self._sign)
                    self._numbers.see(places[~np.isnan(places)])
        if len(there) and self._dates.holds:
            are_numbers = self._numbers.holds and self._numbers.ends is not None  # which are no dates
            self._dates.holds = not are_numbers and table.are_dates(self._name)
            if self._dates.holds:
                dates = table.microseconds(self._name)
                self._dates.see(dates)
                places = np.where(dates == MISSING, np.nan, dates)
        self._tell(table, places, labels)

    def _tell(self, table: Table | None, places: Array, labels: Array | None) -> None:
        """Cells, and where they lie: numbers, dates or, of texts, all at one place. No `table`: they are numbers."""
        kind = self._numbers.holds, self._dates.holds
        if labels is None:
            self._telling = None
        elif self._telling is not None:
            coded = None if table is None else table.coded(self._name)
            self._telling.see(places if self._kind_before in (None, kind) else None, coded, labels)
        self._kind_before = kind

    def column(self, *, is_label: bool) -> Column:
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
        n_right = None if self._telling is None else self._telling.n_right()
        hints = [*self._hints(count, is_label=is_label), *([] if n_right is None else ["label"])]
        return Column(
            self._name, self._kind(), self._n_missing, count, self._distinct.exact, least, most, shown, hints, n_right
        )

    def _hints(self, count: int | None, *, is_label: bool) -> list[str]:
        """What its values alone say: that they are all the same, or one a row."""
        if count is None or self._n_cells < 2:
            return []
        if count + (self._n_missing > 0) <= 1:
            return ["constant"]
        share = count / self._n_cells
        if self._numbers.holds and self._numbers.ends is not None:
            is_id = self._numbers.whole and share >= OWN_NUMBER
        else:
            is_id = not (self._dates.holds and self._dates.ends is not None) and share >= OWN_TEXT
        return ["id"] if is_id and not is_label and self._n_cells >= FEWEST_ROWS else []

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
