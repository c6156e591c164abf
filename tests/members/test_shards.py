"""How rows are cut, and how what shards have learned is mixed."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.base.arrays import Array
from rosenblatt.members import shards
from rosenblatt.members.shards import mix, mixed_mistakes, shares, spans


@given(count=st.integers(0, 50), parts=st.integers(1, 60))
def test_spans_are_in_a_row_and_equal(count: int, parts: int) -> None:
    cut = spans(count, parts)
    assert len(cut) == parts
    assert [i for first, last in cut for i in range(first, last)] == list(range(count))
    sizes = {last - first for first, last in cut}
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(
    counts=st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any),
    values=st.lists(st.integers(-99, 99), min_size=16, max_size=16),
)
def test_mixed_is_the_exact_mean_rounded_once(dtype: type, counts: list[int], values: list[int]) -> None:
    arrays: list[Array] = [np.array(values[s : s + 6], dtype=dtype).reshape(3, 2) for s in range(len(counts))]
    found = mix(arrays, counts)
    total = sum(counts)
    exact = [sum(count * int(a[j]) for count, a in zip(counts, map(np.ravel, arrays), strict=True)) for j in range(6)]
    assert found.dtype == dtype
    assert found.shape == (3, 2)
    assert found.ravel().tolist() == [float(dtype(float(Fraction(value, total)))) for value in exact]


def test_pieces_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = list(np.random.default_rng(0).normal(size=(3, 10, 8)))
    whole = mix(arrays, [3, 1, 2])
    monkeypatch.setattr(shards, "CACHED", 7)
    np.testing.assert_array_equal(mix(arrays, [3, 1, 2]), whole)


def test_what_a_single_shard_has_learned_is_taken_as_it_is() -> None:
    learned = np.array([0.1, -0.0])
    assert mix([learned], [3]).tobytes() == learned.tobytes()


def test_a_shard_without_mistakes_does_not_count() -> None:
    assert mix([None, np.array([2.0]), None, np.array([5.0])], [0, 1, 0, 2]).tolist() == [4.0]


@given(mistakes=st.lists(st.integers(0, 10**6), min_size=1, max_size=9), more=st.integers(0, 50))
def test_shares_add_up_and_are_near_the_proportion(mistakes: list[int], more: int) -> None:
    whole, learners = len(mistakes) + more, sum(count > 0 for count in mistakes)
    found = shares(mistakes, whole)
    assert sum(found) == (whole if any(mistakes) else 0)
    assert [share > 0 for share in found] == [count > 0 for count in mistakes]
    for share, count in zip(found, mistakes, strict=True):  # one each, and the others in proportion
        assert abs(share - (count > 0) - Fraction((whole - learners) * count, max(1, sum(mistakes)))) < 1


def test_mixed_mistakes() -> None:
    assert mixed_mistakes([7], [7]) == 7
    assert mixed_mistakes([2, 2, 2], [1, 1, 2]) == 2
    assert mixed_mistakes([4, 8], [3, 1]) == 5
    assert mixed_mistakes([0, 0], [0, 0]) == 0
