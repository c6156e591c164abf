"""`rosenblatt evaluate`: how often a model is wrong, and where."""

from functools import reduce
from operator import add
from typing import Any

import click

from rosenblatt.cli.command import WithExamples, aligned, as_json, print_json
from rosenblatt.cli.data_file import DataFiles, file_argument, reads_like_the_model
from rosenblatt.cli.model import load_model, model_argument
from rosenblatt.cli.unit import measured_as_text, measured_numbers


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt evaluate model.safetensors test.svm
        rosenblatt evaluate model.safetensors test.svm --json
    """,
)
@model_argument()
@file_argument()
@as_json
@reads_like_the_model
def evaluate(model: str, file: str, files: DataFiles, as_json: bool) -> None:
    """Hold MODEL against the labels of FILE.

    Error, precision and recall of each class, and which class is taken for which. Of a linear unit (train --unit), the
    mean squared error, its root, and R^2. FILE may be larger than memory.
    """
    found, known = load_model(model, numbers=True)
    blocks = files.iter_like(known, file)
    if known.classes is None:
        from rosenblatt.neighbours.squared_error import SumsOfSquares

        sums = reduce(add, (SumsOfSquares.of(y, found.predict(X)) for X, y in blocks))
        result, text = measured_numbers(sums), measured_as_text
    else:
        from rosenblatt.learning.confusion import Confusion

        confusion = reduce(add, (Confusion.of(y, found.predict(X), known.classes) for X, y in blocks))
        known.check_counts(confusion.classes, confusion.counts.sum(axis=1), file)
        result, text = measured(confusion), as_text
    print_json(result) if as_json else click.echo(text(result))


def measured(found: Any) -> dict[str, Any]:
    """Error and confusion; precision and recall of each class, null where nothing is to be divided by."""
    import math

    n_rows = int(found.counts.sum())
    shares = {"precision": found.precision, "recall": found.recall}
    return {
        "n_rows": n_rows,
        "n_wrong": found.n_wrong,
        "error": found.n_wrong / n_rows,
        "classes": found.classes.tolist(),
        **{name: [None if math.isnan(share) else share for share in of.tolist()] for name, of in shares.items()},
        "support": found.counts.sum(axis=1).tolist(),
        "confusion": found.counts.tolist(),
    }


def as_text(result: dict[str, Any]) -> str:
    """For people."""
    shares = [["-" if v is None else f"{v:.4f}" for v in result[name]] for name in ("precision", "recall")]
    labels = [str(label) for label in result["classes"]]
    shares.append([str(count) for count in result["support"]])
    by_class = [["class", "precision", "recall", "rows"], *zip(labels, *shares, strict=True)]
    counts = [[label, *map(str, row)] for label, row in zip(labels, result["confusion"], strict=True)]
    return "\n".join(
        [
            f"error {result['error']:.4f}: {result['n_wrong']} of {result['n_rows']} rows",
            "",
            *aligned(by_class),
            "",
            "confusion: a line for each class as it is, a column for each answer",
            *aligned([["", *labels], *counts]),
        ]
    )
