"""Words and lemmas, as edits that a tagger learns as tags: see core/sentences/edits.hpp.

The words of a token are edits of the token; most tokens are one word, which is the token as it stands. The lemma of a
word is an edit of its form, which is told by the form and its tags.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.corpus import BETWEEN
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.services.files.conll import Sentences
from rosenblatt.services.text.learn_tags import fit_tags, tagger_parameters, without_rare
from rosenblatt.services.text.raw_text import RawText
from rosenblatt.services.text.segments import LEARNED, PARAGRAPHS, READ, token_corpus

AS_IT_STANDS = _core.find_split("a", ["a"])
TAGS = ("upos", "xpos", "feats")
TAGGED = ("form", *TAGS)  # the columns that the lemma of a word is told by


def splits_of(raw: RawText) -> Array:
    """The edits that make the words of each token."""
    splits = np.full(len(raw.begin), AS_IT_STANDS, dtype=object)
    for token, words in raw.words.items():
        form = raw.text[raw.begin[token] : raw.end[token]].decode()
        splits[token] = _core.find_split(form, words)
    return splits.astype(str)


def fit_words(raw: RawText, dev: RawText | None, max_iter: int, seed: Any) -> TaggerModel:
    """A tagger of tokens whose tags are the edits that make words of them."""

    def corpus(of: RawText) -> _core.Corpus:
        return token_corpus(of.text, of.begin, of.end, LEARNED, PARAGRAPHS[0])

    held_out = None if dev is None else (corpus(dev), splits_of(dev))
    parameters = tagger_parameters("words", max_iter, seed)
    return fit_tags(parameters, without_rare(corpus(raw), [0, 1]), splits_of(raw), held_out)


def lemma_edits(sentences: Sentences) -> Array:
    """The edits that make the lemmas of the words of a treebank."""
    corpus = sentences.corpus([("form", "lemma")])
    edits = [_core.find_edit(*text.split(BETWEEN)) for text in corpus.texts(0)]
    return np.array(edits, dtype=str)[corpus.tokens(0)]


def fit_lemmas(
    tagged: Sentences, edits: Array, dev: tuple[Sentences, Array] | None, max_iter: int, seed: Any
) -> TaggerModel:
    """A tagger of words whose tags are the edits that make lemmas of them; the sentences have tags of a tagger."""
    held_out = None if dev is None else (dev[0].corpus(TAGGED), dev[1])
    return fit_tags(tagger_parameters("lemmas", max_iter, seed), tagged.corpus(TAGGED), edits, held_out)


def add_lemmas(model: TaggerModel, sentences: Sentences) -> Sentences:
    """The sentences with the lemma of each word."""
    corpus = sentences.corpus(TAGGED)
    texts, numbers = _core.edit_column(corpus, 0, edits=model.classes.tolist(), of_token=model.tags(corpus))
    return sentences.with_column(texts, numbers, column="lemma")


def split_numbers(
    model: TaggerModel | None, text: bytes, begin: Array, end: Array, paragraphs: str
) -> tuple[Sequence[str], Array]:
    """The different edits, where "" is the token as it stands, and the number of each token's."""
    if model is None:
        return [""], np.zeros(len(begin), dtype=np.int32)
    splits = ["" if split == AS_IT_STANDS else split for split in model.classes.tolist()]
    return splits, model.tags(token_corpus(text, begin, end, READ, paragraphs))
