"""Whether a column alone tells the label: each of its values has one label, or its numbers lie apart for each label.

Such a column is often known only after the label, and a model that learns from it is of no use.
"""

from collections import Counter

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.files.text_column import Coded

MOST_LABELS, MOST_VALUES = 100, 256  # that are counted
FEWEST_ROWS = 20  # of which anything is said, with at least so many for each value
ROWS_A_VALUE = 5


class LabelNumbers:
    """The labels of all blocks, numbered as they come."""

    def __init__(self) -> None:
        self._numbers = dict[str, int]()

    def of(self, coded: Coded) -> Array | None:
        """The numbers of more labels; None if there are too many."""
        numbers = [self._numbers.setdefault(text, len(self._numbers)) for text in coded.texts]
        return None if len(self._numbers) > MOST_LABELS else np.array(numbers, dtype=np.int64)[coded.numbers]


class Telling:
    """What a column has with each label, seen block by block.

    >>> telling = Telling()
    >>> for first in range(0, 40, 8):
    ...     rows = np.arange(first, first + 8)
    ...     telling.see(rows / 10, None, (rows >= 25).astype(int))
    >>> telling.n_right()
    40
    """

    def __init__(self) -> None:
        self._labels, self._pairs = np.zeros(MOST_LABELS, dtype=np.int64), Counter[tuple[str, int]]()
        self._few, self._apart = True, True
        self._gaps = np.zeros(MOST_LABELS, dtype=bool)
        self._least, self._most = np.full(MOST_LABELS, np.inf), np.full(MOST_LABELS, -np.inf)

    def see(self, places: Array | None, coded: Coded | None, labels: Array) -> None:
        """More cells: where they lie, NaN where one is missing; and the same as texts, unless places say all of them.

        No places: they cannot be compared with those before.
        """
        self._labels += np.bincount(labels, minlength=MOST_LABELS)
        if self._few and coded is None and places is not None:
            values, numbers = np.unique(places, return_inverse=True)
            coded = Coded(numbers, list(map(str, values[: MOST_VALUES + 1].tolist())))
        if self._few and coded is not None:
            self._see_values(coded, labels)
        self._apart = self._apart and places is not None
        if self._apart and places is not None:
            self._see_places(places, labels)

    def _see_values(self, coded: Coded, labels: Array) -> None:
        if len(coded.texts) <= MOST_VALUES:
            pairs = np.bincount(coded.numbers.astype(np.int64) * MOST_LABELS + labels)
            for pair in np.flatnonzero(pairs).tolist():
                self._pairs[coded.texts[pair // MOST_LABELS], pair % MOST_LABELS] += int(pairs[pair])
        self._few = max(len(coded.texts), len({text for text, _ in self._pairs})) <= MOST_VALUES
        if not self._few:
            self._pairs.clear()

    def _see_places(self, places: Array, labels: Array) -> None:
        there = ~np.isnan(places)
        self._gaps[labels[~there]] = True
        np.minimum.at(self._least, labels[there], places[there])
        np.maximum.at(self._most, labels[there], places[there])
        order = np.argsort(self._least)
        self._apart = self._gaps.sum() <= 1 and bool((self._most[order[:-1]] < self._least[order[1:]]).all())

    def n_right(self) -> int | None:
        """In how many rows it gives the right label; None if that may be chance, or is not nearly all."""
        n_rows, others = int(self._labels.sum()), int(self._labels.sum() - self._labels.max())
        if n_rows < FEWEST_ROWS or others < ROWS_A_VALUE:
            return None
        if self._apart:
            return n_rows
        best = Counter[str]()
        for (text, _), count in self._pairs.items():
            best[text] = max(best[text], count)
        if not self._few or len(best) * ROWS_A_VALUE > n_rows:
            return None
        n_wrong = n_rows - best.total()
        return n_rows - n_wrong if 100 * n_wrong <= others else None
