"""Margins under both conventions for the offset, with the numbers of the lectures."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.data.lectures import AND, CMU
from rosenblatt.losses import signed_distance
from rosenblatt.services.proofs.margin import margin, margins


def test_and_has_the_margins_of_lecture_001() -> None:
    np.testing.assert_allclose(margins((-4, 3, 2), *AND) * math.sqrt(13), [4, 2, 1, 1], rtol=1e-15)
    assert round(margin((-4, 3, 2), *AND), 5) == 0.27735


@pytest.mark.parametrize(("w", "norm2"), [((-4, 3, 2), 29), ((-3, 2, 2), 17)])
def test_the_theorem_counts_the_offset_in_the_norm(w: Any, norm2: int) -> None:
    assert margin(w, *AND, offset="augmented") == pytest.approx(1 / math.sqrt(norm2), rel=1e-15)


def test_without_an_offset_there_is_one_margin() -> None:
    assert margins((1, 0), *CMU).tolist() == margins((1, 0), *CMU, offset="augmented").tolist() == [1] * 6


def test_the_constant_feature_may_have_another_value() -> None:
    """2 times its weight of -2 is the offset of -4: the plane is the same, the weights are shorter."""
    words: dict[str, Any] = {"intercept_scaling": 2}
    np.testing.assert_allclose(margins((-2, 3, 2), *AND, **words), margins((-4, 3, 2), *AND), rtol=1e-15)
    assert margin((-2, 3, 2), *AND, offset="augmented", **words) == pytest.approx(1 / math.sqrt(17), rel=1e-15)


@pytest.mark.parametrize("labels", [(0, 1), ("no", "yes"), (5, 7), (-2.0, 1.0), (False, True)])
def test_of_any_two_labels_the_larger_is_positive(labels: tuple[Any, Any]) -> None:
    y = [labels[1] if sign > 0 else labels[0] for sign in AND.y]
    assert margins((-4, 3, 2), AND.X, y).tolist() == margins((-4, 3, 2), *AND).tolist()


def test_an_only_class_is_positive() -> None:
    assert margins((1, 0), [[2, 0], [-3, 1]], ["a", "a"]).tolist() == [2, -3]


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, lambda X: X.astype(np.float32), lambda X: X.tolist()])
def test_any_matrix(kind: Any) -> None:
    np.testing.assert_allclose(margins((-4, 3, 2), kind(AND.X), AND.y) * math.sqrt(13), [4, 2, 1, 1], rtol=1e-15)


def test_numbers_of_any_size() -> None:
    X = [[Fraction(1, 3) * value for value in row] for row in AND.X.tolist()]
    np.testing.assert_allclose(margins((-4, 9, 6), X, AND.y) * math.sqrt(117), [4, 2, 1, 1], rtol=1e-15)
    large = [-4 * 10**400, 3 * 10**400, 2 * 10**400]
    assert margins(large, *AND).tolist() == margins((-4, 3, 2), *AND).tolist()


def test_more_classes() -> None:
    """A point's class against its best rival, in the space of all rows of weights."""
    X, y, W = [[1, 0], [0, 1], [-1, -1]], ["a", "b", "c"], [[2, 0], [0, 2], [-1, -1]]
    assert margins(W, X, y).tolist() == [2 / math.sqrt(10), 2 / math.sqrt(10), 4 / math.sqrt(10)]
    assert margin(np.column_stack([[1, 1, 0], W]), X, y, offset="augmented") == 2 / math.sqrt(12)


@settings(max_examples=200, deadline=None)
@given(
    w=st.lists(st.integers(-5, 5), min_size=4, max_size=4).filter(lambda w: any(w[1:])),
    X=st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=5),
    data=st.data(),
)
def test_a_margin_is_y_times_the_signed_distance(w: list[int], X: list[list[int]], data: st.DataObject) -> None:
    y = np.array([*data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X))), -1, 1])
    X = [*X, X[0], X[0]]  # both labels occur
    np.testing.assert_allclose(margins(w, X, y), y * signed_distance(X, w[1:], w[0]), rtol=1e-13, atol=1e-13)
    space = np.column_stack([np.ones(len(X)), X])
    expected = y * signed_distance(space, w)
    np.testing.assert_allclose(margins(w, X, y, offset="augmented"), expected, rtol=1e-13, atol=1e-13)
    assert margin(w, X, y) == margins(w, X, y).min()


@pytest.mark.parametrize(
    ("w", "message"),
    [
        ((0, 0, 0), "w is zero"),
        ((1, 0, 0), "w is only an offset"),
        ((1, 2, 3, 4), r"w must have 2 entries, or 3 with an offset; got \(4,\)"),
        (3, r"w must have 2 entries, or 3 with an offset; got \(\)"),
        ([[1, 2, 3], [1, 2, 3]], r"w must have shape \(1, 3\) or \(3,\).*got \(2, 3\)"),
        ((1, math.nan, 2), "w must be of finite numbers"),
        ((1, math.inf, 2), "w must be of finite numbers"),
        ((1, "x", 2), "w must be of finite numbers"),
    ],
)
def test_refuses_what_is_no_plane(w: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        margins(w, *AND)


def test_refuses_what_has_no_meaning() -> None:
    wrong: Any = "functional"
    with pytest.raises(ValueError, match="offset must be 'geometric' or 'augmented', got 'functional'"):
        margin((-4, 3, 2), *AND, offset=wrong)
    with pytest.raises(ValueError, match="intercept_scaling must be positive, got 0"):
        margin((-4, 3, 2), *AND, intercept_scaling=0)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        margin((-4, 3, 2), AND.X, AND.y[:3])
    with pytest.raises(ValueError, match="NaN or infinity"):
        margin((-4, 3, 2), [[math.nan, 1.0]], [1])
