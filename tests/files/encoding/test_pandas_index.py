"""The index of a pandas frame is no feature and no label: in frames, and in files that pandas has written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline

from rosenblatt import Perceptron, TableEncoding, read_table
from rosenblatt.services.files.table import Table


def noise(n_rows: int = 400) -> pd.DataFrame:
    """Two columns that say nothing of the label, by which the rows are sorted."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.standard_normal(n_rows), "b": random.choice(["u", "v"], n_rows)})
    return frame.assign(y=np.repeat([0, 1], n_rows // 2))


INDEXES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "sampled": lambda frame: frame.sample(frac=1, random_state=0),
    "filtered": lambda frame: frame[frame.index % 3 > 0],
    "sorted": lambda frame: frame.sort_values("a"),
    "named": lambda frame: frame.rename_axis("day").sample(frac=1, random_state=0),
    "named as a column": lambda frame: frame.rename_axis("a").sample(frac=1, random_state=0),
    "range": lambda frame: frame.set_axis(pd.RangeIndex(5, 5 + 2 * len(frame), 2, name="day")),
    "levels": lambda frame: frame.set_index([pd.Index([f"d{k}" for k in range(len(frame))]), np.arange(len(frame))]),
    "named levels": lambda frame: frame.set_index(
        pd.MultiIndex.from_arrays([frame["y"].to_numpy(), np.arange(len(frame))], names=["place", None])
    ),
    "dates": lambda frame: frame.set_axis(pd.date_range("2024-01-01", periods=len(frame), name="day")),
    "anything": lambda frame: frame.set_axis(pd.Index([k if k % 2 else f"d{k}" for k in range(len(frame))])),
}


@pytest.mark.parametrize("name", INDEXES)
def test_frames(name: str) -> None:
    frame = INDEXES[name](noise())
    assert Table.of(frame).names == ["a", "b", "y"]
    assert TableEncoding(label="y").fit(frame).columns == ["a", "b"]


@pytest.mark.parametrize("name", [name for name in INDEXES if name not in ("anything", "named as a column")])
def test_files_that_pandas_has_written(name: str, tmp_path: Path) -> None:
    frame = INDEXES[name](noise())
    frame.to_parquet(tmp_path / "t.parquet", index=True)
    table = pa.Table.from_pandas(frame, preserve_index=True)
    assert len(table.column_names) > 3
    pa.feather.write_feather(table, tmp_path / "t.feather")
    with pa.ipc.new_stream(tmp_path / "stream.arrow", table.schema) as stream:
        stream.write_table(table)
    for source in (table, *map(read_table, tmp_path.iterdir())):
        assert Table.of(source).names == Table.of(source).all_names == ["a", "b", "y"]
        assert Table.of(source)["a"].tolist() == frame["a"].tolist()
    for path in tmp_path.iterdir():
        blocks = list(TableEncoding(label="y").fit(path).blocks(path, block_rows=77))
        assert np.concatenate([y for _, y in blocks]).tolist() == frame["y"].tolist()


def test_levels_without_metadata(tmp_path: Path) -> None:
    frame = noise().sample(frac=1, random_state=0)
    frame.to_parquet(tmp_path / "t.parquet")
    rewritten = pl.read_parquet(tmp_path / "t.parquet")  # which knows nothing of an index
    assert "__index_level_0__" in rewritten.columns
    for thing in (rewritten, rewritten.to_arrow(), rewritten.rename({"__index_level_0__": "__null_dask_index__"})):
        assert Table.of(thing).names == ["a", "b", "y"]


@pytest.mark.parametrize("metadata", [b"", b"[" * 9999, b"\xff", b"7", b'{"index_columns": {"a": 1}}'])
def test_metadata_that_is_none(metadata: bytes) -> None:
    table = pa.table({"a": [1], "y": [2]}).replace_schema_metadata({b"pandas": metadata})
    assert Table.of(table).names == ["a", "y"]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_an_index_that_pandas_wrote_as_csv_and_read_again(times: int, tmp_path: Path) -> None:
    frame, path = noise().sample(frac=1, random_state=0), tmp_path / "t.csv"
    for _ in range(times):
        frame.to_csv(path)
        frame = pd.read_csv(path)
    assert frame.columns[0].startswith("Unnamed: 0")
    frame.to_parquet(tmp_path / "t.parquet")
    for source in (frame, pl.from_pandas(frame), tmp_path / "t.parquet"):
        with pytest.warns(UserWarning, match="called 'Unnamed: 0.*no feature is made of it; to use it, give"):
            assert TableEncoding(label="y").fit(source).columns == ["a", "b"]
    with pytest.warns(UserWarning, match="t.csv: the first column has no name"):
        assert TableEncoding(label="y").fit(path).columns == ["a", "b"]
    renamed = frame.rename(columns={frame.columns[0]: "number"})[["number", "a", "b", "y"]]
    assert TableEncoding(label="y").fit(renamed).columns == ["number", "a", "b"]
    indexes = list(frame.columns[:times])
    assert TableEncoding(label="y", categorical=indexes, standardise=False).fit(frame).columns == ["a", *indexes, "b"]


def test_noise_stays_noise() -> None:
    """Rows sorted by their label, then split: the index alone told the label of nearly every row held out."""
    frame = noise()
    train, test = train_test_split(frame, random_state=0)
    encoding = TableEncoding(label="y").fit(train)
    model = Perceptron(readout="average", max_iter=20).fit(encoding.transform(train), encoding.labels(train))
    assert 0.35 < model.score(encoding.transform(test), encoding.labels(test)) < 0.65
    pipeline = make_pipeline(TableEncoding(), Perceptron(readout="average", max_iter=20))
    scores = cross_val_score(pipeline, frame.drop(columns="y"), frame["y"], cv=5)
    assert 0.35 < scores.mean() < 0.65
    new = pd.DataFrame({"a": [0.5], "b": ["u"]})
    assert encoding.transform(new).shape == (1, encoding.n_features_)
