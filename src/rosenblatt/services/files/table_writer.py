"""Tables as files: CSV with numbers as the shortest text that gives them back; Parquet and Arrow through pyarrow."""

import csv
import io
from collections.abc import Iterable
from itertools import chain
from math import isnan
from typing import Any

from rosenblatt.base.numbers import number_text
from rosenblatt.services.files.compressed import FileLike, replace_file

Columns = dict[str, Any]


def write_table(path: FileLike, blocks: Iterable[Columns], format: str) -> None:  # noqa: A002 - the word of the CLI
    r"""Write blocks of columns: numbers, NaN where one is missing, or texts, "" where one is missing.

    >>> import numpy as np
    >>> file = io.BytesIO()
    >>> write_table(file, [{"wind": np.array([3, np.nan]), "walk": np.array(["no", "yes"])}], "csv")
    >>> file.getvalue()
    b'wind,walk\n3,no\n,yes\n'
    """
    with replace_file(path) as file:
        if format in ("csv", "tsv"):
            _write_csv(file, blocks, "\t" if format == "tsv" else ",")
        else:
            from rosenblatt.services.files.arrow import write

            write(file, blocks, format)


def _write_csv(file: Any, blocks: Iterable[Columns], delimiter: str) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        writer, rest = csv.writer(text, delimiter=delimiter, lineterminator="\n"), iter(blocks)
        first = next(rest)
        writer.writerow(first)
        for block in chain([first], rest):
            writer.writerows(zip(*(map(_cell, column.tolist()) for column in block.values()), strict=True))
    finally:
        text.detach()


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return "" if isnan(value) else number_text(value)
