"""The rows of a text file as an Arrow IPC file, for the passes after the first: nothing is parsed again.

It has a record batch for a few blocks, with the columns label, index and value, the latter two lists, so that pandas,
polars and DuckDB can read it too. It keeps the mark of its source, and is written anew once that is another.
"""

import json
import os
from collections.abc import Generator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

from rosenblatt.data.atomic_write import check_writable, replacing
from rosenblatt.stream.cache_batches import Batches, batch_of
from rosenblatt.stream.source_mark import SourceMark, unchanged
from rosenblatt.stream.svmlight import Block, Stream

_FORMAT = 1
_JOINED = 4  # blocks in a batch


class CachedStream:
    """A text file whose first whole pass writes a cache, from which all others are read, now and in later runs."""

    def __init__(self, source: Stream, path: "str | os.PathLike[str]") -> None:
        self.source, self.path = source, Path(path)
        self.name, self.size, self.dtype = source.name, source.size, source.dtype
        self.n_features, self.zero_based = source.n_features, source.zero_based
        self._mark = source.mark()
        self._written = False  # in this run
        self._batches: Batches | None = None
        if not self.path.is_file():
            check_writable(path)
        else:
            _metadata(self.path)  # not somebody else's file

    @property
    def options(self) -> dict[str, Any]:
        """Those of the text."""
        return self.source.options

    def mark(self) -> SourceMark | None:
        """That of the text, as it is now."""
        return self.source.mark()

    @property
    def is_file(self) -> bool:
        """A cache written in this run can be read again, also that of a pipe."""
        return True

    def blocks(self, after: int = 0) -> Generator[Block, None, None]:
        """From the cache if it is that of the file as it is now, else from the file."""
        self._batches = (self._batches or Batches(self.path)) if self._is_good() else None
        if self._batches and self._batches.has(after):
            yield from self._batches.blocks(after)
        elif after == 0:
            yield from self._write()
        else:
            yield from self.source.blocks(after)

    def _is_good(self) -> bool:
        if not self.path.exists() or (self._mark is None and not self._written):
            return False
        return _metadata(self.path) == self._says() and self.source.mark() == self._mark

    def _says(self) -> dict[str, Any]:
        rows = {"dtype": self.dtype.name, "options": self.options}
        return {"cache": _FORMAT, "rows": rows, "source": None if self._mark is None else [*self._mark]}

    def _write(self) -> Generator[Block, None, None]:
        """The blocks of the file; each goes into the cache too, which is there once the last one is."""
        import pyarrow as pa

        self._mark = self.source.mark()
        with replacing(self.path) as file, unchanged(self.source, self._mark), closing(self.source.blocks()) as blocks:
            writer, waiting = None, list[Any]()
            for block in chain(blocks, [None]):
                if block is not None:
                    waiting.append((block.y, *block.arrays()))
                    end = block.end
                if waiting and (block is None or len(waiting) == _JOINED):
                    batch = batch_of(waiting)
                    if writer is None:
                        says = {"rosenblatt": json.dumps(self._says())}
                        writer = pa.ipc.new_file(file, batch.schema.with_metadata(says))
                    writer.write_batch(batch, custom_metadata={"end": str(end)})
                    waiting.clear()
                if block is not None:
                    yield block
            if writer is not None:
                writer.close()
        self._written = True


def _metadata(path: Path) -> Any:
    """What a cache says of itself; whatever else is there must not be overwritten."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as file:
            return json.loads(pa.ipc.open_file(file).schema.metadata[b"rosenblatt"])
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError):
        raise ValueError(f"{path}: expected a cache or a free name, found another file") from None
