"""A file is there whole or not at all: it is written beside its place, synced, and then put there.

What fails leaves the old file as it was, and nothing beside it.
"""

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: "str | os.PathLike[str]") -> Iterator[BinaryIO]:
    """A file to write bytes to, which takes the place of `path` once all of it is on the disk.

    A link stays a link: what it leads to is replaced. The new file keeps the mode of the old one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "and.txt")) as file:
    ...         _ = file.write(b"1 1:1 2:1")
    ...     Path(folder, "and.txt").read_bytes()
    b'1 1:1 2:1'
    """
    place = Path(path).resolve()
    if place.exists() and not place.is_file():
        raise OSError(f"{path}: expected a file or a free name, found a folder or a device")
    if not place.parent.is_dir():
        raise FileNotFoundError(f"{path}: expected a place in a folder that exists, found no folder {place.parent}")
    beside = place.with_name(f".{place.name}.{os.urandom(4).hex()}")
    try:
        with beside.open("xb") as file:
            if place.exists():
                import shutil  # which imports all codecs

                shutil.copymode(place, beside)
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
        _sync_folder(place.parent)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(beside), beside):
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error  # the place, not what is beside it
    finally:
        beside.unlink(missing_ok=True)


def remove_leftovers(path: "str | os.PathLike[str]") -> None:
    """Remove what writers of `path` that were killed have left beside it. Call only while nothing else writes it."""
    place = Path(path).resolve()
    for beside in place.parent.glob(f".{glob.escape(place.name)}.{'[0-9a-f]' * 8}"):
        beside.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """The name is on the disk too."""
    if os.name != "posix":
        return  # elsewhere a folder cannot be opened
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
