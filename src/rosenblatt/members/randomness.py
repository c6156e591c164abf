"""All random choices: the generator of a seed, and which rows a fit holds out.

They are the choices of scikit-learn's `check_random_state` and `train_test_split`, number by number, so that a seed
gives the same model through every door. A test compares them.
"""

import math
from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError

PARTS = 5  # of `fifths`


def random_state(seed: Any) -> "np.random.RandomState":
    """The generator of a seed. A generator is returned itself; None means that of numpy.random."""
    if seed is None or seed is np.random:
        return np.random.mtrand._rand
    if isinstance(seed, np.random.RandomState):
        return seed
    if isinstance(seed, Integral) and 0 <= int(seed) < 2**32:
        return np.random.RandomState(int(seed))
    raise ParameterError(
        f"random_state: expected a whole number from 0 to 2^32 - 1, None or a generator, found {seed!r}"
    )


def drawn_seed(random: "np.random.RandomState", most: int = np.iinfo(np.int64).max) -> int:
    """A random seed for the orders of the core."""
    return int(random.randint(most, dtype=np.int64))


def hold_out(
    rows: Array,
    fraction: float,
    random: "np.random.RandomState",
    target: Array | None = None,
    *,
    asked: str = "early_stopping",
) -> tuple[Array, Array]:
    """Split the numbers `rows` into those to learn from, in their order, and a held-out part. Errors name `asked`.

    With the class numbers `target` of all rows, the part has the same shares of the classes. It has at least as many
    rows as there are classes, and the only row of a class is not held out.

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


def fifths(target: Array, random: "np.random.RandomState") -> Iterator[tuple[Array, Array]]:
    """All rows but a fifth, in which each class has its share, and that fifth; at most five times.

    >>> [held_out.tolist() for _, held_out in fifths(np.array([0, 0, 0, 1, 1, 1]), random_state(0))]
    [[2, 4], [1], [0], [5], [3]]
    """
    mixed = random.permutation(len(target))
    number = np.empty(len(target), dtype=np.int64)
    number[mixed[np.argsort(target[mixed], kind="stable")]] = np.arange(len(target)) % PARTS
    for k in range(min(PARTS, len(target))):
        yield np.flatnonzero(number != k), np.flatnonzero(number == k)


def _hold_out_of_classes(
    rows: Array, fraction: float, random: "np.random.RandomState", target: Array, asked: str
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
    random.permutation(n_learned)  # as scikit-learn does, so that later choices are the same; here the order is kept
    return np.sort(rows[np.concatenate(learned)]), rows[random.permutation(np.concatenate(left_out))]


def _shares(counts: Array, total: int, random: "np.random.RandomState") -> Array:
    """How many rows of each class make `total`.

    Shares are rounded down; then the largest remainders get one more, ties at random.
    """
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
