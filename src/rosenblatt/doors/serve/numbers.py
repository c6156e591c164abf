"""Rows of numbers from JSON to arrays, in pieces: `[1.5, 0]`, or `{"0": 1.5}` by feature.

Text of a few bytes a number becomes 16 bytes a number, whatever the rows are like: also one row that is very long is
cut, at commas, since a row of numbers has no others.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain, pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.doors.serve.many import PIECE, Many, pieces
from rosenblatt.doors.serve.refusal import wrong

Row = list[float] | dict[int, float]
_ROWS = Many(Row, "numbers, or an object of them by feature")


class Numbers(NamedTuple):
    """Rows behind each other."""

    starts: Array  # of each row, and the end
    listed: Array  # whether a row is a list
    features: Array  # those of lists are there once they are counted
    values: Array

    def count_lists(self) -> None:
        """The features of lists, from 0 on."""
        for k in np.flatnonzero(self.listed).tolist():
            self.features[self.row(k)] = np.arange(self.starts[k + 1] - self.starts[k])

    def row_of(self, number: int) -> int:
        """The row that a number is in."""
        return int(np.searchsorted(self.starts, number, side="right")) - 1

    def row(self, k: int) -> slice:
        """Where a row is."""
        return slice(self.starts[k], self.starts[k + 1])


def read_numbers(texts: Sequence[bytes], where: Callable[[int], str], most: int) -> Numbers:
    """The numbers of JSON texts, each a row; a 422 says what is none. Features are below `most`, as others check."""
    parts = [(k, part) for k, text in enumerate(texts) for part in _cut(text)]
    rows, size = [k for k, _ in parts], sum(text.count(b",") + 1 for text in texts)
    values, features = np.empty(size), np.empty(size, dtype=np.int64)  # pages of them are taken when they are written
    lengths, listed, end = [0] * len(texts), np.zeros(len(texts), dtype=bool), 0
    for first, some in pieces([part for _, part in parts]):
        found = _decoded(some, lambda k, first=first: where(rows[first + k]))  # type: ignore[misc]
        start, end = end, end + sum(map(len, found))
        flat = chain.from_iterable(row.values() if isinstance(row, dict) else row for row in found)
        values[start:end] = np.fromiter(flat, dtype=np.float64, count=end - start)
        if any(isinstance(row, dict) for row in found):
            places = chain.from_iterable(row if isinstance(row, dict) else repeat(0, len(row)) for row in found)
            try:
                features[start:end] = np.fromiter(places, dtype=np.int64, count=end - start)
            except OverflowError:
                raise _uncountable(found, lambda k, first=first: where(rows[first + k]), most) from None  # type: ignore[misc]
        for k, row in zip(rows[first:], found, strict=False):
            lengths[k] += len(row)
            listed[k] = isinstance(row, list)
    starts = np.array([*accumulate(lengths, initial=0)])
    numbers = Numbers(starts, listed, features[:end], values[:end])
    if len(parts) > len(texts):
        _check_once(numbers, rows, where)
    return numbers


def read_dense(texts: Sequence[bytes], where: Callable[[int], str], width: int) -> Array | None:
    """A few rows at once, if they are lists of this width; else None, and `read_numbers` says what they are."""
    if sum(map(len, texts)) > PIECE:
        return None
    rows = _ROWS.decode(texts, where)
    return np.array(rows) if all(isinstance(row, list) and len(row) == width for row in rows) else None


def _cut(text: bytes) -> Iterator[bytes]:
    """A row as it is, or a long one as rows that follow each other. What is no row of numbers is not JSON when cut."""
    if len(text) <= PIECE:
        yield text
        return
    text = text.strip()
    start = 1
    while (end := text.find(b",", start + PIECE)) >= 0:
        yield text[:1] + text[start:end] + text[-1:]
        start = end + 1
    yield text[:1] + text[start:]


def _decoded(texts: Sequence[bytes], where: Callable[[int], str]) -> list[Any]:
    rows = _ROWS.decode(texts, where)
    # An object of numbers has a colon a feature: a feature that comes twice would be lost without a word.
    if sum(text.count(b":") for text in texts) != sum(len(row) for row in rows if isinstance(row, dict)):
        for k, (text, row) in enumerate(zip(texts, rows, strict=True)):
            if text.count(b":") != len(row):
                raise _twice(where(k))
    return rows


def _check_once(numbers: Numbers, rows: list[int], where: Callable[[int], str]) -> None:
    """A feature of a row that was cut may come twice in different pieces of it."""
    for k in {k for k, after in pairwise(rows) if k == after}:
        places = np.sort(numbers.features[numbers.row(k)])  # others run meanwhile, which `unique` does not let them
        if not numbers.listed[k] and (places[1:] == places[:-1]).any():
            raise _twice(where(k))


def _twice(where: str) -> Exception:
    return wrong("expected each feature once, found one twice", where)


def _uncountable(rows: list[Any], where: Callable[[int], str], most: int) -> Exception:
    """Features that no machine counts to."""
    for k, row in enumerate(rows):
        for feature in row if isinstance(row, dict) else ():
            if not -(2**63) <= feature < 2**63:
                return wrong(
                    f"expected features {'from 0' if feature < 0 else f'below {most:,}'}, found {feature}", where(k)
                )
    raise AssertionError("expected a feature that is too large")
