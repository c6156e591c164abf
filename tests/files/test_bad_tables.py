"""Every file in bad_tables/ is refused with the message that messages.txt has for it, whole and block by block.

A message that ends in `...` goes on with what another library says.
"""

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import TableEncoding, read_table
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.blocks import longest_line

BAD = Path(__file__).parent / "bad_tables"
MESSAGES = {
    message.partition(":")[0]: message for message in (BAD / "messages.txt").read_text(encoding="utf-8").splitlines()
}


def test_every_file_has_its_message() -> None:
    files = [path.name for path in BAD.iterdir() if path.suffix not in ("", ".txt")]
    assert sorted(MESSAGES) == sorted(files)


@pytest.mark.parametrize("block_rows", [1, 2, 1000])
@pytest.mark.parametrize("name", MESSAGES)
def test_message(name: str, block_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(ValueError, match="expected") as caught:
        TableEncoding(label="walk").fit(name)
    found = str(caught.value)
    expected = MESSAGES[name]
    assert found.startswith(expected.removesuffix("...")) if expected.endswith("...") else found == expected
    if ".csv" in name:
        assert isinstance(caught.value, DataFileError)
        assert expected.startswith(f"{name}:{caught.value.line}:{caught.value.column}: expected")
    good = TableEncoding(label="walk").fit({"weather": ["sunny", "rainy"], "wind": [1, 2], "walk": ["yes", "no"]})
    if "missing_column" not in name:  # what only training finds out
        with pytest.raises(ValueError, match="expected"):
            list(good.blocks(name, block_rows=block_rows))


PIECES = st.sampled_from([b"a", b",", b"\n", b"\r", b'"', b"1", b".5", b" ", b"/", b"\0", b"\xff", b"\xc3\xa4", b"nan"])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=20).map(b"".join))
def test_any_bytes_are_a_table_or_an_error_with_its_place(text: bytes) -> None:
    encoding, said = TableEncoding(label="b", missing="indicator", standardise=True), ""
    try:
        table = read_table(io.BytesIO(b"a,b\n" + text))
        X = encoding.fit_transform(table)
    except ValueError as error:
        said = str(error)
    if said:
        assert re.match(r"<file>:[1-9]\d*:[1-9]\d*: expected .*, found |column 'a': expected", said, re.DOTALL)
    else:
        assert X.shape[0] == len(table)
        assert np.isfinite(X if isinstance(X, np.ndarray) else X.toarray()).all()


def test_a_cell_that_is_too_long() -> None:
    text = b"weather,walk\nsunny,yes\n" + b"x" * 200_000 + b",no\n"
    assert read_table(io.BytesIO(text))["weather"].tolist() == ["sunny", "x" * 200_000]
    with longest_line(1000), pytest.raises(DataFileError, match=r"^<file>:3:1: expected a line of at most 1000 bytes"):
        read_table(io.BytesIO(text))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"wind": [1.0, None]}, r"^row 1 of the table: expected a value, .*, found nothing \(column wind\)$"),
        ({"wind": [1.0, -float("inf")]}, r"^row 1 of the table: expected a finite number, found -inf \(column wind\)$"),
        ({"when": [b"1", b"2"]}, r"^row 0 of the table: .*, found the type binary \(column when\)$"),
        ({"wind": []}, "^expected a table with rows, found none$"),
        ({}, "^the table: expected columns, found none$"),
        ({"": [1]}, "^the table: expected a name of its own for each column, found ''$"),
    ],
)
def test_message_without_a_file(frame: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TableEncoding().fit(frame)


NUMBER = "the table: expected a whole number, as before (or the whole column as text)"


@pytest.mark.parametrize("frame_of", [dict, lambda columns: pd.DataFrame(columns, dtype=object)])
@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            [1, 2, "a", 4],
            f"row 2 of {NUMBER}, found 'a'",
        ),
        (["a", None, "b", 4], "row 3 of the table: expected text, as before (or the whole column as text), found 4 "),
        ([None, object, 1, 2], "row 1 of the table: each argument must be a string, a number, a boolean or a date, "),
        ([1, {"k": 1}, 1, 2], "row 1 of the table: each argument must be a string, a number, a boolean or a date, "),
        (
            [1, "a" * 999, 3, 4],
            f"row 1 of {NUMBER}, found 'a",
        ),
    ],
)
def test_a_column_of_mixed_objects(frame_of: Any, cells: list[Any], message: str) -> None:
    """The column and the row are named, and no long cell is printed whole."""
    frame = frame_of({"a": [1.0, 2, 3, 4], "b": cells, "c": ["u", "v", "w", "x"]})
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(message)}.{{,60}}\\(column b\\)$"):
        TableEncoding().fit(frame)


