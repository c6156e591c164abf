"""The record batches of a cache: how blocks become one, and how its arrays are read again.

A batch has the columns label, index and value, the latter two lists of the same lengths.
"""

import mmap
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple, Self
from weakref import finalize

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.services.stream.streams import Block


class CachedBlock(NamedTuple):
    """A batch as it lies in the file: nothing is copied, but for labels that are text."""

    batch: Any
    end: int
    rows: Any

    @classmethod
    def of(cls, batch: Any, end: int) -> Self:
        """Its columns are checked here, once and for all."""
        batch.validate(full=True)
        return cls(batch, end, _core.sparse_rows(*_arrays(batch), None))

    @property
    def y(self) -> Array:
        """The labels, numbers or text."""
        label = self.batch.column(0)
        return np.array(label.to_pylist()) if label.type == "string" else np.asarray(label.to_numpy())

    @property
    def n_columns(self) -> int:
        """One more than the largest."""
        return int(self.rows.features)

    @property
    def has_zero(self) -> bool:
        """Whether column 0 occurs."""
        _, columns, _ = self.arrays()
        return bool(columns.min(initial=1) == 0)

    def arrays(self) -> tuple[Array, Array, Array]:
        """Values, columns and starts."""
        return _arrays(self.batch)


def _arrays(batch: Any) -> tuple[Array, Array, Array]:
    _, index, value = batch.columns
    return value.values.to_numpy(), index.values.to_numpy(), index.offsets.to_numpy()


class Batches:
    """The batches of a cache, mapped into memory: the system keeps as much of it there as there is room for.

    A batch is checked when it is first asked for; that the file stays as it was is asked each time.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path, self._descriptor = path, os.open(path, os.O_RDONLY)
        finalize(self, os.close, self._descriptor)
        self._state = self._state_now()
        mapped = mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_READ)
        reader = pa.ipc.open_file(pa.py_buffer(mapped))
        self._batches = [reader.get_batch_with_custom_metadata(number) for number in range(reader.num_record_batches)]
        if not self._batches:
            raise ValueError(f"{path}: expected rows, found a cache without any")
        self._ends = [int(metadata[b"end"]) for _, metadata in self._batches]
        self._blocks: dict[int, CachedBlock] = {}

    def has(self, after: int) -> bool:
        """Whether a block begins there."""
        return after == 0 or after in self._ends

    def blocks(self, after: int) -> Generator[Block, None, None]:
        """All that begin at `after` or later."""
        for (batch, _), end in zip(self._batches, self._ends, strict=True):
            if end <= after:
                continue
            if self._state_now() != self._state:
                raise ValueError(f"{self._path}: expected a file that stays as it is while it is read; it has changed")
            if end not in self._blocks:
                self._blocks[end] = CachedBlock.of(batch, end)
            yield self._blocks[end]

    def _state_now(self) -> tuple[int, int]:
        state = os.fstat(self._descriptor)
        return state.st_size, state.st_mtime_ns


def batch_of(blocks: list[tuple[Array, Array, Array, Array]]) -> Any:
    """Labels, values, columns and starts of some blocks as one record batch."""
    import pyarrow as pa

    labels, values, columns, starts = zip(*blocks, strict=True)
    places = np.cumsum([0, *map(len, values)])
    joined = [[0], *(of_block[1:] + place for of_block, place in zip(starts, places[:-1], strict=True))]
    y, offsets = np.concatenate(labels), _as_arrow(np.concatenate(joined, dtype=np.int32))
    label = pa.array(y.tolist()) if y.dtype.kind == "U" else _as_arrow(y)
    index = pa.ListArray.from_arrays(offsets, _as_arrow(np.concatenate(columns, dtype=np.int32)))
    value = pa.ListArray.from_arrays(offsets, _as_arrow(np.concatenate(values)))
    return pa.record_batch([label, index, value], names=["label", "index", "value"])


def _as_arrow(array: Array) -> Any:
    """Without a copy, and without pandas, which pyarrow.array imports to look whether it got a series."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.from_numpy_dtype(array.dtype), len(array), [None, pa.py_buffer(array)])
