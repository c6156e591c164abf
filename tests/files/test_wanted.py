"""Blocks of a table with some of its columns: the same cells and places as with all, whatever the file."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import DataFileError
from rosenblatt.services.files.table_file import iter_table

# "a" and "a.x": where columns are nested, pyarrow would take both for one
COLUMNS = {"a": [1.0, 2.0, 3.0], "state": ["x", "", "y"], "a.x": [4.0, 5.0, float("inf")], "label": ["no", "yes", "no"]}


@pytest.fixture(params=["csv", "parquet", "arrow", "stream"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    table = pa.table(COLUMNS)
    if request.param == "csv":
        (tmp_path / "t.csv").write_text("a,state,a.x,label\n1,x,4,no\n2,,5,yes\n3,y,1e999,no\n", encoding="utf-8")
        return tmp_path / "t.csv"
    name = tmp_path / ("t.parquet" if request.param == "parquet" else "t.arrow")
    with name.open("wb") as file:
        if request.param == "parquet":
            pq.write_table(table, file, row_group_size=2)
        else:
            new = pa.ipc.new_file if request.param == "arrow" else pa.ipc.new_stream
            with new(file, table.schema) as writer:
                writer.write_table(table, max_chunksize=2)
    return name


def test_the_wanted_columns(path: Path) -> None:
    for wanted in ({"a", "label"}, {"label", "a.x", "none"}, {"state"}, set(COLUMNS)):
        whole = list(iter_table(path, block_rows=2))
        blocks = list(iter_table(path, block_rows=2, wanted=wanted.__contains__))
        assert [len(block) for block in blocks] == [2, 1]
        for block, all_of_it in zip(blocks, whole, strict=True):
            assert block.names == [name for name in COLUMNS if name in wanted]
            assert block.all_names == all_of_it.names == list(COLUMNS)
            for name in block.names:
                assert block.texts(name).tolist() == all_of_it.texts(name).tolist()


def test_where_none_is_wanted_all_are_there(path: Path) -> None:
    (block,) = iter_table(path, wanted=lambda _: False)
    assert block.names == list(COLUMNS)


def test_errors_count_all_columns(path: Path) -> None:
    (block,) = iter_table(path, wanted={"a.x", "label"}.__contains__)
    row = 4 if path.suffix == ".csv" else 3
    with pytest.raises(DataFileError, match=rf"{path}:{row}:3: expected a (finite )?number"):
        block.numbers("a.x")
    with pytest.raises(DataFileError, match=r"expected a column 'b', found a, state, a\.x, label"):
        block.check_name("b")


def test_names_of_columns_that_are_not_wanted_are_looked_at() -> None:
    file = io.BytesIO()
    columns = [pa.array([1.0]), pa.array([2.0]), pa.array(["x"])]
    with pa.ipc.new_file(file, pa.table(columns, names=["a", "a", "b"]).schema) as writer:
        writer.write_table(pa.table(columns, names=["a", "a", "b"]))
    file.seek(0)
    with pytest.raises(ValueError, match="expected a name of its own for each column, found 'a'"):
        next(iter_table(file, format="arrow", wanted={"b"}.__contains__))


def test_what_cannot_be_read_need_not_be(tmp_path: Path) -> None:
    table = pa.table({"x": [1.0], "pairs": pa.array([[1, 2]]), "label": ["no"]})
    pq.write_table(table, tmp_path / "t.parquet")
    (block,) = iter_table(tmp_path / "t.parquet", wanted={"x", "label"}.__contains__)
    assert {name: block[name].tolist() for name in block.names} == {"x": [1.0], "label": ["no"]}
