"""A parser that was saved and loaded is the same, and goes on learning as it would have; damage is refused."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import DependencyParser, load, save
from rosenblatt.base.record.parts import pack
from rosenblatt.data.treebank import load_treebank
from rosenblatt.members.sentences.parser.model import NAMES
from rosenblatt.services.records.safetensors import Sealed, read

from .strategies import LINES

TREEBANK = load_treebank()


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"templates": LINES, "beam": 3, "readout": "last"},
        {"early_stopping": True, "templates": "lean"},
        {"prune": 1.0, "exploration": 0.0},
    ],
)
def test_round_trip(words: dict[str, Any], tmp_path: Path) -> None:
    model = DependencyParser(max_iter=3, **words).fit(*TREEBANK)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.get_params() == model.get_params()
    assert again.predict(TREEBANK.sentences) == model.predict(TREEBANK.sentences)
    for name in ("n_iter_", "kept_pass_", "converged_", "n_weight_rows_", "pruned_"):
        assert getattr(again, name) == getattr(model, name)
    for one in (model, again):
        one.set_params(early_stopping=False).partial_fit([["oh", "no"]], [[0, 1]], [["top", "det"]])
    for found, expected in zip(again._model.weights.arrays(), model._model.weights.arrays(), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_file_of_templates_is_not_needed_again(tmp_path: Path) -> None:
    path = tmp_path / "templates.txt"
    path.write_text("# mine\n%lower[s0,0]/%suffix2[b0,0]\n%gap[s1,s0]\n", encoding="utf-8")
    model = DependencyParser(templates=path).fit(*TREEBANK)
    save(model, tmp_path / "m")
    path.unlink()
    assert load(tmp_path / "m").predict(TREEBANK.sentences) == model.predict(TREEBANK.sentences)


def changed(path: Path, tensors: dict[str, Any], record: dict[str, Any]) -> None:
    found, metadata = read(path)
    found = {**{name: array.copy() for name, array in found.items()}, **tensors}
    before = json.loads(metadata["model"])
    Sealed("a model file", "rosenblatt_format", "model", 1).write(path, {**before, **record}, found)


@pytest.mark.parametrize(
    ("tensor", "value", "message"),
    [
        ("keys", 0, "keys must rise, and not be 0"),
        ("keys", 2**64 - 1, "keys must rise, and not be 0"),
        ("counts", -1, "tensor 'counts': expected 0 to 61 cells a row"),
        ("counts", 99, "tensor 'counts': expected 0 to 61 cells a row"),
        ("counts", 0, "tensor 'cell_actions': expected"),
        ("cell_actions", 61, "the actions of a row must rise"),
        ("cell_actions", -1, "the actions of a row must rise"),
        ("cell_actions", 2**40, "tensor 'cell_actions': expected numbers of 32 bits"),
        ("w", 2**30, "a weight is too large"),
        ("sums", 2**62, r"sums must be within 2\^61"),
    ],
)
def test_damaged_tensors_are_refused(tensor: str, value: int, message: str, tmp_path: Path) -> None:
    model = DependencyParser(max_iter=2, templates=LINES).fit(*TREEBANK)
    save(model, tmp_path / "m")
    wrong = dict(zip(NAMES, model._model.weights.arrays(), strict=True))[tensor]
    wrong = wrong.copy() if tensor == "keys" else wrong.astype(np.int64)
    wrong[0] = value
    changed(tmp_path / "m", {tensor: wrong if tensor == "keys" else pack(wrong)}, {})
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "m")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"arc_labels": []}, "arc_labels: expected numbers of labels, found []"),
        ({"arc_labels": [0, 99]}, "labels of arcs must rise, from 0 to the number of labels"),
        ({"root_labels": [1, 0]}, "labels of arcs must rise, from 0 to the number of labels"),
        ({"root_labels": ["a"]}, "root_labels: expected numbers of labels, found ['a']"),
        ({"template_lines": ["%y[s0,0]"]}, "template_lines:1:2: expected one of x, lower"),
        ({"template_lines": []}, "template_lines"),
        ({"n_templates": 0}, "n_templates: expected an integer from 1"),
        ({"n_templates": len(LINES) - 1}, f"n_templates: expected {len(LINES)}, as many as there are, found"),
        ({"template_lines": [*LINES, LINES[0]]}, f"n_templates: expected {len(LINES) + 1}, as many as there are"),
        ({"visits": 2**40}, "visits must be from 0 to 2^31"),
        ({"file_columns": ["word"]}, "file_columns: expected columns of CoNLL-U, found ['word']"),
        ({"pruned": -1.0}, "pruned: expected a finite number from 0 on"),
    ],
)
def test_damaged_records_are_refused(record: dict[str, Any], message: str, tmp_path: Path) -> None:
    save(DependencyParser(max_iter=2, templates=LINES).fit(*TREEBANK), tmp_path / "m")
    changed(tmp_path / "m", {}, record)
    with pytest.raises(ValueError, match=re.escape(message)):
        load(tmp_path / "m")
