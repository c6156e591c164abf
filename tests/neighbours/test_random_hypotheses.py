"""Ex_learning_alg of lecture 001: the first of k hyperplanes with the least training error."""

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import plain
from rosenblatt.doors.sklearn.linear_unit import RandomHypotheses
from tests import oldest

AND, LABELS = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])

small = st.integers(-3, 3)


@st.composite
def problems(draw: Any) -> Any:
    n, d, k = draw(st.integers(2, 8)), draw(st.integers(1, 4)), draw(st.integers(1, 6))
    X = draw(st.lists(st.lists(small, min_size=d, max_size=d), min_size=n, max_size=n))
    y = [-1, 1, *draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))]
    W = draw(st.lists(st.lists(small, min_size=d + 1, max_size=d + 1), min_size=k, max_size=k))
    return X, y, W


@given(problems())
def test_equals_plain_on_integers(problem: Any) -> None:
    X, y, W = problem
    expected = plain.random_hypotheses(W, [[1, *x] for x in X], y)
    for given_X in (np.array(X, dtype=float), sp.csr_array(np.array(X, dtype=float))):
        model = RandomHypotheses(hypotheses=W).fit(given_X, y)
        assert [*model.intercept_, *model.coef_[0]] == expected
        assert model.best_ == W.index(expected)
        assert model.training_error_ == model.errors_.min() == pytest.approx(1 - model.score(given_X, y), abs=1e-15)


def test_first_of_equals_and_a_score_of_zero_is_the_first_class() -> None:
    model = RandomHypotheses(hypotheses=[[1.0, 0, 0], [0, 0, 0], [0, 1, 0]]).fit(AND, LABELS)
    assert model.errors_.tolist() == [0.75, 0.25, 0.25]
    assert model.best_ == 1
    assert model.predict(AND).tolist() == [-1] * 4


def test_error_never_grows_with_k_and_the_lists_are_nested() -> None:
    X = np.random.default_rng(1).normal(size=(60, 4))
    y = X[:, 0] + X[:, 1] ** 2 > 0.5
    models = [RandomHypotheses(k).fit(X, y) for k in (1, 2, 5, 30, 31, 200)]
    errors = [model.training_error_ for model in models]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0]
    for fewer, more in itertools.pairwise(models):
        np.testing.assert_array_equal(fewer.errors_, more.errors_[: len(fewer.errors_)])


def test_weights_count_as_repetition() -> None:
    weight, W = [1, 0, 2, 3], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    weighted = RandomHypotheses(hypotheses=W).fit(AND, LABELS, sample_weight=weight)
    repeated = RandomHypotheses(hypotheses=W).fit(np.repeat(AND, weight, axis=0), np.repeat(LABELS, weight))
    np.testing.assert_allclose(weighted.errors_, [1 / 2, 1 / 2, 1 / 3], rtol=1e-15)
    np.testing.assert_allclose(weighted.errors_, repeated.errors_, rtol=1e-15)


def test_without_intercept_the_hyperplanes_go_through_the_origin() -> None:
    model = RandomHypotheses(k=20, fit_intercept=False).fit(AND - 0.5, LABELS)
    assert model.intercept_.tolist() == [0]
    assert RandomHypotheses(hypotheses=[[1, 1]]).fit(AND, LABELS).intercept_.tolist() == [0]
    with pytest.raises(ValueError, match="must have 2 columns, got 3"):
        RandomHypotheses(hypotheses=[[1, 1, 1]], fit_intercept=False).fit(AND, LABELS)


def test_float32_stays_float32() -> None:
    model = RandomHypotheses(k=3).fit(AND.astype(np.float32), LABELS)
    assert model.coef_.dtype == model.intercept_.dtype == model.decision_function(AND).dtype == np.float32


def test_refusals_change_nothing() -> None:
    model = RandomHypotheses(k=3).fit(AND, LABELS)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="hypotheses must have 3, or 4 with the constant"):
        model.set_params(hypotheses=[[1, 2]]).fit(np.eye(3), [0, 1, 1])
    with pytest.raises(
        ValueError, match=r"Only binary classification is supported[.] The type of the target is multiclass"
    ):
        model.fit(np.eye(3), [0, 1, 2])
    with pytest.raises(ValueError, match="needs samples of 2 classes, got one class"):
        model.fit(np.eye(3), [0, 1, 1], sample_weight=[0, 1, 1])
    with pytest.raises(ValueError, match="NaN"):
        model.fit([[np.nan], [1.0]], [0, 1])
    before["hypotheses"] = [[1, 2]]
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value or vars(model)[name] == value for name, value in before.items())


@parametrize_with_checks([RandomHypotheses()], expected_failed_checks=lambda _: oldest.BINARY_WEIGHTS)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)
