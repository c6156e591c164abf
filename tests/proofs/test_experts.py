"""Lecture 003's game of analysts and experts, and its bound."""

import math
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.data.experts import game
from rosenblatt.services.proofs.bounds import experts, novikoff

SIZES = [(5, 3), (20, 5), (40, 39), (7, 1), (9, 9), (2, 2), (12, 4), (30, 6)]


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_the_experts_majority_is_right(n: int, k: int) -> None:
    X, y = game(n, k, rounds=500)
    assert X.shape == (500, n)
    assert set(X.flat) == {-1, 1}
    assert y.tolist() == np.sign(X[:, :k].sum(axis=1)).tolist()
    assert set(y) == {-1, 1}  # no ties, for even k either


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_margin_and_radius(n: int, k: int) -> None:
    narrow = 1 if k % 2 else 2
    found = novikoff(*game(n, k, rounds=500), w=[1] * k + [0] * (n - k), fit_intercept=False)
    assert [found.gap, found.radius_exact] == [narrow, n]
    assert found.margin == pytest.approx(narrow / math.sqrt(k), rel=1e-15)
    assert int(found.bound) == experts(n, k)


@pytest.mark.parametrize(("n", "k"), SIZES)
@pytest.mark.parametrize("tie", ["mistake", "positive", "negative"])
def test_never_more_mistakes(n: int, k: int, tie: Any) -> None:
    for seed in range(20):
        X, y = game(n, k, rounds=2000, random_state=seed)
        assert Perceptron(fit_intercept=False, tie=tie).partial_fit(X, y).n_updates_ <= experts(n, k)


def test_the_same_seed_is_the_same_game() -> None:
    one, same, other = (game(6, 3, 50, random_state=seed) for seed in (1, 1, 2))
    assert one.X.tolist() == same.X.tolist() != other.X.tolist()


def test_refuses_what_is_no_game() -> None:
    for n, k in ((3, 0), (3, 4)):
        with pytest.raises(ValueError, match=f"k must be from 1 to n = 3, got {k}"):
            game(n, k, rounds=1)
    with pytest.raises(ValueError, match="rounds must be at least 1, got 0"):
        game(3, 1, rounds=0)
