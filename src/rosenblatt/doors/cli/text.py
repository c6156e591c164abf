"""`rosenblatt text`: from raw text to sentences, tokens, words, tags, lemmas and trees: train, run, eval."""

import sys
import time
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, as_json, output, print_facts, print_json
from rosenblatt.doors.cli.data_file import DATA_FILE, file_argument
from rosenblatt.doors.cli.model import load_pipeline, model_argument, model_option
from rosenblatt.doors.cli.parameters import Typed, settle, with_parameters
from rosenblatt.doors.cli.parse import check_treebank
from rosenblatt.doors.cli.sentences import SentenceVerbs
from rosenblatt.services.files.format import kind_of

PARTS = Typed("part,...", lambda text: [part.strip() for part in text.split(",")])
SOURCES = click.Choice(["text", "tokens", "tags"])
from_option = click.option(
    "--from",
    "source",
    type=SOURCES,
    default="text",
    show_default=True,
    help="What FILE has: text, or in CoNLL-U tokens, or tokens and tags; the parts before are not used.",
)


@click.group(
    cls=SentenceVerbs,
    examples="""
        rosenblatt text train train.conllu --dev dev.conllu --model en.safetensors
        rosenblatt text run en.safetensors letter.txt
        rosenblatt text eval en.safetensors test.conllu
    """,
)
def text() -> None:
    """From raw text to sentences, tokens, tags, lemmas and trees.

    A pipeline learns all of them from a treebank in CoNLL-U, and is one model file.
    """


@text.command(
    cls=WithExamples,
    examples="""
        rosenblatt text train train.conllu --dev dev.conllu --model en.safetensors
        rosenblatt text train train.conllu --dev dev.conllu --tree lean --model small.safetensors --json
        rosenblatt text train train.conllu --without lemmas,tree --model tags.safetensors
    """,
)
@file_argument()
@model_option(required=True)
@click.option(
    "--dev", metavar="FILE", type=DATA_FILE, help="A further treebank, which chooses the passes of each part."
)
@click.option("--without", type=PARTS, default="", help="Parts to leave out: atoms, words, tags, lemmas, tree.")
@as_json
@with_parameters(of="TextPipeline")
def train(file: str, model: str, dev: str | None, without: list[str], as_json: bool, options: dict[str, Any]) -> None:
    """Train a pipeline on the treebank FILE and save it.

    What the treebank does not have is left out. The summary is printed to stdout; on stderr, a line for each part that
    has learned.
    """
    from rosenblatt.services.files.source_mark import SourceMark
    from rosenblatt.services.records.model_file import Stored, write
    from rosenblatt.services.text.learn import fit_pipeline
    from rosenblatt.services.text.parameters import PipelineParameters

    for path in [file, *([] if dev is None else [dev])]:
        check_treebank(path)
    parameters = PipelineParameters.of(**settle(options, None))
    start = time.perf_counter()

    def tell(part: str, score: float | None) -> None:
        seconds = round(time.perf_counter() - start, 3)
        if as_json:
            print_json({"part": part, "score": score}, err=True)
        elif score is not None or sys.stderr.isatty():
            right = "" if score is None else f", {100 * score:.2f} % right on {dev}"
            click.echo(f"{part}: learned after {seconds:.1f} s{right}", err=True)

    learned = fit_pipeline(parameters, file, dev=dev, without=[part for part in without if part], tell=tell)
    mark = SourceMark.of_path(file) if file != "-" else None
    write(Stored(learned), model, data=mark)
    seconds = round(time.perf_counter() - start, 3)
    result = {**learned.facts(), "seconds": seconds, "random_state": parameters.random_state, "model": model}
    if as_json:
        print_json(result)
        return
    shares = {part: f"{100 * score:.2f} % right" for part, score in learned.scores.items()}
    print_facts({"parts": ", ".join(learned.parts), **shares, "seconds": seconds, "model": model})


@text.command(
    cls=WithExamples,
    examples="""
        rosenblatt text run en.safetensors letter.txt
        rosenblatt text run en.safetensors letter.txt -o letter.conllu
        rosenblatt text run en.safetensors letter.txt --json
        rosenblatt text run en.safetensors test.conllu --from tokens
    """,
)
@model_argument()
@file_argument()
@output("Where the sentences go.  [default: stdout]")
@from_option
@click.option("--ranges", is_flag=True, help="Write which characters of the text a token has: TokenRange=first:last.")
@click.option(
    "--paragraphs",
    type=click.Choice(["empty line", "line"]),
    help="Where a paragraph ends, and with it a sentence.  [default: as in training]",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each sentence, in a line.")
def run(model: str, file: str, output: str, source: Any, ranges: bool, paragraphs: str | None, as_json: bool) -> None:
    """Write what MODEL says of the text FILE, as CoNLL-U.

    MODEL is a file, or the name of an installed model, such as en of the package rosenblatt-models.

    The text itself can be put together again from what is written, byte for byte. FILE is read in blocks, so it may be
    larger than memory. Of a text without a token nothing is written.
    """
    if kind_of(file) == "model":
        raise ValueError(f"{file}: expected a text, found a model file")
    if source == "text" and ".conllu" in Path(file).suffixes:
        raise ValueError(f"{file}: expected a text, found CoNLL-U by its name: say --from tokens, or --from tags")
    if source != "text" and (as_json or ranges or paragraphs):
        raise click.UsageError("--json, --ranges and --paragraphs are for --from text")
    pipeline = load_pipeline(model)
    from rosenblatt.services.text.files import annotate_file

    if paragraphs is not None:
        pipeline.parameters.paragraphs = paragraphs
    annotate_file(pipeline, file, output, source=source, ranges=ranges, as_json=as_json)
    sys.stdout.flush()


@text.command(
    "eval",
    cls=WithExamples,
    examples="""
        rosenblatt text eval en.safetensors test.conllu
        rosenblatt text eval en.safetensors test.conllu --from tokens --json
        rosenblatt text eval gold.conllu test.conllu
    """,
)
@click.argument("files", metavar="MODEL|GOLD FILE", nargs=2, type=DATA_FILE)
@from_option
@as_json
def evaluate(files: tuple[str, str], source: Any, as_json: bool) -> None:
    """Count what is right, as in the CoNLL 2018 shared task: tokens, sentences, words, tags, lemmas, trees.

    With MODEL, the text of the treebank FILE is read as if nothing were known of it, and compared with FILE. With GOLD,
    FILE is compared with GOLD, which has the same text.
    """
    from rosenblatt.services.records.installed import find_model
    from rosenblatt.services.sentences.parsing import score_files
    from rosenblatt.services.sentences.treebank_scores import print_scores
    from rosenblatt.services.text.files import score_file

    first, file = files
    check_treebank(file)
    model = find_model(first)
    if kind_of(model) == "model":
        table = score_file(load_pipeline(model), file, source)
    elif source != "text":
        raise click.UsageError("--from is for what MODEL reads")
    else:
        table = score_files(first, file)
    if as_json:
        print_json({"table": {name: {**score._asdict(), "f1": score.f1} for name, score in table.items()}})
    else:
        click.echo(print_scores(table))
