"""`rosenblatt tag train`: a tagger from a CoNLL file."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from rosenblatt.cli.command import WithExamples, as_json, print_facts, print_json
from rosenblatt.cli.data_file import DATA_FILE, file_argument
from rosenblatt.cli.facts import as_facts
from rosenblatt.cli.model import model_option
from rosenblatt.cli.parameters import TAGGED, settled, with_parameters
from rosenblatt.cli.sections import SECTIONS
from rosenblatt.cli.tag_columns import check_sentences, with_columns


@click.command(
    cls=WithExamples,
    sections=SECTIONS,
    examples="""
        rosenblatt tag train train.txt --templates chunk --model chunks.safetensors
        rosenblatt tag train train.txt --templates chunk --dev dev.txt --max-iter 10 --model chunks.safetensors
        rosenblatt tag train train.txt --tag 1 --early-stopping --model pos.safetensors --json
        rosenblatt tag train train.conllu --tag xpos --model xpos.safetensors
    """,
)
@file_argument()
@model_option(required=True)
@click.option("--dev", metavar="FILE", type=DATA_FILE, help="A further file, which chooses the number of passes.")
@as_json
@with_columns
@with_parameters(TAGGED, of="SequenceTagger")
def train(
    file: str, model: str, dev: str | None, as_json: bool, columns: dict[str, Any], given: dict[str, Any]
) -> None:
    """Train a tagger on FILE and save it.

    The summary goes to stdout. On stderr: the score on the sentences held out after each pass, with --json as a line of
    JSON; progress if it is a terminal.
    """
    from rosenblatt.model_file import Stored, write
    from rosenblatt.stream.source_mark import SourceMark
    from rosenblatt.tagger.files import fit_tagger_file
    from rosenblatt.tagger.parameters import TaggerParameters

    check_sentences(file, columns)
    parameters = TaggerParameters.checked(**settled(given, None))
    start = time.perf_counter()
    with watching(parameters.max_iter, as_json=as_json) as watch:
        tagger = fit_tagger_file(parameters, file, dev=dev, watch=watch, **columns)
    seconds = time.perf_counter() - start
    write(Stored(tagger), model, data=SourceMark.of_path(file))
    scores = tagger.validation_scores
    result = {
        "classes": tagger.classes.tolist(),
        **tagger.facts(),
        "score": None if scores is None else float(scores.max()),
        "n_rows": int(tagger.chain.n_rows),
        "seconds": round(seconds, 3),
        "random_state": parameters.random_state,
        "model": model,
    }
    print_json(result) if as_json else print_facts(as_facts(result, FACTS))


FACTS = {
    "classes": "tags",
    "n_iter": "passes made",
    "kept_pass": "pass kept",
    "mistakes_of_last_pass": "wrong tokens of the last pass",
    "score": "accuracy on the sentences held out",
    "n_rows": "rows of weights",
    "random_state": "seed",
}


@contextmanager
def watching(max_iter: int, *, as_json: bool) -> Iterator[Any]:
    """What is called after each pass, and says how it went."""
    from rosenblatt.cli.progress import bar

    if as_json:
        yield lambda one: print_json({**_said(one), "score": one.score}, err=True)
    elif sys.stderr.isatty():
        with bar("training") as shown:

            def watch(one: Any) -> None:
                line = None if one.score is None else _line(one)
                shown(one.number, max_iter, f"pass {one.number}, {one.mistakes:,} wrong tokens", line)

            yield watch
    else:
        yield lambda one: click.echo(_line(one), err=True) if one.score is not None else None


def _said(one: Any) -> dict[str, int]:
    return {"pass": one.number, "mistakes": one.mistakes, "sentence_mistakes": one.sentence_mistakes}


def _line(one: Any) -> str:
    return f"pass {one.number}: {one.mistakes} wrong tokens, held-out accuracy {100 * one.score:.2f} %"
