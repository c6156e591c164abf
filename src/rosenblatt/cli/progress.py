"""How far a run is, on stderr: a bar if it is a terminal, a line of JSON for each pass if asked for, else nothing.

To be told of each pass costs more than a pass over a small set, of which there may be many, and all are soon over.
So small runs are not watched, and their lines of JSON come at the end.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rosenblatt.cli.command import print_json

# ruff: noqa: ARG002 (the signatures are scikit-learn's)
SMALL = 1000  # rows


class Watch:
    """A callback of scikit-learn's that does nothing."""

    def setup(self, estimator: Any, context: Any) -> None:
        """Before the run."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """After the run."""

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        """Before a task, such as a pass."""

    def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any) -> None:
        """After a task, such as a pass."""


class Lines(Watch):
    """A line of JSON for each pass."""

    def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any) -> None:
        """The pass and its mistakes."""
        if fitted_estimator is not None:
            print_pass(len(fitted_estimator.mistakes_), int(fitted_estimator.mistakes_[-1]))


class Passes(Watch):
    """A bar that goes on with each pass."""

    def __init__(self, bar: Any, max_iter: Any, n_rows: int) -> None:
        self.bar, self.n_rows = bar, n_rows
        self.task = bar.add_task("training", total=None if max_iter == "auto" else max_iter, said="")

    def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any) -> None:
        """The mistakes of the pass, and how fast it goes."""
        if fitted_estimator is not None:
            passes, mistakes = len(fitted_estimator.mistakes_), fitted_estimator.mistakes_[-1]
            speed = passes * self.n_rows / max(self.bar.tasks[0].elapsed or 0, 1e-9)
            said = f"pass {passes}, {mistakes} mistakes, {speed:,.0f} rows/s"
            self.bar.update(self.task, completed=passes, said=said)


class Fits(Watch):
    """A bar that goes on with each fit of a search."""

    max_propagation_depth = None  # down to the fits

    def __init__(self, bar: Any) -> None:
        self.bar, self.task = bar, bar.add_task("tuning", total=None, said="")

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        """How many fits there will be: those of the search, and one with all rows."""
        if context.task_name == "search":
            self.bar.update(self.task, total=context.max_subtasks + 1)

    def on_fit_task_end(self, estimator: Any, context: Any) -> None:  # type: ignore[override]
        """One fit more."""
        if context.estimator_name.endswith("Perceptron") and context.task_name == "fit":
            self.bar.advance(self.task)


def print_pass(number: int, mistakes: int) -> None:
    """One line of JSON."""
    print_json({"pass": number, "mistakes": mistakes}, err=True)


def fit(model: Any, X: Any, y: Any, *, as_json: bool) -> None:
    """Fit a perceptron, with progress."""
    large = X.shape[0] > SMALL
    if as_json:
        _fit(model, X, y, Lines() if large else None)
        if not large:
            for number, mistakes in enumerate(model.mistakes_.tolist(), start=1):
                print_pass(number, mistakes)
    elif large and sys.stderr.isatty():
        with bar() as shown:
            _fit(model, X, y, Passes(shown, model.max_iter, X.shape[0]))
    else:
        model.fit(X, y)


def search(model: Any, X: Any, y: Any) -> None:
    """Fit a search over perceptrons, with progress."""
    if X.shape[0] > SMALL and sys.stderr.isatty():
        with bar() as shown:
            _fit(model, X, y, Fits(shown))
    else:
        model.fit(X, y)


def _fit(model: Any, X: Any, y: Any, watch: Watch | None) -> None:
    if watch is not None:
        model.set_callbacks(watch)
    model.fit(X, y)
    model.set_callbacks()


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
