"""`--kernel` makes the model a KernelPerceptron, for every verb; what is of the other class is wrong usage."""

from typing import Any

import pytest

from rosenblatt import KernelPerceptron
from rosenblatt.doors.sklearn.model_file import load

XOR = ("--kernel", "poly", "--degree", "2", "--gamma", "1", "--coef0", "1", "--no-shuffle", "--readout", "last")


def test_xor(rosenblatt: Any, json_of: Any) -> None:
    ended = rosenblatt("train", "xor.csv", *XOR, "--model", "m.safetensors", "--json")
    said = ended.result("train")
    assert (said["n_updates"], said["n_support"], said["converged"]) == (21, 4, True)
    passes = [json_of(line, "pass")["mistakes"] for line in ended.err.splitlines()]
    assert passes == [4, 4, 4, 4, 3, 1, 1, 0]
    assert rosenblatt("predict", "m.safetensors", "xor.csv").out == "-1\n1\n1\n-1\n"
    assert "error 0.0000: 0 of 4 rows" in rosenblatt("evaluate", "m.safetensors", "xor.csv").out
    found = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")
    assert (found["class"], found["n_support"]) == ("KernelPerceptron", 4)
    assert "support vectors            4" in rosenblatt("train", "xor.csv", *XOR, "--model", "m.safetensors").out


def test_every_word_reaches_the_model(rosenblatt: Any) -> None:
    given = {
        "kernel": "rbf",
        "degree": 2,
        "gamma": 0.5,
        "coef0": -1,
        "readout": "last",
        "passes": 2,
        "suffix": 1,
        "margin": 0.25,
        "budget": 7,
        "budget_policy": "stop",
        "block_size": 3,
        "cache_size": 1,
        "n_jobs": 2,
        "max_iter": 4,
        "multiclass": "argmax",
    }
    args = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    ended = rosenblatt("train", "data.svm", *args, "--normalise", "--model", "m.safetensors")
    assert ended.code == 0, ended.err
    words = load("m.safetensors").get_params()
    assert words == {**KernelPerceptron().get_params(), **given, "normalise": True}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--kernel", "rbf", "--step", "pa"], "Error: --step has no meaning with --kernel"),
        (["--kernel", "rbf", "--no-intercept"], "Error: --intercept has no meaning with --kernel"),
        (["--gamma", "1"], "Error: --gamma needs --kernel"),
        (["--budget", "5"], "Error: --budget needs --kernel"),
        (["--kernel", "rbf", "--stream"], "Error: --stream, --cache, --checkpoint: with --kernel all rows must be in"),
        (["--kernel", "rbf", "--gamma", "large"], "expected a number, found 'large'"),
        (
            ["--kernel", "rbf", "--readout", "pocket"],
            "'last' or 'average' or 'vote' or 'random', found 'pocket'",
        ),
        (["--readout", "random"], "'last' or 'average' or 'vote' or 'pocket', found 'random'"),
        (["--kernel", "precomputed"], "'precomputed' is not one of 'linear', 'poly', 'rbf', 'sigmoid'"),
    ],
)
def test_wrong_usage(rosenblatt: Any, args: list[str], said: str) -> None:
    ended = rosenblatt("train", "xor.csv", *args, "--model", "m.safetensors")
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_tune(rosenblatt: Any) -> None:
    args = ("--kernel", "rbf", "--try", "gamma=0.5,scale", "--try", "budget=3,none", "--folds", "2")
    said = rosenblatt("tune", "data.svm", *args, "--model", "m.safetensors", "--json").result("tune")
    assert {str(one["parameters"]["gamma"]) for one in said["tried"]} == {"0.5", "scale"}
    assert isinstance(load("m.safetensors"), KernelPerceptron)
    assert len(rosenblatt("tune", "data.svm", "--try", "kernel=rbf,poly", "--json").result("tune")["tried"]) == 2
    wrong = rosenblatt("tune", "data.svm", "--kernel", "rbf", "--try", "step=pa,arow")
    assert (wrong.code, "--step has no meaning with --kernel" in wrong.err) == (2, True)
