"""A tagger that was saved and loaded is the same, and goes on learning as it would have; damage is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import SequenceTagger, load, save
from rosenblatt.safetensors import read
from rosenblatt.sealed import Sealed

X = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "sleep"], []]
Y = [["DET", "NOUN", "VERB"], ["DET", "NOUN", "VERB"], ["NOUN", "VERB"], []]


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"step": "pa1"},
        {"templates": ["U:%x[0,0]", "B"], "beam": 2, "boundary": "drop"},
        {"early_stopping": True, "readout": "last"},
    ],
)
def test_round_trip(words: dict[str, Any], tmp_path: Path) -> None:
    model = SequenceTagger(**words).fit(X, Y)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.get_params() == model.get_params()
    assert again.predict(X) == model.predict(X)
    assert again.predict_nbest(X, 3) == model.predict_nbest(X, 3)
    assert (again.n_iter_, again.converged_, again.n_rows_) == (model.n_iter_, model.converged_, model.n_rows_)
    for one in (model, again):
        one.partial_fit([["cats", "bark"]], [["X", "VERB"]])
    for found, expected in zip(again._chain.arrays(), model._chain.arrays(), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_template_file_is_not_needed_again(tmp_path: Path) -> None:
    path = tmp_path / "templates.txt"
    path.write_text("U:%x[0,0]\nU1:%suffix2[-1,0]/%lower[1,0]\nB\n", encoding="utf-8")
    model = SequenceTagger(templates=path).fit(X, Y)
    save(model, tmp_path / "m")
    path.unlink()
    assert load(tmp_path / "m").predict(X) == model.predict(X)


def changed(path: Path, **tensors: Any) -> None:
    found, metadata = read(path)
    found = {**{name: array.copy() for name, array in found.items()}, **tensors}
    Sealed("a model file", "rosenblatt_format", "model", 1).write(path, json.loads(metadata["model"]), found)


@pytest.mark.parametrize(
    ("tensor", "value", "message"),
    [
        ("before", 99, "a label before must be a label or -1"),
        ("counts", 99, "counts must add up to the number of cells"),
        ("cell_labels", 99, "the labels of a row must rise"),
        ("keys", 0, "keys must not be 0"),
    ],
)
def test_damage_is_refused(tensor: str, value: int, message: str, tmp_path: Path) -> None:
    save(SequenceTagger().fit(X, Y), tmp_path / "m")
    wrong = read(tmp_path / "m")[0][tensor].copy()
    wrong[0] = value
    changed(tmp_path / "m", **{tensor: wrong})
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "m")
