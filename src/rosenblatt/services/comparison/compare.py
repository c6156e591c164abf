"""`compare`: the family under cross-validation, all candidates on the same folds; and what it has found.

A `Comparison` has a line for each candidate, the best first; as a table, a picture, and JSON.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import as_rows, core_rows, without_duplicates
from rosenblatt.members import MEMBERS
from rosenblatt.services.comparison.candidates import KERNEL_ROWS, Candidate, Fold, candidates, stratified_folds
from rosenblatt.services.comparison.confusion import Confusion, Majority

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Line(NamedTuple):
    """How a candidate did on the rows that it had not seen.

    `standard_error` is that of the error; `balanced_error` is the mean error of a class; `seconds` are those of one
    training; `level`: whether it is behind the best by no more than two standard errors of the difference, row by row.

    >>> from rosenblatt import compare
    >>> line = compare([[k % 7, k % 3] for k in range(60)], [k % 7 > 3 for k in range(60)]).best
    >>> line.error, line.level
    (0.0, True)
    """

    candidate: Candidate
    error: float
    standard_error: float
    balanced_error: float
    seconds: float
    level: bool

    @property
    def name(self) -> str:
        """The name of the candidate."""
        return self.candidate.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the candidate."""
        return self.candidate.parameters

    @property
    def code(self) -> str:
        """The Python code that makes the candidate."""
        return self.candidate.code


@dataclass(frozen=True)
class Comparison:
    """What `compare` has found.

    Attributes
    ----------
    lines : a `Line` for each candidate, the best first: name, parameters, error, standard_error, balanced_error,
        seconds of one training, and whether it is level with the best
    majority : the most frequent class, and the error of answering always with it
    n_rows, classes, folds, random_state : of the cross-validation
    left_out : candidates that were not tried, and why

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt import compare
    >>> X = np.array([[k % 7 - 3.0, k % 3 - 1.0] for k in range(60)])
    >>> found = compare(X, np.where(X.sum(axis=1) > 0.5, "up", "down"))
    >>> found.best.error, found.majority.label, len(found.lines)
    (0.0, 'down', 9)
    >>> found["linear unit"].code
    'LinearUnitClassifier(max_iter=100)'
    """

    __module__ = "rosenblatt"

    lines: list[Line]
    majority: Majority
    n_rows: int
    classes: list[Any]
    folds: int
    random_state: int
    left_out: list[str]

    @property
    def best(self) -> Line:
        """The one with the smallest error; of equal ones the simplest."""
        return self.lines[0]

    def __getitem__(self, name: str) -> Line:
        """A line by its name."""
        for line in self.lines:
            if line.name == name:
                return line
        raise KeyError(f"expected one of {', '.join(line.name for line in self.lines)}; found {name!r}")

    def __str__(self) -> str:
        best = self.best.code
        return f"{self.table()}\ntrain the best: {best}.fit(X, y)"

    __repr__ = __str__

    def table(self) -> str:
        """The lines and the majority, for people."""
        n_classes, baseline = len(self.classes), self.majority.error
        spread = math.sqrt(baseline * (1 - baseline) / self.n_rows)
        cells = [["", "error %", "+-", "balanced error %", "seconds", "level"]]
        for line in self.lines:
            numbers = _in_percent(line.error, line.standard_error, line.balanced_error)
            cells.append([line.name, *numbers, f"{line.seconds:.3f}", "yes" if line.level else "-"])
        numbers = _in_percent(baseline, spread, 1 - 1 / n_classes)
        cells.append([f"majority: always {_in_one_line(self.majority.label)}", *numbers, "", ""])
        first, *others = (max(map(len, column)) for column in zip(*cells, strict=True))
        lines = []
        for name, *row in cells:
            right = [cell.rjust(width) for cell, width in zip(row, others, strict=True)]
            lines.append("  ".join([name.ljust(first), *right]).rstrip())
        head = f"cross-validation, {self.folds} folds of {self.n_rows} rows; +- is one standard error"
        level = "level: behind the best by at most two standard errors of the difference"
        return "\n".join([head, *lines, level, *(f"not tried: {reason}" for reason in self.left_out)])

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw it: a dot for each candidate, with a bar of one standard error to each side; needs matplotlib."""
        from rosenblatt.services.lessons.plot import comparison

        return comparison(self, ax=ax)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for JSON."""
        return {
            "n_rows": self.n_rows,
            "classes": self.classes,
            "folds": self.folds,
            "random_state": self.random_state,
            "majority": self.majority.as_json(),
            "compared": [
                {
                    "name": line.name,
                    "class": line.candidate.kind,
                    "parameters": line.parameters,
                    "error": line.error,
                    "standard_error": line.standard_error,
                    "balanced_error": line.balanced_error,
                    "seconds": round(line.seconds, 6),
                    "level": line.level,
                }
                for line in self.lines
            ],
            "left_out": self.left_out,
        }


