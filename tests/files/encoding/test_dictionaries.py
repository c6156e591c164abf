"""Columns that have each text once, and numbers of them: Categorical and Enum of polars, categories of pandas."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rosenblatt import TableEncoding
from rosenblatt.services.files.table import Table

CELLS = ["b", "a", None, "b", "d"]
LEVELS = ["d", "c", "b", "a"]  # "c" is a level without a row


def of_parts(kind: Any) -> pa.ChunkedArray:
    """A column in parts, each with a dictionary of its own, one of them with a null in it."""
    first = pa.DictionaryArray.from_arrays(pa.array([2, 0], pa.int8()), pa.array(["a", "c", "b"], kind))
    second = pa.DictionaryArray.from_arrays(pa.array([1, 0, None], pa.int8()), pa.array(["b", None], kind))
    third = pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array(["d"], kind))
    return pa.chunked_array([first, second.slice(0, 2), second.slice(2, 0), third])


COLUMNS: dict[str, Any] = {
    "polars Categorical": pl.DataFrame({"c": pl.Series(CELLS, dtype=pl.Categorical)}),
    "polars Enum": pl.DataFrame({"c": pl.Series(CELLS, dtype=pl.Enum(LEVELS))}),
    "polars in parts": pl.concat(
        [pl.DataFrame({"c": pl.Series([cell], dtype=pl.Categorical)}) for cell in CELLS], rechunk=False
    ),
    "pandas": pd.DataFrame({"c": pd.Categorical(CELLS, LEVELS)}),
    "pandas, ordered": pd.DataFrame({"c": pd.Categorical(CELLS, LEVELS, ordered=True)}),
    "views": pa.table({"c": pa.array(CELLS, pa.string_view())}),
    "parts": pa.table({"c": of_parts(pa.string())}),
    "parts, views": pa.table({"c": of_parts(pa.string_view())}),
    "parts, large": pa.table({"c": of_parts(pa.large_string())}),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_texts(name: str) -> None:
    table = Table.of(COLUMNS[name])
    assert table["c"].tolist() == table.texts("c").tolist() == [cell or "" for cell in CELLS]
    numbers, texts = table.codes("c")
    assert [texts[number] for number in numbers] == table["c"].tolist()
    assert sorted(texts) == ["", "a", "b", "d"]
    encoding = TableEncoding(missing="indicator").fit(COLUMNS[name])
    assert encoding.get_feature_names_out().tolist() == ["c=", "c=a", "c=b", "c=d"]
    plain = TableEncoding(missing="indicator").fit_transform({"c": CELLS})
    np.testing.assert_array_equal(encoding.transform(COLUMNS[name]).toarray(), plain.toarray())
    assert sorted(table.rows(1, 4).codes("c").texts) == ["", "a", "b"]


@pytest.mark.parametrize("as_label", [pl.Categorical, pl.Enum(["no", "yes"])])
def test_labels(as_label: Any) -> None:
    frame = pl.DataFrame({"x": [1, 2, 3], "y": pl.Series(["yes", "no", "yes"], dtype=as_label)})
    assert TableEncoding(label="y").fit(frame).labels(frame).tolist() == ["yes", "no", "yes"]
    with pytest.raises(ValueError, match=r"^row 1 of the table: expected a label, found nothing \(column y\)$"):
        TableEncoding(label="y").fit(frame.with_columns(y=pl.Series(["yes", None, "no"], dtype=as_label)))


def test_categories_that_are_numbers_or_dates() -> None:
    days = pd.to_datetime(["2024-05-31", "2024-06-01", "2024-05-31"])
    frame = pd.DataFrame(
        {"zip": pd.Categorical([7, 1, 7]), "on": pd.Categorical(days), "x": pd.Categorical([0.5, 1, 1])}
    )
    names = TableEncoding().fit(frame).get_feature_names_out().tolist()
    assert names == ["zip=1", "zip=7", "on=2024-05-31", "on=2024-06-01", "x=0.5", "x=1"]
