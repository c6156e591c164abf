"""The kernel member beside its estimator: threads, errors, rows of two kinds, functions in pickles, inverses."""

import pickle
from dataclasses import replace
from typing import Any

import joblib
import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import KernelPerceptron
from rosenblatt.base.cores import cpu_count, n_threads
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.rows import sparse
from rosenblatt.data.lectures import XOR
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.kernel.perceptron import fit_kernel, learn_more_kernel
from rosenblatt.members.kernel.projection import inverse_of_triangle

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = np.asarray(XOR.X, dtype=float), np.asarray(XOR.y)


def test_how_many_threads() -> None:
    cores = cpu_count()
    assert [n_threads(n_jobs) for n_jobs in (None, 1, 5, -1, -2)] == [1, 1, 5, cores, max(1, cores - 1)]
    with pytest.raises(ParameterError, match="n_jobs: expected a whole number other than 0, or None, found 0"):
        n_threads(0)


def test_joblib_may_say_how_many_threads(monkeypatch: Any) -> None:
    asked: list[Any] = []

    def noted(n_jobs: Any) -> int:
        asked.append(n_jobs)
        return 1

    monkeypatch.setattr("rosenblatt.members.kernel.values.n_threads", noted)
    with joblib.parallel_config(n_jobs=3):
        model = KernelPerceptron().fit(X, Y)
        model.predict(X)
    model.predict(X)
    assert asked == [3, 3, 1]
    assert model.n_jobs is model._model.parameters.n_jobs is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"margin": np.inf}, "margin: expected a number from 0 below inf, found inf"),
        ({"coef0": np.nan}, "coef0: expected a number"),
        ({"kernel": "cubic"}, "kernel: expected 'linear' or .* or a function, found 'cubic'"),
        ({"gamma": 0}, "gamma: expected a number over 0 below inf or 'scale' or 'auto', found 0"),
        ({"budget": 0}, "budget: expected a whole number from 1 or None, found 0"),
    ],
)
def test_ranges(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        KernelParameters.of(**given)


def test_a_precomputed_kernel() -> None:
    parameters = KernelParameters(kernel="precomputed")
    model, _ = fit_kernel(parameters, X @ X.T + 1, Y)
    with pytest.raises(ValueError, match="partial_fit needs rows, not a precomputed kernel"):
        learn_more_kernel(parameters, None, X @ X.T, Y)
    with pytest.raises(ValueError, match="partial_fit needs rows, not a precomputed kernel"):
        learn_more_kernel(replace(parameters, kernel="linear"), model, X @ X.T, Y)
    with pytest.raises(TypeError, match="must be dense"):
        model.decision(sparse(X @ X.T))


def test_what_fails_leaves_the_model_before_as_it_was() -> None:
    parameters = KernelParameters(gamma=0.5, budget=3)
    model = learn_more_kernel(parameters, None, X, Y)
    before = model.decision(X)
    with pytest.raises(ValueError, match="row 1"):
        learn_more_kernel(parameters, model, np.where(np.arange(4)[:, None] == 1, np.nan, X), Y)
    with pytest.raises(ValueError, match="X has 3 features, but KernelPerceptron is expecting 2 features"):
        learn_more_kernel(parameters, model, np.zeros((1, 3)), Y[:1])
    np.testing.assert_array_equal(model.decision(X), before)
    assert len(model.passes) == 1


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid", lambda A, B: A @ B.T])
@pytest.mark.parametrize("budget", [{}, {"budget": 3}, {"budget": 3, "budget_policy": "stop"}])
@pytest.mark.parametrize("first", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("second", [np.asarray, sp.csr_array])
def test_dense_and_sparse_rows_go_together(kernel: Any, budget: Any, first: Any, second: Any) -> None:
    rows = np.array([[0.0, 0, 1], [2, 0, 0], [0, 3, 0], [1, 0, 1], [0, 1, 2], [2, 1, 0]])
    given = {"kernel": kernel, "gamma": 0.25, "readout": "last", **budget}
    dense = KernelPerceptron(**given).partial_fit(rows[:3], Y[:3]).partial_fit(rows, np.resize(Y, 6))
    model = KernelPerceptron(**given).partial_fit(first(rows[:3]), Y[:3]).partial_fit(second(rows), np.resize(Y, 6))
    assert model.support_.tolist() == dense.support_.tolist()
    for asked in (rows, sp.csr_array(rows)):
        np.testing.assert_allclose(model.decision_function(asked), dense.decision_function(rows), rtol=1e-9, atol=1e-12)


def dots(A: Any, B: Any) -> Any:
    return A @ B.T + 1


def test_a_function_comes_back_from_a_pickle() -> None:
    model = KernelPerceptron(kernel=dots).fit(X, Y)
    expected = model.decision_function(X)
    for name in (dots, "linear"):  # what has learned with a function goes on with it
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(model.set_params(kernel=name)))))
        np.testing.assert_array_equal(again.decision_function(X), expected)
        assert again.kernel == model.kernel


@pytest.mark.parametrize("size", [1, 2, 31, 33, 150])
def test_the_inverse_of_a_triangle(size: int) -> None:
    rows = np.random.default_rng(size).normal(size=(size, size + 3))
    factor = np.linalg.cholesky(rows @ rows.T)
    inverse = inverse_of_triangle(factor)
    assert not np.triu(inverse, 1).any()
    np.testing.assert_allclose(inverse @ factor, np.eye(size), atol=1e-9)
