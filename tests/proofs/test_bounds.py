"""Mistake bounds: the lectures' numbers, exactly, and no run that exceeds any of them."""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris

from rosenblatt import Perceptron, plain
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.proofs.bounds import conventions, freund_schapire, hinge, novikoff, radius

pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")


def test_and_as_in_lecture_002() -> None:
    found = novikoff(*AND, w=(-3, 2, 2))
    assert [found.gap, found.radius_exact, found.w_norm2] == [1, 3, 17]
    assert found.bound_exact == found.radius_exact / found.gap**2 * found.w_norm2 == 51
    assert found.bound == 51
    assert found.margin <= 1 / math.sqrt(17) < found.margin * (1 + 1e-15)
    assert novikoff(*AND, w=(-4, 3, 2)).bound_exact == 87


@pytest.mark.parametrize(
    ("X", "y", "w", "intercept", "bound"),
    [
        (*CMU, (1, 0), False, 5),
        ([[1], [2]], [-1, 1], (-3, 2), True, 65),
        ([[0], [1], [2], [9]], [-1, -1, 1, 1], (-3, 2), True, 1066),
        (np.eye(7), ["a"] * 7, [1] * 7, False, 7),
    ],
)
def test_of_given_weights(X: Any, y: Any, w: Any, intercept: bool, bound: int) -> None:
    assert novikoff(X, y, w, fit_intercept=intercept).bound_exact == bound


@pytest.mark.parametrize(
    ("scale", "constant", "bound"),
    [(1, 1, "51"), (100, 1, "180025.0008"), (1, 100, "80025.0018"), (100, 100, "51"), (1, 0.5, "99")],
)
def test_of_the_best_weights(scale: int, constant: float, bound: str) -> None:
    """Scaling the points but not the constant feature changes the bound: 1 to 100 is AND / 100 with a bias of 1."""
    assert novikoff(AND.X * scale, AND.y, intercept_scaling=constant).bound_exact == Fraction(bound)


def test_the_radius_is_about_the_origin() -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[y < 2], y[y < 2]
    assert round(novikoff(X, y).bound, 2) == 150.54
    assert round(novikoff(X - X.mean(axis=0), y).bound, 2) == 13.17
    assert radius(X) > 8 > 4 > radius(X - X.mean(axis=0))


def test_all_pairs_of_digits() -> None:
    digits, digit = load_digits(return_X_y=True)
    shares, bounds = [], []
    for pair in combinations(range(10), 2):
        X, y = digits[np.isin(digit, pair)], digit[np.isin(digit, pair)]
        bounds.append(novikoff(X, y).bound)
        shares.append(Perceptron(shuffle=False).fit(X, y).mistakes_.sum() / bounds[-1])
    assert (round(np.median(shares), 3), round(max(shares), 3)) == (0.165, 0.288)
    assert (round(min(bounds)), round(max(bounds))) == (40, 2017)


def test_numbers_of_any_kind_give_the_same_bound() -> None:
    kinds: list[Any] = [np.asarray, sp.csr_array, lambda X: X.astype(np.float32), lambda X: X.tolist()]
    for kind in kinds:
        assert novikoff(kind(AND.X), AND.y, w=(-3, 2, 2)).bound_exact == 51
    thirds = [[Fraction(value, 3) for value in row] for row in AND.X.tolist()]
    assert novikoff(thirds, AND.y, w=[-0.75, 0.5, 0.5], intercept_scaling=Fraction(1, 3)).gap == Fraction(1, 3)
    assert novikoff(thirds, AND.y, w=(-3, 2, 2), intercept_scaling=Fraction(1, 3)).bound_exact == 51


def test_a_float_bound_is_rounded_up() -> None:
    found = novikoff([[0.1], [0.3]], [0, 1], w=(-0.2, 1.1))
    assert found.bound_exact is not None
    assert found.bound_exact <= Fraction(found.bound) <= found.bound_exact * (1 + Fraction(1, 2**52))


def test_what_is_not_separated_has_no_bound() -> None:
    for found in (novikoff(*XOR), novikoff(*AND, w=(0, 1, 1)), novikoff(*AND, w=(-1, 1, 0))):
        assert (found.bound, found.bound_exact, found.margin) == (math.inf, None, 0)
        assert found.from_start((1, 2, 3)) == math.inf


