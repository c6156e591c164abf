"""Rows from a file, block by block and in any number of passes, in memory that does not grow with the file.

Blocks come in the order of the file, and the next ones are read while the caller works on one. Columns are counted as
in the file, from 0. Whether there is a column 0 is known only at the end of svmlight text. Tables are encoded as they
are read.
"""

import hashlib
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Tensors
from rosenblatt.base.rows import Matrix, core_rows, is_sparse
from rosenblatt.services.files.blocks import error_in
from rosenblatt.services.files.compressed import FileLike, name_of, open_file
from rosenblatt.services.files.source_mark import SourceMark
from rosenblatt.services.files.svmlight import ReaderOptions, labelled_blocks

if TYPE_CHECKING:
    from rosenblatt.services.files.encoding import Encoding
    from rosenblatt.services.files.table_file import Format

BLOCK_BYTES = 1 << 21  # small, because memory holds a few of them, and the rows of a few more
MOST_COLUMNS = np.iinfo(np.int32).max


class StreamBlock(Protocol):
    """Some rows, valid until the next block."""

    @property
    def y(self) -> Array:
        """The labels, numbers or text."""

    @property
    def n_columns(self) -> int:
        """The number of columns that its rows need."""

    @property
    def has_zero(self) -> bool:
        """Whether column 0 occurs."""

    @property
    def end(self) -> int:
        """Where in the file the next block begins, in bytes or rows."""

    @property
    def rows(self) -> Any:
        """Rows for the core, with this number of columns."""

    def arrays(self) -> tuple[Array, Array, Array]:
        """Values, columns and the start of each row, as CSR has them."""


class Stream(Protocol):
    """A file, or its cache, that gives blocks."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""

    @property
    def n_features(self) -> int | None:
        """The number of features; None: as many as occur."""

    @property
    def zero_based(self) -> bool | Literal["auto"]:
        """Whether the first feature is column 0."""

    @property
    def name(self) -> str:
        """The name of the file for messages."""

    @property
    def size(self) -> int | None:
        """The number of bytes to read, or None for compressed files and pipes."""

    @property
    def is_file(self) -> bool:
        """Whether it can be read again."""

    @property
    def options(self) -> dict[str, Any]:
        """The options of the reader that change the rows: part of the key of a cache, as JSON."""

    def mark(self) -> SourceMark | None:
        """What identifies the content of the file, without reading all of it."""

    def blocks(self, after: int = 0) -> Generator[StreamBlock, None, None]:
        """The blocks from `after`, the end of a block, to the end of the file."""

    def sync(self) -> None:
        """Write to the disk what a run needs to continue after the last block."""


class SvmlightBlock(NamedTuple):
    """A block as the reader made it, without a copy."""

    reader: Any
    y: Array
    end: int

    @property
    def n_columns(self) -> int:
        return int(self.reader.largest) + 1

    @property
    def has_zero(self) -> bool:
        return bool(self.reader.has_zero)

    @property
    def rows(self) -> Any:
        """Rows in the reader's own memory."""
        return self.reader.rows

    def arrays(self) -> tuple[Array, Array, Array]:
        values, columns, starts = self.reader.arrays()
        return values, columns, starts


class OfFile:
    """What all streams share: the file."""

    path: FileLike

    def sync(self) -> None:
        """Do nothing, because the file has all blocks."""

    @property
    def name(self) -> str:
        return name_of(self.path)

    @property
    def is_file(self) -> bool:
        return isinstance(self.path, str | Path) and Path(self.path).is_file()

    def mark(self) -> SourceMark | None:
        return SourceMark.of_path(self.path)


