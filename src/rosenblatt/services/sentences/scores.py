"""How right tags and trees are, computed as in the shared tasks.

`conlleval` counts chunks as the CoNLL tasks do. A tag is `O`, or a letter, `-` and the type. A chunk begins at `B` and
`S`, and at any other letter that does not continue a chunk of its type; it ends before the next begins, before `O`, and
after `E` and `S`. This covers IOB1, where `B` is used only between two adjacent chunks of a type, IOB2, where it begins
each chunk, and BIOES, where `E` ends a chunk and `S` is a chunk of one token.

`attachment_scores` compares trees as the CoNLL 2018 shared task does. Both files must have the same words. Subtypes of
labels (`acl:relcl`) do not count. UAS is the share of right heads. LAS is the share of right heads with right labels.
CLAS is the F1 of LAS over content words: words whose label is not that of a function word or punctuation. MLAS counts
those of them whose universal part of speech and features are right too, with those of all function words below them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.corpus import BETWEEN

__all__ = ["ChunkCounts", "ChunkScores", "Count", "ParseScores", "attachment_scores", "conlleval"]

_LETTER_AND_TYPE = re.compile(r"O\Z|[BIES](-|\Z)")


def conlleval(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], *, raw: bool = False) -> "ChunkScores":
    """Count the chunks that a tagger finds, as the script `conlleval` of the CoNLL tasks does.

    A chunk is found if its first token, its last and its type are right.

    Parameters
    ----------
    gold, predicted
        The true tags and those of the tagger, a list for each sentence.
    raw
        Whether tags are not parts of chunks: each token but those with `O` is a phrase, its tag the type.

    Examples
    --------
    >>> gold = [["B-NP", "I-NP", "B-VP", "O"], ["B-NP", "B-VP"]]
    >>> scores = conlleval(gold, [["B-NP", "I-NP", "B-VP", "O"], ["B-NP", "I-NP"]])
    >>> print(scores)
    processed 6 tokens with 4 phrases; found: 3 phrases; correct: 2.
    accuracy:  83.33%; precision:  66.67%; recall:  50.00%; FB1:  57.14
                   NP: precision:  50.00%; recall:  50.00%; FB1:  50.00  2
                   VP: precision: 100.00%; recall:  50.00%; FB1:  66.67  1
    >>> scores.f1, scores.types["VP"].precision
    (0.5714285714285714, 1.0)
    """
    lengths = [len(sentence) for sentence in gold]
    if lengths != [len(sentence) for sentence in predicted]:
        raise ValueError("gold and predicted must have the same sentences, and a tag for each token of them")
    if raw:
        gold, predicted = _as_phrases(gold), _as_phrases(predicted)
    names: dict[str, int] = {}
    true, answer = find_chunks(gold, names), find_chunks(predicted, names)
    _, here, there = np.intersect1d(true.starts, answer.starts, assume_unique=True, return_indices=True)
    right = (true.ends[here] == answer.ends[there]) & (true.types[here] == answer.types[there])
    counts = [
        np.bincount(types, minlength=len(names)).tolist()
        for types in (true.types[here[right]], true.types, answer.types)
    ]
    types = {name: ChunkCounts(*(count[names[name]] for count in counts)) for name in sorted(names)}
    pairs = zip(chain.from_iterable(gold), chain.from_iterable(predicted), strict=True)
    accuracy = _share(sum(tag == answer for tag, answer in pairs), sum(lengths))
    correct, n_gold, n_predicted = map(sum, counts)
    return ChunkScores(correct, n_gold, n_predicted, types, sum(lengths), accuracy)


@dataclass(frozen=True)
class ColumnAccuracies:
    """The share of right texts in each of the columns of which tags are made, and in all of them together."""

    n_tokens: int
    columns: dict[str, float]
    accuracy: float

    def as_dict(self) -> dict[str, Any]:
        """The same, for JSON."""
        return {"n_tokens": self.n_tokens, "accuracy": self.accuracy, "columns": self.columns}

    def __str__(self) -> str:
        rows = {**self.columns, "all": self.accuracy}
        lines = [f"{name:<8}{100 * share:>8.2f} %" for name, share in rows.items()]
        return "\n".join([f"{self.n_tokens} tokens; of them right:", *lines])


def count_columns(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], names: Sequence[str]
) -> ColumnAccuracies:
    r"""Compare tags that are made of several columns, a column at a time and together.

    >>> print(count_columns([["NOUN\tNN", "VERB\tVB"]], [["NOUN\tNN", "VERB\tVBP"]], ["upos", "xpos"]))
    2 tokens; of them right:
    upos      100.00 %
    xpos       50.00 %
    all        50.00 %
    """
    pairs = list(zip(chain.from_iterable(gold), chain.from_iterable(predicted), strict=True))
    parts = [(tag.split(BETWEEN), answer.split(BETWEEN)) for tag, answer in pairs]
    right = {name: sum(tag[k] == answer[k] for tag, answer in parts) for k, name in enumerate(names)}
    shares = {name: _share(count, len(pairs)) for name, count in right.items()}
    return ColumnAccuracies(len(pairs), shares, _share(sum(tag == answer for tag, answer in pairs), len(pairs)))


def are_chunks(tags: Iterable[str]) -> bool:
    """Whether all of these can be tags of chunks.

    >>> are_chunks(["B-NP", "O"]), are_chunks(["NOUN", "O"])
    (True, False)
    """
    return all(_LETTER_AND_TYPE.match(tag) for tag in tags)


def _as_phrases(tags: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[tag if tag == "O" else f"S-{tag}" for tag in sentence] for sentence in tags]


@dataclass(frozen=True)
class ChunkCounts:
    """How many predicted chunks are right, and how many true and predicted chunks there are. A ratio 0/0 counts as 0.

    >>> ChunkCounts(correct=2, gold=4, predicted=3)
    ChunkCounts(correct=2, gold=4, predicted=3)
    >>> ChunkCounts(0, 0, 0).f1
    0.0
    """

    correct: int
    gold: int
    predicted: int

    @property
    def precision(self) -> float:
        """The share of predicted chunks that are right."""
        return _share(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """The share of true chunks that were predicted."""
        return _share(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _share(2 * self.correct, self.gold + self.predicted)

    def _row(self) -> str:
        shares = 100 * self.precision, 100 * self.recall, 100 * self.f1
        return "precision: {:6.2f}%; recall: {:6.2f}%; FB1: {:6.2f}".format(*shares)


@dataclass(frozen=True)
class ChunkScores(ChunkCounts):
    """The counts of all chunks and of each type, and the share of right tags. It prints as conlleval's table."""

    types: dict[str, ChunkCounts]
    n_tokens: int
    accuracy: float

    def __str__(self) -> str:
        head = (
            f"processed {self.n_tokens} tokens with {self.gold} phrases; "
            f"found: {self.predicted} phrases; correct: {self.correct}."
        )
        rows = [f"{name:>17}: {counts._row()}  {counts.predicted}" for name, counts in self.types.items()]
        return "\n".join([head, f"accuracy: {100 * self.accuracy:6.2f}%; {self._row()}", *rows])


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


