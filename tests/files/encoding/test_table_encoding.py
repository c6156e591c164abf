"""`TableEncoding`: the lecture's recipe exactly, every policy, and the same features whatever the table comes from."""

import io
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rosenblatt import Perceptron, TableEncoding, read_table
from rosenblatt.services.files import table as table_module
from rosenblatt.services.files.table import Table
from tests import oldest
from tests.text.plain_rows import plain_rows

WEATHER = {"weather": ["sunny", "rainy", "overcast"]}
# Quinlan's fourteen days: outlook, temperature, humidity, wind, and whether to play.
TENNIS = b"""outlook,temperature,humidity,wind,play
sunny,hot,high,weak,no
sunny,hot,high,strong,no
overcast,hot,high,weak,yes
rain,mild,high,weak,yes
rain,cool,normal,weak,yes
rain,cool,normal,strong,no
overcast,cool,normal,strong,yes
sunny,mild,high,weak,no
sunny,cool,normal,weak,yes
rain,mild,normal,weak,yes
sunny,mild,normal,strong,yes
overcast,mild,high,strong,yes
overcast,hot,normal,weak,yes
rain,mild,high,strong,no
"""
INDICATORS = """
0010101001 0010101010 1000101001 0100011001 0101000101 0101000110 1001000110 0010011001 0011000101 0100010101
0010010110 1000011010 1000100101 0100011010
"""


def dense(X: Any) -> Any:
    return X if isinstance(X, np.ndarray) else X.toarray()


def test_the_lectures_recipe() -> None:
    """Three values, three binary features; two different values differ in two of them (Hamming)."""
    X = TableEncoding().fit_transform(WEATHER)
    assert X.tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert {int((X[i] != X[j]).sum()) for i, j in itertools.combinations(range(3), 2)} == {2}


def test_play_tennis() -> None:
    table = read_table(io.BytesIO(TENNIS))
    encoding = TableEncoding(label="play").fit(table)
    assert encoding.get_feature_names_out().tolist() == [
        "outlook=overcast",
        "outlook=rain",
        "outlook=sunny",
        "temperature=cool",
        "temperature=hot",
        "temperature=mild",
        "humidity=high",
        "humidity=normal",
        "wind=strong",
        "wind=weak",
    ]
    X = encoding.transform(table)
    assert ["".join(map(str, map(int, row))) for row in X] == INDICATORS.split()
    assert encoding.labels(table).tolist() == [row.rsplit(",")[-1] for row in TENNIS.decode().split("\n")[1:-1]]
    theirs = OneHotEncoder(sparse_output=False)
    np.testing.assert_array_equal(X, theirs.fit_transform(pd.read_csv(io.BytesIO(TENNIS)).drop(columns="play")))


def test_numbers_categories_and_text_side_by_side() -> None:
    frame: dict[str, Any] = {
        "note": ["wet and cold", "fine", ""],
        "wind": [3, 5, 10],
        "weather": ["b", "a", "b"],
        "town": [7, 7, 8],
    }
    encoding = TableEncoding(text=["note"], categorical=["town"], standardise=True, bits=8).fit(frame)
    X: Any = encoding.transform(frame)
    texts = plain_rows(frame["note"], bits=8)
    assert isinstance(X, sp.csr_matrix | sp.csr_array)
    assert X.shape == (3, encoding.n_features_) == (3, 1 + 2 + 2 + len(texts[0]))
    wind = StandardScaler().fit_transform(np.array(frame["wind"], dtype=float).reshape(-1, 1))
    expected = np.hstack([wind, [[0, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]], texts])
    np.testing.assert_allclose(X.toarray(), expected, atol=1e-6)
    assert encoding.texts_ is not None
    first = encoding.texts_.encodings[0].features[0]
    names = encoding.get_feature_names_out().tolist()
    assert names[:6] == [
        "wind",
        "weather=a",
        "weather=b",
        "town=7",
        "town=8",
        f"note#{first}",
    ]
    assert len(names) == X.shape[1]


