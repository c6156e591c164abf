"""A tagger and its files: CoNLL columns and CoNLL-U, learned without a Python object a token, tagged block by block."""

from collections.abc import Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.exceptions import NoRowsError
from rosenblatt.members.sentences.columns import Format
from rosenblatt.members.sentences.corpus import numbered
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.columns import FileColumns, columns_of
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.templates import Template, line
from rosenblatt.services.files.compressed import FileLike, name_of, replaced
from rosenblatt.services.files.conll import Layout, Sentences, is_universal, iter_conll, read_conll
from rosenblatt.services.files.conll_writer import with_column
from rosenblatt.services.files.format import is_named

if TYPE_CHECKING:
    from rosenblatt.base.engines import Engine
    from rosenblatt.members.sentences.tagger.learn import Watch

BLOCK_BYTES = 1 << 20  # of a file to tag: what templates make of it takes many times the room
SHOWN = 5  # tags in a message
NONE = "_"  # in the place of a tag, where a sentence has fewer sequences than were asked for


def fit_tagger_file(
    parameters: TaggerParameters,
    path: FileLike | Sequence[FileLike],
    *,
    tag: int | str | None = None,
    columns: Sequence[int | str] | None = None,
    dev: FileLike | None = None,
    format: Format = "auto",  # noqa: A002
    watch: "Watch | None" = None,
    engine: "Engine | None" = None,
) -> TaggerModel:
    """Learn from CoNLL files: the model of their sentences and tags. See `SequenceTagger.fit_file`."""
    from rosenblatt.members.sentences.tagger.learn import run_over
    from rosenblatt.services.files.file_names import expanded  # not to be waited for where a file is tagged

    found = templates.read(parameters.templates)
    first, *others = expanded(path)
    files = columns_of(found, _universal(first, format), columns, tag)
    sentences = read_to_learn(first, files, found)
    layout = sentences.layout
    corpora = [sentences.core, *(_read_as(layout, one, files, found) for one in others)]
    corpus = _core.joined_corpus(corpora) if others else sentences.core
    held_out = None if dev is None else read_dev(dev, files, found, layout, corpus.texts(len(files.seen)))
    del sentences, corpora
    run = run_over(parameters, found, corpus, *numbered(corpus, len(files.seen)), watch=watch, engine=engine)
    del corpus
    model = run.fit(held_out)
    model.file_columns = files
    return model


def tag_file(
    model: TaggerModel,
    path: FileLike,
    out: FileLike,
    *,
    n_best: int = 1,
    scores: bool = False,
    tag: int | str | None = None,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
) -> None:
    """Tag a CoNLL file of any size, block by block. See `SequenceTagger.tag_file`."""
    files = file_columns(model, path, tag=tag, columns=columns, format=format)
    if n_best < 1:
        raise ValueError(f"n_best must be at least 1, got {n_best}")
    if files.universal and (n_best != 1 or scores):
        raise ValueError("CoNLL-U has a place for one tag and none for scores: n_best must be 1, scores False")
    place = files.tag if files.universal else None
    blocks: Any = iter_conll(path, columns=files.seen, format=files.format, block_bytes=BLOCK_BYTES)
    with closing(blocks), replaced(out) as file, suppress(NoRowsError):  # no sentences, no tags
        for block in blocks:
            if n_best == 1 and not scores:
                file.write(with_column(block, model.classes.tolist(), model.tags(block.core), column=place))
            else:
                file.write(_with_best(model, block, n_best, scores=scores))
            if out == "-":
                file.flush()  # whoever reads may wait for it


def file_columns(
    model: TaggerModel,
    path: FileLike,
    *,
    tag: int | str | None = None,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
) -> FileColumns:
    """What the columns of a file are to this tagger: as given, else as in the file it has learned from."""
    known = model.file_columns
    if known is not None and format == "auto" and not is_named(getattr(path, "name", path)):
        format = known.format  # noqa: A001
    universal = _universal(path, format)
    if known is not None and known.universal == universal:
        columns = known.seen if columns is None else columns
        tag = known.tag if tag is None else tag
    return columns_of(model.templates, universal, columns, tag)


