"""`rosenblatt predict`: the label of each row."""

import json
from typing import Any

import click

from rosenblatt.cli.command import WithExamples, output, write
from rosenblatt.cli.data_file import DataFiles, file_argument, reads_like_the_model
from rosenblatt.cli.model import load_model, model_argument


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt predict model.safetensors new.svm
        rosenblatt predict model.safetensors new.svm --scores -o answers.txt
        rosenblatt predict and.safetensors and.csv --json
    """,
)
@model_argument()
@file_argument()
@click.option("--scores", is_flag=True, help="Add the score after a tab; of more than two classes, that of each.")
@output("Where the labels go.  [default: stdout]")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@reads_like_the_model
def predict(model: str, file: str, files: DataFiles, scores: bool, output: str, as_json: bool) -> None:
    """Print the label that MODEL gives each row of FILE.

    Labels in FILE are not looked at; a table may come without. Its columns are taken by name if MODEL was trained on a
    table, and become features as they did then.
    """
    classifier, known = load_model(model)
    X = files.read_rows(known, file)
    labels = classifier.predict(X).tolist()
    decision = classifier.decision_function(X).tolist() if scores else None
    if as_json:
        said = {"schema": 1, "classes": known.classes.tolist(), "labels": labels}
        write(output, json.dumps(said if decision is None else {**said, "scores": decision}) + "\n")
    elif decision is None:
        write(output, "".join(f"{_shown(label)}\n" for label in labels))
    else:
        from rosenblatt.data.number import written

        rows = [row if isinstance(row, list) else [row] for row in decision]
        lines = ("\t".join([_shown(label), *map(written, row)]) for label, row in zip(labels, rows, strict=True))
        write(output, "".join(f"{line}\n" for line in lines))


def _shown(label: Any) -> str:
    """A label as data files have it: 1, also if a model has learned it as 1.0."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
