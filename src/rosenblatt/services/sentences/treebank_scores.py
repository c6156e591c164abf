"""How right sentences, tokens, words, tags, lemmas and trees are, by the definitions of the CoNLL 2018 shared task.

Two annotations of one text are compared, which may cut it into other tokens: their characters without blanks must be
the same. A token is found if it covers the same characters; so is a sentence. A word is aligned with the word that is
the same token; where one side has multiword tokens, with one of the same form, by the longest common subsequence of the
forms there. What follows is counted over aligned words:

    UPOS, XPOS, UFeats, AllTags   the columns, of the features those that all languages share; all three together
    Lemmas, UAS, LAS              the lemma, if the right one is not `_`; the head; the head and the label
    CLAS, MLAS, BLEX              of content words: LAS; with UPOS, UFeats, and function words below; with the lemma

Subtypes of labels (`acl:relcl`) do not count. Content words are those whose label is not that of a function word or of
punctuation. Each score is an F1: of precision, by the words of the answer, and recall, by the right words.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array

__all__ = ["Count", "ParseScores", "Score", "attachment_scores"]

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
ROOT, UNALIGNED = -1, -2  # in place of the number of a word


class Texts(NamedTuple):
    """A column: word k has the text texts[numbers[k]]."""

    texts: list[str]
    numbers: Array

    @classmethod
    def of(cls, values: Sequence[str]) -> "Texts":
        """A column of these texts."""
        number = {text: k for k, text in enumerate(dict.fromkeys(values))}
        return cls(list(number), np.array([number[text] for text in values], dtype=np.int64))

    def are_in(self, names: Sequence[str]) -> Array:
        """Of each word, whether its text is one of these names."""
        return np.array([text in names for text in self.texts], dtype=bool)[self.numbers]

    def map(self, change: Callable[[str], str]) -> "Texts":
        """The same column with other texts."""
        return Texts(list(map(change, self.texts)), self.numbers)


class Spans(NamedTuple):
    """Where sentences, tokens and words lie in the characters of a text without blanks: (first, end) of each."""

    characters: str
    sentences: Array
    tokens: Array
    words: Array
    in_range: Array  # whether the word is part of a multiword token, whose place it has


class Words(NamedTuple):
    """All words of some sentences: the head of each within its sentence, its label, and the other columns."""

    starts: Array
    heads: Array | None
    labels: Texts
    upos: Texts
    feats: Texts
    xpos: Texts | None = None
    lemmas: Texts | None = None
    forms: Texts | None = None
    spans: Spans | None = None

    def parents(self) -> Array:
        """The number of the head of each word among all words, or `ROOT`."""
        assert self.heads is not None
        first = np.repeat(self.starts[:-1], np.diff(self.starts))
        return np.where(self.heads > 0, first + self.heads - 1, ROOT)


class Count(NamedTuple):
    """The number of true ones, of predicted ones, and of predicted ones that are right."""

    gold: int
    predicted: int
    correct: int

    @property
    def f1(self) -> float:
        """2 correct / (gold + predicted); 0 where there are none."""
        return 2 * self.correct / max(1, self.gold + self.predicted)


class Score(NamedTuple):
    """A line of the table: how many there are, in the predicted annotation, right, and aligned (None: no words).

    >>> score = Score(gold=4, predicted=5, correct=3, aligned=4)
    >>> score.precision, score.recall, round(score.f1, 3), score.aligned_accuracy
    (0.6, 0.75, 0.667, 0.75)
    """

    gold: int
    predicted: int
    correct: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """The share of the predicted ones that are right."""
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the true ones that were found."""
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.correct / (self.gold + self.predicted) if self.gold + self.predicted else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """The share of the aligned words that are right."""
        return self.correct / self.aligned if self.aligned else None


