"""`rosenblatt train --stream`: the same model as in Python, from a file, a cache or a pipe."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.doors.sklearn.model_file import load, summary
from rosenblatt.services.files.svmlight import read_svmlight

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

AVERAGE = ("--readout", "average", "--max-iter", "3", "--model", "m.safetensors")


def two_classes(folder: Path) -> Path:
    lines = (folder / "data.svm").read_text(encoding="utf-8").splitlines(keepends=True)
    path = folder / "two.svm"
    path.write_text("".join(line for line in lines if not line.startswith("3")), encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [("--stream",), ("--cache", "c.arrow"), ("--checkpoint", "run.part")])
def test_the_model_of_fit(rosenblatt: Any, folder: Path, json_of: Any, words: tuple[str, ...]) -> None:
    X, y = read_svmlight(two_classes(folder))
    expected = Perceptron(readout="average", max_iter=3, shuffle=False).fit(X, y)
    ended = rosenblatt("train", "two.svm", *AVERAGE, *words, "--json")
    said = ended.result("train")
    assert (said["n_rows"], said["n_features"], said["classes"]) == (*X.shape, [1, 2])
    passes = [json_of(line, "pass") for line in ended.err.splitlines()]
    assert [(line["pass"], line["mistakes"]) for line in passes] == list(enumerate(expected.mistakes_.tolist(), 1))
    model = load("m.safetensors")
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    assert (model.classes_.dtype, model.mistakes_.tolist()) == (np.int64, expected.mistakes_.tolist())
    assert summary("m.safetensors")["training"]["data"].startswith("file of ")
    assert (folder / "c.arrow").exists() == ("c.arrow" in words)
    assert not (folder / "run.part").exists()


def test_a_pipe(rosenblatt: Any, folder: Path) -> None:
    text = two_classes(folder).read_bytes()
    ended = rosenblatt("train", "-", *AVERAGE, "--stream", stdin=text)
    expected = "standard input can be read only once: give --max-iter 1, or --cache PATH for further passes"
    assert (ended.code, ended.err) == (1, f"error: {expected}\n")
    assert rosenblatt("train", "-", *AVERAGE, "--cache", "c.arrow", stdin=text).code == 0
    assert summary("m.safetensors")["training"]["data"] is None


def test_floats_and_weights(rosenblatt: Any, folder: Path) -> None:
    X, y = read_svmlight(two_classes(folder), dtype=np.float32)
    words: Any = {"readout": "average", "max_iter": 2, "shuffle": False}
    expected = Perceptron(**words, class_weight={1: 3.0}).fit(X, y)
    options = ("--max-iter", "2", "--class-weight", "1=3", "--float32", "--stream", "--model", "m.safetensors")
    assert rosenblatt("train", "two.svm", *options).code == 0
    np.testing.assert_array_equal(load("m.safetensors").coef_, expected.coef_)
    assert load("m.safetensors").coef_.dtype == np.float32


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("two.svm", "--resume"), 2, "--resume needs --checkpoint, the file to go on from"),
        (("-", "--stream", "--from", "csv"), 2, "--stream reads a table twice: expected a file, found standard input"),
        (("two.svm", "--stream", "--readout", "vote"), 2, "readout: expected 'last' or 'average' to learn from a file"),
        (("two.svm", "--cache", "none/c.arrow"), 2, "expected a file in a folder that is there"),
        (("two.svm", "--cache", "and.csv"), 1, "and.csv: expected a cache or a free name, found another file"),
        (("none.svm", "--stream"), 1, "none.svm"),
        (("-", "--checkpoint", "run.part"), 1, "checkpoint: expected rows from a file, found <stdin>"),
        (("broken.svm", "--checkpoint", "run.part"), 1, "broken.svm:2:5: expected a number after ':', found 'x'"),
    ],
)
def test_wrong_usage_and_broken_input(rosenblatt: Any, folder: Path, args: Any, code: int, said: str) -> None:
    two_classes(folder)
    (folder / "broken.svm").write_bytes(b"1 1:1\n2 1:x\n")
    before = sorted(path.name for path in folder.iterdir())
    ended = rosenblatt("train", *args, "--model", "m.safetensors", stdin=b"1 1:1\n2 2:1\n")
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_table(rosenblatt: Any, folder: Path) -> None:
    words = ("--label", "walk", "--ignore", "day", "--missing", "mean", "--no-shuffle")
    chosen = ("--readout", "last", "--max-iter", "auto")
    assert rosenblatt("train", "walks.csv", *words, *chosen, "--model", "all.safetensors").code == 0
    assert rosenblatt("train", "walks.csv", *words, *chosen, "--stream", "--model", "m.safetensors").code == 0
    np.testing.assert_array_equal(load("m.safetensors").coef_, load("all.safetensors").coef_)
    answers = rosenblatt("predict", "m.safetensors", "walks.csv")
    assert answers == rosenblatt("predict", "all.safetensors", "walks.csv")
    assert answers.code == 0


@pytest.mark.parametrize(
    ("cell", "said"),
    [("", "expected a value, or a policy for missing ones"), ("abc", "expected a number, found 'abc'")],
)
def test_a_wrong_number_far_down(rosenblatt: Any, folder: Path, cell: str, said: str) -> None:
    rows = [f"{k % 7},{k % 3},{'no' if k % 2 else 'yes'}" for k in range(20_000)]
    rows[15_000] = f"1,{cell},no"
    (folder / "far.csv").write_text("\n".join(["a,b,label", *rows, ""]), encoding="utf-8")
    for more in ((), ("--stream",), ("--cache", "far.arrow")):
        ended = rosenblatt("train", "far.csv", "--max-iter", "1", "--model", "far.safetensors", *more)
        assert (ended.code, ended.out) == (1, "")
        assert f"far.csv:15002:2: {said}" in ended.err
        assert sorted(path.name for path in folder.glob("far*")) == ["far.csv"]
