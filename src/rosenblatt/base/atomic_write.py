"""A file is there whole or not at all: it is written beside its place, synced, and then put there.

What fails leaves the old file as it was, and nothing beside it.
"""

import errno
import glob
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: "str | os.PathLike[str]", is_wanted: Callable[[], bool] = lambda: False) -> Iterator[BinaryIO]:
    """A file to write bytes to, which takes the place of `path` once all of it is on the disk.

    A link stays a link: what it leads to is replaced. The new file keeps the mode of the old one. What fails leaves
    nothing, unless half of the file `is_wanted`; then it is one of the `leftovers`. What is written to the null device
    is gone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "and.txt")) as file:
    ...         _ = file.write(b"1 1:1 2:1")
    ...     Path(folder, "and.txt").read_bytes()
    b'1 1:1 2:1'
    """
    if os.fspath(path) == os.devnull:  # what is only timed, or checked
        with Path(os.devnull).open("wb") as nothing:
            yield nothing
        return
    with _beside(path, is_wanted) as (place, beside, file):
        if place.exists():
            beside.chmod(stat.S_IMODE(place.stat().st_mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()
        beside.replace(place)
        sync_folder(place.parent)


def check_writable(path: "str | os.PathLike[str]") -> None:
    """Refuse now what `replacing` would refuse after the work: an OSError if no file can be written there.

    >>> check_writable("no such folder/model.safetensors")
    Traceback (most recent call last):
    FileNotFoundError: no such folder/model.safetensors: expected a file in a folder that is there, found no such folder
    """
    if os.fspath(path) == os.devnull:
        return
    with _beside(path) as (_, _, file):
        file.write(b"?")  # because on a full disk a file can still be created, but not written
        file.flush()


@contextmanager
def _beside(
    path: "str | os.PathLike[str]", is_wanted: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Path, Path, BinaryIO]]:
    """The place that a path leads to, a free name beside it, and a new file there, which does not outlive the block."""
    place = _place(path)
    beside = place.with_name(f".{place.name}.{os.urandom(4).hex()}")
    try:
        file = beside.open("xb")
        try:
            with file:
                yield place, beside, file
        finally:
            if not is_wanted():
                beside.unlink(missing_ok=True)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(beside), beside):
            raise
        # name the user's path, not the temporary file's
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _place(path: "str | os.PathLike[str]") -> Path:
    """Where a link leads to, if a file is there or can be."""
    try:
        place = Path(path).resolve()
    except RuntimeError:  # a cycle of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path)) from None
    if place.is_dir():
        raise IsADirectoryError(f"{path}: expected a file or a free name, found a folder")
    if place.exists() and not place.is_file():
        raise OSError(f"{path}: expected a file or a free name, found a pipe or a device")
    if not place.parent.is_dir():
        raise FileNotFoundError(f"{path}: expected a file in a folder that is there, found no such folder")
    return place


def leftovers(path: "str | os.PathLike[str]") -> list[Path]:
    """What writers of `path` that were killed have left beside it, if nothing else writes it now."""
    place = Path(path).resolve()
    return sorted(place.parent.glob(f".{glob.escape(place.name)}.{'[0-9a-f]' * 8}"))


def remove_leftovers(path: "str | os.PathLike[str]") -> None:
    """Remove them. Call only while nothing else writes it."""
    for beside in leftovers(path):
        beside.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, so that a new file is found after a crash."""
    if os.name != "posix":
        return  # elsewhere a folder cannot be opened
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
