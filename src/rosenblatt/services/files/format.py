"""What a file is: its format by its name, without what says how it is compressed, and what its beginning tells."""

import os
from pathlib import Path
from typing import Any

from rosenblatt.services.files.compressed import SUFFIXES

TABLES = ("csv", "tsv", "parquet", "arrow")
LINES = ("jsonl", "lines", "fasttext")  # tables of which each line is a row of its own kind
_BY_NAME = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
_BY_BYTES = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"{": "jsonl",
    b"__label__": "fasttext",
    b"\xff\xff\xff\xff": "arrow",
}  # the last is a stream of Arrow


def format_of(path: Any, default: str) -> str:
    """One of `TABLES`, "jsonl", or the default.

    >>> [format_of(name, "svmlight") for name in ("and.csv.gz", "walks.parquet", "rcv1.svm", "-")]
    ['csv', 'parquet', 'svmlight', 'svmlight']
    """
    return _BY_NAME.get(_suffix(path), default)


def is_named(path: Any) -> bool:
    """Whether the name of a file can say what is in it: that of a pipe, or one without a suffix, cannot.

    >>> [is_named(name) for name in ("rcv1.svm.gz", "rcv1.gz", "-", "/dev/fd/63")]
    [True, False, False, False]
    """
    return _suffix(path) != ""


def table_format(head: bytes) -> str:
    """The format of a table that begins with these bytes.

    >>> table_format(b"PAR1..."), table_format(b"weather,wind"), table_format(b'{"weather": "sunny"}')
    ('parquet', 'csv', 'jsonl')
    """
    return next((form for bytes_, form in _BY_BYTES.items() if head.startswith(bytes_)), "csv")


def _suffix(path: Any) -> str:
    suffixes = Path(path).suffixes if isinstance(path, str | os.PathLike) else []
    last = [suffix.lower() for suffix in suffixes[-2:] if suffix not in SUFFIXES][-1:]
    return last[0] if last else ""


def kind_of(path: str) -> str:
    """By how it begins: a model file with the length of its JSON, a proof with JSON, data with anything else.

    What is no file, as a pipe, is data: what is read of it is gone.
    """
    if not Path(path).is_file():
        return "data"
    with Path(path).open("rb") as file:
        head = file.read(64)
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < Path(path).stat().st_size:
        return "model"
    return "proof" if head.lstrip()[:1] == b"{" else "data"
