"""From text to sentences of tokens: what a tagger says of atoms, then of tokens.

The text is cut into atoms (core/sentences/atoms.hpp). A first tagger says what the end of each atom is: `inside` a
token, the end of a `token`, or of a `sentence`; a number before it is a place so many bytes before the end of the atom
where a token ends too. A second tagger, which sees the tokens, says again which of them end a sentence. A paragraph is
never inside a sentence.
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
LEARNED, READ = 60, 2000  # atoms and tokens in a piece of a paragraph that is learned, and that is read
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


def fit_ends(raw: RawText, dev: RawText | None, max_iter: int, seed: Any) -> TaggerModel:
    """The tagger of tokens that says which of them end a sentence."""

    def tokens(of: RawText, most: int) -> tuple[_core.Corpus, Array]:
        tags = np.full(len(of.begin), TOKEN, dtype="U16")
        tags[of.starts[1:] - 1] = SENTENCE
        return token_corpus(of.text, of.begin, of.end, most, PARAGRAPHS[0]), tags

    corpus, tags = tokens(raw, LEARNED)
    held_out = None if dev is None else tokens(dev, READ)
    return fit_tags(tagger_parameters("ends", max_iter, seed), without_rare(corpus, [0, 1]), tags, held_out)


def token_corpus(text: bytes, begin: Array, end: Array, most: int, paragraphs: str) -> _core.Corpus:
    """Tokens with their form, the form in small letters, and what comes after, in pieces of paragraphs."""
    return _core.token_corpus(text, begin=begin, end=end, paragraphs=paragraphs, most=most)


def _ends_paragraph(corpus: _core.Corpus) -> Array:
    ends = np.array([gap == "paragraph" for gap in corpus.texts(2)], dtype=bool)
    return np.asarray(ends[corpus.tokens(2)])


def segment(atoms: TaggerModel, ends: TaggerModel, text: bytes, paragraphs: str) -> tuple[Segments, _core.Corpus]:
    """The sentences and tokens of a text, and the columns of the tokens."""
    corpus, begin, end, gap = _core.atoms(text, paragraphs=paragraphs, most=READ)
    if not len(begin):
        return Segments(begin, end, np.zeros(1, dtype=np.int64)), token_corpus(text, begin, end, READ, paragraphs)
    spans = _tokens(atoms, corpus, begin, end, gap == PARAGRAPH, text)
    tokens = token_corpus(text, *spans, READ, paragraphs)
    is_end = np.array([tag == SENTENCE for tag in ends.classes.tolist()], dtype=bool)
    sentence = is_end[ends.tags(tokens)] | _ends_paragraph(tokens)
    sentence[-1] = True
    starts = np.append(0, np.flatnonzero(sentence) + 1).astype(np.int64)
    return Segments(*spans, starts), tokens


def _tokens(
    model: TaggerModel, corpus: _core.Corpus, begin: Array, end: Array, ends_paragraph: Array, text: bytes
) -> tuple[Array, Array]:
    """Where tokens begin and end."""
    tags = model.tags(corpus)
    classes = [tag.split() for tag in model.classes.tolist()]
    ends = np.array([parts[-1] != INSIDE for parts in classes], dtype=bool)[tags] | ends_paragraph
    token_end, after = end[ends], np.append(begin[1:], 0)[ends]  # where a token ends, and the next one begins
    for number, parts in enumerate(classes):
        for left in map(int, parts[:-1]):
            places = (end - left)[(tags == number) & (end - begin > left)]
            places = places[(np.frombuffer(text, dtype=np.uint8)[places] & 0xC0) != 0x80]
            token_end, after = np.append(token_end, places), np.append(after, places)
    order = np.argsort(token_end, kind="stable")
    return np.append(begin[:1], after[order][:-1]), token_end[order]
