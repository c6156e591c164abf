"""Svmlight text, block by block as the core reads it: on all cores, results in the order of the file."""

import operator
from collections import deque
from collections.abc import Generator
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.services.files.blocks import BLOCK_BYTES, LineBlock, LineBlocks, error_in, in_order
from rosenblatt.services.files.compressed import Source

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
    def checked(cls, n_features: int | None, dtype: Any, zero_based: bool | str, *, query_id: bool) -> "ReaderOptions":
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
    source: Source, options: ReaderOptions, block_bytes: int, offset: int = 0, length: int = -1
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
    source: Source, options: ReaderOptions, block_bytes: int, offset: int = 0
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
