"""`rosenblatt train`: a member from data files, in memory, from a stream, or on a cluster."""

import time
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from rosenblatt.doors.cli.command import (
    SECTIONS,
    WithExamples,
    as_facts,
    as_json,
    how_encoded,
    print_facts,
    print_json,
    warn,
)
from rosenblatt.doors.cli.data_file import files_argument, reads_data
from rosenblatt.doors.cli.model import model_option, save_model
from rosenblatt.doors.cli.parameters import (
    DEFAULTS_SAID,
    SIZES,
    AtTheKeyboard,
    chosen_by,
    kind_of,
    member_of,
    settle,
    trainable,
    with_defaults,
    with_parameters,
)
from rosenblatt.doors.cli.predict import measure_label_sets, measure_numbers
from rosenblatt.doors.cli.streaming import Streaming, dask_option, streams, train_on_cluster
from rosenblatt.members import MEMBERS
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Data

TEXTS = "TextClassifier"
BLANK = " "  # between several labels of a line of fastText, as none of them has one
OF_TEXTS = ("ngrams", "chars", "weighting", "bits")  # options of tables that are parameters of texts
UNITS = ("LinearUnit", "LinearUnitClassifier")  # their fit returns its warning
FACTS = {
    "n_rows": "rows",
    "n_features": "features",
    "n_iter": "passes",
    "n_updates": "updates",
    "n_support": "support vectors",
    "loss": "E, half the squared error",
    "majority": "mistakes of the majority",
    "holdout": "held out",
    "left_out": "features left out",
    "cost": "accuracy that this costs",
    "random_state": "seed",
}


