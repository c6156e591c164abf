"""The squared error of numbers, as scikit-learn has it."""

import numpy as np
import pytest
from sklearn.metrics import mean_squared_error, r2_score, root_mean_squared_error

from rosenblatt.members.neighbours.squared_error import SquaredError


def test_it_is_that_of_scikit_learn() -> None:
    random = np.random.default_rng(0)
    y, outputs = random.standard_normal((2, 50))
    found = SquaredError.of(y, outputs)
    assert found.mean == pytest.approx(mean_squared_error(y, outputs))
    assert found.root == pytest.approx(root_mean_squared_error(y, outputs))
    assert found.r2 == pytest.approx(r2_score(y, outputs))


def test_numbers_that_are_all_the_same_have_no_variance_to_explain() -> None:
    assert SquaredError.of([3.0, 3.0], np.array([3.0, 4.0])) == (0.5, 0.5**0.5, None)


def test_squares_that_overflow_are_said() -> None:
    with pytest.raises(ValueError, match=r"the squares of y - w\.x are not finite: scale y"):
        SquaredError.of([1e200, 0.0], np.array([0.0, 0.0]))