def test_nothing_but_text() -> None:
    table = {"note": ["red red", "", "blue"]}
    X = TableEncoding(text=["note"], bits=8).fit(table).transform(table)
    np.testing.assert_allclose(X.toarray(), plain_rows(table["note"], bits=8), atol=1e-6)
    assert not X[1].nnz
    with pytest.raises(
        ValueError,
        match=r"^row 0 of the table: expected a text with a word in one of the rows, found none \(column note\)$",
    ):
        TableEncoding(text=["note"]).fit({"note": ["", " "]})


def test_texts_that_tell_labels_apart() -> None:
    """Words count by how rare they are or, if asked, by how unevenly two labels use them."""
    table = {"note": ["wet wet", "fine", "wet", "dry"], "walk": ["no", "yes", "no", "yes"]}
    encoding = TableEncoding(text=["note"], label="walk", weighting="ratio", bits=8).fit(table)
    np.testing.assert_allclose(
        encoding.transform(table).toarray(), plain_rows(table["note"], y=[0, 1, 0, 1], bits=8), atol=1e-6
    )
    rare = TableEncoding(text=["note"], label="walk").fit(table).texts_
    assert rare is not None
    assert rare.weighting == "tfidf"
    with pytest.raises(ValueError, match=r"^weighting: expected a column of labels for 'ratio', found none$"):
        TableEncoding(text=["note"], weighting="ratio").fit({"note": ["wet"]})


GAPS: dict[str, list[Any]] = {"wind": [1, None, 5], "weather": ["sunny", "rainy", None], "town": ["a", "a", "b"]}


@pytest.mark.parametrize(
    ("words", "names", "rows"),
    [
        ({"missing": "zero", "standardise": False}, "wind rainy sunny", [[1, 0, 1], [0, 1, 0], [5, 0, 0]]),
        ({"missing": "mean", "standardise": False}, "wind rainy sunny", [[1, 0, 1], [3, 1, 0], [5, 1, 0]]),
        (
            {"missing": "indicator", "standardise": False},
            "wind wind= weather= rainy sunny",
            [[1, 0, 0, 0, 1], [0, 1, 0, 1, 0], [5, 0, 1, 0, 0]],
        ),
        (
            {"missing": {"wind": "mean", "weather": "indicator"}, "standardise": False},
            "wind weather= rainy sunny",
            [[1, 0, 0, 1], [3, 0, 1, 0], [5, 1, 0, 0]],
        ),
        ({"missing": "mean", "standardise": True}, "wind rainy sunny", [[-1, 0, 1], [0, 1, 0], [1, 1, 0]]),
        ({"missing": "zero", "standardise": True}, "wind rainy sunny", [[-1, 0, 1], [0, 1, 0], [1, 0, 0]]),
    ],
)
def test_missing_values(words: dict[str, Any], names: str, rows: list[list[float]]) -> None:
    for frame in (Table.of(GAPS), read_table(io.BytesIO(b"wind,weather,town\n1,sunny,a\n,rainy,a\n5,,b\n"))):
        encoding = TableEncoding(ignore=["town"], **words).fit(frame)
        short = [name.removeprefix("weather=") or name for name in encoding.get_feature_names_out()]
        assert short == names.split()
        assert encoding.transform(frame).tolist() == rows


def test_a_gap_that_training_had_not() -> None:
    full = {"wind": [1, 2], "weather": ["a", "b"]}
    encoding = TableEncoding(missing="indicator").fit(full)
    for gap in ({"wind": [None], "weather": ["a"]}, {"wind": [1], "weather": [None]}):
        with pytest.raises(ValueError, match=r"^row 0 of the table: expected a value, or a policy .*, found nothing"):
            encoding.transform(gap)
    assert TableEncoding(missing="mean", standardise=False).fit(full).transform(
        {"wind": [None], "weather": [None]}
    ).tolist() == [[1.5, 1, 0]]


def test_a_category_that_training_had_not() -> None:
    new = read_table(io.BytesIO(b"weather\nsunny\nfoggy\n"))
    with pytest.raises(ValueError, match=r"^<file>:3:1: expected one of 'overcast', .*, found 'foggy' \(column weath"):
        TableEncoding().fit(WEATHER).transform(new)
    assert TableEncoding(unknown="ignore").fit(WEATHER).transform(new).tolist() == [[0, 0, 1], [0, 0, 0]]
    with pytest.raises(ValueError, match="found nothing"):
        TableEncoding(unknown="ignore").fit(WEATHER).transform({"weather": [""]})


