"""A table file as a stream of blocks, encoded as it is read. Positions in it are counted in rows."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, core_rows, is_sparse
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.table import BLOCK_ROWS
from rosenblatt.services.files.table_file import Format
from rosenblatt.services.stream.svmlight import Block, OfFile

if TYPE_CHECKING:
    from rosenblatt.services.files.encoding import Encoding


class MatrixBlock(NamedTuple):
    """Some rows of a matrix, which has all columns."""

    X: Matrix
    y: Array
    end: int

    @property
    def has_zero(self) -> bool:
        """Column 0 is the first feature."""
        return True

    @property
    def n_columns(self) -> int:
        """All."""
        return int(self.X.shape[1])

    @property
    def rows(self) -> Any:
        """As they are."""
        return core_rows(self.X, check=False)

    def arrays(self) -> tuple[Array, Array, Array]:
        """A dense row stores its zeros too: from there its sums are made in the same order."""
        if is_sparse(self.X):
            return self.X.data, self.X.indices, self.X.indptr
        size, width = self.X.shape
        return self.X.ravel(), np.tile(np.arange(width), size), np.arange(size + 1) * width


class TableStream(OfFile):
    """A table that is encoded as `encoding`, which was fitted before, says."""

    zero_based = True

    def __init__(
        self,
        path: FileLike,
        encoding: "Encoding",
        *,
        dtype: Any,
        format: Format | None = None,  # noqa: A002
        delimiter: str | None = None,
        block_rows: int = BLOCK_ROWS,
    ) -> None:
        self.path, self.encoding, self.format, self.dtype = path, encoding, format, np.dtype(dtype)
        self.delimiter, self.block_rows = delimiter, block_rows
        self.n_features = int(encoding.n_features)
        self.size = None

    @property
    def options(self) -> dict[str, Any]:
        """Options of the reader that the rows depend on: part of the cache's key."""
        return {"encoding": self.encoding.as_record(), "format": self.format, "delimiter": self.delimiter}

    def blocks(self, after: int = 0) -> Generator[Block, None, None]:
        """All but the first `after` rows."""
        end = 0
        reading: Any = {"format": self.format, "delimiter": self.delimiter, "block_rows": self.block_rows}
        for X, y in self.encoding.blocks(self.path, **reading):
            skipped = min(max(after - end, 0), len(y))
            end += len(y)
            if skipped < len(y):
                yield MatrixBlock(X[skipped:].astype(self.dtype, copy=False), y[skipped:], end)