class Chunks(NamedTuple):
    """Where each chunk starts and ends, and the number of its type."""

    starts: Any
    ends: Any
    types: Any


def find_chunks(sentences: Sequence[Sequence[str]], names: dict[str, int]) -> Chunks:
    """The chunks of all sentences, one after another. New types get the next number in `names`."""
    flat = list(chain.from_iterable(sentences))
    letter_and_type: dict[str, tuple[str, int]] = {}
    for tag in dict.fromkeys(flat):
        letter, name = _parts(tag)
        letter_and_type[tag] = letter, -1 if letter == "O" else names.setdefault(name, len(names))
    letters = np.array([letter_and_type[tag][0] for tag in flat], dtype="U1")
    types = np.array([letter_and_type[tag][1] for tag in flat], dtype=np.int64)
    first = np.zeros(len(flat) + 1, dtype=bool)  # of a sentence; one more for the end
    first[np.cumsum([0, *map(len, sentences)])] = True
    goes_on = np.isin(letters, ["I", "E"]) & ~first[:-1]
    goes_on[1:] &= (types[1:] == types[:-1]) & ~np.isin(letters[:-1], ["E", "S"])
    inside = types >= 0
    starts = np.flatnonzero(inside & ~goes_on)
    ends = np.flatnonzero(inside & ~np.append(goes_on[1:], np.False_)) + 1
    return Chunks(starts, ends, types[starts])


