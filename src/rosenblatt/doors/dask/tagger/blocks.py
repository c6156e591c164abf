"""Sentences as they are read, block by block, what is to be known of each, and how shards are put together from them.

All that is here runs on workers. A range of bytes of a file has the sentences that begin after the first empty line
in it, and what follows up to the first empty line of the next one.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.doors.dask.engine import Made
from rosenblatt.doors.dask.files import Named
from rosenblatt.doors.dask.parts import Part, opened_part
from rosenblatt.members.sentences.corpus import as_plain, from_plain, numbers_among
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.model import parts_of
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import TrainingSet, prepare_shard
from rosenblatt.members.sentences.tagger.templates import FileColumns, Template
from rosenblatt.services.files.conll import Layout
from rosenblatt.services.sentences.tagging import read_to_learn


@dataclass(frozen=True)
class Block:
    """Some sentences, one after the other, with the tags as their last column. `layout` is that of a file."""

    name: str
    corpus: _core.Corpus
    layout: Layout | None = None

    @cached_property
    def digest(self) -> str:
        """Of all columns."""
        columns, starts = as_plain(self.corpus)
        digest = blake2b(starts.tobytes(), digest_size=16)
        for texts, tokens in columns:
            digest.update("\n".join(texts).encode())
            digest.update(tokens.tobytes())
        return digest.hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return _block_of, (self.name, as_plain(self.corpus), self.layout)

    def __sizeof__(self) -> int:
        return 4 * self.corpus.n_tokens * self.corpus.n_columns


def _block_of(name: str, plain: Any, layout: Layout | None) -> Block:
    return Block(name, from_plain(plain), layout)


class Facts(NamedTuple):
    """What is to be known of a block before the first round."""

    name: str
    n_rows: int  # sentences
    lengths: Array
    tags: list[str]
    layout: Layout | None
    n_bytes: int
    digest: str


@dataclass(frozen=True)
class Plan:
    """What all shards have in common, fixed before the first round."""

    parameters: TaggerParameters
    template_list: list[Template]
    classes: Array

    @property
    def none(self) -> TrainingSet:
        """No sentences."""
        columns = templates.build_templates(self.template_list, self.parameters.boundary).n_columns
        return self.over(_core.Corpus([[]] * columns, np.zeros(1, np.int64)), np.empty(0, np.int32))

    def over(self, corpus: _core.Corpus, target: Array) -> TrainingSet:
        """These sentences."""
        parts = parts_of(self.classes, self.parameters.share)
        return TrainingSet(self.parameters, self.template_list, len(self.classes), corpus, target, parts)


@dataclass(frozen=True)
class Reading:
    """How parts of files become sentences."""

    files: FileColumns
    template_list: list[Template]


def read_part(part: Part, reading: Reading) -> Block:
    """A task of a worker."""
    with opened_part(part) as source:
        if part.is_whole:
            sentences = read_to_learn(Named(source), reading.files, reading.template_list)
            return Block(part.name, sentences.core, sentences.layout)
        file = source.file
        start = 0 if part.first == 0 else after_empty_line(file, part.first)
        end = part.file.size if part.last == part.file.size else after_empty_line(file, part.last)
        file.seek(start)
        text = io.BytesIO(file.read(end - start))
        text.name = part.file.url
        try:
            sentences = read_to_learn(text, reading.files, reading.template_list)
        except NoRowsError:
            columns = len(reading.files.seen) + 1
            return Block(part.name, _core.Corpus([[]] * columns, np.zeros(1, np.int64)))
        except DataFileError as error:
            file.seek(0)
            before = file.read(start).count(b"\n")
            raise DataFileError(error.path, error.line + before, error.column, error.expected, error.found) from None
    return Block(part.name, sentences.core, sentences.layout)


def after_empty_line(file: Any, place: int) -> int:
    """Where the first empty line ends of those that begin at this place of a file or later."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    while file.readline().strip(b" \t\r\n"):
        pass
    return int(file.tell())


def facts_of(block: Block, n_templates: int) -> Facts:
    """What is to be known of it. A shard has a number for each template and token, and more for each attribute."""
    corpus = block.corpus
    return Facts(
        name=block.name,
        n_rows=len(corpus),
        lengths=np.diff(corpus.starts).astype(np.int32),
        tags=corpus.texts(corpus.n_columns - 1),
        layout=block.layout,
        n_bytes=4 * corpus.n_tokens * (corpus.n_columns + n_templates),
        digest=block.digest,
    )


def shard_of(number: int, blocks: Sequence[Block], numbers: Sequence[Array], plan: Plan) -> Made:
    """The shard of these sentences of blocks, which is made ready to be learned from where it is first wanted."""
    data = sentences_of(number, blocks, numbers, plan)
    return Made(prepare_shard, (number, data), 4 * len(data.target) * (data.corpus.n_columns + len(data.compiled)))


def sentences_of(
    number: int,  # noqa: ARG001 - of the shard
    blocks: Sequence[Block],
    numbers: Sequence[Array],
    plan: Plan,
) -> TrainingSet:
    """These sentences of blocks."""
    parts = [_part(block, which, plan) for block, which in zip(blocks, numbers, strict=True)]
    if not parts:
        return plan.none
    if len(parts) == 1:
        return parts[0]
    corpus = _core.joined_corpus([part.corpus for part in parts])
    return plan.over(corpus, np.concatenate([part.target for part in parts]))


def _part(block: Block, numbers: Array, plan: Plan) -> TrainingSet:
    target = numbers_among(plan.classes, block.corpus, block.corpus.n_columns - 1)
    return plan.over(block.corpus, target).part(numbers)
