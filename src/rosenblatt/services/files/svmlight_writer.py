"""Rows and labels as text in the format of svmlight and libsvm, such that reading it gives the same numbers."""

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, refuse_masked
from rosenblatt.base.rows import SparseRows, is_scipy, sparse, sum_duplicates
from rosenblatt.services.files.blocks import in_order
from rosenblatt.services.files.compressed import FileLike, replace_file

_ENTRIES = 1 << 17  # how many are written at a time


def write_svmlight(
    X: Any,
    y: Any,
    path: FileLike,
    *,
    zero_based: bool = False,
    comment: str | bytes | None = None,
    query_id: Any = None,
) -> None:
    """Write a file in the format of svmlight and libsvm: `dump_svmlight_file` of scikit-learn, fast and exact.

    Each number is the shortest that reads as the same, in float32 if X is float32. The file takes its place once all
    of it is on the disk. Counted from 1, as here by default and in libsvm, columns are the same again when they are
    read; counted from 0, an empty first column is lost unless it is read with zero_based=True.

    Parameters
    ----------
    X
        Dense or sparse rows: an array, lists, `SparseRows`, one of scipy's matrices. Zeros of a dense X are left out;
        entries of a sparse X for the same place are summed.
    y
        A label a row: numbers, or texts without blanks, `:` and `#`.
    path
        A name, `-` for standard output, or a file opened in binary mode. Names in .gz, .bz2, .xz and .zst are
        compressed.
    zero_based
        Whether the first column has index 0, as scikit-learn writes it, or 1.
    comment
        Lines for the top of the file. Not all programs can read them.
    query_id
        A whole number a row, written as `qid:`.

    Examples
    --------
    >>> import io
    >>> from rosenblatt.data.lectures import AND
    >>> file = io.BytesIO()
    >>> write_svmlight(AND.X, AND.y, file, comment="x and y")
    >>> print(file.getvalue().decode(), end="")
    # x and y
    -1
    -1 2:1
    -1 1:1
    1 1:1 2:1
    """
    for name, values in (("X", X), ("y", y), ("query_id", query_id)):
        refuse_masked(values, name)
    X = _canonical(X)
    n_rows = X.shape[0]
    labels = _labels(y, n_rows)
    query = None if query_id is None else _whole(query_id, n_rows, "query_id")
    head = comment.decode() if isinstance(comment, bytes) else comment or ""
    data = np.ascontiguousarray(X.data)
    index_type = np.result_type(X.indices, X.indptr)
    indices, indptr = (np.ascontiguousarray(array, dtype=index_type) for array in (X.indices, X.indptr))

    def text(rows: tuple[int, int]) -> Any:
        first, last = rows
        return _core.write_svmlight(
            data, indices, indptr, labels=labels, query=query, base=1 - bool(zero_based), first=first, last=last
        )

    with replace_file(path) as file, closing(in_order(text, _pieces(indptr))) as texts:
        file.write("".join(f"# {line}\n" for line in head.splitlines()).encode())
        for piece in texts:
            file.write(piece)


def _pieces(indptr: Any) -> Iterator[tuple[int, int]]:
    """First and last row of pieces with about the same number of entries and rows."""
    work = indptr + np.arange(len(indptr))
    cuts = np.searchsorted(work, np.arange(0, work[-1], _ENTRIES))
    yield from pairwise([*np.unique(cuts).tolist(), len(indptr) - 1])


def _canonical(rows: Any) -> SparseRows:
    """The rows as float32, float64 or int64 with sorted columns, none of them twice in a row."""
    matrix: Any = rows if isinstance(rows, SparseRows) or is_scipy(rows) else np.asarray(rows)
    if matrix.dtype == object:
        matrix = matrix.astype(np.float64)
    if len(matrix.shape) != 2 or matrix.dtype.kind not in "biuf":
        raise ValueError(f"X must be rows of numbers, got {matrix.dtype} with shape {matrix.shape}")
    if 0 in matrix.shape:
        n_rows, n_columns = matrix.shape
        raise ValueError(f"X must have rows and columns, got {n_rows} sample(s) of {n_columns} feature(s)")
    X = sparse(matrix) if isinstance(matrix, np.ndarray) else _within_bounds(matrix)
    if X.dtype.kind in "biu":
        return sum_duplicates(_as_int64(X))
    with np.errstate(over="ignore", invalid="ignore"):  # values that are not finite raise an error below
        X = sum_duplicates(X.astype(np.float32 if X.dtype == np.float32 else np.float64, copy=False))
    if (wrong := ~np.isfinite(X.data)).any():
        place = int(wrong.argmax())
        row = int(np.searchsorted(X.indptr, place, side="right")) - 1
        raise _not_finite("X", f"row {row}, column {X.indices[place]}", X.data[place])
    return X


