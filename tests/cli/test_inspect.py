"""`rosenblatt inspect`: what is in a file, by how it begins; and the demo, which needs none."""

from typing import Any

import pytest

from rosenblatt import LinearUnit
from rosenblatt.data.lectures import AND
from rosenblatt.model_file.estimator import save
from rosenblatt.theory.data_hash import data_hash


def test_data(rosenblatt: Any) -> None:
    said = rosenblatt("inspect", "data.svm", "--json").result("inspect_data")
    assert (said["n_rows"], said["n_features"], said["classes"], said["counts"]) == (24, 2, [1, 2, 3], [8, 8, 8])
    assert said["density"] == said["n_values"] / 48
    ended = rosenblatt("inspect", "--from", "csv", stdin=b"a,b,c\n1,0,x\n0,0,y\n1,2,y\n")
    assert [line.split(maxsplit=1) for line in ended.out.splitlines()] == [
        ["file", "data"],
        ["n_rows", "3"],
        ["n_features", "2"],
        ["n_values", "3"],
        ["density", "0.5"],
        ["classes", "x, y"],
        ["counts", "1, 2"],
        ["feature_names", "a, b"],
    ]


def test_model(rosenblatt: Any) -> None:
    rosenblatt("train", "and.csv", "--no-shuffle", "--model", "m.safetensors")
    said = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")
    assert (said["class"], said["n_rows"], said["classes"], said["n_updates"]) == ("Perceptron", 4, [-1, 1], 18)
    assert (said["feature_names"], said["data"]) == (["x1", "x2"], data_hash(*AND))
    assert "converged              yes\n" in rosenblatt("inspect", "m.safetensors").out


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_model_that_is_no_classifier(rosenblatt: Any) -> None:
    save(LinearUnit().fit(*AND), "unit.safetensors")
    assert rosenblatt("inspect", "unit.safetensors", "--json").result("inspect_model")["class"] == "LinearUnit"
    ended = rosenblatt("plot", "boundary", "and.csv", "--model", "unit.safetensors", "-o", "boundary.png")
    assert ended == (1, "", "error: unit.safetensors: expected a classifier, found a LinearUnit\n")


def test_proof(rosenblatt: Any) -> None:
    rosenblatt("certify", "and.csv", "-o", "proof.json")
    text = rosenblatt("inspect", "proof.json").out
    assert text.startswith("file         proof\nseparable    yes\nkind         complete\n")
    assert "bound        51\n" in text
    (code, out, err) = rosenblatt("inspect", "proof.json", "--json")
    assert (code, err) == (0, "")
    assert '"file": "proof"' in out


def test_damaged(rosenblatt: Any, folder: Any) -> None:
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    content = bytearray((folder / "m.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "m.safetensors").write_bytes(content)
    ended = rosenblatt("inspect", "m.safetensors")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: m.safetensors: expected what its sha256 was made of")
    (folder / "proof.json").write_text("{}", encoding="utf-8")
    assert rosenblatt("inspect", "proof.json").code == 1
