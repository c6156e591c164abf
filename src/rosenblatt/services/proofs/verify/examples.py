"""Examples and their classes as the checker sees them, and which rows of Z they have; numbers as exact integers."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from rosenblatt.base import data_hash as data
from rosenblatt.base.data_hash import Array


class Examples:
    """With two classes an example is a row of Z, with its sign, y.

    With k > 2 classes it has a row for each rival: + in the block of its class, - in the rival's (Kesler).
    """

    def __init__(self, X: Any, y: Any, as_decimal: bool) -> None:
        self.X, self.as_decimal = data.as_matrix(X), as_decimal
        self.classes, self.numbers = data.class_numbers(y, self.X.shape[0])
        self.n_blocks = len(self.classes) if len(self.classes) > 2 else 1
        self.n_rivals = max(1, len(self.classes) - 1)

    def name(self, row: int) -> str:
        """How to speak of a row of Z to people, who count from 1."""
        example, place = divmod(row, self.n_rivals)
        if self.n_blocks == 1:
            return f"example {example + 1}"
        own = int(self.numbers[example])
        rival = place + (place >= own)
        return f"example {example + 1}, {self.classes[own]!r} against {self.classes[rival]!r}"

    def blocks(
        self, examples: Array | None = None, factors: Array | None = None
    ) -> Iterator[tuple[Array, Array, Array, Array, int]]:
        """Some rows of X, or all: examples, indptr, columns, integers and their common denominator.

        Of values that are to be multiplied by these factors a block has the fewer, the longer they are.
        """
        longest = 0 if factors is None else max(abs(factors).ravel().tolist(), default=0)
        most = max(1, data.BLOCK // (1 + int(longest).bit_length() // 256))
        for rows, indptr, columns, values in data.nonzeros(self.X, examples, most):
            yield rows, indptr, columns, *integers(values, as_decimal=self.as_decimal)

    def signs(self, rows: Array) -> Array:
        """How often each of these rows of Z has its example in each block: 1, -1 or 0."""
        examples, place = np.divmod(rows, self.n_rivals)
        own = self.numbers[examples][:, np.newaxis]
        if self.n_blocks == 1:
            positive = len(self.classes) == 1 and self.classes != [-1]  # a class alone, unless it is -1
            return np.where((own == 1) | positive, 1, -1)
        rival = place[:, np.newaxis] + (place[:, np.newaxis] >= own)
        block = np.arange(self.n_blocks)
        return np.asarray((block == own).astype(int) - (block == rival))


def row_sums(values: Array, indptr: Array) -> Array:
    sums = np.zeros(len(indptr) - 1, dtype=object)
    filled = np.flatnonzero(np.diff(indptr))
    sums[filled] = np.add.reduceat(values, indptr[filled])
    return sums


def integers(values: Array, *, as_decimal: bool) -> tuple[Array, int]:
    """Numbers that are not 0 as Python's integers, over a common denominator.

    >>> integers(np.array([0.5, -3]), as_decimal=False)
    (array([1, -6], dtype=object), 2)
    """
    if values.dtype.kind in "biu":
        return values.astype(object), 1
    if values.dtype.kind == "f" and values.itemsize <= 8 and not as_decimal:
        mantissa, exponent = np.frexp(values.astype(np.float64))
        whole = np.ldexp(mantissa, 53).astype(np.int64)
        zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # the low bits that are 0
        exponent += zeros - 53
        least = min(0, int(exponent.min(initial=0)))
        return (whole >> zeros).astype(object) << (exponent - least).astype(object), 1 << -least
    distinct, place = values, np.arange(len(values))
    if values.dtype.kind == "f":
        distinct, place = np.unique(values, return_inverse=True)
    ratios = [data.ratio(value, as_decimal=as_decimal) for value in distinct]
    common = math.lcm(*{denominator for _, denominator in ratios})
    whole = np.empty(len(ratios), dtype=object)
    whole[:] = [numerator * (common // denominator) for numerator, denominator in ratios]
    return whole[place], common
