"""`rosenblatt train`: a perceptron from a data file."""

import time
import warnings
from typing import Any

import click

from rosenblatt.cli.command import WithExamples, as_json, print_facts, print_json
from rosenblatt.cli.data_file import DataFiles, file_argument, reads_data
from rosenblatt.cli.model import model_option, save_model
from rosenblatt.cli.streaming import Streaming, streams
from rosenblatt.cli.words import OF_THE_KERNEL, TRAINED, estimator_of, settled, with_words


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt train data.svm --model model.safetensors
        rosenblatt train data.svm --readout average --max-iter 20 --model model.safetensors
        rosenblatt train data.svm --step arow --r 3 --class-weight balanced --model model.safetensors
        rosenblatt train data.svm --kernel rbf --gamma 0.02 --budget 500 --model kernel.safetensors
        rosenblatt train walks.csv --label walk --ignore day --missing mean --standardise --model walks.safetensors
        rosenblatt train and.csv --no-shuffle --keep-mistakes --model and.safetensors --json
        rosenblatt train data.svm --max-iter 3 --cache data.arrow --checkpoint run.part --resume --model m.safetensors
    """,
)
@file_argument()
@model_option(required=True)
@as_json
@with_words((*TRAINED, *OF_THE_KERNEL))
@streams
@reads_data
def train(file: str, files: DataFiles, streaming: Streaming, model: str, as_json: bool, words: dict[str, Any]) -> None:
    """Train a perceptron on FILE and save it.

    With --kernel it is one with a kernel. It goes on until a pass makes no mistake, or as --max-iter says. The summary
    goes to stdout. On stderr: progress if it is a terminal; with --json one line of JSON for each pass.
    """
    if streaming.wanted and "kernel" in words:
        raise click.UsageError("--stream, --cache, --checkpoint: with --kernel all rows must be in memory")
    estimator = estimator_of(words)
    from rosenblatt.cli.progress import fit

    if as_json:  # stderr is for lines of JSON, and the result says whether it converged
        warnings.simplefilter("ignore")
    if streaming.wanted:
        start = time.perf_counter()
        perceptron = estimator(**settled(words, None))
        streaming.fit(perceptron, file, files, as_json=as_json)
        seconds = time.perf_counter() - start
        streaming.save(perceptron, model, file)
    else:
        data = files.read(file)
        perceptron = estimator(**settled(words, data.y))
        start = time.perf_counter()
        fit(perceptron, data.X, data.y, as_json=as_json)
        seconds = time.perf_counter() - start
        save_model(perceptron, model, data)
    result = {
        "n_rows": perceptron._n_seen,
        **of_the_run(perceptron),
        "seconds": round(seconds, 3),
        "random_state": perceptron.random_state,
        "model": model,
    }
    print_json(result) if as_json else print_facts(as_facts(result))


def of_the_run(perceptron: Any) -> dict[str, Any]:
    """What a trained perceptron says of its training, by the names of its attributes."""
    support = {"n_support": int(perceptron.n_support_.sum())} if hasattr(perceptron, "n_support_") else {}
    return {
        "n_features": perceptron.n_features_in_,
        "classes": perceptron.classes_.tolist(),
        "n_iter": int(perceptron.n_iter_),
        "mistakes_of_last_pass": int(perceptron.mistakes_[-1]),
        "n_updates": int(perceptron.n_updates_),
        **support,
        "converged": bool(perceptron.converged_),
    }


def as_facts(result: dict[str, Any]) -> dict[str, Any]:
    """The same for people."""
    facts = {
        "n_rows": "rows",
        "n_features": "features",
        "n_iter": "passes",
        "mistakes_of_last_pass": "mistakes of the last pass",
        "n_updates": "updates",
        "n_support": "support vectors",
        "random_state": "seed",
    }
    shown = {facts.get(name, name): value for name, value in result.items()}
    shown["classes"] = listed(result["classes"])
    shown["converged"] = "yes" if result["converged"] else "no"
    return shown


def listed(labels: list[Any], most: int = 10) -> str:
    """How many, and the first of them."""
    return f"{len(labels)}: {', '.join(map(str, labels[:most]))}{', ...' if len(labels) > most else ''}"
