"""From text to sentences of tokens: what a tagger says of atoms.

The text is cut into atoms (core/sentences/atoms.hpp). The tagger says what the end of each atom is: `inside` a token,
the end of a `token`, or of a `sentence`; a number before it is a place so many bytes before the end of the atom where a
token ends too. A paragraph is never inside a sentence. An attribute that looks at a word that was seen once in training
would be learned by heart, so that such words are left out there.

A second tagger, which saw the tokens that the first one had found and said again which of them end a sentence, was no
better on three treebanks of four.
"""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.services.text.learn_tags import fit_tags, tagger_parameters, without_rare
from rosenblatt.services.text.raw_text import RawText

PARAGRAPHS = ("empty line", "line")  # after which a paragraph ends
INSIDE, TOKEN, SENTENCE = "inside", "token", "sentence"
LEARNED, READ = 20, 2000  # atoms, or tokens, in a piece of a paragraph that is learned, and that is read
LEAST_CUTS = 3  # how often a place inside an atom must come for its tag to be learned
PARAGRAPH = 2  # what comes after an atom, as the core numbers it


class Segments(NamedTuple):
    """Tokens of a text, text[begin:end] in bytes; sentence s has the tokens starts[s] to starts[s + 1]."""

    begin: Array
    end: Array
    starts: Array


def fit_atoms(raw: RawText, dev: RawText | None, max_iter: int, seed: Any) -> TaggerModel:
    """The tagger of atoms."""

    def atoms(of: RawText, most: int) -> tuple[_core.Corpus, Array]:
        corpus, begin, end, _ = _core.atoms(of.text, paragraphs=PARAGRAPHS[0], most=most)
        return corpus, _atom_tags(of, begin, end)

    corpus, tags = atoms(raw, LEARNED)
    held_out = None if dev is None else atoms(dev, READ)
    return fit_tags(tagger_parameters("atoms", max_iter, seed), without_rare(corpus, [1, 3, 4, 5]), tags, held_out)


def _atom_tags(raw: RawText, begin: Array, end: Array) -> Array:
    """What the end of each atom is."""
    tags = np.full(len(end), INSIDE, dtype=object)
    tags[np.isin(end, raw.end)] = TOKEN
    tags[np.isin(end, raw.end[raw.starts[1:] - 1])] = SENTENCE
    atom = np.minimum(np.searchsorted(end, raw.end), len(end) - 1)
    cuts: dict[int, list[int]] = {}
    for k in np.flatnonzero((raw.end < end[atom]) & (raw.end > begin[atom])).tolist():
        cuts.setdefault(int(atom[k]), []).append(int(end[atom[k]] - raw.end[k]))
    whole = {k: " ".join([*map(str, sorted(places)), tags[k]]) for k, places in cuts.items()}
    texts, counts = np.unique(list(whole.values()), return_counts=True)
    frequent = set(texts[counts >= LEAST_CUTS].tolist())
    for k, tag in whole.items():
        if tag in frequent:
            tags[k] = tag
    return tags.astype(str)


def token_corpus(text: bytes, begin: Array, end: Array, most: int, paragraphs: str) -> _core.Corpus:
    """Tokens with their form, the form in small letters, and what comes after, in pieces of paragraphs."""
    return _core.token_corpus(text, begin=begin, end=end, paragraphs=paragraphs, most=most)


def segment(model: TaggerModel, text: bytes, paragraphs: str) -> Segments:
    """The sentences and tokens of a text."""
    corpus, begin, end, gap = _core.atoms(text, paragraphs=paragraphs, most=READ)
    tags = model.tags(corpus)
    classes = [tag.split() for tag in model.classes.tolist()]
    is_sentence = np.array([parts[-1] == SENTENCE for parts in classes], dtype=bool)[tags] | (gap == PARAGRAPH)
    is_token = np.array([parts[-1] != INSIDE for parts in classes], dtype=bool)[tags] | is_sentence
    # Where a token ends, where the next one begins, whether a sentence ends there.
    ends, after, last = end[is_token], np.append(begin[1:], 0)[is_token], is_sentence[is_token]
    for number, parts in enumerate(classes):
        for left in map(int, parts[:-1]):
            places = (end - left)[(tags == number) & (end - begin > left)]
            places = places[(np.frombuffer(text, dtype=np.uint8)[places] & 0xC0) != 0x80]
            ends, after = np.append(ends, places), np.append(after, places)
            last = np.append(last, np.zeros(len(places), dtype=bool))
    order = np.argsort(ends, kind="stable")
    starts = np.append(0, np.flatnonzero(last[order]) + 1).astype(np.int64)
    return Segments(np.append(begin[:1], after[order][:-1]), ends[order], starts)
