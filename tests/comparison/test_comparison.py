"""`compare`: the errors of scikit-learn's cross-validation, on the same folds, and clear words where it cannot be."""

import json
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import StandardScaler

import rosenblatt
from rosenblatt import KernelPerceptron, Perceptron, compare
from rosenblatt.services.comparison.candidates import grids


@pytest.fixture(scope="module")
def cancer() -> Any:
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), np.array(["no", "yes"])[y]


def test_errors_are_those_of_cross_validation(cancer: Any) -> None:
    X, y = cancer
    found = compare(X, y, folds=3, random_state=4, class_weight="balanced")
    parts = StratifiedKFold(3, shuffle=True, random_state=4)
    assert [line.error for line in found.lines] == sorted(line.error for line in found.lines)
    assert {line.candidate.kind for line in found.lines} == {"Perceptron", "KernelPerceptron", "LinearUnitClassifier"}
    for line in found.lines:
        estimator = getattr(rosenblatt, line.candidate.kind)(**line.parameters)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answers = cross_val_predict(estimator, X, y, cv=parts)
        wrong = answers != y
        assert line.error == wrong.mean()
        assert line.standard_error == pytest.approx(np.sqrt(wrong.mean() * (1 - wrong.mean()) / len(y)))
        assert line.balanced_error == pytest.approx(np.mean([wrong[y == label].mean() for label in ("no", "yes")]))
        assert line.seconds > 0
    assert (found.majority.label, found.majority.error) == ("yes", np.mean(y == "no"))
    assert found.best.level


def test_level_with_the_best_is_told_row_by_row(cancer: Any) -> None:
    X, y = cancer

    class Rarely(LogisticRegression):
        """Right about every row but each fifth one, which the others are not wrong about."""

        def predict(self, X: Any) -> Any:
            answers = super().predict(X)
            return np.where(np.arange(len(answers)) % 5 == 0, "no", answers)

    found = compare(X, y, others={"logistic": LogisticRegression(), "worse": Rarely()})
    assert found["logistic"].level
    assert not found["worse"].level
    assert found["logistic"].code == "LogisticRegression()"
    assert "worse" in str(found)


def test_sparse_rows_dense_rows_and_other_units(cancer: Any) -> None:
    X, y = cancer
    dense = compare(X, y, folds=2)
    for other in (compare(sparse.csr_array(X), y, folds=2), compare(X.tolist(), y.tolist(), folds=2)):
        assert [(line.name, line.error) for line in other.lines] == [(line.name, line.error) for line in dense.lines]
    # Without the constant feature the scale of the rows changes no answer, since C, r and margins go with it.
    linear = [name for name in (line.name for line in dense.lines) if name not in ("kernel, rbf", "linear unit")]
    near, far = compare(X, y, folds=2, fit_intercept=False), compare(1024 * X, y, folds=2, fit_intercept=False)
    for name in linear:
        assert abs(near[name].error - far[name].error) < 0.01


def test_many_classes_and_its_pictures() -> None:
    from matplotlib.figure import Figure

    X, y = load_digits(return_X_y=True)
    found = compare(X[:300], y[:300], folds=2)
    assert found["AROW, one-vs-rest"].parameters["multiclass"] == "one-vs-rest"
    assert found.lines[0].name in str(found).splitlines()[2]
    assert f"majority: always {found.majority.label}" in str(found)
    ax = found.plot(ax=Figure().subplots())
    assert [text.get_text() for text in ax.get_yticklabels()] == [line.name for line in found.lines]
    shown = [100 * line.error for line in found.lines]
    dots = [container[0].get_xdata()[0] for container in ax.containers]
    np.testing.assert_allclose(dots, shown)
    with pytest.raises(TypeError, match="what compare returns"):
        rosenblatt.services.lessons.plot.comparison([1, 2])
    assert json.loads(json.dumps(found.as_dict()))["compared"][0]["error"] == found.best.error
    with pytest.raises(KeyError, match=r"expected one of .*AROW"):
        found["none"]


@pytest.mark.parametrize(
    ("X", "y", "words", "said"),
    [
        (np.eye(6), [1] * 6, {}, "at least 2 classes, found only 1"),
        (np.eye(3), [0, 1, 1], {}, "folds=5: expected at least as many rows, found 3"),
        (np.eye(6), [0, 1, 2, 3, 4, 5], {"folds": 2}, "6 classes in 6 rows.*LinearUnit"),
        (np.eye(6), [0.5, 1, 2, 3, 4, 5], {}, "LinearUnit"),
        (np.eye(6), [0, 1, 1, 1, 1, 1], {}, "at least 2 rows of at least 2 classes"),
        (np.full((6, 2), np.nan), [0, 1] * 3, {"folds": 2}, "finite|NaN"),
        (np.eye(6), [0, 1] * 2, {"folds": 2}, "a label for each of the 6 rows, found 4"),
        ([["a", "b"]] * 6, [0, 1] * 3, {"folds": 2}, "X: expected rows of numbers"),
        (np.eye(6), [0, 1] * 3, {"folds": 2, "others": {"AROW": None}}, "others: expected names besides"),
    ],
)
def test_what_cannot_be_compared(X: Any, y: Any, words: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        compare(X, y, **words)


def test_a_rare_class_is_warned_of() -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = ["often"] * 19 + ["too"] * 19 + ["rare"] * 2
    with pytest.warns(UserWarning, match="'rare' has 2 rows, fewer than the 5 folds"):
        compare(X, y)


def test_whoever_watches_is_told_of_each_fit() -> None:
    told: list[tuple[int, int, str]] = []
    X = np.random.default_rng(0).normal(size=(40, 2))
    found = compare(X, X[:, 0] > 0, folds=2, watch=lambda *said: told.append(said))
    assert [done for done, _, _ in told] == list(range(2 * len(found.lines)))
    assert {total for _, total, _ in told} == {2 * len(found.lines)}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"step": "pa"},
        {"step": "pa2", "C": 0.5},
        {"readout": "vote"},
        {"keep_mistakes": True},
        {"batch_size": 4},
        {"early_stopping": True},
        {"r": 2.0, "max_iter": 2},
        {"readout": "pocket", "margin": 1.0},
    ],
)
def test_every_point_of_the_grid_can_be_fitted(given: Any) -> None:
    rows = np.random.default_rng(0).normal(size=(40, 2))
    found = grids("Perceptron", given, rows)
    assert found
    for grid in found:
        assert not set(grid) & set(given)
        point = {name: values[-1] for name, values in grid.items()}
        Perceptron(**given, **{"max_iter": 2, **point} if "max_iter" not in given else point).fit(rows, rows[:, 0] > 0)


def test_many_rows_go_without_the_kernel() -> None:
    X = np.random.default_rng(0).normal(size=(10_001, 1))
    found = compare(X, X[:, 0] > 0, folds=2)
    assert "kernel, rbf" not in [line.name for line in found.lines]
    assert str(found).splitlines()[-2].startswith("not tried: kernel, rbf: more than 10,000 rows")


@pytest.mark.parametrize("kernel", ["rbf", "poly", "sigmoid", "linear"])
def test_the_grids_of_kernels(kernel: str) -> None:
    rows = np.random.default_rng(0).normal(size=(40, 2))
    for grid in grids("KernelPerceptron", {"kernel": kernel}, rows):
        point = {name: values[0] for name, values in grid.items()}
        KernelPerceptron(kernel=kernel, **point).fit(rows, rows[:, 0] > 0)