def test_columns_are_taken_by_name() -> None:
    encoding = TableEncoding(label="walk", standardise=False).fit({"a": [1, 2], "walk": ["x", "y"], "b": ["u", "v"]})
    new = {"id": [b"7"], "b": ["v"], "a": [5]}
    assert encoding.transform(new).tolist() == [[5, 0, 1]]
    with pytest.raises(ValueError, match=r"^the table: expected a column 'walk', found id, b, a$"):
        encoding.labels(new)
    with pytest.raises(ValueError, match=r"^label: expected the name of a column, found None"):
        TableEncoding().fit(WEATHER).labels(WEATHER)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-1.0", "2e0"], np.array([1, -1, 2])),
        (["1", "1/2", "0.1"], np.array([1, 0.5, 0.1])),
        (["1", "b", "02"], np.array(["1", "b", "02"])),
    ],
)
def test_labels_keep_their_kind(cells: list[str], expected: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x,y\n" + "".join(f"0,{cell}\n" for cell in cells)
    encoding = TableEncoding(label="y").fit(io.BytesIO(text.encode()))
    for block_rows in (1, 2, 3):
        parts = [y for _, y in encoding.blocks(io.BytesIO(text.encode()), block_rows=block_rows)]
        assert {part.dtype.kind for part in parts} == {expected.dtype.kind}
        np.testing.assert_array_equal(np.concatenate(parts), expected)


def test_labels_of_another_kind() -> None:
    encoding = TableEncoding(label="y").fit({"x": [1, 2], "y": [1, 2]})
    for cell, said in (("a", "a number, found 'a'"), ("0.5", "a whole number, as before, found 0.5")):
        with pytest.raises(ValueError, match=f"^<file>:2:2: expected {said} "):
            encoding.labels(io.BytesIO(f"x,y\n1,{cell}\n".encode()))
    with pytest.raises(ValueError, match="expected a label that does not end in a character 0"):
        TableEncoding(label="y").fit({"x": [1, 2], "y": ["a", "a\0"]})


numbers = st.one_of(st.none(), st.integers(-9, 9), st.sampled_from([0.5, -0.25, 1e10]))
words = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "ü", "d e", '"', "x,y"]))
texts = st.lists(st.sampled_from(["wet", "cold", "fine", "Fine"]), max_size=4).map(" ".join)
tables = st.lists(st.tuples(numbers, numbers, words, texts, st.sampled_from(["no", "yes"])), min_size=1, max_size=8)
encodings = st.fixed_dictionaries(
    {
        "missing": st.sampled_from(["zero", "mean", "indicator"]),
        "standardise": st.booleans(),
        "unknown": st.sampled_from(["error", "ignore"]),
        "ngrams": st.integers(1, 2),
        "chars": st.sampled_from([0, 4, "auto"]),
        "text": st.sampled_from([[], ["note"]]),
    }
)


def as_frame(rows: list[tuple[Any, ...]]) -> Any:
    rows = [(1, 2, "a", "fine", "no"), *rows]  # so that every column has a value
    columns = dict(zip(("wind", "rain", "weather", "note", "walk"), map(list, zip(*rows, strict=True)), strict=True))
    types = [("wind", pa.float64()), ("rain", pa.float64())]
    types += [(name, pa.string()) for name in ("weather", "note", "walk")]
    return pa.table(columns, schema=pa.schema(types))


def sources(frame: Any, folder: Path) -> dict[str, Any]:
    pa.csv.write_csv(frame, folder / "t.csv")
    pa.parquet.write_table(frame, folder / "t.parquet", row_group_size=3)
    pa.feather.write_feather(frame, folder / "t.feather", chunksize=2)
    files = {name: folder / name for name in ("t.csv", "t.parquet", "t.feather")}
    return {**files, "arrow": frame, "pandas": frame.to_pandas(), "polars": pl.from_arrow(frame)}


