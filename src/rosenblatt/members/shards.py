"""Iterative parameter mixing (McDonald, Hall, Mann 2010): how rows are cut into shards, and their weights mixed.

All shards start from the same weights w, each makes its own visits and comes to w_s with k_s mistakes, and
    w <- sum_s mu_s w_s,   mu_s = k_s / sum_s k_s.
With any mu that sums to 1 the proof of Novikoff's theorem goes through: on separable rows, from zero weights, the
mistakes as they are mixed, sum_s mu_s k_s, summed over all rounds, are at most (R / gamma)^2; so after some pass no
shard makes a mistake, and all rows are right. mu by mistakes rather than 1 / S: if near the end one shard of many
makes the last mistakes, its step must not shrink with the number of those that have nothing to say. (Where all shards
are alike, 1 / S takes fewer passes on separable rows; with noise it is the same: `python -m benchmarks scaling`.)
What it costs: the shards do not know of each other's steps, so that a pass of many shards teaches less than one of a
single shard. Mixing several times a pass, in rounds, gives most of it back.
"""

from collections.abc import Sequence

import numpy as np

from rosenblatt.base.arrays import Array

CACHED = 1 << 16  # numbers that are worked on at once


def spans(count: int, parts: int) -> list[tuple[int, int]]:
    """The first and the last (excluded) of each of so many parts in a row, as equal as can be.

    >>> spans(10, 4), spans(1, 2)
    ([(0, 2), (2, 5), (5, 7), (7, 10)], [(0, 0), (0, 1)])
    """
    return [(count * s // parts, count * (s + 1) // parts) for s in range(parts)]


def mix(arrays: Sequence[Array | None], mistakes: Sequence[int]) -> Array:
    """The mean of arrays of one shape, weighted by the mistakes of the shards that they come from, not all 0.

    One that comes from no mistakes may be None: it does not count.
    In the order of the shards, in 64 bits, with one division and one rounding to their type: the same bits wherever the
    arrays were made. What a single shard has learned is taken as it is.

    >>> mix([np.array([1.0, 0.0]), np.array([5.0, 4.0])], [3, 1])
    array([2., 1.])
    """
    if len(arrays) == 1 and arrays[0] is not None:
        return arrays[0]
    learned = [(array, count) for array, count in zip(arrays, mistakes, strict=True) if count and array is not None]
    total = sum(count for _, count in learned)
    result = np.empty_like(learned[0][0])
    flat = result.reshape(-1)
    for first in range(0, flat.size, CACHED):  # while they are in the cache
        part = slice(first, first + CACHED)
        sums = np.zeros(flat[part].size)
        for array, count in learned:
            sums += np.multiply(array.reshape(-1)[part], float(count), dtype=np.float64)
        sums /= total
        flat[part] = sums
    return result


def shares(mistakes: Sequence[int], whole: int) -> list[int]:
    """Whole numbers by which shards are mixed: they add up to `whole`, nearly in proportion to the mistakes.

    Whoever has made a mistake has a share, so that there must be as many as shards; whoever has made none has none.

    >>> shares([3, 0, 1], 8), shares([1, 1000], 4), shares([0, 0], 4)
    ([5, 0, 3], [1, 3], [0, 0])
    """
    free = whole - sum(count > 0 for count in mistakes)
    total, so_far, result = max(1, sum(mistakes)), 0, []
    for count in mistakes:
        before, so_far = free * so_far // total, so_far + count
        result.append((count > 0) + free * so_far // total - before)
    return result


def mixed_mistakes(mistakes: Sequence[int], weights: Sequence[int]) -> float:
    """sum_s mu_s k_s of a round, mu_s being in proportion to the weights.

    >>> mixed_mistakes([3, 1, 0], [3, 1, 0]), mixed_mistakes([0, 0], [0, 0])
    (2.5, 0.0)
    """
    return sum(count * weight for count, weight in zip(mistakes, weights, strict=True)) / max(1, sum(weights))
