"""Columns of Parquet and Arrow files, and of pyarrow's tables: numbers as floats, all else as text.

Numbers go to and from pyarrow as the bytes that they are. Its own conversions would import pandas wherever that is
installed, which takes longer than to read most files. Where a Parquet file has each text of a column once, it is read
so: to count and to number such texts, and not each cell, is several times faster.
"""

import io
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, pairwise
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import NoRowsError
from rosenblatt.base.numbers import number_text
from rosenblatt.services.files.compressed import OpenFile
from rosenblatt.services.files.dates import MISSING, as_written
from rosenblatt.services.files.pandas_index import index_columns
from rosenblatt.services.files.text_column import Coded, as_texts

BUFFER_BYTES = 1 << 18  # how much of a column is read at a time; without it pyarrow reads a whole group of rows
LENGTH_BYTES = 4  # the length that stands before each text in a file


class Repeated:
    """A column of texts, held as a dictionary: to others it is of the type that its texts have."""

    def __init__(self, column: Any) -> None:
        self.column, self.type = column, column.type.value_type

    def __len__(self) -> int:
        return len(self.column)

    def __getitem__(self, rows: slice) -> "Repeated":
        return Repeated(self.column[rows])

    @property
    def null_count(self) -> int:
        """Cells without a value."""
        return int(self.column.null_count)


def open_parquet(file: Any) -> tuple[Any, set[str]]:
    """A file of pyarrow's, and the columns of texts that come as dictionaries though their type does not say so."""
    from pyarrow.parquet import ParquetFile

    options: Any = {"buffer_size": BUFFER_BYTES, "pre_buffer": False}
    plain = ParquetFile(file, **options)
    repeated = _repeated_columns(plain)
    if not repeated:
        return plain, repeated
    return ParquetFile(file, metadata=plain.metadata, read_dictionary=sorted(repeated), **options), repeated


def _repeated_columns(file: Any) -> set[str]:
    """The columns of texts that take fewer bytes in each group of rows than the lengths of all texts would."""
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    if not groups:
        return set()
    texts = {field.name for field in file.schema_arrow if str(field.type) == "string"}
    names = {group.column(place).path_in_schema for group in groups for place in range(group.num_columns)} & texts
    for group in groups:
        for place in range(group.num_columns):
            column = group.column(place)
            if column.total_uncompressed_size >= LENGTH_BYTES * column.num_values or not column.has_dictionary_page:
                names.discard(column.path_in_schema)
    return names


Columns = dict[str, Any]

MOST_BYTES = 1 << 30  # bytes of the texts in one piece of a column, because pyarrow counts them in 31 bits


def pyarrow() -> Any:
    """The package, which is optional."""
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "Parquet and Arrow files, and frames, need pyarrow: pip install 'rosenblatt[data]'", name=error.name
        ) from None
    return pyarrow


def blocks_of(
    source: OpenFile, form: str, block_rows: int, wanted: Callable[[str], bool] | None = None
) -> Iterator[tuple[int, list[str], Columns]]:
    """Blocks of so many rows: how many rows come before, the names of all columns, and the `wanted` ones of them.

    If none is wanted that is there, all come.
    """
    pa = pyarrow()
    with _said_as_damage(source, form):
        names, repeated, batches = _open(source, form, block_rows, wanted)
        start, waiting, n_waiting = 0, list[Any](), 0
        for batch in batches:
            # pyarrow does not check where a file says that its texts begin and end, unless it is asked to
            batch.validate(full=True)
            waiting.append(batch)
            n_waiting += batch.num_rows
            while n_waiting >= block_rows:
                table = pa.Table.from_batches(waiting)
                yield start, names, by_name(table.slice(0, block_rows), source.name, repeated)
                rest = table.slice(block_rows)
                waiting, n_waiting, start = rest.to_batches(), rest.num_rows, start + block_rows
        if n_waiting:
            yield start, names, by_name(pa.Table.from_batches(waiting), source.name, repeated)
        elif not start:
            raise NoRowsError(source.name, 1, 1, "a row", "the end of the file")


def _open(
    source: OpenFile, form: str, block_rows: int, wanted: Callable[[str], bool] | None
) -> tuple[list[str], set[str], Iterable[Any]]:
    """The names of all columns of a file, those of the ones that are `Repeated`, and the batches as they are in it."""
    file = source.file if source.file.seekable() else io.BytesIO(source.file.read())
    if form == "parquet":
        reader, repeated = open_parquet(file)
        names = _columns_in(reader.schema_arrow)
        chosen = _choose(names, source.name, wanted)
        # without pyarrow's threads, because they take twice the CPU time and our thread reads ahead already
        batches = reader.iter_batches(block_rows, columns=chosen, use_threads=False)
        return names, repeated.intersection(chosen), (batch.select(chosen) for batch in batches)
    ipc = pyarrow().ipc
    is_file = file.read(6) == b"ARROW1"
    open_ipc = ipc.open_file if is_file else ipc.open_stream
    file.seek(0)
    schema = open_ipc(file).schema
    names = _columns_in(schema)
    chosen = _choose(names, source.name, wanted)
    file.seek(0)
    reader = open_ipc(
        file, options=ipc.IpcReadOptions(included_fields=[schema.get_field_index(name) for name in chosen])
    )
    return names, set(), (map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader)


