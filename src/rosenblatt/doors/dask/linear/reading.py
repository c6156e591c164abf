"""What workers read of files: parts, which are ranges of bytes or row groups, become blocks of rows.

What is compressed, and Arrow, is read whole.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import SparseRows, as_type
from rosenblatt.doors.dask.files import File, Named, system_of
from rosenblatt.doors.dask.linear.blocks import Block, checked_block
from rosenblatt.doors.dask.parts import Part, is_compressed, opened_part, ranges
from rosenblatt.services.files.blocks import BLOCK_BYTES
from rosenblatt.services.files.compressed import OpenFile
from rosenblatt.services.files.format import format_of
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.svmlight import ReaderOptions, read_blocks
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.table_file import table_of_file


def with_format(reading: Reading, files: Sequence[File]) -> Reading:
    """With the format as said or by the names of the files, which must be of one."""
    forms = {reading.format or format_of(file.url, "svmlight") for file in files}
    if len(forms) > 1:
        raise ValueError(f"expected files of one format, found {' and '.join(sorted(forms))}")
    form = forms.pop()
    if (reading.encoding is None) != (form == "svmlight"):
        expected = "no encoding for svmlight text" if form == "svmlight" else f"an encoding for {form}"
        found = "one" if form == "svmlight" else "none; fit a TableEncoding to one of the files"
        raise ValueError(f"{files[0].url}: expected {expected}, found {found}")
    return replace(reading, format=form, dtype=np.dtype(reading.dtype).name)


def parts_of(files: Sequence[File], reading: Reading, part_bytes: int | None) -> list[Part]:
    """Parts of about so many bytes; None: each file is one."""
    parts: list[Part] = []
    for file in files:
        if reading.format == "parquet" and part_bytes is not None and not is_compressed(file):
            parts += [Part(file, first, last) for first, last in _row_groups(file, part_bytes)]
        else:
            parts += ranges(file, None if reading.format == "arrow" else part_bytes)
    return parts


def read_part(part: Part, reading: Reading) -> Block:
    """A task of a worker."""
    with opened_part(part) as source:
        if reading.format == "parquet" and not is_compressed(part.file):
            return _of_table(part, _parquet(source, part), reading)
        if reading.format == "svmlight":
            return _svmlight(source, part, reading)
        return _of_table(part, _table(source, part, reading), reading)


def _svmlight(source: OpenFile, part: Part, reading: Reading) -> Block:
    known = reading.zero_based != "auto"
    limit = reading.n_features if known or reading.n_features is None else reading.n_features + 1
    options = ReaderOptions.of(limit, reading.dtype, reading.zero_based is not False, query_id=False)
    rows, named = options.rows(), False
    span = (0, -1) if part.is_whole else (part.first, part.last - part.first)
    with closing(read_blocks(source, options, BLOCK_BYTES, *span)) as blocks:
        for _, reader, _ in blocks:
            named = named or reader.name is not None
            rows.append(reader)
    n_rows, n_columns, has_zero = len(rows), max(rows.largest, 0) + 1, bool(rows.has_zero)
    data, indices, indptr, y, text, _ = rows.take()
    X = SparseRows(data, indices, indptr.astype(indices.dtype, copy=False), n_columns)
    labels: Array = np.array(text.decode().split("\n")[:-1]) if named else y
    return checked_block(part.name, X, labels, None, n_rows, has_zero=has_zero)


def _of_table(part: Part, table: Table | None, reading: Reading) -> Block:
    encoding = reading.encoding
    assert encoding is not None
    if table is None:
        empty = np.empty((0, encoding.n_features), reading.dtype)
        return checked_block(part.name, empty, np.empty(0), None, 0)
    try:
        X, y = as_type(encoding.transform(table), reading.dtype), encoding.labels(table)
    except ValueError as error:
        if str(error).startswith(part.file.url):
            raise
        raise ValueError(f"{part.name}: {error}") from None
    return checked_block(part.name, X, y, None, len(y))


def _table(source: OpenFile, part: Part, reading: Reading) -> Table | None:
    assert reading.encoding is not None
    encoding, notation = reading.encoding, reading.encoding.notation
    needed = {*encoding.columns, *([] if encoding.label is None else [encoding.label.name])}
    # what there is to say of a header was said when the encoding was learned, and is not said again of each part
    known = notation.but(header=True) if notation.has_header else notation
    words: Any = {"format": reading.format, "delimiter": reading.delimiter, "notation": known}
    words["wanted"] = needed.__contains__
    if part.is_whole:
        return table_of_file(Named(source), **words)
    if "a\n".encode(notation.encoding) != b"a\n":
        raise ValueError(
            f"{part.name}: expected text that can be cut at the ends of lines, found {notation.encoding}; read each "
            "file as one part, with part_bytes=None"
        )
    text, header = _lines(source, part, has_header=notation.has_header)
    if not text.strip():
        return None
    if b'"' in text:
        raise ValueError(
            f"{part.name}: expected no quotes where a file is cut at the ends of lines, found one; read each file as "
            "one part, with part_bytes=None"
        )
    lines = io.BytesIO(header + text)
    lines.name = part.name
    return table_of_file(lines, **words)


def _lines(source: OpenFile, part: Part, *, has_header: bool) -> tuple[bytes, bytes]:
    """The lines that begin in a part, but for the header of the file, and that."""
    file = source.file
    header: bytes = file.readline() if has_header else b""
    file.seek(max(part.first - 1, 0))
    if part.first > 0 or has_header:
        file.readline()
    start = max(file.tell(), len(header))
    file.seek(max(part.last - 1, 0))
    file.readline()
    end = max(file.tell(), start)
    file.seek(start)
    return file.read(end - start), header if header.endswith(b"\n") or not has_header else header + b"\n"


def _parquet(source: OpenFile, part: Part) -> Table | None:
    from pyarrow.parquet import ParquetFile

    found = ParquetFile(source.file)
    groups = range(found.num_row_groups) if part.is_whole else range(part.first, part.last)
    table = found.read_row_groups(list(groups))
    return Table.of(table) if len(table) else None


def _row_groups(file: File, part_bytes: int) -> Iterator[tuple[int, int]]:
    """Row groups, as many together as make so many bytes."""
    from pyarrow.parquet import ParquetFile

    system, name = system_of(file.url)
    with system.open(name, "rb") as raw:
        metadata = ParquetFile(raw).metadata
    first, size = 0, 0
    for group in range(metadata.num_row_groups):
        size += metadata.row_group(group).total_byte_size
        if size >= part_bytes or group == metadata.num_row_groups - 1:
            yield first, group + 1
            first, size = group + 1, 0
