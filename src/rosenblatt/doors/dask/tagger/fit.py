"""A tagger's fit on a cluster: workers read blocks, which become shards; rounds go on until the run ends.

A range of bytes of a file has the sentences that begin after the first empty line in it, and what follows up to the
first empty line of the next range.
"""

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.doors.dask.cluster import client_of, while_it_answers
from rosenblatt.doors.dask.engine import RETRIES, DaskEngine, Made, data_in_tasks, itself
from rosenblatt.doors.dask.files import Named, found_files, readable
from rosenblatt.doors.dask.held import Blocks
from rosenblatt.doors.dask.parts import PART_BYTES, Part, blocks_of_parts, opened_part, ranges
from rosenblatt.members.offered import check_offered
from rosenblatt.members.run import Watch
from rosenblatt.members.sentences.corpus import Format, TagColumns, as_corpus, as_tags, numbers_among
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.learn import TaggerRun, check_tags_found
from rosenblatt.members.sentences.tagger.model import TaggerModel, parts_of
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import SentenceShards, TrainingSet, count_right_tokens, prepare_shard
from rosenblatt.members.sentences.tagger.templates import FileColumns, Template, columns_of
from rosenblatt.members.shards import spans
from rosenblatt.services.files.conll import Layout, is_universal
from rosenblatt.services.sentences.tagging import check_layout, read_dev, read_to_learn, sharing
from rosenblatt.services.stream.checkpoint import check_resume, keep_rounds


def fit_sentences(client: Any, parameters: TaggerParameters, X: Any, y: Any, **run: Any) -> TaggerModel:
    """Send local sentences to the workers, as many blocks as shards, and learn. `run` is for `fit_blocks`."""
    check_offered(parameters, "cluster")
    client = client_of(client)
    corpus = as_corpus(X)
    tags = as_tags(y, corpus)
    wanted = templates.n_columns(templates.read(parameters.templates))
    if corpus.n_tokens and corpus.n_columns < wanted:  # the tags are no column of them
        raise ValueError(f"the templates look at column {wanted - 1}, but there are {corpus.n_columns} columns")
    corpus = corpus.choose([*range(corpus.n_columns), (tags.texts(0), tags.tokens(0))])

    def blocks(name: str) -> list[Any]:
        futures = []
        with data_in_tasks():
            for number, (first, last) in enumerate(spans(len(corpus), parameters.shards)):
                block = SentenceBlock(f"sentences {first} to {last - 1}", corpus.part(np.arange(first, last)))
                futures.append(client.submit(itself, block, key=f"block-{name}-{number}", retries=RETRIES))
        return futures

    return fit_blocks(client, parameters, blocks, **run)


def fit_files(
    client: Any,
    parameters: TaggerParameters,
    paths: Any,
    *,
    tag: TagColumns | None = None,
    columns: Sequence[int | str] | None = None,
    dev: Any = None,
    format: Format = "auto",  # noqa: A002
    part_bytes: int | None = PART_BYTES,
    **run: Any,
) -> TaggerModel:
    """Learn from CoNLL files that the workers read. See `SequenceTagger.fit_files`; `run` is for `fit_blocks`."""
    check_offered(parameters, "cluster")
    client = client_of(client)
    files, held_out = found_files(paths), [] if dev is None else found_files(dev)
    if len(held_out) > 1:
        raise ValueError(f"dev: expected one file, found {len(held_out)}")
    template_list = templates.read(parameters.templates)
    of_files = columns_of(template_list, is_universal(files[0].url, format), columns, tag)
    parameters = sharing(parameters, of_files)
    parts = [part for file in files for part in ranges(file, part_bytes)]
    reading = (of_files, template_list)

    def read_held_out(plan: TaggerPlan, layout: Layout) -> _core.Corpus:
        with readable(held_out) as opened:
            return read_dev(opened[0], of_files, template_list, layout, plan.classes.tolist())

    run["read_held_out"] = read_held_out if held_out else None
    model = fit_blocks(client, parameters, lambda name: blocks_of_parts(client, name, read_part, parts, reading), **run)
    model.file_columns = of_files
    return model