def tagged_sentences(
    model: TaggerModel,
    path: FileLike,
    *,
    tag: int | str | None = None,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
) -> tuple[Sentences, list[list[str]]]:
    """The sentences of a CoNLL file, as this tagger looks at them, and their tags, which it must know some of."""
    files = file_columns(model, path, tag=tag, columns=columns, format=format)
    sentences = read_conll(path, columns=[*files.seen, files.tag], format=files.format)
    name, numbers = str(getattr(path, "name", path)), sentences.layout.columns
    looked_at = {numbers[column] for template in model.templates for _, column, *_ in template.pieces}
    if numbers[-1] in looked_at:
        width = sentences.layout.width
        expected = "a column with the tags besides those that the templates look at"
        raise ValueError(f"{name}: expected {expected}, found {width} column{'s' if width > 1 else ''}: it is missing")
    check_tags(name, sentences.core.texts(len(files.seen)), model.classes.tolist())
    return sentences, sentences.column(-1)


def check_tags(path: str, found: list[str], known: list[str]) -> None:
    """Some of the tags must be known: else it is another column that was read."""
    if not set(found).intersection(known):
        shown = [", ".join(sorted(set(tags))[:SHOWN]) for tags in (known, found)]
        raise ValueError(f"{path}: expected tags that were learned ({shown[0]}, ...), found none but {shown[1]}")


def read_dev(
    path: FileLike, files: FileColumns, template_list: list[Template], layout: Layout, learned: list[str]
) -> _core.Corpus:
    """Sentences to choose by, with some of the tags that are learned."""
    held_out = _read_as(layout, path, files, template_list)
    check_tags(name_of(path), held_out.texts(len(files.seen)), learned)
    return held_out


def _read_as(expected: Layout, path: FileLike, files: FileColumns, template_list: list[Template]) -> _core.Corpus:
    """A further file: its columns must be those of the first."""
    sentences = read_to_learn(path, files, template_list)
    check_layout(name_of(path), expected, sentences.layout)
    return sentences.core


def check_layout(name: str, expected: Layout, found: Layout) -> None:
    """A further file must have the columns of the first."""
    if expected.columns != found.columns:
        said = f"expected {expected.width} columns, as in the file to learn from, found {found.width}"
        raise ValueError(f"{name}: {said}")


def read_to_learn(path: FileLike, files: FileColumns, template_list: list[Template]) -> Sentences:
    """The columns that templates look at, and the tags as the last one."""
    sentences = read_conll(path, columns=[*files.seen, files.tag], format=files.format)
    numbers = sentences.layout.columns
    for template in template_list:
        for _, column, *_ in template.pieces:
            if numbers[column] == numbers[-1]:
                said = f"looks at column {files.seen[column]!r}, which has the tags to learn"
                raise ValueError(f"templates: {line(template)!r} {said}")
    return sentences


def _with_best(model: TaggerModel, block: Sentences, n_best: int, *, scores: bool) -> bytes:
    """The text of a block with a column for each of the best sequences, and one for its score."""
    from rosenblatt.base.numbers import number_text  # imports more than all else that tagging needs

    found = model.best(block.core, n_best)
    tags, none = [*model.classes.tolist(), NONE], len(model.classes)
    lengths = np.diff(block.core.starts)
    for k in range(n_best):
        there = [best[k] if k < len(best) else None for best in found]
        numbers = [np.full(n, none) if one is None else one[0] for one, n in zip(there, lengths, strict=True)]
        block = _with_one_more(block, tags, np.concatenate([*numbers, np.empty(0)]))
        if scores:
            texts = [NONE if one is None else number_text(one[1]) for one in there]
            block = _with_one_more(block, texts, np.repeat(np.arange(len(there)), lengths))
    return block.text


def _with_one_more(block: Sentences, texts: Sequence[str], numbers: Any) -> Sentences:
    layout = block.layout._replace(width=block.layout.width + 1)
    return Sentences(block.core, [with_column(block, texts, numbers)], layout)


def _universal(path: FileLike, form: Format) -> bool:
    return is_universal(str(getattr(path, "name", path)), form)
