"""A first-order chain in plain Python: the oracle of sequence taggers, and a structure for the tests.

x is a list of tokens, each a list of attributes; y a list of labels, one a token. Features count (attribute, label) of
each token and (label, "then", label) of each two neighbours. Of equal scores the lowest label wins, the last token's
first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

Sentence = Sequence[Sequence[Any]]


class Chain:
    """For the given labels: `features` and `decode` are what `StructuredPerceptron` asks for."""

    def __init__(self, labels: Sequence[Any]) -> None:
        self.labels = sorted(labels)

    def features(self, x: Sentence, y: Sequence[Any]) -> dict[Any, int]:
        emitted = Counter((attribute, label) for token, label in zip(x, y, strict=True) for attribute in token)
        return {**emitted, **Counter((a, "then", b) for a, b in pairwise(y))}

    def decode(self, w: Mapping[Any, Any], x: Sentence) -> list[Any]:
        """Viterbi: `best[label]` is the score of the best path to `label`, and that path."""
        best: dict[Any, tuple[Any, list[Any]]] = {}
        for token in x:
            before, best = best, {}
            for label in self.labels:
                emission = sum(w.get((attribute, label), 0) for attribute in token)
                steps = [(s + w.get((last, "then", label), 0), path) for last, (s, path) in before.items()]
                score, path = max(steps or [(0, [])], key=lambda step: step[0])
                best[label] = (score + emission, [*path, label])
        return max(best.values(), key=lambda end: end[0])[1] if best else []

    def outputs(self, x: Sentence) -> list[list[Any]]:
        return [list(y) for y in product(self.labels, repeat=len(x))]


def hamming(y: Sequence[Any], z: Sequence[Any]) -> int:
    return sum(a != b for a, b in zip(y, z, strict=True))
