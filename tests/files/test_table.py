"""Tables are the same whatever they come from: CSV, Parquet, Arrow or a frame; whole or block by block."""

import gzip
import io
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import read_table
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.base.numbers import number_text
from rosenblatt.services.files import arrow
from rosenblatt.services.files.compressed import replace_file
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.table_file import iter_table, write_table

FRAME: dict[str, list[Any]] = {
    "weather": ["sunny", None, "rainy", "overcast"],
    "wind": [3, 5, None, -1],
    "rain": [0.5, None, 2.0, 1e-300],
    "warm": [True, False, None, True],
    "note": ['a "fine", day', "zwei\nZeilen", "", "été"],
    "walk": ["yes", "no", "no", "yes"],
}


def as_csv(frame: dict[str, list[Any]]) -> bytes:
    file = io.BytesIO()
    cells = {name: np.array([_cell(value) for value in values]) for name, values in frame.items()}
    write_table(file, [cells], "csv")
    return file.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return (
        str(value).lower()
        if isinstance(value, bool)
        else value
        if isinstance(value, str)
        else number_text(float(value))
    )


def as_parquet(frame: dict[str, list[Any]], rows: int = 3) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(frame), file, row_group_size=rows)
    return file.getvalue()


def as_arrow(frame: dict[str, list[Any]], rows: int = 3, *, stream: bool = False) -> bytes:
    table, file = pa.table(frame), io.BytesIO()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
    return file.getvalue()


def content(table: Table) -> Any:
    numbers = {name: table.numbers(name).tolist() for name in table.names if name in ("wind", "rain")}
    return repr(numbers), {name: table.texts(name).tolist() for name in table.names}


def test_every_source_has_the_same_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(as_csv(FRAME))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(as_csv(FRAME)))
    (tmp_path / "t.parquet").write_bytes(as_parquet(FRAME))
    (tmp_path / "t.parquet.gz").write_bytes(gzip.compress(as_parquet(FRAME)))
    for name in ("t.arrow", "t.feather", "t.ipc"):
        (tmp_path / name).write_bytes(as_arrow(FRAME))
    (tmp_path / "stream.arrow").write_bytes(as_arrow(FRAME, stream=True))
    expected = content(read_table(tmp_path / "t.csv"))
    assert expected[0] == repr({"wind": [3.0, 5.0, np.nan, -1.0], "rain": [0.5, np.nan, 2.0, 1e-300]})
    assert expected[1]["weather"] == ["sunny", "", "rainy", "overcast"]
    assert expected[1]["wind"] == ["3", "5", "", "-1"]
    assert expected[1]["warm"] == ["true", "false", "", "true"]
    assert expected[1]["note"] == ['a "fine", day', "zwei\nZeilen", "", "été"]
    for path in sorted(tmp_path.iterdir()):
        assert content(read_table(path)) == expected, path.name
    categorical = pd.DataFrame(FRAME).astype({"weather": "category"})
    for frame in (FRAME, pa.table(FRAME), categorical, pl.DataFrame(FRAME), pl.DataFrame(FRAME).to_arrow()):
        assert content(Table.of(frame)) == expected


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(1, 5), st.integers(1, 5))
def test_blocks_have_their_size(n_rows: int, block_rows: int, batch: int) -> None:
    frame: dict[str, list[Any]] = {"a": list(range(n_rows)), "b": [f"t{i}" for i in range(n_rows)]}
    sizes = [min(block_rows, n_rows - first) for first in range(0, n_rows, block_rows)]
    sources: list[tuple[Any, bytes]] = [
        ("csv", as_csv(frame)),
        ("parquet", as_parquet(frame, batch)),
        ("arrow", as_arrow(frame, batch)),
        ("arrow", as_arrow(frame, batch, stream=True)),
    ]
    for form, data in sources:
        blocks = list(iter_table(io.BytesIO(data), format=form, block_rows=block_rows))
        assert [len(block) for block in blocks] == sizes
        assert [text for block in blocks for text in block["b"]] == frame["b"]
        assert [number for block in blocks for number in block.numbers("a")] == frame["a"]


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=6).map(str.strip)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5))
def test_what_is_written_is_read_again(rows: list[tuple[str, str]]) -> None:
    rows = [("first", "row"), *rows]
    columns = {"a": np.array([a for a, _ in rows], dtype=object), "b": np.array([b for _, b in rows], dtype=object)}
    forms: tuple[Any, ...] = ("csv", "parquet", "arrow")
    for form in forms:
        file = io.BytesIO()
        write_table(file, [columns, columns], form)
        table = read_table(io.BytesIO(file.getvalue()), format=form, na=[])
        assert (table["a"].tolist(), table["b"].tolist()) == (2 * columns["a"].tolist(), 2 * columns["b"].tolist())


