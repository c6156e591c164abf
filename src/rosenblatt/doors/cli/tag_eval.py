"""`rosenblatt tag eval`: how many chunks or tags are right, as the script conlleval says it."""

from itertools import chain
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, as_json, print_json, warn
from rosenblatt.doors.cli.data_file import DATA_FILE
from rosenblatt.doors.cli.facts import named
from rosenblatt.doors.cli.file_kind import kind_of
from rosenblatt.doors.cli.model import load_tagger
from rosenblatt.doors.cli.tag_columns import check_sentences, with_columns


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
    from rosenblatt.members.sentences.tagger.chunks import are_chunks, conlleval

    *models, file = files or ("-",)
    if not models and kind_of(file) == "model":  # and the sentences are on standard input
        models, file = [file], "-"
    if len(models) > 1:
        raise click.UsageError(f"expected MODEL and FILE, found {len(files)} files")
    if columns and not models:
        raise click.UsageError("without MODEL the last two columns are compared: no column or format can be told")
    check_sentences(file, columns)
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
    from rosenblatt.services.sentences.tagging import tagged_sentences

    tagger = load_tagger(model)
    sentences, gold = tagged_sentences(tagger, file, **columns)
    known = set(tagger.classes.tolist())
    if n_strange := sum(tag not in known for tag in chain.from_iterable(gold)):
        n_tokens = sentences.core.n_tokens
        tokens = f"{n_strange} of {n_tokens} tokens {'has a tag' if n_strange == 1 else 'have tags'}"
        strange = named(sorted(set(chain.from_iterable(gold)) - known))
        warn(f"{file}: {tokens} that the model does not know: {strange}")
    return gold, tagger.predict(sentences)


def _columns(file: str) -> tuple[list[list[str]], list[list[str]]]:
    from rosenblatt.members.sentences.tagger.chunks import are_chunks
    from rosenblatt.services.files.conll import read_conll

    sentences = read_conll(file, columns=[-2, -1], format="columns")
    gold, predicted = (set(sentences.core.texts(column)) for column in (0, 1))
    if gold.isdisjoint(predicted) and are_chunks(gold) != are_chunks(predicted):
        found = " and ".join(named(sorted(tags), 3) for tags in (gold, predicted))
        raise ValueError(
            f"{file}: expected tags in the last column but one, and those of a tagger in the last, found {found}: "
            "one is missing; with MODEL the file is tagged"
        )
    return sentences.column(0), sentences.column(1)


def _counts(counts: Any) -> dict[str, Any]:
    names = ("correct", "gold", "predicted", "precision", "recall", "f1")
    return {name: getattr(counts, name) for name in names}
