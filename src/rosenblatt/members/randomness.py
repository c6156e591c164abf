"""Everything that is drawn by lot: the generator of a seed, and which rows a fit holds out.

The draws are those of scikit-learn's `check_random_state` and `train_test_split`, number by number, so that a seed
gives the same model through every door; a test compares them.
"""

import math
from numbers import Integral
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError


def random_state(seed: Any) -> np.random.RandomState:
    """The generator of a seed; a generator stays itself, and None is the one of numpy.random."""
    if seed is None or seed is np.random:
        return np.random.mtrand._rand
    if isinstance(seed, np.random.RandomState):
        return seed
    if isinstance(seed, Integral) and 0 <= int(seed) < 2**32:
        return np.random.RandomState(int(seed))
    raise ParameterError(
        f"random_state: expected a whole number from 0 to 2^32 - 1, None or a generator, found {seed!r}"
    )


def drawn_seed(random: np.random.RandomState, most: int = np.iinfo(np.int64).max) -> int:
    """A seed for the orders of the core."""
    return int(random.randint(most, dtype=np.int64))


def hold_out(
    rows: Array,
    fraction: float,
    random: np.random.RandomState,
    target: Array | None = None,
    *,
    asked: str = "early_stopping",
) -> tuple[Array, Array]:
    """Of the numbers `rows` those to learn from, in their order, and a part to hold out; `asked` is named by errors.

    With the class numbers `target` of all rows, the part has the same shares of the classes: of few rows at least as
    many as there are classes, and the one row of a class is learned from.

    >>> hold_out(np.arange(5), 0.4, random_state(0))
    (array([1, 3, 4]), array([2, 0]))
    >>> hold_out(np.arange(6), 0.4, random_state(0), np.array([0, 0, 0, 1, 1, 1]))
    (array([2, 3, 5]), array([4, 1, 0]))
    """
    if target is not None:
        return _hold_out_of_classes(rows, fraction, random, target, asked)
    n_held_out = math.ceil(fraction * len(rows))
    if not 0 < n_held_out < len(rows):
        raise ValueError(f"{asked}: expected rows to learn from and rows to hold out, found {len(rows)} in all")
    order = random.permutation(len(rows))
    return np.sort(rows[order[n_held_out:]]), rows[order[:n_held_out]]


def _hold_out_of_classes(
    rows: Array, fraction: float, random: np.random.RandomState, target: Array, asked: str
) -> tuple[Array, Array]:
    classes, number, counts = np.unique(target[rows], return_inverse=True, return_counts=True)
    alone = counts[number] == 1
    if alone.all():
        raise ValueError(f"{asked}: expected 2 rows of a class, one to learn from and one to hold out, found 1")
    if alone.any():
        some, others = _hold_out_of_classes(rows[~alone], fraction, random, target, asked)
        return np.sort(np.concatenate([some, rows[alone]])), others
    n_held_out = int(np.clip(math.ceil(fraction * len(rows)), len(classes), len(rows) - len(classes)))
    n_learned = len(rows) - n_held_out
    learned_of = _shares(counts, n_learned, random)
    held_of = _shares(counts - learned_of, n_held_out, random)
    learned, left_out = [], []
    by_class = np.split(np.argsort(number, kind="stable"), np.cumsum(counts)[:-1])
    for members, n, m in zip(by_class, learned_of, held_of, strict=True):
        mixed = members[random.permutation(len(members))]
        learned.append(mixed[:n])
        left_out.append(mixed[n : n + m])
    random.permutation(n_learned)  # scikit-learn shuffles these too; here they go in their order
    return np.sort(rows[np.concatenate(learned)]), rows[random.permutation(np.concatenate(left_out))]


def _shares(counts: Array, total: int, random: np.random.RandomState) -> Array:
    """How many of each class make `total`: rounded down, then one more where most is left, ties by lot."""
    exact = counts / counts.sum() * total
    shares = np.floor(exact)
    rest, missing = exact - shares, int(total - shares.sum())
    for value in np.unique(rest)[::-1]:
        if missing == 0:
            break
        level = np.flatnonzero(rest == value)
        more = random.choice(level, size=min(len(level), missing), replace=False)
        shares[more] += 1
        missing -= len(more)
    return np.asarray(shares.astype(int))
