"""What a file is known by, without reading all of it: size, time, and a hash of its first and its last block.

What was made from a file, a cache or a checkpoint, keeps its mark, and is not used once the file has another.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

_BLOCK = 1 << 20


class SourceMark(NamedTuple):
    """The mark of a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "and.svm")
    ...     _ = path.write_bytes(b"1 1:1 2:1")
    ...     before = SourceMark.of(path)
    ...     _ = path.write_bytes(b"1 1:1 2:2")
    ...     SourceMark.of(path) == before
    False
    """

    size: int
    time: int  # of the last change, in nanoseconds
    first: str
    last: str

    @property
    def text(self) -> str:
        """What the file holds, as far as the mark tells: a copy of it has the same."""
        return f"file of {self.size} bytes, first block sha256:{self.first}, last block sha256:{self.last}"

    @classmethod
    def of(cls, path: "str | os.PathLike[str]") -> Self:
        with Path(path).open("rb") as file:
            stat = os.fstat(file.fileno())
            first = _hash(file, 0)
            return cls(stat.st_size, stat.st_mtime_ns, first, _hash(file, max(stat.st_size - _BLOCK, 0)))

    @classmethod
    def of_path(cls, path: Any) -> Self | None:
        """The same of what may be no file, but `-` or a pipe: None."""
        return cls.of(path) if isinstance(path, str | Path) and Path(path).is_file() else None


class Marked(Protocol):
    """A source of rows that has a mark."""

    @property
    def name(self) -> str:
        """The name of the source, for messages."""

    def mark(self) -> SourceMark | None:
        """The mark of the file as it is now; None if the source is no file."""


@contextmanager
def refuse_changes(source: Marked, mark: SourceMark | None) -> Iterator[None]:
    """Refuse a file that changes while a pass reads it: it must have this mark before and after.

    If the file has changed, the change is reported, and not the error that followed from it.
    """
    check_unchanged(source, mark)
    try:
        yield
    except (ValueError, OverflowError, LookupError, OSError, EOFError):
        check_unchanged(source, mark)
        raise
    check_unchanged(source, mark)


def check_unchanged(source: Marked, mark: SourceMark | None) -> None:
    """A `ValueError` where a file is no longer as it was when it had this mark."""
    if mark is None:
        return
    try:
        same = source.mark() == mark
    except OSError:  # the file is gone
        same = False
    if not same:
        raise ValueError(f"{source.name}: expected a file that stays as it is while it is read; it has changed")


def _hash(file: Any, offset: int) -> str:
    file.seek(offset)
    return hashlib.sha256(file.read(_BLOCK)).hexdigest()
