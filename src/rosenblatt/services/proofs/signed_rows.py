"""The one matrix of the theory: Z with the rows y (s, x - c), for which the data is separable iff Z w > 0 for some w.

s is the constant feature, first, as in the lectures (0: none), c a centre, if any. With k > 2 classes a weight vector
has k blocks, and each example has a row for each rival of its class: + in the block of its class, - in the rival's
(Kesler). Solvers see Z as floats, as an array or as SparseRows, without scipy; what they find is proven here on Z as it
is: integers over a common denominator.
"""

import math
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, check_labels
from rosenblatt.base.inputs import as_fraction, check_lengths
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import Matrix, SparseRows, core_rows, is_sparse, score
from rosenblatt.services.proofs.exact_numbers import as_given, common_denominator, integers


def with_constant(X: Matrix, value: float) -> Matrix:
    """X with a constant column before all others.

    >>> X = SparseRows(np.array([2.0, 3.0]), np.array([1, 0]), np.array([0, 1, 1, 2]), 2)
    >>> with_constant(X, 1.0).toarray()
    array([[1., 0., 2.],
           [1., 0., 0.],
           [1., 3., 0.]])
    """
    n = X.shape[0]
    if not isinstance(X, SparseRows):
        return np.concatenate([np.full((n, 1), value), X], axis=1)
    starts = X.indptr[:-1]
    data, indices = np.insert(X.data, starts, value), np.insert(X.indices + 1, starts, 0)
    return SparseRows(data, indices, X.indptr + np.arange(n + 1), X.n_columns + 1)


def scale(X: Matrix, factors: Array) -> Matrix:
    """Each row times its factor."""
    if isinstance(X, SparseRows):
        return replace(X, data=X.data * np.repeat(factors, np.diff(X.indptr)))
    return X * factors[:, np.newaxis]


def oppose(X: SparseRows, positive: Array, negative: Array, n_blocks: int) -> SparseRows:
    """Each row twice, in blocks as wide as X: as it is in the block `positive`, and negative in the block `negative`.

    >>> X = SparseRows(np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 2]), 2)
    >>> oppose(X, np.array([2]), np.array([0]), 3).toarray()
    array([[-1., -2.,  0.,  0.,  1.,  2.]])
    """
    blocks = np.sort(np.column_stack([positive, negative])).astype(np.int64)
    signs = np.where(blocks == positive[:, np.newaxis], 1.0, -1.0)
    halves = scale(X[np.repeat(np.arange(X.shape[0]), 2)], signs.ravel())
    columns = halves.indices + np.repeat(blocks.ravel() * X.n_columns, np.diff(halves.indptr))
    return SparseRows(halves.data, columns, halves.indptr[::2].copy(), X.n_columns * n_blocks)


def magnitudes(X: Matrix) -> Matrix:
    return replace(X, data=np.abs(X.data)) if isinstance(X, SparseRows) else np.abs(X)


def products(X: Matrix, w: Array) -> Array:
    """X w, for doubles. Of sparse rows a product too large for a double is an OverflowError."""
    if not isinstance(X, SparseRows):
        return np.asarray(X @ w)
    return score(core_rows(X, check=False), np.append(w, 0.0)[:, np.newaxis], 1, 0.0)[:, 0]


def combinations(factors: Array, X: Matrix) -> Array:
    """The rows of X, summed with each row of factors."""
    return X.times(factors) if isinstance(X, SparseRows) else np.asarray(factors @ X)


UNIT = 2.0**-53  # the relative error of rounding
DENSE_VALUES = 10**7
TINY = 2.0**-1070  # above the absolute error of a number too small to be stored