class Trained(NamedTuple):
    """A saved model, how a table became its features, and facts about the training."""

    model: Any
    encoding: Any
    n_rows: int
    seconds: float
    warning: str | None = None
    facts: Mapping[str, Any] = MappingProxyType({})


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
        rosenblatt train colours.csv --text note --label colour --model colours.safetensors
        rosenblatt train walks.csv --label walk --ignore day --missing mean --model walks.safetensors
        rosenblatt train and.csv --no-shuffle --keep-mistakes --model and.safetensors --json
        rosenblatt train data.svm --max-iter 3 --cache data.arrow --checkpoint run.part --resume --model m.safetensors
    """,
)
@files_argument()
@model_option(required=True)
@as_json
@with_parameters(of=trainable(), **DEFAULTS_SAID)
@click.option(
    "--holdout",
    metavar="SHARE",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Hold out this share of the rows, such as 0.2, with the same shares of the classes. The saved model "
    "has learned from the other rows only, and its error on the rows held out is printed. How a table becomes "
    "features is learned from all rows, without their labels.",
)
@click.option(
    "--label-separator",
    metavar="TEXT",
    help="With --text: what is between several labels of a text in the label column, such as ';' or ' '. Each label is "
    "then an answer for itself; evaluate has micro and macro F1. JSON lines may then have lists of labels; lines of "
    "fastText with several labels need no separator.",
)
@click.option(
    "--max-size",
    "--size",
    type=SIZES,
    help="Of a model of texts the most that its file may have, such as 2MB or 500kB: features that change the scores "
    "least are left out, and the summary says how much accuracy that costs.  [default: 10MB]",
)
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
    max_size: str | None,
    dask: str | None,
    options: dict[str, Any],
) -> None:
    """Train a perceptron on FILE and save it.

    Several files, or a pattern such as 'part-*.svm', are one data set in the order of their names. With --shards, parts
    of the data are learned at the same time and mixed; with --dask, the workers of a cluster read and learn them. With
    --kernel it is a perceptron with a kernel; with --unit or --passive-aggressive it learns numbers.

    Without options it does what worked best on tables: it averages passive-aggressive steps, and first finds the number
    of passes with the fewest mistakes on held-out rows (10 passes with --stream and --dask). Fewer than 20 rows are
    learned as in a lecture, by Rosenblatt's own step, until a pass makes no mistake. --passive-aggressive, too, answers
    with the average from 20 rows on.

    With --text the model is a classifier of texts, which chooses how words count and how strong its steps are; other
    columns count beside them. With an option that only a perceptron has, such as --readout, --step, --tie or
    --shards, the features are the same, and the model is a perceptron.

    The summary is printed to stdout; if all rows were in memory it has the mistakes of the majority: the mistakes of
    answering every row with the most frequent class. On stderr: progress if it is a terminal; with --json lines of JSON
    about passes, at most four a second.
    """
    kind, streamed, files = kind_of(options), dask is None and streaming.wanted, files.for_lines(file[0])
    options |= {} if max_size is None else {"max_size": max_size}
    of_texts = next((name for name in OF_TEXTS if name in files.encoding_words), None)
    if of_texts is not None and not files.encoding_words.get("text"):
        raise click.UsageError(f"--{of_texts} has no meaning without a column of text: say which it is with --text")
    if files.encoding_words.get("text") and kind == "Perceptron":
        kind, options = _of_texts(options, files)
    if files.label_separator is not None:
        if kind != TEXTS:
            raise click.UsageError("--label-separator: only a classifier of texts (--text) learns several labels a row")
        if not files.label_separator:
            raise click.UsageError("--label-separator: expected a text, found nothing")
        options = {**options, "label_separator": files.label_separator}
    if max_size is not None and kind != TEXTS:
        raise click.UsageError("--max-size is of a model of texts: --text says which column is the text")
    ways = member_of(kind).offered
    if dask is not None and "cluster" not in ways:
        raise click.UsageError(f"--dask has no meaning with {chosen_by(options)}")
    if streamed and "stream" not in ways:
        raise click.UsageError(f"--stream, --cache, --checkpoint: with {chosen_by(options)} all rows must be in memory")
    if streamed and (len(file) > 1 or options.get("shards", 1) > 1):
        raise click.UsageError("--stream, --cache, --checkpoint: several files and --shards need all rows in memory")
    if holdout is not None and (dask is not None or streamed):
        raise click.UsageError("--holdout needs all rows in memory: not with --stream, --cache, --checkpoint or --dask")
    if dask is not None or streamed:
        if kind == TEXTS:
            files, streaming = replace(files, texts="learn with labels"), streaming._replace(float32=True)
            rows: Any = member_of(kind).of(**{"random_state": 0, **options})
        else:
            rows = MEMBERS[kind].load("rows")(member_of(kind).of(**with_defaults(options, None)))
        start = time.perf_counter()
        if dask is not None:
            shards = options.get("shards")
            stored, end = train_on_cluster(dask, rows, shards, file, files, streaming, model, as_json=as_json)
        else:
            stored, end = streaming.fit(rows, file[0], files, as_json=as_json)
        seconds = time.perf_counter() - start
        if streamed:
            streaming.save(stored, model, file[0])
        warning = _warning(stored.model, end, file, stored.encoding)
        trained = Trained(stored.model, stored.encoding, stored.model.n_seen, seconds, warning)
    else:
        trained = _train_in_memory(kind, file, files, model, options, holdout, as_json=as_json)
    perceptron, parameters = trained.model, trained.model.parameters
    if trained.warning is not None and not as_json:  # the JSON says if it converged
        warn(trained.warning)
    result = {
        "n_rows": trained.n_rows,
        "n_features": perceptron.n_features,
        **({} if perceptron.labels is None else {"classes": perceptron.labels.tolist()}),
        **perceptron.facts(),
        **how_encoded(trained.encoding),
        **trained.facts,
        "seconds": round(trained.seconds, 3),
        "random_state": getattr(parameters, "random_state", None),
        "model": model,
    }
    names = {**FACTS, "mistakes_of_last_pass": f"{getattr(parameters, 'counted', 'updates')} of the last pass"}
    print_json(result) if as_json else print_facts(as_facts(result, names))


def _of_texts(options: dict[str, Any], files: Reading) -> tuple[str, dict[str, Any]]:
    """The member that learns texts, and its options; a perceptron, if there is an option that only it has."""
    if not options.keys() - {"n_jobs"} <= member_of(TEXTS).declarations().keys():
        return "Perceptron", options
    options.pop("n_jobs", None)  # threads change no model
    words = files.encoding_words
    return TEXTS, {**{name: words[name] for name in OF_TEXTS if name in words}, **options}


def _train_in_memory(
    kind: str,
    paths: list[str],
    files: Reading,
    path: str,
    options: dict[str, Any],
    holdout: float | None,
    *,
    as_json: bool,
) -> Trained:
    """Read all rows, learn from those that are not held out, and save the model."""
    from rosenblatt.doors.cli.progress import print_passes, watching_passes
    from rosenblatt.members.scales import uneven_scales

    numbers = MEMBERS[kind].load("model").n_classes is None
    if kind == TEXTS:
        of_fasttext = BLANK if {files.form(path) for path in paths} == {"fasttext"} else None
        files = replace(files, texts="leave", label_separator=files.label_separator or of_fasttext)
    data, held_out = files.read_all(paths, numbers=numbers), None
    if files.label_separator == BLANK and _has_several(data.y):
        options = {"label_separator": BLANK, **options}
    member, declared = MEMBERS[kind], member_of(kind)
    seed = {"random_state": 0} if "random_state" in declared.declarations() else {}
    typed = {**seed, **options}
    parameters: Any = declared.of(**(settle(typed, data.y) if kind == TEXTS else with_defaults(typed, data.y)))
    if holdout is not None:
        data, held_out = _split(data, holdout, getattr(parameters, "random_state", 0), numbers=numbers)
    voice, fit = AtTheKeyboard(paths[0], is_table=data.encoding is not None), member.load("fit")
    start, n_rows = time.perf_counter(), data.X.shape[0]
    if kind in UNITS:
        model, warning = fit(parameters, data.X, data.y, voice=voice)
        warning = None if "max_iter" in options else warning
    else:
        names = {"names": data.encoding.parameters.text} if kind == TEXTS else {}
        with watching_passes(parameters, n_rows, as_json=as_json, watched=not numbers) as watch:
            model, end = fit(parameters, data.X, data.y, **names, watch=watch)
        scales = (
            None
            if data.encoding is not None and data.encoding.parameters.text
            else uneven_scales(data.X, getattr(parameters, "bias", float(getattr(parameters, "fit_intercept", False))))
        )
        if scales is not None and not as_json:
            warn(scales.advice(data.feature_names, voice))
        if as_json and not numbers:
            print_passes(model.passes, n_rows)
        warning = _warning(model, end, paths, data.encoding, cut="max_iter" not in options)
    seconds = time.perf_counter() - start
    facts = _judgement(model, data, held_out)
    save_model(model, path, data)
    return Trained(model, data.encoding, n_rows, seconds, warning, facts)


def _has_several(y: Any) -> bool:
    """Whether there is a line of fastText with several labels, which have a blank between them."""
    from rosenblatt.base.labels import encode

    return any(BLANK in label for label in encode(y)[0].tolist() if isinstance(label, str))


def _warning(model: Any, end: Any, paths: list[str], encoding: Any, *, cut: bool = False) -> str | None:
    """The warning for a run that ended with mistakes, or (if `cut`) that met a limit before `tol` stopped it."""
    parameters = model.parameters
    if model.labels is None:
        return model.not_converged(AtTheKeyboard(paths[0])) if cut and end == "limit" and parameters.tol else None
    if end != "plateau" or getattr(parameters, "readout", "last") != "last":
        return None
    standardised = encoding is not None and bool(encoding.numbers.standardised)
    voice = AtTheKeyboard(paths[0] if len(paths) == 1 else "FILE", standardised=standardised)
    return str(model.not_converged(voice))


def _split(data: Data, share: float, seed: Any, *, numbers: bool) -> tuple[Data, Data]:
    """Split the data into rows to learn from and rows held out. Classes keep their shares; numbers have no classes."""
    import numpy as np

    from rosenblatt.base.labels import encode
    from rosenblatt.members.randomness import hold_out, random_state

    random, y = random_state(seed), np.asarray(data.y)
    target = None if numbers else encode(data.y)[1]
    learned, rest = hold_out(np.arange(len(y)), share, random, target, asked="--holdout")
    rest.sort()
    return data._replace(X=data.X[learned], y=y[learned]), data._replace(X=data.X[rest], y=y[rest])


def _judgement(model: Any, data: Data, held_out: Data | None) -> dict[str, Any]:
    """Figures to judge a model by: the mistakes of the majority, and the answers to rows it has not seen."""
    from rosenblatt.services.comparison.confusion import Majority

    if hasattr(model, "separator"):
        if held_out is None:
            return {}
        result = measure_label_sets(model, iter([(held_out.X, held_out.y)]))
        return {"holdout": {name: result[name] for name in ("n_rows", "n_wrong", "error", "micro_f1", "macro_f1")}}
    facts: dict[str, Any] = {} if model.labels is None else {"majority": Majority.of(data.y).as_json()}
    if held_out is None:
        return facts
    answers = model.predict(held_out.X)
    if model.labels is None:
        from rosenblatt.members.neighbours.squared_error import SumsOfSquares

        return {"holdout": measure_numbers(SumsOfSquares.of(held_out.y, answers))}
    n_rows, n_wrong = len(held_out.y), int((answers != held_out.y).sum())
    majority = Majority.of(held_out.y).as_json()
    return {**facts, "holdout": {"n_rows": n_rows, "n_wrong": n_wrong, "error": n_wrong / n_rows, "majority": majority}}
