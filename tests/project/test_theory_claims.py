"""The lectures' claims about margins, separability and mistake bounds, with their exact values."""

import math
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris

from rosenblatt import Perceptron, bounds, certify, check_run, losses, margin, margins, plain, trace
from rosenblatt.data.experts import game
from rosenblatt.data.lectures import AND, CMU, XOR


def test_six_points_have_the_bound_five() -> None:
    proof = certify(*CMU, fit_intercept=False)
    assert proof.verify(*CMU)
    assert [proof.margin_exact, proof.radius_exact, proof.bound_exact] == [1, 5, 5]
    for tie, mistakes in (("mistake", 3), ("positive", 3), ("negative", 1)):
        assert trace(*CMU, fit_intercept=False, tie=tie, exact=True).n_updates == mistakes


def test_no_pair_of_digits_exceeds_its_bound() -> None:
    X, y = load_digits(return_X_y=True)
    shares = []
    for pair in combinations(range(10), 2):
        rows = np.isin(y, pair)
        proof = certify(X[rows], y[rows])
        model = Perceptron(shuffle=False).fit(X[rows], y[rows])
        assert proof.separable
        assert model.converged_
        shares.append(model.n_updates_ / proof.bound)
    assert len(shares) == 45
    assert round(float(np.median(shares)), 3) == 0.165
    assert round(max(shares), 3) == 0.288


def test_the_squeeze_at_the_end_of_and() -> None:
    run = trace(*AND, exact=True)
    found = check_run(run)
    assert found
    assert found.exact
    assert found.lower is not None
    assert int((run.weights**2).sum()) == 29 <= 54 == 18 * 3
    assert round(float(found.lower[-1]), 2) == 4.37
    assert round(float(found.norm[-1]), 2) == 5.39
    assert (found.lower <= found.norm).all()
    assert (found.norm <= found.upper).all()
    assert int(found.k[-1]) == 18 <= found.bound == 51


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_both_lemmas_in_any_order(order: tuple[int, ...]) -> None:
    assert check_run(trace(*AND, row_order=order, exact=True))


def test_scaling_the_points_but_not_the_constant() -> None:
    assert math.floor(certify(AND.X * 100, AND.y).bound) == 180025
    assert math.floor(certify(AND.X / 100, AND.y, as_decimal=True).bound) == 80025


def test_the_radius_is_about_the_origin() -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[y < 2], y[y < 2]
    assert certify(X, y, as_decimal=True).bound_exact == Fraction(170164544, 1130355)
    assert round(certify(X, y).bound, 1) == 150.5
    assert round(certify(X, y, center=True).bound, 2) == 13.17


def test_converges_iff_separable() -> None:
    assert certify(*AND).separable
    refuted = certify(*XOR)
    assert refuted.separable is False
    assert list(refuted.multipliers.values()) == [Fraction(1, 4)] * 4
    assert not trace(*XOR, max_iter=50).converged


def test_the_region_of_the_quiz() -> None:
    assert round(float(losses.signed_distance([0, 0], [2, 3], 6)), 4) == 1.6641
    for point in ((-3, 0), (0, -2)):
        assert losses.signed_distance(point, [2, 3], 6) == 0
    foot = np.array([0, 0]) - losses.signed_distance([0, 0], [2, 3], 6) * np.array([2, 3]) / math.sqrt(13)
    assert foot == pytest.approx([-12 / 13, -18 / 13])


def test_margins_with_the_offset_both_ways() -> None:
    assert margins((-4, 3, 2), *AND) * math.sqrt(13) == pytest.approx([4, 2, 1, 1])
    assert round(margin((-4, 3, 2), *AND), 5) == 0.27735
    # the theorem's: the constant feature is one of the features
    assert certify(*AND).margin_exact == Fraction(1, 17)
    assert margin((-3, 2, 2), *AND, offset="augmented") == pytest.approx(17**-0.5)
    assert certify(*AND).radius_exact == 3


def test_margins_say_who_is_right() -> None:
    w, X, y = (0, 1), [[1], [-1], [0]], [1, 1, 1]
    assert np.sign(margins(w, X, y)).tolist() == [1, -1, 0]


def test_the_bound_with_w_opt() -> None:
    found = bounds.novikoff(*AND, w=(-3, 2, 2))
    assert [found.gap, found.radius_exact, found.w_norm2, found.bound_exact] == [1, 3, 17, 51]
    assert Perceptron(shuffle=False).fit(*AND).n_updates_ == 18


@pytest.mark.parametrize(("start", "mistakes", "bound"), [((30, 0, 0), 74, 258), ((0, 50, 50), 35, 100)])
def test_another_start_has_another_bound(start: Any, mistakes: int, bound: int) -> None:
    assert trace(*AND, init=start).n_updates == mistakes
    assert bounds.novikoff(*AND, w=(-3, 2, 2)).from_start(start) == bound
    assert check_run(trace(*AND, init=start, exact=True))


@pytest.mark.parametrize("seed", range(20))
def test_other_starts_keep_to_theirs(seed: int) -> None:
    start = np.random.default_rng(seed).integers(-40, 41, size=3).tolist()
    assert trace(*AND, init=start).n_updates <= bounds.novikoff(*AND).from_start(start)


def test_freund_schapire_holds_on_random_data() -> None:
    random, reached = np.random.default_rng(0), 0.0
    for _ in range(300):
        X, y = random.integers(-2, 3, size=(6, 2)).tolist(), random.choice([-1, 1], 6).tolist()
        k = plain.run([[1, *x] for x in X], y, max_iter=1).mistakes[0]
        for _ in range(5):
            u, gamma = random.integers(-3, 4, size=3), random.integers(1, 9) / 4
            if u.any():
                bound = bounds.freund_schapire(X, y, u, gamma).bound
                assert k <= bound * (1 + 1e-12)
        least = bounds.freund_schapire(X, y).bound
        assert k <= least * (1 + 1e-9)
        reached = max(reached, k / least)
    assert reached > 0.99


@pytest.mark.parametrize(("n", "k"), [(5, 3), (20, 5), (40, 39)])
def test_experts(n: int, k: int) -> None:
    assert bounds.experts(n, k) == n * k
    for seed in range(5):
        X, y = game(n, k, rounds=3000, random_state=seed)
        assert Perceptron(fit_intercept=False).partial_fit(X, y).n_updates_ <= n * k
    u = np.array([1] * k + [0] * (n - k))
    assert margin(u, X, y) == pytest.approx(k**-0.5)


def test_updates_are_not_wrong_predictions() -> None:
    run = trace(*AND)
    assert int(run.mistake.sum()) == 18
    assert run.reason[0] == "first step"
    assert run.prediction[0] == run.y[0] == -1  # sign(0) = -1 is right, and yet there is an update


def test_without_hyper_parameters_it_still_overfits() -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, 60)), random.integers(2, size=40)
    assert certify(X, y).separable  # fewer rows than features, random labels


def test_why_a_bias() -> None:
    X, y = [[1], [2]], [-1, 1]
    assert certify(X, y, fit_intercept=False).multipliers == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    proof = certify(X, y)
    assert [proof.margin_exact, proof.radius_exact, proof.bound_exact] == [Fraction(1, 13), 5, 65]


def test_separable_but_not_by_least_squares() -> None:
    X, y = [[0], [1], [2], [9]], [-1, -1, 1, 1]
    assert math.floor(certify(X, y).bound) == 1066
    assert trace(X, y).n_updates == 9