def test_more_classes() -> None:
    """Kesler: the rows are twice as long squared, the margin is in the space of all weights."""
    X, y, W = [[1, 0], [0, 1], [-1, -1]], ["a", "b", "c"], [[2, 0], [0, 2], [-1, -1]]
    found = novikoff(X, y, W, fit_intercept=False)
    assert [found.radius_exact, found.gap, found.w_norm2, found.bound_exact] == [4, 2, 10, 10]
    assert Perceptron(fit_intercept=False).fit(X, y).n_updates_ <= 10


@pytest.mark.parametrize(("start", "most", "mistakes"), [((30, 0, 0), 258, 74), ((0, 50, 50), 100, 35)])
def test_another_start_has_its_own_bound(start: Any, most: int, mistakes: int) -> None:
    assert novikoff(*AND, w=(-3, 2, 2)).from_start(start) == most
    assert Perceptron(shuffle=False, init=start).fit(*AND).n_updates_ == mistakes <= most


@pytest.mark.parametrize(("eta0", "mistakes"), [("1/10", 41), ("1/2", 12), ("1", 6), ("2", 13), ("10", 6)])
def test_a_start_is_measured_in_learning_rates(eta0: str, mistakes: int) -> None:
    start, eta = [Fraction(1, 2), Fraction(-1), Fraction(2)], Fraction(eta0)
    run = plain.run([(1, *x) for x in AND.X.tolist()], AND.y.tolist(), init=[start], eta0=eta)
    bound = novikoff(*AND, w=(-3, 2, 2))
    assert sum(run.mistakes) == mistakes <= bound.from_start(start, eta)
    assert bound.from_start(start, eta) == bound.from_start([value / eta for value in start])


small = st.integers(-9, 9)


@settings(max_examples=100, deadline=None)
@given(start=st.lists(small, min_size=3, max_size=3), w=st.sampled_from([(-3, 2, 2), (-4, 3, 2), (-6, 5, 4)]))
def test_from_a_start_it_is_the_largest_k_of_the_inequality(start: list[int], w: tuple[int, ...]) -> None:
    bound = novikoff(*AND, w=w)
    k = bound.from_start(start)
    ahead, square = plain.dot(start, w), plain.dot(start, start)

    def holds(k: float) -> bool:
        return bool((k * bound.gap + ahead) ** 2 <= bound.w_norm2 * (square + 3 * k))

    assert holds(k)
    assert not holds(k + 1)
    assert Perceptron(init=start).fit(*AND).n_updates_ <= k


def test_zero_is_a_start_like_any_other() -> None:
    assert novikoff(*AND, w=(-3, 2, 2)).from_start((0, 0, 0)) == 51
    assert novikoff(*AND, w=(-4, 3, 2), margin=1).from_start((0, 0, 0)) == 29 * 5


