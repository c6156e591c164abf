"""`fit_file` on tables: the rows of the encoding, however the table falls into blocks; checkpoints and caches too."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron, TableEncoding, load, read_table, save
from rosenblatt.members.run import Pass
from rosenblatt.services.stream.cache import CachedStream
from rosenblatt.services.stream.streams import Stream, TableStream

from .files import bytes_of

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def write(path: Path, n_rows: int = 40) -> Path:
    random = np.random.default_rng(0)
    lines = ["weather,wind,note,walk"]
    for _ in range(n_rows):
        weather, wind = random.choice(["sunny", "rainy", "overcast"]), round(random.normal(), 3)
        note = " ".join(random.choice(["dog", "cat", "tree"], 2))
        lines.append(f"{weather},{wind},{note},{'yes' if (weather == 'sunny') + wind > 0.3 else 'no'}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(params=[{"ignore": ["note"]}, {"text": ["note"], "bits": 8, "ngrams": 2}], ids=["dense", "sparse"])
def encoding(request: pytest.FixtureRequest, tmp_path: Path) -> TableEncoding:
    return TableEncoding(label="walk", **request.param).fit(write(tmp_path / "walks.csv"))


def few(path: Path, encoding: TableEncoding, dtype: Any = np.float64) -> TableStream:
    return TableStream(path, encoding._fitted_encoding(), dtype=dtype, block_rows=5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_it_equals_fit(tmp_path: Path, encoding: TableEncoding, dtype: Any) -> None:
    path = tmp_path / "walks.csv"
    rows = read_table(path)
    words: dict[str, Any] = {"readout": "average", "max_iter": 4}
    expected = Perceptron(**words, shuffle=False)
    expected.fit(encoding.transform(rows).astype(dtype), encoding.labels(rows))
    model = Perceptron(**words)
    model._fit_stream(few(path, encoding, dtype))
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    assert (model.mistakes_.tolist(), model.n_features_in_) == (expected.mistakes_.tolist(), encoding.n_features_)
    model = Perceptron(**words).fit_file(path, encoding=encoding, dtype=dtype)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    save(model, tmp_path / "m.safetensors", encoding=encoding)
    found = load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(
        found.predict(found.encoding_.transform(rows)), expected.predict(encoding.transform(rows))
    )


class KilledError(Exception):
    """As if the process had ended here."""


@pytest.mark.parametrize("with_cache", [False, True])
def test_killed_after_each_block(tmp_path: Path, encoding: TableEncoding, with_cache: bool) -> None:
    path, checkpoint, cache = tmp_path / "walks.csv", tmp_path / "run.part", tmp_path / "walks.arrow"

    def rows() -> Stream:
        stream = few(path, encoding)
        return CachedStream(stream, cache) if with_cache else stream

    model = Perceptron(readout="average", max_iter=2)
    model._fit_stream(few(path, encoding))
    expected = bytes_of(model, tmp_path)
    kills = 0
    while True:
        cache.unlink(missing_ok=True)
        left = kills

        def watch(so_far: Pass) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise KilledError

        try:
            Perceptron(readout="average", max_iter=2)._fit_stream(rows(), checkpoint, seconds=0, watch=watch)
            break
        except KilledError:
            kills += 1
        again = Perceptron(readout="average", max_iter=2)
        again._fit_stream(rows(), checkpoint, resume=checkpoint.exists(), seconds=0)
        assert bytes_of(again, tmp_path) == expected
        checkpoint.unlink()
    assert kills > 9


def test_a_checkpoint_of_another_encoding(tmp_path: Path, encoding: TableEncoding) -> None:
    path, checkpoint = tmp_path / "walks.csv", tmp_path / "run.part"
    Perceptron(max_iter=2).fit_file(path, encoding=encoding, checkpoint=checkpoint)
    other = TableEncoding(label="walk", ignore=["note", "wind"]).fit(path)
    with pytest.raises(ValueError, match="expected a checkpoint of the same run"):
        Perceptron(max_iter=2).fit_file(path, encoding=other, checkpoint=checkpoint, resume=True)


def test_other_delimiters(tmp_path: Path, encoding: TableEncoding) -> None:
    expected = Perceptron(max_iter=2).fit_file(tmp_path / "walks.csv", encoding=encoding).coef_
    text = (tmp_path / "walks.csv").read_text(encoding="utf-8").replace(",", ":")
    (tmp_path / "walks.txt").write_text(text, encoding="utf-8")
    found = Perceptron(max_iter=2).fit_file(tmp_path / "walks.txt", encoding=encoding, delimiter=":").coef_
    np.testing.assert_array_equal(found, expected)
