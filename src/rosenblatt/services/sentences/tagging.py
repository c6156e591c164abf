"""A tagger and its files: it learns CoNLL columns and CoNLL-U without a Python object for each token, and tags blocks.

A tagger is a stage: it takes the columns of `Sentences` that its templates look at, and adds its tags.
"""

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.exceptions import NoRowsError
from rosenblatt.members.sentences.corpus import BETWEEN, Format, TagColumns, number_labels
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.templates import FileColumns, Template, columns_of, line
from rosenblatt.services.files.compressed import FileLike, expand_names, name_of, replace_file
from rosenblatt.services.files.conll import Layout, Sentences, is_universal, iter_conll, read_conll
from rosenblatt.services.files.format import is_named

if TYPE_CHECKING:
    from rosenblatt.base.engines import Engine
    from rosenblatt.members.run import Watch

BLOCK_BYTES = 1 << 20  # bytes of a file that are tagged at a time; attributes take many times this memory
SHOWN = 5  # how many tags a message shows
NONE = "_"  # written in place of a tag if a sentence has fewer sequences than wanted


def fit_tagger_file(
    parameters: TaggerParameters,
    path: FileLike | Sequence[FileLike],
    *,
    tag: TagColumns | None = None,
    columns: Sequence[int | str] | None = None,
    dev: FileLike | None = None,
    format: Format = "auto",  # noqa: A002
    watch: "Watch | None" = None,
    engine: "Engine | None" = None,
) -> TaggerModel:
    """Learn from CoNLL files: the model of their sentences and tags. See `SequenceTagger.fit_file`."""
    from rosenblatt.members.sentences.tagger.learn import run_over

    template_list = templates.read(parameters.templates)
    first, *others = expand_names(path)
    files = columns_of(template_list, _universal(first, format), columns, tag)
    corpus, layout = read_to_learn(first, files, template_list)
    if others:
        corpora = [corpus, *(_read_further(layout, further, files, template_list) for further in others)]
        corpus = _core.joined_corpus(corpora)
        del corpora
    held_out = None if dev is None else read_dev(dev, files, template_list, layout, corpus.texts(len(files.seen)))
    labels = number_labels(corpus, len(files.seen))
    check_tags_there(files, labels[0].tolist(), name_of(first))
    parameters = sharing(parameters, files)
    run = run_over(parameters, template_list, corpus, *labels, watch=watch, engine=engine)
    del corpus
    model: TaggerModel = run.fit(held_out)
    model.file_columns = files
    return model


def sharing(parameters: TaggerParameters, files: FileColumns) -> TaggerParameters:
    """The parameters with which tags of several columns are learned: by default, those with an equal first share."""
    return replace(parameters, share=BETWEEN) if len(files.tags) > 1 and parameters.share is None else parameters


def tag_file(
    model: TaggerModel,
    path: FileLike,
    out: FileLike,
    *,
    n_best: int = 1,
    scores: bool = False,
    tag: TagColumns | None = None,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
) -> None:
    """Tag a CoNLL file of any size, block by block. See `SequenceTagger.tag_file`."""
    files = file_columns(model, path, tag=tag, columns=columns, format=format)
    if n_best < 1:
        raise ValueError(f"n_best must be at least 1, got {n_best}")
    if files.universal and (n_best != 1 or scores):
        raise ValueError("CoNLL-U has a place for one tag and none for scores: n_best must be 1, scores False")
    blocks: Any = iter_conll(path, columns=files.seen, format=files.format, block_bytes=BLOCK_BYTES)
    with (
        closing(blocks),
        replace_file(out) as file,
        suppress(NoRowsError),
    ):  # if there are no sentences, nothing is written
        for block in blocks:
            if n_best == 1 and not scores:
                tagged = tag_sentences(model, block, files)
            else:
                tagged = _tag_best(model, block, files, n_best, scores=scores)
            file.write(tagged.text)
            if out == "-":
                file.flush()  # because the reader may wait for it


