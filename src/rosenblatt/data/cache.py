"""The rows of a text file as an Arrow IPC file, for the passes after the first: nothing is parsed again.

It has a record batch for a few blocks, with the columns label, index and value, the latter two lists, so that pandas,
polars and DuckDB can read it too. It keeps the mark of its source, and is written anew once that is another. It is
mapped into memory, and what was used is given back.
"""

import json
import mmap
import os
from collections.abc import Generator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.atomic_write import replacing
from rosenblatt.data.blocks import in_order
from rosenblatt.data.source_mark import SourceMark
from rosenblatt.data.stream import Array, Block, Stream

_FORMAT = 1
_JOINED = 4  # blocks in a batch


class CachedBlock(NamedTuple):
    """The memory of the file."""

    y: Array
    values: Array
    columns: Array
    starts: Array
    end: int

    @property
    def n_columns(self) -> int:
        """One more than the largest."""
        return int(self.columns.max(initial=0)) + 1

    @property
    def has_zero(self) -> bool:
        """Columns are sorted: only the first of a row can be 0."""
        return bool((self.columns[self.starts[:-1][np.diff(self.starts) > 0]] == 0).any())

    def rows(self, n_columns: int) -> Any:
        """As they are."""
        return _core.sparse_rows(self.values, self.columns, self.starts, n_columns)

    def arrays(self) -> tuple[Array, Array, Array]:
        """As they are."""
        return self.values, self.columns, self.starts


class CachedStream:
    """A text file whose first whole pass writes a cache, from which all others are read, now and in later runs."""

    def __init__(self, source: Stream, path: "str | os.PathLike[str]") -> None:
        self.source, self.path = source, Path(path)
        self.name, self.size, self.dtype = source.name, source.size, source.dtype
        self.n_features, self.zero_based = source.n_features, source.zero_based
        self._mark = source.mark()
        self._written = False  # in this run
        if self.path.exists():
            _metadata(self.path)  # not somebody else's file

    @property
    def words(self) -> dict[str, Any]:
        """Those of the text."""
        return self.source.words

    def mark(self) -> SourceMark | None:
        """That of the text."""
        return self._mark

    @property
    def is_file(self) -> bool:
        """A cache written in this run can be read again, also that of a pipe."""
        return True

    def blocks(self, after: int = 0) -> Generator[Block, None, None]:
        """From the cache if it is that of the file as it is now, else from the file."""
        if self._is_good() and (batches := _Batches(self.path)).has(after):
            yield from batches.blocks(after)
        elif after == 0:
            yield from self._write()
        else:
            yield from self.source.blocks(after)

    def _is_good(self) -> bool:
        if not self.path.exists() or (self._mark is None and not self._written):
            return False
        return _metadata(self.path) == self._says() and self.source.mark() == self._mark

    def _says(self) -> dict[str, Any]:
        rows = {"dtype": self.dtype.name, "words": self.words}
        return {"cache": _FORMAT, "rows": rows, "source": None if self._mark is None else [*self._mark]}

    def _write(self) -> Generator[Block, None, None]:
        """The blocks of the file; each goes into the cache too, which is there once the last one is."""
        import pyarrow as pa

        self._mark = self.source.mark()
        with replacing(self.path) as file, closing(self.source.blocks()) as blocks:
            writer, waiting = None, list[Any]()
            for block in chain(blocks, [None]):
                if block is not None:
                    waiting.append((block.y, *block.arrays()))
                    end = block.end
                if waiting and (block is None or len(waiting) == _JOINED):
                    batch = _batch(waiting)
                    if writer is None:
                        says = {"rosenblatt": json.dumps(self._says())}
                        writer = pa.ipc.new_file(file, batch.schema.with_metadata(says))
                    writer.write_batch(batch, custom_metadata={"end": str(end)})
                    waiting.clear()
                if block is not None:
                    yield block
            if writer is not None:
                writer.close()
            if self.source.mark() != self._mark:
                raise ValueError(f"{self.name}: expected a file that stays as it is while it is read; it has changed")
        self._written = True


class _Batches:
    """The record batches of a cache."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._buffer = pa.py_buffer(self._map)
        self._reader = pa.ipc.open_file(self._buffer)

    def has(self, after: int) -> bool:
        """Whether a block begins there."""
        return after == 0 or any(end == after for _, end in self._from(0))

    def blocks(self, after: int) -> Generator[Block, None, None]:
        """All that begin at `after` or later. What was used is given back."""
        given_back = 0
        with closing(in_order(_at_hand, self._from(after))) as blocks:
            for block in blocks:
                yield block
                place = block.values.__array_interface__["data"][0] + block.values.nbytes - self._buffer.address
                used = place // mmap.PAGESIZE * mmap.PAGESIZE
                if used > given_back:
                    self._map.madvise(mmap.MADV_DONTNEED, given_back, used - given_back)
                    given_back = used

    def _from(self, after: int) -> Generator[tuple[Any, int], None, None]:
        """The batches and where each ends in the source."""
        for number in range(self._reader.num_record_batches):
            batch, metadata = self._reader.get_batch_with_custom_metadata(number)
            if (end := int(metadata[b"end"])) > after:
                yield batch, end


def _at_hand(item: tuple[Any, int]) -> CachedBlock:
    """The block of a batch, its pages mapped: done ahead, so that learning does not wait for the system."""
    batch, end = item
    label, index, value = batch.columns
    y = label.to_numpy() if label.type != "string" else np.array(label.to_pylist())
    block = CachedBlock(y, value.values.to_numpy(), index.values.to_numpy(), index.offsets.to_numpy(), end)
    for array in block.arrays():
        array[:: mmap.PAGESIZE // array.itemsize].max(initial=0)
    return block


def _batch(blocks: list[tuple[Array, Array, Array, Array]]) -> Any:
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


def _metadata(path: Path) -> Any:
    """What a cache says of itself; whatever else is there must not be overwritten."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as file:
            return json.loads(pa.ipc.open_file(file).schema.metadata[b"rosenblatt"])
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError):
        raise ValueError(f"{path}: expected a cache or a free name, found another file") from None
