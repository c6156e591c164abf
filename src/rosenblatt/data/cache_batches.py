"""The record batches of a cache: how blocks become one, and how its arrays are read again.

A batch has the columns label, index and value, the latter two lists of the same lengths.
"""

import mmap
from collections import deque
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.data.blocks import in_order
from rosenblatt.data.stream import Array, Block


class CachedBlock(NamedTuple):
    """As it was read."""

    y: Array
    values: Array
    columns: Array
    starts: Array
    rows: Any
    end: int

    @property
    def n_columns(self) -> int:
        """One more than the largest."""
        return int(self.rows.features)

    @property
    def has_zero(self) -> bool:
        """Whether column 0 occurs."""
        return bool(self.columns.min(initial=1) == 0)

    def arrays(self) -> tuple[Array, Array, Array]:
        """As they are."""
        return self.values, self.columns, self.starts


class Batches:
    """The batches of a cache. The file is mapped to see where in it their arrays are; then these are read.

    To map their pages takes longer than to copy them into memory that is used again.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path, self._file = path, pa.OSFile(str(path))
        mapped = pa.py_buffer(mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ))
        reader = pa.ipc.open_file(mapped)
        batches = map(reader.get_batch_with_custom_metadata, range(reader.num_record_batches))
        self._places = [_Place.of(batch, int(metadata[b"end"]), mapped.address) for batch, metadata in batches]
        if not self._places:
            raise ValueError(f"{path}: expected rows, found a cache without any")
        self._most = max(place.size for place in self._places)
        self._idle: deque[mmap.mmap] = deque()

    def has(self, after: int) -> bool:
        """Whether a block begins there."""
        return after == 0 or any(place.end == after for place in self._places)

    def blocks(self, after: int) -> Generator[Block, None, None]:
        """All that begin at `after` or later. One thread keeps ahead of learning; more would be in its way."""
        places = (place for place in self._places if place.end > after)
        with closing(in_order(self._read, places, n_threads=1)) as results:
            for memory, block in results:
                yield block
                self._idle.append(memory)

    def _read(self, place: "_Place") -> tuple[mmap.mmap, CachedBlock]:
        # At the start of a page: near it, some processors copy four times slower.
        memory = self._idle.pop() if self._idle else mmap.mmap(-1, self._most)
        self._file.seek(place.start)
        with memoryview(memory) as view:
            if self._file.readinto(view[: place.size]) != place.size:
                raise ValueError(f"{self._path}: expected a file that stays as it is while it is read; it is cut off")
        return memory, place.block(memory)


class _Place(NamedTuple):
    """Where in the file a batch is: the starts, columns and values of its rows, and the labels if they are numbers."""

    start: int
    size: int
    arrays: list[tuple[np.dtype[Any], int, int]]  # type, length, where after the start
    names: list[Any]  # the column of labels if they are text
    end: int  # in the source

    @classmethod
    def of(cls, batch: Any, end: int, address: int) -> Self:
        """Of a batch in a file that is mapped to this address."""
        label, index, value = batch.columns
        names = [label] if label.type == "string" else []
        parts = [index.offsets, index.values, value.values, *([] if names else [label])]
        arrays = [part.to_numpy() for part in parts]
        firsts = [array.__array_interface__["data"][0] for array in arrays]
        firsts = [first if len(array) else firsts[0] for first, array in zip(firsts, arrays, strict=True)]
        lasts = [first + array.nbytes for first, array in zip(firsts, arrays, strict=True)]
        start = min(firsts)
        said = [(array.dtype, len(array), first - start) for first, array in zip(firsts, arrays, strict=True)]
        return cls(start - address, max(lasts) - start, said, names, end)

    def block(self, memory: mmap.mmap) -> CachedBlock:
        """Of what was read to the beginning of `memory`."""
        starts, columns, values, *labels = (np.frombuffer(memory, *said) for said in self.arrays)
        (y,) = labels or (np.array(names.to_pylist()) for names in self.names)
        return CachedBlock(y, values, columns, starts, _core.sparse_rows(values, columns, starts, None), self.end)


def batch_of(blocks: list[tuple[Array, Array, Array, Array]]) -> Any:
    """Labels, values, columns and starts of some blocks as one record batch."""
    import pyarrow as pa

    labels, values, columns, starts = zip(*blocks, strict=True)
    places = np.cumsum([0, *map(len, values)])
    joined = np.concatenate([[0], *(own[1:] + place for own, place in zip(starts, places[:-1], strict=True))])
    y, offsets = np.concatenate(labels), _as_arrow(joined.astype(np.int32))
    label = pa.array(y.tolist()) if y.dtype.kind == "U" else _as_arrow(y)
    index = pa.ListArray.from_arrays(offsets, _as_arrow(np.concatenate(columns).astype(np.int32)))
    value = pa.ListArray.from_arrays(offsets, _as_arrow(np.concatenate(values)))
    return pa.record_batch([label, index, value], names=["label", "index", "value"])


def _as_arrow(array: Array) -> Any:
    """Without a copy, and without pandas, which pyarrow.array imports to look whether it got a series."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.from_numpy_dtype(array.dtype), len(array), [None, pa.py_buffer(array)])
