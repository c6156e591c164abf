"""How right tags are, computed as in the shared tasks; trees have `treebank_scores`.

`conlleval` counts chunks as the CoNLL tasks do. A tag is `O`, or a letter, `-` and the type. A chunk begins at `B` and
`S`, and at any other letter that does not continue a chunk of its type; it ends before the next begins, before `O`, and
after `E` and `S`. This covers IOB1, where `B` is used only between two adjacent chunks of a type, IOB2, where it begins
each chunk, and BIOES, where `E` ends a chunk and `S` is a chunk of one token.

"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.members.sentences.corpus import BETWEEN

__all__ = ["ChunkCounts", "ChunkScores", "conlleval"]

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
