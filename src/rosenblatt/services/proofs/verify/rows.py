"""Examples, and Z for lines, as the checker sees them: rows y (s, x - c) in integers over a common denominator.

They are read block by block.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base import data_hash as data
from rosenblatt.base.data_hash import Array
from rosenblatt.services.proofs.verify.form import fraction


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
        target = int(self.numbers[example])
        rival = place + (place >= target)
        return f"example {example + 1}, {self.classes[target]!r} against {self.classes[rival]!r}"

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
        target = self.numbers[examples][:, np.newaxis]
        if self.n_blocks == 1:
            positive = len(self.classes) == 1 and self.classes != [-1]  # a single class is positive, unless it is -1
            return np.where((target == 1) | positive, 1, -1)
        rival = place[:, np.newaxis] + (place[:, np.newaxis] >= target)
        block = np.arange(self.n_blocks)
        return np.asarray((block == target).astype(int) - (block == rival))


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
        zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # how many low bits are 0
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


MOST_BITS = 1 << 29  # bits of all numbers of a centre, over their common denominator


class LineRows(Examples):
    """Z for lines: a row is y (s, x - c)."""

    def __init__(self, claims: dict[str, Any], X: Any, y: Any, as_decimal: bool) -> None:
        super().__init__(X, y, as_decimal)
        scaling = fraction(claims["intercept_scaling"])
        center = [Fraction(0)] * self.X.shape[1]
        if claims["center"] is not None:
            center = [fraction(value) for value in claims["center"]]
        self.first = int(scaling != 0)  # the column of the first feature: after the constant one, if there is one
        self.common = _common_denominator([scaling, *center])
        self.s = int(scaling * self.common)
        self.c = np.array([int(value * self.common) for value in center], dtype=object)

    def lowest(self, weights: Array) -> tuple[Fraction, int, Fraction]:
        """The least entry of Z w, its row, and the square of what it is divided by |w|."""
        (least, row), _ = self.ends(weights)
        return least, row, least**2 / (weights**2).sum() if least > 0 else Fraction(0)

    def highest(self, rows: Array, counts: Array) -> Fraction:
        """The square of the length of the rows' mean by these counts."""
        total, denominator = self.combination(rows, counts)
        return Fraction((total**2).sum(), (denominator * counts.sum()) ** 2)

    def vanishes(self, rows: Array, counts: Array) -> bool:
        """Whether these rows times their counts sum to 0."""
        return not self.combination(rows, counts)[0].any()

    def radius(self) -> Fraction:
        """The largest |z|^2."""
        largest = Fraction(0)
        for _, indptr, columns, x, D in self.blocks():
            squares = row_sums(x * x, indptr) * self.common**2 + D**2 * (self.s**2 + (self.c**2).sum())
            if self.c.any():
                squares -= row_sums(x * self.c[columns], indptr) * (2 * self.common * D)
            largest = max(largest, Fraction(max(squares), (D * self.common) ** 2))
        return largest if self.n_blocks == 1 else 2 * largest

    def ends(self, weights: Array) -> tuple[tuple[Fraction, int], tuple[Fraction, int]]:
        """The least and the greatest entry of Z w, each with its row."""
        ends = []
        for examples, indptr, columns, x, D in self.blocks(factors=weights):
            scores = np.empty((len(examples), self.n_blocks), dtype=object)
            for b, w in enumerate(weights):
                features = w[self.first :]
                constant = (w[: self.first] * self.s).sum() - (features * self.c).sum()
                scores[:, b] = row_sums(x * features[columns], indptr) * self.common + constant * D
            if self.n_blocks == 1:
                entries = (self.signs(examples) * scores).ravel()
            else:
                target = self.numbers[examples][:, np.newaxis]
                ahead = np.take_along_axis(scores, target, axis=1) - scores
                entries = ahead[np.arange(self.n_blocks) != target]  # example by example, the rivals in order
            for place in (int(np.argmin(entries)), int(np.argmax(entries))):
                row = int(examples[0]) * self.n_rivals + place
                ends.append((Fraction(entries[place], D * self.common), row))
        return min(ends), max(ends)

    def combination(self, rows: Array, counts: Array) -> tuple[Array, int]:
        """Z^T counts times a denominator, a row for each block, and the denominator."""
        times = self.signs(rows) * counts[:, np.newaxis]
        total, D, done = np.zeros((self.n_blocks, self.X.shape[1]), dtype=object), 1, 0
        for examples, indptr, columns, x, denominator in self.blocks(rows // self.n_rivals, counts):
            both = math.lcm(D, denominator)
            total, D = total * (both // D), both
            some = np.repeat(times[done : done + len(examples)], np.diff(indptr), axis=0)
            done += len(examples)
            for b in range(self.n_blocks):
                np.add.at(total[b], columns, x * some[:, b] * (both // denominator))
        sums = times.sum(axis=0)[:, np.newaxis] * D
        features = total * self.common - sums * self.c
        return np.hstack([sums * self.s, features]) if self.first else features, D * self.common

    def columns_in_use(self) -> Array:
        """The columns of a block that are not 0 in all of Z."""
        used = np.concatenate([np.ones(self.first, dtype=bool), self.c != 0])
        for _, _, columns, _ in data.nonzeros(self.X):
            used[self.first + columns] = True
        return np.flatnonzero(used)


def _common_denominator(values: list[Fraction]) -> int:
    """The common denominator of scaling and centre. It is limited, because a little text can name a huge one."""
    common = 1
    for value in values:
        common = math.lcm(common, value.denominator)
        if common.bit_length() * len(values) > MOST_BITS:
            raise ValueError("center: expected fractions whose common denominator is shorter")
    return common


PRIME = 2**31 - 1


def _independent(A: Array) -> list[int]:
    """Rows that are linearly independent modulo a prime, so over the integers; nearly always as many as can be."""
    A, rows = (A % PRIME).astype(np.int64), list[int]()
    for i in range(len(A)):
        nonzero = np.flatnonzero(A[i])
        if len(nonzero):
            rows.append(i)
            factors = A[i + 1 :, nonzero[0]] * pow(int(A[i, nonzero[0]]), -1, PRIME) % PRIME
            A[i + 1 :] = (A[i + 1 :] - factors[:, np.newaxis] * A[i]) % PRIME
    return rows


def _null_space(A: Array) -> Array:
    """All independent integer vectors orthogonal to A's rows, by elimination without fractions (Bareiss 1968)."""
    A, last, rows, pivots = A.copy(), 1, list[int](), list[int]()
    for i in range(len(A)):
        nonzero = np.flatnonzero(A[i])
        if len(nonzero):
            rows, pivots = [*rows, i], [*pivots, int(nonzero[0])]
            pivot, others = A[i, nonzero[0]], np.arange(len(A)) != i
            A[others] = (pivot * A[others] - A[others, nonzero[0]][:, np.newaxis] * A[i]) // last
            last = pivot
    free = np.setdiff1d(np.arange(A.shape[1]), pivots)
    basis = np.zeros((len(free), A.shape[1]), dtype=object)
    basis[np.arange(len(free)), free] = last
    basis[:, pivots] = -A[rows][:, free].T
    return basis


def check_span(Z: LineRows, rows: Array) -> None:
    """Refuse unless these rows of Z span all of them."""
    columns, n_blocks = Z.columns_in_use(), max(1, Z.n_blocks - 1)  # the blocks sum to 0, so that the last adds nothing
    once = np.ones(1, dtype=object)
    dense = [Z.combination(rows[[i]], once)[0][:n_blocks, columns].ravel() for i in range(len(rows))]
    support = np.array(dense, dtype=object)
    independent = support[_independent(support)]
    if len(independent) == support.shape[1]:
        return
    for some in (independent, support):  # rows that are dependent modulo the prime may still be independent
        outside = []
        for vector in _null_space(some):
            weights = np.zeros((Z.n_blocks, Z.X.shape[1] + Z.first), dtype=object)
            weights[:n_blocks, columns] = vector.reshape(n_blocks, -1)
            outside += [row for value, row in Z.ends(weights) if value != 0]
        if not outside:
            return
    raise ValueError(f"kind: the rows with counts do not span {Z.name(outside[0])}, so overlap is not proven")
