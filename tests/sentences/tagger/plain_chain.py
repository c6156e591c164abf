"""A chain in plain Python: attributes as strings, weights in dicts, every label sequence tried. The oracle.

Where labels are too many to try all sequences, `best` finds the first of them by Viterbi's rule.
"""

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rosenblatt.members.sentences.tagger.templates import Template

Sentence = Sequence[Sequence[str]]
Weights = dict[tuple[str, ...], Any]
Rare = frozenset[tuple[str, str]]
NOTHING: Rare = frozenset()


def column_text(sentence: Sentence, t: int, column: int, boundary: str) -> str:
    if 0 <= t < len(sentence):
        return sentence[t][column]
    if boundary == "drop":
        return ""
    return f"_B{t}" if t < 0 else f"_B+{t - len(sentence) + 1}"


def attributes(
    templates: list[Template], sentence: Sentence, t: int, kind: str, boundary: str, rare: Rare = NOTHING
) -> list[str]:
    """The attributes of token t, of templates that look at whole texts, without the rare ones."""
    found = []
    for template in templates:
        texts = [column_text(sentence, t + offset, column, boundary) for offset, column, *_ in template.pieces]
        if template.kind == kind and all(texts):
            attribute = template.literal
            for text in texts:
                attribute = attribute.replace("\0", text, 1)
            found.append(attribute)
    return [attribute for attribute in found if (kind, attribute) not in rare]


def rare_attributes(templates: list[Template], X: Sequence[Sentence], boundary: str, min_count: int) -> Rare:
    """The attributes that fewer tokens have."""
    counts = Counter(
        (kind, attribute)
        for sentence in X
        for t in range(len(sentence))
        for kind in "UB"
        for attribute in attributes(templates, sentence, t, kind, boundary)
    )
    return frozenset(attribute for attribute, count in counts.items() if count < min_count)


def features(
    templates: list[Template],
    sentence: Sentence,
    labels: Sequence[Any],
    boundary: str,
    share: str | None = None,
    rare: Rare = NOTHING,
) -> Counter[Any]:
    """How often a label sequence has each pair of an attribute and a label, or a label pair.

    With `share`, also each pair of an attribute and what comes before it in a label.
    """
    found: Counter[Any] = Counter()
    for t, label in enumerate(labels):
        unigrams = attributes(templates, sentence, t, "U", boundary, rare)
        found.update((a, label) for a in unigrams)
        found.update((a, part) for a in unigrams for part in part_of(label, share))
        if t:
            found.update((a, labels[t - 1], label) for a in attributes(templates, sentence, t, "B", boundary, rare))
    return found


def part_of(label: str, share: str | None) -> list[tuple[str, str]]:
    return [] if share is None else [("part", label.split(share)[0])]


def dot(w: Weights, counts: Counter[Any]) -> Any:
    return sum(w.get(key, 0) * count for key, count in counts.items())


def ranked(
    templates: list[Template], w: Weights, sentence: Sentence, labels: Any, boundary: str, share: str | None = None
) -> list[Any]:
    """All label sequences with their scores, the best first, of equal ones that with the lowest last labels."""
    all_of_them = itertools.product(labels, repeat=len(sentence))
    scored = [(dot(w, features(templates, sentence, z, boundary, share)), z) for z in all_of_them]
    return sorted(scored, key=lambda pair: (-pair[0], pair[1][::-1]))


def best(
    templates: list[Template],
    w: Weights,
    sentence: Sentence,
    labels: Any,
    boundary: str,
    share: str | None = None,
    rare: Rare = NOTHING,
) -> tuple[Any, ...]:
    """The first of them (Viterbi 1967): to each label the best way, and of equal ones that with the lowest labels."""
    ways: list[tuple[Any, tuple[Any, ...]]] = [(0, ())]
    for t in range(len(sentence)):
        unigrams = attributes(templates, sentence, t, "U", boundary, rare)
        bigrams = attributes(templates, sentence, t, "B", boundary, rare) if t else []
        before, ways = ways, []
        for label in labels:
            own = sum(w.get((a, one), 0) for a in unigrams for one in (label, *part_of(label, share)))
            steps = [score + sum(w.get((a, z[-1], label), 0) for a in bigrams) for score, z in before]
            k = steps.index(max(steps))
            ways.append((steps[k] + own, (*before[k][1], label)))
    return max(ways, key=lambda way: way[0])[1]


class Run:
    """The structured perceptron: the weights after each visit, and the wrong sentences and tokens of each pass."""

    def __init__(
        self, templates: list[Template], boundary: str = "mark", share: str | None = None, min_count: int = 1
    ) -> None:
        self.templates, self.boundary, self.share, self.min_count = templates, boundary, share, min_count
        self.w: Weights = {}
        self.after: list[Weights] = []
        self.mistakes: list[tuple[int, int]] = []

    def train(
        self, X: Sequence[Sentence], y: Sequence[Any], orders: Sequence[Sequence[int]], labels: Any = None
    ) -> "Run":
        labels = labels or sorted({label for tags in y for label in tags})
        rare = rare_attributes(self.templates, X, self.boundary, self.min_count)
        for order in orders:
            sentences = tokens = 0
            for s in order:
                z = best(self.templates, self.w, X[s], labels, self.boundary, self.share, rare)
                wrong = sum(a != b for a, b in zip(z, y[s], strict=True))
                sentences += wrong > 0
                tokens += wrong
                if wrong:
                    change = features(self.templates, X[s], y[s], self.boundary, self.share, rare)
                    change.subtract(features(self.templates, X[s], z, self.boundary, self.share, rare))
                    self.w = {key: self.w.get(key, 0) + change[key] for key in {*self.w, *change}}
                self.after.append(self.w)
            self.mistakes.append((sentences, tokens))
            if not sentences:
                break
        return self

    def average(self) -> Weights:
        keys = {key for w in self.after for key in w}
        return {key: Fraction(sum(w.get(key, 0) for w in self.after), len(self.after)) for key in keys}
