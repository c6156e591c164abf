"""A pipeline that has learned: its parts, each a tagger or a parser under a name, and how they work together.

A text becomes `Sentences` once; each part then adds its columns to them, and they are written once.

| part | looks at | gives |
|---|---|---|
| atoms | what no token boundary is expected in | tokens, sentences |
| words | tokens | the words of a token, if it is not one word as it stands |
| tags | words | upos, xpos, feats, as one tag |
| lemmas | words and tags | lemma |
| tree | words and tags | head, deprel |
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.members.model import Model
from rosenblatt.services.files.conll import Layout, Sentences
from rosenblatt.services.text.edits import TAGGED, add_lemmas, split_numbers
from rosenblatt.services.text.segments import Segments, segment

PARTS = {
    "atoms": "SequenceTagger",
    "words": "SequenceTagger",
    "tags": "SequenceTagger",
    "lemmas": "SequenceTagger",
    "tree": "DependencyParser",
}
NEEDS = {"words": ("atoms",), "lemmas": ("tags",), "tree": ("tags",)}
NUMBER_OF_COLUMNS = {"atoms": 6, "words": 3, "tags": 1, "lemmas": 4, "tree": 4}  # at the most


LONGEST_SENTENCE = (
    1 << 17
)  # bytes, less than a block of a file: a text in which no sentence ends must not fill the memory


class Annotated(NamedTuple):
    """A text with all that the parts say of it: `n_words` of each token; `length` bytes of the text were used."""

    sentences: Sentences
    segments: Segments
    n_words: Array
    length: int


@dataclass(eq=False)
class PipelineModel(Model):
    """A pipeline from text to trees."""

    kind: ClassVar[str] = "TextPipeline"
    n_classes: ClassVar[tuple[int, float] | None] = None
    conventions: ClassVar[str] = (
        "parts: the record of each part under its name, a SequenceTagger or a DependencyParser; the names of its "
        "tensors begin with that of the part and a slash; tags of atoms: inside a token, end of a token, end of a "
        "sentence, and before them the bytes from the end of the atom where tokens end too; tags of words and of "
        "lemmas are edits: change of case, first character kept, characters left out at the end, then after tabs what "
        "is put before and behind; or '= ' and the whole; a line end is between the edits of the words of a token"
    )
    parameters: Any
    parts: dict[str, Any]
    scores: dict[str, float]  # of each part, on the sentences held out
    n_features: int = 1

    def __post_init__(self) -> None:
        if "tree" in self.parts:
            self.parts["tree"].parameters.n_jobs = self.parameters.n_jobs

    @property
    def file_columns(self) -> tuple[str, ...]:
        """The columns of a file that the parts look at."""
        return TAGGED

    def part(self, name: str) -> Any:
        """A part; a ValueError says that this pipeline was trained without it."""
        if name not in self.parts:
            raise ValueError(f"expected a pipeline with the part {name!r}, found one with {', '.join(self.parts)}")
        return self.parts[name]

    def annotate(self, text: bytes, *, is_end: bool = True, notes: dict[str, Any] | None = None) -> Annotated | None:
        """The sentences of a text that is printable UTF-8; None if nothing can be said.

        Unless it `is_end`, the last sentence may go on and is left out; of a single one that is very long, the last
        token is.
        """
        begin, end, starts = segment(self.part("atoms"), text, self.parameters.paragraphs)
        if not len(begin):
            return None
        splits, split = split_numbers(self.parts.get("words"), text, begin, end, self.parameters.paragraphs)
        if not is_end:
            n = int(starts[-2]) if len(starts) > 2 else len(begin) - 1
            if len(starts) == 2 and len(text) < LONGEST_SENTENCE:
                return None
            if n:
                text, starts = text[: begin[n]], np.append(starts[starts < n], n)
                begin, end, split = begin[:n], end[:n], split[:n]
            else:  # the only token is cut before its last character
                length = last_character(text[: end[0]])
                if length <= begin[0]:
                    return None
                text, end = text[:length], np.array([length])
        written, corpus, n_words = _core.write_tokens(
            text,
            begin=begin,
            end=end,
            starts=starts,
            splits=splits,
            split_of_token=split,
            paragraphs=self.parameters.paragraphs,
            **{**FIRST, **(notes or {})},
        )
        sentences = Sentences(corpus, [written], Layout(universal=True, width=10, columns=(1,)))
        return Annotated(self.add_columns(sentences, "tags"), Segments(begin, end, starts), n_words, len(text))

    def add_columns(self, sentences: Sentences, first: str) -> Sentences:
        """Sentences of words with the columns of all parts from `first` on."""
        for name in list(PARTS)[list(PARTS).index(first) :]:
            if name in self.parts and len(sentences):
                sentences = ADD[name](self.parts[name], sentences)
        return sentences

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        from rosenblatt.services.records.model_file import Stored, record_of

        records = {}
        for name, model in self.parts.items():
            of_part: Tensors = {}
            records[name] = record_of(Stored(model), of_part)
            tensors.update({f"{name}/{key}": array for key, array in of_part.items()})
        return {"parts": records, "scores": self.scores}

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:  # noqa: ARG003
        """Read a model from its record. Each part is checked as if it were alone."""
        from rosenblatt.services.records.model_file import model_of

        records = parts.value("parts", f"some of {', '.join(PARTS)}", _are_parts)
        scores = parts.value("scores", "a score for parts", lambda value: _are_scores(value, records))
        models = {}
        for name in sorted(records, key=list(PARTS).index):
            try:
                models[name] = model_of(records[name], parts.within(f"{name}/")).model
            except ValueError as error:
                raise ValueError(f"part {name}: {error}") from None
            if models[name].kind != PARTS[name] or models[name].n_features > NUMBER_OF_COLUMNS[name]:
                raise ValueError(f"part {name}: expected a {PARTS[name]} of at most {NUMBER_OF_COLUMNS[name]} columns")
        check_parts(models)
        return cls(parameters, models, scores)

    def facts(self) -> dict[str, Any]:
        return {"parts": list(self.parts), "scores": self.scores}

    def size(self) -> dict[str, Any]:
        """Nothing more is to be said of its size."""
        return {}


FIRST = {
    "first_sentence": 1,
    "new_document": True,
    "new_paragraph": True,
    "first_character": None,
}


def last_character(text: bytes) -> int:
    """Where the last character of a text begins."""
    size = max(len(text) - 1, 0)
    while size > 0 and len(text) - size < 4 and text[size] & 0xC0 == 0x80:
        size -= 1
    return size


def check_parts(names: Iterable[str]) -> None:
    """Check that each part has those that it needs."""
    there = set(names)
    for name in PARTS:
        for needed in NEEDS.get(name, ()):
            if name in there and needed not in there:
                raise ValueError(f"parts: {name} needs {needed}")
    if not there:
        raise ValueError("parts: expected at least one")


def _are_parts(value: Any) -> bool:
    return (
        isinstance(value, dict) and set(value) <= set(PARTS) and all(isinstance(part, dict) for part in value.values())
    )


def _are_scores(value: Any, records: dict[str, Any]) -> bool:
    of_parts = isinstance(value, dict) and set(value) <= set(records)
    return of_parts and all(type(score) is float and 0 <= score <= 1 for score in value.values())


def _add_tags(model: Any, sentences: Sentences) -> Sentences:
    from rosenblatt.services.sentences.tagging import tag_sentences

    return tag_sentences(model, sentences, model.file_columns)


def _add_trees(model: Any, sentences: Sentences) -> Sentences:
    from rosenblatt.services.sentences.parsing import parse_sentences

    return parse_sentences(model, sentences)


ADD = {"tags": _add_tags, "lemmas": add_lemmas, "tree": _add_trees}
