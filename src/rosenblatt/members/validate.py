"""How many passes are best? Those after which a run makes the fewest mistakes on rows that are held out from it.

A fifth of the rows is held out; where that is fewer than fifty, other fifths in their turn, each from a run of its own.
Of several numbers of passes that do as well the largest is taken. The run over all rows then makes so many.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import answers
from rosenblatt.base.rows import core_rows
from rosenblatt.members.sample_weight import part

if TYPE_CHECKING:
    from rosenblatt.members.fit import Training

TRIED = (2, 4, 7, 12, 20, 35)  # passes
PARTS, ENOUGH = 5, 50
LATER, MORE = 2, 4  # it is enough to look at 2 t + 4 passes, if after t there were the fewest mistakes
MANY, VISITS = 12, 10**5  # more than 12 passes only of so many visits: large sets gain nothing by them


class _Trial:
    """A run over some rows, and its mistakes on others."""

    def __init__(self, method: Any, training: "Training", classes: Array, random: np.random.RandomState) -> None:
        self._learner, self._seed = method.begin(classes, training.X, random)
        self._rows = training.rows
        self._learned = part(training.rows, training.X, training.target, training.weight)
        assert training.held_out is not None
        self._held_out = part(training.held_out, training.X, training.target, training.weight)
        self._rule, self._method = method.rule(len(training.rows)), method
        self._made, self._clean = 0, False

    def error_after(self, passes: int) -> float:
        """The error on the rows held out after so many passes, or fewer if one is clean."""
        if not self._clean:
            X, target, weight = self._learned
            mistakes, _, _ = self._learner.train(
                core_rows(X, check=False),
                X,
                target,
                weight,
                self._rule,
                number=self._rows,
                seed=self._seed,
                first_pass=self._made,
                passes=passes - self._made,
            )
            self._made, self._clean = passes, int(mistakes[-1]) == 0
        X, target, weight = self._held_out
        p = self._method.parameters
        return float(np.average(answers(self._learner.decision(X, p.readout, p.tie), p.tie) != target, weights=weight))


def best_passes(method: Any, training: "Training", classes: Array, random: np.random.RandomState) -> int:
    """The number of passes to make over all rows; `random` draws what is held out, and the orders of the trials."""
    trials = [_Trial(method, some, classes, random) for some in _parts(training, random)]
    best, least = 0, np.inf
    for passes in TRIED:
        found = sum(trial.error_after(passes) for trial in trials)
        if found <= least:
            best, least = passes, found
        if passes >= LATER * best + MORE or (passes >= MANY and passes * len(training.rows) >= VISITS):
            break
    return best


def _parts(training: "Training", random: np.random.RandomState) -> Iterator["Training"]:
    """All rows but a fifth, in which each class has its share, and that fifth; more of these where it is small."""
    rows = training.rows
    mixed = rows[random.permutation(len(rows))]
    number = np.empty(training.X.shape[0], dtype=np.int64)
    number[mixed[np.argsort(training.target[mixed], kind="stable")]] = np.arange(len(rows)) % PARTS
    for k in range(min(PARTS, len(rows), -(-ENOUGH * PARTS // len(rows)))):
        held_out = number[rows] == k
        yield replace(training, rows=rows[~held_out], held_out=rows[held_out])
