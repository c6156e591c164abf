"""A text with all that a pipeline says of it, as plain objects: sentences of tokens of words, with their places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt.services.text.model import Annotated, PipelineModel

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")


@dataclass(frozen=True)
class Word:
    """A word of a sentence, counted from 1. `head` is the number of another one, or 0 for the root.

    What the pipeline has no part for is `_`, or None for the head.
    """

    number: int
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: int | None = None
    deprel: str = "_"

    def as_dict(self) -> dict[str, Any]:
        """The same, for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Token:
    """A token, which is text[start:end] of the document, and its words: mostly one."""

    text: str
    start: int
    end: int
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Sentence:
    """A sentence, which is text[start:end] of the document, and its tokens."""

    text: str
    start: int
    end: int
    tokens: tuple[Token, ...]

    @property
    def words(self) -> list[Word]:
        """The words of all tokens."""
        return [word for token in self.tokens for word in token.words]

    def draw(self) -> Any:
        """A picture of the tree: its text is for a terminal, and `svg()` for a page."""
        from rosenblatt.services.lessons.plot.tree import draw_tree

        words = self.words
        heads = [word.head for word in words if word.head is not None]
        if len(heads) < len(words):
            raise ValueError("expected a sentence with a tree, found one of a pipeline without the part tree")
        return draw_tree([word.form for word in words], heads, [word.deprel for word in words])

    def as_dict(self) -> dict[str, Any]:
        """The same, for JSON."""
        tokens = [{"text": t.text, "start": t.start, "end": t.end, "words": len(t.words)} for t in self.tokens]
        words = [word.as_dict() for word in self.words]
        return {"text": self.text, "start": self.start, "end": self.end, "tokens": tokens, "words": words}


class Document(Sequence[Sentence]):
    """A text and its sentences; `conllu` is the same as CoNLL-U."""

    def __init__(self, text: str, sentences: list[Sentence], conllu: str) -> None:
        self.text, self.sentences, self.conllu = text, sentences, conllu

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, index: Any) -> Any:
        return self.sentences[index]

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __repr__(self) -> str:
        return f"<{len(self)} sentences, {sum(len(sentence.tokens) for sentence in self)} tokens>"

    @property
    def words(self) -> list[Word]:
        """The words of all sentences."""
        return [word for sentence in self for word in sentence.words]

    def to_spacy(self, vocab: Any = None) -> Any:
        """The words as a `Doc` of spaCy, which must be installed: parts of speech, features, lemmas, trees."""
        from spacy.tokens import Doc
        from spacy.vocab import Vocab

        words, spaces, starts, heads = list[Word](), list[bool](), list[bool](), list[int]()
        for sentence in self:
            first = len(words)
            for token in sentence.tokens:
                apart = "".join(word.form for word in token.words) != token.text  # do not, of don't
                spaces += [apart] * (len(token.words) - 1) + [self.text[token.end : token.end + 1].isspace()]
                words += token.words
            for place, word in enumerate(sentence.words):
                starts.append(place == 0)
                heads.append(first + (word.head - 1 if word.head else place))
        columns: dict[str, list[Any]] = {
            "pos": [word.upos if word.upos != "_" else "" for word in words],
            "tags": [word.xpos if word.xpos != "_" else "" for word in words],
            "morphs": [word.feats if word.feats != "_" else "" for word in words],
            "lemmas": [word.lemma if word.lemma != "_" or word.form == "_" else "" for word in words],
        }
        if all(word.head is not None for word in words):
            columns |= {"heads": heads, "deps": [word.deprel for word in words]}
        else:
            columns["sent_starts"] = starts
        return Doc(vocab or Vocab(), words=[word.form for word in words], spaces=spaces, **columns)


def read_document(model: PipelineModel, text: str) -> Document:
    """The document of a text."""
    encoded = encode(text)
    annotated = model.annotate(encoded)
    if annotated is None:
        return Document(text, [], "")
    return Document(text, sentences_of(annotated, encoded), annotated.sentences.text.decode())


def encode(text: str) -> bytes:
    """A text in UTF-8; a ValueError names the place of what cannot be read."""
    from rosenblatt import _core

    if not isinstance(text, str):
        raise TypeError(f"text: expected one text, a str, found {type(text).__name__}")
    encoded = text.encode(errors="surrogatepass")
    if (problem := _core.text_problem(encoded)) is not None:
        line, column, expected, instead = problem
        raise ValueError(f"text: line {line}, column {column}: expected {expected}, found {instead.decode()}")
    return encoded


def sentences_of(annotated: Annotated, text: bytes, first: int = 0) -> list[Sentence]:
    """The sentences as objects; `first` characters come before the text in its document."""
    sentences, (begin, end, starts), n_words, _ = annotated
    columns = [_column(sentences, name) for name in COLUMNS]
    characters = np.cumsum((np.frombuffer(text, dtype=np.uint8) & 0xC0) != 0x80, dtype=np.int64)
    places = np.append(0, characters)
    whole = text.decode()
    token_begin, token_end = (places[offsets].tolist() for offsets in (begin, end))
    word_starts = np.append(0, np.cumsum(n_words)).tolist()
    listed = []
    for first_token, last_token in pairwise(starts.tolist()):
        tokens, first_word = list[Token](), word_starts[first_token]
        for k in range(first_token, last_token):
            words = tuple(
                Word(w - first_word + 1, *(column[w] for column in columns))
                for w in range(word_starts[k], word_starts[k + 1])
            )
            a, b = token_begin[k], token_end[k]
            tokens.append(Token(whole[a:b], first + a, first + b, words))
        a, b = token_begin[first_token], token_end[last_token - 1]
        listed.append(Sentence(whole[a:b], first + a, first + b, tuple(tokens)))
    return listed


def _column(sentences: Any, name: str) -> list[Any]:
    """A column of all words: `_`, or None for heads, where no part has made it."""
    if name not in sentences.columns:
        return [None if name == "head" else "_"] * sentences.n_tokens
    corpus = sentences.corpus([name])
    texts = corpus.texts(0)
    values = [texts[number] for number in corpus.tokens(0).tolist()]
    return [int(value) for value in values] if name == "head" else values
