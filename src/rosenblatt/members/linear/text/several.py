"""Several labels a text: which text has which labels, and from which score on a label is an answer.

Each label is a binary perceptron over the same rows. A rare label is worth answering with below a score of 0: the best
threshold is the one with the largest F1 on texts that were left out. Measured on Reuters (90 labels), thresholds of
each label raise micro F1 from .844 to .872, and macro F1 from .34 to .46.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import encode
from rosenblatt.members.calibration import Calibration

FEW = 5.0  # right texts of a label with which its own threshold weighs as much as the one that is best for all labels


class EachLabel(Calibration):
    """Probabilities where each label is an answer for itself, or not: 1 / (1 + exp(-g(s)))."""

    def probabilities(self, decision: Array) -> Array:
        """The probability of each label, (rows, labels)."""
        return super().probabilities(decision.ravel())[:, 1].reshape(decision.shape)


class LabelSets(NamedTuple):
    """The labels that occur, sorted, and for each row whether it has them, (rows, labels)."""

    labels: Array
    has: Array

    @classmethod
    def of(cls, y: Any, separator: str | None, known: Array | None = None) -> Self:
        """Of a list of labels for each row, or of texts in which a separator is between labels.

        With the labels `known`, others are left out.

        >>> sets = LabelSets.of(["a b", "b", ""], " ")
        >>> sets.labels.tolist(), sets.has.tolist()
        (['a', 'b'], [[True, True], [False, True], [False, False]])
        """
        if separator == "":
            raise ValueError("label_separator: expected a text, found nothing")
        if separator is None:
            rows = [_list_of(labels, row) for row, labels in enumerate(y)]
        else:
            texts, number = encode(y)
            parts = [[part for part in str(text).split(separator) if part] for text in texts.tolist()]
            rows = [parts[k] for k in number.tolist()]
        labels = encode([label for row in rows for label in row])[0] if known is None else known
        number_of = {label: k for k, label in enumerate(labels.tolist())}
        has = np.zeros((len(rows), len(labels)), dtype=bool)
        for row, of_row in enumerate(rows):
            has[row, [number_of[label] for label in of_row if label in number_of]] = True
        return cls(labels, has)

    def rarest(self) -> Array:
        """The number of the rarest label of each row; for a row without labels, one more than that of the last."""
        counts = np.where(self.has, self.has.sum(axis=0), len(self.has) + 1)
        return np.where(self.has.any(axis=1), counts.argmin(axis=1), len(self.labels)).astype(np.int32)


def has_several(y: Any) -> bool:
    """Whether y has a list of labels for each row."""
    if not hasattr(y, "__iter__") or (isinstance(y, np.ndarray) and y.dtype != object):
        return False
    return any(isinstance(labels, list | tuple | set | frozenset | np.ndarray) for labels in y)


def choose_thresholds(decision: Array, has: Array) -> Array:
    """The threshold of each label: between the one of its largest F1, and the one that is best for all labels."""
    for_all = best_threshold(decision.ravel(), has.ravel())
    counts = has.sum(axis=0)
    each = [best_threshold(decision[:, k], has[:, k]) if n else for_all for k, n in enumerate(counts.tolist())]
    return np.asarray((counts * np.array(each) + FEW * for_all) / (counts + FEW))


def best_threshold(decision: Array, right: Array) -> float:
    """The score above which answers have the largest F1; the middle between two scores.

    >>> best_threshold(np.array([3.0, 1.0, -1.0, -2.0]), np.array([True, True, False, False]))
    0.0
    """
    order = np.argsort(-decision, kind="stable")
    scores, hits = decision[order].astype(np.float64), np.cumsum(right[order])
    last = np.append(scores[1:] < scores[:-1], True)  # equal scores are answered alike
    f1 = np.where(last, 2 * hits / (np.arange(1, len(scores) + 1) + max(1, int(hits[-1]))), -1.0)
    best = int(f1.argmax())
    below = scores[best + 1] if best + 1 < len(scores) else scores[best] - 1.0
    return float((scores[best] + below) / 2)


def f1_of(answers: Array, has: Array) -> tuple[float, float]:
    """F1 over all labels together (micro), and the mean of that of each label (macro); a label nobody has counts 0.

    >>> f1_of(np.array([[True, False], [True, True]]), np.array([[True, False], [False, True]]))
    (0.8, 0.8333333333333333)
    """
    hits, both = (answers & has).sum(axis=0), answers.sum(axis=0) + has.sum(axis=0)
    each = 2 * hits / np.maximum(both, 1)
    return float(2 * hits.sum() / max(1, int(both.sum()))), float(each.mean())


def _list_of(labels: Any, row: int) -> Sequence[Any]:
    if not isinstance(labels, list | tuple | set | frozenset | np.ndarray):
        raise TypeError(f"y: expected a list of labels for each text, found {labels!r} (row {row})")
    return list(labels)
