"""The text format of svmlight and libsvm, `label qid:query index:value ... # comment` a line.

Read strictly, block by block and on all cores, every number exactly rounded. The parameters are those of scikit-learn's
loader. `read_svmlight` and `iter_svmlight` give scipy's matrices, as their users expect. The other functions give
`SparseRows` and need no scipy.
"""

import operator
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, Literal, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.base.rows import SparseRows, as_users_have_it, join_rows
from rosenblatt.services.files.blocks import BLOCK_BYTES, LineBlock, LineBlocks, error_in, in_order
from rosenblatt.services.files.compressed import FileLike, OpenFile, name_of, open_file
from rosenblatt.services.files.pipes import is_answered_at_once
from rosenblatt.services.files.svmlight_writer import write_svmlight

_LARGEST = np.iinfo(np.int64).max


class ReaderOptions(NamedTuple):
    """How the core is to read a file: the type of values, the limits of indices, whether lines have a query.

    While it is not known whether columns are counted from 0 or from 1 (`one_more`), an index of one more than
    `largest` is not an error at once: the reader says where it is, in `one_too_many`.
    """

    wide: bool  # float64; else float32
    smallest: int
    largest: int
    one_more: bool
    query_id: bool

    @classmethod
    def of(cls, n_features: int | None, dtype: Any, zero_based: bool | str, *, query_id: bool) -> "ReaderOptions":
        """From the parameters of `read_svmlight`."""
        if np.dtype(dtype) not in (np.float64, np.float32):
            raise ValueError(f"dtype must be float64 or float32, got {np.dtype(dtype)}")
        if zero_based not in (True, False, "auto"):
            raise ValueError(f"zero_based must be True, False or 'auto', got {zero_based!r}")
        columns = _LARGEST if n_features is None else operator.index(n_features)
        if not 1 <= columns <= _LARGEST:
            raise ValueError(f"n_features must be at least 1 and below 2^63, got {n_features}")
        auto = zero_based == "auto"
        smallest = 0 if zero_based else 1
        return cls(np.dtype(dtype) == np.float64, smallest, columns - 1 + smallest, auto, bool(query_id))

    def reader(self) -> Any:
        """A reader of blocks, whose indices have 32 bits if all of them fit."""
        if self.largest < np.iinfo(np.int32).max:
            return _core.SvmlightReader64() if self.wide else _core.SvmlightReader32()
        return _core.SvmlightReader64Long() if self.wide else _core.SvmlightReader32Long()

    def rows(self) -> Any:
        """Where the rows of many blocks are put together."""
        return _core.SvmlightRows64() if self.wide else _core.SvmlightRows32()


def read_blocks(
    source: OpenFile, options: ReaderOptions, block_bytes: int, offset: int = 0, length: int = -1
) -> Generator[tuple[int, Any, int], None, None]:
    """The core's reader of each block of lines, how many lines come before it, and where in the file it ends.

    The reader is then used again. All lines before an error come first, however the file falls into blocks.
    """
    start, limit = _part(source.file, offset, length)
    blocks = LineBlocks(source, block_bytes, limit)
    idle: deque[Any] = deque()
    line, end, any_rows = 0, start, start > 0 or limit is not None
    error: DataFileError | None = None

    def read(item: tuple[bool, LineBlock]) -> tuple[LineBlock, Any]:
        first, block = item
        reader = idle.pop() if idle else options.reader()
        with memoryview(block.buffer) as view:
            reader.read(
                view[: block.size],
                first=first,
                smallest=options.smallest,
                largest=options.largest,
                one_more=options.one_more,
                query_id=options.query_id,
            )
        blocks.recycle(block)
        return block, reader

    items = ((start == 0 and k == 0, block) for k, block in enumerate(blocks))
    with closing(in_order(read, items)) as results:
        for block, reader in results:
            end += block.size
            yield line, reader, end
            if reader.error:
                error = error_in(source, reader.error, line)
                break
            line += reader.lines
            any_rows = any_rows or len(reader) > 0
            if block.problem:
                error = DataFileError(source.name, line + 1, block.rest + 1, *block.problem)
                break
            idle.append(reader)
    if error and start > 0:
        error = DataFileError(error.path, error.line + _lines(source.file, start), *error.args[2:])
    if error:
        raise error
    if not any_rows:
        raise NoRowsError(source.name, line + 1, 1, "a label", "the end of the file")


