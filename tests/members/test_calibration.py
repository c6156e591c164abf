"""Probabilities: how they are fitted, for every member of rows, stored, and refused where they are not."""

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import check_estimator

from rosenblatt import KernelPerceptron, Perceptron, TextClassifier, load, save
from rosenblatt.base.record.parts import Parts
from rosenblatt.members.calibration import Calibration, calibrate
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.randomness import random_state


def made(classes: int, n: int = 900, *, seed: int = 0) -> tuple[Any, Any, Any, Any]:
    X, y = make_classification(
        n + 1000, 12, n_informative=8, n_classes=classes, flip_y=0.1, class_sep=1.5, random_state=seed
    )
    return X[:n], y[:n], X[n:], y[n:]


def expected_error(p: Any, target: Any) -> float:
    """The expected calibration error of the most probable class, in 15 bins of equal width."""
    sure, right = p.max(axis=1), p.argmax(axis=1) == target
    bins = np.minimum((sure * 15).astype(int), 14)
    return float(sum(abs((sure - right)[bins == b].sum()) for b in range(15)) / len(target))


def test_by_hand() -> None:
    straight = Calibration((), (2.0,))
    np.testing.assert_allclose(straight.probabilities(np.array([0.0, math.log(3) / 2])), [[0.5, 0.5], [0.25, 0.75]])
    of_three = Calibration((), (1.0,)).probabilities(np.log([[1.0, 2.0, 1.0]]))
    np.testing.assert_allclose(of_three, [[0.25, 0.5, 0.25]])
    # Slope 1 up to 1 and 3 beyond it: g(2) = 4. Before 0 it is 1 too: g(-1) = -1.
    bent = Calibration((1.0,), (1.0, 3.0))
    np.testing.assert_allclose(
        bent.probabilities(np.array([[2.0, -1.0]])), [[1 / (1 + math.exp(-5)), 1 / (1 + math.exp(5))]]
    )
    np.testing.assert_allclose(
        bent.in_units_of(10.0).probabilities(np.array([[20.0, -10.0]])), bent.probabilities(np.array([[2.0, -1.0]]))
    )


def test_the_likelihood_is_largest() -> None:
    # Scores of -1 and 1 are right three times of four: 1 / (1 + exp(-a)) is 3/4, but for one row more.
    scores, target = np.tile([-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0], 500), np.tile([0, 0, 0, 1, 1, 1, 1, 0], 500)
    found = Calibration.fit(scores, target).probabilities(np.array([-1.0, 1.0]))
    np.testing.assert_allclose(found, [[0.75, 0.25], [0.25, 0.75]], atol=0.001)
    of_three = Calibration.fit(np.tile(np.eye(3), (500, 1)), np.tile([0, 1, 0], 500))
    assert of_three.probabilities(np.eye(3))[0, 0] == pytest.approx(2 / 3, abs=0.005)
    weights = np.where(scores * (2 * target - 1) > 0, 3.0, 1.0)  # as if it were right nine times of ten
    weighted = Calibration.fit(scores, target, weights).probabilities(np.array([1.0]))
    np.testing.assert_allclose(weighted, [[0.1, 0.9]], atol=0.002)


def test_more_than_one_slope_where_scores_say_so() -> None:
    random = np.random.RandomState(0)
    s = random.normal(size=(4000, 5)) * 2
    logits = np.minimum(s, 0.5) * 3  # beyond 0.5, more of a score tells nothing more
    target = (logits + random.gumbel(size=s.shape)).argmax(axis=1)
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    found = Calibration.fit(s, target)
    assert log_loss(target, found.probabilities(s)) < log_loss(target, true) + 0.02
    assert found.slopes[-1] < 0.2 * found.slopes[0]
    assert expected_error(found.probabilities(s), target) < 0.03


def test_all_right_is_no_certainty() -> None:
    s = np.linspace(-3, 3, 40)
    p = Calibration.fit(s, (s > 0).astype(int)).probabilities(s).max(axis=1)
    assert 0.9 < p.max() < 0.999


def _no_run(rows: Any) -> Any:
    pytest.fail(f"a run over {rows}")


def test_no_row_can_be_left_out() -> None:
    found = calibrate(_no_run, lambda rows: rows - 0.5, np.arange(2), random_state(0))
    assert (found.knots, len(found.slopes)) == ((), 1)


def test_few_and_extreme_scores() -> None:
    for s in (np.zeros(4), np.full(4, 1e300), np.array([1e-300, -1e-300, 0.0, 1e300]), np.array([1.0, 1, -1, -1])):
        p = Calibration.fit(s, np.array([1, 1, 0, 0])).probabilities(s)
        assert np.isfinite(p).all()
        np.testing.assert_allclose(p.sum(axis=1), 1)


ESTIMATORS: dict[str, Any] = {
    "last": Perceptron(probabilities=True, max_iter=10),
    "average": Perceptron(probabilities=True, max_iter=10, readout="average"),
    "vote": Perceptron(probabilities=True, max_iter=5, readout="vote"),
    "pocket": Perceptron(probabilities=True, max_iter=5, readout="pocket"),
    "one-vs-rest": Perceptron(probabilities=True, max_iter=10, readout="average", multiclass="one-vs-rest"),
    "arow": Perceptron(probabilities=True, max_iter=10, step="arow", readout="average"),
    "pa1": Perceptron(probabilities=True, max_iter=10, step="pa1", readout="average", eta0=7.0),
    "eta0": Perceptron(probabilities=True, max_iter=10, readout="average", eta0=1e-6),
    "shards": Perceptron(probabilities=True, max_iter=10, readout="average", shards=3),
    "stopped": Perceptron(probabilities=True, readout="average", early_stopping=True),
    "validated": Perceptron(probabilities=True, readout="average", max_iter="validate"),
    "weighted": Perceptron(probabilities=True, max_iter=10, readout="average", class_weight="balanced"),
    "float32": Perceptron(probabilities=True, max_iter=10, readout="average"),
    "kernel": KernelPerceptron(probabilities=True, max_iter=5, kernel="rbf", readout="average"),
}


