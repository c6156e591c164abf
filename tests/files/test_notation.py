"""How a table is written, in Python: read_table, TableEncoding and fit_file, and what typed tables make of it."""

import io
import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import DataFileError, Perceptron, TableEncoding, load, read_table, save
from rosenblatt.services.files.notation import Notation
from rosenblatt.services.files.table_file import iter_table

GERMAN: dict[str, Any] = {"decimal": ",", "thousands": ".", "na": ["?"]}
OF_DATES = "city,2024-01-01,2024-01-02\nrome,5,6\nlima,7,8\n"  # names of columns, not a row
OF_PERCENT = "name,25%,50%\nx,1.5,2\nz,3,4\n"


def read(text: str, **words: Any) -> Any:
    return read_table(io.BytesIO(text.encode()), **words)


def test_read_table() -> None:
    table = read("x;y\n1.234,5;a\n?;?\n", **GERMAN)
    assert np.array_equal(table.numbers("x"), [1234.5, np.nan], equal_nan=True)
    assert table["y"].tolist() == ["a", ""]
    assert table.fractions("x")[0].denominator == 2


@given(
    st.integers(-(10**12), 10**12),
    st.integers(0, 99),
    st.sampled_from([(".", ","), (",", "."), (",", " "), (".", "'")]),
)
def test_numbers_of_any_marks(whole: int, cents: int, marks: tuple[str, str]) -> None:
    decimal, thousands = marks
    written = f"{whole:,}".replace(",", thousands) + f"{decimal}{cents:02}"
    table = read(f"x|y\n{written}|a\n", decimal=decimal, thousands=thousands, delimiter="|")
    assert table.numbers("x").tolist() == [float(f"{whole}.{cents:02}")]


@pytest.mark.parametrize("header", [None, False])
def test_names_without_a_header(header: bool | None) -> None:
    table = read("3,a\n4,b\n", names=["n", "y"], header=header)
    assert (table.names, table["y"].tolist()) == (["n", "y"], ["a", "b"])
    assert read("3,a\n4,b\n", header=False).names == ["x1", "x2"]
    assert read("k,l\n4,b\n", header=True, names=["n", "y"])["n"].tolist() == ["4"]
    with pytest.raises(DataFileError, match=r"^<file>:2:3: expected 2 cells, as in the first row, found 3$"):
        read("3,a\n4,b,c\n", header=False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,5,b\n1,2,3\n", "looks like data"),
        ("a,b,a\nc,d,e\n", "numbered: 'a.1'"),
        ("p,x,s\np,x,n\ne,y,s\np,x,n\n", "looks like data"),
        (",v\n0,1\n", "probably an index"),
        ("49%,ab,x\n50%,cd,y\n7%,ef,z\n", r"looks like data \('49%'\)"),
        ('"$1,234",ab\n$5,cd\n', r"looks like data \('\$1,234'\)"),
        ("'1.5'\t1'234\n'2.5'\t1'235\n", r"looks like data \(\"1'234\"\)"),
        ("2024-01-31;ab\n2024-02-01;cd\n;ef\n2024-02-03;gh\n", r"looks like data \('2024-01-31'\)"),
        ("31/1/2024;ab\n1/2/2024;cd\n", r"looks like data \('31/1/2024'\)"),
    ],
)
def test_a_header_that_is_said(text: str, said: str) -> None:
    with pytest.warns(UserWarning, match=said):
        read(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(text, header=False)
        for other in (
            "land,1990,1991,1992\nchile,1,2,3\n",
            "a,b\n1,2\n",
            "y,n\nyes,no\nyes,yes\n",
            OF_DATES,
            OF_PERCENT,
        ):
            read(other)


def test_an_index_is_no_feature() -> None:
    with pytest.warns(UserWarning, match="probably an index"):
        table = read(",v,y\n0,1.5,a\n1,2.5,b\n")
    assert table.names == ["index", "v", "y"]
    assert TableEncoding(label="y").fit(table).columns == ["v"]
    assert TableEncoding(label="y", categorical=["index"]).fit(table).columns == ["v", "index"]


def test_text_stays_text_and_numbers_are_most() -> None:
    assert TableEncoding().fit(read("id\nab\n12\ncd\n")).categories_.names == ["id"]
    assert TableEncoding().fit(read("id\n12\nab\ncd\n")).categories_.names == ["id"]
    with pytest.raises(DataFileError, match=r"^<file>:2:1: expected a number, found 'calm' \(column wind\)$"):
        TableEncoding().fit(read("wind\ncalm\n1\n2\n"))


def test_signs() -> None:
    with pytest.warns(UserWarning, match="read as numbers without their"):
        encoding = TableEncoding(standardise=False).fit(read('price,share\n"$1,234.50",49%\n-$3,5 %\n'))
    assert encoding.numbers_.units == ["$", "%"]
    assert encoding.transform(read("share,price\n7,$8\n")).tolist() == [[8, 7]]
    again = TableEncoding.from_json(encoding.to_json())
    assert pickle.loads(pickle.dumps(again)).transform({"price": ["$2"], "share": ["1%"]}).tolist() == [[2, 1]]
    with pytest.raises(
        DataFileError, match=r"expected a number with its '\$' \(or --na -, if it is missing\), or .*, found '-'"
    ):
        TableEncoding().fit(read("price\n$1\n-\n$2\n"))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1.234,50 €", "5,00 €", "7,25 €"], "--decimal , for a decimal comma"),
        (["0,5 %", "12,5 %"], "--decimal , for a decimal comma"),
        (["0,125%", "0,250%"], "--decimal , for a decimal comma; --thousands , for groups of digits"),  # not just 125
        (["1 234,50 €", "5,00 €"], "--decimal , for a decimal comma, and --thousands space"),
        (["1.234,5", "1.234,75"], "--decimal , for a decimal comma, and --thousands ."),
        (["CHF 1", "1 234 €", "2 345 €"], "--thousands space for groups of digits"),
    ],
)
def test_amounts_of_other_marks_name_the_option(cells: list[str], said: str) -> None:
    text = "\n".join(["price;y", *(f"{cell};{number}" for number, cell in enumerate(cells)), ""])
    with pytest.raises(DataFileError, match=rf"expected a number \(or {re.escape(said)}\), or the column among the"):
        TableEncoding(label="y").fit(io.BytesIO(text.encode()))


