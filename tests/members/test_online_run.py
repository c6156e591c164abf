"""Runs without end: the same answers as `online`, the same bits for all portions, and after a model file."""

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import KernelPerceptron, Perceptron, SequenceTagger, online
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.rows import SparseRows
from rosenblatt.members.kernel.online import KernelOnline
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.linear.online import LinearOnline
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.sentences.tagger.online import TaggerOnline
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.services.records.model_file import Stored, read, write

LINEAR: list[dict[str, Any]] = [
    {},
    {"readout": "average", "eta0": 0.3},
    {"tie": "positive", "margin": 0.5, "multiclass": "one-vs-rest"},
    {"step": "pa", "readout": "average"},
    {"step": "pa1", "C": 0.1},
    {"step": "pa2", "fit_intercept": False},
    {"step": "arow", "r": 0.7, "readout": "average"},
    {"class_weight": {"b": 2.5}, "readout": "average"},
]
KERNEL: list[dict[str, Any]] = [
    {"kernel": kernel, "budget": 7, "gamma": 0.5, **policy}
    for kernel, policy in (
        ("rbf", {}),
        ("poly", {"budget_policy": "project", "readout": "last", "degree": 2, "coef0": 1.0}),
        ("rbf", {"budget_policy": "stop"}),
        ("linear", {"budget_policy": "stop", "readout": "last", "multiclass": "argmax"}),
    )
]
TAGGER: list[dict[str, Any]] = [{}, {"readout": "last"}, {"step": "pa1"}, {"share": "-"}]