@dataclass(frozen=True)
class ParseScores:
    """The scores of an annotation; it prints as a table.

    Attributes
    ----------
    n_words, n_sentences : their numbers, in the right annotation
    uas, las, clas : as the module defines them, from 0 to 1
    mlas : the same; None without tags
    sentences : the share of sentences whose heads and labels are all right
    by_label : label without subtype -> `Count`: an arc is right if its head and label are
    by_length : length of the right arc -> `Count`; "root" is the arc from the root
    table : name -> `Score`, the whole table of the shared task, as far as the annotations have the columns
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
    table: dict[str, Score] = field(default_factory=dict)

    def __str__(self) -> str:
        shares = {"UAS": self.uas, "LAS": self.las, "CLAS": self.clas, "MLAS": self.mlas}
        lines = [
            f"{self.n_words} words in {self.n_sentences} sentences, {100 * self.sentences:.2f} % of them all right",
            "  ".join(f"{name} {100 * share:.2f}" for name, share in shares.items() if share is not None),
            "",
        ]
        if "Tokens" in self.table:
            lines += [print_scores(self.table), ""]
        lines += [f"{'label':<12}{'gold':>8}{'found':>8}{'right':>8}{'F1':>8}"]
        by_count = sorted(self.by_label.items(), key=lambda item: (-item[1].gold, item[0]))
        lines += [_row(name, count) for name, count in by_count]
        lines += ["", f"{'arc length':<12}{'gold':>8}{'found':>8}{'right':>8}{'F1':>8}"]
        lines += [_row(name, count) for name, count in self.by_length.items()]
        return "\n".join(lines)


def _row(name: str, count: Count) -> str:
    return f"{name:<12}{count.gold:>8}{count.predicted:>8}{count.correct:>8}{100 * count.f1:>8.2f}"


def print_scores(table: dict[str, Score]) -> str:
    """The table of the shared task.

    >>> print(print_scores({"UPOS": Score(4, 5, 3, 4)}))
                precision   recall       F1  aligned
    UPOS            60.00    75.00    66.67    75.00
    """
    lines = [f"{'':<12}{'precision':>9}{'recall':>9}{'F1':>9}{'aligned':>9}"]
    for name, score in table.items():
        shares = (score.precision, score.recall, score.f1, score.aligned_accuracy)
        lines.append(f"{name:<12}" + "".join(f"{'' if share is None else f'{100 * share:.2f}':>9}" for share in shares))
    return "\n".join(line.rstrip() for line in lines)


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
    number = np.arange(int(words[0].starts[-1]))
    table = _count_trees(words[0], words[1], number, number)
    if not with_tags:
        del table["MLAS"]
    return _parse_scores(table, words[0], words[1], number, number)


def _words(heads: Any, labels: Any, tags: Any) -> Words:
    lengths = [len(sentence) for sentence in heads]
    if lengths != [len(sentence) for sentence in labels] or (tags and lengths != [len(sentence) for sentence in tags]):
        raise ValueError("expected a head, a label and, if there are any, tags for each word")
    starts = np.cumsum([0, *lengths], dtype=np.int64)
    flat = [[value for sentence in values for value in sentence] for values in (heads, labels)]
    pairs = [pair for sentence in tags for pair in sentence] if tags else [("_", "_")] * int(starts[-1])
    upos, feats = (Texts.of([pair[k] for pair in pairs]) for k in (0, 1))
    return Words(starts, np.array(flat[0], dtype=np.int64), Texts.of(flat[1]), upos, feats)


def scores_of(gold: Words, answer: Words) -> ParseScores:
    """All scores of an annotation with trees; both must have spans. A ValueError says where their texts differ."""
    g, s = align(gold, answer)
    return _parse_scores({**count_words(gold, answer, g, s), **_count_trees(gold, answer, g, s)}, gold, answer, g, s)


def table_of(gold: Words, answer: Words) -> dict[str, Score]:
    """The table of the shared task: without the scores of trees, if one of both annotations has no trees."""
    g, s = align(gold, answer)
    table = count_words(gold, answer, g, s)
    return table if gold.heads is None or answer.heads is None else {**table, **_count_trees(gold, answer, g, s)}


def count_words(gold: Words, answer: Words, g: Array, s: Array) -> dict[str, Score]:
    """The scores of sentences, tokens, words, tags and lemmas. Word g[k] is aligned with word s[k] of the answer."""
    assert gold.spans is not None
    assert answer.spans is not None
    n_gold, n_answer = len(gold.spans.words), len(answer.spans.words)
    right = {"UPOS": _same(gold.upos, answer.upos, g, s)}
    if gold.xpos is not None and answer.xpos is not None:
        right["XPOS"] = _same(gold.xpos, answer.xpos, g, s)
    right["UFeats"] = _same(gold.feats.map(_universal), answer.feats.map(_universal), g, s)
    right["AllTags"] = np.logical_and.reduce(list(right.values()))
    if gold.lemmas is not None and answer.lemmas is not None:
        right["Lemmas"] = _same_lemmas(gold, answer, g, s)
    return {
        "Tokens": _same_spans(gold.spans.tokens, answer.spans.tokens),
        "Sentences": _same_spans(gold.spans.sentences, answer.spans.sentences),
        "Words": Score(n_gold, n_answer, len(g)),
        **{name: Score(n_gold, n_answer, int(each.sum()), len(g)) for name, each in right.items()},
    }


def _count_trees(gold: Words, answer: Words, g: Array, s: Array) -> dict[str, Score]:
    """The scores of trees. Word g[k] is aligned with word s[k] of the answer."""
    n_gold, n_answer = int(gold.starts[-1]), int(answer.starts[-1])
    labels = gold.labels.map(_without_subtype), answer.labels.map(_without_subtype)
    parents = gold.parents(), answer.parents()
    same_head = parents[0][g] == _aligned_parents(parents[1], g, s)[s]
    right = same_head & _same(*labels, g, s)
    morphology = _same(gold.upos, answer.upos, g, s)
    morphology &= _same(gold.feats.map(_universal), answer.feats.map(_universal), g, s)
    # Both words must have equally many function words below them, and all of these must be aligned and right.
    function = [column.are_in(FUNCTION) & (parent >= 0) for column, parent in zip(labels, parents, strict=True)]
    below = [np.bincount(parent[k], minlength=len(k)) for parent, k in zip(parents, function, strict=True)]
    good = g[right & morphology & function[0][g] & function[1][s]]
    right_below = np.bincount(parents[0][good], minlength=n_gold)
    with_function = right & morphology & (below[0][g] == right_below[g]) & (below[1][s] == right_below[g])
    content, content_answer = (column.are_in(CONTENT) for column in labels)
    counts = int(content.sum()), int(content_answer.sum())
    of_content = content[g]
    table = {
        "UAS": Score(n_gold, n_answer, int(same_head.sum()), len(g)),
        "LAS": Score(n_gold, n_answer, int(right.sum()), len(g)),
    }
    of_content_words = {"CLAS": right, "MLAS": with_function}
    if gold.lemmas is not None and answer.lemmas is not None:
        of_content_words["BLEX"] = right & _same_lemmas(gold, answer, g, s)
    n_aligned = int(of_content.sum())
    return table | {
        name: Score(*counts, int((each & of_content).sum()), n_aligned) for name, each in of_content_words.items()
    }


def _aligned_parents(parents: Array, g: Array, s: Array) -> Array:
    """The parents of the words of the answer, as the words that they are aligned with."""
    gold_of = np.full(len(parents) + 2, UNALIGNED)
    gold_of[s] = g
    gold_of[ROOT] = ROOT
    aligned: Array = gold_of[parents]
    return aligned


def _parse_scores(table: dict[str, Score], gold: Words, answer: Words, g: Array, s: Array) -> ParseScores:
    assert gold.heads is not None
    assert answer.heads is not None
    labels = gold.labels.map(_without_subtype), answer.labels.map(_without_subtype)
    same_head = gold.parents()[g] == _aligned_parents(answer.parents(), g, s)[s]
    right = np.zeros(int(gold.starts[-1]), dtype=bool)
    right[g] = same_head & _same(*labels, g, s)
    n_sentences = len(gold.starts) - 1
    sentence = np.repeat(np.arange(n_sentences), np.diff(gold.starts))
    of_name = {name: score.f1 for name, score in table.items()}
    return ParseScores(
        n_words=len(right),
        n_sentences=n_sentences,
        uas=of_name["UAS"],
        las=of_name["LAS"],
        clas=of_name["CLAS"],
        mlas=of_name.get("MLAS"),
        sentences=(n_sentences - len(np.unique(sentence[~right]))) / max(1, n_sentences),
        by_label=_by_label(*labels, right),
        by_length=_by_length(gold, answer, right),
        table=table,
    )


def _same(gold: Texts, answer: Texts, g: Array, s: Array) -> Array:
    """Of each pair of aligned words, whether their texts are equal."""
    number: dict[str, int] = {}
    ids = [
        np.array([number.setdefault(text, len(number)) for text in column.texts], dtype=np.int64)[column.numbers]
        for column in (gold, answer)
    ]
    same: Array = ids[0][g] == ids[1][s]
    return same


def _same_lemmas(gold: Words, answer: Words, g: Array, s: Array) -> Array:
    assert gold.lemmas is not None
    assert answer.lemmas is not None
    return gold.lemmas.are_in(["_"])[g] | _same(gold.lemmas, answer.lemmas, g, s)


def _same_spans(gold: Array, answer: Array) -> Score:
    _, g, s = np.intersect1d(gold[:, 0], answer[:, 0], assume_unique=True, return_indices=True)
    return Score(len(gold), len(answer), int((gold[g, 1] == answer[s, 1]).sum()))


def _by_label(gold: Texts, answer: Texts, right: Array) -> dict[str, Count]:
    labels = sorted({*gold.texts, *answer.texts})
    number = {label: k for k, label in enumerate(labels)}
    ids = [
        np.array([number[text] for text in column.texts], dtype=np.int64)[column.numbers] for column in (gold, answer)
    ]
    counts = [np.bincount(which, minlength=len(labels)) for which in (*ids, ids[0][right])]
    return {label: Count(*map(int, numbers)) for label, *numbers in zip(labels, *counts, strict=True) if sum(numbers)}


def _by_length(gold: Words, answer: Words, right: Array) -> dict[str, Count]:
    lengths = []
    for words in (gold, answer):
        parents = words.parents()
        lengths.append(np.where(parents == ROOT, 0, np.abs(parents - np.arange(len(parents)))))
    within = {name: [(least <= length) & (length <= most) for length in lengths] for name, least, most in LENGTHS}
    return {name: Count(int(a.sum()), int(b.sum()), int((a & right).sum())) for name, (a, b) in within.items()}


def _without_subtype(label: str) -> str:
    return label.split(":")[0]


def _universal(feats: str) -> str:
    """Only the features that all languages share, sorted."""
    return "|".join(sorted(pair for pair in feats.split("|") if pair.split("=", 1)[0] in FEATURES))


def spans_of(forms: Texts, starts: Array, ranges: Sequence[tuple[int, int, str]]) -> Spans:
    """Where the sentences, tokens and words lie. A range is a multiword token: its first word, their number, its form.

    >>> spans = spans_of(Texts.of(["au", "a", "le", "8 h"]), np.array([0, 4]), [(1, 2, "au")])
    >>> spans.characters, spans.tokens.tolist(), spans.words.tolist()
    ('auau8h', [[0, 2], [2, 4], [4, 6]], [[0, 2], [2, 4], [2, 4], [4, 6]])
    """
    without_blanks = list(map(_without_blanks, forms.texts))
    of_words = [without_blanks[number] for number in forms.numbers.tolist()]
    tokens, n_words, is_range, done = list[str](), list[int](), list[bool](), 0
    for first, count, form in [*ranges, (len(of_words), 0, "")]:
        tokens += of_words[done:first]
        n_words += [1] * (first - done)
        is_range += [False] * (first - done)
        if count:
            tokens.append(_without_blanks(form))
            n_words.append(count)
            is_range.append(True)
        done = first + count
    ends = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    of_tokens = np.stack([ends[:-1], ends[1:]], axis=1)
    place = np.repeat(of_tokens, n_words, axis=0)
    sentences = np.stack([place[starts[:-1], 0], place[starts[1:] - 1, 1]], axis=1)
    return Spans("".join(tokens), sentences, of_tokens, place, np.repeat(np.array(is_range, dtype=bool), n_words))


def _without_blanks(form: str) -> str:
    """A form without blanks of any kind, which some annotations have within tokens."""
    if form.isascii():
        return form.replace(" ", "")
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def align(gold: Words, answer: Words) -> tuple[Array, Array]:
    """The words of two annotations of one text that belong together: the numbers of each pair, ascending."""
    assert gold.spans is not None
    assert answer.spans is not None
    if gold.spans.characters != answer.spans.characters:
        raise ValueError(_difference(gold, answer))
    if gold.spans.in_range.any() or answer.spans.in_range.any():
        pairs = np.array(list(_Aligning(gold, answer).pairs()), dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]
    _, g, s = np.intersect1d(gold.spans.words[:, 0], answer.spans.words[:, 0], assume_unique=True, return_indices=True)
    same = gold.spans.words[g, 1] == answer.spans.words[s, 1]
    return g[same], s[same]


def _difference(gold: Words, answer: Words) -> str:
    """Where the texts of two annotations differ first."""
    assert gold.spans is not None
    assert answer.spans is not None
    texts = gold.spans.characters, answer.spans.characters
    pairs = enumerate(zip(*texts, strict=False))
    at = next((k for k, (a, b) in pairs if a != b), min(map(len, texts)))
    sentence = min(int(np.searchsorted(gold.spans.sentences[:, 1], at, side="right")) + 1, len(gold.starts) - 1)
    shown = [repr(text[at : at + 20]) if at < len(text) else "the end" for text in texts]
    return (
        f"expected the same text, found {shown[1]} in place of {shown[0]} in sentence {sentence}: "
        "annotations of one text may differ in where tokens begin and end, but not in its characters"
    )


class _Aligning:
    """The alignment of words where multiword tokens are: a walk through both annotations at once."""

    def __init__(self, gold: Words, answer: Words) -> None:
        self.sides = [self._side(words) for words in (gold, answer)]

    @staticmethod
    def _side(words: Words) -> "_Side":
        spans, forms = words.spans, words.forms
        assert spans is not None
        assert forms is not None
        lower = [text.lower() for text in forms.texts]
        without = list(map(_without_blanks, lower))
        pairs = zip(forms.numbers.tolist(), spans.in_range.tolist(), strict=True)
        of_words = [lower[number] if in_range else without[number] for number, in_range in pairs]
        return _Side(spans.words[:, 0].tolist(), spans.words[:, 1].tolist(), spans.in_range.tolist(), of_words)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs of words that belong together."""
        gold, answer = self.sides
        g = s = 0
        while g < len(gold.first) and s < len(answer.first):
            if gold.in_range[g] or answer.in_range[s]:
                begin, (g, s) = self._region(g, s)
                yield from _common(gold.forms, answer.forms, begin, (g, s))
                continue
            same = (gold.first[g], gold.end[g]) == (answer.first[s], answer.end[s])
            if same:
                yield g, s
            earlier = gold.first[g] <= answer.first[s]
            g, s = g + (same or earlier), s + (same or not earlier)

    def _region(self, g: int, s: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The words around multiword tokens that overlap: the first of each side, and those that come next."""
        at = [g, s]
        which = 0 if self.sides[0].in_range[g] else 1  # whose multiword token it begins with
        mine, theirs = self.sides[which], self.sides[1 - which]
        end = mine.end[at[which]]
        if not theirs.in_range[at[1 - which]] and theirs.first[at[1 - which]] < mine.first[at[which]]:
            at[1 - which] += 1  # this word begins before
        begin = at[0], at[1]
        while any(side.is_within(k, end) for side, k in zip(self.sides, at, strict=True)):
            first = [side.first[k] if k < len(side.first) else None for side, k in zip(self.sides, at, strict=True)]
            take = 1 if first[0] is None else 0 if first[1] is None else int(first[0] > first[1])
            side = self.sides[take]
            if side.in_range[at[take]]:
                end = max(end, side.end[at[take]])
            at[take] += 1
        return begin, (at[0], at[1])


class _Side(NamedTuple):
    """One annotation: the first character of each word, the end, whether it is in a multiword token, its form."""

    first: list[int]
    end: list[int]
    in_range: list[bool]
    forms: list[str]

    def is_within(self, k: int, end: int) -> bool:
        """Whether word k belongs to the multiword tokens before this end."""
        if k >= len(self.first):
            return False
        return self.first[k] < end if self.in_range[k] else self.end[k] <= end


def _common(
    gold: list[str], answer: list[str], begin: tuple[int, int], end: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """The longest common subsequence of forms, as pairs of places; of several, the one that comes first in gold.

    >>> list(_common(["a", "b", "c"], ["b", "x", "c"], (0, 0), (3, 3)))
    [(1, 0), (2, 2)]
    """
    g, s = begin
    while g < end[0] and s < end[1] and gold[g] == answer[s]:
        yield g, s
        g, s = g + 1, s + 1
    rows, columns = end[0] - g, end[1] - s
    longest = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below = longest[i], longest[i + 1]
        for j in range(columns - 1, -1, -1):
            row[j] = 1 + below[j + 1] if gold[g + i] == answer[s + j] else max(below[j], row[j + 1])
    i = j = 0
    while i < rows and j < columns:
        if gold[g + i] == answer[s + j]:
            yield g + i, s + j
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
