"""From the blocks of a table to rows of features, dense or sparse, in memory that is allocated once.

The numbers are written side by side where the features will be, if they have not been kept so; there they become what
the features are.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, SparseRows
from rosenblatt.services.files.encoding.columns import Categories, Numbers, Texts
from rosenblatt.services.files.table import Table


@dataclass(frozen=True)
class Features:
    """How rows of features are made; `unknown` says whether a category that was not seen is an error."""

    numbers: Numbers
    categories: Categories
    texts: Texts
    unknown: str

    def __len__(self) -> int:
        return len(self.numbers) + len(self.categories) + len(self.texts)

    @property
    def is_sparse(self) -> bool:
        """Whether they are sparse rows: if most of them are 0 in every row."""
        columns = len(self.numbers.names) + len(self.categories.names)
        return bool(self.texts.names) or len(self) > 3 * columns

    def of(self, table: Table, kept: Array | None = None) -> Matrix:
        """Those of a table. `kept`: its numbers, NaN where they are missing, and room for indicators; it is used up."""
        kept = self._numbers_in(table) if kept is None else kept
        return self._sparse(table, kept) if self.is_sparse else self._dense(table, kept)

    def _numbers_in(self, table: Table) -> Array:
        """Numbers that have not been kept."""
        n_places = len(self.numbers) + len(self.categories.names)
        width = max(1, n_places if self.is_sparse else len(self))
        writer = _core.RowWriter(width)
        for block in table.blocks():
            writer.add(self.numbers.read(block), len(block))
        return writer.take().reshape(-1, width)

    def _dense(self, table: Table, kept: Array) -> Array:
        shape, n_numbers = (len(table), len(self)), len(self.numbers)
        X = kept if kept.shape == shape else np.empty(shape)
        for part, block in _parts(table):
            rows = X[part]
            if X is not kept:
                rows[:, :n_numbers] = kept[part, :n_numbers]
            rows[:, n_numbers:] = 0
            self.numbers.finish(rows[:, :n_numbers])
            chosen = self.categories.encode(block, self.unknown)
            row, place = np.nonzero(chosen >= 0)
            rows[row, n_numbers + chosen[row, place]] = 1
        return X

    def _sparse(self, table: Table, kept: Array) -> SparseRows:
        """Sparse rows, without values that are 0, where the numbers have been."""
        n_numbers, n_features = len(self.numbers), len(self.numbers) + len(self.categories)
        writer = _core.SparseWriter(kept, n_numbers, n_features)
        for part, block in _parts(table):
            self.numbers.finish(kept[part, :n_numbers])
            writer.add(self.categories.encode(block, self.unknown))
        indices, starts = writer.take()
        found = SparseRows(kept.reshape(-1)[: starts[-1]], indices, starts, n_features)
        return _side_by_side([found, *self.texts.encode(table)]) if self.texts.names else found


def _parts(table: Table) -> Iterator[tuple[slice, Table]]:
    """The blocks of a table, and where their rows go."""
    end = 0
    for block in table.blocks():
        yield slice(end, end + len(block)), block
        end += len(block)


def _side_by_side(parts: list[SparseRows]) -> SparseRows:
    """The columns of all parts, each part after the other, with indices of 32 bits if they fit."""
    n_rows, width = parts[0].shape[0], sum(part.n_columns for part in parts)
    rows = np.concatenate([part.row_numbers() for part in parts])
    offsets = np.cumsum([0, *(part.n_columns for part in parts[:-1])])
    columns = np.concatenate([part.indices + offset for part, offset in zip(parts, offsets, strict=True)])
    order = np.lexsort((columns, rows))
    kind = np.int32 if max(width, len(rows)) <= np.iinfo(np.int32).max else np.int64
    starts = np.searchsorted(rows[order], np.arange(n_rows + 1)).astype(kind)
    values = np.concatenate([part.data for part in parts])
    return SparseRows(values[order], columns[order].astype(kind), starts, width)