def _within_bounds(X: Any) -> SparseRows:
    """Sparse rows whose starts and columns can be read without looking."""
    if is_scipy(X):
        if X.format in ("csc", "bsr"):
            X.check_format(full_check=True)  # because scipy would read wrong indices unchecked
        X = X.tocsr()
    starts, n_stored = X.indptr, min(len(X.data), len(X.indices))
    if len(starts) == 0 or starts[0] != 0 or (np.diff(starts) < 0).any() or starts[-1] > n_stored:
        raise ValueError(f"X must have indptr that rise from 0 to at most {n_stored}, the number of its values")
    used = slice(int(starts[-1]))  # because scipy's arrays may have values after the last row
    rows = SparseRows(X.data[used], X.indices[used], starts, int(X.shape[1]))
    least, most = int(rows.indices.min(initial=0)), int(rows.indices.max(initial=0))
    if not 0 <= least <= most < rows.n_columns:
        raise ValueError(f"X must have indices from 0 to {rows.n_columns - 1}, got {least} to {most}")
    return rows


def _as_int64(X: SparseRows) -> SparseRows:
    """Integers as the core has them."""
    if X.dtype.kind == "u" and X.data.max(initial=0) > np.iinfo(np.int64).max:
        raise ValueError(f"X must fit 64-bit integers with a sign, got {X.data.max()}")
    return X.astype(np.int64, copy=False)


def _not_finite(name: str, place: str, value: float) -> ValueError:
    what = "NaN" if np.isnan(value) else "infinity"
    return ValueError(f"Input {name} contains {what} in {place}: expected finite numbers")


def _labels(y: Any, n_rows: int) -> Any:
    """The labels as float64, int64, or texts in UTF-8, one a row of bytes."""
    labels, y = y, np.asarray(y)
    if y.shape != (n_rows,):
        raise ValueError(f"y must have a label a row, shape ({n_rows},), got {y.shape}")
    if y.dtype.kind in "biu":
        return _whole(y, n_rows, "y")
    if y.dtype.kind == "f":
        numbers: Array = np.ascontiguousarray(y, dtype=np.float64)
        if (wrong := ~np.isfinite(numbers)).any():
            row = int(wrong.argmax())
            raise _not_finite("y", f"row {row}", numbers[row])
        return numbers
    # because an array of texts drops a NUL at their end
    texts = labels if isinstance(labels, list | tuple) else y.tolist()
    texts = [label.decode() if isinstance(label, bytes) else str(label) for label in texts]
    for label in sorted(set(texts)):
        if not _reads_as_written(label):
            raise ValueError(
                f"y has the label {label!r}; a label must be a finite number or up to 255 bytes of text without "
                "blanks, ':' and '#'"
            )
    encoded = np.array([label.encode() for label in texts])
    return encoded.view(np.uint8).reshape(n_rows, -1)


def _reads_as_written(label: str) -> bool:
    text = f"{label}\n".encode()
    reader, rows = _core.SvmlightReader64(), _core.SvmlightRows64()
    reader.read(text, first=False, smallest=0, largest=0, one_more=False, query_id=False)
    rows.append(reader)
    return reader.error is None and len(rows) == 1 and bool(rows.take()[4] == text)


def _whole(values: Any, n_rows: int, name: str) -> Any:
    values = np.asarray(values)
    if values.shape != (n_rows,) or values.dtype.kind not in "biu":
        raise ValueError(
            f"{name} must be whole numbers, shape ({n_rows},), got {values.dtype} with shape {values.shape}"
        )
    if values.dtype.kind == "u" and values.max(initial=0) > np.iinfo(np.int64).max:
        raise ValueError(f"{name} must fit 64-bit integers with a sign, got {values.max()}")
    return np.ascontiguousarray(values, dtype=np.int64)