def test_an_encoding_remembers_and_a_model_with_it(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x;y\n1,5;a\n?;b\n2,5;a\n")
    encoding = TableEncoding(label="y", missing="mean", standardise=False).fit(tmp_path / "t.csv", **GERMAN)
    for X, y in encoding.blocks(tmp_path / "t.csv"):
        assert (X.tolist(), y.tolist()) == ([[1.5], [2.0], [2.5]], ["a", "b", "a"])
    ((X, _),) = encoding.blocks(io.BytesIO(b"x;y\n1.5;a\n"), decimal=".", thousands=None)
    assert X.tolist() == [[1.5]]
    in_memory = Perceptron(shuffle=False, max_iter=3).fit(encoding.transform(tmp_path / "t.csv"), ["a", "b", "a"])
    for paths, shards in ((tmp_path / "t.csv", 1), ([tmp_path / "t.csv"], 2)):
        model = Perceptron(shuffle=False, max_iter=3, shards=shards).fit_file(paths, encoding=encoding)
        assert shards > 1 or model.coef_.tolist() == in_memory.coef_.tolist()
    save(model, tmp_path / "m.safetensors", encoding=encoding)
    assert load(tmp_path / "m.safetensors").encoding_.transform(tmp_path / "t.csv").tolist() == [[1.5], [2.0], [2.5]]
    # of a frame too: its texts are written as those of the file
    assert encoding.transform({"x": ["3,5", "?"]}).tolist() == [[3.5], [2.0]]


def test_a_comma_in_numbers_is_no_delimiter() -> None:
    assert read("1,5;2\n", header=False).names == ["x1", "x2"]
    assert read("a, b;c\n1,5;2\n", decimal=",").names == ["a, b", "c"]
    assert read("a, b;c\n1,5;2\n").names == ["a", "b;c"]


def test_blocks_are_the_whole() -> None:
    text = "".join(f"{k},5;{'ja' if k % 2 else '?'}\n" for k in range(50))
    whole = read(text, header=False, **GERMAN)
    for rows in (1, 7, 50):
        notation = Notation.of(header=False, **GERMAN)
        blocks = list(iter_table(io.BytesIO(text.encode()), block_rows=rows, notation=notation))
        assert np.concatenate([block.numbers("x1") for block in blocks]).tolist() == whole.numbers("x1").tolist()
        assert [text for block in blocks for text in block["x2"]] == whole["x2"].tolist()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"decimal": ""}, "decimal: expected one character before the decimals, as . or ,, found ''"),
        ({"thousands": "."}, "thousands: expected another character than that before the decimals, found '.'"),
        ({"na": "NA"}, "na: expected a list of texts, found 'NA'"),
        ({"na": ["\ud800"]}, "na: expected a list of texts"),
        ({"names": ["a", ""]}, r"names: expected a name of its own for each column"),
        ({"header": "no"}, "header: expected True, False or None, found 'no'"),
        ({"date_order": "ymd"}, "date_order: expected dmy or mdy or None, found 'ymd'"),
        ({"encoding": "base64"}, "encoding: expected how characters are written"),
    ],
)
def test_words_are_checked(words: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read("a\n1\n", **words)
    with pytest.raises(ValueError, match=said):
        TableEncoding().fit(io.BytesIO(b"a\n1\n"), **words)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "shift_jis", "euc_jp", "gb18030"])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_characters_in_small_reads(encoding: str, size: int) -> None:
    text = "天気,y\n晴れ,1\n雨,0\n"

    class Slow(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return super().read1(size)

    table = read_table(Slow(text.encode(encoding)), encoding=encoding, format="csv")
    assert (table.names, table["天気"].tolist()) == (["天気", "y"], ["晴れ", "雨"])


def test_bytes_that_are_no_characters_have_their_place() -> None:
    with pytest.raises(DataFileError, match=r"^<file>:3:2: expected text in shift_jis, found bytes that are none$"):
        read_table(io.BytesIO("x,y\n雨,1\n".encode("shift_jis") + b"a,\xa0\n"), encoding="shift_jis")
