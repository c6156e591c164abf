"""Lecture 003's game: n analysts say up or down, and the majority of k hidden experts among them is always right.

Whoever follows the perceptron without an intercept makes at most n k mistakes, however long the game goes on: R^2 = n,
and the experts' own vector, of length sqrt k, has the margin 1 / sqrt k. For even k a majority is by 2 at least, so
that the margin is 2 / sqrt k and the bound n k / 4.
"""

from typing import Any

import numpy as np

from rosenblatt.data.lectures import LabelledPoints
from rosenblatt.members.randomness import random_state as generator
from rosenblatt.services.proofs.bounds import experts


def game(n: int, k: int, rounds: int, random_state: Any = 0) -> LabelledPoints:
    """Rounds of the game: what the analysts said, -1 or +1, and what came. The first k of them are the experts.

    Parameters
    ----------
    n, k
        Analysts, and experts among them. Where k is even, rounds in which these are divided are left out.
    rounds
        How many.
    random_state
        Seed of what is said.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.services.proofs.bounds import experts
    >>> X, y = game(n=20, k=5, rounds=1000)
    >>> bool((y == np.sign(X[:, :5].sum(axis=1))).all())
    True
    >>> model = Perceptron(fit_intercept=False).partial_fit(X, y)
    >>> model.n_updates_ <= experts(20, 5) == 100
    True
    """
    experts(n, k)  # refuses what is no game
    if rounds < 1:
        raise ValueError(f"rounds must be at least 1, got {rounds}")
    random = generator(random_state)
    advice = random.choice([-1, 1], size=(rounds, n))
    while len(divided := np.flatnonzero(advice[:, :k].sum(axis=1) == 0)):
        advice[divided] = random.choice([-1, 1], size=(len(divided), n))
    return LabelledPoints(advice, np.sign(advice[:, :k].sum(axis=1)))
