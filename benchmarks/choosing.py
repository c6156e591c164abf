"""Which step, which readout, for which data? Test errors of each pair, for the page "Choosing a member".

Rows are divided by one number, so that their mean squared length is 1: then the same few values of margin, C and r are
worth trying on any data. These and the number of passes are chosen by cross-validation on the training part only, for
the last weights and for the average each on its own; vote and pocket, which take long, answer from the average's run.
Sets of a few hundred rows are split ten times, and the errors are means.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import GridSearchCV, ParameterGrid, StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler

from benchmarks.data import Array, Split
from benchmarks.images import Images
from benchmarks.table import Cell, Table
from benchmarks.timing import once, one_thread
from rosenblatt import KernelPerceptron, Perceptron

PASSES, SPLITS = [1, 3, 10], 10
READOUTS = "last", "average", "vote", "pocket"
STEPS: dict[str, dict[str, list[Any]]] = {
    "perceptron": {},
    "perceptron, margin": {"margin": [0.1, 0.3, 1.0, 3.0]},
    "pa1": {"step": ["pa1"], "C": [0.03, 0.1, 0.3, 1.0]},
    "pa2": {"step": ["pa2"], "C": [0.03, 0.1, 0.3, 1.0]},
    "arow": {"step": ["arow"], "r": [0.3, 1.0, 3.0, 10.0]},
    "arow, one-vs-rest": {"step": ["arow"], "r": [0.3, 1.0, 3.0, 10.0], "multiclass": ["one-vs-rest"]},
}
KERNEL = {"margin": [0.0, 0.3, 1.0]}
STREAM: dict[str, dict[str, Any]] = {
    "perceptron, last": {"readout": "last"},
    "perceptron, average": {"readout": "average"},
    "pa1, average": {"step": "pa1", "readout": "average"},
    "arow, last": {"step": "arow", "readout": "last"},
    "arow, average": {"step": "arow", "readout": "average"},
}


@dataclass(frozen=True)
class Task:
    """Rows to learn from and rows to test on; `kernel` says whether a kernel is tried too."""

    title: str
    X: Any
    y: Array
    X_test: Any
    y_test: Array
    kernel: bool = False

    def __str__(self) -> str:
        rows, features = self.X.shape
        return f"{self.title}: {rows:,} rows, {features:,} features, {len(np.unique(self.y))} classes"

    def error(self, model: Any) -> float:
        """In per cent of the test rows."""
        return 100 * float(1 - model.score(self.X_test, self.y_test))

    def scaled(self) -> "Task":
        """Divided by one number, so that the mean squared length of the rows to learn from is 1."""
        length2 = np.square(self.X.data if isinstance(self.X, sp.csr_matrix) else self.X).sum()
        factor = self.X.dtype.type((self.X.shape[0] / length2) ** 0.5)
        return Task(self.title, self.X * factor, self.y, self.X_test * factor, self.y_test, self.kernel)


def run(texts: list[Split], images: Images, *, quick: bool) -> list[Table]:
    """A table for each set, and one of streams."""
    sets = [
        *([_cut(split, 25_000, 10_000)] for split in texts),
        [_of_images(images, 500 if quick else 10_000)],
        *_shipped(2 if quick else SPLITS),
    ]
    with one_thread():
        return [*(_compare(tasks, quick=quick) for tasks in sets), _streams(sets)]


def _cut(split: Split, rows: int, test_rows: int) -> Task:
    """The first rows: none of these sets is sorted."""
    X, y, X_test, y_test = split.X[:rows], split.y[:rows], split.X_test[:test_rows], split.y_test[:test_rows]
    return Task(split.title, X, y, X_test, y_test).scaled()


def _of_images(images: Images, rows: int) -> Task:
    some = images.first(rows)
    return Task(some.title, some.X, some.y, some.X_test, some.y_test, kernel=True).scaled()


def _shipped(n_splits: int) -> Iterator[list[Task]]:
    """The sets that come with scikit-learn, standardised by the rows to learn from."""
    for title, load in (("digits", load_digits), ("breast cancer", load_breast_cancer)):
        X, y = load(return_X_y=True)
        tasks = []
        for seed in range(n_splits):
            X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=seed)
            scaler = StandardScaler().fit(X_train)
            tasks.append(
                Task(title, scaler.transform(X_train), y_train, scaler.transform(X_test), y_test, kernel=True).scaled()
            )
        yield tasks


def _compare(tasks: list[Task], *, quick: bool) -> Table:
    columns = {"": "", **dict.fromkeys(READOUTS, ".2f"), "passes": ".3g", "seconds": ".3f", "chosen": ""}
    title = f"{tasks[0]}, {len(tasks[0].y_test):,} to test on" + (f", {len(tasks)} splits" if len(tasks) > 1 else "")
    table = Table(f"{title}: test errors in per cent; passes, CPU seconds and choice of the average", columns)
    for name, model, grid in _members(tasks[0]):
        found = [_measured(task, model, {"max_iter": PASSES, **grid}, quick=quick) for task in tasks]
        errors, numbers, chosen = zip(*found, strict=True)
        table.add(name, *map(_mean, zip(*errors, strict=True)), *np.mean(numbers, axis=0), chosen[0])
        if len(tasks) > 1:
            table.rows[-1]["chosen"] = "in each split"
        print(f"{tasks[0].title}: {name}", file=sys.stderr)
    return table


def _members(task: Task) -> Iterator[tuple[str, Any, dict[str, list[Any]]]]:
    """Name, estimator, and what is to be chosen among."""
    for name, grid in STEPS.items():
        if "multiclass" not in grid or len(np.unique(task.y)) > 2:
            yield name, Perceptron(), grid
    if task.kernel:
        yield "kernel rbf", KernelPerceptron(cache_size=1000), KERNEL


def _measured(
    task: Task, model: Any, grid: dict[str, list[Any]], *, quick: bool
) -> tuple[list[Cell], list[float], str]:
    """Errors of the readouts; passes and seconds of the average's run, and how it was chosen."""
    if quick:
        grid = {word: values[1:2] or values for word, values in grid.items()}
    chosen = _chosen(task, model.set_params(readout="average"), grid)
    last = model.set_params(**chosen["last"]).fit(task.X, task.y).set_params(readout="last")
    errors: list[Cell] = [task.error(last)]
    best = chosen["average"]
    model.set_params(**best, readout="average")
    seconds = once(partial(model.fit, task.X, task.y))
    numbers = [float(model.n_iter_), seconds.cpu]
    errors.append(task.error(model))
    # A step of AROW is not a multiple of its row, so that nothing can vote; a kernel perceptron has no pocket.
    missing = "vote" if best.get("step") == "arow" else "pocket" if isinstance(model, KernelPerceptron) else None
    for readout in READOUTS[2:]:
        there = readout != missing
        errors.append(task.error(model.set_params(readout=readout).fit(task.X, task.y)) if there else None)
    words = ", ".join(f"{word}={best[word]}" for word in ("margin", "C", "r") if word in best)
    return errors, numbers, words


