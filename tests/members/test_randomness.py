"""A seed gives the same draws as in scikit-learn, so that early stopping holds out the same rows through every door."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state

from rosenblatt.members.randomness import drawn_seed, hold_out, random_state


def labels(seed: int, n: int, k: int) -> tuple[Any, Any]:
    """Class numbers, each at least twice, and most of the rows."""
    random = np.random.RandomState(seed)
    y = np.concatenate([np.arange(k), np.arange(k), random.randint(0, k, n)])
    return y, np.sort(random.permutation(len(y))[: max(3 * k, len(y) - 2)])


@given(st.integers(0, 10**6), st.integers(5, 60), st.integers(2, 4), st.floats(0.05, 0.7))
def test_the_same_rows_are_held_out(seed: int, n: int, k: int, fraction: float) -> None:
    y, rows = labels(seed, n, k)
    theirs, ours = check_random_state(seed), random_state(seed)
    try:
        learned, held = train_test_split(rows, test_size=fraction, stratify=y[rows], random_state=theirs)
    except ValueError:  # too few for theirs; ours takes a row a class
        learned, held = hold_out(rows, fraction, ours, y)
        assert sorted([*learned, *held]) == rows.tolist()
        assert min(len(learned), len(held)) >= len(set(y[rows][np.isin(rows, held)]))
        return
    found = hold_out(rows, fraction, ours, y)
    np.testing.assert_array_equal(found[0], np.sort(learned))
    np.testing.assert_array_equal(found[1], held)
    assert theirs.randint(10**9) == ours.randint(10**9)  # as many draws


def test_few_rows_are_held_out_too() -> None:
    y = np.array([0, 0, 1, 1, 2])
    learned, held = hold_out(np.arange(5), 0.1, random_state(0), y)
    assert (y[learned].tolist(), sorted(y[held])) == ([0, 1, 2], [0, 1])  # the only row of a class is learned from
    with pytest.raises(ValueError, match="early_stopping: expected 2 rows of a class"):
        hold_out(np.arange(3), 0.5, random_state(0), np.arange(3))


@given(st.integers(0, 10**6), st.integers(2, 60), st.floats(0.05, 0.7))
def test_the_same_without_classes(seed: int, n: int, fraction: float) -> None:
    theirs, ours = check_random_state(seed), random_state(seed)
    try:
        learned, held = train_test_split(np.arange(n), test_size=fraction, random_state=theirs)
    except ValueError:
        with pytest.raises(ValueError, match="early_stopping"):
            hold_out(np.arange(n), fraction, ours)
        return
    found = hold_out(np.arange(n), fraction, ours)
    np.testing.assert_array_equal(found[0], np.sort(learned))
    np.testing.assert_array_equal(found[1], held)
    assert theirs.randint(10**9) == ours.randint(10**9)


def test_seeds() -> None:
    assert random_state(None) is check_random_state(None)
    assert random_state(np.random) is check_random_state(np.random)
    generator = np.random.RandomState(3)
    assert random_state(generator) is generator
    assert drawn_seed(random_state(np.int64(5))) == drawn_seed(random_state(5))
    for wrong in (-1, 2**32, "0", 1.5):
        with pytest.raises(ValueError, match="random_state: expected a whole number"):
            random_state(wrong)
