"""Sentences and labels as Python has them, turned into a corpus of the core; and the columns of CoNLL files."""

import operator
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array

UNIVERSAL_COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

Format: TypeAlias = Literal["auto", "columns", "conllu"]
TagColumns: TypeAlias = int | str | Sequence[int | str]  # the column with the tags, or several, of which a tag is made
BETWEEN = "\t"  # stands between the columns of a tag that is made of several, because no column of a file has it


def column_number(column: int | str, *, universal: bool) -> int:
    """The number of a column, from 0, or from -1 for the last; only those of CoNLL-U have names.

    >>> column_number("upos", universal=True), column_number(-1, universal=False)
    (3, -1)
    """
    if isinstance(column, str):
        if not universal or column not in UNIVERSAL_COLUMNS:
            raise ValueError(f"a column must be a number, or in CoNLL-U one of {UNIVERSAL_COLUMNS}, got {column!r}")
        return UNIVERSAL_COLUMNS.index(column)
    number = operator.index(column)
    limit = len(UNIVERSAL_COLUMNS) if universal else 1 << 20
    if not -limit <= number < limit:
        raise ValueError(f"a column must be a number from {-limit} to {limit - 1}, got {number}")
    return number


def as_corpus(sentences: Any, n_columns: int = 1) -> _core.Corpus:
    """Turn sentences, lists of words or of tuples of columns, into a corpus. Without tokens it has `n_columns` columns.

    Examples
    --------
    >>> corpus = as_corpus([[("the", "DT"), ("dog", "NN")], [("dogs", "NNS")]])
    >>> corpus.texts(1), corpus.starts.tolist()
    (['DT', 'NN', 'NNS'], [0, 2, 3])
    """
    if isinstance(core := getattr(sentences, "core", None), _core.Corpus):
        return core
    starts = _starts(sentences, "X")
    tokens = list(chain.from_iterable(sentences))
    if not tokens:
        return _core.Corpus([[]] * n_columns, starts)
    if isinstance(tokens[0], str):
        return _core.Corpus([tokens], starts)
    width = len(tokens[0]) if isinstance(tokens[0], tuple | list) else 0
    if not set(map(type, tokens)) <= {tuple, list} or set(map(len, tokens)) != {width}:
        _refuse(sentences, width)
    return _core.Corpus(list(zip(*tokens, strict=True)), starts)


def _refuse(sentences: Any, width: int) -> None:
    """Raise an error that names the token that differs from the first one."""
    for number, sentence in enumerate(sentences):
        for place, token in enumerate(sentence):
            if not isinstance(token, tuple | list) or len(token) != width:
                expected = f"{width} columns" if width else "a str or a tuple of columns"
                raise ValueError(f"X: token {place} of sentence {number}: expected {expected}, found {token!r}")


def as_tags(y: Any, corpus: _core.Corpus, name: str = "y") -> _core.Corpus:
    """The labels of a corpus, as a corpus with one column."""
    return _core.Corpus([list(list_beside(y, corpus, name, "labels"))], corpus.starts)


def list_beside(values: Any, corpus: _core.Corpus, name: str, what: str) -> Iterable[Any]:
    """Join lists of values for each token of a corpus. Their lengths must be those of its sentences."""
    starts = _starts(values, name)
    if len(starts) != len(corpus) + 1:
        raise ValueError(f"{name}: expected the {what} of {len(corpus)} sentences, found {len(starts) - 1}")
    wrong = np.flatnonzero(np.diff(starts) != np.diff(corpus.starts))
    if len(wrong):
        expected, count = np.diff(corpus.starts)[wrong[0]], np.diff(starts)[wrong[0]]
        raise ValueError(f"{name}: expected {expected} {what} for sentence {wrong[0]}, found {count}")
    return chain.from_iterable(values)


def _starts(sentences: Iterable[Sequence[Any]], name: str) -> Array:
    if isinstance(sentences, str) or not hasattr(sentences, "__len__"):
        raise TypeError(f"{name}: expected a list of sentences, found a {type(sentences).__name__}")
    for number, sentence in enumerate(sentences):
        if isinstance(sentence, str) or not hasattr(sentence, "__len__"):
            raise TypeError(f"{name}: expected sentence {number} to be a list, found a {type(sentence).__name__}")
    return np.cumsum([0, *map(len, sentences)], dtype=np.int64)


def tokens_of(corpus: _core.Corpus, sentences: Array) -> Array:
    """The numbers of the tokens of some sentences, in the order of `corpus.part`."""
    starts = corpus.starts
    ranges = zip(starts[sentences], starts[sentences + 1], strict=True)
    return np.concatenate([*(np.arange(first, last) for first, last in ranges), np.empty(0, dtype=np.int64)])


def number_labels(tags: _core.Corpus, column: int = 0) -> tuple[Array, Array]:
    """The sorted labels of a column, and the number of the label of each token."""
    texts = text_array(tags.texts(column), "y")
    classes, number = np.unique(texts, return_inverse=True)
    return classes, number.astype(np.int32)[tags.tokens(column)]


def numbers_among(classes: Array, tags: _core.Corpus, column: int = 0) -> Array:
    """The number of the label of each token among the classes, or -1 if it is not among them."""
    number = {label: k for k, label in enumerate(classes.tolist())}
    known = np.array([number.get(text, -1) for text in tags.texts(column)], dtype=np.int32)
    return known[tags.tokens(column)]
