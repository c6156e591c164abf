"""`rosenblatt parse train`: a parser from CoNLL-U files."""

import time
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, as_json, print_facts, print_json
from rosenblatt.doors.cli.data_file import DATA_FILE, MAX_LINE, files_argument
from rosenblatt.doors.cli.facts import as_facts
from rosenblatt.doors.cli.model import model_option
from rosenblatt.doors.cli.numbers import Typed
from rosenblatt.doors.cli.parameters import PARSED, settled, with_parameters
from rosenblatt.doors.cli.parse_tags import check_treebank, text_of, with_taggers
from rosenblatt.doors.cli.sections import SECTIONS
from rosenblatt.doors.cli.tag_train import watching

FOLDS = 10
COLUMNS = Typed("column,...", lambda text: [part.strip() for part in text.split(",")])


@click.command(
    cls=WithExamples,
    sections=SECTIONS,
    examples="""
        rosenblatt parse train train.conllu --model parser.safetensors
        rosenblatt parse train train.conllu --dev dev.conllu --model parser.safetensors
        rosenblatt parse train train.conllu --dev dev.conllu --templates lean --model small.safetensors --json
        rosenblatt parse train train.conllu --tagger upos.safetensors --columns form,upos --model parser.safetensors
    """,
)
@files_argument()
@model_option(required=True)
@click.option("--dev", metavar="FILE", type=DATA_FILE, help="A further file, which chooses the pass and the pruning.")
@click.option(
    "--columns",
    type=COLUMNS,
    help="The columns that templates look at as 0, 1, ...  [default: form,upos,xpos,feats; without xpos upos again]",
)
@with_taggers
@click.option(
    "--jackknife",
    type=click.IntRange(min=0),
    help="With --tagger: the sentences to learn from are tagged in so many folds, each by a tagger that has learned "
    f"from the others; 0: by the taggers themselves.  [default: {FOLDS}]",
)
@MAX_LINE
@as_json
@with_parameters(PARSED, of="DependencyParser")
def train(
    file: list[str],
    model: str,
    dev: str | None,
    columns: list[str] | None,
    taggers: tuple[str, ...],
    jackknife: int | None,
    as_json: bool,
    given: dict[str, Any],
) -> None:
    """Train a parser on FILE and save it.

    Several files, or a pattern such as 'part-*.conllu', are one treebank in the order of their names. The summary goes
    to stdout. On stderr: the score on the sentences held out after each pass, with --json as a line of JSON; progress
    if it is a terminal.
    """
    from rosenblatt.members.sentences.parser.parameters import ParserParameters
    from rosenblatt.services.files.source_mark import SourceMark
    from rosenblatt.services.records.model_file import Stored, write
    from rosenblatt.services.sentences.parsing import check_columns, fit_parser_file

    if jackknife is not None and not taggers:
        raise click.UsageError("--jackknife needs --tagger")
    for one in [*file, *([] if dev is None else [dev])]:
        check_treebank(one)
    if columns is not None:
        check_columns(columns)
    parameters = ParserParameters.checked(**settled(given, None))
    start = time.perf_counter()
    learned: list[Any] = list(file)
    held_out: Any = dev
    if taggers:
        folds = FOLDS if jackknife is None else jackknife
        learned = [text_of(one, taggers, jackknife=folds) for one in file]
        held_out = None if dev is None else text_of(dev, taggers)
    with watching(parameters.max_iter, as_json=as_json, wrong="wrong action", score="held-out LAS") as watch:
        parser = fit_parser_file(parameters, learned, columns=columns, dev=held_out, watch=watch)
    seconds = time.perf_counter() - start
    write(Stored(parser), model, data=SourceMark.of_path(file[0]) if len(file) == 1 else None)
    scores = parser.validation_scores
    result = {
        "classes": parser.classes.tolist(),
        **parser.facts(),
        "score": None if scores is None else float(scores.max()),
        "pruned": parser.pruned,
        "n_rows": int(parser.weights.n_rows),
        "seconds": round(seconds, 3),
        "random_state": parameters.random_state,
        "model": model,
    }
    print_json(result) if as_json else print_facts(as_facts(result, FACTS))


FACTS = {
    "classes": "labels",
    "n_iter": "passes made",
    "kept_pass": "pass kept",
    "mistakes_of_last_pass": "wrong actions of the last pass",
    "score": "LAS on the sentences held out",
    "pruned": "weights left out up to",
    "n_rows": "rows of weights",
    "random_state": "seed",
}