@pytest.mark.parametrize("thing", [7, None, pd.Series([1, 2]), {1, 2}])
def test_what_is_no_table(thing: Any) -> None:
    with pytest.raises(TypeError, match=r"^expected a table: a frame of pandas or polars"):
        TableEncoding().fit(thing)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"label": 3}, "label: expected the name of a column or None, found 3"),
        ({"label": "z"}, "the table: expected a column 'z', found a, b"),
        ({"categorical": "a"}, "categorical: expected a list of columns, found 'a'"),
        ({"text": ["z"]}, "the table: expected a column 'z', found a, b"),
        ({"ignore": ["a", "a"]}, r"ignore: expected each column once, found \['a', 'a'\]"),
        ({"label": "a", "text": ["a"]}, r"text: expected each column once, found \['a'\]"),
        ({"ignore": ["a", "b"]}, "expected a column besides the labels and those to be ignored, found a, b"),
        ({"missing": "median"}, "missing: expected error, zero, mean, indicator, or these by column, found 'median'"),
        ({"missing": {"z": "zero"}}, "missing: expected columns of numbers or categories, found 'z'"),
        ({"unknown": "zero"}, "unknown: expected error or ignore, found 'zero'"),
        ({"standardise": 1}, "standardise: expected True or False, found 1"),
        ({"ngrams": 0}, "ngrams: expected a whole number from 1 below 9, found 0"),
        ({"bits": 28}, "bits: expected a whole number from 8 below 28, found 28"),
        ({"bits": True}, "bits: expected a whole number from 8 below 28, found True"),
    ],
)
def test_words_are_checked(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TableEncoding(**words).fit({"a": [1, 2], "b": ["x", "y"]})


def test_a_fit_that_fails_changes_nothing() -> None:
    encoding = TableEncoding().fit({"a": ["x", "y"]})
    with pytest.raises(ValueError, match="expected"):
        encoding.fit({"a": ["z", None]})
    assert encoding.transform({"a": ["y"]}).tolist() == [[0, 1]]


def test_too_many_categories() -> None:
    with pytest.raises(
        ValueError, match=r"^column 'a': expected at most 65536 categories, found more; name it as text"
    ):
        TableEncoding().fit({"a": [f"n{number}" for number in range(65537)]})


def test_columns_without_a_value() -> None:
    with pytest.raises(ValueError, match=r"^column 'a': expected values with a finite mean and scale, found none"):
        TableEncoding(missing="mean").fit({"a": [None, None], "b": [1, 2]})
    with pytest.raises(ValueError, match=r"^column 'a': expected values, found none"):
        TableEncoding(missing="mean", categorical=["a"]).fit({"a": [None, None], "b": [1, 2]})
    with pytest.raises(ValueError, match=r"^<file>:2:1: expected a value in the first 8192 rows, found nothing"):
        TableEncoding(missing="zero").fit(io.BytesIO(b"a,b\n,1\n,2\n"))


def test_a_block_has_rows() -> None:
    with pytest.raises(ValueError, match="block_rows must be at least 1, got 0"):
        list(TableEncoding(label="a").fit({"a": [1], "b": [2]}).blocks("nowhere.csv", block_rows=0))
