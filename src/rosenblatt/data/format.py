"""The format of a data file by its name, without what says how it is compressed."""

import os
from pathlib import Path
from typing import Any

from rosenblatt.data.compressed import SUFFIXES

TABLES = ("csv", "parquet", "arrow")
_BY_NAME = {".csv": "csv", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}


def format_of(path: Any, default: str) -> str:
    """One of `TABLES`, or the default.

    >>> [format_of(name, "svmlight") for name in ("and.csv.gz", "walks.parquet", "rcv1.svm", "-")]
    ['csv', 'parquet', 'svmlight', 'svmlight']
    """
    suffixes = Path(path).suffixes if isinstance(path, str | os.PathLike) else []
    last = [suffix for suffix in suffixes[-2:] if suffix not in SUFFIXES][-1:]
    return _BY_NAME.get(last[0], default) if last else default
