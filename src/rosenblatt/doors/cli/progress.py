"""Progress on stderr: a bar if it is a terminal, lines of JSON about passes if the user asked for them, else nothing.

A call after each pass costs more than a pass over a small data set, which is soon over. So small runs are not watched,
and their lines of JSON are printed at the end.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rosenblatt.doors.cli.command import print_json

SMALL = 1000  # rows
FIRST, SECONDS = 10, 0.25  # one line for each of the first passes; then one line in this time


@contextmanager
def watching_passes(parameters: Any, n_rows: int, *, as_json: bool, watched: bool = True) -> Iterator[Any]:
    """The function that a run calls after each pass; None if nobody wants to see the passes."""
    if n_rows <= SMALL or not watched:
        yield None
    elif as_json:
        with lines_of_passes() as line:
            yield lambda so_far: line(so_far.number, so_far.mistakes)
    elif sys.stderr.isatty():
        with bar("training") as shown:
            start = time.monotonic()
            most = None if isinstance(parameters.max_iter, str) else parameters.max_iter

            def watch(so_far: Any) -> None:
                speed = so_far.number * n_rows / max(time.monotonic() - start, 1e-9)
                text = f"pass {so_far.number}, {so_far.mistakes:,} {parameters.counted}, {speed:,.0f} rows/s"
                shown(so_far.number, most, text)

            yield watch
    else:
        yield None


@contextmanager
def lines_of_passes() -> Iterator[Callable[[int, int], None]]:
    """Print lines of JSON: one for each of the first passes, then a few a second, and one for the last pass."""
    due, latest = 0.0, None

    def line(number: int, mistakes: int) -> None:
        nonlocal due, latest
        now, record = time.monotonic(), {"pass": number, "mistakes": mistakes}
        if number > FIRST and now < due:
            latest = record
            return
        due, latest = now + SECONDS, None
        print_json(record, err=True)

    yield line
    if latest is not None:
        print_json(latest, err=True)


def print_passes(mistakes: list[int], n_rows: int) -> None:
    """Print the lines of JSON of a small run, which was not watched."""
    if n_rows <= SMALL:
        with lines_of_passes() as line:
            for number, count in enumerate(mistakes, start=1):
                line(number, count)


@contextmanager
def bar(title: str) -> Iterator[Any]:
    """A progress bar. Its function takes the work done, all the work (None if unknown), and a text.

    At the end the bar is full, because a run may stop before it reaches its maximum of passes.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    # In a narrow terminal the bar gives way. Times would wrap if their columns did not forbid it.
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[text]}"),
        TimeElapsedColumn(table_column=Column(no_wrap=True)),
        TextColumn("elapsed,"),
        TimeRemainingColumn(table_column=Column(no_wrap=True)),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task(title, total=None, text="")

        def tell(done: float, total: float | None, text: str, line: str | None = None) -> None:
            shown.update(task, completed=done, total=total, text=text)
            if line is not None:
                shown.console.print(line, highlight=False)

        yield tell
        shown.update(task, total=shown.tasks[0].completed)


@contextmanager
def watching_blocks(counted: str, *, as_json: bool) -> Iterator[Any]:
    if as_json:
        with lines_of_passes() as line:
            yield lambda so_far: line(so_far.number, so_far.mistakes) if so_far.over else None
    elif sys.stderr.isatty():
        with bar("training") as shown:
            start = time.monotonic()

            def watch(so_far: Any) -> None:
                rows = (so_far.at.n_rows_before + so_far.at.n_rows) / max(time.monotonic() - start, 1e-9)
                text = f"pass {so_far.number}, {so_far.mistakes:,} {counted}, {rows:,.0f} rows/s"
                shown(so_far.at.position, so_far.at.size, text)

            yield watch
    else:
        yield None


@contextmanager
def watching_rounds(counted: str, *, as_json: bool) -> Iterator[Any]:
    """After each round, print a line of JSON, or move the bar if there is a terminal."""
    start = time.monotonic()

    def speed(so_far: Any) -> float:
        return float(so_far.at.n_rows / max(time.monotonic() - start, 1e-9))

    if as_json:

        def line(so_far: Any) -> None:
            text = {"pass": so_far.number, "round": so_far.at.round_number, "mistakes": so_far.mistakes}
            print_json({**text, "workers": so_far.at.n_workers, "rows_per_second": round(speed(so_far))}, err=True)

        yield line
    elif sys.stderr.isatty():
        with bar("training") as shown:

            def tell(so_far: Any) -> None:
                turn = f"round {so_far.at.round_number} of {so_far.at.n_rounds}, " if so_far.at.n_rounds > 1 else ""
                text = f"pass {so_far.number}, {turn}{so_far.mistakes:,} {counted}, {speed(so_far):,.0f} rows/s"
                shown(so_far.number, None, f"{text}, {so_far.at.n_workers} workers")

            yield tell
    else:
        yield None