@dataclass(frozen=True)
class SignedRows:
    """Z for rows X (an array of any numbers, or SparseRows) and class numbers `target` of `classes`."""

    X: Matrix
    target: Array
    classes: tuple[Any, ...]
    scaling: Fraction
    center: tuple[Fraction, ...] | None
    as_decimal: bool

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def n_rivals(self) -> int:
        """How many rows of Z each example has."""
        return max(1, self.n_classes - 1)

    def __len__(self) -> int:
        return int(self.X.shape[0]) * self.n_rivals

    @property
    def n_inputs(self) -> int:
        """Features, with the constant one."""
        return int(self.X.shape[1]) + (self.scaling != 0)

    @property
    def width(self) -> int:
        return self.n_inputs * (self.n_classes if self.n_classes > 2 else 1)

    @cached_property
    def floats(self) -> Matrix:
        """Z in double precision, as X is; rounded where it must be, and in rows of length 1 if it is too large."""
        if self._huge:
            return np.array([as_floats(row) for row in self.integers(np.arange(len(self)))])
        X = self.X.astype(np.float64, copy=False)
        if self.center is not None:
            X = X - np.array([float(value) for value in self.center])
        if self.scaling:
            X = with_constant(X, float(self.scaling))
        if self.n_classes <= 2:
            return scale(X, self._sign.astype(np.float64))
        place = np.arange(len(self))
        example, target, rival = self._pairs(place)
        if isinstance(X, SparseRows):
            return oppose(X[example], target, rival, self.n_classes)
        side = np.zeros((len(self), self.n_classes))
        side[place, target], side[place, rival] = 1.0, -1.0
        return (side[:, :, np.newaxis] * X[example][:, np.newaxis]).reshape(len(self), self.width)

    @property
    def _sign(self) -> Array:
        """The sign of each row: of two classes the second is positive, and so is a class alone, unless it is -1."""
        negative = self.target == 0 if self.n_classes == 2 or self.classes == (-1,) else self.target < 0
        return np.where(negative, -1, 1)

    def sides(self, rows: Array) -> Array:
        """How often each of these rows of Z has its example in each block: 1, -1 or 0."""
        if self.n_classes <= 2:
            return self._sign[rows][:, np.newaxis]
        _, target, rival = self._pairs(rows)
        block = np.arange(self.n_classes)
        return np.asarray((block == target[:, np.newaxis]).astype(int) - (block == rival[:, np.newaxis]))

    def _pairs(self, rows: Array) -> tuple[Array, Array, Array]:
        """The example, its class and the rival of each of these rows of Z."""
        example, place = np.divmod(rows, self.n_rivals)
        target = self.target[example]
        return example, target, place + (place >= target)

    @cached_property
    def denominator(self) -> int:
        """A number that makes all of Z integers."""
        values = self.X.data if is_sparse(self.X) else self.X
        others = [self.scaling, *(self.center or ())]
        of_values = common_denominator(values, as_decimal=self.as_decimal)
        return math.lcm(of_values, *(value.denominator for value in others))

    @cached_property
    def _huge(self) -> bool:
        """Whether some integer or Fraction is beyond all floats."""
        values = [self.scaling, *(self.center or ()), *(self.X.flat if self.X.dtype == object else ())]
        return any(abs(value) > sys.float_info.max for value in values)

    @cached_property
    def _rounded(self) -> bool:
        """Whether Z as floats is not Z."""
        values = self.X.data if is_sparse(self.X) else self.X
        if self.center is not None or self._huge or Fraction(float(self.scaling)) != self.scaling:
            return True
        if values.dtype.kind == "f":
            return self.as_decimal
        if values.dtype == object:
            return any(Fraction(float(value)) != value for value in values.flat)
        return bool(values.size and np.abs(values.astype(np.float64)).max() >= 2.0**53)

    def part(self, rows: Array) -> tuple["SignedRows", Array]:
        """Some rows of Z for two classes, dense if that is small, without the columns that are 0; and these columns."""
        X = self.X[rows]
        used, place = np.unique(X.indices, return_inverse=True)
        X = SparseRows(X.data, place, X.indptr, len(used))
        if X.shape[0] * X.shape[1] <= DENSE_VALUES:
            X = X.toarray()
        columns = np.concatenate([[0], used + 1]) if self.scaling else used
        return replace(self, X=X, target=self.target[rows]), columns

    def inputs(self, examples: Array) -> Array:
        """The rows (s, x - c) of some examples times the denominator, as integers."""
        X = self.X[examples]
        values = integers(X.toarray() if is_sparse(X) else X, self.denominator, as_decimal=self.as_decimal)
        if self.center is not None:
            values = values - np.array([int(value * self.denominator) for value in self.center], dtype=object)
        return np.hstack([np.full((len(values), 1), self._constant, dtype=object), values]) if self.scaling else values

    @property
    def _constant(self) -> int:
        return int(self.scaling * self.denominator)

    def integers(self, rows: Array) -> Array:
        """Some rows of Z times the denominator."""
        rows = np.asarray(rows, dtype=np.int64)
        if self.n_classes <= 2:
            return np.asarray(self.inputs(rows) * self._sign[rows].astype(object)[:, np.newaxis])
        example, target, rival = self._pairs(rows)
        values = self.inputs(example)
        Z = np.zeros((len(rows), self.n_classes, self.n_inputs), dtype=object)
        Z[np.arange(len(rows)), target] = values
        Z[np.arange(len(rows)), rival] = -values
        return Z.reshape(len(rows), self.width)

    def _scores(self, w: Array, examples: Array) -> Array:
        """(s, x - c).w times the denominator for integer weights w of one block, without making X dense."""
        if not is_sparse(self.X):
            return np.asarray(self.inputs(examples) @ w)
        X = self.X[examples]
        values = integers(X.data, self.denominator, as_decimal=self.as_decimal)
        first = self._constant * w[0] if self.scaling else 0
        return _row_sums(values * w[X.indices + bool(self.scaling)], X.indptr) + first

    def products(self, w: Array, rows: Array) -> Array:
        """Some entries of Z w times the denominator, for integer weights w."""
        if self.n_classes <= 2:
            return np.asarray(self._sign[rows].astype(object) * self._scores(w, rows))
        example, target, rival = self._pairs(rows)
        examples, place = np.unique(example, return_inverse=True)
        scores = np.array([self._scores(block, examples) for block in w.reshape(self.n_classes, -1)])
        return np.asarray(scores[target, place] - scores[rival, place])

    def combination(self, counts: dict[int, int]) -> Array:
        """The sum of count times row of Z, times the denominator, without making X dense."""
        rows = np.array(list(counts), dtype=np.int64)
        number = np.array(list(counts.values()), dtype=object)
        if not is_sparse(self.X):
            return np.asarray(number @ self.integers(rows))
        example, target, rival = self._pairs(rows)
        blocks = [(number, target), (-number, rival)]
        if self.n_classes <= 2:
            blocks = [(self._sign[example].astype(object) * number, 0 * target)]
        X, point = self.X[example], np.zeros(self.width, dtype=object)
        values, stored = integers(X.data, self.denominator, as_decimal=self.as_decimal), np.diff(X.indptr)
        for signed, block in blocks:
            start = block * self.n_inputs
            place = np.repeat(start, stored) + X.indices + bool(self.scaling)
            np.add.at(point, place, values * np.repeat(signed, stored))
            if self.scaling:
                np.add.at(point, start, signed * self._constant)
        return point

    def least(self, w: Array) -> tuple[int, int]:
        """The least entry of Z w times the denominator, for integer weights w, and its row: exactly.

        Floats say which rows it can be. In any order of summation the error of a product of n terms is at most
        n u / (1 - n u) |z|.|w| (Higham 2002, section 3.1); w is rounded once more, and small numbers may vanish.
        """
        rows = np.arange(len(self))
        if not self._rounded:
            Z, rounded = self.floats, as_floats(w)
            with np.errstate(over="ignore", invalid="ignore"), suppress(OverflowError):
                scores, size = products(Z, rounded), products(magnitudes(Z), np.abs(rounded) + TINY / UNIT)
                error = (self.width + 3) * 1.01 * UNIT * size + self.width * TINY
                if np.isfinite(scores).all() and np.isfinite(error).all():
                    rows = np.flatnonzero(scores - error <= (scores + error).min())
        exact = self.products(w, rows)
        place = int(np.argmin(exact))
        return int(exact[place]), int(rows[place])

    def squared_radius(self) -> Fraction:
        """The largest |z|^2 exactly. An example and its rival's block are of the same length."""
        X, copies = self.X, 1 if self.n_classes <= 2 else 2
        examples = np.arange(X.shape[0])
        if is_sparse(X):
            values = integers(X.data, self.denominator, as_decimal=self.as_decimal)
            largest = max(_row_sums(values**2, X.indptr)) + self._constant**2
        else:
            with np.errstate(over="ignore"):
                norms = (self.floats[:: self.n_rivals] ** 2).sum(axis=1)
            if not self._rounded and np.isfinite(norms).all() and norms.max() > 1e-250:
                examples = np.flatnonzero(norms >= norms.max() * (1 - 4 * (self.width + 4) * UNIT))
            largest = max((self.inputs(examples) ** 2).sum(axis=1))
        return Fraction(copies * int(largest), self.denominator**2)