@st.composite
def separable_sets(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Integer points labelled by an integer vector w, none of them on its plane, and w."""
    d = draw(st.integers(1, 4))
    w = np.array(draw(st.lists(st.integers(-3, 3), min_size=d + 1, max_size=d + 1).filter(any)))
    points = st.lists(st.integers(-4, 4), min_size=d, max_size=d)
    X = np.array(draw(st.lists(points, min_size=2, max_size=12)))
    s = X @ w[1:] + w[0]
    return X[s != 0], np.sign(s[s != 0]), w


words = st.fixed_dictionaries(
    {
        "tie": st.sampled_from(["mistake", "positive", "negative"]),
        "margin": st.sampled_from([0, 0.5, 3]),
        "eta0": st.sampled_from([1, 0.5, 4]),
        "batch_size": st.sampled_from([1, 1, 2, 3, "all"]),
        "shuffle": st.booleans(),
        "random_state": st.integers(0, 3),
    }
)


@settings(max_examples=300, deadline=None)
@given(case=separable_sets(), words=words, start=st.one_of(st.none(), st.lists(small, min_size=5, max_size=5)))
def test_no_run_exceeds_novikoffs_bound(case: Any, words: dict[str, Any], start: list[int] | None) -> None:
    X, y, w = case
    if len(set(y.tolist())) < 2:
        return
    init = np.zeros(len(w)) if start is None else np.array(start[: len(w)])
    model = Perceptron(init=init, **words).fit(X, y)
    bound = novikoff(X, y, w, **{word: words[word] for word in ("margin", "eta0", "batch_size")})
    mistakes = int(model.mistakes_.sum())
    assert mistakes <= bound.from_start(init, words["eta0"])
    if not init.any():
        assert bound.bound_exact is not None
        assert mistakes <= bound.bound_exact


def test_thousands_of_orders_exceed_no_bound() -> None:
    random, closest = np.random.default_rng(0), 0.0
    for _ in range(400):
        n, d = random.integers(2, 9), random.integers(1, 4)
        X, w = random.integers(-3, 4, size=(n, d)), random.integers(-3, 4, size=d + 1)
        s = X @ w[1:] + w[0]
        X, y = X[s != 0], np.sign(s[s != 0])
        if len(set(y.tolist())) == 2:
            bound = novikoff(X, y, w).bound_exact
            assert bound is not None
            rows, signs = [(1, *x) for x in X.tolist()], y.tolist()
            for _ in range(10):
                run = plain.run(rows, signs, order=random.permutation(len(X)).tolist())
                assert run.converged
                assert sum(run.mistakes) <= bound
                closest = max(closest, float(sum(run.mistakes) / bound))
    assert closest > 0.8  # the bounds are not idle


@settings(max_examples=60, deadline=None)
@given(case=separable_sets(), scale=st.sampled_from([Fraction(1, 8), 3, Fraction(7, 3)]))
def test_scaling_points_and_constant_changes_no_bound(case: Any, scale: Any) -> None:
    X, y, w = case
    if not len(X):
        return
    scaled = X.astype(object) * scale
    one, other = novikoff(X, y, w), novikoff(scaled, y, w * 5, intercept_scaling=scale)
    assert one.bound_exact == other.bound_exact
    assert other.radius_exact == one.radius_exact * scale**2
    assert other.gap == one.gap * scale


def test_batches_can_need_more() -> None:
    """Nine copies of a mistake in one batch are nine mistakes, where the online rule makes one."""
    X, y = [[1]] * 8 + [[-1]], [1] * 8 + [-1]
    size: Any
    for size, most in ((1, 1), ("all", 9)):
        assert novikoff(X, y, w=(1,), batch_size=size, fit_intercept=False).bound_exact == most
        assert Perceptron(batch_size=size, fit_intercept=False).fit(X, y).mistakes_.sum() == most


def test_radius() -> None:
    assert radius(AND.X) ** 2 == pytest.approx(3, rel=1e-15)
    assert radius([[3, 4], [0, 1]], fit_intercept=False) == 5
    assert radius(sp.csr_array([[3, 4], [0, 1]]), intercept_scaling=12) == 13


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"u": (1, 2, 3)}, "u and gamma belong together"),
        ({"gamma": 1.0}, "u and gamma belong together"),
        ({"u": (1, 2, 3), "gamma": 0.0}, "gamma must be positive and finite, got 0"),
        ({"u": (1, 2), "gamma": 1.0}, r"w must have shape \(1, 3\) or \(3,\)"),
        ({"u": (0, 0, 0), "gamma": 1.0}, "w is zero"),
        ({"passes": 0}, "passes must be at least 1, got 0"),
    ],
)
def test_refuses_what_has_no_meaning(words: dict[str, Any], message: str) -> None:
    for bound in (freund_schapire, hinge):
        with pytest.raises(ValueError, match=message):
            bound(*AND, **words)


def test_refuses_other_lengths() -> None:
    with pytest.raises(ValueError, match=r"w0 must have 3 entries, as w has; got shape \(2,\)"):
        novikoff(*AND, w=(-3, 2, 2)).from_start((1, 2))
    with pytest.raises(ValueError, match="two classes"):
        freund_schapire([[0], [1], [2]], [0, 1, 2])


def test_conventions_change_the_bound() -> None:
    X, y = load_iris(return_X_y=True)
    found = conventions(X[y < 2], y[y < 2])
    assert {name: round(bound, 2) for name, bound in found.items()} == {("origin", 1): 150.54, ("centre", 1): 13.17}
    assert conventions(*XOR) == {("origin", 1): math.inf, ("centre", 1): math.inf}
