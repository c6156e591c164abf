"""Files of bytes by name: a name that ends in .gz, .bz2, .xz or .zst is compressed, `-` is standard input or output.

What is written takes its place once all of it is on the disk: there is never half a file.

Several files go by one pattern, in the order of their names. A file may be read whole, but not whatever its size: what
a small compressed file unpacks to must not fill the memory.
"""

import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from rosenblatt.base.atomic_write import replacing
from rosenblatt.base.exceptions import DataFileError

FileLike: TypeAlias = Any  # a path, `-`, a file descriptor, or an object with read or write

_CODECS = {
    "gzip": ("gzip",),
    "bzip2": ("bz2",),
    "xz": ("lzma",),
    "zstd": ("compression.zstd", "backports.zstd"),
}
SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd", ".zstd": "zstd"}


class OpenFile(NamedTuple):
    """A file to read from, its name for messages, and how it is compressed: by what, and what it raises if damaged."""

    file: Any
    name: str
    compression: str = "no"
    damage: tuple[type[Exception], ...] = ()


def name_of(path: FileLike) -> str:
    """The name of a file, for messages."""
    if hasattr(path, "read"):
        return str(getattr(path, "name", "<file>"))
    if isinstance(path, int):
        return f"<descriptor {path}>"
    return "<stdin>" if path == "-" else os.fspath(path)


@contextmanager
def open_file(path: FileLike) -> Iterator[OpenFile]:
    """The file to read bytes from; what was open already stays open.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replace_file(Path(folder, "and.svm.gz")) as file:
    ...         _ = file.write(b"1 1:1 2:1")
    ...     with open_file(Path(folder, "and.svm.gz")) as source:
    ...         source.file.read(), source.compression
    (b'1 1:1 2:1', 'gzip')
    """
    if hasattr(path, "read"):
        if isinstance(path, io.TextIOBase):
            raise TypeError("a file must be opened in binary mode, mode='rb'; this one gives text")
        yield OpenFile(path, name_of(path))
    elif isinstance(path, int):
        with open(path, "rb", closefd=False) as file:
            yield OpenFile(file, name_of(path))
    elif path == "-":
        yield OpenFile(sys.stdin.buffer, name_of(path))
    else:
        with Path(path).open("rb") as raw, unpack(raw, name_of(path)) as source:
            yield source


@contextmanager
def unpack(raw: Any, name: str) -> Iterator[OpenFile]:
    """A file of this name that is open, decompressed if its name says so."""
    compression = SUFFIXES.get(Path(name).suffix, "no")
    damage = _damage(compression)
    with _decompress(raw, compression) as file:
        yield OpenFile(file, name, compression, damage)


def head_of(file: Any, size: int = 8) -> bytes:
    """How a file that is open begins, at most so many bytes. They are read again later; b"" where that cannot be.

    >>> file = io.BytesIO(b"PAR1...")
    >>> head_of(file, 4), file.read()
    (b'PAR1', b'PAR1...')
    """
    if hasattr(file, "peek"):
        return bytes(file.peek(size)[:size])
    if not (hasattr(file, "seekable") and file.seekable()):
        return b""
    place = file.tell()
    head = bytes(file.read(size))
    file.seek(place)
    return head


@contextmanager
def replace_file(path: FileLike) -> Iterator[Any]:
    """A file to write bytes to; it takes its place once all is written. An object with write is written to as it is."""
    if hasattr(path, "write"):
        yield path
    elif path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with replacing(path) as raw, _compress(raw, SUFFIXES.get(Path(path).suffix, "no")) as file:
            yield file


@contextmanager
def _decompress(raw: Any, compression: str) -> Iterator[Any]:
    if compression == "no":
        yield raw
        return
    with _codec(compression).open(raw, "rb") as file:
        yield file


@contextmanager
def _compress(raw: Any, compression: str) -> Iterator[Any]:
    if compression == "no":
        yield raw
    elif compression == "gzip":  # without name and time, so that the same data gives the same bytes
        with _codec("gzip").GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as file:
            yield file
    else:
        with _codec(compression).open(raw, "wb") as file:
            yield file


def _damage(compression: str) -> tuple[type[Exception], ...]:
    """What reading raises if the compressed data are damaged."""
    if compression == "no":
        return ()
    codec = _codec(compression)
    if compression == "gzip":
        return EOFError, codec.BadGzipFile, codec.zlib.error
    if compression == "bzip2":
        return EOFError, OSError
    return EOFError, codec.LZMAError if compression == "xz" else codec.ZstdError


def _codec(compression: str) -> Any:
    """The module that packs and unpacks, imported when it is needed.

    For zstd it is Python's own from 3.14 on; before, the same as a package. Others do not notice that a file was cut
    off.
    """
    for name in _CODECS[compression]:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise ImportError("a .zst file needs Python 3.14 or newer, or backports.zstd: pip install backports.zstd")


PIECE = 1 << 20


def read_whole(path: FileLike, most: int, what: str) -> tuple[bytes, str]:
    """The content, decompressed, and the name for messages; of more than `most` bytes no more is read than a piece.

    >>> import io
    >>> read_whole(io.BytesIO(b"{}"), 2, "a proof"), read_whole(io.BytesIO(b"{ }"), 2, "a proof")
    Traceback (most recent call last):
    rosenblatt.DataFileError: <file>:1:1: expected a proof of at most 2 bytes, found a longer one
    """
    with open_file(path) as source:
        content = bytearray()
        try:
            while len(content) <= most and (piece := source.file.read(min(PIECE, most + 1 - len(content)))):
                content += piece
        except source.damage as error:
            if getattr(error, "errno", None):  # the disk failed, not the data
                raise
            data = f"{source.compression} data"
            expected, actual = (f"more {data}", "the end of the file") if isinstance(error, EOFError) else (data, error)
            raise DataFileError(source.name, 1, 1, expected, str(actual)) from None
        if len(content) > most:
            raise DataFileError(source.name, 1, 1, f"{what} of at most {most} bytes", "a longer one")
        return bytes(content), source.name


def expand_names(names: "FileLike | Sequence[FileLike]") -> list[FileLike]:
    """The files that a name, a pattern such as part-*.svm, or a list of these stands for; those of a pattern sorted.

    A file whose own name looks like a pattern is that file.
    """
    from glob import glob, has_magic  # imported here, because verbs that only answer do not need it

    files: list[FileLike] = []
    for name in names if isinstance(names, list | tuple) else [names]:
        if isinstance(name, str | os.PathLike) and has_magic(os.fspath(name)) and not Path(name).exists():
            matches = sorted(path for path in glob(os.fspath(name), recursive=True) if Path(path).is_file())  # noqa: PTH207
            if not matches:
                raise FileNotFoundError(f"{os.fspath(name)}: expected files of such names, found none")
            files += matches
        else:
            files.append(name)
    if len(files) > 1 and "-" in files:
        raise ValueError("expected standard input alone, or files, found both")
    if not files:
        raise ValueError("expected at least one file, found none")
    return files
