"""A hash of data that sees the numbers and the labels, not how they are stored; and a seal for what is said of it.

Dense or sparse, float32 or int64, by rows or by columns, list, array or frame: the same numbers give the same hash.
Another number, label, order or shape gives another.
"""

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from numbers import Rational
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import check_labels, refuse_masked
from rosenblatt.base.record.json import canonical_json

Array = np.ndarray[Any, Any]
BLOCK = 1 << 18  # numbers at a time
_FEW = 8  # classes with which to compare all labels is faster than to search each label among them


class Sparse(NamedTuple):
    """Rows of a sparse matrix: the values of row i stand from indptr[i] to indptr[i + 1], by ascending column."""

    data: Array
    indices: Array
    indptr: Array
    shape: tuple[int, int]


Matrix = Array | Sparse


class Nonzeros(NamedTuple):
    """What is not 0 in some rows of X: those of row i, by column, stand from indptr[i] to indptr[i + 1]."""

    rows: Array
    indptr: Array
    columns: Array
    values: Array


def data_hash(X: Any, y: Any) -> str:
    """The hash of rows X with labels y.

    A frame counts as the array that numpy makes of it, and 1.0 as the label 1.

    >>> import scipy.sparse as sp
    >>> from rosenblatt.data.lectures import AND
    >>> data_hash(*AND)
    'sha256:ca1ee8fed8c74f67f871d1462348577415e018bc14901ead2e4b06ae6526a858'
    >>> data_hash(*AND) == data_hash(sp.csc_array(AND.X.astype("f4")), list(AND.y)) != data_hash(AND.X, -AND.y)
    True
    """
    X = as_matrix(X)
    return hash_of(X, *class_numbers(y, n_rows=X.shape[0]))


def hash_of(X: Matrix, classes: list[Any], numbers: Array) -> str:
    """The same of labels that are numbered already: the sorted classes, as JSON has them, and the number of each."""
    lengths, columns, doubles, others = (hashlib.sha256() for _ in range(4))
    for part in nonzeros(X):
        rounded, exact = _as_doubles(part.values)
        lengths.update(_bytes_of(np.diff(part.indptr), "<i8"))
        columns.update(_bytes_of(part.columns, "<i8"))
        doubles.update(_bytes_of(rounded, "<f8"))
        others.update("".join(exact).encode())
    head = canonical_json({"shape": X.shape, "classes": classes}).encode()
    parts = [hashlib.sha256(head), hashlib.sha256(_bytes_of(numbers, "<i8")), lengths, columns, doubles, others]
    return "sha256:" + hashlib.sha256(b"".join(part.digest() for part in parts)).hexdigest()


def _bytes_of(numbers: Array, kind: str) -> memoryview:
    """Numbers as the bytes that are hashed; no copy is made of what has this type already."""
    return np.ascontiguousarray(numbers, kind).data.cast("B")


def seal(claims: dict[str, Any]) -> str:
    """The hash of all entries but the seal: a change of one without the other is noticed.

    >>> seal({"b": 1, "a": "x"}) == seal({"a": "x", "b": 1, "seal": "y"}) != seal({"a": "x", "b": 2})
    True
    """
    text = canonical_json({name: value for name, value in claims.items() if name != "seal"})
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def as_matrix(X: Any) -> Matrix:
    """X as an array of numbers, or as `Sparse`; what is not a finite number is an error.

    Sparse is whatever has its rows in three arrays: scipy's matrices, of any format, and rosenblatt's own sparse rows.
    """
    if isinstance(X, Sparse):
        return X
    is_sparse = hasattr(X, "tocsr") or hasattr(X, "indptr")
    refuse_masked(X, "X")
    X = X if is_sparse else _as_array(X)
    if len(X.shape) != 2 or X.shape[0] == 0:
        raise ValueError(f"X: expected a table of at least one row, found shape {X.shape}")
    if X.dtype.kind not in "biufO":
        raise ValueError(f"X: expected numbers, found {X.dtype}")
    if hasattr(X, "check_format"):  # because scipy itself reads indices unchecked, and trusts flags that may be old
        X = type(X)((X.data, X.indices, X.indptr), shape=X.shape)
        X.check_format()
    X = X.tocsr() if hasattr(X, "tocsr") else X
    matrix: Matrix = sorted_rows(X.data, X.indices, X.indptr, X.shape) if is_sparse else X
    _refuse_what_is_no_number(matrix)
    return matrix