def _in_one_line(label: Any, most: int = 40) -> str:
    line = " ".join(str(label).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def _in_percent(*shares: float) -> list[str]:
    return [f"{100 * share:.2f}" for share in shares]


# called with how many fits are done, how many there are, and the next one's name
Watch = Callable[[int, int, str], Any]


def compare(
    X: Any,
    y: Any,
    *,
    folds: int = 5,
    fit_intercept: bool = True,
    class_weight: Any = None,
    random_state: int = 0,
    others: Mapping[str, Any] | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Compare the members and steps of the family on your data, under cross-validation.

    Each learns in 10 passes (the linear unit in 100 of all rows) with parameters that fit the scale of the rows, and is
    tested on the fold that it has not seen. It is a first look: `rosenblatt tune`, or a search of scikit-learn, goes on
    from the best. Scale columns of different units first (`TableEncoding(standardise=True)`, `StandardScaler`).

    Parameters
    ----------
    X, y
        Rows of numbers, dense or sparse, and their labels.
    folds
        How many parts the rows are cut into, each with the same shares of the classes.
    fit_intercept, class_weight
        As in `Perceptron`, for all members that have them.
    random_state
        Seed of the folds and of the orders.
    others
        Classifiers of scikit-learn by name, to compare with on the same folds.
    watch
        Is called before each fit: how many are done, of how many, and the name of the one that comes.

    Returns
    -------
    Comparison
        Prints as a table, draws itself with `plot`; `best` has the parameters to train with.

    Raises
    ------
    ValueError
        If there is only one class, or there are fewer rows than folds, or labels are numbers to be predicted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from rosenblatt import Perceptron, compare
    >>> X, y = load_iris(return_X_y=True)
    >>> found = compare(X, y)
    >>> found.majority.error, found.best.error < 0.1
    (0.6666666666666666, True)
    >>> found["AROW"].parameters["step"], round(found["AROW"].error, 2)
    ('arow', 0.05)
    """
    X_given, X = X, without_duplicates(as_rows(X))
    core_rows(X)  # raises an error unless all values are finite, before anything is trained
    classes, numbers = encode(y)
    if len(numbers) != X.shape[0]:
        raise ValueError(f"expected a label for each of the {X.shape[0]} rows, found {len(numbers)}")
    labels, parts = classes[numbers], stratified_folds(y, folds, random_state)
    defaults = {"fit_intercept": True, "class_weight": None, "random_state": 0}
    chosen = {"fit_intercept": fit_intercept, "class_weight": class_weight, "random_state": random_state}
    settings = {name: value for name, value in chosen.items() if value != defaults[name]}
    family = candidates(X, len(classes), settings)
    names = [*(candidate.name for candidate in family), *(others or {})]
    if len(set(names)) < len(names):
        raise ValueError(f"others: expected names besides {', '.join(names[: len(family)])}")

    answers: list[tuple[Candidate, Array, float]] = []

    def tell(done: int, name: str) -> None:
        if watch is not None:
            watch(len(answers) * folds + done, len(names) * folds, name)

    for candidate in family:
        predicted, seconds = _answers(candidate, X, labels, parts, tell)
        answers.append((candidate, predicted, seconds))
    for name, estimator in (others or {}).items():
        tell(0, name)
        answers.append((Candidate(name, "", {}, estimator), *_answers_of_other(estimator, X_given, labels, parts)))
    wrong = np.array([predicted != labels for _, predicted, _ in answers])
    behind = wrong - wrong[wrong.mean(axis=1).argmin()].astype(int)  # for each row 1, 0 or -1
    level = behind.mean(axis=1) <= 2 * behind.std(axis=1) / np.sqrt(len(labels))
    lines = [
        Line(
            candidate,
            float(wrong[k].mean()),
            float(wrong[k].std() / np.sqrt(len(labels))),
            1 - Confusion.of(labels, predicted, classes).balanced_accuracy,
            seconds,
            bool(level[k]),
        )
        for k, (candidate, predicted, seconds) in enumerate(answers)
    ]
    lines.sort(key=lambda line: line.error)  # of equal ones the first stays first: it is the simplest
    left_out = (
        []
        if X.shape[0] <= KERNEL_ROWS
        else [f"kernel, rbf: more than {KERNEL_ROWS:,} rows take long; try KernelPerceptron by itself"]
    )
    return Comparison(lines, Majority.of(y), len(labels), classes.tolist(), folds, random_state, left_out)


def _answers(
    candidate: Candidate, X: Any, labels: Array, parts: list[Fold], tell: Callable[[int, str], None]
) -> tuple[Array, float]:
    """The answer to each row by the model that has not seen it, and the seconds of a training."""
    member, seconds = MEMBERS[candidate.kind], 0.0
    parameters, fit = member.load("parameters").of(**candidate.parameters), member.load("fit")
    answers = np.empty_like(labels)
    for fold, (learned, tested) in enumerate(parts):
        tell(fold, candidate.name)
        rows, y = X[learned], labels[learned]
        start = time.perf_counter()
        model, _ = fit(parameters, rows, y)
        seconds += time.perf_counter() - start
        answers[tested] = model.predict(X[tested])
    return answers, seconds / len(parts)


def _answers_of_other(estimator: Any, X: Any, labels: Array, parts: list[Fold]) -> tuple[Array, float]:
    """The answers of an estimator of scikit-learn, and the seconds of a fit."""
    from sklearn.model_selection import cross_val_predict

    start = time.perf_counter()
    answers = cross_val_predict(estimator, X, labels, cv=parts)
    return np.asarray(answers), (time.perf_counter() - start) / len(parts)
