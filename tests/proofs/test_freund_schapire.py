"""Bounds that need no separability: the least of them, proven to be so, and no run that exceeds it."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler, normalize

from rosenblatt import Perceptron, plain
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.proofs.bounds import freund_schapire, hinge, novikoff, radius
from tests.linear.strategies import Data, data_sets

pytestmark = [
    pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::rosenblatt.ScaleWarning"),
]
BOUNDS: list[Callable[..., Any]] = [freund_schapire, hinge]
both = pytest.mark.parametrize("bound", BOUNDS)


def signed(X: Any, y: Any) -> Any:
    return np.column_stack([np.ones(len(X)), X]) * np.where(y == np.max(y), 1, -1)[:, None]


def formula(bound: Any, Z: Any, w: Any, passes: int = 1) -> float:
    """As the theorems have it, with w = u / gamma."""
    a = np.sqrt((Z * Z).sum(axis=1).max()) * np.linalg.norm(w)
    short = np.maximum(0, 1 - Z @ w)
    if bound is freund_schapire:
        return float(a + math.sqrt(passes * (short @ short))) ** 2
    return float((a + math.sqrt(a * a + 4 * passes * short.sum())) / 2) ** 2


def real_sets() -> dict[str, tuple[Any, Any]]:
    (iris, flower), (wine, cultivar), (cancer, benign), (digits, digit) = (
        load(return_X_y=True) for load in (load_iris, load_wine, load_breast_cancer, load_digits)
    )
    diabetes, progress = load_diabetes(return_X_y=True)
    last = flower > 0
    three_or_nine = (digit == 3) | (digit == 9)
    return {
        "iris": (iris[last], flower[last]),
        "wine": (wine, cultivar == 1),
        "breast cancer": (cancer, benign),
        "8": (digits, digit == 8),
        "odd": (digits, digit % 2),
        "3 or 9": (digits[three_or_nine], digit[three_or_nine]),
        "diabetes": (diabetes, progress > np.median(progress)),
    }


EXPECTED = {
    "iris": ("100.0", "59.4", "30.2"),
    "wine": ("165.7", "84.8", "51.9"),
    "breast cancer": ("569.0", "290.3", "100.8"),
    "8": ("561.7", "1797.0", "536.7"),
    "odd": ("933.5", "1641.2", "693.4"),
    "3 or 9": ("143.8", "274.8", "67.7"),
    "diabetes": ("442.0", "374.0", "328.4"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_real_data(name: str) -> None:
    """As given, standardised, and standardised with its constant feature scaled to rows of length 1."""
    X, y = real_sets()[name]
    standard = StandardScaler().fit_transform(X)
    unit = normalize(np.column_stack([np.ones(len(X)), standard]))
    cases: list[tuple[Any, dict[str, Any]]] = [(X, {}), (standard, {}), (unit, {"fit_intercept": False})]
    for (rows, words), expected in zip(cases, EXPECTED[name], strict=True):
        squared, corner = freund_schapire(rows, y, **words), hinge(rows, y, **words)
        assert f"{squared.bound:.1f}" == expected
        assert squared.lower <= squared.bound <= squared.lower * (1 + 1e-9)
        assert corner.lower <= corner.bound <= corner.lower * (1 + 1e-6)
        assert corner.bound <= squared.bound
        mistakes = Perceptron(max_iter=1, random_state=0, **words).fit(rows, y).mistakes_[0]
        assert mistakes <= corner.bound


@both
def test_a_given_reference(bound: Any) -> None:
    Z, u, gamma = signed(*AND), np.array([-3.0, 2, 2]), 0.4
    found = bound(*AND, u=u, gamma=gamma, passes=3)
    w = u / np.linalg.norm(u) / gamma
    assert found.bound == pytest.approx(formula(bound, Z, w, passes=3), rel=1e-12)
    assert found.bound >= formula(bound, Z, w, passes=3)
    assert found.gamma == pytest.approx(gamma, rel=1e-15)
    np.testing.assert_allclose(found.u * math.sqrt(17), u, rtol=1e-14)
    short = np.maximum(0, gamma - Z @ u / math.sqrt(17))
    expected = math.sqrt(3 * (short @ short)) if bound is freund_schapire else 3 * short.sum()
    assert found.deviation == pytest.approx(expected, rel=1e-12)


def test_the_formula_of_the_lecture() -> None:
    """((R + D) / gamma)^2; with all margins reached D = 0, and it is Novikoff's."""
    found = freund_schapire(*AND, u=(-3, 2, 2), gamma=0.5)
    assert found.bound == pytest.approx(((math.sqrt(3) + found.deviation) / 0.5) ** 2, rel=1e-12)
    assert freund_schapire(*AND, u=(-3, 2, 2), gamma=17**-0.5).bound == pytest.approx(51, rel=1e-12)


@both
def test_after_many_passes_it_is_novikoffs(bound: Any) -> None:
    iris, flower = load_iris(return_X_y=True)
    two = flower < 2
    cases: list[tuple[Any, Any, dict[str, Any]]] = [
        (*AND, {}),
        (*CMU, {"fit_intercept": False}),
        (iris[two], flower[two], {}),
        (iris[two] - iris[two].mean(axis=0), flower[two], {}),
    ]
    for X, y, words in cases:
        exact = novikoff(X, y, **words).bound
        assert exact * (1 - 1e-12) <= bound(X, y, passes=10**6, **words).bound <= exact * (1 + 1e-5)