def _columns_in(schema: Any) -> list[str]:
    """The columns of a file, without those of an index of pandas."""
    left_out = index_columns(schema)
    return [name for name in schema.names if name not in left_out]


def _choose(names: list[str], path: str, wanted: Callable[[str], bool] | None) -> list[str]:
    _check_names(names, path)
    return list(filter(wanted, names)) or names


@contextmanager
def _said_as_damage(source: OpenFile, form: str) -> Iterator[None]:
    """What pyarrow cannot read is said with the name of the file."""
    try:
        yield
    except (pyarrow().ArrowException, OSError, EOFError, *source.damage) as error:
        if getattr(error, "errno", None):  # the disk failed, not the data
            raise
        damage = " ".join(str(error).split()) or "the end of the file"
        raise ValueError(f"{source.name}: expected {form.capitalize()} data, found damage: {damage}") from None


def by_name(table: Any, path: str, repeated: Collection[str] = ()) -> Columns:
    """The columns of a table of pyarrow, each of which has a name of its own."""
    _check_names(table.column_names, path)
    columns = dict(zip(table.column_names, table.columns, strict=True))
    return columns | {name: Repeated(columns[name]) for name in repeated}


def _check_names(names: list[str], path: str) -> None:
    if not names:
        raise ValueError(f"{path}: expected columns, found none")
    counts = Counter(names)
    for name in names:
        if not name or counts[name] > 1:
            raise ValueError(f"{path}: expected a name of its own for each column, found {name!r}")


def join_columns(parts: list[Any]) -> Any:
    if isinstance(parts[0], Repeated):
        return Repeated(join_columns([part.column for part in parts]))
    return pyarrow().chunked_array([chunk for part in parts for chunk in part.chunks], parts[0].type)


def are_numbers(kind: Any) -> bool:
    """Whether the values of a column of this type are numbers, or texts; a TypeError if it has neither."""
    types = pyarrow().types
    if _is_number(kind) or types.is_null(kind):
        return True
    of_texts = kind.value_type if types.is_dictionary(kind) else kind
    is_known = _is_text(of_texts) or _is_number(of_texts) or types.is_boolean(of_texts) or types.is_null(of_texts)
    if not is_known and (not is_time(of_texts) or types.is_interval(of_texts)):
        raise TypeError(f"the type {of_texts}")
    return False


def values(column: Any) -> Array:
    """Floats, NaN where they are missing, or texts; a column of a dictionary is one of texts, whatever is in it."""
    pa = pyarrow()
    if are_numbers(column.type):
        floats = column if pa.types.is_float64(column.type) else column.cast(pa.float64(), safe=False)
        return _join(map(_floats, floats.chunks))
    return texts(column)


def _join(parts: Iterable[Array]) -> Array:
    """One array of them; of a single one no copy is made."""
    arrays = list(parts)
    return arrays[0] if len(arrays) == 1 else np.concatenate([np.empty(0), *arrays])


def _floats(chunk: Any) -> Array:
    """The floats of an array of pyarrow, NaN where they are missing."""
    return _numbers(chunk, np.float64, np.nan)


def _numbers(chunk: Any, kind: Any, missing: Any) -> Array:
    """The bytes of an array of pyarrow as numbers of this kind."""
    if not len(chunk):
        return np.empty(0, kind)
    (present, numbers), end = chunk.buffers(), chunk.offset + len(chunk)
    values: Array = np.frombuffer(numbers, kind, end)[chunk.offset :]
    values.flags.writeable = False  # because it is pyarrow's memory
    if chunk.null_count:
        bits = np.unpackbits(np.frombuffer(present, np.uint8), count=end, bitorder="little")[chunk.offset :]
        values = np.where(bits == 1, values, missing)
    return values


def texts(column: Any) -> Array:
    """Texts, "" where they are missing; a TypeError if it has none."""
    pa, column = pyarrow(), column.column if isinstance(column, Repeated) else column
    kind = column.type
    if pa.types.is_dictionary(kind):
        codes_of_texts = codes(column)
        return as_texts(map(codes_of_texts.texts.__getitem__, codes_of_texts.numbers.tolist()))
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_null(kind):
        column, kind = column.cast(pa.string()), pa.string()
    if _is_number(kind):
        return as_texts("" if np.isnan(value) else number_text(value) for value in values(column).tolist())
    if _is_text(kind):
        return as_texts((text or "").strip() for text in column.to_pylist())
    if is_time(kind):
        return as_texts(as_written(microseconds(column)))
    raise TypeError(f"the type {kind}")


def codes(column: Any) -> Coded:
    """The texts of a column, each of them once."""
    pa = pyarrow()
    encoded = column.column if isinstance(column, Repeated) else column
    if not pa.types.is_dictionary(encoded.type):
        try:
            encoded = encoded.dictionary_encode()
        except pa.ArrowNotImplementedError:
            return Coded.of(texts(column))
    parts = [_codes(chunk) for chunk in encoded.chunks if len(chunk)]
    return Coded.join(parts) if parts else Coded.of([])