def _chosen(task: Task, model: Any, grid: dict[str, list[Any]]) -> dict[str, dict[str, Any]]:
    """For the last weights and for the average, what has the fewest errors on three folds; of equals the first."""
    if len(candidates := list(ParameterGrid(grid))) == 1:
        return {"last": candidates[0], "average": candidates[0]}
    scoring = {readout: partial(_right, readout=readout) for readout in ("last", "average")}
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    found = GridSearchCV(model, grid, scoring=scoring, refit=False, cv=folds).fit(task.X, task.y).cv_results_
    return {readout: found["params"][int(np.argmax(found[f"mean_test_{readout}"]))] for readout in scoring}


def _right(model: Any, X: Any, y: Array, *, readout: str) -> float:
    """The share that is right under a readout: the run is the same for each."""
    return float(model.set_params(readout=readout).score(X, y))


def _mean(errors: tuple[Cell, ...]) -> Cell:
    return None if None in errors else float(np.mean(errors))  # type: ignore[arg-type]


def _streams(sets: list[list[Task]]) -> Table:
    table = Table(
        "a stream: one pass in the listed order, nothing chosen: test errors in per cent",
        {"": "", **dict.fromkeys(STREAM, ".2f")},
    )
    for tasks in sets:
        errors = [
            np.mean([task.error(Perceptron(**words).partial_fit(task.X, task.y)) for task in tasks])
            for words in STREAM.values()
        ]
        table.add(tasks[0].title, *map(float, errors))
    return table