def _parts(tag: str) -> tuple[str, str]:
    if not _LETTER_AND_TYPE.match(tag):
        raise ValueError(f"a tag must be O, or one of B, I, E, S with '-' and a type, got {tag!r}")
    return tag[0], tag[2:]


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
    """The number of true ones, of predicted ones, and of predicted ones that are right."""

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
    n_words, n_sentences : their numbers
    uas, las, clas : as the module defines them, from 0 to 1
    mlas : the same; None without tags
    sentences : the share of sentences whose heads and labels are all right
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
        summary = "  ".join(f"{name} {100 * share:.2f}" for name, share in shares.items() if share is not None)
        lines = [
            f"{self.n_words} words in {self.n_sentences} sentences, {100 * self.sentences:.2f} % of them all right"
        ]
        lines += [summary, "", f"{'label':<12}{'gold':>8}{'found':>8}{'right':>8}{'F1':>8}"]
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
        For each word its universal part of speech and features, as in CoNLL-U: the right ones, and those that the
        parser used. Without them there is no MLAS.

    Examples
    --------
    >>> from rosenblatt import attachment_scores
    >>> gold = [[2, 0, 2]], [["nsubj", "root", "obj"]]
    >>> found = attachment_scores(gold, ([[2, 0, 1]], [["nsubj", "root", "obj"]]))
    >>> round(found.uas, 3), round(found.las, 3), found.by_label["obj"]
    (0.667, 0.667, Count(gold=1, predicted=1, correct=0))
    """
    with_tags = tags is not None and gold_tags is not None
    words = [_words(*gold, gold_tags if with_tags else None), _words(*predicted, tags if with_tags else None)]
    if not np.array_equal(words[0].starts, words[1].starts):
        raise ValueError("predicted: expected the sentences of gold, with as many words each")
    scores = scores_of(*words)
    return scores if with_tags else replace(scores, mlas=None)


def _words(heads: Any, labels: Any, tags: Any) -> Words:
    lengths = [len(sentence) for sentence in heads]
    if lengths != [len(sentence) for sentence in labels] or (tags and lengths != [len(sentence) for sentence in tags]):
        raise ValueError("expected a head, a label and, if there are any, tags for each word")
    starts = np.cumsum([0, *lengths], dtype=np.int64)
    flat = [[value for sentence in values for value in sentence] for values in (heads, labels)]
    pairs = [pair for sentence in tags for pair in sentence] if tags else [("_", "_")] * int(starts[-1])
    upos, feats = ([pair[k] for pair in pairs] for k in (0, 1))
    return Words(
        starts, np.array(flat[0], dtype=np.int64), *(np.array(texts, dtype=str) for texts in (flat[1], upos, feats))
    )


def scores_of(gold: Words, answer: Words) -> ParseScores:
    """The scores of all words of the same sentences."""
    sentence = np.repeat(np.arange(len(gold.starts) - 1), np.diff(gold.starts))
    first = gold.starts[:-1][sentence]
    right_label, label = _without_subtypes(gold.labels), _without_subtypes(answer.labels)
    same_head = gold.heads == answer.heads
    right = same_head & (right_label == label)
    content, content_answer = np.isin(right_label, CONTENT), np.isin(label, CONTENT)
    morphology = (gold.upos == answer.upos) & (_universal(gold.feats) == _universal(answer.feats))
    # A function word with any error makes its right head and its predicted head wrong.
    spoiled = np.zeros(len(right) + 1, dtype=bool)
    for heads, labels in ((gold.heads, right_label), (answer.heads, label)):
        bad = np.isin(labels, FUNCTION) & ~(right & morphology)
        spoiled[np.where(heads[bad] > 0, first[bad] + heads[bad] - 1, len(right))] = True
    n_content = int(content.sum()) + int(content_answer.sum())
    with_tags = right & morphology & content & ~spoiled[:-1]
    wrong_sentences = len(np.unique(sentence[~right]))
    n_sentences = len(gold.starts) - 1
    return ParseScores(
        n_words=len(right),
        n_sentences=n_sentences,
        uas=_mean(same_head),
        las=_mean(right),
        clas=2 * int((right & content).sum()) / max(1, n_content),
        mlas=2 * int(with_tags.sum()) / max(1, n_content),
        sentences=(n_sentences - wrong_sentences) / max(1, n_sentences),
        by_label=_by_label(right_label, label, right),
        by_length=_by_length(gold.heads, answer.heads, right, np.arange(len(right)) - first + 1),
    )


def _mean(right: Array) -> float:
    return float(right.mean()) if len(right) else 0.0


def _by_label(gold: Array, answer: Array, right: Array) -> dict[str, Count]:
    labels = np.union1d(gold, answer)
    counts = [
        np.bincount(np.searchsorted(labels, which), minlength=len(labels)) for which in (gold, answer, gold[right])
    ]
    return {label: Count(*map(int, numbers)) for label, *numbers in zip(labels.tolist(), *counts, strict=True)}


def _by_length(gold: Array, answer: Array, right: Array, word: Array) -> dict[str, Count]:
    lengths = [np.where(heads == 0, 0, np.abs(heads - word)) for heads in (gold, answer)]
    within = {name: [(least <= length) & (length <= most) for length in lengths] for name, least, most in LENGTHS}
    return {name: Count(int(a.sum()), int(b.sum()), int((a & right).sum())) for name, (a, b) in within.items()}


def _without_subtypes(labels: Array) -> Array:
    texts, number = np.unique(labels, return_inverse=True)
    return np.array([text.split(":")[0] for text in texts.tolist()], dtype=str)[number]


def _universal(feats: Array) -> Array:
    """Only the features that all languages share, sorted."""
    texts, number = np.unique(feats, return_inverse=True)
    features = (sorted(pair for pair in text.split("|") if pair.split("=")[0] in FEATURES) for text in texts.tolist())
    return np.array(["|".join(pairs) for pairs in features], dtype=str)[number]
