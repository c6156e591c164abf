"""The safetensors package reads what this one writes, and the other way round."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.base.record.parts import DTYPES
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import load, save
from rosenblatt.services.records.safetensors import read, write

from .files import assert_same

safetensors: Any = pytest.importorskip("safetensors")
numpy: Any = pytest.importorskip("safetensors.numpy")

TENSORS = {
    **{name: np.arange(6).astype(dtype).reshape(1, 2, 3) for name, dtype in DTYPES.items()},
    "empty": np.empty((0, 3)),
    "number": np.array(2.5),
}


def contents(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    with safetensors.safe_open(path, "np") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata()  # noqa: SIM118


def test_theirs_reads_ours(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        write(file, TENSORS, {"a": "b", "ä": "\n"})
    found, metadata = contents(tmp_path / "file")
    assert metadata == {"a": "b", "ä": "\n"}
    assert_same({name: found[name] for name in TENSORS}, TENSORS)


def test_ours_reads_theirs(tmp_path: Path) -> None:
    numpy.save_file(TENSORS, tmp_path / "file", {"a": "b", "ä": "\n"})
    found, metadata = read(tmp_path / "file")
    assert metadata == {"a": "b", "ä": "\n"}
    assert_same({name: found[name] for name in TENSORS}, TENSORS)


def test_a_model_written_again_by_theirs_is_the_same_model(tmp_path: Path) -> None:
    model = Perceptron(readout="vote", init=[[1, 2, 3]]).fit(*AND)
    save(model, tmp_path / "ours")
    found, metadata = contents(tmp_path / "ours")
    assert found["w"].tolist() == model._model.state.w.tolist()
    numpy.save_file(found, tmp_path / "theirs", metadata)
    assert_same(load(tmp_path / "ours"), load(tmp_path / "theirs"))
