"""The text format of svmlight and libsvm, `label qid:query index:value ... # comment` a line.

Read strictly and on all cores, every number exactly rounded. The parameters are those of scikit-learn's loader.
`read_svmlight` and `iter_svmlight` give scipy's matrices, as their users expect. The other functions give `SparseRows`
and need no scipy.
"""

import operator
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Literal

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import SparseRows, as_users_have_it
from rosenblatt.services.files.blocks import BLOCK_BYTES, error_in
from rosenblatt.services.files.compressed import FileLike, opened
from rosenblatt.services.files.pipes import is_answered_at_once
from rosenblatt.services.files.svmlight_blocks import ReaderOptions, labelled_blocks, read_blocks
from rosenblatt.services.files.svmlight_writer import write_svmlight

__all__ = ["iter_rows", "iter_svmlight", "labelled_blocks", "read_counted", "read_svmlight", "write_svmlight"]


def read_svmlight(
    path: FileLike,
    *,
    n_features: int | None = None,
    dtype: Any = np.float64,
    zero_based: bool | Literal["auto"] = "auto",
    query_id: bool = False,
    offset: int = 0,
    length: int = -1,
) -> tuple[Any, ...]:
    r"""Read a file in the format of svmlight and libsvm: `load_svmlight_file` of scikit-learn, fast and strict.

    Comments, blank lines, CRLF, a byte order mark and unsorted indices are read. NaN, infinity, an index that comes
    twice or is over the limit, a missing colon and a compressed file that is cut off are errors, which say where.

    Parameters
    ----------
    path
        A name, `-` for standard input, a file opened in binary mode, or a descriptor. Names in .gz, .bz2, .xz and
        .zst are decompressed.
    n_features
        The number of columns; an index beyond it is an error. Default: the largest index decides.
    dtype
        float64 or float32. Either is the nearest to the decimal number in the file.
    zero_based
        Whether the first column has index 0. "auto": yes if an index 0 occurs, or if `offset` or `length` is given.
    query_id
        Return the numbers after `qid:` too; every line must have one.
    offset, length
        Read from the first line that begins after `offset` bytes to the last that begins within the `length` bytes
        from there (-1: to the end), so that pieces of a file that meet have each line once. Needs `n_features`.

    Returns
    -------
    X
        A CSR matrix with sorted indices, of 32 bits if they fit.
    y
        The labels as float64; if any of them is no number, all as text, as written.
    query_id
        One a row, only if asked for.

    Raises
    ------
    DataFileError
        `path:line:column: expected ..., found ...`, for the first error in the file.

    See Also
    --------
    iter_svmlight : The same in blocks, for files larger than the memory.
    write_svmlight : The other way.

    Examples
    --------
    The lecture's AND function, without its zeros:

    >>> import io
    >>> X, y = read_svmlight(io.BytesIO(b"-1\n-1 2:1\n-1 1:1\n+1 1:1 2:1  # both\n"))
    >>> X.toarray(), y
    (array([[0., 0.],
           [0., 1.],
           [1., 0.],
           [1., 1.]]), array([-1., -1., -1.,  1.]))
    >>> from rosenblatt import Perceptron
    >>> Perceptron(shuffle=False).fit(X, y).coef_
    array([[3., 2.]])
    """
    part: Any = {"query_id": query_id, "offset": offset, "length": length}
    (X, *others), _ = read_counted(path, n_features, dtype, zero_based, **part)
    return _scipy_matrix(X), *others


def read_counted(
    path: FileLike,
    n_features: int | None,
    dtype: Any,
    zero_based: bool | str,
    *,
    query_id: bool = False,
    offset: int = 0,
    length: int = -1,
) -> tuple[tuple[Any, ...], bool]:
    """What `read_svmlight` returns, with X as `SparseRows`, and whether columns are counted from 0."""
    part = offset != 0 or length > 0
    if part and zero_based == "auto":
        zero_based = True
    if part and n_features is None:
        raise ValueError("n_features is needed with offset or length: one part of a file cannot tell")
    options = ReaderOptions.checked(n_features, dtype, zero_based, query_id=query_id)
    rows, named, too_many = options.rows(), False, None
    with opened(path) as source, closing(read_blocks(source, options, BLOCK_BYTES, offset, length)) as blocks:
        for line, reader, _ in blocks:
            named = named or reader.name is not None
            if too_many is None and reader.one_too_many:
                too_many = error_in(source, reader.one_too_many, line)
            rows.append(reader)
    if zero_based == "auto":
        zero_based = rows.has_zero or rows.largest == 0
        if zero_based and too_many:
            raise too_many
    if n_features is None:
        n_features = max(rows.largest + zero_based, 1)
    found = _of_rows(options, rows, n_features, zero_based=bool(zero_based), as_text=named)
    return found, bool(zero_based)


