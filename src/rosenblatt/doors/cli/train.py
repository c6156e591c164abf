"""`rosenblatt train`: a perceptron from a data file."""

import time
from typing import Any

import click

from rosenblatt.doors.cli.cluster import dask_option, train_on_cluster
from rosenblatt.doors.cli.command import WithExamples, as_json, print_facts, print_json, warn
from rosenblatt.doors.cli.data_file import files_argument, reads_data
from rosenblatt.doors.cli.facts import as_facts, how_encoded
from rosenblatt.doors.cli.holdout import holdout_option, judgement, split
from rosenblatt.doors.cli.model import model_option, save_model
from rosenblatt.doors.cli.parameters import (
    DEFAULTS_SAID,
    AtTheKeyboard,
    chosen_by,
    kind_of,
    member_of,
    trainable,
    with_defaults,
    with_parameters,
)
from rosenblatt.doors.cli.sections import SECTIONS
from rosenblatt.doors.cli.streaming import Streaming, streams
from rosenblatt.doors.cli.unit import UNITS, train_unit
from rosenblatt.members import MEMBERS
from rosenblatt.services.files.reading import Reading


@click.command(
    cls=WithExamples,
    sections=SECTIONS,
    examples="""
        rosenblatt train data.svm --model model.safetensors
        rosenblatt train data.svm --readout average --max-iter 20 --holdout 0.2 --model model.safetensors
        rosenblatt train 'part-*.svm' --shards 8 --n-jobs -1 --readout average --model model.safetensors
        rosenblatt train 'part-*.svm' --shards 2 --dask local --model model.safetensors
        rosenblatt train data.svm --step arow --r 3 --class-weight balanced --model model.safetensors
        rosenblatt train data.svm --kernel rbf --gamma 0.02 --budget 500 --model kernel.safetensors
        rosenblatt train prices.csv --unit --label price --model unit.safetensors
        rosenblatt train prices.csv --passive-aggressive --epsilon 5 --label price --model pa.safetensors
        rosenblatt train walks.csv --label walk --ignore day --missing mean --model walks.safetensors
        rosenblatt train and.csv --no-shuffle --keep-mistakes --model and.safetensors --json
        rosenblatt train data.svm --max-iter 3 --cache data.arrow --checkpoint run.part --resume --model m.safetensors
    """,
)
@files_argument()
@model_option(required=True)
@as_json
@with_parameters(of=trainable(), **DEFAULTS_SAID)
@holdout_option
@dask_option
@streams
@reads_data
def train(
    file: list[str],
    files: Reading,
    streaming: Streaming,
    model: str,
    as_json: bool,
    holdout: float | None,
    dask: str | None,
    given: dict[str, Any],
) -> None:
    """Train a perceptron on FILE and save it.

    Several files, or a pattern such as 'part-*.svm', are one data set in the order of their names. With --shards it is
    learned by parts, at the same time, which are mixed; with --dask the workers of a cluster read and learn them. With
    --kernel it is a perceptron with a kernel; with --unit or --passive-aggressive it learns numbers.

    Where nothing is chosen, it is what did best on tables: the average of passive-aggressive steps, after as many
    passes as make the fewest mistakes on rows that are held out first (after 10 with --stream and --dask). Fewer than
    20 rows are learned as in a lecture, by Rosenblatt's own step, until a pass makes no mistake. --passive-aggressive
    answers with the average, too, from 20 rows on.

    The summary goes to stdout; if all rows were in memory it has the mistakes of the majority: what the most frequent
    class as the answer to every row would get wrong. On stderr: progress if it is a terminal; with --json lines of JSON
    on passes, at most four a second.
    """
    kind = kind_of(given)
    if dask is not None and kind != "Perceptron":
        raise click.UsageError(f"--dask has no meaning with {chosen_by(given)}")
    if dask is None and streaming.wanted and kind != "Perceptron":
        raise click.UsageError(f"--stream, --cache, --checkpoint: with {chosen_by(given)} all rows must be in memory")
    if dask is None and streaming.wanted and (len(file) > 1 or given.get("shards", 1) > 1):
        raise click.UsageError("--stream, --cache, --checkpoint: several files and --shards need all rows in memory")
    if holdout is not None and (dask is not None or streaming.wanted):
        raise click.UsageError("--holdout needs all rows in memory: not with --stream, --cache, --checkpoint or --dask")
    if kind in UNITS:
        result = train_unit(kind, file, files, model, given, holdout, as_json=as_json)
        print_result(result, FACTS, as_json=as_json)
        return
    judged: dict[str, Any] = {}
    if dask is not None:
        parameters: Any = member_of(kind).of(**with_defaults(given, None))
        start, n_shards = time.perf_counter(), given.get("shards")
        stored, end = train_on_cluster(dask, parameters, n_shards, file, files, streaming, model, as_json=as_json)
        seconds = time.perf_counter() - start
        perceptron, encoding = stored.model, stored.encoding
    elif streaming.wanted:
        parameters = member_of(kind).of(**with_defaults(given, None))
        start = time.perf_counter()
        trained, end = streaming.fit(parameters, file[0], files, as_json=as_json)
        seconds = time.perf_counter() - start
        streaming.save(trained, model, file[0])
        perceptron, encoding = trained.model, trained.encoding
    else:
        from rosenblatt.doors.cli.progress import print_passes, watching_passes
        from rosenblatt.members.scales import uneven_scales

        data = files.read_all(file)
        parameters = member_of(kind).of(**with_defaults(given, data.y))
        held = None
        if holdout is not None:
            data, held = split(data, holdout, parameters.random_state, numbers=False)
        start = time.perf_counter()
        with watching_passes(parameters, data.X.shape[0], as_json=as_json) as watch:
            perceptron, end = MEMBERS[kind].load("fit")(parameters, data.X, data.y, watch=watch)
        scales = uneven_scales(data.X, getattr(parameters, "bias", 0.0))
        if scales is not None and not as_json:
            warn(scales.advice(data.feature_names, AtTheKeyboard(file[0], is_table=data.encoding is not None)))
        if as_json:
            print_passes(perceptron.passes, data.X.shape[0])
        seconds = time.perf_counter() - start
        judged = judgement(perceptron, data, held)
        save_model(perceptron, model, data)
        encoding = data.encoding
    if end == "plateau" and perceptron.parameters.readout == "last" and not as_json:  # the JSON says if it converged
        standardised = encoding is not None and bool(encoding.numbers.standardised)
        voice = AtTheKeyboard(file[0] if len(file) == 1 else "FILE", standardised=standardised)
        warn(perceptron.not_converged(voice))
    result = {
        "n_rows": perceptron.n_seen,
        "n_features": perceptron.n_features,
        "classes": perceptron.classes.tolist(),
        **perceptron.facts(),
        **how_encoded(encoding),
        **judged,
        "seconds": round(seconds, 3),
        "random_state": perceptron.parameters.random_state,
        "model": model,
    }
    names = {**FACTS, "mistakes_of_last_pass": f"{parameters.counted} of the last pass"}
    print_result(result, names, as_json=as_json)


def print_result(result: dict[str, Any], names: dict[str, str], *, as_json: bool) -> None:
    """For programs, or for people."""
    print_json(result) if as_json else print_facts(as_facts(result, names))


FACTS = {
    "n_rows": "rows",
    "n_features": "features",
    "n_iter": "passes",
    "n_updates": "updates",
    "n_support": "support vectors",
    "loss": "E, half the squared error",
    "majority": "mistakes of the majority",
    "holdout": "held out",
    "mistakes_of_last_pass": "updates of the last pass",
    "random_state": "seed",
}
