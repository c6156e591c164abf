"""How a cache is written, batch by batch, and what can be read of one whose writer was killed.

An Arrow file is eight bytes, a stream of messages, and at its end where each of them is: half a file is half a stream.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from rosenblatt.services.stream.cache_batches import batch_of
from rosenblatt.services.stream.streams import Block

_JOINED = 4  # blocks in a batch
_MAGIC = 8  # bytes before the stream


class CacheWriter:
    """Writes blocks to a file that says what it is; the end of each batch in the source goes with it."""

    def __init__(self, file: BinaryIO, says: Any) -> None:
        self._file, self._says = file, says
        self._writer: Any = None
        self._waiting, self._end = list[Any](), 0

    def add(self, block: Block) -> None:
        """A block, which is in the file once a few more are there, or `sync` was called."""
        self._waiting.append((block.y, *block.arrays()))
        self._end = block.end
        if len(self._waiting) == _JOINED:
            self._write_waiting()

    def write(self, batch: Any, end: int) -> None:
        """A batch as it is."""
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
        """All blocks so far are on the disk."""
        self._write_waiting()
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """The file is whole."""
        self._write_waiting()
        if self._writer is not None:
            self._writer.close()


def batches_up_to(path: Path, says: Any, end: int) -> Iterator[tuple[Any, int]]:
    """The first batches of half a cache, up to the one that has this end; fewer, if it says other things or is cut."""
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
