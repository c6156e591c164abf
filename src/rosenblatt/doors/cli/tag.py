"""`rosenblatt tag`: a tagger of sentences from CoNLL files: train, run, eval."""

from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click

from rosenblatt.base.numbers import first_names
from rosenblatt.doors.cli.command import SECTIONS, NewFile, WithExamples, as_json, output, print_json, warn
from rosenblatt.doors.cli.data_file import DATA_FILE, MAX_LINE, check_standard_input, file_argument, files_argument
from rosenblatt.doors.cli.model import load_tagger, model_argument, model_option
from rosenblatt.doors.cli.parameters import Typed, settle, with_parameters
from rosenblatt.doors.cli.sentences import SentenceVerbs, train_and_save
from rosenblatt.doors.cli.streaming import dask_option
from rosenblatt.services.files.format import format_of, kind_of


@click.group(
    cls=SentenceVerbs,
    examples="""
        rosenblatt tag train train.txt --templates chunk --model chunks.safetensors
        rosenblatt tag run chunks.safetensors new.txt
        rosenblatt tag eval chunks.safetensors test.txt
    """,
)
def tag() -> None:
    """Tag sentences: parts of speech, chunks, names.

    Files have one token in each line, in columns, and an empty line after each sentence; a file named .conllu is
    CoNLL-U.
    """


def _column(text: str) -> int | str:
    """Read the number of a column, or its name in CoNLL-U."""
    return int(text) if text.removeprefix("-").isdecimal() else text


def _tag_columns(text: str) -> int | str | tuple[int | str, ...]:
    columns = tuple(_column(part.strip()) for part in text.split("+"))
    return columns if len(columns) > 1 else columns[0]


TAG_COLUMNS = Typed("column[+column...]", _tag_columns)
COLUMNS = Typed("column,...", lambda text: [_column(part.strip()) for part in text.split(",")])


def check_sentences(path: str, columns: dict[str, Any]) -> None:
    """Refuse a model, and a file whose name says that it is a table unless the user chose a format."""
    check_standard_input(path)
    if kind_of(path) == "model":
        raise ValueError(f"{path}: expected sentences, found a model file")
    if "format" not in columns and (form := format_of(path, "")):
        raise ValueError(f"{path}: expected sentences, a token a line in columns, found by its name a table ({form})")


def with_columns(function: Any) -> Any:
    """Add the options. A verb gets them as one argument, `columns`, under the names of `SequenceTagger`."""

    @wraps(function)
    def call(**values: Any) -> None:
        columns = {name: values.pop(name) for name in ("tag", "columns", "format")}
        function(columns={name: value for name, value in columns.items() if value is not None}, **values)

    for option in (
        MAX_LINE,
        click.option(
            "--from",
            "format",
            type=click.Choice(["columns", "conllu"]),
            help="The format of FILE.  [default: conllu if it is named .conllu or MODEL has learned from CoNLL-U; else "
            "columns]",
        ),
        click.option(
            "--columns",
            type=COLUMNS,
            help="The columns that templates look at as 0, 1, ...  [default: these; in CoNLL-U form]",
        ),
        click.option(
            "--tag",
            type=TAG_COLUMNS,
            help="The column with the tags, from 0, or from -1 for the last; CoNLL-U has names. Several columns, as in "
            "upos+xpos+feats, are learned as one tag, and written as columns again.  [default: -1; upos]",
        ),
    ):
        call = option(call)
    return call


