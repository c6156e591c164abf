"""A tagger's fit on a cluster: blocks become shards, rounds go on until the run ends, a checkpoint follows each."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.base.engines import Engine
from rosenblatt.doors.dask.cluster import client_of, while_it_answers
from rosenblatt.doors.dask.engine import RETRIES, DaskEngine, data_in_tasks, itself
from rosenblatt.doors.dask.files import found_files, readable
from rosenblatt.doors.dask.held import Blocks
from rosenblatt.doors.dask.kept import check_kept, kept
from rosenblatt.doors.dask.parts import PART_BYTES, blocks_of_parts, ranges
from rosenblatt.doors.dask.tagger.blocks import Block, Facts, Plan, Reading, facts_of, read_part, sentences_of, shard_of
from rosenblatt.members.run import Watch
from rosenblatt.members.sentences.corpus import Format, as_corpus, as_tags
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.learn import TaggerRun, check_tags_found
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import InShards, count_right_tokens
from rosenblatt.members.sentences.tagger.templates import FileColumns, columns_of
from rosenblatt.members.shards import spans
from rosenblatt.services.files.conll import is_universal
from rosenblatt.services.sentences.tagging import check_layout, read_dev


class Source(NamedTuple):
    """Where sentences come from: what gives them as futures of blocks whose keys begin with a name.

    `files` are the columns of files, if there are any, and `dev` one to choose by.
    """

    blocks: Callable[[str], list[Any]]
    files: FileColumns | None = None
    dev: Any = None


def files_as_source(
    client: Any,
    parameters: TaggerParameters,
    paths: Any,
    *,
    tag: int | str | None = None,
    columns: Sequence[int | str] | None = None,
    dev: Any = None,
    format: Format = "auto",  # noqa: A002
    part_bytes: int | None = PART_BYTES,
) -> Source:
    """CoNLL files that the workers read. See `SequenceTagger.fit_files`."""
    found, held_out = found_files(paths), [] if dev is None else found_files(dev)
    if len(held_out) > 1:
        raise ValueError(f"dev: expected one file, found {len(held_out)}")
    template_list = templates.read(parameters.templates)
    files = columns_of(template_list, is_universal(found[0].url, format), columns, tag)
    parts = [part for file in found for part in ranges(file, part_bytes)]
    reading = Reading(files, template_list)
    return Source(
        lambda name: blocks_of_parts(client, name, read_part, parts, reading),
        files,
        held_out[0] if held_out else None,
    )


def sentences_as_source(client: Any, parameters: TaggerParameters, X: Any, y: Any) -> Source:
    """Sentences that are here, sent to the workers: as many blocks as shards."""
    corpus = as_corpus(X)
    tags = as_tags(y, corpus)
    wanted = templates.n_columns(templates.read(parameters.templates))
    if corpus.n_tokens and corpus.n_columns < wanted:  # the tags, which are put beside them, are none of them
        raise ValueError(f"the templates look at column {wanted - 1}, but there are {corpus.n_columns} columns")

    def blocks(name: str) -> list[Any]:
        futures = []
        with data_in_tasks():
            for number, (first, last) in enumerate(spans(len(corpus), parameters.shards)):
                which = np.arange(first, last)
                block = Block(f"sentences {first} to {last - 1}", _with_tags(corpus.part(which), tags.part(which)))
                futures.append(client.submit(itself, block, key=f"block-{name}-{number}", retries=RETRIES))
        return futures

    return Source(blocks)


def _with_tags(corpus: _core.Corpus, tags: _core.Corpus) -> _core.Corpus:
    columns = [(one.texts(k), one.tokens(k).tolist()) for one in (corpus, tags) for k in range(one.n_columns)]
    return _core.Corpus([[texts[token] for token in tokens] for texts, tokens in columns], corpus.starts)


@while_it_answers
def fit_on(
    client: Any,
    source: Source,
    parameters: TaggerParameters,
    *,
    checkpoint: "str | os.PathLike[str] | None" = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> TaggerModel:
    """Learn from blocks of sentences on the workers of a client.

    With a `checkpoint` the state of the run is written to that file after each round, and with `resume` the run goes on
    from it.
    """
    check_kept(checkpoint, resume=resume)
    name = f"rosenblatt-{uuid4().hex}"
    template_list = templates.read(parameters.templates)
    n_templates = len(templates.build_templates(template_list, parameters.boundary))
    blocks = Blocks(client, name, source.blocks(name), partial(facts_of, n_templates=n_templates))
    plan = _plan(blocks.facts, parameters, template_list)
    dev, digest = _dev(source, plan, blocks), blocks.digest
    if dev is not None:
        digest += Block("dev", dev).digest
    lengths = np.concatenate([one.lengths for one in blocks.facts])
    shards = InShards(parameters, HeldByWorkers(DaskEngine(client, name), blocks, plan))
    run = TaggerRun(parameters, template_list, plan.classes, lengths, shards, watch=watch)
    run.after_turn = kept(run, parameters.as_dict(), blake2b(digest.encode()).hexdigest(), checkpoint, resume=resume)
    model: TaggerModel = run.fit(dev)
    model.file_columns = source.files
    return model


class HeldByWorkers:
    """Sentences that workers hold: a `SentenceHolder`."""

    def __init__(self, engine: DaskEngine, blocks: Blocks[Facts], plan: Plan) -> None:
        self.engine: Engine = engine
        self.blocks, self.plan = blocks, plan
        self._held_out: tuple[Array, list[Any]] | None = None

    def empty_chain(self, units: int = 1) -> _core.Chain:
        """Zero weights."""
        return self.plan.none.empty_chain(units)

    def cut(self, parts: Sequence[Array]) -> list[Any]:
        """Shards as futures."""
        return self.blocks.made(shard_of, [self._places(part) for part in parts], self.plan)

    def count_right(self, chain: _core.Chain, sentences: Array) -> int:
        """As the workers count, who hold these sentences from the first time on."""
        if self._held_out is None or not np.array_equal(self._held_out[0], sentences):
            cuts = spans(len(sentences), self.plan.parameters.shards)
            places = [self._places(sentences[first:last]) for first, last in cuts]
            self._held_out = sentences, self.blocks.made(sentences_of, places, self.plan)
        return sum(self.engine.run(count_right_tokens, self._held_out[1], chain))

    def _places(self, sentences: Array) -> list[tuple[int, Array]]:
        """The blocks that these sentences are in, whose numbers rise, and their numbers in each."""
        starts = self.blocks.starts()
        cuts = np.searchsorted(sentences, [*starts, self.blocks.ends[-1]])
        found = [sentences[first:last] - start for first, last, start in zip(cuts, cuts[1:], starts, strict=False)]
        return [(block, numbers) for block, numbers in enumerate(found) if len(numbers)]


def _plan(facts: Sequence[Facts], parameters: TaggerParameters, template_list: list[Any]) -> Plan:
    full = [one for one in facts if one.n_rows]
    for one in full:
        if one.layout is not None and full[0].layout is not None:
            check_layout(one.name, full[0].layout, one.layout)
    classes = np.unique(text_array([tag for one in full for tag in one.tags], "y"))
    check_tags_found(classes)
    return Plan(parameters, template_list, classes)


def _dev(source: Source, plan: Plan, blocks: Blocks[Facts]) -> _core.Corpus | None:
    """Sentences to choose by, read here."""
    if source.dev is None or source.files is None:
        return None
    layout = next(one.layout for one in blocks.facts if one.layout is not None)
    with readable([source.dev]) as files:
        return read_dev(files[0], source.files, plan.template_list, layout, plan.classes.tolist())


def client_for(client: Any, parameters: TaggerParameters) -> Any:
    """The client of a run on a cluster, which must have shards to run."""
    if parameters.shards < 2:
        raise ValueError("shards must be at least 2 on a cluster, got 1: they are what its workers share")
    return client_of(client)
