"""`rosenblatt tag run`: sentences in, the same with their tags out."""

import sys
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, output
from rosenblatt.doors.cli.data_file import file_argument
from rosenblatt.doors.cli.model import load_tagger, model_argument
from rosenblatt.doors.cli.tag_columns import check_sentences, with_columns


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt tag run chunks.safetensors new.txt
        rosenblatt tag run chunks.safetensors new.txt --nbest 2 --score
        rosenblatt tag run chunks.safetensors test.txt -o tagged.txt
        rosenblatt tag run xpos.safetensors train.conllu -o tagged.conllu
    """,
)
@model_argument()
@file_argument()
@output("Where the tagged sentences go.  [default: stdout]")
@click.option(
    "--nbest",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="The best sequences of tags, a column each; _ where a sentence has no more.",
)
@click.option("--score", is_flag=True, help="Add the score of the sequence, in a column of its own.")
@with_columns
def run(model: str, file: str, output: str, nbest: int, score: bool, columns: dict[str, Any]) -> None:
    """Tag the sentences of FILE with MODEL.

    The tags become the last column; in CoNLL-U they take the place of the column that was learned. All else stays as it
    is. FILE is read in blocks: it may be larger than memory; a sentence from a pipe that stays open is answered at
    once. Without sentences in it nothing comes out.
    """
    check_sentences(file, columns)
    tagger = load_tagger(model)
    from rosenblatt.services.files.pipes import at_once
    from rosenblatt.services.sentences.tagging import tag_file

    sys.stdout.flush()
    with at_once():
        tag_file(tagger, file, output, n_best=nbest, scores=score, **columns)
