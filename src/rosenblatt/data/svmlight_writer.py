"""Rows and labels as text in the format of svmlight and libsvm, such that reading it gives the same numbers."""

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array

from rosenblatt import _core
from rosenblatt.data.blocks import in_order
from rosenblatt.data.compressed import FileLike, replaced

_ENTRIES = 1 << 17  # written at a time


def write_svmlight(
    X: Any,
    y: Any,
    path: FileLike,
    *,
    zero_based: bool = True,
    comment: str | bytes | None = None,
    query_id: Any = None,
) -> None:
    """Write a file in the format of svmlight and libsvm: `dump_svmlight_file` of scikit-learn, fast and exact.

    Each number is the shortest that reads as the same, in float32 if X is float32. The file takes its place once all
    of it is on the disk. To have the same columns again, read with the same `zero_based`.

    Parameters
    ----------
    X
        Dense or sparse rows. Zeros of a dense X are left out; entries of a sparse X for the same place are summed.
    y
        A label a row: numbers, or texts without blanks, `:` and `#`.
    path
        A name, `-` for standard output, or a file opened in binary mode. Names in .gz, .bz2, .xz and .zst are
        compressed.
    zero_based
        Whether the first column has index 0 or 1.
    comment
        Lines for the top of the file. Not all programs can read them.
    query_id
        A whole number a row, written as `qid:`.

    Examples
    --------
    >>> import io
    >>> from rosenblatt.data.lectures import AND
    >>> file = io.BytesIO()
    >>> write_svmlight(AND.X, AND.y, file, zero_based=False, comment="x and y")
    >>> print(file.getvalue().decode(), end="")
    # x and y
    -1
    -1 2:1
    -1 1:1
    1 1:1 2:1
    """
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

    with replaced(path) as file, closing(in_order(text, _pieces(indptr))) as texts:
        file.write("".join(f"# {line}\n" for line in head.splitlines()).encode())
        for piece in texts:
            file.write(piece)


def _pieces(indptr: Any) -> Iterator[tuple[int, int]]:
    """First and last row of pieces with about the same number of entries and rows."""
    work = indptr + np.arange(len(indptr))
    cuts = np.searchsorted(work, np.arange(0, work[-1], _ENTRIES))
    yield from pairwise([*np.unique(cuts).tolist(), len(indptr) - 1])


def _canonical(rows: Any) -> Any:
    """The rows as CSR of float32, float64 or int64 with sorted indices, none of them twice."""
    X: Any = check_array(rows, accept_sparse="csr", accept_large_sparse=True)
    kind = np.int64 if X.dtype.kind in "biu" else np.float32 if X.dtype == np.float32 else np.float64
    if X.dtype.kind == "u" and X.max() > np.iinfo(np.int64).max:
        raise ValueError(f"X must fit 64-bit integers with a sign, got {X.max()}")
    X = X.astype(kind, copy=False)
    if isinstance(X, np.ndarray):
        return sp.csr_array(X)
    X.check_format(full_check=True)
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def _labels(y: Any, n_rows: int) -> Any:
    """The labels as float64, int64, or texts in UTF-8, one a row of bytes."""
    given, y = y, np.asarray(y)
    if y.shape != (n_rows,):
        raise ValueError(f"y must have a label a row, shape ({n_rows},), got {y.shape}")
    if y.dtype.kind in "biu":
        return _whole(y, n_rows, "y")
    if y.dtype.kind == "f":
        return np.ascontiguousarray(check_array(y, ensure_2d=False, dtype=np.float64, input_name="y"))
    texts = given if isinstance(given, list | tuple) else y.tolist()  # an array of texts drops a NUL at their end
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
    if values.dtype.kind == "u" and values.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} must fit 64-bit integers with a sign, got {values.max()}")
    return np.ascontiguousarray(values, dtype=np.int64)
