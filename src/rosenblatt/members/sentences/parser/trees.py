"""Trees as Python has them: for each sentence the heads of its words, 0 for the root, and the labels of their arcs."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.corpus import as_corpus, beside

COLUMNS = 4  # word, universal part of speech, that of the language, features


class Trees(NamedTuple):
    """The heads and the labels of sentences, each a list of lists."""

    heads: list[list[int]]
    labels: list[list[str]]


def as_sentences(sentences: Any) -> _core.Corpus:
    """Sentences as the core has them, of four columns at least.

    A token is a word, or a tuple of up to four columns. A part of speech of the language that is not there is the
    universal one; other columns that are not there show nothing.

    >>> corpus = as_sentences([[("dogs", "NOUN"), ("bark", "VERB")]])
    >>> [corpus.texts(column) for column in range(corpus.n_columns)]
    [['dogs', 'bark'], ['NOUN', 'VERB'], ['NOUN', 'VERB'], ['_']]
    """
    return with_all_columns(as_corpus(sentences, COLUMNS))


def with_all_columns(corpus: _core.Corpus) -> _core.Corpus:
    """A corpus of four columns at least, of one that may have fewer: see `as_sentences`."""
    if corpus.n_columns >= COLUMNS:
        return corpus
    columns: list[Any] = list(range(corpus.n_columns))
    nothing = ["_"], np.zeros(corpus.n_tokens, dtype=np.int32)
    while len(columns) < COLUMNS:
        columns.append(columns[1] if len(columns) == 2 else nothing)
    return corpus.choose(columns)


def as_heads(heads: Any, corpus: _core.Corpus) -> Array:
    """The heads of all tokens; a ValueError says which sentence is no tree.

    >>> as_heads([[2, 0]], as_sentences([["dogs", "bark"]])).tolist()
    [2, 0]
    >>> as_heads([[2, 1]], as_sentences([["dogs", "bark"]]))
    Traceback (most recent call last):
    ValueError: heads: word 1 of sentence 0: expected a tree, found a cycle through this word
    """
    given = list(beside(heads, corpus, "heads", "heads"))
    flat = np.array(given if given else [], dtype=np.int64 if not given else None)
    if flat.dtype.kind not in "iu" or flat.ndim != 1 or (abs(flat) >= 2**31).any():
        raise TypeError(f"heads: expected whole numbers, found {flat.dtype if flat.ndim == 1 else 'lists of lists'}")
    flat = flat.astype(np.int32)
    if (problem := _core.tree_problem(corpus.starts, flat)) is not None:
        sentence, word, expected, found = problem
        raise ValueError(f"heads: word {word} of sentence {sentence}: expected {expected}, found {found}")
    return flat


def by_sentence(values: Array, corpus: _core.Corpus) -> list[list[Any]]:
    """A list for each sentence."""
    listed = values.tolist()
    return [listed[first:last] for first, last in pairwise(corpus.starts.tolist())]
