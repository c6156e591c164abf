"""Exported models answer as the models do: ONNX graphs in onnxruntime, estimators of scikit-learn, JSON by hand."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import onnx
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnxruntime import InferenceSession
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError

from rosenblatt import LinearUnit, LinearUnitClassifier, Perceptron, RandomHypotheses
from rosenblatt.data.lectures import AND
from rosenblatt.services.export import sklearn_attributes, to_onnx, to_sklearn

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
WORDS = np.array(["ä", "b", "two words", "z"])


def run(model: Any, X: Any) -> list[Any]:
    """The outputs of the graph, which must be right by onnx's own check too."""
    content = to_onnx(model)
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    return list(InferenceSession(content).run(None, {"X": np.asarray(X, dtype=np.float32)}))


def problem(n_classes: int) -> tuple[Any, Any]:
    random = np.random.default_rng(n_classes)
    X = random.standard_normal((400, 12))
    return X, (X @ random.standard_normal((12, n_classes)) + random.standard_normal(n_classes)).argmax(axis=1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    "model",
    [
        *(Perceptron(readout=readout, max_iter=3) for readout in ("last", "average", "pocket")),
        Perceptron(step="arow", multiclass="one-vs-rest", fit_intercept=False, max_iter=3),
        LinearUnitClassifier(),
    ],
    ids=str,
)
def test_classifiers(model: Any, n_classes: int, dtype: Any) -> None:
    X, y = problem(n_classes)
    X = X.astype(dtype)
    model.fit(X, WORDS[y])
    label, scores = run(model, X)
    expected = model.decision_function(X)
    scale = np.abs(X) @ np.abs(model.coef_).T + np.abs(model.intercept_)
    assert scores.shape == expected.shape
    assert (np.abs(scores - expected) <= 1e-5 * scale.reshape(expected.shape)).all()
    np.testing.assert_array_equal(label, model.predict(X))
    theirs = to_sklearn(model)
    np.testing.assert_array_equal(theirs.predict(X), model.predict(X))
    np.testing.assert_allclose(theirs.decision_function(X), expected, rtol=1e-5, atol=1e-5)


def test_regressor() -> None:
    X, y = problem(5)
    model = LinearUnit().fit(X, y)
    (scores,) = run(model, X)
    np.testing.assert_allclose(scores, model.predict(X), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(to_sklearn(model).predict(X), model.predict(X), rtol=1e-12)
    said = sklearn_attributes(model)
    assert (np.shape(said["coef_"]), np.shape(said["intercept_"]), "classes_" in said) == ((12,), (1,), False)


def test_digits() -> None:
    X, y = load_digits(return_X_y=True)
    for readout in ("last", "average"):
        model = Perceptron(readout=readout, max_iter=5).fit(X, y)
        np.testing.assert_array_equal(run(model, X)[0], model.predict(X))


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.integers(-3, 3)] * 2, st.integers(0, 3)), min_size=4, max_size=10),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
)
def test_small_integers_are_exact_and_so_are_ties(rows: Any, tie: Any) -> None:
    *X, y = np.array([*rows, (0, 0, 0), (0, 1, 1)]).T
    points = np.array(np.meshgrid(*[range(-3, 4)] * 2)).reshape(2, -1).T
    model = Perceptron(tie=tie, max_iter=3).fit(np.transpose(X), y)
    label, scores = run(model, points)
    np.testing.assert_array_equal(scores, model.decision_function(points))
    np.testing.assert_array_equal(label, model.predict(points))
    if tie == "positive":
        with pytest.raises(ValueError, match="scikit-learn has no such rule"):
            to_sklearn(model)
    else:
        np.testing.assert_array_equal(to_sklearn(model).predict(points), model.predict(points))


