"""`rosenblatt parse eval`: UAS, LAS, CLAS and MLAS, as the CoNLL 2018 shared task defines them."""

from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, as_json, print_json
from rosenblatt.doors.cli.data_file import DATA_FILE, MAX_LINE
from rosenblatt.doors.cli.file_kind import kind_of
from rosenblatt.doors.cli.model import load_parser
from rosenblatt.doors.cli.parse_tags import Text, check_treebank, tagged_blocks, text_of, with_taggers


@click.command(
    "eval",
    cls=WithExamples,
    examples="""
        rosenblatt parse eval parser.safetensors test.conllu
        rosenblatt parse eval parser.safetensors test.conllu --tagger upos.safetensors --json
        rosenblatt parse eval gold.conllu parsed.conllu
    """,
)
@click.argument("files", metavar="MODEL|GOLD FILE", nargs=2, type=DATA_FILE)
@with_taggers
@MAX_LINE
@as_json
def evaluate(files: tuple[str, str], taggers: tuple[str, ...], as_json: bool) -> None:
    """Count what is right: heads, labels, content words, tags.

    With MODEL the sentences of FILE are parsed, and held against their trees. With GOLD the trees of FILE are held
    against those of GOLD, which has the same words.
    """
    from rosenblatt.members.sentences.parser.scores import scores_of
    from rosenblatt.services.sentences.parsing import BLOCK_BYTES, COLUMNS, parsed_blocks, read_words

    first, file = files
    for path in files:
        if path == "-" or kind_of(path) != "model" or path == file:
            check_treebank(path)
    if kind_of(first) == "model":
        parser = load_parser(first)
        right = text_of(file)
        blocks = tagged_blocks(Text(right.getvalue(), right.name), parser.file_columns or COLUMNS, taggers, BLOCK_BYTES)
        found = Text(b"".join(parsed_blocks(parser, blocks)), right.name)
        scores = scores_of(*read_words(right, found))
    elif taggers:
        raise click.UsageError("--tagger is for sentences that MODEL parses")
    else:
        scores = scores_of(*read_words(first, file))
    if not as_json:
        click.echo(scores)
        return
    names = ("n_words", "n_sentences", "uas", "las", "clas", "mlas", "sentences")
    shares = {name: getattr(scores, name) for name in names}
    print_json({**shares, "by_label": _counts(scores.by_label), "by_length": _counts(scores.by_length)})


def _counts(by_name: dict[str, Any]) -> dict[str, Any]:
    return {name: {**count._asdict(), "f1": count.f1} for name, count in by_name.items()}
