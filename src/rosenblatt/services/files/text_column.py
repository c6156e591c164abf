"""A column of a CSV file: cells of text that stay in the core's memory, read as numbers or counted when asked for.

What was read is kept, so that to learn from a table and then to encode it reads each cell once.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.files.notation import Notation


def as_texts(cells: Iterable[str]) -> Array:
    """Texts as an array of objects: numpy's own texts would lose a character 0 at their end.

    >>> as_texts(["sunny", ""])
    array(['sunny', ''], dtype=object)
    """
    texts = list(cells)
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array


class Coded(NamedTuple):
    """The texts of cells, each of them once, and for each cell the number of its text."""

    numbers: Array
    texts: list[str]

    @classmethod
    def of(cls, cells: Iterable[str]) -> "Coded":
        """The cells of a column.

        >>> Coded.of(["no", "yes", "no"])
        Coded(numbers=array([0, 1, 0], dtype=int32), texts=['no', 'yes'])
        """
        number_of = dict[str, int]()
        numbers = [number_of.setdefault(cell, len(number_of)) for cell in cells]
        return cls(np.array(numbers, dtype=np.int32), list(number_of))

    @classmethod
    def join(cls, parts: list["Coded"]) -> "Coded":
        if len(parts) == 1:
            return parts[0]
        number_of = dict[str, int]()
        of_texts = [[number_of.setdefault(text, len(number_of)) for text in part.texts] for part in parts]
        numbers = [np.array(of, np.int32)[part.numbers] for of, part in zip(of_texts, parts, strict=True)]
        return cls(np.concatenate(numbers), list(number_of))

    def first(self, wanted: Iterable[bool]) -> int | None:
        """The first cell with a text that is wanted, of which it is said for each text."""
        is_wanted = np.fromiter(wanted, dtype=bool, count=len(self.texts))
        return int(is_wanted[self.numbers].argmax()) if is_wanted.any() else None


class _Part:
    """Some rows of a column of a block of the core."""

    def __init__(self, block: Any, column: int, first: int, last: int, notation: Notation) -> None:
        self.block, self.place, self.notation = block, (column, first, last), notation
        self._numbers: tuple[str, Array, int] | None = None

    def __len__(self) -> int:
        _, first, last = self.place
        return last - first

    def cut(self, first: int, last: int) -> "_Part":
        if (first, last) == (0, len(self)):
            return self
        column, start, _ = self.place
        return _Part(self.block, column, start + first, start + last, self.notation)

    def numbers(self, sign: str) -> tuple[Array, int]:
        """NaN where a cell is missing or no number, and how many are the latter."""
        if self._numbers is None or self._numbers[0] != sign:
            self._numbers = sign, *self.block.numbers(*self.place, self.notation.form(sign))
        return self._numbers[1:]

    @cached_property
    def codes(self) -> Coded:
        """The texts, each of them once."""
        return Coded(*self.block.codes(*self.place, self.notation.form()))

    def raw_texts(self) -> list[str]:
        """The cells as they are in the file."""
        texts: list[str] = self.block.texts(*self.place)
        return texts

    def texts(self) -> list[str]:
        """The cells, "" where one is missing."""
        na = self.notation.na
        return ["" if text in na else text for text in self.raw_texts()] if na else self.raw_texts()

    def forget(self) -> None:
        """Give the memory of the cells back; what was read of them stays."""
        self.block = None


class TextColumn:
    """The cells of a column, part after part."""

    def __init__(self, parts: list[_Part]) -> None:
        self._parts, self._ends = parts, list(accumulate(map(len, parts)))

    @classmethod
    def of(cls, block: Any, column: int, notation: Notation) -> "TextColumn":
        return cls([_Part(block, column, 0, len(block), notation)])

    @classmethod
    def join(cls, columns: Iterable["TextColumn"]) -> "TextColumn":
        return cls([part for column in columns for part in column._parts])

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, rows: slice) -> "TextColumn":
        """Some of the rows, with what is known of them."""
        first, last, _ = rows.indices(len(self))
        parts, k = list[_Part](), bisect_right(self._ends, first)
        while first < last:
            part, start = self._parts[k], self._ends[k] - len(self._parts[k])
            parts.append(part.cut(first - start, min(last - start, len(part))))
            first, k = self._ends[k], k + 1
        return TextColumn(parts)

    def forget(self) -> None:
        """Give the memory of the cells back; what was read of them stays."""
        for part in self._parts:
            part.forget()

    def texts(self) -> Array:
        """The cells, "" where one is missing."""
        return as_texts(text for part in self._parts for text in part.texts())

    def raw_text(self, row: int) -> str:
        """A cell as it is in the file; "" if it has been forgotten."""
        part = self[row : row + 1]._parts[0]
        return "" if part.block is None else part.raw_texts()[0]

    def first(self) -> str | None:
        """The first cell that is not missing; None if all are."""
        few = 64  # how many cells are read at a time
        for part in self._parts:
            for start in range(0, len(part), few):
                text = next(filter(None, part.cut(start, min(start + few, len(part))).texts()), None)
                if text is not None:
                    return text
        return None

    def numbers(self, sign: str = "") -> Array | None:
        """Floats, NaN where a cell is missing; None if a cell is no number as a float is written."""
        parts = list[Array]()
        for part in self._parts:
            numbers, strange = part.numbers(sign)
            if strange:
                return None
            parts.append(numbers)
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0), *parts])

    def n_numbers(self) -> int:
        """How many cells are numbers as a float is written."""
        return sum(int(np.count_nonzero(~np.isnan(part.numbers("")[0]))) for part in self._parts)

    def codes(self) -> Coded:
        """The texts, each of them once; "" is a missing one."""
        return Coded.join([part.codes for part in self._parts])
