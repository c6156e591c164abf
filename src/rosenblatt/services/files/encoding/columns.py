"""How the columns of a table become features: numbers and dates as numbers, an indicator a category. Texts are
`rosenblatt.members.linear.text.columns`.

Each kind is what was learned of its columns, and goes to JSON and back; what comes back is checked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isfinite
from reprlib import repr as short
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.numbers import is_whole
from rosenblatt.base.record.parts import Parts
from rosenblatt.services.files.column_kind import is_sign
from rosenblatt.services.files.dates import UNITS
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.text_column import Coded

LABELS = ("whole", "number", "text")
NO_VALUE = "a value, or a policy for missing ones in training (--missing: zero, mean or indicator)"
IGNORED = "unless unknown ones are ignored (--unknown ignore)"

_UNKNOWN = -2  # stands for a category that was not seen


@dataclass
class NumberColumns:
    """Columns of numbers: (x - mean) / scale, `fill` where x is missing (None: refused), and perhaps an indicator.

    Dates are numbers in one of the `units` of time, amounts have their sign there, as $ or %, other columns None.
    """

    names: list[str]
    units: list[str | None]
    mean: list[float]
    scale: list[float]
    fill: list[float | None]
    indicator: list[bool]

    @classmethod
    def plain(cls, names: list[str]) -> "NumberColumns":
        """Columns as they are, none of them with a missing value."""
        n = len(names)
        return cls(names, [None] * n, [0.0] * n, [1.0] * n, [None] * n, [False] * n)

    def read(self, table: Table) -> list[Array]:
        """The columns, NaN where a value is missing that may be."""
        columns = numbers_of(table, self.names, self.units)
        gaps = gaps_in(columns)
        refuse_missing(table, self.names, {k: gap for k, gap in gaps.items() if self.fill[k] is None})
        return columns

    def finish(self, out: Array) -> None:
        """From what was read to features, in place: the columns, then the indicators of missing values."""
        values = out[:, : len(self.names)]
        if self.standardised:
            values -= self.mean
            values /= self.scale
        if any(fill is not None for fill in self.fill):
            gaps = np.isnan(values)
            out[:, len(self.names) :] = gaps[:, self.indicator]
            np.copyto(values, [0.0 if fill is None else fill for fill in self.fill], where=gaps)

    @property
    def standardised(self) -> list[str]:
        """The columns that are not as the table has them."""
        return [name for name, *moments in zip(self.names, self.mean, self.scale, strict=True) if moments != [0.0, 1.0]]

    def feature_names(self) -> list[str]:
        """The columns', and `x=` for the indicator of x."""
        return [*self.names, *(f"{name}=" for name, shown in zip(self.names, self.indicator, strict=True) if shown)]

    def __len__(self) -> int:
        return len(self.names) + sum(self.indicator)

    @classmethod
    def from_json(cls, record: Any) -> "NumberColumns":
        """What was learned, if it can be so."""
        parts = _parts(record, "numbers")
        names = _names(parts)

        def of_each(name: str, expected: str, holds: Callable[[Any], bool]) -> Any:
            return parts.value(name, f"{expected} for each column", lambda values: _all(values, holds, len(names)))

        learned = cls(
            names,
            of_each("units", f"{', '.join(UNITS)}, a sign as $ or null", _is_unit),
            of_each("mean", "a finite number", _is_finite),
            of_each("scale", "a finite number over 0", lambda value: _is_finite(value) and value > 0),
            of_each("fill", "a finite number or null", lambda value: value is None or _is_finite(value)),
            of_each("indicator", "true or false", lambda value: isinstance(value, bool)),
        )
        parts.end()
        return learned