@pytest.mark.parametrize("form", ["parquet", "arrow"])
@pytest.mark.parametrize("most", [1, 3, 4, 100])
def test_texts_of_more_than_pyarrow_counts(form: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "MOST_BYTES", most)
    for cells in ([], [""], ["", "", ""], ["a", "", "ab", "äbc", "abcdefgh", "", "x"], ["abcdefgh"]):
        file = io.BytesIO()
        write_table(file, [{"n": np.arange(len(cells) + 1), "t": np.array([*cells, "end"], dtype=object)}], form)
        assert read_table(io.BytesIO(file.getvalue()), format=form)["t"].tolist() == [*cells, "end"]


NUMBERS = [
    np.array([1.5, np.nan, -0.0]),
    np.array([np.nan]),
    np.array([1, -2], dtype=">i4"),
    np.array([1, 2], np.uint8),
]


@pytest.mark.parametrize("form", ["parquet", "arrow"])
@pytest.mark.parametrize("column", [*NUMBERS, np.arange(99.0)[::7], np.array([0.5, 2], np.float32)], ids=repr)
def test_numbers_as_pyarrow_has_them(form: Any, column: Any) -> None:
    file = io.BytesIO()
    write_table(file, [{"x": column}, {"x": column[:1]}], form)
    table = read_table(io.BytesIO(file.getvalue()), format=form)
    expected = np.concatenate([column, column[:1]]).astype(float)
    assert (table["x"].tobytes(), table["x"].flags.writeable) == (expected.tobytes(), True)
    found = pa.ipc.open_file(file.getvalue()).read_all() if form == "arrow" else pq.read_table(file)
    gaps = np.isnan(expected)
    native = column.dtype.newbyteorder("=")
    assert found["x"].combine_chunks().equals(pa.array(expected.astype(native), pa.from_numpy_dtype(native), gaps))


def test_gaps_in_any_part_of_a_column() -> None:
    column = pa.chunked_array([[1.5, None, 3.0, None] * 5, [], [None], [2.0]], pa.float64())
    for first, last in itertools.combinations(range(22), 2):
        part = column.slice(first, last - first)
        np.testing.assert_array_equal(arrow.values(part), part.to_numpy())


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_numbers_are_exactly_rounded(numbers: list[float]) -> None:
    text = "x,y\n" + "".join(f"{number!r},1\n" for number in numbers)
    assert read_table(io.BytesIO(text.encode())).numbers("x").tolist() == numbers
    table = read_table(io.BytesIO((text + "1/3,1\n").encode()))
    assert table.numbers("x").tolist() == [*numbers, 1 / 3]
    assert list(map(float, table.fractions("x"))) == [*numbers, 1 / 3]


def test_what_csv_may_have() -> None:
    text = '\ufeffa, b ,"c, d"\r\n\r\n 1 ,"x ""y""",\r\n\n2,"two\nlines",z'
    table = read_table(io.BytesIO(text.encode()))
    assert table.names == ["a", "b", "c, d"]
    assert [table[name].tolist() for name in table.names] == [["1", "2"], ['x "y"', "two\nlines"], ["", "z"]]
    with pytest.raises(ValueError, match=r"^<file>:6:2: expected nothing, found something \(column b\)$"):
        raise table.error(1, "b", "nothing", "something")


def test_an_empty_cell_in_quotes_is_a_row_and_a_blank_line_is_none() -> None:
    assert read_table(io.BytesIO(b'a\n""\n\n \n" "\nx\n""'))["a"].tolist() == ["", "", "x", ""]