def _row_sums(values: Array, starts: Array) -> Array:
    """The sums of the stored values of each sparse row, of any numbers."""
    sums = np.zeros(len(starts) - 1, dtype=object)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        sums[filled] = np.add.reduceat(values, starts[:-1][filled])
    return sums


def as_floats(w: Array) -> Array:
    """Integers of any size as floats, scaled by a power of two so that the largest is about 1."""
    size = 1 << max(int(value).bit_length() for value in w)
    return np.array([int(value) / size for value in w])


def signed_rows(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    intercept_scaling: Any = 1,
    center: Any = False,
    as_decimal: bool = False,
) -> SignedRows:
    """The rows z = y (s, x - c) of labelled points, of which margins, bounds and certificates speak.

    >>> from rosenblatt.data.lectures import AND
    >>> signed_rows(*AND).integers([0, 3])
    array([[-1, 0, 0],
           [1, 1, 1]], dtype=object)
    """
    check_labels(y)
    X, y = as_given(X), np.asarray(y)
    check_lengths(X, y)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity")
    classes, target = encode(y)
    scaling = _number("intercept_scaling", intercept_scaling, as_decimal=True) if fit_intercept else Fraction(0)
    if fit_intercept and scaling <= 0:
        raise ValueError(f"intercept_scaling must be positive, got {intercept_scaling!r}")
    return SignedRows(
        X, target, tuple(classes.tolist()), scaling, _center(X, center, as_decimal=as_decimal), as_decimal
    )


def _center(X: Matrix, center: Any, *, as_decimal: bool) -> tuple[Fraction, ...] | None:
    if center is False:
        return None
    if is_sparse(X):
        raise ValueError("center: sparse rows without their zeros would not be sparse; give a dense X, or center=False")
    if center is True:
        return _mean(X, as_decimal=as_decimal)
    values = np.asarray(center)
    if values.shape != (X.shape[1],):
        raise ValueError(f"center must be True, False or one number a feature, {X.shape[1]}; got shape {values.shape}")
    return tuple(_number("center", value, as_decimal=as_decimal) for value in values)


def _mean(X: Any, *, as_decimal: bool) -> tuple[Fraction, ...]:
    """The mean of the rows itself: a rounded one would not lie between rows that are opposite about it."""
    denominator = common_denominator(X, as_decimal=as_decimal)
    sums = integers(X, denominator, as_decimal=as_decimal).sum(axis=0)
    return tuple(Fraction(int(total), denominator * len(X)) for total in sums)


def _number(name: str, value: Any, *, as_decimal: bool) -> Fraction:
    try:
        return as_fraction(value, as_decimal=as_decimal)
    except (OverflowError, TypeError, ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be of finite numbers, got {value!r}") from None
