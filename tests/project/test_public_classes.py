"""Public classes are known as `rosenblatt`'s, wherever they live: their examples, their pickles, their parameters."""

import copy
import doctest
import inspect
import pickle
import pickletools
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import scipy.sparse as sp

import rosenblatt
from rosenblatt.data.lectures import AND
from rosenblatt.data.treebank import treebank_path

CLASSES: dict[str, Any] = {
    name: value for name in rosenblatt.__all__ if isinstance(value := getattr(rosenblatt, name), type)
}
ESTIMATORS = {name: value for name, value in CLASSES.items() if hasattr(value, "_parameters_class")}
TEXTS = ["a fine film", "dull and long", "fine actors", "so dull"]
SENTENCES, TAGS = [["the", "dog", "barks"], ["dogs", "bark"]], [["D", "N", "V"], ["N", "V"]]


def test_which_they_are() -> None:
    assert len(CLASSES) == 19
    assert len(ESTIMATORS) == 13


@pytest.mark.parametrize("name", CLASSES)
def test_they_say_rosenblatt(name: str) -> None:
    assert CLASSES[name].__module__ == "rosenblatt"
    assert pickle.loads(pickle.dumps(CLASSES[name])) is CLASSES[name]


@pytest.mark.parametrize("name", CLASSES)
def test_their_examples(name: str) -> None:
    # doctest looks at a module for what says it is of that module, and so passes these over.
    home = import_module(rosenblatt._HOMES[name])
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL * 0)
    found = finder.find(CLASSES[name], name, module=False, globs=dict(vars(home)))
    assert sum(len(one.examples) for one in found) > 0
    for one in found:
        runner.run(one, out=sys.stderr.write)
    assert runner.failures == 0


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_page_lists_the_parameters_of_the_constructor(name: str) -> None:
    section = ESTIMATORS[name].__doc__.partition("Parameters\n    ----------\n")[2].partition("\n\n    ")[0]
    names = [line.strip() for line in section.splitlines() if not line.startswith("     ")]
    assert names == list(inspect.signature(ESTIMATORS[name]).parameters)


