"""A run that ends between any two blocks and is resumed ends with the same model, to the bit."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.members.run import Pass
from rosenblatt.services.stream.cache import CachedStream
from rosenblatt.services.stream.streams import Stream

from .files import bytes_of, stream, write

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

VARIANTS: list[dict[str, Any]] = [
    {},
    {"readout": "average", "eta0": 0.1},
    {"step": "arow", "readout": "average"},
    {"step": "pa1", "fit_intercept": False, "tol": 1e-3, "n_iter_no_change": 2},
]


class KilledError(Exception):
    """As if the process had ended here."""


def run(rows: Stream, checkpoint: Path, words: dict[str, Any], kill_after: int | None, *, resume: bool) -> Perceptron:
    left = kill_after

    def watch(so_far: Pass) -> None:
        nonlocal left
        if left is not None:
            left -= 1
            if left < 0:
                raise KilledError

    model: Perceptron = Perceptron(max_iter=3).set_params(**words)
    model._fit_stream(rows, checkpoint, resume=resume, seconds=0, watch=watch)
    return model


@pytest.mark.parametrize("words", VARIANTS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("with_cache", [False, True])
def test_killed_after_each_block(tmp_path: Path, words: dict[str, Any], n_classes: int, with_cache: bool) -> None:
    path, checkpoint = write(tmp_path / "data.svm", n_rows=20, n_classes=n_classes), tmp_path / "run.part"

    def rows() -> Stream:
        return CachedStream(stream(path), tmp_path / "data.arrow") if with_cache else stream(path)

    model = Perceptron(max_iter=3).set_params(**words)
    model._fit_stream(stream(path))
    expected, kills = bytes_of(model, tmp_path), 0
    while True:
        (tmp_path / "data.arrow").unlink(missing_ok=True)
        try:
            run(rows(), checkpoint, words, kills, resume=False)
            break
        except KilledError:
            kills += 1
        assert bytes_of(run(rows(), checkpoint, words, None, resume=True), tmp_path) == expected
    assert kills > (7 if with_cache else 12)  # a cache has fewer blocks


def test_killed_again_and_again(tmp_path: Path) -> None:
    path, checkpoint = write(tmp_path / "data.svm"), tmp_path / "run.part"
    model = Perceptron(max_iter=3)
    model._fit_stream(stream(path))
    for _ in range(200):
        try:
            found = run(stream(path), checkpoint, {}, 2, resume=True)
            break
        except KilledError:
            continue
    assert bytes_of(found, tmp_path) == bytes_of(model, tmp_path)


def test_after_the_end(tmp_path: Path) -> None:
    path, checkpoint = write(tmp_path / "data.svm"), tmp_path / "run.part"
    model = run(stream(path), checkpoint, {}, None, resume=True)
    again = run(stream(path), checkpoint, {}, 0, resume=True)  # nothing is left to do
    assert bytes_of(again, tmp_path) == bytes_of(model, tmp_path)


@pytest.mark.parametrize(
    ("words", "change", "dtype"),
    [({"eta0": 0.5}, b"", np.float64), ({}, b"1 1:1\n", np.float64), ({}, b"", np.float32)],
)
def test_of_another_run(tmp_path: Path, words: dict[str, Any], change: bytes, dtype: Any) -> None:
    path, checkpoint = write(tmp_path / "data.svm"), tmp_path / "run.part"
    run(stream(path), checkpoint, {}, None, resume=False)
    before = checkpoint.read_bytes()
    if change:
        path.write_bytes(path.read_bytes() + change)
    with pytest.raises(ValueError, match=r"run\.part: expected a checkpoint of the same run: the same data, unchanged"):
        run(stream(path, dtype=dtype), checkpoint, words, None, resume=True)
    assert checkpoint.read_bytes() == before


@pytest.mark.parametrize("place", range(0, 2000, 37))
def test_damage_is_refused(tmp_path: Path, place: int) -> None:
    path, checkpoint = write(tmp_path / "data.svm"), tmp_path / "run.part"
    run(stream(path), checkpoint, {}, None, resume=False)
    content = bytearray(checkpoint.read_bytes())
    content[place % len(content)] ^= 0x11
    checkpoint.write_bytes(content)
    with pytest.raises(ValueError, match=r"run\.part: "):
        run(stream(path), checkpoint, {}, None, resume=True)


def test_it_needs_a_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="checkpoint: expected rows from a file, found <file>"):
        Perceptron().fit_file(io.BytesIO(b"1 1:1\n"), checkpoint=tmp_path / "run.part")
    with pytest.raises(FileNotFoundError, match=r"nowhere\.svm"):
        Perceptron().fit_file(tmp_path / "nowhere.svm", checkpoint=tmp_path / "run.part")
    with pytest.raises(ValueError, match="resume: expected a checkpoint to go on from, found checkpoint=None"):
        Perceptron().fit_file(write(tmp_path / "data.svm"), resume=True)
