"""Z for lines as the checker sees it: rows y (s, x - c) in integers over a common denominator, read block by block."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base import data_hash as data
from rosenblatt.base.data_hash import Array
from rosenblatt.services.proofs.verify.examples import Examples, row_sums
from rosenblatt.services.proofs.verify.form import fraction

MOST_BITS = 1 << 29  # of all numbers of a centre over their common denominator


class Rows(Examples):
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
                own = self.numbers[examples][:, np.newaxis]
                ahead = np.take_along_axis(scores, own, axis=1) - scores
                entries = ahead[np.arange(self.n_blocks) != own]  # example by example, the rivals in order
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
    """That of the scaling and the centre, which must not make much of a little text."""
    common = 1
    for value in values:
        common = math.lcm(common, value.denominator)
        if common.bit_length() * len(values) > MOST_BITS:
            raise ValueError("center: expected fractions whose common denominator is shorter")
    return common