def test_what_inspect_sees_of_a_constructor() -> None:
    signature = inspect.signature(rosenblatt.Perceptron)
    assert list(signature.parameters)[:3] == ["readout", "step", "margin"]
    assert len(signature.parameters) == 26
    assert signature.parameters["max_iter"].default == "auto"
    assert get_args(signature.parameters["tie"].annotation) == ("mistake", "positive", "negative")
    assert {parameter.kind for parameter in signature.parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert str(inspect.signature(rosenblatt.RandomHypotheses)).startswith("(k: int = 100, *, hypotheses: Any = None, ")
    assert list(inspect.signature(rosenblatt.StructuredPerceptron).bind(len, max).arguments) == ["features", "decode"]


def test_what_a_type_checker_sees_of_a_constructor(tmp_path: Path) -> None:
    path = tmp_path / "user.py"
    path.write_text(
        "from rosenblatt import KernelPerceptron, Perceptron, StructuredPerceptron\n"
        "reveal_type(Perceptron(margin=1).margin)\n"
        "Perceptron(maxiter=3)\n"
        "Perceptron(readout='mean')\n"
        "Perceptron(3)\n"
        "KernelPerceptron().budget_policy = 'merge'\n"
        "StructuredPerceptron(lambda x, y: {})\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file", "", str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
    assert 'user.py:2: note: Revealed type is "float | None"' in printed
    assert 'Unexpected keyword argument "maxiter" for "Perceptron"' in printed
    assert set(re.findall(r"user.py:(\d): error: .*\[(.*)\]", printed)) == {
        ("3", "call-arg"),
        ("4", "arg-type"),
        ("5", "call-arg"),
        ("5", "arg-type"),
        ("6", "assignment"),
        ("7", "call-arg"),
    }


def fitted() -> dict[str, Any]:
    """Fitted estimators of all kinds."""
    X, y = AND
    sparse = sp.csr_array(np.asarray(X, dtype=np.float64))
    linear = rosenblatt.Perceptron(keep_mistakes=True, readout="vote").fit(sparse, y)
    set_by_hand = rosenblatt.Perceptron().fit(X, y)
    set_by_hand.coef_ = np.array([[1.0, 2.0]])
    structured = rosenblatt.StructuredPerceptron(_features, _decode, keep_mistakes=True)
    return {
        "new": rosenblatt.Perceptron(),
        "linear": linear,
        "sparsified": rosenblatt.Perceptron().fit(X, y).sparsify(),
        "set by hand": set_by_hand,
        "pocket": rosenblatt.Perceptron(readout="pocket", tol=1).fit(X, y),
        "arow": rosenblatt.Perceptron(step="arow", readout="average", tol=1).fit(X, y),
        "kernel": rosenblatt.KernelPerceptron(tol=1).fit(X, y),
        "sparse kernel": rosenblatt.KernelPerceptron(kernel="poly", coef0=1, tol=1).fit(sparse, y),
        "callable": rosenblatt.KernelPerceptron(kernel=_dots, tol=1).fit(X, y),
        "project": rosenblatt.KernelPerceptron(budget=2, tol=1).fit(X, y),
        "passive-aggressive": rosenblatt.PassiveAggressiveClassifier(average=3, tol=None).fit(X, y),
        "numbers": rosenblatt.PassiveAggressiveRegressor(average=True, tol=None).fit(sparse, y),
        "texts": rosenblatt.TextClassifier().fit(TEXTS, [0, 1, 0, 1]),
        "unit": rosenblatt.LinearUnit().fit(X, y),
        "classifier": rosenblatt.LinearUnitClassifier().fit(X, y),
        "hypotheses": rosenblatt.RandomHypotheses(k=5).fit(X, y),
        "structured": structured.fit([0, 1, 2], [0, 1, 0]),
        "structured vectors": rosenblatt.StructuredPerceptron(_vector, _decode_vector).fit([0, 1, 2], [0, 1, 0]),
        "tagger": rosenblatt.SequenceTagger().fit(SENTENCES, TAGS),
        "parser": rosenblatt.DependencyParser().fit(SENTENCES, [[2, 3, 0], [2, 0]], [["d", "s", "r"], ["s", "r"]]),
        "pipeline": rosenblatt.TextPipeline(tree="lean").fit_file(treebank_path(), without=["lemmas"]),
        "encoding": rosenblatt.TableEncoding().fit({"weather": ["sunny", "rainy"], "wind": [1.0, 2.0]}),
        "certificate": rosenblatt.certify(X, y),
    }


def _features(x: int, y: int) -> dict[Any, int]:
    return {(x, y): 1}


def _decode(weights: Any, x: int) -> int:
    return max((0, 1), key=lambda y: weights @ _features(x, y))


def _vector(x: int, y: int) -> Any:
    return np.eye(6)[2 * x + y]


def _decode_vector(weights: Any, x: int) -> int:
    return max((0, 1), key=lambda y: weights @ _vector(x, y))


def _dots(A: Any, B: Any) -> Any:
    return A @ B.T + 1


FITTED = fitted()


@pytest.mark.parametrize("name", FITTED)
def test_pickles_do_not_depend_on_the_rooms(name: str) -> None:
    text = pickle.dumps(FITTED[name], protocol=4)
    named = [arg for code, arg, _ in pickletools.genops(text) if isinstance(arg, str) and arg.startswith("rosenblatt")]
    assert set(named) <= {"rosenblatt"}
    assert named or name == "certificate"


@pytest.mark.parametrize("name", FITTED)
@pytest.mark.parametrize("again", [lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy])
def test_they_come_back_as_they_were(name: str, again: Any) -> None:
    model, other = FITTED[name], again(FITTED[name])
    asked: dict[str, Any] = {"structured": [0, 1, 2], "structured vectors": [0, 1, 2], "texts": TEXTS}
    asked |= {"tagger": SENTENCES, "parser": SENTENCES}
    if hasattr(model, "predict") and hasattr(model, "_model"):
        X = asked.get(name, AND.X)
        assert list(other.predict(X)) == list(model.predict(X))
    if name == "encoding":
        table = {"weather": ["rainy"], "wind": [3.0]}
        np.testing.assert_array_equal(other.transform(table), model.transform(table))
    assert pickle.dumps(other) == pickle.dumps(again(other))
