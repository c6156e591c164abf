"""The lectures' worked examples and claims about the linear family, with their exact values.

The numbers are those of the slides, or follow from them by exact arithmetic.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import KernelPerceptron, Perceptron, plain

AND_X, AND_Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])
AND = [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
CMU_X = np.array([[-1.0, 2], [1, 0], [1, 1], [-1, 0], [-1, -2], [1, -1]])
CMU_Y = np.array([-1, 1, 1, -1, -1, 1])
CMU = [tuple(map(int, x)) for x in CMU_X]
XOR_Y = [-1, 1, 1, -1]

KINDS: list[Callable[[Any], Any]] = [np.asarray, sp.csr_array, lambda X: X.astype(np.float32), sp.csc_array]
kinds = pytest.mark.parametrize("kind", KINDS, ids=["dense", "sparse", "float32", "columns"])


def listed(**words: Any) -> Perceptron:
    return Perceptron(shuffle=False, **words)


def augmented(model: Perceptron) -> list[float]:
    return [*model.intercept_.tolist(), *model.coef_[0].tolist()]


def test_and_in_plain_python() -> None:
    run = plain.run(AND, AND_Y.tolist())
    ends = [run.after[4 * k + 3][0] for k in range(9)]
    expected = [(0, 1, 1), (-1, 2, 1), (-2, 2, 1), (-2, 2, 2), (-2, 3, 2), (-3, 3, 2), (-3, 3, 3), (-4, 3, 2)]
    assert ends == [*expected, (-4, 3, 2)]
    assert [W[0] for W in run.after[:4]] == [(-1, 0, 0), (-1, 0, 0), (-1, 0, 0), (0, 1, 1)]
    assert run.mistakes == [2, 3, 3, 2, 2, 3, 2, 1, 0]
    assert run.n_updates == 18
    assert run.converged


@kinds
def test_and_in_the_core(kind: Callable[[Any], Any]) -> None:
    first = listed(max_iter=1).fit(kind(AND_X), AND_Y)
    assert (augmented(first), first.mistakes_.tolist()) == ([0, 1, 1], [2])
    model = listed(keep_mistakes=True).fit(kind(AND_X), AND_Y)
    assert augmented(model) == [-4, 3, 2]
    assert (model.n_updates_, model.n_iter_, model.converged_) == (18, 9, True)
    assert model.mistakes_.tolist() == [2, 3, 3, 2, 2, 3, 2, 1, 0]
    assert model.score(kind(AND_X), AND_Y) == 1


@kinds
def test_weights_are_a_combination_of_the_examples(kind: Callable[[Any], Any]) -> None:
    model = listed(keep_mistakes=True).fit(kind(AND_X), AND_Y)
    assert model.dual_coef_.tolist() == [2, 5, 4, 7]
    assert (model.dual_coef_ * AND_Y @ np.array(AND)).tolist() == [-4, 3, 2]


def test_cmu_in_plain_python() -> None:
    run = plain.run(CMU, CMU_Y.tolist(), tie="positive")
    assert [W[0] for W in run.after[:6:2]] == [(1, -2), (2, -1), (3, 1)]
    assert [i for _, i, _, _ in run.events] == [0, 2, 4]
    assert run.mistakes == [3, 0]


@kinds
@pytest.mark.parametrize(
    ("tie", "weights", "mistakes"), [("positive", [3, 1], 3), ("mistake", [3, 1], 3), ("negative", [1, 0], 1)]
)
def test_cmu_in_the_core(kind: Callable[[Any], Any], tie: Any, weights: list[int], mistakes: int) -> None:
    model = listed(tie=tie, fit_intercept=False, keep_mistakes=True).fit(kind(CMU_X), CMU_Y)
    assert model.coef_.tolist() == [weights]
    assert model.mistakes_.tolist() == [mistakes, 0]


def test_cmu_steps_one_by_one() -> None:
    model = Perceptron(fit_intercept=False)
    seen = [model.partial_fit(CMU_X[i : i + 1], CMU_Y[i : i + 1], classes=[-1, 1]).coef_[0].tolist() for i in range(6)]
    assert seen == [[1, -2], [1, -2], [2, -1], [2, -1], [3, 1], [3, 1]]


@pytest.mark.parametrize(("tie", "weights", "mistakes"), [("positive", [-3, 2, 1], 11), ("negative", [-2, 2, 1], 10)])
def test_and_with_other_signs_of_zero(tie: Any, weights: list[int], mistakes: int) -> None:
    model = listed(tie=tie).fit(AND_X, AND_Y)
    assert augmented(model) == weights
    assert model.mistakes_.sum() == mistakes


def test_only_tie_mistake_proves_strict_separability() -> None:
    least = {
        tie: (AND_Y * listed(tie=tie).fit(AND_X, AND_Y).decision_function(AND_X)).min()
        for tie in ("mistake", "positive", "negative")
    }
    assert least == {"mistake": 1, "positive": 0, "negative": 0}


def test_order_changes_the_weights_but_not_the_end() -> None:
    ends = []
    for order in permutations(range(4)):
        model = listed().fit(AND_X[list(order)], AND_Y[list(order)])
        assert model.converged_
        assert model.n_updates_ <= 51
        ends.append(tuple(augmented(model)))
    assert {end: ends.count(end) for end in ends} == {(-4, 3, 2): 12, (-4, 2, 3): 12}


@pytest.mark.parametrize("eta0", [0.1, 0.5, 1, 2, 10])
def test_from_zero_the_learning_rate_only_scales(eta0: float) -> None:
    model = listed(eta0=eta0).fit(AND_X, AND_Y)
    assert model.mistakes_.sum() == 18
    np.testing.assert_allclose(np.array(augmented(model)) / eta0, [-4, 3, 2])


@pytest.mark.parametrize(("eta0", "mistakes"), [("1/10", 41), ("1/2", 12), ("1", 6), ("2", 13), ("10", 6)])
def test_from_elsewhere_it_does_not(eta0: str, mistakes: int) -> None:
    start = [Fraction(1, 2), Fraction(-1), Fraction(2)]
    run = plain.run(AND, AND_Y.tolist(), init=[start], eta0=Fraction(eta0))
    assert sum(run.mistakes) == mistakes
    model = listed(init=[0.5, -1, 2], eta0=float(Fraction(eta0))).fit(AND_X, AND_Y)
    assert model.mistakes_.sum() == mistakes


@pytest.mark.parametrize(("start", "mistakes"), [([30, 0, 0], 74), ([0, 50, 50], 35)])
def test_a_start_can_break_the_bound_of_a_zero_start(start: list[int], mistakes: int) -> None:
    assert listed(init=start).fit(AND_X, AND_Y).n_updates_ == mistakes


def test_batch_gradient_descent() -> None:
    run = plain.run(AND, AND_Y.tolist(), batch_size=4)
    steps = [(-2, 0, 0), (-1, 1, 1), (-3, 0, 0), (-2, 1, 1), (-1, 2, 2), (-3, 1, 1), (-2, 2, 2), (-4, 1, 1), (-3, 2, 2)]
    assert [run.after[4 * k][0] for k in range(9)] == steps
    model = listed(batch_size="all").fit(AND_X, AND_Y)
    assert augmented(model) == [-3, 2, 2]
    assert (model.n_updates_, model.mistakes_.sum()) == (9, 15)
    assert listed(batch_size="all", fit_intercept=False).fit(CMU_X, CMU_Y).coef_.tolist() == [[6, 0]]


@kinds
def test_averaged(kind: Callable[[Any], Any]) -> None:
    model = listed(readout="average", fit_intercept=False).fit(kind(CMU_X), CMU_Y)
    assert model.coef_.tolist() == [[2.5, np.asarray(1 / 6, dtype=model.coef_.dtype)]]
    model = listed(readout="average").fit(kind(AND_X), AND_Y)
    assert augmented(model) == np.array([-23 / 9, 25 / 12, 4 / 3], dtype=model.coef_.dtype).tolist()
    assert (AND_Y * model.decision_function(kind(AND_X)) > 0).all()


def test_averaged_after_one_pass() -> None:
    model = listed(readout="average", fit_intercept=False, max_iter=1).fit(CMU_X, CMU_Y)
    assert (model.coef_.tolist(), model.mistakes_.tolist()) == ([[2, -2 / 3]], [3])


def test_voted_survival_counts() -> None:
    model = listed(readout="vote", fit_intercept=False).fit(CMU_X, CMU_Y)
    kept = model._model.state.mistakes.events
    assert kept.visit.tolist() == [0, 2, 4]  # (0,0) survives 0 visits, (1,-2) 2, (2,-1) 2, and (3,1) the other 8
    assert model._model.state.visits == 12
    # (1, 0.25): scores 0.5, 1.75, 3.25 of the three: all vote +. (0, 1): -2, -1 and 1: 4 votes against 8.
    assert model.decision_function([[1, 0.25], [0, 1]]).tolist() == [1, (8 - 4) / 12]


def test_xor_cycles_through_four_weights() -> None:
    model = listed(readout="pocket", max_iter=3).fit(AND_X, XOR_Y)
    assert model.mistakes_[-1] == 4
    run = plain.run(AND, XOR_Y, max_iter=1)
    assert [W[0] for W in run.after] == [(-1, 0, 0), (0, 0, 1), (1, 1, 1), (0, 0, 0)]
    assert augmented(model) == [-1, 0, 0]  # the first with 2 mistakes, ties counted
    assert not model.converged_


@pytest.mark.parametrize(
    ("scale", "constant", "updates", "passes"),
    [(100, 1, 30006, 10004), (1, 100, 10003, 5003), (100, 100, 18, 9)],  # 1 to 100 is AND / 100 with a bias of 1
)
def test_scaling_needs_the_bias_scaled_too(scale: float, constant: float, updates: int, passes: int) -> None:
    model = listed(intercept_scaling=constant).fit(AND_X * scale, AND_Y)
    assert (model.n_updates_, model.n_iter_) == (updates, passes)


@pytest.mark.parametrize("scale", [100, 2, 0.25])
def test_scaling_without_bias_changes_no_mistake(scale: float) -> None:
    model = listed(fit_intercept=False).fit(CMU_X * scale, CMU_Y)
    assert model.mistakes_.tolist() == [3, 0]
    assert model.coef_.tolist() == [[3 * scale, 1 * scale]]


def test_melbourne_example() -> None:
    tenth = Fraction(1, 10)
    X, y = [(1, 1, 1), (1, 2, 1), (1, Fraction(3, 2), 0)], [-1, 1, 1]
    run = plain.run(X, y, init=[(-tenth, 2 * tenth, 0)], eta0=tenth, max_iter=1)
    assert run.after[0] == ((-2 * tenth, tenth, -tenth),)
    assert run.after[1] == run.after[2] == ((-tenth, 3 * tenth, 0),)
    assert plain.dot(run.after[1][0], X[2]) == Fraction(35, 100)


def test_why_a_bias() -> None:
    X, y = [[1.0], [2.0]], [-1, 1]
    assert not listed(fit_intercept=False).fit(X, y).converged_
    assert listed().fit(X, y).converged_
    assert listed().fit(X, y).n_updates_ <= 65


def test_least_squares_is_not_fewest_mistakes() -> None:
    X, y = [[0.0], [1], [2], [9]], [-1, -1, 1, 1]
    model = listed().fit(X, y)
    assert augmented(model) == [-3, 2]
    assert model.n_updates_ == 9


def test_threshold_is_a_weight_on_a_constant() -> None:
    constant_last = np.column_stack([AND_X, np.ones(4)])
    model = listed(fit_intercept=False).fit(constant_last, AND_Y)
    assert model.coef_.tolist() == [[3, 2, -4]]
    assert model.mistakes_.tolist() == listed().fit(AND_X, AND_Y).mistakes_.tolist()


def test_what_an_update_does() -> None:
    random = np.random.default_rng(0)
    for _ in range(500):
        theta, x = ([Fraction(int(v), 7) for v in random.integers(-9, 10, 3)] for _ in range(2))
        x[0] = Fraction(1)
        y = int(random.choice([-1, 1]))
        after = [t + y * a for t, a in zip(theta, x, strict=True)]
        assert y * plain.dot(after, x) == y * plain.dot(theta, x) + plain.dot(x[1:], x[1:]) + 1


def test_overfitting_without_hyper_parameters() -> None:
    """The quiz: random labels in more dimensions than examples are learned without error, and mean nothing."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(440, 100)), random.integers(0, 2, 440)
    model = Perceptron().fit(X[:40], y[:40])
    assert model.score(X[:40], y[:40]) == 1
    assert 0.4 < model.score(X[40:], y[40:]) < 0.6


@kinds
def test_xor_with_a_quadratic_kernel(kind: Callable[[Any], Any]) -> None:
    """K = (1 + x.x')^2 in the listed order: alpha = [7, 5, 5, 4] after 21 updates, and the eighth pass is clean."""
    model = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, readout="last", shuffle=False)
    model.fit(kind(AND_X), XOR_Y)
    assert np.abs(model.dual_coef_[0, np.argsort(model.support_)]).tolist() == [7, 5, 5, 4]
    assert (model.n_updates_, model.n_iter_, model.converged_) == (21, 8, True)
    assert model.decision_function(kind(AND_X)).tolist() == [-1, 2, 2, -3]


@kinds
def test_the_dual_of_and(kind: Callable[[Any], Any]) -> None:
    model = KernelPerceptron(kernel="linear", coef0=1, readout="last", shuffle=False).fit(kind(AND_X), AND_Y)
    alpha = np.abs(model.dual_coef_[0, np.argsort(model.support_)])
    assert alpha.tolist() == [2, 5, 4, 7]
    assert (alpha * AND_Y @ np.array(AND)).tolist() == [-4, 3, 2]