@tag.command(
    cls=WithExamples,
    sections=SECTIONS,
    examples="""
        rosenblatt tag train train.txt --templates chunk --model chunks.safetensors
        rosenblatt tag train train.txt --templates chunk --dev dev.txt --max-iter 10 --model chunks.safetensors
        rosenblatt tag train 'part-*.txt' --templates chunk --shards 8 --n-jobs -1 --model chunks.safetensors
        rosenblatt tag train 'part-*.txt' --templates chunk --shards 2 --dask local --model chunks.safetensors
        rosenblatt tag train train.txt --tag 1 --early-stopping --model pos.safetensors --json
        rosenblatt tag train train.conllu --tag xpos --model xpos.safetensors
        rosenblatt tag train train.conllu --tag upos+xpos+feats --dev dev.conllu --model tags.safetensors
    """,
)
@files_argument()
@model_option(required=True)
@click.option("--dev", metavar="FILE", type=DATA_FILE, help="A further file, which chooses the number of passes.")
@as_json
@with_columns
@with_parameters(of="SequenceTagger")
@dask_option
@click.option(
    "--checkpoint",
    metavar="PATH",
    type=NewFile(),
    help="With --dask: save the state of the run in this file until the model is saved: see --resume.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Continue from the checkpoint, if there is one; the model is the same.",
)
def train(
    file: list[str],
    model: str,
    dev: str | None,
    as_json: bool,
    columns: dict[str, Any],
    dask: str | None,
    checkpoint: str | None,
    resume: bool,
    options: dict[str, Any],
) -> None:
    """Train a tagger on FILE and save it.

    Several files, or a pattern such as 'part-*.txt', are one data set in the order of their names. With --shards, parts
    of the data are learned at the same time and mixed; with --dask, the workers of a cluster read and learn them.

    The summary is printed to stdout. On stderr: the score on the held-out sentences after each pass, with --json as a
    line of JSON; progress if it is a terminal.
    """
    from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
    from rosenblatt.services.sentences.tagging import fit_tagger_file

    if resume and checkpoint is None:
        raise click.UsageError("--resume needs --checkpoint, the file to go on from")
    if checkpoint is not None and dask is None:
        raise click.UsageError("--checkpoint has a meaning with --dask alone")
    for path in file:
        check_sentences(path, columns)
    parameters = TaggerParameters.of(**settle(options, None))

    def fit(watch: Any) -> Any:
        words = {"dev": dev, "watch": watch, **columns}
        if dask is None:
            return fit_tagger_file(parameters, file, **words)
        from rosenblatt.doors.dask.cluster import connect
        from rosenblatt.doors.dask.tagger.fit import fit_files

        if "-" in (*file, dev):
            raise click.UsageError("--dask: expected files by name, found standard input")
        with connect(dask) as client:
            return fit_files(client, parameters, file, checkpoint=checkpoint, resume=resume, **words)

    names = {
        "classes": "tags",
        "mistakes_of_last_pass": "wrong tokens of the last pass",
        "score": "accuracy on the sentences held out",
    }
    calls: dict[str, Any] = {"mistake": "wrong token", "score": "held-out accuracy"}
    train_and_save(fit, file, model, names, max_iter=parameters.max_iter, as_json=as_json, **calls)
    if checkpoint is not None:
        Path(checkpoint).unlink(missing_ok=True)


@tag.command(
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
    help="How many of the best tag sequences to write, each in its own column; _ where a sentence has no more.",
)
@click.option("--score", is_flag=True, help="Add the score of the sequence, in a column of its own.")
@with_columns
def run(model: str, file: str, output: str, nbest: int, score: bool, columns: dict[str, Any]) -> None:
    """Tag the sentences of FILE with MODEL.

    The tags become the last column; in CoNLL-U they replace the columns that were learned. All else stays as it is.
    FILE is read in blocks, so it may be larger than memory; a sentence from a pipe that stays open is answered at once.
    If there are no sentences, nothing is written.
    """
    check_sentences(file, columns)
    tagger = load_tagger(model)
    from rosenblatt.services.files.pipes import at_once
    from rosenblatt.services.sentences.tagging import tag_file

    with at_once():
        tag_file(tagger, file, output, n_best=nbest, scores=score, **columns)


