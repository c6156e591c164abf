"""--tagger: CoNLL-U text is tagged before it is parsed, in one pipeline."""

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import click

from rosenblatt.doors.cli.data_file import check_standard_input
from rosenblatt.doors.cli.file_kind import kind_of
from rosenblatt.doors.cli.model import load_tagger

with_taggers = click.option(
    "--tagger",
    "taggers",
    metavar="MODEL",
    type=click.Path(dir_okay=False),
    multiple=True,
    help="A tagger, which tags the sentences before they are parsed; may be given for each column that has tags.",
)


class Text(io.BytesIO):
    """A file's text in memory, which messages call by the name of the file."""

    def __init__(self, text: bytes, name: str) -> None:
        super().__init__(text)
        self.name = name


def check_treebank(path: str) -> None:
    """A model is no treebank."""
    check_standard_input(path)
    if kind_of(path) == "model":
        raise ValueError(f"{path}: expected sentences in CoNLL-U, found a model file")


def text_of(path: str, taggers: Sequence[str] = (), *, jackknife: int = 0) -> Text:
    """All of a file, tagged: by these taggers, or by others like them that have not seen the sentences."""
    from rosenblatt.services.files.compressed import name_of
    from rosenblatt.services.files.conll import read_conll
    from rosenblatt.services.sentences.jackknife import jackknifed_text, tagged_text

    text = read_conll(path, columns=["form"], format="conllu").text
    for tagger in map(load_tagger, taggers):
        text = jackknifed_text(tagger, text, jackknife) if jackknife else tagged_text(tagger, text)
    return Text(text, name_of(path))


def tagged_blocks(path: str | Text, columns: Sequence[str], taggers: Sequence[str], block_bytes: int) -> Iterator[Any]:
    """The sentences of a file, block by block, with these columns, tagged."""
    from rosenblatt.services.files.conll import iter_conll, read_conll

    if not taggers:
        yield from iter_conll(path, columns=list(columns), format="conllu", block_bytes=block_bytes)
        return
    from rosenblatt.services.sentences.jackknife import tagged_text

    models = [load_tagger(tagger) for tagger in taggers]
    blocks: Any = iter_conll(path, columns=["form"], format="conllu", block_bytes=block_bytes)
    with closing(blocks):
        for block in blocks:
            if not len(block):  # empty lines at the end of the file
                yield block
                continue
            text = block.text
            for model in models:
                text = tagged_text(model, text)
            yield read_conll(io.BytesIO(text), columns=list(columns), format="conllu")