def tag_sentences(model: TaggerModel, sentences: Sentences, files: FileColumns) -> Sentences:
    """Add the tags of a tagger to sentences: in CoNLL-U they replace a column, else they become the last one."""
    if not len(sentences):  # a block may be the empty lines at the end of a file
        return sentences
    return with_tags(sentences, model.classes.tolist(), model.tags(sentences.corpus(files.seen)), files)


def with_tags(sentences: Sentences, classes: list[str], tags: Any, files: FileColumns) -> Sentences:
    """Put tags by their numbers into the columns of which they are made, in CoNLL-U; else these become the last."""
    columns: Sequence[int | str | None] = files.tags if files.universal else [None] * len(files.tags)
    if len(columns) == 1:
        return sentences.with_column(classes, tags, column=columns[0])
    return sentences.with_columns(classes, tags, columns)


def jackknife(model: TaggerModel, sentences: Sentences, files: FileColumns, folds: int) -> Sentences:
    """Tag sentences by `folds` taggers: sentence s is tagged by a tagger that has not seen fold s mod `folds`.

    A parser that learns from such tags learns how often tags are wrong; the tags of a tagger that has seen the
    sentences would be too good. The taggers learn from the tags of the sentences, with the model's parameters and
    number of passes.
    """
    from rosenblatt.members.sentences.tagger.learn import run_over

    corpus, last = sentences.corpus([*files.seen, files.tag]), len(files.seen)
    if not 2 <= folds <= len(corpus):
        raise ValueError(f"jackknife: expected 2 to {len(corpus)} folds, one sentence each at least, found {folds}")
    classes, target = number_labels(corpus, last)
    tags = np.empty(corpus.n_tokens, dtype=np.int32)
    fold = np.arange(len(corpus)) % folds
    of_token = np.repeat(fold, np.diff(corpus.starts))
    parameters = replace(model.parameters, max_iter=max(model.kept_pass, 1), early_stopping=False)
    for k in range(folds):
        learned = corpus.part(np.flatnonzero(fold != k).astype(np.int64))
        run = run_over(parameters, model.templates, learned, classes, target[of_token != k])
        tags[of_token == k] = run.fit().tags(corpus.part(np.flatnonzero(fold == k).astype(np.int64)))
    return with_tags(sentences, classes.tolist(), tags, files)


def file_columns(
    model: TaggerModel,
    path: FileLike,
    *,
    tag: TagColumns | None = None,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
) -> FileColumns:
    """What the columns of a file mean to this tagger: as given, or else as in the file that it learned from."""
    known = model.file_columns
    name = getattr(path, "name", path)
    if known is not None and format == "auto" and (known.universal or not is_named(name)):
        format = known.format  # noqa: A001
    universal = _universal(path, format)
    if known is not None and known.universal == universal:
        columns = known.seen if columns is None else columns
        tag = known.tag if tag is None else tag
    n_tags = model.classes[0].count(BETWEEN) + 1
    if tag is None and not universal and n_tags > 1:
        tag = range(-n_tags, 0)
    files = columns_of(model.templates, universal, columns, tag)
    if n_tags != len(files.tags):
        expected = f"{n_tags} column{'s' if n_tags > 1 else ''}, of which the tags are made that were learned"
        raise ValueError(f"tag: expected {expected}, found {', '.join(map(str, files.tags))}")
    return files


def read_to_score(
    model: TaggerModel,
    path: FileLike,
    *,
    tag: TagColumns | None = None,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
) -> tuple[Sentences, list[list[str]]]:
    """The sentences of a CoNLL file as this tagger looks at them, and their tags, some of which it must know."""
    files = file_columns(model, path, tag=tag, columns=columns, format=format)
    sentences = read_conll(path, columns=[*files.seen, *files.tags], format=files.format)
    name, numbers = str(getattr(path, "name", path)), sentences.layout.columns
    looked_at = {numbers[column] for template in model.templates for _, column, *_ in template.pieces}
    if looked_at.intersection(numbers[len(files.seen) :]):
        width = sentences.layout.width
        expected = "a column with the tags besides those that the templates look at"
        raise ValueError(f"{name}: expected {expected}, found {width} column{'s' if width > 1 else ''}: it is missing")
    tags = sentences.corpus([files.tag])
    texts, starts = tags.texts(0), tags.starts.tolist()
    check_tags(name, texts, model.classes.tolist())
    flat = [texts[number] for number in tags.tokens(0).tolist()]
    return sentences, [flat[first:last] for first, last in pairwise(starts)]


