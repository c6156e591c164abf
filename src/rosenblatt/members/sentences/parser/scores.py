"""How right trees are: UAS, LAS, CLAS and MLAS as the CoNLL 2018 shared task defines them, by label and by arc length.

Tokens are given, so that every word of one file is the same word of the other. Subtypes of labels (`acl:relcl`) do not
count. UAS: the share of right heads. LAS: of right heads with right labels. CLAS: the F1 of LAS over content words,
those whose label is not of a function word or punctuation. MLAS: of these the right ones whose universal part of
speech and features are right too, and those of all function words below them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array

__all__ = ["Count", "ParseScores", "attachment_scores"]

CONTENT = re.findall(
    r"\w+",
    """nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod
    conj fixed flat compound list parataxis orphan goeswith reparandum root dep""",
)
FUNCTION = re.findall(r"\w+", "aux cop mark det clf case cc")
FEATURES = re.findall(
    r"\w+",
    """PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect
    Voice Evident Polarity Person Polite""",
)
LENGTHS = (("root", 0, 0), ("1", 1, 1), ("2", 2, 2), ("3-6", 3, 6), ("7-", 7, 2**31))


class Words(NamedTuple):
    """All words of some sentences: the head, label, part of speech and features of each."""

    starts: Array
    heads: Array
    labels: Array
    upos: Array
    feats: Array


class Count(NamedTuple):
    """How many there are, how many were found, how many of these are right."""

    gold: int
    predicted: int
    correct: int

    @property
    def f1(self) -> float:
        """2 correct / (gold + predicted); 0 where there are none."""
        return 2 * self.correct / max(1, self.gold + self.predicted)


@dataclass(frozen=True)
class ParseScores:
    """The scores of trees; it prints as a table.

    Attributes
    ----------
    n_words, n_sentences : how many there are
    uas, las, clas : as the module defines them, from 0 to 1
    mlas : the same; None without tags
    sentences : the share of sentences that are right in all heads and labels
    by_label : label without subtype -> `Count`: an arc is right if its head and label are
    by_length : length of the right arc -> `Count`; "root" is the arc from the root
    """

    n_words: int
    n_sentences: int
    uas: float
    las: float
    clas: float
    mlas: float | None
    sentences: float
    by_label: dict[str, Count]
    by_length: dict[str, Count]

    def __str__(self) -> str:
        shares = {"UAS": self.uas, "LAS": self.las, "CLAS": self.clas, "MLAS": self.mlas}
        said = "  ".join(f"{name} {100 * share:.2f}" for name, share in shares.items() if share is not None)
        lines = [
            f"{self.n_words} words in {self.n_sentences} sentences, {100 * self.sentences:.2f} % of them all right"
        ]
        lines += [said, "", f"{'label':<12}{'gold':>8}{'found':>8}{'right':>8}{'F1':>8}"]
        by_count = sorted(self.by_label.items(), key=lambda item: (-item[1].gold, item[0]))
        lines += [_row(name, count) for name, count in by_count]
        lines += ["", f"{'arc length':<12}{'gold':>8}{'found':>8}{'right':>8}{'F1':>8}"]
        lines += [_row(name, count) for name, count in self.by_length.items()]
        return "\n".join(lines)


def _row(name: str, count: Count) -> str:
    return f"{name:<12}{count.gold:>8}{count.predicted:>8}{count.correct:>8}{100 * count.f1:>8.2f}"


def attachment_scores(
    gold: tuple[Sequence[Sequence[int]], Sequence[Sequence[str]]],
    predicted: tuple[Sequence[Sequence[int]], Sequence[Sequence[str]]],
    *,
    gold_tags: Sequence[Sequence[tuple[str, str]]] | None = None,
    tags: Sequence[Sequence[tuple[str, str]]] | None = None,
) -> ParseScores:
    """Compare trees with the right ones.

    Parameters
    ----------
    gold, predicted
        The heads and the labels of the same sentences, as `DependencyParser.predict` gives them.
    gold_tags, tags
        For each word its universal part of speech and features, as CoNLL-U has them: the right ones, and those that the
        parser was given. Default: none, and then there is no MLAS.

    Examples
    --------
    >>> from rosenblatt import attachment_scores
    >>> gold = [[2, 0, 2]], [["nsubj", "root", "obj"]]
    >>> found = attachment_scores(gold, ([[2, 0, 1]], [["nsubj", "root", "obj"]]))
    >>> round(found.uas, 3), round(found.las, 3), found.by_label["obj"]
    (0.667, 0.667, Count(gold=1, predicted=1, correct=0))
    """
    given = [(*gold, gold_tags if tags is not None else None), (*predicted, tags if gold_tags is not None else None)]
    words = [_words(*one) for one in given]
    if not np.array_equal(words[0].starts, words[1].starts):
        raise ValueError("predicted: expected the sentences of gold, with as many words each")
    found = scores_of(*words)
    return found if tags is not None and gold_tags is not None else replace(found, mlas=None)


def _words(heads: Any, labels: Any, tags: Any) -> Words:
    lengths = [len(sentence) for sentence in heads]
    if lengths != [len(sentence) for sentence in labels] or (tags and lengths != [len(sentence) for sentence in tags]):
        raise ValueError("expected a head, a label and, if there are any, tags for each word")
    starts = np.cumsum([0, *lengths], dtype=np.int64)
    flat = [[value for sentence in values for value in sentence] for values in (heads, labels)]
    pairs = [pair for sentence in tags for pair in sentence] if tags else [("_", "_")] * int(starts[-1])
    upos, feats = ([pair[k] for pair in pairs] for k in (0, 1))
    return Words(
        starts, np.array(flat[0], dtype=np.int64), *(np.array(one, dtype=str) for one in (flat[1], upos, feats))
    )


def scores_of(gold: Words, found: Words) -> ParseScores:
    """The scores of all words of the same sentences."""
    sentence = np.repeat(np.arange(len(gold.starts) - 1), np.diff(gold.starts))
    first = gold.starts[:-1][sentence]
    right_label, label = _without_subtypes(gold.labels), _without_subtypes(found.labels)
    same_head = gold.heads == found.heads
    right = same_head & (right_label == label)
    content, found_content = np.isin(right_label, CONTENT), np.isin(label, CONTENT)
    morphology = (gold.upos == found.upos) & (_universal(gold.feats) == _universal(found.feats))
    # A function word spoils its head, the right one and the one that was found, unless all of it is right.
    spoiled = np.zeros(len(right) + 1, dtype=bool)
    for heads, labels in ((gold.heads, right_label), (found.heads, label)):
        bad = np.isin(labels, FUNCTION) & ~(right & morphology)
        spoiled[np.where(heads[bad] > 0, first[bad] + heads[bad] - 1, len(right))] = True
    n_content = int(content.sum()) + int(found_content.sum())
    with_tags = right & morphology & content & ~spoiled[:-1]
    wrong_sentences = len(np.unique(sentence[~right]))
    n_sentences = len(gold.starts) - 1
    return ParseScores(
        n_words=len(right),
        n_sentences=n_sentences,
        uas=_share(same_head),
        las=_share(right),
        clas=2 * int((right & content).sum()) / max(1, n_content),
        mlas=2 * int(with_tags.sum()) / max(1, n_content),
        sentences=(n_sentences - wrong_sentences) / max(1, n_sentences),
        by_label=_by_label(right_label, label, right),
        by_length=_by_length(gold.heads, found.heads, right, np.arange(len(right)) - first + 1),
    )


def _share(right: Array) -> float:
    return float(right.mean()) if len(right) else 0.0


def _by_label(gold: Array, found: Array, right: Array) -> dict[str, Count]:
    labels = np.union1d(gold, found)
    counts = [np.bincount(np.searchsorted(labels, one), minlength=len(labels)) for one in (gold, found, gold[right])]
    return {label: Count(*map(int, numbers)) for label, *numbers in zip(labels.tolist(), *counts, strict=True)}


def _by_length(gold: Array, found: Array, right: Array, word: Array) -> dict[str, Count]:
    lengths = [np.where(heads == 0, 0, np.abs(heads - word)) for heads in (gold, found)]
    within = {name: [(least <= one) & (one <= most) for one in lengths] for name, least, most in LENGTHS}
    return {name: Count(int(a.sum()), int(b.sum()), int((a & right).sum())) for name, (a, b) in within.items()}


def _without_subtypes(labels: Array) -> Array:
    texts, number = np.unique(labels, return_inverse=True)
    return np.array([text.split(":")[0] for text in texts.tolist()], dtype=str)[number]


def _universal(feats: Array) -> Array:
    """Only those features that all languages share, sorted."""
    texts, number = np.unique(feats, return_inverse=True)
    kept = [
        "|".join(sorted(one for one in text.split("|") if one.split("=")[0] in FEATURES)) for text in texts.tolist()
    ]
    return np.array(kept, dtype=str)[number]
