"""What `compare` has found: a line for each candidate, the best first; as a table, a picture, and JSON."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rosenblatt.services.comparison.candidates import Candidate
from rosenblatt.services.comparison.confusion import Majority

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
        """Of the candidate."""
        return self.candidate.name

    @property
    def parameters(self) -> dict[str, Any]:
        """What its class is made with."""
        return self.candidate.parameters

    @property
    def code(self) -> str:
        """What makes it in Python."""
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
        """For JSON."""
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