@dataclass
class Categories:
    """Columns of categories: an indicator for each value that was seen.

    `fill` stands for a missing cell; None: refused. "" may be one of the values, else it has no indicator.
    """

    names: list[str]
    values: list[list[str]]
    fill: list[str | None]

    def encode(self, table: Table, unknown: str) -> Array:
        """For each cell, row by row, the number of the indicator that is 1; -1 if it has none.

        `unknown` says whether a value that was not seen is an error.
        """
        chosen = np.empty((len(table), len(self.names)), dtype=np.int64)
        coded = [table.codes(name) for name in self.names]
        for place, (cells, number_of) in enumerate(zip(coded, self._numbers, strict=True)):
            numbers = [number_of.get(text, _UNKNOWN) for text in cells.texts]
            chosen[:, place] = np.array(numbers, dtype=np.int64)[cells.numbers]
        wrong = chosen == _UNKNOWN
        if unknown == "ignore" and wrong.any():
            for place, cells in enumerate(coded):
                wrong[:, place] &= np.array([not text for text in cells.texts], dtype=bool)[cells.numbers]
        if wrong.any():
            row, place = np.argwhere(wrong)[0].tolist()
            cell, values = coded[place].texts[coded[place].numbers[row]], self.values[place]
            expected = f"one of {short(values)[1:-1]}, {IGNORED}" if cell else NO_VALUE
            name = self.names[place]
            raise table.error(row, name, expected, short(cell) if cell else table.nothing(row, name))
        return np.maximum(chosen, -1)

    @cached_property
    def _numbers(self) -> list[dict[str, int]]:
        """For each column the number of each value's indicator, and what stands for a missing cell, if it may be."""
        number_of, first = list[dict[str, int]](), 0
        for values, fill in zip(self.values, self.fill, strict=True):
            numbers = {value: first + place for place, value in enumerate(values)}
            if fill is not None:
                numbers[""] = numbers.get(fill, -1)
            number_of.append(numbers)
            first += len(values)
        return number_of

    def feature_names(self) -> list[str]:
        """`weather=sunny`; `weather=` for a missing one."""
        return [f"{name}={value}" for name, values in zip(self.names, self.values, strict=True) for value in values]

    def __len__(self) -> int:
        return sum(map(len, self.values))

    @classmethod
    def from_json(cls, record: Any) -> "Categories":
        """What was learned, if it can be so."""
        parts = _parts(record, "categories")
        names = _names(parts)
        values = parts.value(
            "values", "the sorted values of each column", lambda record: _all(record, _are_sorted, len(names))
        )
        fill = parts.value(
            "fill", "a text or null for each column", lambda record: _all(record, _is_text_or_none, len(names))
        )
        parts.end()
        return cls(names, values, fill)


@dataclass
class Label:
    """The column of labels: whole numbers, numbers or text."""

    name: str
    kind: str

    def texts(self, table: Table) -> Coded:
        """The labels as they are written; none is missing."""
        coded = table.codes(self.name)
        if (row := coded.first(text == "" for text in coded.texts)) is not None:
            raise table.error(row, self.name, "a label", table.nothing(row, self.name))
        if (row := coded.first(text.endswith("\0") for text in coded.texts)) is not None:
            cell = coded.texts[coded.numbers[row]]  # an array of str would lose its last character
            raise table.error(row, self.name, "a label that does not end in a character 0", repr(cell))
        return coded

    def encode(self, table: Table) -> Array:
        """The labels."""
        coded = self.texts(table)
        if self.kind == "text":
            return np.asarray(np.array(coded.texts, dtype=str)[coded.numbers])
        numbers = table.numbers(self.name)
        if self.kind == "number":
            return numbers
        if not is_whole(numbers):
            row = int((numbers != np.trunc(numbers)).argmax())
            raise table.error(row, self.name, "a whole number, as before", coded.texts[coded.numbers[row]])
        return numbers.astype(np.int64)


def numbers_of(table: Table, names: list[str], units: list[str | None]) -> list[Array]:
    """Columns of numbers, and of dates as numbers."""
    return [table.numbers(name, unit) for name, unit in zip(names, units, strict=True)]


def gaps_in(columns: list[Array]) -> dict[int, Array]:
    """Where numbers are missing, for the columns in which some are."""
    missing = {place: np.isnan(column) for place, column in enumerate(columns)}
    return {place: gaps for place, gaps in missing.items() if gaps.any()}


def refuse_missing(table: Table, names: list[str], wrong: dict[int, Array]) -> None:
    """Say where the first wrong gap is, row by row."""
    if wrong:
        row, place = min((int(gaps.argmax()), place) for place, gaps in wrong.items())
        raise table.error(row, names[place], NO_VALUE, table.nothing(row, names[place]))


def _parts(record: Any, what: str) -> Parts:
    if not isinstance(record, dict):
        raise ValueError(f"{what}: expected an object, found {short(record)}")  # noqa: TRY004 - of a file
    return Parts(record, {})


def _names(parts: Parts) -> list[str]:
    names: list[str] = parts.value("names", "the names of columns", lambda names: _all(names, _is_text))
    return names


def _all(values: Any, holds: Callable[[Any], bool], size: int | None = None) -> bool:
    return (
        isinstance(values, list) and len(values) == (len(values) if size is None else size) and all(map(holds, values))
    )


def _is_finite(value: Any) -> bool:
    return isinstance(value, float) and isfinite(value)


def _is_unit(value: Any) -> bool:
    return value is None or (isinstance(value, str) and (value in UNITS or is_sign(value)))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _are_sorted(values: Any) -> bool:
    return _all(values, _is_text) and len(values) > 0 and all(a < b for a, b in pairwise(values))
