"""A hash of data that sees the numbers and the labels, not how they are stored; and a seal for what is said of it.

Dense or sparse, float32 or int64, by rows or by columns, list, array or frame: the same numbers give the same hash.
Another number, label, order or shape gives another.
"""

import hashlib
import json
import math
from collections.abc import Iterator
from decimal import Decimal
from numbers import Rational
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

Array = np.ndarray[Any, Any]
Matrix = Any  # np.ndarray, or scipy's CSR
BLOCK = 1 << 18  # numbers at a time


class Nonzeros(NamedTuple):
    """What is not 0 in some rows of X: those of row i, by column, stand from indptr[i] to indptr[i + 1]."""

    rows: Array
    indptr: Array
    columns: Array
    values: Array


def data_hash(X: Any, y: Any) -> str:
    """The hash of rows X with labels y.

    A frame counts as the array that numpy makes of it, and 1.0 as the label 1.

    >>> from rosenblatt.data.lectures import AND
    >>> data_hash(*AND)
    'sha256:ca1ee8fed8c74f67f871d1462348577415e018bc14901ead2e4b06ae6526a858'
    >>> data_hash(*AND) == data_hash(sp.csc_array(AND.X.astype("f4")), list(AND.y)) != data_hash(AND.X, -AND.y)
    True
    """
    X = as_matrix(X)
    classes, numbers = class_numbers(y, n_rows=X.shape[0])
    lengths, columns, doubles, others = (hashlib.sha256() for _ in range(4))
    for part in nonzeros(X):
        rounded, exact = _as_doubles(part.values)
        lengths.update(np.diff(part.indptr).astype("<i8").tobytes())
        columns.update(part.columns.astype("<i8").tobytes())
        doubles.update(rounded.astype("<f8").tobytes())
        others.update("".join(exact).encode())
    head = canonical_json({"shape": X.shape, "classes": classes}).encode()
    parts = [hashlib.sha256(head), hashlib.sha256(numbers.astype("<i8").tobytes()), lengths, columns, doubles, others]
    return "sha256:" + hashlib.sha256(b"".join(part.digest() for part in parts)).hexdigest()


def seal(claims: dict[str, Any]) -> str:
    """The hash of all entries but the seal: whoever changes one without the other is noticed.

    >>> seal({"b": 1, "a": "x"}) == seal({"a": "x", "b": 1, "seal": "y"}) != seal({"a": "x", "b": 2})
    True
    """
    text = canonical_json({name: value for name, value in claims.items() if name != "seal"})
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def canonical_json(value: Any) -> str:
    """The one JSON text of a value: keys sorted, no spaces, ASCII."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
    except TypeError as error:
        raise ValueError(f"expected what JSON can hold: {error}") from None


def is_sparse(X: Any) -> bool:
    """Whether X is one of scipy's sparse matrices or arrays."""
    return bool(sp.issparse(X))


def as_matrix(X: Any) -> Matrix:
    """X as an array of numbers, or as CSR with each column once in a row; what is not a finite number is an error."""
    if is_sparse(X):
        if hasattr(X, "check_format"):  # scipy's own code reads indices without looking, and believes old flags
            X = type(X)((X.data, X.indices, X.indptr), shape=X.shape)
            X.check_format()
        X = X.tocsr() if X.ndim == 2 else X
        if X.ndim == 2 and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    else:
        try:
            array = np.asarray(X)
        except ValueError as error:
            raise ValueError(f"X: expected a table of numbers: {error}") from None
        if not hasattr(X, "dtype") and array.dtype.kind == "f" and bool((np.abs(array) >= 2.0**53).any()):
            array = np.asarray(X, dtype=object)  # in a list numpy rounds large integers that stand beside floats
        X = array
    if X.ndim != 2 or X.shape[0] == 0:
        raise ValueError(f"X: expected a table of at least one row, found shape {X.shape}")
    if X.dtype.kind not in "biufO":
        raise ValueError(f"X: expected numbers, found {X.dtype}")
    _refuse_what_is_no_number(X)
    return X


def _refuse_what_is_no_number(X: Matrix) -> None:
    values = X.data if is_sparse(X) else X
    if values.dtype == object:
        wrong = np.flatnonzero([not _is_number(value) for value in values.flat])
    else:
        wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        first = wrong[0]
        row, column = divmod(int(first), X.shape[1])
        if is_sparse(X):
            row, column = int(np.searchsorted(X.indptr, first, side="right")) - 1, X.indices[first]
        raise ValueError(f"X, row {row}, column {column}: expected a finite number, found {values.flat[first]}")