@while_it_answers
def fit_blocks(
    client: Any,
    parameters: TaggerParameters,
    blocks_of: Callable[[str], list[Any]],
    *,
    read_held_out: "Callable[[TaggerPlan, Layout], _core.Corpus] | None" = None,
    checkpoint: "str | os.PathLike[str] | None" = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> TaggerModel:
    """Learn from blocks of sentences, which `blocks_of` gives as futures whose keys begin with a name.

    With a `checkpoint`, the state of the run is written to that file after each round; with `resume`, the run continues
    from it. The sentences that choose the number of passes are read on this machine.
    """
    check_resume(checkpoint, resume=resume)
    name = f"rosenblatt-{uuid4().hex}"
    template_list = templates.read(parameters.templates)
    n_templates = len(templates.build_templates(template_list, parameters.boundary))
    blocks = Blocks(client, name, blocks_of(name), partial(facts_of, n_templates=n_templates))
    plan = TaggerPlan.of(blocks.facts, parameters, template_list)
    digest, held_out = blocks.digest, None
    if read_held_out is not None:
        layout = next(facts.layout for facts in blocks.facts if facts.layout is not None)
        held_out = read_held_out(plan, layout)
        digest += SentenceBlock("dev", held_out).digest
    lengths = np.concatenate([facts.lengths for facts in blocks.facts])
    shards = OnWorkers(DaskEngine(client, name), blocks, plan)
    run = TaggerRun(parameters, template_list, plan.classes, lengths, shards, watch=watch)
    run.after_turn = keep_rounds(
        run, parameters.as_dict(), blake2b(digest.encode()).hexdigest(), checkpoint, resume=resume
    )
    model: TaggerModel = run.fit(held_out)
    return model


@dataclass(frozen=True)
class SentenceBlock:
    """Sentences that a worker has read, with the tags as their last column. `layout` is that of a file."""

    name: str
    corpus: _core.Corpus
    layout: Layout | None = None

    @cached_property
    def digest(self) -> str:
        corpus = self.corpus
        digest = blake2b(corpus.starts.tobytes(), digest_size=16)
        for column in range(corpus.n_columns):
            digest.update("\n".join(corpus.texts(column)).encode())
            digest.update(corpus.tokens(column).tobytes())
        return digest.hexdigest()

    def __sizeof__(self) -> int:
        return 4 * self.corpus.n_tokens * self.corpus.n_columns


class SentenceFacts(NamedTuple):
    """What must be known about a block before the first round."""

    name: str
    n_rows: int  # sentences
    lengths: Array
    tags: list[str]
    layout: Layout | None
    n_bytes: int
    digest: str


@dataclass(frozen=True)
class TaggerPlan:
    """What all shards share, fixed before the first round; `nothing` is a training set without sentences."""

    classes: Array
    nothing: TrainingSet

    @classmethod
    def of(
        cls, facts: Sequence[SentenceFacts], parameters: TaggerParameters, template_list: list[Template]
    ) -> "TaggerPlan":
        """The plan for these blocks, which must have the same columns."""
        full = [block for block in facts if block.n_rows]
        for block in full:
            if block.layout is not None and full[0].layout is not None:
                check_layout(block.name, full[0].layout, block.layout)
        classes = np.unique(text_array([tag for block in full for tag in block.tags], "y"))
        check_tags_found(classes)
        n_columns = templates.build_templates(template_list, parameters.boundary).n_columns
        corpus, target = _no_sentences(n_columns), np.empty(0, np.int32)
        parts = parts_of(classes, parameters.share)
        return cls(classes, TrainingSet(parameters, template_list, len(classes), corpus, target, parts))

    def over(self, corpus: _core.Corpus, target: Array) -> TrainingSet:
        return replace(self.nothing, corpus=corpus, target=target)


def _no_sentences(n_columns: int) -> _core.Corpus:
    return _core.Corpus([[]] * n_columns, np.zeros(1, np.int64))


class OnWorkers(SentenceShards):
    """Shards of sentences that workers hold."""

    def __init__(self, engine: DaskEngine, blocks: Blocks[SentenceFacts], plan: TaggerPlan) -> None:
        super().__init__(plan.nothing, engine)
        self.blocks, self.plan = blocks, plan
        self._held_out: tuple[Array, list[Any]] | None = None

    def _cut(self, parts: Sequence[Array]) -> list[Any]:
        return self.blocks.make(shard_of, [self._places(part) for part in parts], self.plan)

    def count_right(self, sentences: Array) -> int:
        """Count right tags on the workers, which keep these sentences after the first call."""
        if self._held_out is None or not np.array_equal(self._held_out[0], sentences):
            cuts = spans(len(sentences), self.parameters.shards)
            places = [self._places(sentences[first:last]) for first, last in cuts]
            self._held_out = sentences, self.blocks.make(sentences_of, places, self.plan)
        return sum(self.engine.run(count_right_tokens, self._held_out[1], self.chain()))

    def _places(self, sentences: Array) -> list[tuple[int, Array]]:
        """The blocks that have these sentences, and the numbers of the sentences in each. The numbers must ascend."""
        starts = self.blocks.starts()
        cuts = np.searchsorted(sentences, [*starts, self.blocks.ends[-1]])
        places = [sentences[first:last] - start for first, last, start in zip(cuts, cuts[1:], starts, strict=False)]
        return [(block, numbers) for block, numbers in enumerate(places) if len(numbers)]


def read_part(part: Part, reading: tuple[FileColumns, list[Template]]) -> SentenceBlock:
    with opened_part(part) as source:
        if part.is_whole:
            return SentenceBlock(part.name, *read_to_learn(Named(source), *reading))
        file = source.file
        start = 0 if part.first == 0 else after_empty_line(file, part.first)
        end = part.file.size if part.last == part.file.size else after_empty_line(file, part.last)
        file.seek(start)
        text = io.BytesIO(file.read(end - start))
        text.name = part.file.url
        try:
            return SentenceBlock(part.name, *read_to_learn(text, *reading))
        except NoRowsError:
            return SentenceBlock(part.name, _no_sentences(len(reading[0].seen) + 1))
        except DataFileError as error:
            file.seek(0)
            before = file.read(start).count(b"\n")
            raise DataFileError(error.path, error.line + before, error.column, error.expected, error.found) from None


def after_empty_line(file: Any, place: int) -> int:
    """The end of the first empty line that begins at this place of a file or later."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    while file.readline().strip(b" \t\r\n"):
        pass
    return int(file.tell())


def facts_of(block: SentenceBlock, n_templates: int) -> SentenceFacts:
    """The facts of a block. A shard stores a number for each template and token, and more for each attribute."""
    corpus = block.corpus
    return SentenceFacts(
        name=block.name,
        n_rows=len(corpus),
        lengths=np.diff(corpus.starts).astype(np.int32),
        tags=corpus.texts(corpus.n_columns - 1),
        layout=block.layout,
        n_bytes=4 * corpus.n_tokens * (corpus.n_columns + n_templates),
        digest=block.digest,
    )


def shard_of(number: int, blocks: Sequence[SentenceBlock], numbers: Sequence[Array], plan: TaggerPlan) -> Made:
    """The shard of these sentences of blocks. It is prepared for learning when it is first used."""
    data = sentences_of(number, blocks, numbers, plan)
    return Made(prepare_shard, (number, data), 4 * len(data.target) * (data.corpus.n_columns + len(data.compiled)))


def sentences_of(
    number: int,  # noqa: ARG001 - of the shard
    blocks: Sequence[SentenceBlock],
    numbers: Sequence[Array],
    plan: TaggerPlan,
) -> TrainingSet:
    parts = [_part(block, which, plan) for block, which in zip(blocks, numbers, strict=True)]
    if not parts:
        return plan.nothing
    if len(parts) == 1:
        return parts[0]
    corpus = _core.joined_corpus([part.corpus for part in parts])
    return plan.over(corpus, np.concatenate([part.target for part in parts]))


def _part(block: SentenceBlock, numbers: Array, plan: TaggerPlan) -> TrainingSet:
    target = numbers_among(plan.classes, block.corpus, block.corpus.n_columns - 1)
    return plan.over(block.corpus, target).part(numbers)
