"""`rosenblatt compare`: the members and steps of the family on one page, and the command that trains the best."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, as_json, print_json
from rosenblatt.doors.cli.data_file import files_argument, reads_data
from rosenblatt.doors.cli.parameters import settled, with_parameters
from rosenblatt.doors.cli.picture import STILL, picture_option, pyplot, save_picture
from rosenblatt.doors.cli.sections import SECTIONS
from rosenblatt.doors.cli.typed import TypedCommand, train_command
from rosenblatt.services.files.reading import Reading

OF_ALL = ("fit_intercept", "class_weight", "random_state")  # parameters that members share


class Compare(TypedCommand, WithExamples):
    """The verb, which prints a command of the same files."""


@click.command(
    cls=Compare,
    sections=SECTIONS,
    examples="""
        rosenblatt compare data.svm
        rosenblatt compare walks.csv --label walk --missing mean --folds 2 -o errors.png
        rosenblatt compare data.svm --class-weight balanced --json
    """,
)
@files_argument()
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Parts that FILE is cut into.")
@picture_option(*STILL, required=False)
@as_json
@with_parameters(OF_ALL)
@reads_data
def compare(
    file: list[str], files: Reading, folds: int, output: Path | None, as_json: bool, given: dict[str, Any]
) -> None:
    """Compare the family's members and steps on FILE.

    Each learns from all folds but one and is tested on this one: the error and its standard error, the mean error of a
    class, and the seconds of a training. The error of the majority is what the most frequent class as the answer to
    every row would get wrong. Passes, margins, C and r are set by the scale of the rows: `rosenblatt tune` goes on from
    there. The last line is the command that trains the best on all rows. How a table becomes features is learned once,
    from all of FILE, without the labels.
    """
    if output is not None:
        pyplot()  # before the work: it may not be installed
    data = files.read_all(file)
    from rosenblatt.services.comparison import compare as service

    with _watch() as watch:
        found = service.compare(data.X, data.y, folds=folds, watch=watch, **settled(given, data.y))
    best = found.best.candidate
    parameters = {**({"unit_classifier": True} if best.kind == "LinearUnitClassifier" else {}), **best.parameters}
    command = train_command({"folds", "output", "as_json", *OF_ALL}, parameters)
    if output is not None:
        figure = pyplot().figure(figsize=(7, 0.4 * len(found.lines) + 1.2), layout="constrained")
        found.plot(ax=figure.subplots())
        save_picture(figure, output)
    if as_json:
        print_json({**found.as_dict(), "command": command})
    else:
        click.echo(f"{found.table()}\ntrain the best: {command}")


@contextmanager
def _watch() -> Iterator[Any]:
    """A bar, if there is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rosenblatt.doors.cli.progress import bar

    with bar("comparing") as shown:
        yield lambda done, total, name: shown(done, total, f"{name}, {done + 1} of {total}")