def iter_svmlight(
    path: FileLike,
    *,
    n_features: int,
    dtype: Any = np.float64,
    zero_based: bool = True,
    query_id: bool = False,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[tuple[Any, ...]]:
    r"""Read a file in the format of svmlight and libsvm block by block, in little memory: X, y of some lines at a time.

    The next blocks are read while the caller works on one. The parameters are those of `read_svmlight`; since a block
    does not know the others, `n_features` is needed and `zero_based` is not found out: True is right for both kinds
    of files if `n_features` counts a column 0. If the labels of the first block are numbers, all must be.

    Parameters
    ----------
    path, n_features, dtype, zero_based, query_id
        As in `read_svmlight`.
    block_bytes
        About how much text is read at a time, whole lines and at least one.

    Yields
    ------
    X, y
        And the queries, if asked for.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import Perceptron
    >>> text = b"-1\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n"
    >>> model = Perceptron(shuffle=False)
    >>> for X, y in iter_svmlight(io.BytesIO(text), n_features=2, zero_based=False, block_bytes=12):
    ...     print(X.toarray().tolist(), y)
    ...     model = model.partial_fit(X, y)
    [[0.0, 0.0], [0.0, 1.0]] [-1. -1.]
    [[1.0, 0.0]] [-1.]
    [[1.0, 1.0]] [1.]
    >>> model.coef_
    array([[1., 1.]])
    """
    options = ReaderOptions.checked(n_features, dtype, zero_based, query_id=query_id)
    if operator.index(block_bytes) < 1:
        raise ValueError(f"block_bytes must be at least 1, got {block_bytes}")
    return _iterate(path, options, n_features, zero_based=zero_based, block_bytes=block_bytes)


def _iterate(
    path: FileLike, options: ReaderOptions, n_features: int, *, zero_based: bool, block_bytes: int
) -> Iterator[tuple[Any, ...]]:
    with opened(path) as source, closing(labelled_blocks(source, options, block_bytes)) as blocks:
        for _, reader, _, as_text in blocks:
            X, *others = _of_block(options, reader, n_features, zero_based=zero_based, as_text=as_text)
            yield _scipy_matrix(X), *others


def iter_rows(path: FileLike, *, n_features: int, zero_based: bool) -> Iterator[tuple[SparseRows, Array]]:
    """X and y block by block, as numbers or as text in each block as it has them.

    A block comes once the next one is read, so that of a file of one block, if there is an error in it, nothing comes;
    but at once if it is from a pipe that is to be answered at once.
    """
    options = ReaderOptions.checked(n_features, np.float64, zero_based, query_id=False)
    before = None
    with opened(path) as source, closing(read_blocks(source, options, BLOCK_BYTES)) as blocks:
        for _, reader, _ in blocks:
            if before is not None:
                yield before
            before = None
            if len(reader):
                as_text = reader.name is not None
                X, y = _of_block(options, reader, n_features, zero_based=zero_based, as_text=as_text)
                before = X, y
            if before is not None and is_answered_at_once(source):
                yield before
                before = None
    if before is not None:
        yield before


def _of_block(
    options: ReaderOptions, reader: Any, n_features: int, *, zero_based: bool, as_text: bool
) -> tuple[Any, ...]:
    """X, y and, if asked for, the queries of one block."""
    rows = options.rows()
    rows.append(reader)
    return _of_rows(options, rows, n_features, zero_based=zero_based, as_text=as_text)


def _of_rows(options: ReaderOptions, rows: Any, n_features: int, *, zero_based: bool, as_text: bool) -> tuple[Any, ...]:
    """X, y and, if asked for, the queries: taken from the core, which has them no more."""
    n_rows = len(rows)
    data, indices, indptr, y, text, query = rows.take()
    if not zero_based:
        indices -= 1
    if max(n_rows, n_features, len(data)) > np.iinfo(np.int32).max:
        indices = indices.astype(np.int64, copy=False)
    X = SparseRows(data, indices, indptr.astype(indices.dtype, copy=False), int(n_features))
    if as_text:
        y = np.array(text.decode().split("\n")[:-1])
    return (X, y, query) if options.query_id else (X, y)


def _scipy_matrix(X: SparseRows) -> Any:
    """One of scipy's CSR matrices, which may rely on it that the columns of a row are sorted, each there once."""
    matrix = as_users_have_it(X)
    matrix.has_canonical_format = True
    return matrix
