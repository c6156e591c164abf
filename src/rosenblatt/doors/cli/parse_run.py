"""`rosenblatt parse run`: sentences in, the same with their trees out."""

import sys
from contextlib import suppress

import click

from rosenblatt.doors.cli.command import WithExamples, output
from rosenblatt.doors.cli.data_file import MAX_LINE, file_argument
from rosenblatt.doors.cli.model import load_parser, model_argument
from rosenblatt.doors.cli.parse_tags import check_treebank, tagged_blocks, with_taggers


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt parse run parser.safetensors new.conllu -o parsed.conllu
        rosenblatt parse run parser.safetensors --tagger upos.safetensors --tagger xpos.safetensors words.conllu
    """,
)
@model_argument()
@file_argument()
@output("Where the parsed sentences go.  [default: stdout]")
@with_taggers
@MAX_LINE
def run(model: str, file: str, output: str, taggers: tuple[str, ...]) -> None:
    """Parse the sentences of FILE with MODEL.

    Heads and labels take the place of the columns head and deprel, tags that of the columns that taggers have learned.
    All else stays as it is. FILE is read in blocks: it may be larger than memory; a sentence from a pipe that stays
    open is answered at once. Without sentences in it nothing comes out.
    """
    check_treebank(file)
    parser = load_parser(model)
    from rosenblatt.base.exceptions import NoRowsError
    from rosenblatt.services.files.compressed import replaced
    from rosenblatt.services.files.pipes import at_once
    from rosenblatt.services.sentences.parsing import BLOCK_BYTES, COLUMNS, parsed_blocks

    sys.stdout.flush()
    blocks = tagged_blocks(file, parser.file_columns or COLUMNS, taggers, BLOCK_BYTES)
    with at_once(), replaced(output) as out, suppress(NoRowsError):
        for text in parsed_blocks(parser, blocks):
            out.write(text)
            if output == "-":
                out.flush()  # whoever reads may wait for it
