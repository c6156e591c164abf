"""The parts of files that workers read: ranges of bytes, where a part has the lines that begin in its range.

A compressed file is read whole.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from rosenblatt.doors.dask.engine import RETRIES
from rosenblatt.doors.dask.files import File, refuse_changed_file, system_of
from rosenblatt.services.files.compressed import SUFFIXES, OpenFile, unpack

PART_BYTES = 1 << 26


class Part(NamedTuple):
    """The lines of a file that begin in a range of bytes, or its row groups from `first` to `last` (excluded)."""

    file: File
    first: int
    last: int

    @property
    def name(self) -> str:
        return self.file.url if self.first == 0 else f"{self.file.url} (from {self.first} on)"

    @property
    def is_whole(self) -> bool:
        return self.first == 0 and self.last == self.file.size


def ranges(file: File, part_bytes: int | None) -> list[Part]:
    """Ranges of about `part_bytes` bytes. With None, or if the file is compressed, the whole file is one part."""
    if part_bytes is None or is_compressed(file):
        return [Part(file, 0, file.size)]
    starts = range(0, max(file.size, 1), part_bytes)
    return [Part(file, first, min(first + part_bytes, file.size)) for first in starts]


def is_compressed(file: File) -> bool:
    return any(file.url.endswith(suffix) for suffix in SUFFIXES)


@contextmanager
def opened_part(part: Part) -> Iterator[OpenFile]:
    """Open the file of a part, decompressed if its name says so. If the file has changed, the error says only that."""
    system, name = system_of(part.file.url)
    with (
        refuse_changed_file(system, name, part.file),
        system.open(name, "rb") as raw,
        unpack(raw, part.file.url) as source,
    ):
        yield source


def blocks_of_parts(client: Any, name: str, read: Any, parts: Sequence[Part], reading: Any) -> list[Any]:
    """Blocks as futures: a worker computes read(part, reading) for each part."""
    return [
        client.submit(read, part, reading, key=f"block-{name}-{number}", retries=RETRIES)
        for number, part in enumerate(parts)
    ]
