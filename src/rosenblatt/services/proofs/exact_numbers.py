"""The numbers of a matrix, exactly, as integers over one common denominator; and back to floats on the right side.

A float is read as the binary number that it is, or as the shortest decimal that gives it, which is what its user wrote:
0.1 is 3602879701896397 / 2^55, or 1/10. Integers of any size and Fractions are taken as they are. Floats of a lower
bound are rounded down, those of an upper one up.
"""

import math
import sys
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, refuse_masked
from rosenblatt.base.data_hash import sorted_rows
from rosenblatt.base.inputs import as_fraction, as_table
from rosenblatt.base.rows import Matrix, SparseRows, is_sparse

LARGEST_SURE = 10**15  # a decimal of up to 15 digits comes back unchanged from a double
MOST_DIGITS = 22  # 10^22 is the last power of ten that is a double


def as_given(X: Any) -> Matrix:
    """X as an array or SparseRows: integers and Fractions are not rounded to floats, and every number is finite."""
    refuse_masked(X, "X")
    if not (is_sparse(X) or hasattr(X, "dtype") or hasattr(X, "to_numpy")):
        X = np.asarray(X, dtype=object)  # a list may have integers that are too large for an array's types
        if all(isinstance(value, float | int) and abs(value) <= 2**53 for value in X.flat):
            X = X.astype(np.float64)
    X = as_table(X)
    values = X.data if is_sparse(X) else X
    if values.dtype.kind not in "iubfO" or values.dtype.itemsize > 8:
        raise ValueError(f"X must be of integers, floats of up to 64 bits, or Fractions; got {values.dtype}")
    if values.dtype == object:
        strange = [value for value in values.flat if not isinstance(value, Real | Decimal)]
        if strange:
            raise ValueError(f"X must be of numbers, got {strange[0]!r}")
        finite = all(abs(value) < math.inf for value in values.flat)  # this is false for NaN too
    else:
        finite = bool(np.isfinite(values).all())
    if not finite:
        raise ValueError("Input X contains NaN or infinity")
    if not is_sparse(X):
        return X
    rows = sorted_rows(X.data, X.indices, X.indptr, X.shape)
    data, indices, indptr = (np.ascontiguousarray(part) for part in (rows.data, rows.indices, rows.indptr))
    return SparseRows(data, indices, indptr, rows.shape[1])


def common_denominator(values: Array, *, as_decimal: bool) -> int:
    """The least power of two or ten, or any integer for Fractions, that makes all values integers."""
    if values.dtype.kind in "iub":
        return 1
    if values.dtype.kind == "f" and not as_decimal:
        mantissa, exponent = _mantissas(values)
        # the lowest bit that is set has the value 2^(exponent + its place)
        place = np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1
        return 1 << max(0, -int((exponent + place).min(where=mantissa != 0, initial=0)))
    if values.dtype == np.float64:
        for digits in range(16):
            if _decimals(values, digits) is not None:
                return int(10**digits)
    return math.lcm(*{as_fraction(value, as_decimal=as_decimal).denominator for value in values.flat})


def integers(values: Array, denominator: int, *, as_decimal: bool) -> Array:
    """`values` times a common denominator of them, as an array of Python's integers.

    >>> integers(np.array([0.5, -3.0, 2.0**70]), 2, as_decimal=False)
    array([1, -6, 2361183241434822606848], dtype=object)
    """
    if values.dtype.kind in "iub":
        return np.asarray(values.astype(object) * denominator)
    if values.dtype.kind == "f" and not as_decimal:
        size = float(denominator) if denominator < 1 << 1000 else math.inf
        if denominator.bit_count() == 1 and float(np.abs(values).max(initial=0)) < 2.0**62 / size:
            return np.asarray(
                (values * size).astype(np.int64).astype(object)
            )  # times a power of two: nothing is rounded
        mantissa, exponent = _mantissas(values)
        twos = (denominator & -denominator).bit_length() - 1
        shift = (exponent + twos).astype(object)
        whole = np.where(shift >= 0, mantissa.astype(object) << np.maximum(shift, 0), mantissa >> -np.minimum(shift, 0))
        return np.asarray(whole * (denominator >> twos))
    if values.dtype == np.float64 and str(denominator).strip("0") == "1":
        decimals = _decimals(values, len(str(denominator)) - 1)
        if decimals is not None:
            return np.asarray(decimals.astype(np.int64).astype(object))
    exact = [as_fraction(value, as_decimal=as_decimal) * denominator for value in values.flat]
    return np.array([int(value) for value in exact], dtype=object).reshape(values.shape)


def _mantissas(values: Array) -> tuple[Array, Array]:
    """Floats as mantissa times 2^exponent, both integers."""
    mantissa, exponent = np.frexp(values.astype(np.float64, copy=False))
    return (mantissa * 2.0**53).astype(np.int64), exponent.astype(np.int64) - 53


def _decimals(values: Array, digits: int) -> Array | None:
    """The values times 10^digits, if these integers are what was written: they are small, and give the values back."""
    if digits > MOST_DIGITS:
        return None
    with np.errstate(over="ignore"):
        whole = np.rint(values * 10.0**digits)
    if bool((np.abs(whole) < LARGEST_SURE).all()) and np.array_equal(whole / 10.0**digits, values):
        return whole
    return None


def float_up(value: Fraction) -> float:
    """The least float that is not below.

    >>> float_up(Fraction(51)), float_up(Fraction(1, 3)) > 1 / 3 - 1e-17
    (51.0, True)
    """
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        return math.inf
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def sqrt_up(square: Fraction) -> float:
    """The least float that is not below the root.

    >>> sqrt_up(Fraction(5)) ** 2 >= 5, sqrt_up(Fraction(9, 4))
    (True, 1.5)
    """
    root = _sqrt(square)
    while math.isfinite(root) and Fraction(root) ** 2 < square:
        root = math.nextafter(root, math.inf)
    return root


def sqrt_down(square: Fraction) -> float:
    """The largest float that is not above the root.

    >>> sqrt_down(Fraction(5)) ** 2 <= 5, sqrt_down(Fraction(9, 4))
    (True, 1.5)
    """
    root = min(_sqrt(square), sys.float_info.max)
    while Fraction(root) ** 2 > square:
        root = math.nextafter(root, 0.0)
    return root


def _sqrt(square: Fraction) -> float:
    """A float next to the root: 64 bits of it as an integer, then the exponent."""
    if square == 0:
        return 0.0
    shift = 2 * (64 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    scaled = square.numerator << shift if shift > 0 else square.numerator
    root = math.isqrt(scaled // (square.denominator << -shift if shift < 0 else square.denominator))
    try:
        return math.ldexp(root, -shift // 2)
    except OverflowError:
        return math.inf
