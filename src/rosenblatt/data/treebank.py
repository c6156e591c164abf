"""A small English treebank, to try a parser on: the trees of short sentences, one of which is not projective."""

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from rosenblatt.services.files.conll import Sentence, read_conll


class SmallTreebank(NamedTuple):
    """Sentences of (word, upos, xpos, feats), their heads and their labels: what a parser learns from."""

    sentences: list[Sentence]
    heads: list[list[int]]
    labels: list[list[str]]


def treebank_path() -> Path:
    """The CoNLL-U file."""
    return Path(str(files("rosenblatt.data").joinpath("treebank.conllu")))


def load_treebank() -> SmallTreebank:
    """Some 60 sentences, written for this package, in Universal Dependencies.

    >>> sentences, heads, labels = load_treebank()
    >>> len(sentences), heads[1], labels[1]
    (58, [3, 3, 4, 0, 6, 4, 4], ['det', 'amod', 'nsubj', 'root', 'det', 'obj', 'punct'])
    """
    read = read_conll(treebank_path(), columns=["form", "upos", "xpos", "feats", "head", "deprel"])
    heads = [[int(head) for head in sentence] for sentence in read.column("head")]
    return SmallTreebank([[token[:4] for token in sentence] for sentence in read], heads, read.column("deprel"))