def test_only_what_is_asked_for_is_read() -> None:
    class Endless(io.BytesIO):
        """A file without an end."""

        lines = itertools.chain([b"a,b\n"], itertools.repeat(b"1,x\n"))

        def readinto1(self, buffer: Any) -> int:
            line = next(self.lines)
            buffer[: len(line)] = line
            return len(line)

    blocks = iter_table(Endless(), block_rows=7)
    assert [len(next(blocks)) for _ in range(3)] == [7, 7, 7]


def test_numbers_as_texts_keep_their_digits() -> None:
    long = 2**60 + 1
    assert Table.of({"a": [long, None]}).texts("a").tolist() == [str(long), ""]
    codes = Table.of(pd.DataFrame({"a": pd.Categorical([7, 8, None])}))
    assert (codes.are_numbers("a"), codes.texts("a").tolist()) == (False, ["7", "8", ""])
    assert Table.of({"a": [2.0, 0.1, None]}).texts("a").tolist() == ["2", "0.1", ""]


def test_a_type_that_nobody_asks_for_may_be_there() -> None:
    table = Table.of({"when": [b"1", b"2"], "wind": [1, 2]})
    assert table.numbers("wind").tolist() == [1, 2]
    assert repr(table) == "<Table of 2 rows: when, wind>"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_what_is_between_the_cells(tmp_path: Path, delimiter: str) -> None:
    text = 'weather;wind\n"wet; cold";3\nfine;5\n'.replace(";", delimiter)
    for name in ("a.csv", "a.txt", "a", "a.csv.gz", *(["a.tsv", "a.TAB"] if delimiter == "\t" else [])):
        with replace_file(tmp_path / name) as file:
            file.write(text.encode())
        for told in (None, delimiter):
            table = read_table(tmp_path / name, delimiter=told)
            assert table.names == ["weather", "wind"]
            assert table["weather"].tolist() == [f"wet{delimiter} cold", "fine"]
    with pytest.raises(
        DataFileError,
        match=r"<file>:2:2: expected UTF-8 .*, found the byte 0xff",
    ):
        read_table(io.BytesIO(f"a{delimiter}b\n1{delimiter}".encode() + b"\xff\n"))


def test_other_delimiters() -> None:
    assert read_table(io.BytesIO(b"a:b\n1:2\n"), delimiter=":").names == ["a", "b"]
    assert read_table(io.BytesIO(b"a,b:c\n1:2\n"), delimiter=":").names == ["a,b", "c"]
    assert read_table(io.BytesIO(b'"a, b";c\n1;2\n')).names == ["a, b", "c"]
    for wrong in ("", "::", "\n", '"'):
        with pytest.raises(ValueError, match="delimiter: expected one character between the cells, found"):
            read_table(io.BytesIO(b"a:b\n1:2\n"), delimiter=wrong)
    with pytest.raises(ValueError, match="expected CSV with ':' between the cells, found parquet"):
        read_table(io.BytesIO(b"PAR1"), format="parquet", delimiter=":")


def test_tables_without_a_name_are_known_by_how_they_begin(tmp_path: Path) -> None:
    for form in ("csv", "tsv", "parquet", "arrow"):
        write_table(file := io.BytesIO(), [{"a": np.array([1.0, 2.0]), "b": np.array(["x", "y"])}], form)
        assert read_table(io.BytesIO(file.getvalue())).names == ["a", "b"], form
        (tmp_path / "table").write_bytes(file.getvalue())
        assert read_table(tmp_path / "table")["b"].tolist() == ["x", "y"], form
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, (batch := pa.record_batch({"a": [1]})).schema) as writer:
        writer.write_batch(batch)
    assert read_table(io.BytesIO(stream.getvalue()))["a"].tolist() == [1]


def test_a_column_that_is_written_to_is_the_caller_s_own() -> None:
    table = Table.of({"wind": [3.0, 5.0]})
    table["wind"][:] = 0
    assert table["wind"].tolist() == table.numbers("wind").tolist() == [3, 5]