@pytest.mark.parametrize("name", list(ESTIMATORS))
@pytest.mark.parametrize("classes", [2, 4])
def test_every_way_to_learn(name: str, classes: int) -> None:
    X, y, others, right = made(classes)
    if name == "float32":
        X, others = X.astype(np.float32), others.astype(np.float32)
    model = ESTIMATORS[name].fit(X, y)
    p = model.predict_proba(others)
    assert p.shape == (1000, classes)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    answered = model.predict(others)
    assert (p.argmax(axis=1) == answered).mean() > 0.999  # but for equal scores
    assert expected_error(p, right) < 0.075
    np.testing.assert_array_equal(model.predict_log_proba(others), np.log(p))
    # The run is the same without probabilities.
    without = type(model)(**{**model.get_params(), "probabilities": False}).fit(X, y)
    np.testing.assert_array_equal(without.decision_function(others), model.decision_function(others))


@pytest.mark.parametrize("classes", [2, 4])
def test_beside_scikit_learn(classes: int) -> None:
    ours, theirs = list[float](), list[float]()
    for seed in range(3):
        X, y, others, right = made(classes, seed=seed)
        plain = Perceptron(readout="average", max_iter=10)
        ours.append(log_loss(right, Perceptron(probabilities=True, **_of(plain)).fit(X, y).predict_proba(others)))
        calibrated = CalibratedClassifierCV(plain, cv=5, ensemble=False).fit(X, y)
        theirs.append(log_loss(right, calibrated.predict_proba(others)))
    assert np.mean(ours) <= np.mean(theirs)


def _of(model: Perceptron) -> dict[str, Any]:
    return {name: value for name, value in model.get_params().items() if name != "probabilities"}


def test_weights_of_rows_and_a_precomputed_kernel() -> None:
    X, y, others, _ = made(2, 300)
    weight = np.random.RandomState(0).randint(0, 3, 300)
    model = Perceptron(probabilities=True, readout="average", max_iter=5)
    p = model.fit(X, y, sample_weight=weight).predict_proba(others)
    np.testing.assert_array_equal(
        p, model.fit(X[weight > 0], y[weight > 0], sample_weight=weight[weight > 0]).predict_proba(others)
    )
    kernel = KernelPerceptron(probabilities=True, max_iter=3, kernel="linear", shuffle=False)
    given = KernelPerceptron(probabilities=True, max_iter=3, kernel="precomputed", shuffle=False)
    np.testing.assert_allclose(
        given.fit(X @ X.T, y, sample_weight=weight).predict_proba(others @ X.T),
        kernel.fit(X, y, sample_weight=weight).predict_proba(others),
    )


def test_a_model_file_has_them(tmp_path: Path) -> None:
    X, y, others, _ = made(4, 300)
    for name in ("average", "kernel"):
        model = ESTIMATORS[name].fit(X, y)
        save(model, tmp_path / "m.st")
        np.testing.assert_array_equal(load(tmp_path / "m.st").predict_proba(others), model.predict_proba(others))


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {"knots": [], "slopes": [1.0]},
        {"knots": [], "slopes": [1.0], "readout": 3},
        {"knots": [1.0, 0.0], "slopes": [1.0, 1.0, 1.0], "readout": "last"},
        {"knots": [0.0], "slopes": [1.0], "readout": "last"},
        {"knots": [], "slopes": [-1.0], "readout": "last"},
        {"knots": [], "slopes": [math.nan], "readout": "last"},
    ],
)
def test_a_damaged_record_is_refused(wrong: Any) -> None:
    X, y, *_ = made(2, 100)
    model, tensors = Perceptron(probabilities=True).fit(X, y)._model, dict[str, Any]()
    record = {**model.to_record(tensors), "calibration": wrong}
    with pytest.raises(ValueError, match="calibration: expected rising knots, one slope over 0 more, and a readout"):
        LinearModel.from_record(model.parameters, model.n_features, model.classes, Parts(record, tensors))


def test_what_is_refused() -> None:
    X, y, others, _ = made(2, 100)
    plain = Perceptron().fit(X, y)
    assert not hasattr(plain, "predict_proba")
    with pytest.raises(AttributeError, match=r"fit it with probabilities=True, or use sklearn\.calibration"):
        _ = plain.predict_proba
    with pytest.raises(ValueError, match="expected a Perceptron with probabilities, found scores alone"):
        plain.set_params(probabilities=True).predict_proba(others)
    model = Perceptron(probabilities=True, keep_mistakes=True).fit(X, y)
    with pytest.raises(ValueError, match="readout: expected 'last', whose probabilities were fitted, found 'average'"):
        model.set_params(readout="average").predict_proba(others)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError) as caught:
        model.partial_fit(X, y)
    assert "probabilities=True needs runs without some of the rows" in str(caught.value.__cause__)
    with pytest.raises(ValueError, match="probabilities: expected False to learn from a file, found True"):
        Perceptron(probabilities=True).fit_file("no.svm")


@pytest.mark.parametrize("estimator", [Perceptron(probabilities=True, max_iter=20), TextClassifier()], ids=str)
def test_scikit_learn_checks(estimator: Any) -> None:
    expected = {
        "check_sample_weight_equivalence_on_dense_data": "a weight scales a step; it does not repeat a row",
        "check_sample_weight_equivalence_on_sparse_data": "a weight scales a step; it does not repeat a row",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(estimator, expected_failed_checks=expected, on_skip=None)
