"""A file that is not as it was written never becomes another model; one that was made to deceive never a crash."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import load, save

from .damage import loaded, with_any_entry, with_any_tensor
from .files import assert_same, opened, sealed

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

X, Y = np.vstack([AND.X, AND.X + 1]).astype(float), ["a", "b", "c", "a", "b", "c", "a", "b"]
MODELS = {
    "dense": Perceptron(readout="pocket", keep_mistakes=True, init=np.ones((3, 2)), max_iter=3),
    "sparse": Perceptron(readout="average", keep_mistakes=True, max_iter=3),
    "arow": Perceptron(step="arow", class_weight={"a": 2.0}, max_iter=3),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Path:
    folder: Path = tmp_path_factory.mktemp("models")
    for name, model in MODELS.items():
        save(model.fit(sp.csr_array(X) if name == "sparse" else X, Y), folder / name)
    return folder


def answers_or_is_refused(path: Path) -> None:
    """What is loaded may be another model, but it is one: every readout answers for each row, and it goes on."""
    model = loaded(path)
    if model is None:
        return
    rows, state = np.zeros((3, model.n_features_in_)), model._model.state
    kept = {
        "average": state.sums is not None or state.mistakes,
        "vote": state.mistakes,
        "pocket": state.pocket is not None,
    }
    for readout in ("last", *(name for name, there in kept.items() if there)):
        labels = model.set_params(readout=readout).predict(rows)
        assert set(labels) <= set(model.classes_)
        assert len(labels) == 3
    assert model.mistakes_.shape == (model.n_iter_,)
    model.set_params(readout="last", step="arow" if model._model.state.spread is not None else "perceptron")
    model.set_params(margin=None, batch_size=1, class_weight=None, keep_mistakes=False)
    with suppress(ValueError, OverflowError), np.errstate(all="ignore"):  # its rate may be next to 0
        model.partial_fit(rows, np.resize(model.classes_, 3))


@pytest.mark.parametrize("name", ["sparse", "arow"])
def test_every_byte_that_is_missing_is_missed(folder: Path, tmp_path: Path, name: str) -> None:
    whole, path = (folder / name).read_bytes(), tmp_path / "cut"
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="cut: "):
            load(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(ValueError, match="bytes of tensors, found"):
        load(path)


@pytest.mark.parametrize("name", ["sparse", "arow"])
def test_every_byte_that_is_changed_is_noticed(folder: Path, tmp_path: Path, name: str) -> None:
    whole, path = (folder / name).read_bytes(), tmp_path / "changed"
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        path.write_bytes(changed)
        with pytest.raises(ValueError, match="changed: "):
            load(path)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(MODELS)), st.data())
def test_bytes_in_the_place_of_others(folder: Path, tmp_path_factory: Any, name: str, data: Any) -> None:
    whole, path = (folder / name).read_bytes(), tmp_path_factory.mktemp("damage") / "changed"
    first = data.draw(st.integers(0, len(whole)))
    last = data.draw(st.integers(first, min(len(whole), first + 20)))
    path.write_bytes(whole[:first] + data.draw(st.binary(max_size=20)) + whole[last:])
    model = loaded(path)
    if model is not None:
        assert_same(model, MODELS[name])  # blanks in the header may come and go


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")  # any names are names
@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(MODELS)), st.data())
def test_any_record(folder: Path, tmp_path_factory: Any, name: str, data: Any) -> None:
    file = with_any_entry(opened(folder / name), data)
    answers_or_is_refused(sealed(tmp_path_factory.mktemp("damage") / "changed", *file))


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(list(MODELS)), st.data())
def test_any_tensor(folder: Path, tmp_path_factory: Any, name: str, data: Any) -> None:
    file = with_any_tensor(opened(folder / name), data)
    answers_or_is_refused(sealed(tmp_path_factory.mktemp("damage") / "changed", *file))
