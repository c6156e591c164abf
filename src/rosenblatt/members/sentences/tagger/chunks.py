"""Chunks of tagged sentences, and how many of them a tagger finds: the evaluation of the CoNLL tasks (conlleval).

A tag is `O`, or a letter, `-` and the type. A chunk begins at `B` and at `S`, and at any other letter that does not go
on with a chunk of its type; it ends before the next begins, before `O`, and after `E` and `S`. That reads IOB1, where
`B` is only where two chunks of a type meet, IOB2, where it begins each, and BIOES, where `E` ends and `S` is alone.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, NamedTuple

import numpy as np

Scheme = Literal["auto", "iob1", "iob2", "bioes"]
_LETTERS = {"auto": "OBIES", "iob1": "OBI", "iob2": "OBI", "bioes": "OBIES"}
_LETTER_AND_TYPE = re.compile(r"O\Z|[BIES](-|\Z)")


class Chunk(NamedTuple):
    """The tokens from `start` to before `end`."""

    type: str
    start: int
    end: int


class _Chunks(NamedTuple):
    """Where each chunk starts and ends, and the number of its type."""

    starts: Any
    ends: Any
    types: Any


def chunks(tags: Sequence[str], scheme: Scheme = "auto") -> list[Chunk]:
    """The chunks of a sentence, in order.

    Parameters
    ----------
    tags
        A tag a token.
    scheme
        "iob1", "iob2" and "bioes" refuse what the scheme has not; "auto" reads any tags, as conlleval does.

    Examples
    --------
    >>> chunks(["B-NP", "I-NP", "B-VP", "O", "B-NP"])
    [Chunk(type='NP', start=0, end=2), Chunk(type='VP', start=2, end=3), Chunk(type='NP', start=4, end=5)]
    >>> chunks(["I-NP", "O"])
    [Chunk(type='NP', start=0, end=1)]
    >>> chunks(["I-NP", "O"], scheme="iob2")
    Traceback (most recent call last):
    ValueError: tags are not iob2: token 0 has 'I-NP' after the beginning of the sentence
    """
    if scheme not in _LETTERS:
        raise ValueError(f"scheme must be one of {list(_LETTERS)}, got {scheme!r}")
    tags = list(tags)
    if scheme != "auto":
        _check(tags, scheme)
    names: dict[str, int] = {}
    found = _found([tags], names)
    types = [list(names)[number] for number in found.types]
    return list(map(Chunk, types, found.starts.tolist(), found.ends.tolist()))


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
    true, found = _found(gold, names), _found(predicted, names)
    _, here, there = np.intersect1d(true.starts, found.starts, assume_unique=True, return_indices=True)
    right = (true.ends[here] == found.ends[there]) & (true.types[here] == found.types[there])
    counts = [
        np.bincount(types, minlength=len(names)).tolist()
        for types in (true.types[here[right]], true.types, found.types)
    ]
    types = {name: ChunkCounts(*(count[names[name]] for count in counts)) for name in sorted(names)}
    pairs = zip(chain.from_iterable(gold), chain.from_iterable(predicted), strict=True)
    accuracy = _share(sum(one == other for one, other in pairs), sum(lengths))
    correct, n_gold, n_predicted = map(sum, counts)
    return ChunkScores(correct, n_gold, n_predicted, types, sum(lengths), accuracy)


def are_chunks(tags: Iterable[str]) -> bool:
    """Whether all of them may be tags of chunks.

    >>> are_chunks(["B-NP", "O"]), are_chunks(["NOUN", "O"])
    (True, False)
    """
    return all(_LETTER_AND_TYPE.match(tag) for tag in tags)


def _as_phrases(tags: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[tag if tag == "O" else f"S-{tag}" for tag in sentence] for sentence in tags]


@dataclass(frozen=True)
class ChunkCounts:
    """How many chunks were found and right, are true, and were found; what there is none of counts as 0.

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
        """The share of those found that is right."""
        return _share(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """The share of the true ones that was found."""
        return _share(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return _share(2 * self.correct, self.gold + self.predicted)

    def _row(self) -> str:
        shares = 100 * self.precision, 100 * self.recall, 100 * self.f1
        return "precision: {:6.2f}%; recall: {:6.2f}%; FB1: {:6.2f}".format(*shares)


@dataclass(frozen=True)
class ChunkScores(ChunkCounts):
    """The counts of all chunks together, of each type, and the share of right tags; prints as conlleval's table."""

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


def _found(sentences: Sequence[Sequence[str]], names: dict[str, int]) -> _Chunks:
    """The chunks of all sentences one after the other; new types get the next number in `names`."""
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
    return _Chunks(starts, ends, types[starts])


def _parts(tag: str) -> tuple[str, str]:
    if not _LETTER_AND_TYPE.match(tag):
        raise ValueError(f"a tag must be O, or one of B, I, E, S with '-' and a type, got {tag!r}")
    return tag[0], tag[2:]


def _check(tags: list[str], scheme: str) -> None:
    """Whether each tag may come after the one before."""
    parts = [("O", ""), *map(_parts, tags), ("O", "")]
    for k in range(1, len(parts)):
        (before, type_before), (letter, name) = parts[k - 1 : k + 1]
        same = before != "O" and type_before == name
        if scheme == "iob1":
            good = letter != "B" or same
        elif scheme == "iob2":
            good = letter != "I" or same
        else:
            good = (before in "BI") == (letter in "IE") and (letter not in "IE" or same)
        if letter not in _LETTERS[scheme] or not good:
            where = f"token {k - 1} has {tags[k - 1]!r}" if k <= len(tags) else "the sentence ends"
            after = repr(tags[k - 2]) if k > 1 else "the beginning of the sentence"
            raise ValueError(f"tags are not {scheme}: {where} after {after}")
