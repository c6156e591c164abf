"""What a table holds, seen block by block: of each column its type, what is missing, how many values, and which.

Nothing is refused: a column may have gaps, mixed cells, or a type that no feature can be made of. A column that alone
tells the label is named: each of its values has one label, or its numbers lie apart for each label. Such a column is
often known only after the label, and a model that learns from it is of no use.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array, mix_bits
from rosenblatt.base.numbers import is_whole
from rosenblatt.services.files.dates import MISSING, as_written
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.text_column import Coded

MOST = 1 << 16  # how many hashes are kept; estimates are off by 0.4 % on average


class Distinct:
    """Counts the different values that it has seen in little memory: exactly for some ten thousands, else about.

    The smallest hashes are kept. If the largest of the k smallest is the share s of all that a hash can be, there are
    about (k - 1) / s values (k minimum values: Bar-Yossef and others, Counting distinct elements in a data stream,
    2002).

    >>> seen = Distinct()
    >>> seen.texts(["a", "b", "a"])
    >>> seen.numbers(np.array([1.0, 2.0, 2.0]))
    >>> seen.count, seen.exact
    (4, True)
    """

    def __init__(self, most: int = MOST) -> None:
        self._most, self._hashes, self.exact = most, np.empty(0, np.uint64), True

    def texts(self, values: Iterable[str]) -> None:
        digests = b"".join(blake2b(value.encode("utf-8", "replace"), digest_size=8).digest() for value in set(values))
        self._see(np.frombuffer(digests, np.uint64))

    def numbers(self, values: Array) -> None:
        """Count more numbers, none of them NaN."""
        bits = (np.unique(values).astype(np.float64) + 0.0).view(np.uint64)  # -0.0 + 0.0 is 0.0
        self._see(mix_bits(bits))

    def _see(self, hashes: Array) -> None:
        all_hashes = np.union1d(self._hashes, hashes)
        self.exact = self.exact and len(all_hashes) <= self._most
        self._hashes = all_hashes[: self._most]

    @property
    def count(self) -> int:
        """How many there are; an estimate unless `exact`."""
        if self.exact:
            return len(self._hashes)
        return round((self._most - 1) / (float(self._hashes[-1]) / 2.0**64))


MOST_LABELS, MOST_VALUES = 100, 256  # at most so many are counted
FEWEST_ROWS = 20  # fewer rows tell nothing
ROWS_A_VALUE = 5


class LabelNumbers:
    """The labels of all blocks, numbered as they come."""

    def __init__(self) -> None:
        self._numbers = dict[str, int]()

    def of(self, coded: Coded) -> Array | None:
        """The numbers of more labels; None if there are too many."""
        numbers = [self._numbers.setdefault(text, len(self._numbers)) for text in coded.texts]
        return None if len(self._numbers) > MOST_LABELS else np.array(numbers, dtype=np.int64)[coded.numbers]


class Telling:
    """What a column has with each label, seen block by block.

    >>> telling = Telling()
    >>> for first in range(0, 40, 8):
    ...     rows = np.arange(first, first + 8)
    ...     telling.see(rows / 10, None, (rows >= 25).astype(int))
    >>> telling.n_right()
    40
    """

    def __init__(self) -> None:
        self._labels, self._pairs = np.zeros(MOST_LABELS, dtype=np.int64), Counter[tuple[str, int]]()
        self._few, self._apart = True, True
        self._gaps = np.zeros(MOST_LABELS, dtype=bool)
        self._least, self._most = np.full(MOST_LABELS, np.inf), np.full(MOST_LABELS, -np.inf)

    def see(self, places: Array | None, coded: Coded | None, labels: Array) -> None:
        """More cells: where they lie, NaN where one is missing; and the same as texts, unless places say all of them.

        No places: they cannot be compared with those before.
        """
        self._labels += np.bincount(labels, minlength=MOST_LABELS)
        if self._few and coded is None and places is not None:
            values, numbers = np.unique(places, return_inverse=True)
            coded = Coded(numbers, list(map(str, values[: MOST_VALUES + 1].tolist())))
        if self._few and coded is not None:
            self._see_values(coded, labels)
        self._apart = self._apart and places is not None
        if self._apart and places is not None:
            self._see_places(places, labels)

    def _see_values(self, coded: Coded, labels: Array) -> None:
        if len(coded.texts) <= MOST_VALUES:
            pairs = np.bincount(coded.numbers.astype(np.int64) * MOST_LABELS + labels)
            for pair in np.flatnonzero(pairs).tolist():
                self._pairs[coded.texts[pair // MOST_LABELS], pair % MOST_LABELS] += int(pairs[pair])
        self._few = max(len(coded.texts), len({text for text, _ in self._pairs})) <= MOST_VALUES
        if not self._few:
            self._pairs.clear()

    def _see_places(self, places: Array, labels: Array) -> None:
        there = ~np.isnan(places)
        self._gaps[labels[~there]] = True
        np.minimum.at(self._least, labels[there], places[there])
        np.maximum.at(self._most, labels[there], places[there])
        order = np.argsort(self._least)
        self._apart = self._gaps.sum() <= 1 and bool((self._most[order[:-1]] < self._least[order[1:]]).all())

    def n_right(self) -> int | None:
        """The number of rows in which it gives the right label; None if that may be chance, or is not nearly all."""
        n_rows, others = int(self._labels.sum()), int(self._labels.sum() - self._labels.max())
        if n_rows < FEWEST_ROWS or others < ROWS_A_VALUE:
            return None
        if self._apart:
            return n_rows
        best = Counter[str]()
        for (text, _), count in self._pairs.items():
            best[text] = max(best[text], count)
        if not self._few or len(best) * ROWS_A_VALUE > n_rows:
            return None
        n_wrong = n_rows - best.total()
        return n_rows - n_wrong if 100 * n_wrong <= others else None


OWN_TEXT, OWN_NUMBER = 0.8, 0.98  # a column in which this share of rows has a unique value seems to be an id
EXAMPLES = 3  # how many texts are shown, the first ones
LONGEST = 24  # how many characters of a text are shown


class ColumnOverview(NamedTuple):
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
    columns: list[ColumnOverview]


def overview(blocks: Iterable[Table], label: str | None = None) -> Overview:
    r"""What the blocks of a table hold. The labels are in the last column, unless `label` names another.

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
            labels = numbered.of(block.codes(label))
        for name in block.names:
            seen.setdefault(name, _Seen(name)).see(block, None if name == label else labels)
    return Overview(n_rows, [column.column(is_label=name == label) for name, column in seen.items()])


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
            are_numbers = self._numbers.holds and self._numbers.ends is not None  # numbers are not dates
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
            coded = None if table is None else table.codes(self._name)
            self._telling.see(places if self._kind_before in (None, kind) else None, coded, labels)
        self._kind_before = kind

    def column(self, *, is_label: bool) -> ColumnOverview:
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
        return ColumnOverview(
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
        self.holds = True
        numbers = numbers[numbers != MISSING]
        if len(numbers):
            self.whole = self.whole and is_whole(numbers)
            ends = (*(self.ends or ()), numbers.min().item(), numbers.max().item())
            self.ends = min(ends), max(ends)