@both
def test_nothing_better_than_the_number_of_visits(bound: Any) -> None:
    """If and only if the sum of all rows is not longer than R sqrt(m / T)."""
    found = bound(*XOR, passes=5)
    assert (found.bound, found.w.tolist(), found.gamma, found.u.tolist()) == (20, [0] * 3, math.inf, [0] * 3)
    assert found.lower == pytest.approx(20, rel=1e-12)
    assert bound(np.zeros((3, 2)), [0, 1, 1], fit_intercept=False).bound == 3  # R = 0


small_sets = data_sets(max_rows=8, max_features=9)
passes_of_a_run = st.integers(1, 4)


@settings(max_examples=150, deadline=None)
@given(data=small_sets, passes=st.sampled_from([1, 2, 50]), intercept=st.booleans(), seed=st.integers(0, 99))
def test_primal_and_dual_meet(data: Data, passes: int, intercept: bool, seed: int) -> None:
    """What no reference can go below is where the best one is; any other is not below it."""
    words: dict[str, Any] = {"passes": passes, "fit_intercept": intercept}
    Z = signed(*data)[:, int(not intercept) :]
    w = np.random.default_rng(seed).normal(size=Z.shape[1])
    for bound in BOUNDS:
        found = bound(*data, **words)
        assert found.lower <= found.bound <= found.lower * (1 + 3e-6)
        assert found.bound <= passes * len(data.y)
        assert formula(bound, Z, found.w, passes) <= found.bound * (1 + 1e-12)
        assert formula(bound, Z, w, passes) >= found.lower
    assert hinge(*data, **words).lower <= freund_schapire(*data, **words).bound


@settings(max_examples=150, deadline=None)
@given(data=small_sets, passes=passes_of_a_run, shuffle=st.booleans(), seed=st.integers(0, 9), intercept=st.booleans())
def test_no_run_exceeds_its_bound(data: Data, passes: int, shuffle: bool, seed: int, intercept: bool) -> None:
    words: dict[str, Any] = {"fit_intercept": intercept}
    model = Perceptron(max_iter=passes, shuffle=shuffle, random_state=seed, **words).fit(*data)
    for bound in BOUNDS:
        assert model.mistakes_.sum() <= bound(*data, passes=model.n_iter_, **words).bound


def test_thousands_of_orders_exceed_no_bound() -> None:
    """One pass in ten orders over random integers: the least bounds, and those of any direction and margin."""
    random, closest = np.random.default_rng(0), 0.0
    for _ in range(600):
        n, d = random.integers(2, 12), random.integers(1, 4)
        X, y = random.integers(-2, 3, size=(n, d)), np.append([-1, 1], random.choice([-1, 1], size=n - 2))
        u, gamma = random.integers(-3, 4, size=d) * 2 + 1, random.exponential()
        words: dict[str, Any] = {"fit_intercept": False}
        least = min(bound(X, y, **words).bound for bound in BOUNDS)
        least = min(least, *(bound(X, y, u, gamma, **words).bound for bound in BOUNDS))
        for _ in range(10):
            run = plain.run(X.tolist(), y.tolist(), order=random.permutation(n).tolist(), max_iter=1)
            assert run.mistakes[0] <= least
            closest = max(closest, run.mistakes[0] / least)
    assert closest == pytest.approx(1)  # some are reached


@settings(max_examples=30, deadline=None)
@given(data=small_sets, scale=st.sampled_from([2.0**-40, 3.0, 1e6]))
def test_scaling_all_rows_changes_nothing(data: Data, scale: float) -> None:
    for bound in BOUNDS:
        one, other = bound(*data), bound(data.X * scale, data.y, intercept_scaling=scale)
        assert other.bound == pytest.approx(one.bound, rel=3e-6)
        assert other.gamma == pytest.approx(one.gamma * scale, rel=1e-2)


@both
def test_dense_and_sparse_and_wide_rows(bound: Any) -> None:
    random = np.random.default_rng(1)
    X, y = random.integers(-2, 3, size=(40, 6)).astype(float), random.integers(0, 2, 40)
    y[X[:, 0] > 0] = 1
    one = bound(X, y)
    assert bound(sp.csr_array(X), y).bound == pytest.approx(one.bound, rel=3e-6)
    turned = np.linalg.qr(random.normal(size=(60, 60)))[0][:, :6]  # the same rows among 60 features
    assert bound(X @ turned.T, y).bound == pytest.approx(one.bound, rel=3e-6)
    assert one.bound < 40


def test_never_above_novikoffs() -> None:
    random = np.random.default_rng(2)
    for _ in range(20):
        X, w = random.integers(-3, 4, size=(30, 3)), random.integers(-3, 4, size=4)
        s = X @ w[1:] + w[0]
        X, y = X[s != 0], np.sign(s[s != 0])
        if len(set(y.tolist())) == 2:
            most = novikoff(X, y).bound
            for bound in BOUNDS:
                assert bound(X, y).bound <= min(most * (1 + 3e-6), len(y))


def test_the_radius_counts() -> None:
    """One far point on the right side makes every bound worse, though nothing falls short."""
    X, y = np.tile(AND.X, (30, 1)), np.tile(AND.y, 30)
    far, more = np.vstack([X, [[5, 5]]]), np.append(y, 1)
    assert radius(far) > radius(X)
    for bound in BOUNDS:
        assert bound(far, more).bound > bound(X, y).bound
