"""A pipeline and files: a text of any size is read once, in blocks, and what is said of it is written once."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rosenblatt import _core
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.members.sentences.corpus import BETWEEN
from rosenblatt.services.files.compressed import FileLike, name_of, open_file, replace_file
from rosenblatt.services.files.conll import Sentences, iter_conll, read_conll
from rosenblatt.services.text.documents import COLUMNS, sentences_of
from rosenblatt.services.text.edits import TAGS
from rosenblatt.services.text.model import Annotated, PipelineModel, last_character
from rosenblatt.services.text.raw_text import raw_text_of

if TYPE_CHECKING:
    from rosenblatt.services.sentences.treebank_scores import Score

BLOCK_BYTES = 1 << 18  # of a text that are read at a time
CONLL_BYTES = 1 << 20  # of a file with tokens
FIRST_PART = {"tokens": "tags", "tags": "lemmas"}  # the first part that works, by what there is
Source = Literal["text", "tokens", "tags"]
Write = Callable[[bytes], object]


def annotate_file(
    model: PipelineModel,
    path: FileLike,
    out: FileLike,
    *,
    source: Source = "text",
    ranges: bool = False,
    as_json: bool = False,
) -> None:
    """Write what a pipeline says of a file. See `TextPipeline.annotate_file`."""
    check_source(source)
    if source != "text" and (as_json or ranges):
        raise ValueError(f"as_json and ranges are for a source of 'text', found {source!r}")
    with replace_file(out) as file:

        def write(text: bytes) -> None:
            file.write(text)
            if out == "-":
                file.flush()  # because the reader may wait for it

        if source == "text":
            for annotated, text, first in iter_annotated(model, path, ranges=ranges):
                write(_json_lines(annotated, text, first) if as_json else annotated.sentences.text)
            return
        for block in annotate_blocks(model, path, source):
            write(block.text)


def check_source(source: str) -> None:
    """Check what a file is said to be."""
    if source not in get_args(Source):
        raise ValueError(f"source: expected one of {', '.join(map(repr, get_args(Source)))}, found {source!r}")


def annotate_blocks(model: PipelineModel, path: FileLike, source: Source) -> Iterator[Sentences]:
    """The sentences of a CoNLL-U file with the columns of the parts that work from there on."""
    columns = ["form"] if source == "tokens" else ["form", "upos", "xpos", "feats"]
    blocks: Any = iter_conll(path, columns=columns, format="conllu", block_bytes=CONLL_BYTES)
    if source == "tokens":
        model.part("tags")
    with closing(blocks):
        try:
            for block in blocks:
                if source == "tags":
                    check_tags(model, block, name_of(path))
                yield model.add_columns(block, FIRST_PART[source])
        except NoRowsError:  # if there are no sentences, there is nothing to say
            return


def check_tags(model: PipelineModel, sentences: Sentences, name: str) -> None:
    """Refuse sentences without the tags that all words of the training had: lemmas and trees would be worthless."""
    if "tags" not in model.parts:
        return
    columns = zip(*(tags.split(BETWEEN) for tags in model.parts["tags"].classes.tolist()), strict=True)
    always = [column for column, tags in zip(TAGS, columns, strict=True) if "_" not in tags]
    if empty := [column for column in always if sentences.corpus([column]).texts(0) == ["_"]]:
        raise ValueError(
            f"{name}: expected words with {' and '.join(empty)}, as in training, found '_' in all "
            f"{sentences.n_tokens} words: read it from tokens, so that the pipeline tags them"
        )


def score_file(model: PipelineModel, path: FileLike, source: Source = "text") -> "dict[str, Score]":
    """The table of the CoNLL 2018 shared task: what the pipeline says of the text of a treebank, beside the treebank.

    It works from the text alone, or from the tokens or the tags of the treebank.
    """
    from rosenblatt.services.sentences.parsing import words_of
    from rosenblatt.services.sentences.treebank_scores import table_of

    check_source(source)
    name = name_of(path)
    gold = read_conll(path, columns=COLUMNS, format="conllu")
    if source == "text":
        annotated = model.annotate(raw_text_of(gold, name).text)
        if annotated is None:
            raise DataFileError(name, 1, 1, "a token that is more than blanks", "none")
        sentences = annotated.sentences
    else:
        if source == "tags":
            check_tags(model, gold, name)
        unknown = COLUMNS[1:] if source == "tokens" else ("lemma", "head", "deprel")
        sentences = model.add_columns(with_nothing(gold, unknown), FIRST_PART[source])
    there = sentences.columns
    sentences = with_nothing(sentences, [column for column in COLUMNS if column not in there])
    return table_of(words_of(gold, name, need_trees=False), words_of(sentences, name, need_trees=False))


def with_nothing(sentences: Sentences, columns: Iterable[str]) -> Sentences:
    """The sentences with `_` in these columns."""
    for column in columns:
        sentences = sentences.with_column(["_"], np.zeros(sentences.n_tokens, dtype=np.int32), column=column)
    return sentences


def iter_annotated(
    model: PipelineModel, path: FileLike, *, ranges: bool = False
) -> Iterator[tuple[Annotated, bytes, int]]:
    """Blocks of a text with all that the parts say of them, their text, and how many characters come before it.

    The last sentence of a block may go on, and begins the next block. A `DataFileError` names the place of what is no
    printable text in UTF-8.
    """
    text, place, characters = b"", PlaceInFile(), 0
    notes: dict[str, Any] = {}
    with open_file(path) as source:
        is_end = False
        while not is_end:
            size = max(BLOCK_BYTES, len(text))  # more, if what there is was no sentence
            piece = _read(source, size)
            is_end = len(piece) < size
            text += piece
            whole = text if is_end else text[: last_character(text)]
            place.check(whole, source.name)
            notes["first_character"] = characters if ranges else None
            annotated = model.annotate(whole, is_end=is_end, notes=notes)
            if annotated is None:
                continue
            used = whole[: annotated.length]
            yield annotated, used, characters
            characters += len(used.decode())
            behind = used[int(annotated.segments.end[-1]) :]
            notes = {
                "new_document": False,
                "new_paragraph": _core.ends_paragraph(behind, paragraphs=model.parameters.paragraphs),
                "first_sentence": notes.get("first_sentence", 1) + len(annotated.sentences),
            }
            place.move(used)
            text = text[annotated.length :]


def _read(source: Any, size: int) -> bytes:
    """So many bytes of a file, or those up to its end."""
    pieces, left = list[bytes](), size
    try:
        while left and (piece := bytes(source.file.read(left))):
            pieces.append(piece)
            left -= len(piece)
    except source.damage as error:
        if getattr(error, "errno", None):  # the disk failed, not the data
            raise
        data = f"{source.compression} data"
        ended = isinstance(error, EOFError)
        expected, actual = (f"more {data}", "the end of the file") if ended else (data, str(error))
        raise DataFileError(source.name, 1, 1, expected, actual) from None
    return b"".join(pieces)


class PlaceInFile:
    """The line and the column of the beginning of a text in its file."""

    def __init__(self) -> None:
        self.line, self.column = 1, 1

    def check(self, text: bytes, name: str) -> None:
        """Raise an error that names the first place that cannot be read."""
        problem = _core.text_problem(text)
        if problem is not None:
            line, column, expected, instead = problem
            column += self.column - 1 if line == 1 else 0
            raise DataFileError(name, self.line + line - 1, column, expected, instead.decode())

    def move(self, text: bytes) -> None:
        """Go on behind this text."""
        lines = text.count(b"\n")
        self.column = len(text) - text.rfind(b"\n") if lines else self.column + len(text)
        self.line += lines


def _json_lines(annotated: Annotated, text: bytes, first: int) -> bytes:
    """A line of JSON for each sentence."""
    lines = (json.dumps(sentence.as_dict(), ensure_ascii=False) for sentence in sentences_of(annotated, text, first))
    return "".join(f"{line}\n" for line in lines).encode()
