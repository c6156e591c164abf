"""The rows of a text file as an Arrow IPC file, for the passes after the first: nothing is parsed again.

It has a record batch for a few blocks, with the columns label, index and value, the latter two lists, so that pandas,
polars and DuckDB can read it too. It keeps the mark of its source, and is written anew once that is another.
"""

import json
import os
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

from rosenblatt.base.atomic_write import check_writable, leftovers, replacing
from rosenblatt.services.files.source_mark import SourceMark, refuse_changes
from rosenblatt.services.stream.cache_batches import Batches
from rosenblatt.services.stream.cache_writer import CacheWriter, batches_up_to
from rosenblatt.services.stream.streams import Block, Stream

_FORMAT = 1


class CachedStream:
    """A text file whose first whole pass writes a cache, from which all others are read, now and in later runs.

    With `resume`, half a cache that a killed run has left is gone on with, if it reaches to where that run goes on.
    """

    def __init__(self, source: Stream, path: "str | os.PathLike[str]", *, resume: bool = False) -> None:
        self.source, self.path = source, Path(path)
        self.name, self.size, self.dtype = source.name, source.size, source.dtype
        self.n_features, self.zero_based = source.n_features, source.zero_based
        self._mark = source.mark()
        self._written = False  # in this run
        self._batches: Batches | None = None
        self._writer: CacheWriter | None = None
        self._half_is_wanted = False
        self._left = leftovers(path) if resume else []
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

    def sync(self) -> None:
        """The blocks so far, if they become a cache: half of it stays if the run does not come to the end."""
        if self._writer is not None:
            self._writer.sync()
            self._half_is_wanted = True

    def blocks(self, after: int = 0) -> Generator[Block, None, None]:
        """From the cache if it is that of the file as it is now, else from the file."""
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
        """What a killed run has left of a cache of this file, if it has all that comes before."""
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

    def _write(self, after: int = 0, half: Path | None = None) -> Generator[Block, None, None]:
        """The blocks of the file; each goes into the cache too, which is there once the last one is.

        Those that come before are in half a cache, which is copied.
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
    """What a cache says of itself; whatever else is there must not be overwritten."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as file:
            return json.loads(pa.ipc.open_file(file).schema.metadata[b"rosenblatt"])
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError):
        raise ValueError(f"{path}: expected a cache or a free name, found another file") from None
