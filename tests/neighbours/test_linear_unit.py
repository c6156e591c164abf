"""The linear unit: lecture 002, section 3, with its exact numbers, and the core against plain.py."""

import itertools
import signal
import threading
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, make_regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import _core, plain
from rosenblatt.base.exceptions import DivergenceError
from rosenblatt.base.rows import core_rows
from rosenblatt.doors.sklearn.linear_unit import LinearUnit, LinearUnitClassifier
from rosenblatt.members.neighbours.linear_unit import largest_eigenvalue

AND, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1.0, -1, -1, 1])
ROWS = [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]  # the constant feature first, as in the lecture
KINDS: dict[str, Any] = {"dense": np.asarray, "sparse": sp.csr_array, "sparse64": lambda X: _long(sp.csr_array(X))}


def _long(X: Any) -> Any:
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


def fractions(text: Any) -> Any:
    return [Fraction(number) for number in text.split()]


def loss(w: Any) -> Any:
    return sum((y - plain.dot(w, x)) ** 2 for x, y in zip(ROWS, map(int, Y), strict=True)) / 2


def weights(model: Any) -> Any:
    return [model.intercept_, *model.coef_]


BATCH = [fractions(w) for w in ("-1/5 0 0", "-8/25 1/25 1/25", "-51/125 23/250 23/250")]
BATCH_LOSSES = fractions("42/25 949/625 87011/62500")
STOCHASTIC = [
    fractions(w) for w in ("-1/10 0 0", "-19/100 0 -9/100", "-271/1000 -81/1000 -9/100", "-317/2500 79/1250 271/5000")
]


