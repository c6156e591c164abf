"""The losses of the lectures and the signed distance, with the numbers of the quizzes."""

import math
from typing import Any

import numpy as np
import pytest

from rosenblatt.losses import hinge_loss, perceptron_loss, signed_distance, squared_loss, training_error, zero_one_loss

LOSSES = [zero_one_loss, perceptron_loss, hinge_loss, squared_loss]


def test_zero_one_loss_predicts_minus_one_on_the_line() -> None:
    y, s = [-1, -1, -1, 1, 1, 1], [-2.0, 0.0, 2.0, -2.0, 0.0, 2.0]
    assert zero_one_loss(y, s).tolist() == [0, 0, 1, 1, 1, 0]
    assert training_error(y, s) == 0.5


def test_perceptron_loss_is_the_score_where_the_signs_differ() -> None:
    assert perceptron_loss([-1, -1, 1, 1], [-2, 3, -4, 5]).tolist() == [0, 3, 4, 0]


@pytest.mark.parametrize("y", [-1.0, 1.0])
@pytest.mark.parametrize("s", [-2.0, -0.25, 0.25, 2.0])
def test_gradient_of_the_perceptron_loss_is_minus_y_where_it_is_a_mistake(y: Any, s: Any) -> None:
    h = 2.0**-10
    slope = (perceptron_loss([y], [s + h]) - perceptron_loss([y], [s - h])) / (2 * h)
    assert slope == (-y if y * s < 0 else 0)


def test_hinge_is_the_perceptron_loss_and_at_most_one_more() -> None:
    s = np.linspace(-3, 3, 49)
    for y in (-1, 1):
        more = hinge_loss(np.full(49, y), s) - perceptron_loss(np.full(49, y), s)
        assert more.min() == 0
        assert more.max() == 1


def test_squared_loss_of_the_and_function() -> None:
    y = [-1, -1, -1, 1]
    assert squared_loss(y, [0, 0, 0, 0]).sum() == 2
    assert squared_loss(y, [-1.5, -0.5, -0.5, 0.5]).tolist() == [0.125] * 4


def test_signed_distance_of_the_quiz() -> None:
    assert signed_distance([0, 0], [2, 3], 6) == pytest.approx(6 / math.sqrt(13), rel=1e-15)
    on_the_border = signed_distance([[-3, 0], [0, -2], [-12 / 13, -18 / 13]], [2, 3], 6)
    np.testing.assert_allclose(on_the_border, 0, atol=1e-15)
    assert np.linalg.norm([-12 / 13, -18 / 13]) == pytest.approx(6 / math.sqrt(13), rel=1e-15)


def test_margins_of_the_and_function() -> None:
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])
    margins = y * signed_distance(X, [3, 2], -4)
    np.testing.assert_allclose(margins * math.sqrt(13), [4, 2, 1, 1], rtol=1e-15)
    assert round(margins.min(), 5) == 0.27735


@pytest.mark.parametrize("loss", LOSSES)
def test_refuses_other_labels_and_shapes(loss: Any) -> None:
    with pytest.raises(ValueError, match=r"labels must be -1 or \+1, got \[0\.\]"):
        loss([0, 1], [1.0, 2.0])
    with pytest.raises(ValueError, match=r"labels of shape \(2,\) and scores of shape \(3,\)"):
        loss([-1, 1], [1.0, 2.0, 3.0])


def test_refuses_what_has_no_meaning() -> None:
    with pytest.raises(ValueError, match="no examples"):
        training_error([], [])
    with pytest.raises(ValueError, match="no hyperplane"):
        signed_distance([[1, 2]], [0, 0], 1)
    with pytest.raises(ValueError, match=r"X \(1, 3\), w \(2,\)"):
        signed_distance([[1, 2, 3]], [1, 2])


def test_no_loss_is_a_zero_without_a_sign() -> None:
    assert not np.signbit(perceptron_loss([1, -1, 1], [0.0, -0.0, 2.0])).any()
