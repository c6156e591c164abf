"""Budgets: never more vectors than allowed, and each policy against what it says it is."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.members.kernel.projection import RIDGE
from tests.linear.strategies import Data, data_sets

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
POLICIES = ["project", "stop"]
DIGITS, LABELS = load_digits(return_X_y=True)
DIGITS = DIGITS / 16


@settings(max_examples=100, deadline=None)
@given(
    data=data_sets(max_classes=4, max_rows=12, max_features=3),
    policy=st.sampled_from(POLICIES),
    budget=st.integers(1, 5),
    block_size=st.sampled_from([1, 3, 512]),
    multiclass=st.sampled_from(["argmax", "one-vs-rest"]),
)
def test_never_more_vectors(data: Data, policy: Any, budget: int, block_size: int, multiclass: Any) -> None:
    model = KernelPerceptron(
        gamma=0.5,
        budget=budget,
        budget_policy=policy,
        readout="last",
        block_size=block_size,
        multiclass=multiclass,
        max_iter=4,
    ).fit(data.X, data.y)
    assert len(model.support_) == len(model.support_vectors_) == model.dual_coef_.shape[1] <= budget
    assert model.n_support_.sum() == len(model.support_)
    kernel = np.exp(-0.5 * ((data.X[:, None] - model.support_vectors_[None]) ** 2).sum(axis=2))
    scores = np.atleast_2d(model.decision_function(data.X).T).T
    np.testing.assert_allclose(scores, kernel @ model.dual_coef_.T, rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(model.support_vectors_, data.X[model.support_])


@pytest.mark.parametrize("policy", POLICIES)
def test_a_budget_that_is_not_reached_changes_nothing(policy: Any) -> None:
    free = KernelPerceptron(max_iter=3, readout="last").fit(DIGITS, LABELS)
    roomy = KernelPerceptron(max_iter=3, readout="last", budget=len(LABELS), budget_policy=policy).fit(DIGITS, LABELS)
    assert roomy.mistakes_.tolist() == free.mistakes_.tolist()
    assert sorted(roomy.support_.tolist()) == sorted(free.support_.tolist())
    np.testing.assert_allclose(roomy.decision_function(DIGITS), free.decision_function(DIGITS), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("multiclass", ["argmax", "one-vs-rest"])
@pytest.mark.parametrize("block_size", [5, 512])
def test_projection_is_the_linear_perceptron_on_nystroem_features(multiclass: Any, block_size: int) -> None:
    """From the mistake that finds the dictionary full, on the features L^-1 k(x), row by row."""
    X, y, budget, gamma = DIGITS[:400], LABELS[:400], 25, 0.05
    words: dict[str, Any] = {"multiclass": multiclass, "shuffle": False, "max_iter": 2}
    model = KernelPerceptron(gamma=gamma, budget=budget, block_size=block_size, **words).fit(X, y)
    kernel = np.exp(-gamma * ((X[:, None] - X[None, model.support_]) ** 2).sum(axis=2))
    inner = kernel[model.support_]
    factor = np.linalg.cholesky(inner + RIDGE * np.eye(budget))
    features = np.linalg.solve(factor, kernel.T).T
    full = KernelPerceptron(gamma=gamma, budget=budget, budget_policy="stop", **words).fit(X, y)
    order = np.tile(np.arange(len(y)), 2)
    weights, sums, visit = np.zeros((10, budget)), np.zeros((10, budget)), 0
    held = {int(row): k for k, row in enumerate(full.support_)}
    assert full.support_.tolist() == model.support_.tolist()
    projected = False
    for i in order:
        scores = weights @ features[i]
        if multiclass == "argmax":
            others = np.where(np.arange(10) == y[i], -np.inf, scores)
            rival = int(others.argmax())
            moves = [(int(y[i]), 1), (rival, -1)] if scores[y[i]] <= others[rival] else []
        else:
            signs = np.where(np.arange(10) == y[i], 1, -1)
            moves = [(c, int(signs[c])) for c in range(10) if signs[c] * scores[c] <= 0]
        if moves and not projected and int(i) not in held:
            projected = True
        for c, sign in moves:
            added = features[i] if projected else factor.T[:, held[int(i)]]
            weights[c] += sign * added
            sums[c] += visit * sign * added
        visit += 1
    alpha = np.linalg.solve(factor.T, weights.T)
    np.testing.assert_allclose(model.set_params(readout="last").dual_coef_.T, alpha, rtol=1e-5, atol=1e-5)
    average = np.linalg.solve(factor.T, ((visit * weights - sums) / visit).T)
    np.testing.assert_allclose(model.set_params(readout="average").dual_coef_.T, average, rtol=1e-5, atol=1e-5)
    assert projected


def test_projection_is_far_better_than_stopping() -> None:
    X, X_test, y, y_test = train_test_split(DIGITS, LABELS, random_state=0)
    errors = {
        policy: 1 - KernelPerceptron(budget=40, budget_policy=policy, max_iter=5).fit(X, y).score(X_test, y_test)
        for policy in ("project", "stop")
    }
    assert errors["project"] < 0.6 * errors["stop"]
    linear = Perceptron(readout="average", max_iter=5).fit(X, y)
    assert errors["project"] < 1 - linear.score(X_test, y_test)


def test_what_is_gone_cannot_answer() -> None:
    model = KernelPerceptron(budget=20, readout="last", max_iter=2).fit(DIGITS, LABELS)
    with pytest.raises(ValueError, match="'last' or 'average'"):
        model.set_params(readout="vote").predict(DIGITS)
    model.set_params(readout="last").predict(DIGITS)


@pytest.mark.parametrize("policy", POLICIES)
def test_partial_fit_keeps_the_budget(policy: Any) -> None:
    words: dict[str, Any] = {"gamma": 0.05, "budget": 15, "budget_policy": policy, "readout": "last"}
    X, y = DIGITS[:600], LABELS[:600]
    model = KernelPerceptron(**words)
    for part in np.array_split(np.arange(600), 4):
        model.partial_fit(X[part], y[part])
        assert len(model.support_) <= 15
    whole = KernelPerceptron(**words, shuffle=False, max_iter=1).fit(X, y)
    assert whole.mistakes_.sum() == model.mistakes_.sum()
    np.testing.assert_allclose(model.decision_function(X), whole.decision_function(X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("policy", POLICIES)
def test_classes_that_come_late_find_their_vectors(policy: Any) -> None:
    X, words = np.arange(6.0)[:, None], {"gamma": 0.5, "budget": 4, "budget_policy": policy, "readout": "last"}
    model = KernelPerceptron(**words).partial_fit(X[:2], [2, 2])
    model.partial_fit(X[2:4], [0, 2]).partial_fit(X[4:], [1, 1])
    labels = np.array([2, 2, 0, 2, 1, 1])
    assert model.n_support_.tolist() == np.bincount(labels[model.support_], minlength=3).tolist()
