"""`rosenblatt predict`: the label of each row."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, output, write, writing
from rosenblatt.doors.cli.data_file import file_argument, reads_like_the_model
from rosenblatt.doors.cli.model import load_model, model_argument
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Schema


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
@click.option(
    "--scores",
    is_flag=True,
    help="Add scores after tabs, under a line of names: of two classes how much speaks for the second one, of more the "
    "score of each.",
)
@output("Where the labels go.  [default: stdout]")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@reads_like_the_model
def predict(model: str, file: str, files: Reading, scores: bool, output: str, as_json: bool) -> None:
    """Print the label that MODEL gives each row of FILE.

    A linear unit (train --unit) gives a number. FILE may be larger than memory. Labels in it are not looked at; a table
    may come without. Its columns are taken by name if MODEL was trained on a table, and become features as they did
    then. A FILE without rows has no answers. Rows from a pipe that stays open are answered at once, line by line, but
    for svmlight text and a model that does not know how it counts columns: see --zero-based.
    """
    found, known = load_model(model, numbers=True)
    rows, name = _rows(known, file, files), "numbers" if known.classes is None else "labels"
    if name == "numbers" and scores:
        raise click.UsageError(f"--scores: the answers of a {found.kind} are numbers as they are")
    answers: Iterator[Any] = (
        ((found.predict(X).tolist(), None) for X in rows)
        if name == "numbers"
        else (
            (found.labels_of(decision).tolist(), decision.tolist() if scores else None)
            for decision in map(found.decision, rows)
        )
    )
    if as_json:
        classes = {} if known.classes is None else {"classes": known.classes.tolist()}
        said: dict[str, Any] = {"schema": 1, **classes, name: []}
        if scores:
            said |= {"scores_for": _scored(known), "scores": []}
        for labels, decision in answers:
            said[name] += labels
            if decision is not None:
                said["scores"] += decision
        write(output, json.dumps(said) + "\n")
        return
    with writing(output) as put:
        if scores:
            put("\t".join(["label", *map(_shown, _scored(known))]) + "\n")
        for labels, decision in answers:
            put("".join(_lines(labels, decision)))


def _rows(known: Schema, file: str, files: Reading) -> Iterator[Any]:
    """The rows of the file, of which there may be none."""
    from rosenblatt.base.exceptions import NoRowsError
    from rosenblatt.services.files.pipes import at_once

    with at_once(), suppress(NoRowsError):
        yield from files.like(known).iter_rows(file)


def _scored(known: Schema) -> list[Any]:
    """The classes that scores speak for: of two the second, and a score below 0 speaks for the first."""
    labels: list[Any] = known.classes.tolist()
    return labels if len(labels) > 2 else labels[-1:]


def _lines(labels: list[Any], decision: list[Any] | None) -> Iterator[str]:
    """The label of each row, and after it what was decided."""
    from rosenblatt.base.numbers import number_text

    if decision is None:
        shown = {label: f"{_shown(label)}\n" for label in set(labels)}
        yield from map(shown.__getitem__, labels)
        return
    for k, label in enumerate(labels):
        row = decision[k] if isinstance(decision[k], list) else [decision[k]]
        yield "\t".join([_shown(label), *map(number_text, row)]) + "\n"


def _shown(label: Any) -> str:
    """A label as data files have it: 1, also if a model has learned it as 1.0."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
