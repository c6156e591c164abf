"""What is worth trying, a candidate for each member and step and the values that `tune` tries, and on which folds.

C, r and margins are in units of the mean squared length of a row with its constant feature, in which the same values
are good for any data: rows of length 100 want C and 1/r 10,000 times smaller. (The page "Choosing a member" has what
was measured.)
"""

import warnings
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import Matrix, SparseRows
from rosenblatt.members import MEMBERS
from rosenblatt.members.kernel.values import resolve_gamma

PASSES = 10
UNIT_PASSES = 100  # passes over all rows at once are short, so that there can be more
KERNEL_ROWS = 10_000  # five trainings take some ten seconds; from here on four times as long for twice the rows

Grid = dict[str, list[Any]]


class Candidate(NamedTuple):
    """A member with its parameters, by the name of its line; or an estimator of somebody else, which has no kind."""

    name: str
    kind: str
    parameters: dict[str, Any]
    estimator: Any = None

    @property
    def code(self) -> str:
        """The Python code that makes the candidate."""
        if self.estimator is not None:
            return repr(self.estimator)
        return f"{self.kind}({', '.join(f'{name}={value!r}' for name, value in self.parameters.items())})"


def candidates(X: Matrix, n_classes: int, settings: Mapping[str, Any]) -> list[Candidate]:
    """The family on these rows; `settings` are the parameters that all members have that know them."""
    unit = squared_length(X, constant=settings.get("fit_intercept", True))
    tried = [
        Candidate("perceptron, last weights", "Perceptron", {"step": "perceptron", "readout": "last"}),
        Candidate("perceptron", "Perceptron", {"step": "perceptron"}),
        Candidate("perceptron with margin", "Perceptron", {"step": "perceptron", "margin": _round(unit)}),
        Candidate("passive-aggressive I", "Perceptron", {"step": "pa1", "C": _round(0.3 / unit)}),
        Candidate("passive-aggressive II", "Perceptron", {"step": "pa2", "C": _round(0.3 / unit)}),
        Candidate("AROW", "Perceptron", {"step": "arow", "r": _round(0.1 * unit)}),
        Candidate("AROW, smaller steps", "Perceptron", {"step": "arow", "r": _round(3 * unit)}),
    ]
    if n_classes > 2:
        arow = {"step": "arow", "r": _round(unit), "multiclass": "one-vs-rest"}
        tried.append(Candidate("AROW, one-vs-rest", "Perceptron", arow))
    if X.shape[0] <= KERNEL_ROWS:
        tried.append(Candidate("kernel, rbf", "KernelPerceptron", {"kernel": "rbf", "margin": 0.3}))
    tried.append(Candidate("linear unit", "LinearUnitClassifier", {"max_iter": UNIT_PASSES}))
    run = {"readout": "average", "max_iter": PASSES}
    return [
        Candidate(
            line,
            kind,
            {
                **({} if kind == "LinearUnitClassifier" else run),
                **parameters,
                **{
                    word: value
                    for word, value in settings.items()
                    if word in MEMBERS[kind].load("parameters").declarations()
                },
            },
        )
        for line, kind, parameters, _ in tried
    ]


def grids(kind: str, parameters: Mapping[str, Any], X: Matrix) -> list[Grid]:
    """The values to try of the parameters that are not given: grids, one a step for the perceptron.

    >>> grids("Perceptron", {"step": "arow", "max_iter": 5}, np.eye(2))
    [{'readout': ['average'], 'r': [0.2, 2.0, 20.0]}]
    """
    result = _of_the_kernel(parameters, X) if kind == "KernelPerceptron" else _of_the_perceptron(parameters, X)
    if parameters.get("early_stopping") or parameters.get("tol") is not None:  # these decide how many passes are made
        parameters = {**parameters, "max_iter": None}
    left = [{name: values for name, values in grid.items() if name not in parameters} for grid in result]
    return [grid for place, grid in enumerate(left) if grid not in left[:place]]


