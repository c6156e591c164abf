"""Texts that a Parquet file has once are the same as texts that stand there in each cell, in an Arrow file."""

import datetime
import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import read_table
from rosenblatt.services.files.arrow import Repeated, open_parquet
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.table_file import iter_table

ROWS = 30_000
DRAW = np.random.default_rng(0)


def repeated(values: list[Any], kind: Any = None) -> Any:
    return pa.array([values[k] for k in DRAW.integers(len(values), size=ROWS)], kind)


TABLE = pa.table(
    {
        "few": repeated(["sunny", "rainy", " rainy", "", None, "été"]),
        "large": repeated(["no", "yes"], pa.large_string()),
        "day": repeated(["2024-05-31", "2024-06-01"]),
        "later": pa.array([f"group {k // 7000}" for k in range(ROWS)]),
        "own": repeated(["a", None, "b"]).dictionary_encode(),
        "nothing": pa.array([None] * ROWS, pa.string()),
        "unique": pa.array([f"row {k}" for k in range(ROWS)]),
        "time": repeated([datetime.date(2024, 5, 31), None], pa.date32()),
        "x": pa.array(DRAW.standard_normal(ROWS)),
    }
)
READ_SO = {"few", "day", "later", "nothing"}


def as_parquet(table: Any, **options: Any) -> io.BytesIO:
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    file.seek(0)
    return file


def as_arrow(table: Any) -> io.BytesIO:
    file = io.BytesIO()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    file.seek(0)
    return file


def cells(table: Table, name: str) -> list[str]:
    coded = table.codes(name)
    assert sorted(set(coded.numbers.tolist())) == list(range(len(coded.texts)))  # none is there that no cell has
    return [coded.texts[number] for number in coded.numbers]


@pytest.mark.parametrize("row_group_size", [997, 7001, ROWS])
@pytest.mark.parametrize("blocks", [False, True])
def test_the_same_table(row_group_size: int, blocks: bool) -> None:
    given = as_parquet(TABLE, row_group_size=row_group_size), as_arrow(TABLE)
    size = 1234 if blocks else ROWS
    tables = [list(iter_table(file, block_rows=size)) for file in given]
    assert len(tables[0]) == len(tables[1])
    for ours, theirs in zip(*tables, strict=True):
        assert ours.names == theirs.names
        for name in ours.names:
            assert ours.type_of(name) == theirs.type_of(name)
            assert ours.n_null(name) == theirs.n_null(name)
            assert ours.are_dates(name) == theirs.are_dates(name)
            assert ours.are_numbers(name) == theirs.are_numbers(name)
            assert cells(ours, name) == cells(theirs, name) == ours.texts(name).tolist()
            assert cells(ours.rows(500, 777), name) == cells(theirs, name)[500:777]
    assert [name for name in TABLE.column_names if tables[0][0].are_dates(name)] == ["day", "time"]


def test_which_columns_are_read_so() -> None:
    assert open_parquet(as_parquet(TABLE))[1] == READ_SO
    assert isinstance(read_table(as_parquet(TABLE))._columns["few"], Repeated)
    assert open_parquet(as_parquet(TABLE, use_dictionary=False))[1] == set()
    assert open_parquet(as_parquet(TABLE[:2]))[1] == set()  # a few texts take less room where they stand


def test_groups_of_rows_with_other_texts_or_none() -> None:
    file = io.BytesIO()
    with pq.ParquetWriter(file, TABLE.schema) as writer:
        for first, last in ((0, 0), (0, 5000), (5000, 5000), (5000, 5001), (5001, 21_000), (21_000, ROWS)):
            writer.write_table(TABLE[first:last])
    file.seek(0)
    table = read_table(file)
    for name in TABLE.column_names:
        assert cells(table, name) == cells(Table.of(TABLE), name)
    with pytest.raises(ValueError, match="expected a row, found the end of the file"):
        read_table(as_parquet(TABLE[:0]))


def test_texts_that_are_one_without_their_blanks() -> None:
    weather = pa.array(["sunny", "sunny ", " rainy", None, ""] * 1000)
    table = read_table(as_parquet(pa.table({"weather": weather})))
    assert isinstance(table._columns["weather"], Repeated)
    assert sorted(table.codes("weather").texts) == ["", "rainy", "sunny"]
    assert table["weather"][:5].tolist() == ["sunny", "sunny", "rainy", "", ""]