@settings(max_examples=30, deadline=None)
@given(tables, encodings, st.integers(1, 4))
def test_one_table_one_matrix(tmp_path_factory: Any, rows: Any, given_words: Any, block_rows: int) -> None:
    """CSV, Parquet, Arrow and frames; read at once and in blocks; before and after JSON: the same bits."""
    frame = as_frame(rows)
    ignore = [] if given_words["text"] else ["note"]
    found = sources(frame, tmp_path_factory.mktemp("tables"))
    encodings = [TableEncoding(label="walk", ignore=ignore, **given_words).fit(source) for source in found.values()]
    (record,) = {encoding.to_json() for encoding in encodings}
    again = TableEncoding.from_json(record)
    assert again.to_json() == record
    X, y = encodings[0].transform(frame), encodings[0].labels(frame)
    for encoding, (name, source) in itertools.product((encodings[0], again), found.items()):
        np.testing.assert_array_equal(dense(encoding.transform(source)), dense(X))
        assert encoding.labels(source).tolist() == y.tolist()
        if name.startswith("t."):
            blocks = list(encoding.blocks(source, block_rows=block_rows))
            assert {block.shape[0] for block, _ in blocks[:-1]} <= {block_rows}
            np.testing.assert_array_equal(np.vstack([dense(block) for block, _ in blocks]), dense(X))
            assert [label for _, labels in blocks for label in labels] == y.tolist()
    assert getattr(X, "has_canonical_format", True)


@settings(max_examples=30, deadline=None)
@given(tables, st.integers(1, 3))
def test_learned_in_blocks(rows: Any, block_rows: int) -> None:
    """What is counted does not depend on the blocks; what is averaged does in the last bits only."""
    frame = as_frame(rows)
    whole = TableEncoding(label="walk", missing="mean", standardise=True, ignore=["note"]).fit(frame)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rosenblatt.services.files.encoding.encoding.BLOCK_ROWS", block_rows)
        parts = clone(whole).fit(frame)
    assert parts.categories_ == whole.categories_
    np.testing.assert_allclose(parts.numbers_.mean, whole.numbers_.mean, atol=1e-6)
    np.testing.assert_allclose(parts.transform(frame), whole.transform(frame), atol=1e-6)


def test_a_large_table_in_blocks(tmp_path: Path) -> None:
    n = 2 * table_module.BLOCK_ROWS + 5
    frame = pd.DataFrame({"a": np.arange(n) / 7, "b": [f"c{k % 5}" for k in range(n)], "y": np.arange(n) % 2})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=777)
    fitted = [
        TableEncoding(label="y", standardise=True).fit(source)
        for source in (frame, tmp_path / "t.csv", tmp_path / "t.parquet")
    ]
    assert len({encoding.to_json() for encoding in fitted}) == 1
    sizes = [len(y) for _, y in fitted[0].blocks(tmp_path / "t.csv")]
    assert sizes == [table_module.BLOCK_ROWS, table_module.BLOCK_ROWS, 5]


def test_blocks_train_a_model() -> None:
    encoding = TableEncoding(label="play").fit(io.BytesIO(TENNIS))
    X, y = encoding.transform(io.BytesIO(TENNIS)), encoding.labels(io.BytesIO(TENNIS))
    model = Perceptron(shuffle=False)
    for part, labels in encoding.blocks(io.BytesIO(TENNIS), block_rows=5):
        model.partial_fit(part, labels)
    np.testing.assert_array_equal(model.coef_, Perceptron(shuffle=False).partial_fit(X, y).coef_)


@pytest.mark.parametrize("frame_of", [pd.DataFrame, pl.DataFrame, pytest.param(pa.table, marks=oldest.pyarrow_tables)])
def test_in_a_pipeline(frame_of: Callable[..., Any]) -> None:
    columns = pd.read_csv(io.BytesIO(TENNIS))
    frame, y = frame_of(columns.drop(columns="play")), columns["play"].to_numpy(dtype=str)
    pipeline = make_pipeline(TableEncoding(), Perceptron(readout="average"))
    grid = {"tableencoding__unknown": ["error", "ignore"], "perceptron__eta0": [1.0, 2.0]}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise")
    search.fit(frame, y)
    assert search.predict(frame).shape == (14,)


def test_names_go_to_frames() -> None:
    encoding = TableEncoding().set_output(transform="pandas")
    frame = encoding.fit_transform(pd.DataFrame(WEATHER))
    assert frame.columns.tolist() == ["weather=overcast", "weather=rainy", "weather=sunny"]
    assert repr(clone(TableEncoding(label="a", bits=9))) == "TableEncoding(bits=9, label='a')"