def _of_the_perceptron(parameters: Mapping[str, Any], X: Matrix) -> list[Grid]:
    unit = squared_length(X, constant=parameters.get("fit_intercept", True))
    steps: list[tuple[str, Grid]] = [
        ("perceptron", {"readout": ["last", "average"]}),
        ("perceptron", {"readout": ["average"], "margin": [_round(0.3 * unit), _round(3 * unit)]}),
        ("pa", {"readout": ["last", "average"]}),
        ("pa1", {"readout": ["average"], "C": [_round(factor / unit) for factor in (0.03, 0.3, 3)]}),
        ("pa2", {"readout": ["average"], "C": [_round(factor / unit) for factor in (0.03, 0.3, 3)]}),
        ("arow", {"readout": ["average"], "r": [_round(factor * unit) for factor in (0.1, 1, 10)]}),
    ]
    tried = [parameters["step"]] if "step" in parameters else _steps_with(parameters)
    return [{"step": [step], **grid, "max_iter": [1, 3, 10]} for step, grid in steps if step in tried]


def _steps_with(parameters: Mapping[str, Any]) -> Collection[str]:
    """The steps to try that go with what is given."""
    if parameters.get("batch_size", 1) != 1:
        return ["perceptron"]
    # AROW changes the weights in another direction than the row's, so that it cannot vote or keep mistakes
    one_row = parameters.get("readout") == "vote" or parameters.get("keep_mistakes")
    return ["perceptron", "pa1"] if one_row else ["perceptron", "pa1", "arow"]


def _of_the_kernel(parameters: Mapping[str, Any], X: Matrix) -> list[Grid]:
    kernel, gamma = parameters["kernel"], resolve_gamma("scale", X)
    gammas = [float(f"{factor * gamma:.2g}") for factor in (0.1, 1, 10)]
    of_the_kernel: dict[str, Grid] = {
        "rbf": {"gamma": gammas, "margin": [0.0, 0.3]},
        "poly": {"degree": [2, 3], "gamma": ["scale"], "coef0": [0.0, 1.0]},
        "sigmoid": {"gamma": gammas},
        "linear": {"readout": ["last", "average"]},
    }
    return [{**of_the_kernel[kernel], "max_iter": [3, 10]}]


def squared_length(X: Matrix, *, constant: bool) -> float:
    """The mean squared length of a row; 1 for rows of zeros.

    >>> squared_length(np.array([[3.0, 4.0], [0.0, 0.0]]), constant=True)
    13.5
    """
    values = (X.data if isinstance(X, SparseRows) else X).astype(np.float64, copy=False)
    return float(np.square(values).sum() / X.shape[0]) + constant or 1.0


def _round(value: float) -> float:
    """To one digit: what is typed is short, and more digits would say nothing."""
    return float(f"{value:.1g}")


Fold = tuple[Array, Array]  # the rows to learn from, and those to test on


def stratified_folds(y: Any, folds: int, seed: Any) -> list[Fold]:
    """The folds of labels, or a `ValueError` that says why they cannot be cut.

    >>> [test.tolist() for _, test in stratified_folds(["a", "a", "b", "b"], 2, 0)]
    [[1, 2], [0, 3]]
    """
    from sklearn.model_selection import StratifiedKFold

    classes, numbers = encode(y)
    counts = np.bincount(numbers, minlength=len(classes))
    if len(classes) < 2:
        raise ValueError(f"expected labels of at least 2 classes, found only {classes.tolist()[0]!r} in all rows")
    if len(numbers) < folds:
        raise ValueError(f"folds={folds}: expected at least as many rows, found {len(numbers)}")
    if counts.max() < folds:
        raise ValueError(
            f"folds={folds}: expected a class with at least as many rows, found {len(classes)} classes in "
            f"{len(numbers)} rows; take fewer folds, or, if the labels are numbers to be predicted, LinearUnit "
            "(rosenblatt train --unit)"
        )
    if np.sort(counts)[-2] < 2:
        raise ValueError("expected at least 2 rows of at least 2 classes: else a fold has only one class to learn from")
    if counts.min() < folds:
        label, n_rows = classes[counts.argmin()].item(), int(counts.min())
        message = f"{label!r} has {n_rows} rows, fewer than the {folds} folds: some folds have none to test on"
        warnings.warn(message, stacklevel=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # our own warning above names the label
        parts = StratifiedKFold(folds, shuffle=True, random_state=seed).split(np.zeros(len(numbers)), numbers)
        return list(parts)
