"""Z in the space of a kernel's features, as the checker sees it: only products of its rows are known.

w is the sum of a_i phi(x_i), in each block, so that it scores x_j with the sum of a_i k(x_i, x_j), and |w|^2 is the sum
of a_i a_j k(x_i, x_j). Values are integers over a denominator: exact for the linear and the polynomial kernel, off by
less than one for rbf. Its features of different points are linearly independent (Micchelli 1986): a sum of them is 0
only if each point's share is, and any labels of different points can be had.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base.data_hash import Array
from rosenblatt.services.proofs.verify.form import fraction
from rosenblatt.services.proofs.verify.rows import Examples, row_sums

BITS = 96  # of the result, which is off by less than one unit of the last of them
_WORK, _HALVINGS, _TERMS = 128, 16, 13
_FAR = 97  # exp(-97) is below 2^-139: it and everything smaller counts as 0


def exponentials(numerators: Array, denominator: int) -> Array:
    """2^96 exp(-n / d) for integers n >= 0 and d > 0, each off by less than 1: rbf's values are irrational.

    exp(-x) = exp(-x / 2^16)^(2^16). Integers count units of 2^-128. x / 2^16 is cut to such a unit, 13 terms of the
    series are cut to one each, and what follows them is far below one: the power begins with an error below 30 units.
    No value is above 1, so that a square doubles the error, and cutting it adds one more: after 16 squares it is below
    2^16 * 32 = 2^21 units, which is 2^-11 of the result's own unit, 2^-96. Rounding to that adds one half.

    >>> found = exponentials(np.array([0, 1, 97 * 3], dtype=object), 3)
    >>> [value / 2**96 for value in found]
    [1.0, 0.7165313105737893, 0.0]
    """
    near = np.minimum(numerators, _FAR * denominator)
    x = (near << (_WORK - _HALVINGS)) // denominator
    unit = 1 << _WORK
    total, term = x * 0 + unit, x * 0 + unit
    for k in range(1, _TERMS):
        term = (term * x >> _WORK) // k
        total = total - term if k % 2 else total + term
    for _ in range(_HALVINGS):
        total = total * total >> _WORK
    shift = _WORK - BITS
    return np.asarray((total + (1 << (shift - 1))) >> shift)


class KernelRows(Examples):
    """Z for a kernel."""

    def __init__(self, claims: dict[str, Any], X: Any, y: Any, as_decimal: bool) -> None:
        super().__init__(X, y, as_decimal)
        kernel = claims["kernel"]
        self.is_rbf = kernel["name"] == "rbf"
        self.gamma, self.coef0 = fraction(kernel.get("gamma", "1")), fraction(kernel.get("coef0", "0"))
        self.degree = kernel.get("degree", 1)
        blocks = list(self.blocks())
        self.unit = math.lcm(*(D for *_, D in blocks))
        self.columns = np.concatenate([columns for _, _, columns, _, _ in blocks])
        self.values = np.concatenate([x * (self.unit // D) for *_, x, D in blocks])
        lengths = np.concatenate([np.diff(indptr) for _, indptr, _, _, _ in blocks])
        self.indptr = np.concatenate([[0], np.cumsum(lengths)])
        self.squares = row_sums(self.values**2, self.indptr)
        if self.is_rbf:
            self.denominator, self.error = 1 << BITS, 1
        else:
            # gamma x.x' + coef0 is an integer times 1 / inner
            self.inner = self.gamma.denominator * self.coef0.denominator * self.unit**2
            self.denominator, self.error = self.inner**self.degree, 0

    def _slice(self, example: int) -> slice:
        return slice(self.indptr[example], self.indptr[example + 1])

    def products(self, example: int) -> Array:
        """Its kernel with all examples, times the denominator."""
        point = np.zeros(self.X.shape[1], dtype=object)
        stored = self._slice(example)
        point[self.columns[stored]] = self.values[stored]
        dots = row_sums(self.values * point[self.columns], self.indptr)
        if not self.is_rbf:
            return self._powers(dots)
        distances = self.squares + self.squares[example] - 2 * dots
        return exponentials(distances * self.gamma.numerator, self.gamma.denominator * self.unit**2)

    def _powers(self, dots: Array) -> Array:
        linear = self.gamma.numerator * self.coef0.denominator
        constant = self.coef0.numerator * self.gamma.denominator * self.unit**2
        return np.asarray((dots * linear + constant) ** self.degree)

    def radius(self) -> Fraction:
        """The largest |z|^2."""
        # a longer row has a larger kernel value, because gamma > 0 and coef0 >= 0
        longest = self.squares.max(keepdims=True)
        largest = Fraction(1) if self.is_rbf else Fraction(self._powers(longest)[0], self.denominator)
        return largest if self.n_blocks == 1 else 2 * largest

    def _scores(self, a: Array) -> Array:
        """What sums of features score all examples with, times the denominator: a row for each block of a."""
        scores = np.zeros(a.shape, dtype=object)
        for example in np.flatnonzero(a.any(axis=0)).tolist():
            scores += a[:, example, np.newaxis] * self.products(example)
        return scores

    def lowest(self, dual: Array) -> tuple[Fraction, int, Fraction]:
        """What the least entry of Z w is not below, its row, and the square of what it is divided by |w|."""
        a = dual.reshape(self.n_blocks, -1)
        scores, off = self._scores(a), self.error * abs(a).sum(axis=1)
        rows = np.arange(a.shape[1] * self.n_rivals)
        signs = self.signs(rows)
        entries = (signs * scores.T[rows // self.n_rivals]).sum(axis=1) - (abs(signs) * off).sum(axis=1)
        row = int(np.argmin(entries))
        least = Fraction(entries[row], self.denominator)
        square = Fraction((a * scores).sum() + (off * abs(a).sum(axis=1)).sum(), self.denominator)
        return least, row, least**2 / square if least > 0 else Fraction(0)

    def _sums(self, rows: Array, counts: Array) -> Array:
        """Z^T counts as a sum of features: how often each example's are in each block."""
        a = np.zeros((self.n_blocks, self.X.shape[0]), dtype=object)
        for b, signs in enumerate(self.signs(rows).T):
            np.add.at(a[b], rows // self.n_rivals, signs * counts)
        return a

    def highest(self, rows: Array, counts: Array) -> Fraction:
        """What the square of the length of the rows' mean by these counts is not above."""
        a = self._sums(rows, counts)
        square = (a * self._scores(a)).sum() + self.error * (abs(a).sum(axis=1) ** 2).sum()
        return Fraction(square, self.denominator * counts.sum() ** 2)

    def vanishes(self, rows: Array, counts: Array) -> bool:
        """Whether these rows times their counts sum to 0."""
        a = self._sums(rows, counts)
        if not self.is_rbf:
            return bool((a * self._scores(a)).sum() == 0)
        shares: dict[Any, Array] = {}
        for example in np.flatnonzero(a.any(axis=0)).tolist():
            point = self._point(example)
            shares[point] = shares.get(point, 0) + a[:, example]
        return not any(share.any() for share in shares.values())

    def _point(self, example: int) -> Any:
        stored = self._slice(example)
        return tuple(self.columns[stored].tolist()), tuple(self.values[stored].tolist())

    def clash(self) -> tuple[int, int] | None:
        """Two examples of different classes at one point, if there are such."""
        seen: dict[Any, int] = {}
        for example in range(self.X.shape[0]):
            first = seen.setdefault(self._point(example), example)
            if self.numbers[first] != self.numbers[example]:
                return first, example
        return None