@pytest.mark.parametrize(
    "labels",
    [
        np.array([-1, 1]),
        np.array([0, 200], dtype=np.uint8),
        np.array([False, True]),
        np.array([-1.0, 2.0]),
        np.array([-1.0, 2.0], dtype=np.float32),
        np.array(["no", "ja ü"]),
        np.array(["no", "ja ü"], dtype=object),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_keep_their_type(labels: Any) -> None:
    y = labels[(AND.y > 0).astype(int)]
    model = Perceptron().fit(AND.X, y)
    label, _ = run(model, AND.X)
    assert label.tolist() == y.tolist()
    assert label.dtype == (object if labels.dtype.kind in "UO" else labels.dtype)
    assert sklearn_attributes(model)["classes_"] == sorted(labels.tolist())


def test_weights_set_by_hand() -> None:
    model = Perceptron().fit(AND.X, AND.y).sparsify()
    np.testing.assert_array_equal(run(model, AND.X)[0], AND.y)
    model.coef_, model.intercept_ = [[0, 0], [1, 1]], [1.5, 0]  # a row a class: the highest answers
    np.testing.assert_array_equal(run(model, AND.X)[0], AND.y)


def test_hypotheses() -> None:
    model = RandomHypotheses().fit(*AND)
    np.testing.assert_array_equal(run(model, AND.X)[0], model.predict(AND.X))
    np.testing.assert_array_equal(to_sklearn(model).predict(AND.X), model.predict(AND.X))


@pytest.mark.parametrize("model", [Perceptron(), LinearUnit(), LinearUnitClassifier(), RandomHypotheses()], ids=str)
def test_a_member_without_its_estimator(model: Any) -> None:
    model.fit(*AND)
    assert sklearn_attributes(model._model) == sklearn_attributes(model)
    assert to_onnx(model._model) == to_onnx(model)
    np.testing.assert_array_equal(to_sklearn(model._model).predict(AND.X), to_sklearn(model).predict(AND.X))


def test_only_scikit_learns_own_estimators_need_it() -> None:
    code = """if True:
        import sys, numpy as np
        from rosenblatt.services.export import sklearn_attributes, to_onnx
        from rosenblatt.members.fit import fit
        from rosenblatt.members.linear.perceptron import LinearMember
        from rosenblatt.members.linear.parameters import PerceptronParameters
        X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
        model, _ = fit(LinearMember(PerceptronParameters(shuffle=False)), X, y)
        print(sklearn_attributes(model)["coef_"], len(to_onnx(model)) > 0, {"sklearn", "scipy"} & set(sys.modules))
    """
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[[3.0, 2.0]] True set()\n"


def test_the_same_model_gives_the_same_bytes() -> None:
    assert to_onnx(Perceptron().fit(*AND)) == to_onnx(Perceptron().fit(*AND))


@pytest.mark.parametrize("export", [to_onnx, to_sklearn, sklearn_attributes])
def test_what_is_refused(export: Any) -> None:
    for model, said in (
        (Perceptron(readout="vote").fit(*AND), "found readout='vote', which has many; take 'average'"),
        (Perceptron().fit(*AND).set_params(readout="average"), "did not keep what readout='average' needs"),
        (Perceptron().partial_fit([[0, 1]], ["one"]), r"expected at least two classes, found \['one'\]"),
    ):
        with pytest.raises(ValueError, match=said):
            export(model)
    with pytest.raises(TypeError, match=r"expected a Perceptron or .*, found a sklearn"):
        export(to_sklearn(Perceptron().fit(*AND)))
    with pytest.raises(NotFittedError):
        export(Perceptron())


@pytest.mark.filterwarnings("ignore::rosenblatt.ScaleWarning")
def test_what_onnx_cannot_hold() -> None:
    with pytest.raises(ValueError, match="expected weights within the range of float32, found 1e\\+100"):
        to_onnx(Perceptron().fit([[-1e100], [1e100]], [0, 1]))
    wide = Perceptron().fit(np.eye(2, 2**20 + 1, dtype=np.float32), [0, 1])
    with pytest.raises(ValueError, match="at most 1048576 features, as an ONNX graph takes dense rows; found 1048577"):
        to_onnx(wide)


def test_names_of_features() -> None:
    model = Perceptron().fit(pd.DataFrame(AND.X, columns=["p", "q"]), AND.y)
    props = onnx.load_from_string(to_onnx(model)).metadata_props
    assert {entry.key: json.loads(entry.value) for entry in props} == {"feature_names": ["p", "q"]}
    assert to_sklearn(model).feature_names_in_.tolist() == ["p", "q"]
