"""From the blocks of a table to rows of features, dense or sparse, in memory that is allocated once.

The numbers are read from the blocks, or have been: then they lie side by side where the features will be.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.arrays import Array
from rosenblatt.data.table import Table
from rosenblatt.encoding.columns import Categories, Numbers, Texts
from rosenblatt.rows import Matrix, SparseRows


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
        return self._sparse(table, kept) if self.is_sparse else self._dense(table, kept)

    def _dense(self, table: Table, kept: Array | None) -> Array:
        shape, n_numbers = (len(table), len(self)), len(self.numbers)
        X = np.zeros(shape) if kept is None or kept.shape != shape or self.categories.names else kept
        for part, block in _parts(table):
            out = X[part, :n_numbers]
            if kept is not None and X is not kept:
                out[:] = kept[part, :n_numbers]
            self._write_numbers(block, out, kept)
            chosen = self.categories.encode(block, self.unknown)
            row, place = np.nonzero(chosen >= 0)
            X[part][row, n_numbers + chosen[row, place]] = 1
        return X

    def _sparse(self, table: Table, kept: Array | None) -> SparseRows:
        """Sparse rows, of as many values at most as there are columns, without those that are 0."""
        n_numbers, n_features = len(self.numbers), len(self.numbers) + len(self.categories)
        values = np.empty((len(table), n_numbers + len(self.categories.names))) if kept is None else kept
        kind: Any = np.int32 if max(n_features, values.size) <= np.iinfo(np.int32).max else np.int64
        indices, starts, end = np.empty(values.size, dtype=kind), np.zeros(len(table) + 1, dtype=kind), 0
        for part, block in _parts(table):
            self._write_numbers(block, values[part, :n_numbers], kept)
            chosen = self.categories.encode(block, self.unknown)
            end += _core.compact(values, indices, starts, part.start, n_numbers, chosen, n_features)
        found = SparseRows(values.reshape(-1)[:end], indices[:end], starts, n_features)
        return _side_by_side([found, *self.texts.encode(table)]) if self.texts.names else found

    def _write_numbers(self, block: Table, out: Array, kept: Array | None) -> None:
        if kept is None:
            self.numbers.encode(block, out)
        else:
            self.numbers.finish(out)


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
