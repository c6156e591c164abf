"""`rosenblatt evaluate`: how often a model is wrong, and where."""

from collections.abc import Iterator
from functools import reduce
from operator import add
from typing import Any

import click

from rosenblatt.base.numbers import shortened
from rosenblatt.doors.cli.command import WithExamples, aligned, as_json, print_json
from rosenblatt.doors.cli.data_file import file_argument, reads_like_the_model
from rosenblatt.doors.cli.facts import always
from rosenblatt.doors.cli.holdout import measured_numbers
from rosenblatt.doors.cli.model import load_model, model_argument
from rosenblatt.doors.cli.unit import measured_as_text
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Schema

SHARES = {"precision": "precision", "recall": "recall", "f1": "F1"}


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
def evaluate(model: str, file: str, files: Reading, as_json: bool) -> None:
    """Hold MODEL against the labels of FILE.

    The error, and that of always answering with the most frequent label of FILE; balanced accuracy (the mean recall);
    for two classes AUC, the area under the ROC curve of the scores; precision, recall and F1 of each class; and which
    class is taken for which. Of a linear unit (train --unit), the mean squared error, its root, and R^2. FILE may be
    larger than memory: for AUC 8 bytes of each row are kept, and twice as many at the end.
    """
    found, known = load_model(model, numbers=True)
    blocks = files.like(known).iter_labelled(file)
    if known.classes is None:
        from rosenblatt.members.neighbours.squared_error import SumsOfSquares

        sums = reduce(add, (SumsOfSquares.of(y, found.predict(X)) for X, y in blocks))
        result, text = measured_numbers(sums), measured_as_text
    else:
        result, text = measured(*_counted(found, known, blocks, file)), as_text
    print_json(result) if as_json else click.echo(text(result))


def _counted(found: Any, known: Schema, blocks: Iterator[tuple[Any, Any]], file: str) -> tuple[Any, float | None]:
    """The confusion and, of two classes, AUC, over all blocks."""
    from rosenblatt.services.comparison.confusion import Confusion, Ranking

    def count(X: Any, y: Any) -> Confusion:
        decision = found.decision(X)
        if len(known.classes) == 2:
            seen = np.isin(y, known.classes)
            ranking.add(y[seen] == known.classes[1], decision[seen])
        return Confusion.of(y, found.labels_of(decision), known.classes)

    import numpy as np

    ranking = Ranking()
    confusion = reduce(add, (count(X, np.asarray(y)) for X, y in blocks))
    known.check_counts(confusion.classes, confusion.counts.sum(axis=1), file)
    return confusion, ranking.auc()


def measured(confusion: Any, auc: float | None) -> dict[str, Any]:
    """Error and confusion; what is null has nothing to be divided by, and AUC is of two classes only."""
    import math

    n_rows = int(confusion.counts.sum())
    shares = {name: getattr(confusion, name).tolist() for name in SHARES}
    return {
        "n_rows": n_rows,
        "n_wrong": confusion.n_wrong,
        "error": confusion.n_wrong / n_rows,
        "majority": confusion.majority.as_json(),
        "balanced_accuracy": confusion.balanced_accuracy,
        "auc": auc,
        "classes": confusion.classes.tolist(),
        **{name: [None if math.isnan(share) else share for share in of] for name, of in shares.items()},
        "support": confusion.counts.sum(axis=1).tolist(),
        "confusion": confusion.counts.tolist(),
    }


def as_text(result: dict[str, Any]) -> str:
    """For people."""
    shares = [["-" if v is None else f"{v:.4f}" for v in result[name]] for name in SHARES]
    labels = [shortened(label) for label in result["classes"]]
    shares.append([str(count) for count in result["support"]])
    by_class = [["class", *SHARES.values(), "rows"], *zip(labels, *shares, strict=True)]
    counts = [[label, *map(str, row)] for label, row in zip(labels, result["confusion"], strict=True)]
    return "\n".join(
        [
            f"error {result['error']:.4f}: {result['n_wrong']} of {result['n_rows']} rows",
            always(result["majority"]),
            f"balanced accuracy {result['balanced_accuracy']:.4f}"
            + ("" if result["auc"] is None else f", AUC {result['auc']:.4f}"),
            "",
            *aligned(by_class),
            "",
            "confusion: a line for each class as it is, a column for each answer",
            *aligned([["", *labels], *counts]),
        ]
    )