def _as_array(X: Any) -> Array:
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(f"X: expected a table of numbers: {error}") from None
    if not hasattr(X, "dtype") and array.dtype.kind == "f" and bool((np.abs(array) >= 2.0**53).any()):
        return np.asarray(X, dtype=object)  # because numpy would round large integers in a list with floats
    return array


def sorted_rows(data: Array, indices: Array, indptr: Array, shape: tuple[int, ...]) -> Sparse:
    """A sparse matrix whose columns ascend in each row, each once: values of one place are added.

    Columns outside of the matrix, and rows that do not follow each other, are an error.

    >>> found = sorted_rows(np.array([1, 2, 3]), np.array([1, 0, 1]), np.array([0, 3]), (1, 2))
    >>> found.data.tolist(), found.indices.tolist(), found.indptr.tolist()
    ([2, 4], [0, 1], [0, 2])
    """
    size, lengths = (int(shape[0]), int(shape[1])), np.diff(indptr)
    n_values = int(indptr[-1]) if len(indptr) == size[0] + 1 and indptr[0] == 0 and (lengths >= 0).all() else -1
    if not 0 <= n_values <= min(len(data), len(indices)):
        raise ValueError(f"X: expected the starts of {size[0]} rows among {len(data)} values, found {indptr}")
    data, indices, step = data[:n_values], indices[:n_values], _rows_of_a_block(n_values, size[0])
    if len(indices) and not 0 <= indices.min() <= indices.max() < size[1]:
        raise ValueError(f"X: expected columns from 0 to {size[1] - 1}, found {indices.min()} to {indices.max()}")
    if all(_ascend(indices, indptr[first : first + step + 1]) for first in range(0, size[0], step)):
        return Sparse(data, indices, indptr, size)
    rows = np.repeat(np.arange(size[0]), lengths)
    order = np.lexsort((indices, rows))
    rows, indices, data = rows[order], indices[order], data[order]
    first = np.append([True], (rows[1:] != rows[:-1]) | (indices[1:] != indices[:-1]))
    sums = np.zeros(np.count_nonzero(first), dtype=data.dtype)
    np.add.at(sums, np.cumsum(first) - 1, data)
    return Sparse(sums, indices[first], np.searchsorted(rows[first], np.arange(size[0] + 1)), size)


def _ascend(indices: Array, indptr: Array) -> bool:
    """Whether in some rows, one after the other, each column is above the one before it."""
    columns, starts = indices[indptr[0] : indptr[-1]], indptr - indptr[0]
    falls = columns[1:] <= columns[:-1]
    falls[starts[(starts > 0) & (starts < len(columns))] - 1] = False  # the first column of a row may be anything
    return not falls.any()


