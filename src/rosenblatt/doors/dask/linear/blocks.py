"""Rows on a cluster: blocks from collections of Dask or parts of files, the facts of each, and shards made of them.

A block is what is read at a time. Workers make blocks and shards, and find the facts of each. This file plans what all
shards share, and refuses blocks that do not fit together. Compressed files, and Arrow files, are read whole.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array, check_labels, refuse_masked
from rosenblatt.base.labels import encode, merge
from rosenblatt.base.rows import Matrix, SparseRows, as_rows, as_type, core_rows, stack_all
from rosenblatt.doors.dask.cluster import check_memory
from rosenblatt.doors.dask.engine import RETRIES, data_in_tasks
from rosenblatt.doors.dask.files import File, Named, system_of
from rosenblatt.doors.dask.parts import Part, is_compressed, opened_part, ranges
from rosenblatt.members.rows import RowMember
from rosenblatt.members.sample_weight import checked_weight, class_weights
from rosenblatt.members.shards import RowsShard
from rosenblatt.services.files.blocks import BLOCK_BYTES
from rosenblatt.services.files.compressed import OpenFile
from rosenblatt.services.files.format import format_of
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.svmlight import ReaderOptions, read_blocks
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.table_file import table_of_file


class Facts(NamedTuple):
    """What must be known about a block before the first round."""

    name: str
    n_seen: int  # also the rows of weight 0
    n_rows: int
    n_columns: int
    dtype: str
    is_sparse: bool
    classes: Array
    counts: Array  # rows of each class
    n_bytes: int
    digest: str
    has_zero: bool  # whether column 0 occurs: if it is in no block, svmlight text counts from 1


@dataclass(frozen=True)
class Block:
    """Rows with a weight above 0, one after another; `numbers` are those of their classes."""

    facts: Facts
    X: Matrix
    numbers: Array
    weight: Array | None

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def digest(self) -> str:
        return self.facts.digest


class Plan(NamedTuple):
    """What all shards share, fixed before the first round."""

    classes: Array
    of_class: Array | None  # the weight of each class
    n_features: int
    dtype: str
    is_sparse: bool
    first_column: int  # 1 if the text counts columns from 1
    member: RowMember[Any]

    @property
    def rows(self) -> Matrix:
        """No rows, of this width and type."""
        if not self.is_sparse:
            return np.empty((0, self.n_features), self.dtype)
        return SparseRows(np.empty(0, self.dtype), np.empty(0, np.int32), np.zeros(1, np.int32), self.n_features)


def block_of(name: str, X: Any, y: Any, sample_weight: Any = None) -> Block:
    """A block of a collection: an array, a scipy matrix or a frame, its labels, and perhaps weights of rows."""
    X = as_rows(np.asarray(X) if hasattr(X, "columns") else X, name)
    check_labels(y)
    labels = np.asarray(y).reshape(-1)
    if len(labels) != X.shape[0]:
        raise ValueError(f"{name}: expected as many labels as rows, found {len(labels)} and {X.shape[0]}")
    weight, n_seen = None, X.shape[0]
    if sample_weight is not None:
        refuse_masked(sample_weight, "sample_weight")
        weight = checked_weight(np.asarray(sample_weight).reshape(-1), X)
        rows = np.flatnonzero(weight)
        X, labels, weight = X[rows], labels[rows], weight[rows]
    return make_block(name, X, labels, weight, n_seen)


def make_block(name: str, X: Matrix, y: Array, weight: Array | None, n_seen: int, *, has_zero: bool = True) -> Block:
    """A block with its facts. Its values must be finite numbers, and its labels of one kind."""
    try:
        core_rows(X)
        classes, numbers = encode(y)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    arrays = [*((X.data, X.indices, X.indptr) if isinstance(X, SparseRows) else (X,)), y]
    arrays += [] if weight is None else [weight]
    facts = Facts(
        name=name,
        n_seen=n_seen,
        n_rows=X.shape[0],
        n_columns=X.shape[1],
        dtype=X.dtype.name,
        is_sparse=isinstance(X, SparseRows),
        classes=classes,
        counts=np.bincount(numbers, minlength=len(classes)),
        n_bytes=sum(array.nbytes for array in arrays),
        digest=_digest((X.shape, y.dtype.kind), arrays),
        has_zero=has_zero,
    )
    return Block(facts, X, numbers, weight)


def _digest(form: Any, arrays: Sequence[Array]) -> str:
    digest = blake2b(repr(form).encode(), digest_size=16)
    for array in arrays:
        if array.dtype.kind == "O":
            digest.update(repr(array.tolist()).encode())
        else:
            digest.update(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"")
    return digest.hexdigest()


def shard_of(
    number: int, blocks: Sequence[Block], spans: Sequence[tuple[int, int]], plan: Plan, firsts: Sequence[int]
) -> RowsShard:
    """The shard of these spans of blocks. `firsts` has the first row of each shard, among all rows that count."""
    pieces = [_piece(block, *span, plan) for block, span in zip(blocks, spans, strict=True)]
    X, target, weight = _join(pieces, plan)
    if plan.of_class is not None:
        weight = np.asarray((1.0 if weight is None else weight) * plan.of_class[target], dtype=X.dtype)
    return RowsShard(number, firsts[number], plan.member.take_rows(X), target, weight)


def _piece(block: Block, first: int, last: int, plan: Plan) -> tuple[Matrix, Array, Array | None]:
    X = block.X[first:last]
    if isinstance(X, SparseRows):
        indices = X.indices - X.indices.dtype.type(plan.first_column) if plan.first_column else X.indices
        X = replace(X, indices=indices, n_columns=plan.n_features)
    number_of = np.searchsorted(plan.classes, block.facts.classes).astype(np.int32)
    weight = None if block.weight is None else block.weight[first:last]
    return as_type(X, plan.dtype), number_of[block.numbers[first:last]], weight


def _join(pieces: list[tuple[Matrix, Array, Array | None]], plan: Plan) -> tuple[Matrix, Array, Array | None]:
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        return plan.rows, np.empty(0, np.int32), None
    X, target, weights = zip(*pieces, strict=True)
    known = [weight for weight in weights if weight is not None]
    weight = np.concatenate(known).astype(plan.dtype, copy=False) if known else None
    return stack_all(X), np.concatenate(target), weight


class Counted(NamedTuple):
    """How svmlight text counts its columns, and how many there are, as far as the user has said it."""

    n_features: int | None = None
    zero_based: bool | str = True


def plan_of(facts: Sequence[Facts], member: RowMember[Any], counted: Counted | None) -> Plan:
    """Plan what all shards share. `counted` is only for svmlight text."""
    full = [block for block in facts if block.n_rows]
    if not full:
        raise ValueError("expected rows to learn from, found none (or only such of weight 0)")
    _check_alike(full, counted)
    classes = reduce(merge, (block.classes for block in full), full[0].classes[:0])
    zero_based, n_features = True, full[0].n_columns
    if counted is not None:
        zero_based, n_features = _columns(full, counted)
    counts = np.zeros(len(classes))
    for block in full:
        counts[np.searchsorted(classes, block.classes)] += block.counts
    return Plan(
        classes,
        _of_class(member.parameters.class_weight, classes, counts),
        n_features,
        np.result_type(*(block.dtype for block in full)).name,
        full[0].is_sparse,
        0 if zero_based else 1,
        member,
    )


def _check_alike(facts: Sequence[Facts], counted: Counted | None) -> None:
    first = facts[0]
    for block in facts:
        for here, there in zip(_kind(block, counted), _kind(first, counted), strict=True):
            if here != there:
                raise ValueError(f"{block.name}: expected {there}, as in {first.name}, found {here}")


def _kind(block: Facts, counted: Counted | None) -> tuple[str, str, str]:
    """What all blocks must share, in words; the columns of svmlight text may differ."""
    columns = f"{block.n_columns} columns" if counted is None else ""
    labels = "names" if isinstance(block.classes.tolist()[0], str) else "numbers"
    return columns, "sparse rows" if block.is_sparse else "dense ones", f"{labels} as labels"


def _columns(facts: Sequence[Facts], counted: Counted) -> tuple[bool, int]:
    """Whether columns are counted from 0, and how many there are: at least the largest index of a block plus 1."""
    widest = max(facts, key=lambda block: block.n_columns)
    zero_based = counted.zero_based
    if zero_based == "auto":
        zero_based = any(block.has_zero for block in facts) or widest.n_columns == 1
    needed = max(widest.n_columns - (not zero_based), 1)
    n_features = counted.n_features or needed
    if needed > n_features:
        raise ValueError(f"{widest.name}: expected at most {n_features} columns, found {needed}")
    return bool(zero_based), n_features


def _of_class(class_weight: Any, classes: Array, counts: Array) -> Array | None:
    if class_weight is None:
        return None
    if not isinstance(class_weight, str) and 0 in class_weight.values():
        raise ValueError("class_weight: expected weights over 0 on a cluster, found 0; leave the rows of the class out")
    return class_weights(class_weight, classes, np.arange(len(classes)), counts)


def is_collection(X: Any) -> bool:
    from dask import is_dask_collection

    return bool(is_dask_collection(X))


def blocks_of(client: Any, name: str, X: Any, y: Any, sample_weight: Any = None) -> list[Any]:
    """Blocks as futures: the partitions of X, with the labels and weights of their rows."""
    from dask import delayed

    if not is_collection(X):
        refuse_masked(X, "X")
        rows = X if hasattr(X, "shape") else np.asarray(X)
        parts, sizes = [rows], [rows.shape[0]]
    else:
        X = X.rechunk({1: -1}) if hasattr(X, "chunks") and X.ndim == 2 else X
        if getattr(X, "ndim", 2) != 2:
            raise ValueError(f"X: expected rows of numbers, found {X.ndim} dimensions")
        parts, sizes = _parts(X), _sizes(X)
        if hasattr(X, "chunks") and isinstance(X._meta, np.ndarray) and not np.isnan(X.nbytes):
            check_memory(client, int(X.nbytes))
    labels = _beside("y", y, sizes)
    weights = [None] * len(parts) if sample_weight is None else _beside("sample_weight", sample_weight, sizes)
    make = delayed(block_of, pure=True)
    tasks = [
        make(f"partition {number + 1} of X", *part, dask_key_name=f"block-{name}-{number}")
        for number, part in enumerate(zip(parts, labels, weights, strict=True))
    ]
    with data_in_tasks():
        futures: list[Any] = client.compute(tasks, retries=RETRIES)
    return futures


def _parts(collection: Any) -> list[Any]:
    delayed = collection.to_delayed()
    return list(np.asarray(delayed, dtype=object).ravel())


def _sizes(collection: Any) -> list[float]:
    """The rows of each partition; NaN if only its worker can know."""
    if hasattr(collection, "chunks"):
        return list(collection.chunks[0])
    return [np.nan] * int(collection.npartitions)


def _beside(name: str, values: Any, sizes: list[Any]) -> list[Any]:
    """Labels or weights, split into the partitions of X."""
    known = not np.isnan(sizes).any()
    if not is_collection(values):
        (check_labels if name == "y" else refuse_masked)(values, name)
        values = np.asarray(values)
        if not known:
            raise ValueError(f"{name}: expected a Dask collection in the partitions of X, found {type(values)}")
        if len(values) != sum(sizes):
            raise ValueError(f"{name}: expected {sum(sizes)} values, one a row, found {len(values)}")
        return np.split(values, np.cumsum(sizes)[:-1].astype(int))
    here = _sizes(values)
    if here != sizes and known and not np.isnan(here).any():
        if sum(here) != sum(sizes):
            raise ValueError(f"{name}: expected {sum(sizes)} values, one a row, found {sum(here)}")
        values = values.rechunk({0: tuple(sizes)})
    parts = _parts(values)
    if len(parts) != len(sizes):
        raise ValueError(f"{name}: expected the {len(sizes)} partitions of X, found {len(parts)}")
    return parts


def with_format(reading: Reading, files: Sequence[File]) -> Reading:
    """Set the format: the given one, or the one that the names of all files share."""
    forms = {reading.format or format_of(file.url, "svmlight") for file in files}
    if len(forms) > 1:
        raise ValueError(f"expected files of one format, found {' and '.join(sorted(forms))}")
    form = forms.pop()
    if (reading.encoding is None) != (form == "svmlight"):
        expected = "no encoding for svmlight text" if form == "svmlight" else f"an encoding for {form}"
        there = "one" if form == "svmlight" else "none; fit a TableEncoding to one of the files"
        raise ValueError(f"{files[0].url}: expected {expected}, found {there}")
    return replace(reading, format=form, dtype=np.dtype(reading.dtype).name)


def parts_of(files: Sequence[File], reading: Reading, part_bytes: int | None) -> list[Part]:
    """Split files into parts of about `part_bytes` bytes. With None, each file is one part."""
    parts: list[Part] = []
    for file in files:
        if reading.format == "parquet" and part_bytes is not None and not is_compressed(file):
            parts += [Part(file, first, last) for first, last in _row_groups(file, part_bytes)]
        else:
            parts += ranges(file, None if reading.format == "arrow" else part_bytes)
    return parts


def read_part(part: Part, reading: Reading) -> Block:
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
    return make_block(part.name, X, labels, None, n_rows, has_zero=has_zero)


def _of_table(part: Part, table: Table | None, reading: Reading) -> Block:
    encoding = reading.encoding
    assert encoding is not None
    if table is None:
        empty = np.empty((0, encoding.n_features), reading.dtype)
        return make_block(part.name, empty, np.empty(0), None, 0)
    try:
        X, y = as_type(encoding.transform(table), reading.dtype), encoding.labels(table)
    except ValueError as error:
        if str(error).startswith(part.file.url):
            raise
        raise ValueError(f"{part.name}: {error}") from None
    return make_block(part.name, X, y, None, len(y))


def _table(source: OpenFile, part: Part, reading: Reading) -> Table | None:
    assert reading.encoding is not None
    encoding, notation = reading.encoding, reading.encoding.notation
    needed = {*encoding.columns, *([] if encoding.label is None else [encoding.label.name])}
    # the encoding warned about the header already, so the parts do not warn again
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
    """The lines that begin in a part, without the header of the file; and the header."""
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

    file = ParquetFile(source.file)
    groups = range(file.num_row_groups) if part.is_whole else range(part.first, part.last)
    table = file.read_row_groups(list(groups))
    return Table.of(table) if len(table) else None


def _row_groups(file: File, part_bytes: int) -> Iterator[tuple[int, int]]:
    """Row groups, joined to parts of about `part_bytes` bytes."""
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