def _is_number(value: Any) -> bool:
    if isinstance(value, float | np.floating):
        return bool(np.isfinite(value))
    return value.is_finite() if isinstance(value, Decimal) else isinstance(value, Rational | np.bool_)


def class_numbers(y: Any, n_rows: int) -> tuple[list[Any], Array]:
    """The sorted classes of y as JSON has them, and for each label the number of its class."""
    y = np.asarray(y)
    if y.shape not in ((n_rows,), (n_rows, 1)):
        raise ValueError(f"y: expected one label for each of the {n_rows} rows of X, found shape {y.shape}")
    try:
        classes, numbers = np.unique(y.ravel(), return_inverse=True)
    except TypeError as error:
        raise ValueError(f"y: expected labels that can be sorted: {error}") from None
    return [as_label(label) for label in classes.tolist()], numbers


def as_label(label: Any) -> Any:
    """A label as JSON has it. Whole floats are integers: 1.0 is the class 1."""
    label = label.item() if isinstance(label, np.generic) else label
    if not isinstance(label, str | int | float) or label != label or label in (np.inf, -np.inf):
        raise ValueError(f"y: expected strings, booleans or finite numbers as labels, found {label!r}")
    return int(label) if isinstance(label, float) and label.is_integer() else label


def nonzeros(X: Matrix, rows: Array | None = None) -> Iterator[Nonzeros]:
    """The nonzeros of some rows of X, or of all, block by block: the same for dense and sparse."""
    rows = np.arange(X.shape[0]) if rows is None else rows
    stored = X.nnz if is_sparse(X) else X.size
    step = max(1, BLOCK * X.shape[0] // max(1, stored))
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        part = X[some]
        if is_sparse(part):
            part = part.tocoo()
            keep = part.data != 0
            place, columns, values = part.row[keep], part.col[keep], part.data[keep]
        else:
            place, columns = np.nonzero(part != 0)
            values = part[place, columns]
        indptr = np.concatenate([[0], np.cumsum(np.bincount(place, minlength=len(some)))])
        yield Nonzeros(some, indptr, columns, values)


def ratio(value: Any, *, as_decimal: bool = False) -> tuple[int, int]:
    """A number as numerator and denominator: a float as the binary number that it is, or as the shortest decimal.

    >>> ratio(0.5), ratio(np.float32(0.1), as_decimal=True)
    ((1, 2), (1, 10))
    """
    if isinstance(value, float | np.floating) and as_decimal:
        text = float.__repr__(value) if isinstance(value, float) else str(value)  # double: the same, but faster
        digits, _, exponent = text.partition("e")
        whole, _, rest = digits.partition(".")
        places = len(rest) - int(exponent or 0)
        return int(whole + rest) * 10 ** max(0, -places), 10 ** max(0, places)
    if isinstance(value, float | np.floating | Decimal):
        return value.as_integer_ratio()
    value = int(value) if isinstance(value, np.generic) else value
    return value.numerator, value.denominator


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
    ratios = [ratio(value, as_decimal=as_decimal) for value in distinct]
    common = math.lcm(*{denominator for _, denominator in ratios})
    whole = np.empty(len(ratios), dtype=object)
    whole[:] = [numerator * (common // denominator) for numerator, denominator in ratios]
    return whole[place], common


def _as_doubles(values: Array) -> tuple[Array, list[str]]:
    """The values as doubles, NaN where none is exact, and the exact text of those."""
    kind = values.dtype.kind
    if kind == "b" or (kind == "f" and values.itemsize <= 8):
        return values.astype(np.float64), []
    if kind in "iu" and bool(((values >= -(2**53)) & (values <= 2**53)).all()):
        return values.astype(np.float64), []
    doubles, exact = np.full(len(values), np.nan), []
    for i, value in enumerate(values):
        numerator, denominator = ratio(value)
        try:
            double = numerator / denominator
        except OverflowError:
            double = np.inf
        if np.isfinite(double) and double.as_integer_ratio() == (numerator, denominator):
            doubles[i] = double
        else:
            exact.append(f"{numerator:x}/{denominator:x} ")
    return doubles, exact
