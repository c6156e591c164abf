"""Files on any file system that fsspec knows: find them, and check that they do not change.

A file whose size or time has changed since the run began is refused.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from glob import has_magic
from typing import Any, NamedTuple

from rosenblatt.doors.dask.cluster import load_distributed
from rosenblatt.services.files.compressed import FileLike, OpenFile, unpack

_TIMES = (
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
    "ETag",
    "etag",
)  # the names of the time of change in different file systems


class File(NamedTuple):
    """A file as it was when the run began."""

    url: str
    size: int
    time: str


def found_files(paths: Any) -> list[File]:
    """The files of a name, a URL, a pattern of these, or a list; those of a pattern sorted."""
    files = []
    for path in paths if isinstance(paths, list | tuple) else [paths]:
        system, name = system_of(str(path))
        names = sorted(system.glob(name)) if has_magic(name) and not system.exists(name) else [name]
        if not names:
            raise FileNotFoundError(f"{path}: expected files of such names, found none")
        files += [_as_it_is(system, name) for name in names]
    if not files:
        raise ValueError("expected at least one file, found none")
    return files


def system_of(url: str) -> tuple[Any, str]:
    load_distributed()  # fsspec comes with the same extra
    from fsspec.core import url_to_fs

    system, name = url_to_fs(url)
    return system, name


def _as_it_is(system: Any, name: str) -> File:
    system.invalidate_cache()
    info = system.info(name)
    time = next((str(info[key]) for key in _TIMES if info.get(key) is not None), "")
    url = name if "file" in _protocols(system) else str(system.unstrip_protocol(name))
    return File(url, int(info["size"]), time)


def _protocols(system: Any) -> Sequence[str]:
    return (system.protocol,) if isinstance(system.protocol, str) else tuple(system.protocol)


class Named:
    """A file with a name for messages."""

    def __init__(self, source: OpenFile) -> None:
        self._file, self.name = source.file, source.name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextmanager
def readable(files: Sequence[File]) -> Iterator[list[FileLike]]:
    """The files as readers take them: local ones by name, others opened, and decompressed if the name says so."""
    with ExitStack() as stack:
        yield [_open(file, stack) if "://" in file.url else file.url for file in files]


def _open(file: File, stack: ExitStack) -> Named:
    system, name = system_of(file.url)
    return Named(stack.enter_context(unpack(stack.enter_context(system.open(name, "rb")), file.url)))


@contextmanager
def refuse_changed_file(system: Any, name: str, file: File) -> Iterator[None]:
    """Check before and after that a file has not changed. An error caused by a change is reported as the change."""
    _check(system, name, file)
    try:
        yield
    except (ValueError, OSError, EOFError):
        _check(system, name, file)
        raise
    _check(system, name, file)


def _check(system: Any, name: str, file: File) -> None:
    try:
        same = _as_it_is(system, name) == file
    except FileNotFoundError:
        same = False
    if not same:
        raise ValueError(f"{file.url}: expected a file that stays as it is while it is read; it has changed, or gone")
