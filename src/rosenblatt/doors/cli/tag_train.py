"""`rosenblatt tag train`: a tagger from a CoNLL file."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.cluster import dask_option, tagger_on_cluster
from rosenblatt.doors.cli.command import NewFile, WithExamples, as_json, print_facts, print_json
from rosenblatt.doors.cli.data_file import DATA_FILE, files_argument
from rosenblatt.doors.cli.facts import as_facts
from rosenblatt.doors.cli.model import model_option
from rosenblatt.doors.cli.parameters import TAGGED, settled, with_parameters
from rosenblatt.doors.cli.sections import SECTIONS
from rosenblatt.doors.cli.tag_columns import check_sentences, with_columns


@click.command(
    cls=WithExamples,
    sections=SECTIONS,
    examples="""
        rosenblatt tag train train.txt --templates chunk --model chunks.safetensors
        rosenblatt tag train train.txt --templates chunk --dev dev.txt --max-iter 10 --model chunks.safetensors
        rosenblatt tag train 'part-*.txt' --templates chunk --shards 8 --n-jobs -1 --model chunks.safetensors
        rosenblatt tag train 'part-*.txt' --templates chunk --shards 2 --dask local --model chunks.safetensors
        rosenblatt tag train train.txt --tag 1 --early-stopping --model pos.safetensors --json
        rosenblatt tag train train.conllu --tag xpos --model xpos.safetensors
    """,
)
@files_argument()
@model_option(required=True)
@click.option("--dev", metavar="FILE", type=DATA_FILE, help="A further file, which chooses the number of passes.")
@as_json
@with_columns
@with_parameters(TAGGED, of="SequenceTagger")
@dask_option
@click.option(
    "--checkpoint",
    metavar="PATH",
    type=NewFile(),
    help="With --dask: keep the state of the run there, until the model is saved: see --resume.",
)
@click.option("--resume", is_flag=True, help="Go on from the checkpoint, if there is one, to the same model.")
def train(
    file: list[str],
    model: str,
    dev: str | None,
    as_json: bool,
    columns: dict[str, Any],
    dask: str | None,
    checkpoint: str | None,
    resume: bool,
    given: dict[str, Any],
) -> None:
    """Train a tagger on FILE and save it.

    Several files, or a pattern such as 'part-*.txt', are one data set in the order of their names. With --shards it is
    learned by parts, at the same time, which are mixed; with --dask the workers of a cluster read and learn them.

    The summary goes to stdout. On stderr: the score on the sentences held out after each pass, with --json as a line of
    JSON; progress if it is a terminal.
    """
    from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
    from rosenblatt.services.files.source_mark import SourceMark
    from rosenblatt.services.records.model_file import Stored, write
    from rosenblatt.services.sentences.tagging import fit_tagger_file

    if resume and checkpoint is None:
        raise click.UsageError("--resume needs --checkpoint, the file to go on from")
    if checkpoint is not None and dask is None:
        raise click.UsageError("--checkpoint has a meaning with --dask alone")
    for one in file:
        check_sentences(one, columns)
    parameters = TaggerParameters.checked(**settled(given, None))
    start = time.perf_counter()
    with watching(parameters.max_iter, as_json=as_json) as watch:
        words = {"dev": dev, "watch": watch, **columns}
        if dask is None:
            tagger = fit_tagger_file(parameters, file, **words)
        else:
            tagger = tagger_on_cluster(dask, parameters, file, checkpoint=checkpoint, resume=resume, **words)
    seconds = time.perf_counter() - start
    write(Stored(tagger), model, data=SourceMark.of_path(file[0]) if len(file) == 1 else None)
    if checkpoint is not None:
        Path(checkpoint).unlink(missing_ok=True)
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
def watching(
    max_iter: int, *, as_json: bool, wrong: str = "wrong token", score: str = "held-out accuracy"
) -> Iterator[Any]:
    """What is called after each pass, and says how it went: what a mistake is called, and the score."""
    from rosenblatt.doors.cli.progress import bar

    if as_json:
        yield lambda one: print_json({**_said(one), "score": one.score}, err=True)
    elif sys.stderr.isatty():
        with bar("training") as shown:

            def watch(one: Any) -> None:
                line = None if one.score is None else _line(one, wrong, score)
                shown(one.number, max_iter, f"pass {one.number}, {one.mistakes:,} {wrong}s", line)

            yield watch
    else:
        yield lambda one: click.echo(_line(one, wrong, score), err=True) if one.score is not None else None


def _said(one: Any) -> dict[str, int]:
    return {"pass": one.number, "mistakes": one.mistakes, "sentence_mistakes": one.sentence_mistakes}


def _line(one: Any, wrong: str, score: str) -> str:
    mistakes = f"{one.mistakes} {wrong}{'' if one.mistakes == 1 else 's'}"
    return f"pass {one.number}: {mistakes}, {score} {100 * one.score:.2f} %"
