"""The rows of a text file as an Arrow IPC file, so that passes after the first need not parse the text again.

A record batch has a few blocks, with the columns label, index and value. The latter two are lists, so that pandas,
polars and DuckDB can read them too. The cache has the mark of its source, and is written again if the source changes.
An Arrow file is a stream of messages with an index of them at its end, so an incomplete file is read as a stream.
"""

import json
import mmap
import os
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self
from weakref import finalize

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.atomic_write import check_writable, leftovers, replacing
from rosenblatt.services.files.source_mark import SourceMark, refuse_changes
from rosenblatt.services.stream.streams import Stream, StreamBlock

_JOINED = 4  # blocks in a batch
_MAGIC = 8  # bytes before the stream


class CacheWriter:
    """Writes blocks to an Arrow file with metadata, and where in the source each batch ends."""

    def __init__(self, file: BinaryIO, says: Any) -> None:
        self._file, self._says = file, says
        self._writer: Any = None
        self._waiting, self._end = list[Any](), 0

    def add(self, block: StreamBlock) -> None:
        """Add a block. It is in the file after a few more blocks, or after `sync`."""
        self._waiting.append((block.y, *block.arrays()))
        self._end = block.end
        if len(self._waiting) == _JOINED:
            self._write_waiting()

    def write(self, batch: Any, end: int) -> None:
        import pyarrow as pa

        if self._writer is None:
            says = {"rosenblatt": json.dumps(self._says)}
            self._writer = pa.ipc.new_file(self._file, batch.schema.with_metadata(says))
        self._writer.write_batch(batch, custom_metadata={"end": str(end)})

    def _write_waiting(self) -> None:
        if self._waiting:
            self.write(batch_of(self._waiting), self._end)
            self._waiting.clear()

    def sync(self) -> None:
        """Make sure that all blocks so far are on the disk."""
        self._write_waiting()
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._write_waiting()
        if self._writer is not None:
            self._writer.close()


