"""Columns of Parquet and Arrow files, and of frames, through pyarrow: numbers as floats, texts and booleans as text."""

import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt.data.compressed import Source
from rosenblatt.data.number import written

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "Parquet and Arrow files, and frames, need pyarrow: pip install 'rosenblatt[data]'", name=error.name
    ) from None

Columns = dict[str, Any]


def columns_of(frame: Any) -> Columns:
    """The columns of whatever pyarrow takes for a table."""
    try:
        table = pa.table(frame)
    except (TypeError, ValueError, pa.ArrowException) as error:
        raise TypeError(
            f"expected a table: a frame of pandas or polars, a table of pyarrow, or a dict of columns; found a "
            f"{type(frame).__name__} ({error})"
        ) from None
    return _by_name(table, "the table")


def blocks_of(source: Source, form: str, block_rows: int) -> Iterator[tuple[int, Columns]]:
    """Blocks of so many rows, and how many rows come before."""
    start, waiting, n_waiting = 0, list[Any](), 0
    for batch in _batches(source, form, block_rows):
        waiting.append(batch)
        n_waiting += batch.num_rows
        while n_waiting >= block_rows:
            table = pa.Table.from_batches(waiting)
            yield start, _by_name(table.slice(0, block_rows), source.name)
            rest = table.slice(block_rows)
            waiting, n_waiting, start = rest.to_batches(), rest.num_rows, start + block_rows
    if n_waiting:
        yield start, _by_name(pa.Table.from_batches(waiting), source.name)
    elif not start:
        raise ValueError(f"{source.name}: expected rows, found none")


def _batches(source: Source, form: str, block_rows: int) -> Iterator[Any]:
    """The batches of a file, as they are in it."""
    file = source.file
    try:
        if not file.seekable():
            file = io.BytesIO(file.read())
        if form == "parquet":
            yield from pq.ParquetFile(file).iter_batches(block_rows)
        elif file.read(6) == b"ARROW1":
            reader = pa.ipc.open_file(file)
            yield from (reader.get_batch(number) for number in range(reader.num_record_batches))
        else:
            file.seek(0)
            yield from pa.ipc.open_stream(file)
    except (pa.ArrowException, OSError, EOFError, *source.damage) as error:
        if getattr(error, "errno", None):  # it is the disk, not the data
            raise
        said = " ".join(str(error).split()) or "the end of the file"
        raise ValueError(f"{source.name}: expected {form.capitalize()} data, found damage: {said}") from None


def _by_name(table: Any, path: str) -> Columns:
    names = table.column_names
    if not names:
        raise ValueError(f"{path}: expected columns, found none")
    for name in names:
        if not name or names.count(name) > 1:
            raise ValueError(f"{path}: expected a name of its own for each column, found {name!r}")
    return dict(zip(names, table.columns, strict=True))


def joined(parts: list[Any]) -> Any:
    """One column of the parts of a column."""
    return pa.chunked_array([chunk for part in parts for chunk in part.chunks], parts[0].type)


def values(column: Any) -> np.ndarray[Any, Any]:
    """Floats, NaN where they are missing, or texts; a column of a dictionary is one of texts, whatever is in it."""
    if _is_number(column.type) or pa.types.is_null(column.type):
        found: np.ndarray[Any, Any] = column.cast(pa.float64(), safe=False).to_numpy()
        return found
    return texts(column)


def texts(column: Any) -> np.ndarray[Any, Any]:
    """Texts, "" where they are missing; a TypeError if it has none."""
    from rosenblatt.data.table import as_texts

    kind = column.type
    if pa.types.is_dictionary(kind):
        return texts(column.cast(kind.value_type))
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_null(kind):
        column, kind = column.cast(pa.string()), pa.string()
    if _is_number(kind):
        return as_texts("" if np.isnan(value) else written(value) for value in values(column).tolist())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return as_texts((text or "").strip() for text in column.to_pylist())
    raise TypeError(f"the type {kind}")


def _is_number(kind: Any) -> bool:
    return any(test(kind) for test in (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal))


def write(file: Any, blocks: Iterable[Columns], form: str) -> None:
    """Write blocks of columns: NaN and "" become null."""
    tables = map(_table, blocks)
    first = next(tables)
    opened: Any = pq.ParquetWriter if form == "parquet" else pa.ipc.new_file
    with opened(file, first.schema) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _table(columns: Columns) -> Any:
    gaps = {name: np.isnan(column) if column.dtype.kind == "f" else column == "" for name, column in columns.items()}
    types = {name: pa.string() if column.dtype.kind in "OU" else None for name, column in columns.items()}
    return pa.table({name: pa.array(column, types[name], gaps[name]) for name, column in columns.items()})
