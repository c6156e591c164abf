"""`rosenblatt compare`, and the commands that it and `tune` print: they train the very model that is named."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rosenblatt as library
from rosenblatt.doors.sklearn.model_file import load
from rosenblatt.members.neighbours.parameters import UnitClassifierParameters
from rosenblatt.services.files.svmlight import read_svmlight

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
TABLE = ("walks.csv", "--label", "walk", "--missing", "mean", "--folds", "2")


def trained_by(command: str, rosenblatt: Any) -> Any:
    """The model that a command of the shell makes."""
    program, *words = shlex.split(command)
    assert program == "rosenblatt"
    ended = rosenblatt(*words)
    assert ended.code == 0, ended.err
    return load(words[words.index("--model") + 1])


def test_the_command_trains_the_model_that_is_named(rosenblatt: Any, folder: Path) -> None:
    (folder / "data.svm").rename("my data.svm")
    said = rosenblatt("compare", "my data.svm", "--zero-based", "no", "--seed", "3", "--json").result("compare")
    assert "'my data.svm' --zero-based no " in said["command"]
    best = said["compared"][0]
    expected = getattr(library, best["class"])(**best["parameters"]).fit(*read_svmlight("my data.svm"))
    model = trained_by(said["command"], rosenblatt)
    assert type(model) is type(expected)
    assert {name: model.get_params()[name] for name in best["parameters"]} == best["parameters"]
    X = read_svmlight("my data.svm")[0]
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    assert model.get_params()["random_state"] == 3


@pytest.mark.parametrize(
    "words", [(), ("--no-intercept", "--class-weight", "no=1/3,yes=2"), ("--seed", "5", "--standardise")]
)
def test_the_command_of_a_table(rosenblatt: Any, words: tuple[str, ...]) -> None:
    said = rosenblatt("compare", *TABLE, *words, "--json").result("compare")
    model = trained_by(said["command"], rosenblatt)
    assert {name: model.get_params()[name] for name in said["compared"][0]["parameters"]} == said["compared"][0][
        "parameters"
    ]
    of_tables = [word for word in (*TABLE[:5], *words) if word in (*TABLE, "--standardise")]
    assert rosenblatt("train", *of_tables, "--model", "trained.safetensors").code == 0
    assert model.encoding_.to_json() == load("trained.safetensors").encoding_.to_json()
    text = rosenblatt("compare", *TABLE, *words).out.splitlines()
    assert text[-1] == f"train the best: {said['command']}"
    assert text[2].startswith(said["compared"][0]["name"])
    assert any(line.startswith("majority: always ") for line in text)


@pytest.mark.parametrize("kind", ["Perceptron", "KernelPerceptron", "LinearUnitClassifier"])
def test_every_line_has_a_command(rosenblatt: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    from rosenblatt.services.comparison.compare import Comparison

    # As if this one had been the best.
    best = property(lambda found: next(line for line in found.lines if line.candidate.kind == kind))
    monkeypatch.setattr(Comparison, "best", best)
    said = rosenblatt("compare", "data.svm", "--no-intercept", "--json").result("compare")
    model = trained_by(said["command"], rosenblatt)
    line = next(line for line in said["compared"] if line["class"] == kind)
    assert type(model).__name__ == kind
    assert {name: model.get_params()[name] for name in line["parameters"]} == line["parameters"]
    if kind == "LinearUnitClassifier":
        UnitClassifierParameters.of(**line["parameters"])


@pytest.mark.parametrize(
    "words",
    [
        ("data.svm",),
        ("data.svm", "--step", "arow", "--seed", "2"),
        ("data.svm", "--kernel", "rbf", "--margin", "1/2"),
        ("walks.csv", "--label", "walk", "--missing", "mean", "--try", "max-iter=2,3", "--class-weight", "no=2,yes=1"),
    ],
)
def test_the_command_of_tune(rosenblatt: Any, words: tuple[str, ...]) -> None:
    ended = rosenblatt("tune", *words, "--folds", "2", "--model", "tuned.safetensors", "--json")
    said = ended.result("tune")
    tuned = load("tuned.safetensors")
    again = trained_by(said["command"].replace("tuned.safetensors", "again.safetensors"), rosenblatt)
    assert again.get_params() == tuned.get_params()
    assert (again.n_iter_, again.mistakes_.tolist()) == (tuned.n_iter_, tuned.mistakes_.tolist())
    if not hasattr(again, "support_"):
        np.testing.assert_array_equal(again.coef_, tuned.coef_)
    if "--try" in words:
        text = rosenblatt("tune", *words, "--folds", "2").out.splitlines()
        assert text[-1] == f"train the best: {said['command'].replace('tuned.', 'model.')}"


def test_tune_without_try_knows_what_to_try(rosenblatt: Any) -> None:
    said = rosenblatt("tune", "data.svm", "--folds", "2", "--json").result("tune")
    tried = [line["parameters"] for line in said["tried"]]
    assert {parameters["step"] for parameters in tried} == {"perceptron", "pa1", "arow"}
    assert {parameters["readout"] for parameters in tried} == {"last", "average"}
    assert len({parameters["max_iter"] for parameters in tried}) > 2
    assert len({parameters.get("C") for parameters in tried}) > 2
    assert len({parameters.get("r") for parameters in tried}) > 2
    assert said["best"]["error"] == min(line["error"] for line in said["tried"])
    assert said["majority"] == {"label": 1, "error": pytest.approx(2 / 3)}
    gammas = rosenblatt("tune", "data.svm", "--kernel", "rbf", "--folds", "2", "--json").result("tune")["tried"]
    assert len({line["parameters"]["gamma"] for line in gammas}) == 3


def test_a_picture(rosenblatt: Any, folder: Path) -> None:
    ended = rosenblatt("compare", "data.svm", "-o", "errors.png")
    assert (ended.code, ended.err) == (0, "")
    assert (folder / "errors.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "stdin", "code", "said"),
    [
        (("-",), b"1 1:1\n1 2:1\n", 1, "at least 2 classes, found only 1"),
        (("-",), b"1 1:1\n2 2:1\n", 1, "folds=5: expected at least as many rows, found 2"),
        (("prices.csv", "--label", "price"), b"", 1, "LinearUnit (rosenblatt train --unit) learns numbers"),
        (("data.svm", "-o", "errors.gif"), b"", 2, "expected a name that ends in .png"),
        (("data.svm", "--folds", "1"), b"", 2, "1 is not in the range"),
        (("tune", "-"), b"1 1:1\n1 2:1\n", 1, "at least 2 classes, found only 1"),
        (("tune", "-"), b"1 1:1\n2 2:1\n", 1, "folds=5: expected at least as many rows, found 2"),
        (("tune", "prices.csv", "--label", "price"), b"", 1, "LinearUnit (rosenblatt train --unit) learns numbers"),
    ],
)
def test_what_cannot_be_compared(rosenblatt: Any, folder: Path, words: Any, stdin: bytes, code: int, said: str) -> None:
    before = sorted(folder.iterdir())
    ended = rosenblatt(*(words if words[0] == "tune" else ("compare", *words)), stdin=stdin)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert sorted(folder.iterdir()) == before


def test_the_program_that_is_named_is_this_one(rosenblatt: Any, folder: Path) -> None:
    command = rosenblatt("compare", "data.svm").out.splitlines()[-1].removeprefix("train the best: ")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, shell=True, check=True, env=os.environ | {"PATH": path}, stdout=subprocess.DEVNULL)
    assert (folder / "model.safetensors").exists()
