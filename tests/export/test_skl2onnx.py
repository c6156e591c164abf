"""skl2onnx converts pipelines that end with a model of ours: the same labels and scores in onnxruntime."""

import subprocess
import sys
from typing import Any

import numpy as np
import onnx
import pytest
from onnxruntime import InferenceSession
from skl2onnx import to_onnx
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import (
    KernelPerceptron,
    LinearUnit,
    LinearUnitClassifier,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    RandomHypotheses,
)
from rosenblatt.services.export import register_with_skl2onnx

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
random = np.random.default_rng(0)
X = random.standard_normal((80, 5))
SCORES = X @ random.standard_normal((5, 3))


@pytest.fixture(autouse=True)
def registered() -> None:
    register_with_skl2onnx()


def outputs(model: Any, X: Any) -> dict[str, Any]:
    """Of the graph that skl2onnx makes; it must be right by onnx's own check too."""
    graph = to_onnx(model, X[:1])
    onnx.checker.check_model(graph, full_check=True)
    session = InferenceSession(graph.SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {"X": X}), strict=True))


@pytest.mark.parametrize("labels", [[0, 1, 2], ["a", "b ü", "c"], [1.0, 2.0, 3.0]], ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "model",
    [
        Perceptron(readout="average", max_iter=3),
        Perceptron(tie="positive", multiclass="one-vs-rest", max_iter=3),
        PassiveAggressiveClassifier(max_iter=3, tol=None, average=True),
        LinearUnitClassifier(),
    ],
    ids=str,
)
def test_pipelines(model: Any, dtype: Any, n_classes: int, labels: Any) -> None:
    y = np.array(labels)[SCORES[:, :n_classes].argmax(axis=1)]
    rows = X.astype(dtype)
    pipeline = make_pipeline(StandardScaler(), model).fit(rows, y)
    found, expected = outputs(pipeline, rows), pipeline.decision_function(rows)
    assert found.keys() == {"label", "scores"}
    np.testing.assert_allclose(found["scores"], expected, rtol=1e-4, atol=1e-4)
    decided = np.abs(expected if n_classes == 2 else np.ptp(np.sort(expected)[:, -2:], axis=1)) > 1e-4
    np.testing.assert_array_equal(found["label"][decided], pipeline.predict(rows)[decided])
    assert decided.sum() > 70


def test_two_classes_alone_and_hypotheses() -> None:
    y, rows = SCORES[:, 0] > 0, X.astype(np.float32)
    for model in (Perceptron(max_iter=3), RandomHypotheses()):
        found = outputs(model.fit(rows, y), rows)
        assert found["label"].dtype == np.bool_
        np.testing.assert_array_equal(found["label"], model.predict(rows))


@pytest.mark.parametrize("model", [LinearUnit(), PassiveAggressiveRegressor(max_iter=3, tol=None)], ids=str)
def test_regressors(model: Any) -> None:
    rows = X.astype(np.float32)
    pipeline = make_pipeline(StandardScaler(), model).fit(rows, SCORES[:, 0])
    found = outputs(pipeline, rows)
    assert found.keys() == {"scores"}
    np.testing.assert_allclose(found["scores"], pipeline.predict(rows), rtol=1e-4, atol=1e-4)


def test_what_has_no_weights_is_refused() -> None:
    vote = Perceptron(readout="vote", max_iter=3).fit(X, SCORES[:, 0] > 0)
    with pytest.raises(ValueError, match="expected one weight vector, found readout='vote'"):
        to_onnx(vote, X[:1])
    with pytest.raises(Exception, match="KernelPerceptron"):
        to_onnx(KernelPerceptron(max_iter=3).fit(X, SCORES[:, 0] > 0), X[:1])


def test_a_pipeline_in_a_pipeline() -> None:
    y, rows = SCORES.argmax(axis=1), X.astype(np.float32)
    pipeline = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), Perceptron(max_iter=3))).fit(rows, y)
    np.testing.assert_array_equal(outputs(pipeline, rows)["label"], pipeline.predict(rows))


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    heavy = "{'skl2onnx', 'onnx', 'sklearn'}"
    code = f"import sys, rosenblatt.services.export; sys.exit(not {heavy}.isdisjoint(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
