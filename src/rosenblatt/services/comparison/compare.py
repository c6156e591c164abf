"""`compare`: the family under cross-validation, all candidates on the same folds."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import as_rows, core_rows, without_duplicates
from rosenblatt.members import MEMBERS
from rosenblatt.services.comparison.candidates import KERNEL_ROWS, Candidate, candidates
from rosenblatt.services.comparison.confusion import Confusion, Majority
from rosenblatt.services.comparison.folds import Fold, stratified_folds
from rosenblatt.services.comparison.result import Comparison, Line

Watch = Callable[[int, int, str], Any]  # is told how many fits are done, of how many, and which comes


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
    core_rows(X)  # finite, before anything is trained
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
        found, seconds = _answers(candidate, X, labels, parts, tell)
        answers.append((candidate, found, seconds))
    for name, estimator in (others or {}).items():
        tell(0, name)
        answers.append((Candidate(name, "", {}, estimator), *_answers_of_other(estimator, X_given, labels, parts)))
    wrong = np.array([found != labels for _, found, _ in answers])
    behind = wrong - wrong[wrong.mean(axis=1).argmin()].astype(int)  # of each row: 1, 0 or -1
    level = behind.mean(axis=1) <= 2 * behind.std(axis=1) / np.sqrt(len(labels))
    lines = [
        Line(
            candidate,
            float(wrong[k].mean()),
            float(wrong[k].std() / np.sqrt(len(labels))),
            1 - Confusion.of(labels, found, classes).balanced_accuracy,
            seconds,
            bool(level[k]),
        )
        for k, (candidate, found, seconds) in enumerate(answers)
    ]
    lines.sort(key=lambda line: line.error)  # of equal ones the first: the simplest
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
    """The same of an estimator of scikit-learn."""
    from sklearn.model_selection import cross_val_predict

    start = time.perf_counter()
    answers = cross_val_predict(estimator, X, labels, cv=parts)
    return np.asarray(answers), (time.perf_counter() - start) / len(parts)