class SvmlightStream(OfFile):
    """A file in the format of svmlight and libsvm; the parameters are those of `read_svmlight`."""

    def __init__(
        self,
        path: FileLike,
        *,
        n_features: int | None,
        dtype: Any,
        zero_based: bool | Literal["auto"],
        block_bytes: int = BLOCK_BYTES,
    ) -> None:
        self.path, self.dtype, self.block_bytes = path, np.dtype(dtype), block_bytes
        self.zero_based, self.n_features = zero_based, n_features
        options = ReaderOptions.of(n_features, dtype, zero_based, query_id=False)
        self._reader = options._replace(largest=min(options.largest, MOST_COLUMNS - 1))

    @property
    def size(self) -> int | None:
        with open_file(self.path) as source:
            return Path(source.name).stat().st_size if source.compression == "no" and self.is_file else None

    @property
    def options(self) -> dict[str, Any]:
        return {"n_features": self.n_features, "zero_based": self.zero_based}

    def blocks(self, after: int = 0) -> Generator[StreamBlock, None, None]:
        """The blocks from the line that begins `after` bytes from the start, to the end of the file."""
        too_many, has_zero = None, False
        offset = max(after - 1, 0)  # begins one byte before, to find the end of the line before
        with (
            open_file(self.path) as source,
            closing(labelled_blocks(source, self._reader, self.block_bytes, offset)) as blocks,
        ):
            for line, reader, end, as_text in blocks:
                if too_many is None and reader.one_too_many:
                    too_many = error_in(source, reader.one_too_many, line)
                has_zero = has_zero or reader.has_zero
                y = np.array(reader.label_text.decode().split("\n")[:-1]) if as_text else reader.labels
                yield SvmlightBlock(reader, y, end)
        if too_many and has_zero:  # an index n_features is allowed only if indices count from 1
            raise too_many


class MatrixBlock(NamedTuple):
    """Some rows of a matrix, with all its columns."""

    X: Matrix
    y: Array
    end: int

    @property
    def has_zero(self) -> bool:
        """True, because column 0 is the first feature."""
        return True

    @property
    def n_columns(self) -> int:
        return int(self.X.shape[1])

    @property
    def rows(self) -> Any:
        return core_rows(self.X, check=False)

    def arrays(self) -> tuple[Array, Array, Array]:
        """Values, columns and starts. A dense row keeps its zeros, so that its sums are added in the same order."""
        if is_sparse(self.X):
            return self.X.data, self.X.indices, self.X.indptr
        size, width = self.X.shape
        return self.X.ravel(), np.tile(np.arange(width), size), np.arange(size + 1) * width


class TableStream(OfFile):
    """A table that a fitted `encoding` turns into rows."""

    zero_based = True

    def __init__(
        self,
        path: FileLike,
        encoding: "Encoding",
        *,
        dtype: Any,
        format: "Format | None" = None,  # noqa: A002
        delimiter: str | None = None,
        block_rows: int | None = None,
    ) -> None:
        self.path, self.encoding, self.format, self.dtype = path, encoding, format, np.dtype(dtype)
        self.delimiter, self.block_rows = delimiter, block_rows
        self.n_features = int(encoding.n_features)
        self.size = None

    @property
    def options(self) -> dict[str, Any]:
        tensors = Tensors()
        record = self.encoding.as_record(tensors)
        if tensors:  # the words are many: here they need only be told apart from others
            arrays = [name.encode() + tensors[name].tobytes() for name in sorted(tensors)]
            record["texts"] = hashlib.sha256(b"".join(arrays)).hexdigest()
        return {"encoding": record, "format": self.format, "delimiter": self.delimiter}

    def blocks(self, after: int = 0) -> Generator[StreamBlock, None, None]:
        """The blocks without the first `after` rows."""
        end = 0
        reading: Any = {"format": self.format, "delimiter": self.delimiter}
        if self.block_rows is not None:
            reading["block_rows"] = self.block_rows
        for X, y in self.encoding.blocks(self.path, **reading):
            skipped = min(max(after - end, 0), len(y))
            end += len(y)
            if skipped < len(y):
                yield MatrixBlock(X[skipped:].astype(self.dtype, copy=False), y[skipped:], end)