def check_tags(path: str, tags: list[str], known: list[str]) -> None:
    """Check that the model knows some of the tags, because otherwise another column was read."""
    if not set(tags).intersection(known):
        shown = [", ".join(sorted(set(texts))[:SHOWN]) for texts in (known, tags)]
        raise ValueError(f"{path}: expected tags that were learned ({shown[0]}, ...), found none but {shown[1]}")


def read_dev(
    path: FileLike, files: FileColumns, template_list: list[Template], layout: Layout, learned: list[str]
) -> _core.Corpus:
    """The sentences that choose the number of passes. Some of their tags must be among the learned ones."""
    held_out = _read_further(layout, path, files, template_list)
    check_tags(name_of(path), held_out.texts(len(files.seen)), learned)
    return held_out


def _read_further(first: Layout, path: FileLike, files: FileColumns, template_list: list[Template]) -> _core.Corpus:
    """Read a further file. It must have the columns of the first."""
    corpus, layout = read_to_learn(path, files, template_list)
    check_layout(name_of(path), first, layout)
    return corpus


def check_tags_there(files: FileColumns, tags: list[str], path: str) -> None:
    """Check that a treebank has something in the columns to learn: CoNLL-U writes `_` where it has nothing."""
    if files.universal and tags == [BETWEEN.join(["_"] * len(files.tags))]:
        column = " and ".join(map(str, files.tags))
        raise ValueError(f"{path}: expected tags to learn in the column {column}, found {NONE!r} in all words")


def check_layout(name: str, first: Layout, further: Layout) -> None:
    if first.columns != further.columns:
        expected = f"expected {first.width} columns, as in the file to learn from"
        raise ValueError(f"{name}: {expected}, found {further.width}")


def read_to_learn(path: FileLike, files: FileColumns, template_list: list[Template]) -> tuple[_core.Corpus, Layout]:
    """The columns that templates look at, and the tags as the last one; and the layout of the file."""
    sentences = read_conll(path, columns=[*files.seen, *files.tags], format=files.format)
    numbers = sentences.layout.columns
    for template in template_list:
        for _, column, *_ in template.pieces:
            if numbers[column] in numbers[len(files.seen) :]:
                looks = f"looks at column {files.seen[column]!r}, which has the tags to learn"
                raise ValueError(f"templates: {line(template)!r} {looks}")
    return sentences.corpus([*files.seen, files.tag]), sentences.layout


def _tag_best(model: TaggerModel, block: Sentences, files: FileColumns, n_best: int, *, scores: bool) -> Sentences:
    """A block with a column for each of the best sequences, and a column for the score of each if wanted."""
    from rosenblatt.base.numbers import number_text  # this import takes longer than all others for tagging

    best = model.best(block.core, n_best)
    tags, none = [*model.classes.tolist(), BETWEEN.join([NONE] * len(files.tags))], len(model.classes)
    lengths = np.diff(block.core.starts)
    for k in range(n_best):
        there = [sequences[k] if k < len(sequences) else None for sequences in best]
        numbers = [np.full(n, none) if pair is None else pair[0] for pair, n in zip(there, lengths, strict=True)]
        block = with_tags(block, tags, np.concatenate([*numbers, np.empty(0)]).astype(np.int32), files)
        if scores:
            texts = [NONE if pair is None else number_text(pair[1]) for pair in there]
            block = block.with_column(texts, np.repeat(np.arange(len(there)), lengths))
    return block


def _universal(path: FileLike, form: Format) -> bool:
    return is_universal(str(getattr(path, "name", path)), form)