def _rows_of_a_block(n_values: int, n_rows: int, most: int = BLOCK) -> int:
    """How many rows have about `most` values; of numbers these stay in the cache."""
    return max(1, most * n_rows // max(1, n_values))


def _refuse_what_is_no_number(X: Matrix) -> None:
    values = X.data if isinstance(X, Sparse) else X
    if values.dtype == object:
        wrong = np.flatnonzero([not _is_number(value) for value in values.flat])
    else:
        finite = all(np.isfinite(part).all() for part in _pieces(values))
        wrong = np.flatnonzero([] if finite else ~np.isfinite(values))
    if len(wrong):
        first = wrong[0]
        row, column = divmod(int(first), X.shape[1])
        if isinstance(X, Sparse):
            row, column = int(np.searchsorted(X.indptr, first, side="right")) - 1, X.indices[first]
        raise ValueError(f"X[{row}, {column}]: expected a finite number, found {values.flat[first]}")


def _pieces(values: Array) -> Iterator[Array]:
    step = BLOCK if values.ndim == 1 else _rows_of_a_block(values.size, len(values))
    return (values[first : first + step] for first in range(0, len(values), step))


def _is_number(value: Any) -> bool:
    if isinstance(value, float | np.floating):
        return bool(np.isfinite(value))
    return value.is_finite() if isinstance(value, Decimal) else isinstance(value, Rational | np.bool_)


def class_numbers(y: Any, n_rows: int) -> tuple[list[Any], Array]:
    """The sorted classes of y as JSON has them, and for each label the number of its class."""
    check_labels(y)
    y = np.asarray(y)
    if y.shape not in ((n_rows,), (n_rows, 1)):
        raise ValueError(f"y: expected one label for each of the {n_rows} rows of X, found shape {y.shape}")
    try:
        classes = np.unique(y.ravel())
    except TypeError as error:
        raise ValueError(f"y: expected labels that can be sorted: {error}") from None
    labels, y = [as_label(label) for label in classes.tolist()], y.ravel()
    if len(classes) > _FEW:
        return labels, np.searchsorted(classes, y)
    numbers = np.zeros(n_rows, dtype=np.int64)
    for label in classes[1:]:
        numbers += y >= label
    return labels, numbers


def as_label(label: Any) -> Any:
    """A label as JSON has it. Whole floats are integers: 1.0 is the class 1."""
    label = label.item() if isinstance(label, np.generic) else label
    if not isinstance(label, str | int | float) or label != label or label in (np.inf, -np.inf):
        raise ValueError(f"y: expected strings, booleans or finite numbers as labels, found {label!r}")
    return int(label) if isinstance(label, float) and label.is_integer() else label


def nonzeros(X: Matrix, rows: Array | None = None, most: int = BLOCK) -> Iterator[Nonzeros]:
    """The nonzeros of some rows of X, or of all, in blocks of about `most`: the same for dense and sparse."""
    all_rows, rows = rows is None, np.arange(X.shape[0]) if rows is None else rows
    step = _rows_of_a_block(len(X.data) if isinstance(X, Sparse) else X.size, X.shape[0], most)
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        if all_rows and (block := _without_zeros(X, some)) is not None:
            yield block
            continue
        place, columns, values = _nonzero_values(X, some) if isinstance(X, Sparse) else _not_zero(X[some])
        indptr = np.concatenate([[0], np.cumsum(np.bincount(place, minlength=len(some)))])
        yield Nonzeros(some, indptr, columns, values)


def _without_zeros(X: Matrix, rows: Array) -> Nonzeros | None:
    """Rows side by side of which no value is 0, so that nothing need be gathered; None: some value is."""
    first, last = rows[0], rows[-1] + 1
    if isinstance(X, Sparse):
        part = slice(X.indptr[first], X.indptr[last])
        indptr, columns, values = X.indptr[first : last + 1] - part.start, X.indices[part], X.data[part]
    else:
        indptr = np.arange(len(rows) + 1) * X.shape[1]
        columns, values = np.tile(np.arange(X.shape[1]), len(rows)), X[first:last].ravel()
    return Nonzeros(rows, indptr, columns, values) if values.all() else None


def _not_zero(part: Array) -> tuple[Array, Array, Array]:
    place, columns = np.nonzero(part != 0)
    return place, columns, part[place, columns]


def _nonzero_values(X: Sparse, rows: Array) -> tuple[Array, Array, Array]:
    """The values of some rows that are not 0: for each the number among these rows, its column, and itself."""
    lengths = X.indptr[rows + 1] - X.indptr[rows]
    before = np.cumsum(lengths) - lengths  # how many values the rows before have
    places = np.repeat(X.indptr[rows] - before, lengths) + np.arange(lengths.sum())
    keep = X.data[places] != 0
    places = places[keep]
    return np.repeat(np.arange(len(rows)), lengths)[keep], X.indices[places], X.data[places]


def ratio(value: Any, *, as_decimal: bool = False) -> tuple[int, int]:
    """A number as numerator and denominator: a float as the binary number that it is, or as the shortest decimal.

    >>> ratio(0.5), ratio(np.float32(0.1), as_decimal=True)
    ((1, 2), (1, 10))
    """
    if isinstance(value, float | np.floating) and as_decimal:
        # the same text for a double, but faster
        text = float.__repr__(value) if isinstance(value, float) else str(value)
        digits, _, exponent = text.partition("e")
        whole, _, rest = digits.partition(".")
        places = len(rest) - int(exponent or 0)
        return int(whole + rest) * 10 ** max(0, -places), 10 ** max(0, places)
    if isinstance(value, float | np.floating | Decimal):
        return value.as_integer_ratio()
    value = int(value) if isinstance(value, np.generic) else value
    return value.numerator, value.denominator


def _as_doubles(values: Array) -> tuple[Array, list[str]]:
    """The values as doubles, NaN where none is exact, and the exact text of those."""
    kind = values.dtype.kind
    if kind == "b" or (kind == "f" and values.itemsize <= 8):
        return values.astype(np.float64, copy=False), []
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
