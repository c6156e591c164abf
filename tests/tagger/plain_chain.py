"""A chain in plain Python: attributes as strings, weights in dicts, every label sequence tried. The oracle."""

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rosenblatt.tagger.templates import Template

Sentence = Sequence[Sequence[str]]
Weights = dict[tuple[str, ...], Any]


def column_text(sentence: Sentence, t: int, column: int, boundary: str) -> str:
    if 0 <= t < len(sentence):
        return sentence[t][column]
    if boundary == "drop":
        return ""
    return f"_B{t}" if t < 0 else f"_B+{t - len(sentence) + 1}"


def attributes(templates: list[Template], sentence: Sentence, t: int, kind: str, boundary: str) -> list[str]:
    """The attributes of token t, of templates that look at whole texts."""
    found = []
    for template in templates:
        texts = [column_text(sentence, t + offset, column, boundary) for offset, column, *_ in template.pieces]
        if template.kind == kind and all(texts):
            attribute = template.literal
            for text in texts:
                attribute = attribute.replace("\0", text, 1)
            found.append(attribute)
    return found


def features(templates: list[Template], sentence: Sentence, labels: Sequence[Any], boundary: str) -> Counter[Any]:
    """How often a label sequence has each pair of an attribute and a label, or a label pair."""
    found: Counter[Any] = Counter()
    for t, label in enumerate(labels):
        found.update((a, label) for a in attributes(templates, sentence, t, "U", boundary))
        if t:
            found.update((a, labels[t - 1], label) for a in attributes(templates, sentence, t, "B", boundary))
    return found


def dot(w: Weights, counts: Counter[Any]) -> Any:
    return sum(w.get(key, 0) * count for key, count in counts.items())


def ranked(templates: list[Template], w: Weights, sentence: Sentence, labels: Any, boundary: str) -> list[Any]:
    """All label sequences with their scores, the best first, of equal ones that with the lowest last labels."""
    all_of_them = itertools.product(labels, repeat=len(sentence))
    scored = [(dot(w, features(templates, sentence, z, boundary)), z) for z in all_of_them]
    return sorted(scored, key=lambda pair: (-pair[0], pair[1][::-1]))


class Run:
    """The structured perceptron: the weights after each visit, and the wrong sentences and tokens of each pass."""

    def __init__(self, templates: list[Template], boundary: str = "mark") -> None:
        self.templates, self.boundary = templates, boundary
        self.w: Weights = {}
        self.after: list[Weights] = []
        self.mistakes: list[tuple[int, int]] = []

    def train(
        self, X: Sequence[Sentence], y: Sequence[Any], orders: Sequence[Sequence[int]], labels: Any = None
    ) -> "Run":
        labels = labels or sorted({label for tags in y for label in tags})
        for order in orders:
            sentences = tokens = 0
            for s in order:
                z = ranked(self.templates, self.w, X[s], labels, self.boundary)[0][1]
                wrong = sum(a != b for a, b in zip(z, y[s], strict=True))
                sentences += wrong > 0
                tokens += wrong
                if wrong:
                    change = features(self.templates, X[s], y[s], self.boundary)
                    change.subtract(features(self.templates, X[s], z, self.boundary))
                    self.w = {key: self.w.get(key, 0) + change[key] for key in {*self.w, *change}}
                self.after.append(self.w)
            self.mistakes.append((sentences, tokens))
            if not sentences:
                break
        return self

    def average(self) -> Weights:
        keys = {key for w in self.after for key in w}
        return {key: Fraction(sum(w.get(key, 0) for w in self.after), len(self.after)) for key in keys}
