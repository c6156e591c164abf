"""How far a run is, on stderr: a bar if it is a terminal, a line of JSON for each pass if asked for, else nothing.

To be told of each pass costs more than a pass over a small set, of which there may be many, and all are soon over.
So small runs are not watched, and their lines of JSON come at the end.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rosenblatt.cli.command import print_json

SMALL = 1000  # rows


@contextmanager
def watching_passes(max_iter: Any, n_rows: int, *, as_json: bool) -> Iterator[Any]:
    """What is to be told of each pass, or None if nobody wants to know."""
    if n_rows <= SMALL:
        yield None
    elif as_json:
        yield lambda made: print_pass(made.number, made.mistakes)
    elif sys.stderr.isatty():
        with bar() as shown:
            task = shown.add_task("training", total=None if max_iter == "auto" else max_iter, said="")

            def watch(made: Any) -> None:
                speed = made.number * n_rows / max(shown.tasks[0].elapsed or 0, 1e-9)
                said = f"pass {made.number}, {made.mistakes} mistakes, {speed:,.0f} rows/s"
                shown.update(task, completed=made.number, said=said)

            yield watch
    else:
        yield None


def print_pass(number: int, mistakes: int) -> None:
    """One line of JSON."""
    print_json({"pass": number, "mistakes": mistakes}, err=True)


def print_passes(mistakes: list[int], n_rows: int) -> None:
    """The lines of JSON of a small run, which was not watched."""
    if n_rows <= SMALL:
        for number, made in enumerate(mistakes, start=1):
            print_pass(number, made)


@contextmanager
def bar() -> Iterator[Any]:
    """A bar, what is said beside it, the time that has passed and the time that is left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[said]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        yield shown
