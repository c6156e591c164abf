"""The options are the parameters of the members: names, defaults and allowed values; and they reach the model."""

import re
from typing import Any, get_args, get_type_hints

import click
import pytest
from sklearn.utils._param_validation import StrOptions

from rosenblatt.doors.cli.parameters import (
    TRACED,
    TRAINED,
    help_of,
    member_of,
    option_of,
    parameters_of,
    type_of,
)
from rosenblatt.doors.sklearn.kernel_perceptron import KernelPerceptron
from rosenblatt.doors.sklearn.perceptron import Perceptron
from rosenblatt.members import MEMBERS
from rosenblatt.members.kernel.parameters import KERNELS
from rosenblatt.services.lessons.trace.setting import _REFUSED


def test_no_parameter_is_missing() -> None:
    declared = member_of("Perceptron").declarations()
    assert set(TRAINED) == set(declared) - {"warm_start"}  # a program begins anew
    without_meaning = {"readout", "keep_mistakes", "validation_fraction", "n_iter_no_change", "rounds", "n_jobs"}
    without_meaning |= {"probabilities"}
    assert set(TRACED) == set(declared) - set(_REFUSED) - without_meaning


OF_THE_KERNEL = {*parameters_of("KernelPerceptron")} - {*parameters_of("Perceptron"), "kernel"}


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        *((Perceptron, name) for name in TRAINED),
        *((KernelPerceptron, name) for name in sorted(OF_THE_KERNEL)),
    ],
)
def test_values(estimator: Any, name: str) -> None:
    kind = type_of(member_of(estimator.__name__).declarations()[name])
    hint = get_type_hints(estimator.__init__)[name]
    constraints = estimator._parameter_constraints[name]
    allowed = {value for part in constraints if isinstance(part, StrOptions) for value in part.options}
    if isinstance(kind, click.Choice):
        assert set(kind.choices) == allowed == set(get_args(hint))
    for value in allowed:
        assert kind.convert(value, None, None) == value


def test_the_tagger_has_parameters_too(rosenblatt: Any) -> None:
    given: dict[str, Any] = {
        "templates": "chunk",
        "boundary": "drop",
        "readout": "last",
        "step": "pa2",
        "C": 0.5,
        "share": "-",
        "min_count": 1,
        "max_iter": 4,
        "validation_fraction": 0.25,
        "n_iter_no_change": 2,
        "shards": 3,
        "rounds": 2,
        "n_jobs": 2,
        "random_state": 7,
    }
    args = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    args += ["--no-shuffle", "--early-stopping", "--no-refit"]
    assert rosenblatt("tag", "train", "train.txt", *args, "--model", "m.safetensors").code == 0
    said = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")["parameters"]
    assert said == {**given, "shuffle": False, "early_stopping": True, "refit": False}


def test_every_parameter_reaches_the_model(rosenblatt: Any) -> None:
    given: dict[str, tuple[str, Any]] = {
        "readout": ("average", "average"),
        "step": ("pa1", "pa1"),
        "tie": ("positive", "positive"),
        "margin": ("1/2", 0.5),
        "eta0": ("2", 2),
        "C": ("0.25", 0.25),
        "r": ("1e1", 10),
        "init": ("1,2,3;4,5,6;7,8,9", [[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
        "max_iter": ("4", 4),
        "batch_size": ("1", 1),
        "multiclass": ("one-vs-rest", "one-vs-rest"),
        "intercept_scaling": ("2", 2),
        "class_weight": ("1=1,2=2,3=1/2", None),  # JSON has no keys that are numbers: looked at below
        "random_state": ("3", 3),
        "tol": ("0", 0),
        "validation_fraction": ("0.25", 0.25),
        "n_iter_no_change": ("2", 2),
        "shards": ("1", 1),  # more of them keep no mistakes
        "rounds": ("3", 3),
        "n_jobs": ("2", 2),
    }
    flags = {
        "shuffle": False,
        "fit_intercept": True,
        "early_stopping": True,
        "keep_mistakes": True,
        "probabilities": True,
    }
    assert given.keys() | flags.keys() == set(TRAINED)
    args = [f"--{name.replace('_', '-')}={text}" for name, (text, _) in given.items()]
    args += ["--no-shuffle", "--intercept", "--early-stopping", "--keep-mistakes", "--probabilities"]
    ended = rosenblatt("train", "data.svm", *args, "--model", "m.safetensors")
    assert ended.code == 0, ended.err
    words = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")["parameters"]
    weights = words.pop("class_weight")
    assert {int(label): weight for label, weight in weights.items()} == {1: 1, 2: 2, 3: 0.5}
    del words["warm_start"]
    expected = {name: value for name, (_, value) in given.items() if name != "class_weight"}
    assert words == {**expected, **flags}


def test_left_out_they_are_the_defaults(rosenblatt: Any) -> None:
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    words = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")["parameters"]
    assert words == Perceptron().get_params()


def test_what_may_be_of_either_class() -> None:
    both = parameters_of("Perceptron", "KernelPerceptron")
    assert set(type_of(both["kernel"]).choices) == set(KERNELS) - {"precomputed"}
    assert set(type_of(both["readout"]).choices) == {"last", "average", "vote", "pocket", "random"}
    assert option_of(both["readout"]).help == "Which weights answer.  [default: last; with --kernel: average]"
    assert "precomputed" not in both["kernel"].text


@pytest.mark.parametrize("kind", MEMBERS)
def test_help_is_one_sentence_in_the_words_of_the_command_line(kind: str) -> None:
    for name, parameter in member_of(kind).declarations().items():
        text = help_of(parameter).replace(". Left out:", "")
        assert not re.search(r"[`\"]|\. |None", text), (name, text)