def test_lecture_numbers_in_plain_python() -> None:
    y, start = [-1, -1, -1, 1], [Fraction(0)] * 3
    steps = list(itertools.islice(plain.linear_unit(ROWS, y, start, Fraction(1, 10), 4), 3))
    assert steps == BATCH
    assert [loss(w) for w in steps] == BATCH_LOSSES
    assert list(itertools.islice(plain.linear_unit(ROWS, y, start, Fraction(1, 10), 1), 4)) == STOCHASTIC
    assert loss(fractions("-3/2 1 1")) == Fraction(1, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_loss_and_gradient_of_the_lecture(kind: Any) -> None:
    rows = core_rows(KINDS[kind](AND))
    E, gradient = _core.squared_error(rows, Y, None, np.zeros(3), 1.0)
    assert (E, gradient.tolist()) == (2, [0, 0, 2])  # the core has the constant feature last
    E, gradient = _core.squared_error(rows, Y, None, np.array([1, 1, -1.5]), 1.0)
    assert (E, gradient.tolist()) == (0.5, [0, 0, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_batch_steps_of_the_lecture(kind: Any) -> None:
    for passes in (1, 2, 3):
        model = LinearUnit(eta0=0.1, max_iter=passes, tol=None).fit(KINDS[kind](AND), Y)
        np.testing.assert_allclose(weights(model), np.array(BATCH[passes - 1], dtype=float), rtol=1e-15, atol=1e-16)
        np.testing.assert_allclose(model.losses_, np.array(BATCH_LOSSES[:passes], dtype=float), rtol=1e-15)
        assert model.n_iter_ == passes
        assert not model.converged_


@pytest.mark.parametrize("kind", KINDS)
def test_stochastic_steps_of_the_lecture(kind: Any) -> None:
    model = LinearUnit(method="stochastic", eta0=0.1, shuffle=False, tol=None)
    for visits in (1, 2, 3, 4):  # one pass over the first rows
        model.set_params(max_iter=1).fit(KINDS[kind](AND[:visits]), Y[:visits])
        np.testing.assert_allclose(
            weights(model), np.array(STOCHASTIC[visits - 1], dtype=float), rtol=1e-14, atol=1e-16
        )
    assert model.losses_ == pytest.approx([float(loss(STOCHASTIC[-1]))], rel=1e-14)


def test_batch_finds_the_minimum_and_constant_stochastic_steps_end_beside_it() -> None:
    best = LinearUnit(tol=1e-12).fit(AND, Y)
    np.testing.assert_allclose(weights(best), [-1.5, 1, 1], rtol=1e-11)
    assert best.converged_
    assert best.losses_[-1] == pytest.approx(0.5, rel=1e-12)
    np.testing.assert_allclose(best.predict(AND), [-1.5, -0.5, -0.5, 0.5], atol=1e-11)
    beside = LinearUnit(method="stochastic", eta0=0.1, shuffle=False, tol=None).fit(AND, Y)
    np.testing.assert_allclose(weights(beside), [-14 / 9, 10 / 9, 19 / 18], rtol=1e-9)
    assert beside.losses_[-1] > 0.5
    falling = LinearUnit(
        method="stochastic", eta0=0.1, learning_rate="invscaling", power_t=0.5, shuffle=False, max_iter=20000, tol=None
    ).fit(AND, Y)
    assert falling.losses_[-1] - 0.5 < 0.01 * (beside.losses_[-1] - 0.5)


def test_converges_below_two_over_lambda_max_and_names_divergence_above_it() -> None:
    assert largest_eigenvalue(core_rows(AND), None, 1.0, np.float64) == pytest.approx((7 + 33**0.5) / 2, rel=1e-9)
    assert LinearUnit(eta0=0.31).fit(AND, Y).losses_[-1] == pytest.approx(0.5, rel=1e-9)
    steps = itertools.islice(plain.linear_unit(ROWS, [-1, -1, -1, 1], [0] * 3, Fraction(8, 25), 4), 8)
    exact = [float(loss(w)) for w in steps]
    assert np.argmin(exact) == 6  # after pass 7: pass 8 is the first that rises
    with pytest.raises(DivergenceError) as caught:
        LinearUnit(eta0=0.32).fit(AND, Y)
    assert f"eta0=0.32 is too large: E rose from {exact[6]:.5g} (pass 7) to {exact[7]:.5g} (pass 8)" in str(
        caught.value
    )
    assert "converges below 2/lambda_max = 0.31386" in str(caught.value)


@pytest.mark.parametrize("estimator", [LinearUnit, LinearUnitClassifier])
@pytest.mark.parametrize("method", ["batch", "stochastic"])
@pytest.mark.parametrize("learning_rate", ["constant", "invscaling"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("eta0", [100.0, 1e30])
def test_divergence_changes_nothing(estimator: Any, method: Any, learning_rate: Any, dtype: Any, eta0: Any) -> None:
    model = estimator(method=method).fit(AND, Y)
    before = dict(vars(model))
    model.set_params(eta0=eta0, learning_rate=learning_rate)
    X = np.random.default_rng(0).normal(size=(50, 3)).astype(dtype)
    with pytest.raises(DivergenceError, match=r"too large: E rose from .* Use eta0='auto'"):
        model.fit(X, np.sign(X[:, 0]))
    assert {**vars(model), "eta0": "auto", "learning_rate": "constant"} == before


def test_too_small_a_number_of_passes_is_a_warning() -> None:
    with pytest.warns(ConvergenceWarning, match="pass 3 was the last, E = .* scale the features") as caught:
        model = LinearUnit(max_iter=3).fit(AND, Y)
    assert caught[0].filename == __file__
    assert not model.converged_
    with pytest.warns(ConvergenceWarning, match="pass 2 was the last, E = .* lower eta0"):
        LinearUnit(method="stochastic", max_iter=2).fit(AND, Y)


small = st.integers(-2, 2)


@st.composite
def problems(draw: Any) -> Any:
    n, d = draw(st.integers(1, 6)), draw(st.integers(1, 10))
    X = draw(st.lists(st.lists(small, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(small, min_size=n, max_size=n))
    start = draw(st.lists(small, min_size=d + 1, max_size=d + 1))
    return X, y, start


@given(problems(), st.sampled_from(sorted(KINDS)), st.sampled_from(["batch", "stochastic"]), st.booleans())
def test_core_equals_plain_exactly(problem: Any, kind: Any, method: Any, intercept: Any) -> None:
    """Small integers and a rate of 1/64 make every weight exact in double."""
    X, y, start = problem
    eta, passes = Fraction(1, 64), 2 if method == "batch" else 1
    rows = [[1, *x] for x in X] if intercept else X
    start = start if intercept else start[1:]
    size, steps = (len(X), passes) if method == "batch" else (1, passes * len(X))
    expected = list(itertools.islice(plain.linear_unit(rows, y, start, eta, size), steps))[-1]
    w = np.array([*start[1:], start[0]] if intercept else [*start, 0], dtype=float)
    losses, outcome = _core.descend(
        core_rows(KINDS[kind](np.array(X, dtype=float))),
        np.array(y, dtype=float),
        None,
        w=w,
        bias=float(intercept),
        method=method,
        eta0=1 / 64,
        power_t=0.0,
        tol=-1.0,
        max_iter=passes,
        seed=None,
    )
    if outcome == "diverged":  # a rise of E ends the run, and is real
        assert losses[-1] > losses[:-1].min()
        return
    assert [*w[-1:], *w[:-1]][not intercept :] == [float(a) for a in expected]
    error = sum((t - plain.dot(expected, x)) ** 2 for x, t in zip(rows, y, strict=True)) / 2
    assert losses[-1] == pytest.approx(float(error), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("method", ["batch", "stochastic"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("estimator", [LinearUnit, LinearUnitClassifier])
def test_dense_equals_sparse_and_float32_stays_float32(estimator: Any, method: Any, dtype: Any) -> None:
    X = np.random.default_rng(3).normal(size=(2000, 9)).astype(dtype)
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    models = [estimator(method=method, tol=1e-3).fit(kind(X), y) for kind in KINDS.values()]
    for model in models:
        np.testing.assert_array_equal(model.losses_, models[0].losses_)
        np.testing.assert_array_equal(model.coef_, models[0].coef_)
        np.testing.assert_array_equal(model.intercept_, models[0].intercept_)
        assert model.coef_.dtype == np.asarray(model.intercept_).dtype == dtype
        assert model.converged_


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_batch_is_least_squares(dtype: Any) -> None:
    X, y = make_regression(200, 6, noise=10.0, random_state=0)
    ours = LinearUnit(intercept_scaling=2.0).fit(X.astype(dtype), y)
    theirs = LinearRegression().fit(X, y)
    assert ours.converged_
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-4)
    assert (np.diff(ours.losses_) <= 1e-6 * ours.losses_[:-1]).all()
    stochastic = LinearUnit(method="stochastic").fit(X.astype(dtype), y)
    assert stochastic.converged_
    assert stochastic.losses_[-1] < 1.1 * ours.losses_[-1]


def test_batch_takes_rows_in_any_order_and_weights_as_repetition() -> None:
    X, y = make_regression(40, 5, noise=5.0, random_state=1)
    weight = np.random.default_rng(0).integers(0, 4, 40)
    order = np.random.default_rng(1).permutation(40)
    weighted = LinearUnit().fit(X[order], y[order], sample_weight=weight[order])
    repeated = LinearUnit().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-11)
    np.testing.assert_allclose(weighted.losses_, repeated.losses_, rtol=1e-11)


@pytest.mark.parametrize("method", ["batch", "stochastic"])
def test_rows_of_weight_zero_change_nothing(method: Any) -> None:
    X, y = np.vstack([AND, [[1e9, -1e9]]]), [*Y, 1e9]
    model = LinearUnit(method=method).fit(X, y, sample_weight=[1, 1, 1, 1, 0])
    np.testing.assert_array_equal(model.losses_, LinearUnit(method=method).fit(AND, Y, np.ones(4)).losses_)
    with pytest.raises(ValueError, match="at least one non-zero"):
        model.fit(AND, Y, sample_weight=np.zeros(4))
    with pytest.raises(ValueError, match="Negative values"):
        model.fit(AND, Y, sample_weight=[1, 1, 1, -1])


def test_starts_and_warm_start() -> None:
    there = LinearUnit(init=[-1.5, 1, 1]).fit(AND, Y)
    assert (there.n_iter_, there.converged_, there.losses_.tolist()) == (1, True, [0.5])
    half = LinearUnit(init=[1, 1], max_iter=1, tol=None, eta0=0.125).fit(AND, Y)
    assert weights(half) == [-0.75, 0.625, 0.625]  # one step from (0, 1, 1): errors -1 -2 -2 -1
    again = LinearUnit(eta0=0.1, max_iter=1, tol=None, warm_start=True, intercept_scaling=1.0)
    for expected in BATCH:
        np.testing.assert_allclose(weights(again.fit(AND, Y)), np.array(expected, float), rtol=1e-15, atol=1e-16)
    with pytest.raises(ValueError, match="expecting 2 features"):
        again.fit(np.eye(3), [1, 2, 3])
    seeds = [LinearUnit(init="random", max_iter=1, tol=None, random_state=seed).fit(AND, Y).coef_ for seed in (0, 0, 1)]
    np.testing.assert_array_equal(seeds[0], seeds[1])
    assert (seeds[0] != seeds[2]).all()
    with pytest.raises(ValueError, match="init must have shape"):
        LinearUnit(init=[1, 2, 3, 4]).fit(AND, Y)


def test_shuffled_runs_follow_the_seed() -> None:
    X, y = make_regression(50, 3, noise=5.0, random_state=1)
    runs = [LinearUnit(method="stochastic", max_iter=3, tol=None, random_state=s).fit(X, y).coef_ for s in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).all()


def test_best_fit_is_not_the_fewest_mistakes() -> None:
    model = LinearUnitClassifier(tol=1e-12).fit([[0], [1], [2], [9]], ["no", "no", "yes", "yes"])
    np.testing.assert_allclose([*model.intercept_, *model.coef_[0]], [-0.6, 0.2], rtol=1e-10)
    assert model.predict([[1], [2], [4], [9]]).tolist() == ["no", "no", "yes", "yes"]


def test_more_classes_are_one_against_the_rest() -> None:
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = LinearUnitClassifier(tol=1e-3).fit(X, y)
    units = [LinearUnit(tol=1e-3).fit(X, np.where(y == c, 1, -1)) for c in range(3)]
    np.testing.assert_array_equal(model.coef_, [unit.coef_ for unit in units])
    np.testing.assert_array_equal(model.intercept_, [unit.intercept_ for unit in units])
    np.testing.assert_allclose(model.losses_[-1], sum(unit.losses_[-1] for unit in units))
    assert model.n_iter_ == len(model.losses_) == max(unit.n_iter_ for unit in units)
    outputs = np.column_stack([unit.predict(X) for unit in units])
    np.testing.assert_allclose(model.decision_function(X), outputs, atol=1e-14)
    assert (model.predict(X) == outputs.argmax(axis=1)).all()
    assert model.score(X, y) > 0.8


def test_class_weight_is_a_weight_of_the_rows() -> None:
    y = [0, 0, 0, 1]
    for class_weight, row_weight in (({0: 1, 1: 3}, [1, 1, 1, 3]), ("balanced", [2 / 3, 2 / 3, 2 / 3, 2])):
        by_class = LinearUnitClassifier(class_weight=class_weight).fit(AND, y)
        by_row = LinearUnitClassifier().fit(AND, y, sample_weight=row_weight)
        np.testing.assert_array_equal(by_class.losses_, by_row.losses_)


def test_refusals_of_the_classifier() -> None:
    with pytest.raises(ValueError, match="needs at least 2 classes, got one class: 7"):
        LinearUnitClassifier().fit(AND, [7, 7, 7, 7])
    model = LinearUnitClassifier(warm_start=True).fit(AND, [0, 0, 0, 1])
    with pytest.raises(ValueError, match=r"the same classes: \[0 1\] before, \[1 2\] now"):
        model.fit(AND, [1, 1, 1, 2])
    assert model.classes_.tolist() == [0, 1]


@pytest.mark.parametrize(("X", "y"), [(AND * 1e200, Y), (AND, Y * 1e200), (AND.astype(np.float32), Y * 1e200)])
def test_numbers_too_large_to_square_are_named(X: Any, y: Any) -> None:
    with pytest.raises(ValueError, match=r"not finite.*scale"):
        LinearUnit().fit(X, y)


def test_the_interpreter_runs_meanwhile() -> None:
    X = np.random.default_rng(0).normal(size=(2000, 50))
    fit = threading.Thread(target=LinearUnit(max_iter=2000, tol=None).fit, args=(X, X[:, 0] ** 2))
    fit.start()
    turns = 0
    while fit.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 5


def test_ctrl_c_ends_a_run_and_changes_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(2000, 50))
    model = LinearUnit(max_iter=100_000, tol=None)
    main = threading.get_ident()
    threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, X[:, 0] ** 2)
    assert not hasattr(model, "n_features_in_")


ORDER = "a stochastic run depends on the order and the number of its steps, so three equal rows are not one of weight 3"


def expected_failures(estimator: Any) -> Any:
    if getattr(estimator, "method", "batch") == "batch":
        return {}
    return dict.fromkeys(
        ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"], ORDER
    )


# The checks set max_iter to 5 or less, which is not enough.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        LinearUnit(),
        LinearUnit(method="stochastic"),
        LinearUnitClassifier(),
        LinearUnitClassifier(method="stochastic"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)
