"""`rosenblatt tag eval`: how many chunks or tags are right, as the script conlleval says it."""

from itertools import chain
from typing import Any

import click

from rosenblatt.cli.command import WithExamples, as_json, print_json
from rosenblatt.cli.data_file import DATA_FILE, check_standard_input
from rosenblatt.cli.model import load_tagger
from rosenblatt.cli.tag_columns import with_columns


@click.command(
    "eval",
    cls=WithExamples,
    examples="""
        rosenblatt tag eval chunks.safetensors test.txt
        rosenblatt tag eval tagged.txt
        rosenblatt tag eval xpos.safetensors train.conllu --json
    """,
)
@click.argument("files", metavar="[MODEL] FILE", nargs=-1, type=DATA_FILE)
@click.option("--raw", is_flag=True, help="Each tag is a phrase.  [default: if the tags are not those of chunks]")
@as_json
@with_columns
def evaluate(files: tuple[str, ...], raw: bool, as_json: bool, columns: dict[str, Any]) -> None:
    """Count what is right: chunks, or tags that are not parts of chunks.

    With MODEL the sentences of FILE are tagged, and held against their tags. Without it FILE has the tags in the last
    column but one, and those of a tagger in the last.
    """
    from rosenblatt.tagger.chunks import are_chunks, conlleval

    *models, file = files or ("-",)
    if len(models) > 1:
        raise click.UsageError(f"expected MODEL and FILE, found {len(files)} files")
    if columns and not models:
        raise click.UsageError("without MODEL the last two columns are compared: no column or format can be told")
    check_standard_input(file)
    gold, predicted = _tagged(models[0], file, columns) if models else _columns(file)
    raw = raw or not are_chunks({*chain.from_iterable(gold), *chain.from_iterable(predicted)})
    scores = conlleval(gold, predicted, raw=raw)
    if not as_json:
        click.echo(scores)
        return
    types = {name: _counts(counts) for name, counts in scores.types.items()}
    print_json(
        {"n_tokens": scores.n_tokens, "accuracy": scores.accuracy, "raw": raw, **_counts(scores), "types": types}
    )


def _tagged(model: str, file: str, columns: dict[str, Any]) -> tuple[list[list[str]], list[list[str]]]:
    from rosenblatt.data.conll import read_conll
    from rosenblatt.tagger.files import file_columns

    tagger = load_tagger(model)
    of_file = file_columns(tagger, file, **columns)
    sentences = read_conll(file, columns=[*of_file.seen, of_file.tag], format=of_file.format)
    return sentences.column(-1), tagger.predict(sentences)


def _columns(file: str) -> tuple[list[list[str]], list[list[str]]]:
    from rosenblatt.data.conll import read_conll

    sentences = read_conll(file, columns=[-2, -1], format="columns")
    return sentences.column(0), sentences.column(1)


def _counts(counts: Any) -> dict[str, Any]:
    names = ("correct", "gold", "predicted", "precision", "recall", "f1")
    return {name: getattr(counts, name) for name in names}