def stored(run: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write(Stored(run.model()), Path(folder, "m"))
        return Path(folder, "m").read_bytes()


def reread(run: Any) -> Any:
    """The same run after its model was written and read."""
    with tempfile.TemporaryDirectory() as folder:
        write(Stored(run.model()), Path(folder, "m"))
        return type(run)(run.parameters, read(Path(folder, "m")).model, same_pass=True)


def rows(count: int, classes: int, seed: int = 0) -> tuple[Any, list[str]]:
    random = np.random.RandomState(seed)
    X = random.randn(count, 11) * random.choice([1e-3, 1.0, 1e3], (count, 1))
    y = X[:, :classes].argmax(axis=1) if classes > 2 else (X.sum(axis=1) > 0).astype(int)
    return X, ["abcdef"[k] for k in np.where(random.rand(count) < 0.2, random.randint(0, classes, count), y)]


def sentences(count: int) -> tuple[list[list[str]], list[list[str]]]:
    random = np.random.RandomState(3)
    words = {"the": "DT", "a": "DT", "dog": "NN", "cat": "NN", "runs": "VB", "sees": "VB", "old": "JJ", "run": "NN"}
    X = [[sorted(words)[k] for k in random.randint(0, len(words), random.randint(1, 8))] for _ in range(count)]
    return X, [[words[word] if random.rand() < 0.9 else "XX" for word in sentence] for sentence in X]


def some(X: Any, y: Any, *cuts: int) -> list[tuple[Any, Any]]:
    edges = [0, *cuts, len(y)]
    return [(X[a:b], y[a:b]) for a, b in pairwise(edges)]


@pytest.mark.parametrize(
    ("make", "data"),
    [
        *[(lambda p=p: LinearOnline(PerceptronParameters.of(**p)), rows(90, c)) for p in LINEAR for c in (2, 4)],
        *[(lambda p=p: KernelOnline(KernelParameters.of(**p)), rows(60, c)) for p in KERNEL for c in (2, 3)],
        *[(lambda p=p: TaggerOnline(TaggerParameters.of(**p)), sentences(60)) for p in TAGGER],
    ],
)
def test_what_is_learned_does_not_depend_on_portions_nor_on_files(make: Any, data: Any) -> None:
    X, y = data
    whole, single, cut = make(), make(), make()
    answers = whole.learn(X, y)
    assert answers == [one for k in range(len(y)) for one in single.learn(X[k : k + 1], y[k : k + 1])]
    found = []
    for part in some(X, y, 7, 8, 31, 50):
        found += cut.learn(*part)
        cut = reread(cut)
    assert found == answers
    assert stored(whole) == stored(single) == stored(cut)
    assert whole.answer(X)[0] == single.answer(X)[0] == list(whole.model().predict(X))


@pytest.mark.parametrize(
    ("run", "estimator", "data"),
    [
        *[(LinearOnline(PerceptronParameters.of(**p)), Perceptron(**p), rows(90, c)) for p in LINEAR for c in (2, 4)],
        *[(KernelOnline(KernelParameters.of(**p)), KernelPerceptron(**p), rows(60, c)) for p in KERNEL for c in (2, 3)],
    ],
)
def test_answers_are_those_of_the_online_protocol(run: Any, estimator: Any, data: Any) -> None:
    X, y = data
    expected = [round_.prediction for round_ in online(estimator, zip(X, y, strict=True))]
    assert [taken.label for taken in run.learn(X, y)] == expected


@pytest.mark.parametrize("classes", [["a", "b"], ["a", "b", "c"]])
def test_labels_that_are_told_are_answered_from_the_first_weights(classes: list[str]) -> None:
    X, y = rows(40, 2)
    for run, estimator in (
        (LinearOnline(PerceptronParameters(tie="positive"), classes=classes), Perceptron(tie="positive")),
        (KernelOnline(KernelParameters.of(**KERNEL[0]), classes=classes), KernelPerceptron(**KERNEL[0])),
    ):
        expected = online(estimator, zip(X, y, strict=True), classes=classes)
        assert [taken.label for taken in run.learn(X, y)] == [round_.prediction for round_ in expected]


def test_a_tagger_answers_as_after_partial_fit() -> None:
    X, y = sentences(40)
    run, tagger, expected = TaggerOnline(TaggerParameters()), SequenceTagger(), list[Any]([None])
    for k in range(len(X)):
        if k:
            expected.append(tagger.predict(X[k : k + 1])[0])
        tagger.partial_fit(X[k : k + 1], y[k : k + 1])
    assert [taken.label for taken in run.learn(X, y)] == expected


@given(st.data())
def test_sparse_and_dense_rows_are_learned_to_the_same_bits(data: st.DataObject) -> None:
    X, y = rows(20, data.draw(st.sampled_from([2, 3])), data.draw(st.integers(0, 99)))
    X = np.where(np.random.RandomState(5).rand(*X.shape) < 0.4, 0, X)
    parameters = PerceptronParameters.of(**data.draw(st.sampled_from(LINEAR[:-1])))
    dense, mixed = LinearOnline(parameters), LinearOnline(parameters)
    for k in range(len(y)):
        dense.learn(X[k : k + 1], y[k : k + 1])
        one = X[k : k + 1]
        mixed.learn(of_width(one, X.shape[1]) if data.draw(st.booleans()) else one, y[k : k + 1])
    assert stored(dense) == stored(mixed)


def of_width(X: Any, width: int) -> SparseRows:
    """All values of X as sparse rows of more columns."""
    count, used = X.shape
    starts = np.arange(0, count * used + 1, used, dtype=np.int32)
    return SparseRows(X.ravel(), np.tile(np.arange(used, dtype=np.int32), count), starts, width)


def test_rows_may_become_wider() -> None:
    X, y = rows(30, 2)
    wide, narrow = LinearOnline(PerceptronParameters(step="arow")), LinearOnline(PerceptronParameters(step="arow"))
    wide.learn(of_width(X[:10, :6], 11), y[:10])
    narrow.learn(X[:10, :6], y[:10])
    for run in (wide, narrow):
        run.learn(X[10:], y[10:])
    assert stored(wide) == stored(narrow)
    assert narrow.answer(X[:, :3])[0] == wide.answer(of_width(X[:, :3], 11))[0]


@pytest.mark.parametrize("parameters", [{}, {"step": "pa", "fit_intercept": False}, {"step": "arow"}])
def test_a_row_that_is_too_large_changes_nothing(parameters: dict[str, Any]) -> None:
    X, y = rows(20, 2)
    run, without = (LinearOnline(PerceptronParameters.of(**parameters)) for _ in range(2))
    huge = np.full((1, 11), 1e300)
    run.learn(X[:10], y[:10])
    taken = run.learn(np.concatenate([huge, X[10:]]), ["a", *y[10:]])
    assert [one.learned for one in taken] == [False, *[True] * 10]
    without.learn(X, y)
    assert np.array_equal(run.model().weights("last"), without.model().weights("last"))
    assert np.isfinite(run.model().weights("last")).all()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: LinearOnline(PerceptronParameters(readout="vote")), "readout: expected 'last' or 'average'"),
        (lambda: LinearOnline(PerceptronParameters(shards=2)), "shards: expected 1"),
        (lambda: LinearOnline(PerceptronParameters(class_weight="balanced")), "class_weight: expected weights over 0"),
        (lambda: KernelOnline(KernelParameters()), "budget: expected the most support vectors"),
        (lambda: KernelOnline(KernelParameters(budget=3)), "gamma: expected a number or 'auto'"),
        (lambda: KernelOnline(KernelParameters(budget=3, kernel="precomputed")), "kernel: expected 'linear'"),
    ],
)
def test_what_has_no_meaning_without_an_end(make: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        make()


def test_other_weights_to_start_from_need_all_labels() -> None:
    X, y = rows(30, 2)
    parameters = PerceptronParameters(init="random")
    with pytest.raises(ParameterError, match="init: expected all labels"):
        LinearOnline(parameters)
    run = LinearOnline(parameters, classes=["a", "b"])
    expected = online(Perceptron(init="random"), zip(X, y, strict=True), classes=["a", "b"])
    assert [taken.label for taken in run.learn(X, y)] == [round_.prediction for round_ in expected]


@pytest.mark.parametrize(
    "make", [lambda: LinearOnline(PerceptronParameters()), lambda: TaggerOnline(TaggerParameters())]
)
def test_there_is_no_model_before_the_first_example(make: Any) -> None:
    with pytest.raises(ValueError, match="expected an example"):
        make().model()
