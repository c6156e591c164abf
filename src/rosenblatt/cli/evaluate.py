"""`rosenblatt evaluate`: how often a model is wrong, and where."""

from typing import Any

import click

from rosenblatt.cli.command import WithExamples, aligned, as_json, print_json
from rosenblatt.cli.data_file import DataFiles, file_argument, reads_like_the_model
from rosenblatt.cli.model import load_model, model_argument


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

    Error, precision and recall of each class, and which class is taken for which.
    """
    classifier, known = load_model(model)
    data = files.read_like(known, file)
    result = measured(data.y, classifier.predict(data.X), known.classes)
    print_json(result) if as_json else click.echo(as_text(result))


def measured(y: Any, answers: Any, classes: Any) -> dict[str, Any]:
    """Error and confusion; precision and recall of each class, null where nothing is to be divided by."""
    import numpy as np
    from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

    classes = np.union1d(classes, y)
    nothing: Any = {"labels": classes, "zero_division": np.nan}
    precision, recall, _, support = precision_recall_fscore_support(y, answers, **nothing)
    wrong = int((y != answers).sum())
    return {
        "n_rows": len(y),
        "n_wrong": wrong,
        "error": wrong / len(y),
        "classes": classes.tolist(),
        "precision": [None if np.isnan(value) else value for value in precision.tolist()],
        "recall": [None if np.isnan(value) else value for value in recall.tolist()],
        "support": support.tolist(),
        "confusion": confusion_matrix(y, answers, labels=classes).tolist(),
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
