"""A tagger that was saved and loaded is the same, and goes on learning as it would have; damage is refused."""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import SequenceTagger, load, save
from rosenblatt.base.record.parts import pack
from rosenblatt.members.sentences.tagger.model import NAMES
from rosenblatt.services.records.safetensors import Sealed, read

X = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "sleep"], []]
Y = [["DET", "NOUN", "VERB"], ["DET", "NOUN", "VERB"], ["NOUN", "VERB"], []]
SIZE = 171  # cells that it learns from them


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"step": "pa1"},
        {"templates": ["U:%x[0,0]", "B"], "share": "U", "boundary": "drop"},
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
    assert (again.n_iter_, again.converged_, again.n_weight_rows_) == (
        model.n_iter_,
        model.converged_,
        model.n_weight_rows_,
    )
    for one in (model, again):
        one.set_params(early_stopping=False).partial_fit([["cats", "bark"]], [["X", "VERB"]])
    for found, expected in zip(again._model.chain.arrays(), model._model.chain.arrays(), strict=True):
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


def test_what_is_packed(tmp_path: Path) -> None:
    save(SequenceTagger().fit(X, Y), tmp_path / "m")
    tensors = read(tmp_path / "m")[0]
    for name in ("before", "counts", "cell_labels", "w", "sums"):
        assert tensors[name][:2].tobytes() == b"i1"
        assert len(zlib.decompress(tensors[name][2:].tobytes())) in (SIZE, len(tensors["keys"]))


@pytest.mark.parametrize(
    ("tensor", "value", "message"),
    [
        ("before", 99, "a label before must be a label or -1"),
        ("counts", -1, "tensor 'counts': expected 0 to 3 cells a row"),
        ("counts", 99, "tensor 'counts': expected 0 to 3 cells a row"),
        ("counts", 1, "tensor 'cell_labels': expected 170 numbers, found 171"),
        ("counts", 3, "tensor 'cell_labels': expected 172 numbers, found 171"),
        ("cell_labels", 99, "the labels of a row must rise"),
        ("keys", 0, "keys must not be 0"),
    ],
)
def test_damage_is_refused(tensor: str, value: int, message: str, tmp_path: Path) -> None:
    model = SequenceTagger().fit(X, Y)
    save(model, tmp_path / "m")
    wrong = dict(zip(NAMES, model._model.chain.arrays(), strict=True))[tensor].copy()
    assert wrong[0] != value
    wrong[0] = value
    changed(tmp_path / "m", **{tensor: wrong if tensor == "keys" else pack(wrong)})
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "m")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "tensor 'w': expected numbers packed as i1 or i2 or i4 or i8 or f8, found ''"),
        (b"u1abc", "tensor 'w': expected numbers packed as i1 or i2 or i4 or i8 or f8, found 'u1'"),
        (b"i1abc", "tensor 'w': expected numbers packed by zlib: "),
        (b"i1" + zlib.compress(bytes(10**6)), "packed numbers and nothing more"),
        (b"i1" + zlib.compress(bytes(SIZE))[:-1], "packed numbers and nothing more"),
        (b"i1" + zlib.compress(bytes(SIZE)) + b"x", "packed numbers and nothing more"),
        (b"i2" + zlib.compress(bytes(2 * SIZE - 1)), "packed numbers and nothing more"),
        (b"i2" + zlib.compress(bytes(SIZE + 1)), "tensor 'w': expected 171 numbers, found 86"),
        (b"f8" + zlib.compress(np.full(SIZE, np.nan).tobytes()), "tensor 'w': expected finite numbers"),
    ],
)
def test_what_cannot_be_unpacked_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    save(SequenceTagger().fit(X, Y), tmp_path / "m")
    changed(tmp_path / "m", w=np.frombuffer(content, dtype=np.uint8))
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "m")


def test_what_shards_made_is_checked(tmp_path: Path) -> None:
    model = SequenceTagger(shards=3, max_iter=2, templates=["U:%x[0,0]"]).fit(X, Y)
    assert model.mixed_mistakes_.tolist() != model.sentence_mistakes_.tolist()
    path = tmp_path / "m"
    save(model, path)
    changed(path, mixed_mistakes_=model.sentence_mistakes_ + 0.5)
    with pytest.raises(ValueError, match=r"mixed_mistakes_.*: expected numbers from 0 to those of sentence_mistakes_"):
        load(path)
    for units, said in ((0, "units: expected an integer from 1 to"), (2**21, r"units must be from 1 to 2\^20")):
        save(model, path)
        found, metadata = read(path)
        record = {**json.loads(metadata["model"]), "units": units}
        arrays = {name: array.copy() for name, array in found.items()}
        Sealed("a model file", "rosenblatt_format", "model", 1).write(path, record, arrays)
        with pytest.raises(ValueError, match=said):
            load(path)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"template_lines": ["U:%x[0,0]", "U1:%lower[0,0]", "B"]}, "attributes: expected 3, one for each template"),
        ({"attributes": 1}, "attributes: expected 2, one for each template, found 1"),
    ],
)
def test_templates_that_do_not_fit_the_weights_are_refused(
    record: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "m"
    save(SequenceTagger(templates=["U:%x[0,0]", "B"]).fit(X, Y), path)
    tensors, metadata = read(path)
    tensors = {name: array.copy() for name, array in tensors.items()}
    Sealed("a model file", "rosenblatt_format", "model", 1).write(
        path, {**json.loads(metadata["model"]), **record}, tensors
    )
    with pytest.raises(ValueError, match=message):
        load(path)