def _codes(chunk: Any) -> Coded:
    """The column of an array with a dictionary. Only the texts that occur are looked at."""
    pa, dictionary = pyarrow(), chunk.dictionary
    if pa.types.is_string_view(dictionary.type):  # polars makes these; pyarrow's `take` does not support them
        dictionary = dictionary.cast(pa.large_string())
    numbers = _numbers(chunk.indices.cast(pa.int64()), np.int64, len(dictionary))
    there = np.zeros(len(dictionary) + 1, dtype=bool)  # the last entry stands for missing values
    there[numbers] = True
    if not there[:-1].all():
        dictionary = dictionary.take(column_of(np.flatnonzero(there[:-1])))
    used = Coded.of([*texts(pa.chunked_array([dictionary])).tolist(), *([""] if there[-1] else [])])
    of_used = np.cumsum(there) - 1
    return Coded(used.numbers.take(of_used[numbers]), used.texts)  # two texts may be equal once blanks are cut off


def is_time(kind: Any) -> bool:
    """Whether a type is one of dates, of times of the day, or of durations."""
    return bool(pyarrow().types.is_temporal(kind))


def microseconds(column: Any) -> Array:
    """Microseconds since the beginning of 1970, `MISSING` where they are; a TypeError if there are too many."""
    pa, kind = pyarrow(), column.type
    whole = pa.int32() if pa.types.is_date32(kind) or pa.types.is_time32(kind) else pa.int64()
    if pa.types.is_interval(kind):
        raise TypeError(f"the type {kind}")
    counted = column.cast(whole).cast(pa.int64())
    counts = np.concatenate([np.empty(0, np.int64), *map(_integers, counted.chunks)])
    present = counts != MISSING
    if pa.types.is_date32(kind):
        many, of_one = 86_400_000_000, 1
    else:
        unit = "ms" if pa.types.is_date64(kind) else kind.unit
        many, of_one = {"s": (1_000_000, 1), "ms": (1000, 1), "us": (1, 1), "ns": (1, 1000)}[unit]
    if (np.abs(counts[present]) > np.iinfo(np.int64).max // many).any():
        raise TypeError(f"a time further away than {np.iinfo(np.int64).max} microseconds")
    return np.where(present, np.where(present, counts, 0) // of_one * many, MISSING)


def _integers(chunk: Any) -> Array:
    """The integers of an array of pyarrow, `MISSING` where they are."""
    return _numbers(chunk, np.int64, MISSING)


def _is_text(kind: Any) -> bool:
    types = pyarrow().types
    return any(test(kind) for test in (types.is_string, types.is_large_string, types.is_string_view))


def _is_number(kind: Any) -> bool:
    types = pyarrow().types
    return any(test(kind) for test in (types.is_integer, types.is_floating, types.is_decimal))


def write(file: Any, blocks: Iterable[Columns], form: str) -> None:
    """Write blocks of columns: NaN and "" become null."""
    pa = pyarrow()
    tables = (pa.Table.from_arrays([*map(column_of, block.values())], names=[*block]) for block in blocks)
    first = next(tables)
    with _writer(file, first.schema, form) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _writer(file: Any, schema: Any, form: str) -> Any:
    if form == "arrow":
        return pyarrow().ipc.new_file(file, schema)
    from pyarrow.parquet import ParquetWriter

    return ParquetWriter(file, schema)


def column_of(column: Array) -> Any:
    """A column of pyarrow: texts, or numbers of the same type."""
    pa = pyarrow()
    if column.dtype.kind in "OU":
        return pa.chunked_array(_texts(column), pa.string())
    if column.dtype.kind not in "iuf":
        return pa.array(column)
    numbers = np.ascontiguousarray(column, column.dtype.newbyteorder("="))
    buffers = [_bits(numbers == numbers), pa.py_buffer(numbers)]  # NaN is not equal to itself
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), buffers)


def _texts(column: Array) -> Iterator[Any]:
    """Arrays of texts that pyarrow can count."""
    pa = pyarrow()
    cells = [cell.encode() for cell in column.tolist()]
    ends = np.cumsum([0, *map(len, cells)], dtype=np.int64)
    cuts = np.searchsorted(ends, np.arange(0, max(int(ends[-1]), 1), MOST_BYTES))
    for first, last in pairwise([*np.unique(cuts).tolist(), len(cells)]):
        part = cells[first:last]
        starts = pa.py_buffer((ends[first : last + 1] - ends[first]).astype(np.int32))
        present = _bits(np.array([len(cell) > 0 for cell in part], dtype=bool))
        buffers = [present, starts, pa.py_buffer(b"".join(part))]
        yield pa.Array.from_buffers(pa.string(), len(part), buffers)


def _bits(present: Array) -> Any:
    """Which cells are there, a bit each; None: all."""
    return None if present.all() else pyarrow().py_buffer(np.packbits(present, bitorder="little"))