@tag.command(
    "eval",
    cls=WithExamples,
    examples="""
        rosenblatt tag eval chunks.safetensors test.txt
        rosenblatt tag eval tagged.txt
        rosenblatt tag eval xpos.safetensors train.conllu --json
    """,
)
@click.argument("files", metavar="[MODEL] FILE", nargs=-1, type=DATA_FILE)
@click.option("--raw", is_flag=True, help="Count each tag on its own.  [default: only if the tags do not mark chunks]")
@as_json
@with_columns
def evaluate(files: tuple[str, ...], raw: bool, as_json: bool, columns: dict[str, Any]) -> None:
    """Count what is right: chunks, or tags that are not parts of chunks.

    With MODEL, the sentences of FILE are tagged, and compared with their tags; if a tag is made of several columns, the
    accuracy of each of them is shown, and that of all together. Without MODEL, FILE has the right tags in
    the last column but one, and the tags of a tagger in the last.
    """
    from rosenblatt.services.sentences.scores import are_chunks, conlleval, count_columns

    *models, file = files or ("-",)
    if not models and kind_of(file) == "model":  # then the sentences come from standard input
        models, file = [file], "-"
    if len(models) > 1:
        raise click.UsageError(f"expected MODEL and FILE, found {len(files)} files")
    if columns and not models:
        raise click.UsageError("without MODEL the last two columns are compared: no column or format can be told")
    check_sentences(file, columns)
    gold, predicted, names = _tag(models[0], file, columns) if models else (*_read_columns(file), ())
    if len(names) > 1:
        accuracies = count_columns(gold, predicted, names)
        print_json(accuracies.as_dict()) if as_json else click.echo(accuracies)
        return
    raw = raw or not are_chunks({*chain.from_iterable(gold), *chain.from_iterable(predicted)})
    scores = conlleval(gold, predicted, raw=raw)
    if not as_json:
        click.echo(scores)
        return
    types = {name: _counts(counts) for name, counts in scores.types.items()}
    print_json(
        {"n_tokens": scores.n_tokens, "accuracy": scores.accuracy, "raw": raw, **_counts(scores), "types": types}
    )


def _tag(model: str, file: str, columns: dict[str, Any]) -> tuple[list[list[str]], list[list[str]], tuple[str, ...]]:
    """The tags of a file, those of the model, and the columns of which they are made."""
    from rosenblatt.services.sentences.tagging import file_columns, read_to_score

    tagger = load_tagger(model)
    sentences, gold = read_to_score(tagger, file, **columns)
    known = set(tagger.classes.tolist())
    if n_strange := sum(tag not in known for tag in chain.from_iterable(gold)):
        n_tokens = sentences.core.n_tokens
        tokens = f"{n_strange} of {n_tokens} tokens {'has a tag' if n_strange == 1 else 'have tags'}"
        strange = first_names(sorted(set(chain.from_iterable(gold)) - known))
        warn(f"{file}: {tokens} that the model does not know: {strange}")
    names = tuple(map(str, file_columns(tagger, file, **columns).tags))
    return gold, tagger.predict(sentences), names


def _read_columns(file: str) -> tuple[list[list[str]], list[list[str]]]:
    from rosenblatt.services.files.conll import read_conll
    from rosenblatt.services.sentences.scores import are_chunks

    sentences = read_conll(file, columns=[-2, -1], format="columns")
    gold, predicted = (set(sentences.core.texts(column)) for column in (0, 1))
    if gold.isdisjoint(predicted) and are_chunks(gold) != are_chunks(predicted):
        both = " and ".join(first_names(sorted(tags), 3) for tags in (gold, predicted))
        raise ValueError(
            f"{file}: expected tags in the last column but one, and those of a tagger in the last, found {both}: "
            "one is missing; with MODEL the file is tagged"
        )
    return sentences.column(0), sentences.column(1)


def _counts(counts: Any) -> dict[str, Any]:
    names = ("correct", "gold", "predicted", "precision", "recall", "f1")
    return {name: getattr(counts, name) for name in names}
