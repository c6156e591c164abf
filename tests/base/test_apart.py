"""What numpy would make one, or pass over, is refused by all who take labels and rows: two labels stay two."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
import pytest

from rosenblatt import (
    DependencyParser,
    KernelPerceptron,
    LinearUnit,
    LinearUnitClassifier,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    RandomHypotheses,
    SequenceTagger,
    TableEncoding,
    certify,
    certify_kernel,
    margin,
    online,
    trace,
    write_svmlight,
)
from rosenblatt.base.labels import NumberedLabels
from rosenblatt.data.lectures import AND
from rosenblatt.members.neighbours.squared_error import SquaredError
from rosenblatt.services.proofs.verify import verify

X = np.array([[0.0, 1.0], [1.0, 0.0]])
PAIRS: list[tuple[list[Any], str]] = [
    (["a", "a\0"], r"y: expected labels that do not end in a character 0, found 'a\\x00'"),
    ([1, "1"], "y: expected strings or numbers as labels, found both: 1 and '1'"),
    (["True", True], "y: expected strings or numbers as labels, found both: 'True' and True"),
    (["nan", np.nan], "y: expected strings or numbers as labels, found both: 'nan' and nan"),
    ([b"a", "a"], "y: expected strings or numbers as labels, found both: b'a' and 'a'"),
    ([2**53 + 1, 2.0**53], "y: expected whole numbers up to 2\\^53 beside floats, found 9007199254740993"),
]
WAYS: dict[str, Callable[[Any], Any]] = {
    "Perceptron": lambda y: Perceptron().fit(X, y),
    "partial_fit": lambda y: Perceptron().partial_fit(X, y),
    "KernelPerceptron": lambda y: KernelPerceptron().fit(X, y),
    "kernel partial_fit": lambda y: KernelPerceptron().partial_fit(X, y),
    "LinearUnitClassifier": lambda y: LinearUnitClassifier().fit(X, y),
    "RandomHypotheses": lambda y: RandomHypotheses().fit(X, y),
    "certify": lambda y: certify(X, y),
    "certify_kernel": lambda y: certify_kernel(X, y, kernel="rbf"),
    "margin": lambda y: margin([1.0, 0.0, 0.0], X, y),
    "trace": lambda y: trace(X, y),
    "an array of objects": lambda y: certify(X, np.array(y, dtype=object)),
    "a series": lambda y: Perceptron().fit(X, pd.Series(y, dtype=object)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("labels", "said"), PAIRS, ids=range(len(PAIRS)))
def test_labels_of_which_numpy_makes_one(way: str, labels: list[Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        WAYS[way](labels)


@pytest.mark.parametrize(("labels", "said"), PAIRS, ids=range(len(PAIRS)))
def test_the_checker_of_proofs(labels: list[Any], said: str) -> None:
    proof = certify(X, [1, 2])
    with pytest.raises(AssertionError, match=said):
        assert proof.verify(X, labels), proof.verify(X, labels).reason


@pytest.mark.parametrize("labels", [["1", "b"], [1, 2.0], [True, 2], [2**53 + 1, 1], [2**60, 0], ["a\0b", "a"]])
def test_labels_that_stay_apart(labels: list[Any]) -> None:
    assert len(Perceptron().fit(X, labels).classes_) == 2
    assert certify(X, labels).verify(X, labels)


def test_classes_that_are_listed() -> None:
    with pytest.raises(ValueError, match=r"classes: expected strings or numbers as labels, found both: 1 and '1'"):
        Perceptron().partial_fit(X, [1, 1], classes=[1, "1"])
    with pytest.raises(ValueError, match=r"y: expected strings or numbers as labels, found both: 'N' and 1"):
        SequenceTagger().partial_fit([["a"]], [["N"]], classes=["N", 1])


def test_tags() -> None:
    said = r"expected labels that do not end in a character 0, found 'N\\x00'"
    with pytest.raises(ValueError, match=said):
        SequenceTagger().fit([["a", "b"]], [["N", "N\0"]])
    with pytest.raises(ValueError, match=said):
        SequenceTagger().partial_fit([["a", "b"]], [["N", "N\0"]])
    with pytest.raises(ValueError, match=said):
        DependencyParser().fit([[("a", "X"), ("b", "X")]], [[2, 0]], [["N", "N\0"]])
    with pytest.raises(ValueError, match=said):
        NumberedLabels.of(["N", "N\0"], np.array([0, 1]))


MASKED = np.ma.array(AND.X.astype(float), mask=AND.X.sum(axis=1)[:, np.newaxis] > [2, 1])
SAID = "expected a value in every place, found 1 masked: fill it, or leave its row out"
FITTED = Perceptron().fit(*AND)
ROWS: dict[str, Callable[[Any], Any]] = {
    "Perceptron": lambda X: Perceptron().fit(X, AND.y),
    "partial_fit": lambda X: Perceptron().partial_fit(X, AND.y),
    "predict": FITTED.predict,
    "decision_function": FITTED.decision_function,
    "score": lambda X: FITTED.score(X, AND.y),
    "KernelPerceptron": lambda X: KernelPerceptron().fit(X, AND.y),
    "LinearUnit": lambda X: LinearUnit().fit(X, AND.y),
    "RandomHypotheses": lambda X: RandomHypotheses().fit(X, AND.y),
    "certify": lambda X: certify(X, AND.y),
    "certify_kernel": lambda X: certify_kernel(X, AND.y, kernel="rbf"),
    "margin": lambda X: margin([-3, 2, 2], X, AND.y),
    "trace": lambda X: trace(X, AND.y),
    "exact trace": lambda X: trace(X, AND.y, exact=True),
    "online": lambda X: list(online(Perceptron(), zip(X, AND.y, strict=True))),
    "write_svmlight": lambda X: write_svmlight(X, AND.y, io.BytesIO()),
    "TableEncoding": lambda X: TableEncoding().fit(X),
    "transform": TableEncoding().fit(AND.X).transform,
}


@pytest.mark.parametrize("way", ROWS)
@pytest.mark.parametrize("form", [lambda X: X, list], ids=["an array", "a list of rows"])
def test_masked_rows(way: str, form: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match=f"X: {SAID}"):
        ROWS[way](form(MASKED))


def test_masked_rows_and_the_checker_of_proofs() -> None:
    proof = certify(*AND)
    assert proof.verify(MASKED, AND.y).reason == f"X: {SAID}"
    assert proof.verify(AND.X, np.ma.array(AND.y, mask=AND.y == 1)).reason == f"y: {SAID}"
    assert proof.verify(np.ma.array(AND.X), AND.y)
    assert verify(None, MASKED, AND.y).reason.startswith("claims: ")


def test_masked_labels_targets_and_weights() -> None:
    masked = np.ma.array([1, 1, 1, 2], mask=AND.y == 1)
    for fit in (Perceptron().fit, KernelPerceptron().fit, LinearUnit().fit, certify, trace):
        with pytest.raises(ValueError, match=f"y: {SAID}"):
            fit(AND.X, masked)
    for fit in (Perceptron().fit, LinearUnitClassifier().fit):
        with pytest.raises(ValueError, match=f"sample_weight: {SAID}"):
            fit(AND.X, AND.y, sample_weight=masked)
    with pytest.raises(ValueError, match=f"y: {SAID}"):
        SquaredError.of(masked, masked)
    with pytest.raises(ValueError, match=f"y: {SAID}"):
        write_svmlight(AND.X, masked, io.BytesIO())
    with pytest.raises(ValueError, match=f"column a: {SAID}"):
        TableEncoding().fit({"a": masked, "b": AND.y})
    for given in ({"coef_init": MASKED[3:]}, {"coef_init": [[0, 0]], "intercept_init": masked[3:]}):
        with pytest.raises(ValueError, match=f"{list(given)[-1]}: {SAID}"):
            Perceptron().fit(AND.X, AND.y, **given)
    with pytest.raises(ValueError, match=f"init: {SAID}"):
        Perceptron(init=MASKED[3:]).fit(AND.X, AND.y)


MEMBERS = (
    Perceptron,
    KernelPerceptron,
    LinearUnit,
    LinearUnitClassifier,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    RandomHypotheses,
)


@pytest.mark.parametrize("member", MEMBERS)
def test_a_score_looks_at_masks_and_labels(member: Any) -> None:
    model = member().fit(*AND)
    masked = np.ma.array(AND.y, mask=AND.y == 1)
    with pytest.raises(ValueError, match=f"y: {SAID}"):
        model.score(AND.X, masked)
    with pytest.raises(ValueError, match=f"sample_weight: {SAID}"):
        model.score(AND.X, AND.y, masked)
    assert model.score(AND.X, AND.y, sample_weight=[1, 1, 1, 0]) == model.score(AND.X[:3], AND.y[:3]) or member in (
        LinearUnit,
        PassiveAggressiveRegressor,
    )


def test_a_score_keeps_two_labels_apart() -> None:
    model = Perceptron().fit(AND.X, ["a" if y > 0 else "b" for y in AND.y])
    with pytest.raises(ValueError, match="expected labels that do not end in a character 0"):
        model.score(AND.X, ["a\0" if y > 0 else "b" for y in AND.y])
