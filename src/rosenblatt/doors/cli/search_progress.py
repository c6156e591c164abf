"""How far a search is: scikit-learn's callbacks, which are told of each fit, move a bar on stderr."""

import sys
from typing import Any

from rosenblatt.doors.cli.progress import SMALL, bar

# ruff: noqa: ARG002 (the signatures are scikit-learn's)


class Fits:
    """A bar that goes on with each fit of a search."""

    max_propagation_depth = None  # down to the fits

    def __init__(self, bar: Any) -> None:
        self.bar, self.done, self.total = bar, 0, 0

    def setup(self, estimator: Any, context: Any) -> None:
        """Before the search."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """After the search."""

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        """How many fits there will be: those of the search, and one with all rows."""
        if context.task_name == "search":
            self.total = context.max_subtasks + 1

    def on_fit_task_end(self, estimator: Any, context: Any) -> None:
        """One fit more."""
        if context.estimator_name.endswith("Perceptron") and context.task_name == "fit":
            self.done += 1
            self.bar(self.done, self.total, f"{self.done} of {self.total} fits")


def search(model: Any, X: Any, y: Any) -> None:
    """Fit a search over perceptrons, with progress."""
    if X.shape[0] > SMALL and sys.stderr.isatty() and hasattr(model, "set_callbacks"):  # from scikit-learn 1.9 on
        with bar("tuning") as shown:
            model.set_callbacks(Fits(shown))
            model.fit(X, y)
            model.set_callbacks()
    else:
        model.fit(X, y)
