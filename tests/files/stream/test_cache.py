"""The Arrow cache: the same bits as from the text, readable by others, never stale, never in another file's place."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rosenblatt import Perceptron
from rosenblatt.services.files.svmlight import read_svmlight
from rosenblatt.services.stream.cache import Batches, CachedStream

from .files import bytes_of, stream, write

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def fitted(path: Path, cache: Path | None = None, block_bytes: int = 64, **words: Any) -> Perceptron:
    rows = stream(path, block_bytes, **words)
    model = Perceptron(readout="average", max_iter=3)
    model._fit_stream(rows if cache is None else CachedStream(rows, cache))
    return model


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("base", [0, 1])
def test_same_bits(tmp_path: Path, dtype: Any, base: int) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    if base == 0:
        path.write_bytes(b"1 0:2 3:1\n" + path.read_bytes())
    expected = bytes_of(fitted(path, dtype=dtype), tmp_path)
    assert bytes_of(fitted(path, cache, dtype=dtype), tmp_path) == expected  # writes it
    stamp = cache.stat().st_mtime_ns
    assert bytes_of(fitted(path, cache, dtype=dtype), tmp_path) == expected  # reads it
    assert cache.stat().st_mtime_ns == stamp
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.arrow", "data.svm", "model.safetensors"]


def test_labels_that_are_names(tmp_path: Path) -> None:
    path, cache = tmp_path / "data.svm", tmp_path / "data.arrow"
    path.write_bytes("nö 1:1\nyes 2:1\nnö 3:1 4:0.5\n".encode())
    expected = bytes_of(fitted(path), tmp_path)
    for _ in range(2):
        assert bytes_of(fitted(path, cache), tmp_path) == expected


@pytest.mark.parametrize("text", [b"1\n-1\n1\n", b"yes\nno\n", b"1\n-1 2:1\n1\n"])
def test_rows_without_features(tmp_path: Path, text: bytes) -> None:
    path, cache = tmp_path / "data.svm", tmp_path / "data.arrow"
    path.write_bytes(text)
    expected = bytes_of(fitted(path, block_bytes=1), tmp_path)
    for _ in range(2):
        assert bytes_of(fitted(path, cache, block_bytes=1), tmp_path) == expected


def cut_off(cache: Path) -> None:
    os.truncate(cache, 1000)


def overwrite(cache: Path) -> None:
    """With the same bytes: it is a change all the same."""
    first = cache.read_bytes()[:1]
    with cache.open("r+b") as file:
        file.write(first)


@pytest.mark.parametrize("change", [cut_off, overwrite])
@pytest.mark.parametrize("passes_before", [0, 1])
def test_a_cache_that_changes_meanwhile(tmp_path: Path, change: Callable[[Path], None], passes_before: int) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    fitted(path, cache)
    os.utime(cache, ns=(0, 0))  # long ago, so that a change now has another time
    batches = Batches(cache)
    for _ in range(passes_before):
        assert len(list(batches.blocks(0))) > 1
    blocks = batches.blocks(0)
    next(blocks)
    change(cache)
    with pytest.raises(ValueError, match=r"data\.arrow: expected a file that stays as it is while it is read"):
        next(blocks)


@pytest.mark.parametrize("index", [-1, -(2**31), 2**31 - 1])
def test_a_damaged_index_is_refused(tmp_path: Path, index: int) -> None:
    path, cache = tmp_path / "data.svm", tmp_path / "data.arrow"
    path.write_bytes(b"1 1:1 77777:1\n-1 2:1\n")
    fitted(path, cache)
    right = np.int32(77777).tobytes()
    assert cache.read_bytes().count(right) == 1
    cache.write_bytes(cache.read_bytes().replace(right, np.int32(index).tobytes()))
    with pytest.raises(ValueError, match="a column index is negative or too large"):
        fitted(path, cache)


def test_others_read_it(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    fitted(path, cache)
    X, y = read_svmlight(path)
    with pa.memory_map(str(cache)) as file:
        frame = pa.ipc.open_file(file).read_all().to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame["label"].tolist() == pl.read_ipc(cache)["label"].to_list() == y.tolist()
    for number, (index, value) in enumerate(zip(frame["index"], frame["value"], strict=True)):
        row = X[[number]]
        np.testing.assert_array_equal(index, row.indices + 1)
        np.testing.assert_array_equal(value, row.data)


def test_another_text_another_cache(tmp_path: Path) -> None:
    """Of the same size and time."""
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    fitted(path, cache)
    stat, text = path.stat(), path.read_bytes()
    for changed in (text.replace(b":1", b":7", 1), text[:-2] + b"7\n"):
        assert (len(changed), changed == text) == (len(text), False)
        path.write_bytes(changed)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        found = bytes_of(fitted(path, cache), tmp_path)
        assert found == bytes_of(fitted(path), tmp_path)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    before = cache.stat().st_ino
    fitted(path, cache)
    assert cache.stat().st_ino != before


def test_another_type_another_cache(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    path.write_bytes(path.read_bytes() + b"1 1:0.1\n")
    fitted(path, cache, dtype=np.float32)
    assert bytes_of(fitted(path, cache), tmp_path) == bytes_of(fitted(path), tmp_path)


def test_a_pipe_needs_a_cache(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    text = path.read_bytes()
    for _ in range(2):  # that of another pipe is not taken for its own
        model = Perceptron(readout="average", max_iter=3).fit_file(io.BytesIO(text), cache=cache)
        assert bytes_of(model, tmp_path) == bytes_of(fitted(path), tmp_path)


@pytest.mark.parametrize("content", [b"precious", b"", b"ARROW1\0\0"])
def test_not_in_the_place_of_another_file(tmp_path: Path, content: bytes) -> None:
    path, other = write(tmp_path / "data.svm"), tmp_path / "other"
    other.write_bytes(content)
    with pytest.raises(ValueError, match="other: expected a cache or a free name, found another file"):
        fitted(path, other)
    assert other.read_bytes() == content


def test_not_in_the_place_of_another_arrow_file(tmp_path: Path) -> None:
    path, other = write(tmp_path / "data.svm"), tmp_path / "other.arrow"
    pl.DataFrame({"label": [1.0]}).write_ipc(other)
    with pytest.raises(ValueError, match="expected a cache or a free name, found another file"):
        fitted(path, other)


def test_bad_text_leaves_no_cache(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    path.write_bytes(path.read_bytes() + b"1 1:x\n")
    with pytest.raises(ValueError, match=r"data\.svm:41:5: expected a number after ':', found 'x'"):
        fitted(path, cache)
    assert [p.name for p in tmp_path.iterdir()] == ["data.svm"]


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    rows = CachedStream(stream(path), cache)
    blocks = rows.blocks()
    next(blocks)
    path.write_bytes(path.read_bytes() + b"1 1:1\n")
    with pytest.raises(ValueError, match="expected a file that stays as it is while it is read; it has changed"):
        for _ in blocks:
            pass
    assert not cache.exists()


def test_a_cache_without_rows(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    fitted(path, cache)
    schema = pa.ipc.open_file(cache.read_bytes()).schema
    with pa.ipc.new_file(str(cache), schema):
        pass
    with pytest.raises(ValueError, match=r"data\.arrow: expected rows, found a cache without any"):
        fitted(path, cache)


def test_a_cache_that_was_cut_off(tmp_path: Path) -> None:
    path, cache = write(tmp_path / "data.svm"), tmp_path / "data.arrow"
    fitted(path, cache)
    cache.write_bytes(cache.read_bytes()[:-100])
    with pytest.raises(ValueError, match="expected a cache or a free name"):
        fitted(path, cache)