def batches_up_to(path: Path, says: Any, end: int) -> Iterator[tuple[Any, int]]:
    """The first batches of an incomplete cache, up to the given end; fewer if its metadata differ, or if it is cut."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        try:
            file.seek(_MAGIC)
            reader = pa.ipc.open_stream(file)
            if json.loads(reader.schema.metadata[b"rosenblatt"]) != says:
                return
            position = 0
            while position != end:
                batch, metadata = reader.read_next_batch_with_custom_metadata()
                batch.validate(full=True)
                position = int(metadata[b"end"])
                yield batch, position
        except (pa.ArrowInvalid, OSError, KeyError, TypeError, ValueError, StopIteration):
            return


class CachedBlock(NamedTuple):
    """A batch as it is in the file. Nothing is copied except labels that are text."""

    batch: Any
    end: int
    rows: Any

    @classmethod
    def of(cls, batch: Any, end: int) -> Self:
        """Check the columns of a batch, once for all later uses."""
        batch.validate(full=True)
        return cls(batch, end, _core.sparse_rows(*_arrays(batch), None))

    @property
    def y(self) -> Array:
        label = self.batch.column(0)
        return np.array(label.to_pylist()) if label.type == "string" else np.asarray(label.to_numpy())

    @property
    def n_columns(self) -> int:
        return int(self.rows.features)

    @property
    def has_zero(self) -> bool:
        _, columns, _ = self.arrays()
        return bool(columns.min(initial=1) == 0)

    def arrays(self) -> tuple[Array, Array, Array]:
        return _arrays(self.batch)


def _arrays(batch: Any) -> tuple[Array, Array, Array]:
    _, index, value = batch.columns
    return value.values.to_numpy(), index.values.to_numpy(), index.offsets.to_numpy()


class Batches:
    """The batches of a cache, mapped into memory: the system keeps as much of the file there as there is room for.

    A batch is checked at its first use. At each use the file must be unchanged.
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
        return after == 0 or after in self._ends

    def blocks(self, after: int) -> Generator[StreamBlock, None, None]:
        """All blocks that begin at `after` or later."""
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
    """An Arrow array without a copy. pyarrow.array would import pandas, only to check for its types."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.from_numpy_dtype(array.dtype), len(array), [None, pa.py_buffer(array)])


_FORMAT = 1


class CachedStream:
    """A text file whose first complete pass writes a cache, which all other passes read, in this run and later ones.

    With `resume`, an incomplete cache of a killed run is continued, if it reaches the place where that run continues.
    """

    def __init__(self, source: Stream, path: "str | os.PathLike[str]", *, resume: bool = False) -> None:
        self.source, self.path = source, Path(path)
        self.name, self.size, self.dtype = source.name, source.size, source.dtype
        self.n_features, self.zero_based = source.n_features, source.zero_based
        self._mark = source.mark()
        self._written = False  # whether this run wrote the cache
        self._batches: Batches | None = None
        self._writer: CacheWriter | None = None
        self._half_is_wanted = False
        self._left = leftovers(path) if resume else []
        if not self.path.is_file():
            check_writable(path)
        else:
            _metadata(self.path)  # raises an error if it is another program's file

    @property
    def options(self) -> dict[str, Any]:
        return self.source.options

    def mark(self) -> SourceMark | None:
        """The current mark of the text."""
        return self.source.mark()

    @property
    def is_file(self) -> bool:
        """A cache that this run has written can be read again, even if the text came through a pipe."""
        return True

    def sync(self) -> None:
        """Write the blocks so far to the disk, because a run that is killed can continue with an incomplete cache."""
        if self._writer is not None:
            self._writer.sync()
            self._half_is_wanted = True

    def blocks(self, after: int = 0) -> Generator[StreamBlock, None, None]:
        """The blocks of the cache if it fits the current file, else of the file."""
        self._batches = (self._batches or Batches(self.path)) if self._is_good() else None
        left, self._left = self._left, []
        try:
            if self._batches and self._batches.has(after):
                yield from self._batches.blocks(after)
            elif after == 0:
                yield from self._write()
            elif (half := self._half_until(after, left)) is not None:
                yield from self._write(after, half)
            else:
                yield from self.source.blocks(after)
        finally:
            for path in left:
                path.unlink(missing_ok=True)

    def _half_until(self, after: int, left: list[Path]) -> Path | None:
        """The incomplete cache of a killed run, if it is of this file and has everything before `after`."""
        self._mark = self.source.mark()
        ends = ((path, end) for path in left for _, end in batches_up_to(path, self._says(), after))
        return next((path for path, end in ends if end == after), None)

    def _is_good(self) -> bool:
        if not self.path.exists() or (self._mark is None and not self._written):
            return False
        return _metadata(self.path) == self._says() and self.source.mark() == self._mark

    def _says(self) -> dict[str, Any]:
        rows = {"dtype": self.dtype.name, "options": self.options}
        return {"cache": _FORMAT, "rows": rows, "source": None if self._mark is None else [*self._mark]}

    def _write(self, after: int = 0, half: Path | None = None) -> Generator[StreamBlock, None, None]:
        """The blocks of the file. Each is also written to the cache, which gets its name after the last block.

        The earlier blocks are copied from an incomplete cache.
        """
        self._mark, self._half_is_wanted = self.source.mark(), half is not None
        with (
            replacing(self.path, lambda: self._half_is_wanted) as file,
            refuse_changes(self.source, self._mark),
            closing(self.source.blocks(after)) as blocks,
        ):
            self._writer = CacheWriter(file, self._says())
            try:
                if half is not None:
                    for batch, end in batches_up_to(half, self._says(), after):
                        self._writer.write(batch, end)
                    self._writer.sync()
                    half.unlink()
                for block in blocks:
                    self._writer.add(block)
                    yield block
                self._writer.close()
            finally:
                self._writer = None
        self._written = True


def _metadata(path: Path) -> Any:
    """The metadata of a cache. Any other file raises an error, because it must not be overwritten."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as file:
            return json.loads(pa.ipc.open_file(file).schema.metadata[b"rosenblatt"])
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError):
        raise ValueError(f"{path}: expected a cache or a free name, found another file") from None