def labelled_blocks(
    source: OpenFile, options: ReaderOptions, block_bytes: int, offset: int = 0
) -> Generator[tuple[int, Any, int, bool], None, None]:
    """The blocks that have rows, and whether labels are text: if those of the first are numbers, all must be."""
    as_text: bool | None = None
    with closing(read_blocks(source, options, block_bytes, offset)) as blocks:
        for line, reader, end in blocks:
            if not len(reader):
                continue
            if as_text is None:
                as_text = reader.name is not None
            if reader.name and not as_text:
                raise error_in(source, reader.name, line)
            yield line, reader, end, as_text


def _part(file: Any, offset: int, length: int) -> tuple[int, int | None]:
    """Go to the first line that begins after `offset`; where that is, and how many bytes are to be read from there."""
    if operator.index(offset) < 0:
        raise ValueError(f"offset must be 0 or more, got {offset}")
    start, limit = 0, None
    if offset > 0:
        file.seek(offset)
        _end_line(file)
        start = file.tell()
    if operator.index(length) > 0:
        file.seek(offset + length)
        _end_line(file)
        limit = max(0, file.tell() - start)
        file.seek(start)
    return start, limit


def _end_line(file: Any) -> None:
    """Go to the next line, however long this one is."""
    while (part := file.readline(BLOCK_BYTES)) and not part.endswith(b"\n"):
        pass


def _lines(file: Any, size: int) -> int:
    """The number of line ends in the first `size` bytes."""
    file.seek(0)
    lines = 0
    while size > 0 and (data := file.read(min(size, BLOCK_BYTES))):
        lines += data.count(b"\n")
        size -= len(data)
    return lines


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
    options = ReaderOptions.of(n_features, dtype, zero_based, query_id=query_id)
    rows, named, too_many = options.rows(), False, None
    with open_file(path) as source, closing(read_blocks(source, options, BLOCK_BYTES, offset, length)) as blocks:
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
    rows_and_labels = _of_rows(options, rows, n_features, zero_based=bool(zero_based), as_text=named)
    return rows_and_labels, bool(zero_based)


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
    options = ReaderOptions.of(n_features, dtype, zero_based, query_id=query_id)
    if operator.index(block_bytes) < 1:
        raise ValueError(f"block_bytes must be at least 1, got {block_bytes}")
    return _iterate(path, options, n_features, zero_based=zero_based, block_bytes=block_bytes)


def _iterate(
    path: FileLike, options: ReaderOptions, n_features: int, *, zero_based: bool, block_bytes: int
) -> Iterator[tuple[Any, ...]]:
    with open_file(path) as source, closing(labelled_blocks(source, options, block_bytes)) as blocks:
        for _, reader, _, as_text in blocks:
            X, *others = _of_block(options, reader, n_features, zero_based=zero_based, as_text=as_text)
            yield _scipy_matrix(X), *others


def iter_rows(path: FileLike, *, n_features: int, zero_based: bool) -> Iterator[tuple[SparseRows, Array]]:
    """X and y block by block, as numbers or as text in each block as it has them.

    A block comes once the next one is read, so that of a file of one block, if there is an error in it, nothing comes;
    but at once if it is from a pipe that is to be answered at once.
    """
    options = ReaderOptions.of(n_features, np.float64, zero_based, query_id=False)
    before = None
    with open_file(path) as source, closing(read_blocks(source, options, BLOCK_BYTES)) as blocks:
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


def read_counted_files(
    files: Sequence[FileLike], n_features: int | None, dtype: Any, zero_based: bool | str
) -> tuple[tuple[SparseRows, Array], bool]:
    """X and y of svmlight files, and whether columns are counted from 0: in all files, if one of them has a column 0.

    There are as many columns as the widest file has.
    """
    read = [read_counted(file, n_features, dtype, zero_based) for file in files]
    from_zero = any(of_one for _, of_one in read)
    read = [
        one_file if one_file[1] == from_zero else read_counted(file, n_features, dtype, from_zero)
        for file, one_file in zip(files, read, strict=True)
    ]
    labels = [y for (_, y), _ in read]
    kinds = [y.dtype.kind for y in labels]
    if len(set(kinds)) > 1:
        odd = next(place for place, kind in enumerate(kinds) if kind != kinds[0])
        words = {True: "names", False: "numbers"}
        expected, one_file = words[kinds[0] == "U"], words[kinds[odd] == "U"]
        raise ValueError(
            f"{name_of(files[odd])}: expected {expected} as labels, as in {name_of(files[0])}, found {one_file}"
        )
    return (join_rows([X for (X, _), _ in read]), np.concatenate(labels)), from_zero
