"""A kernel run, visit by visit: the score, whether it was a mistake, and the lectures' alpha after it.

The rule of plain.py with a kernel: s = sum of alpha_j y_j k(x_j, x), and a mistake on example i adds eta to alpha_i.
For tables of a lecture's size; `KernelPerceptron` runs the same in blocks.
"""

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from rosenblatt import _core, plain
from rosenblatt.base.inputs import exact as as_exact
from rosenblatt.base.labels import encode, with_positive
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.randomness import random_state as random_of
from rosenblatt.services.lessons.trace.numbers import DIGITS, LONG_VECTOR, quantity, short_number, vector
from rosenblatt.services.lessons.trace.run import ENDLESS, PICKS, checked_order, reason_of
from rosenblatt.services.lessons.trace.setting import kernel_conventions
from rosenblatt.services.lessons.trace.table import SHOWN, TraceColumn, csv_of, latex_of, lines_of, save, shorten

HEADS = ("pass", "example", "y", "score", "mistake", "alpha after", "k")


class KernelVisit(NamedTuple):
    """In pass `pass_`, from 1, row `row` of X, from 0; `alpha` after it, one entry a row; `k` mistakes so far."""

    pass_: int
    row: int
    y: int
    score: Any
    mistake: bool
    reason: str
    alpha: tuple[Any, ...]
    k: int


@dataclass(frozen=True, eq=False, repr=False)
class KernelTrace:
    """The visits of a kernel run. A loop goes through them. Printed tables count examples from 1.

    Attributes
    ----------
    visits : one `KernelVisit` each
    mistakes : of each pass
    converged : whether the last pass was clean
    conventions : in one line, what decides the run
    """

    visits: tuple[KernelVisit, ...]
    mistakes: tuple[int, ...]
    converged: bool
    conventions: str

    @property
    def alpha(self) -> tuple[Any, ...]:
        """The coefficients after the last visit."""
        return self.visits[-1].alpha

    @property
    def ending(self) -> str:
        """How the run ended."""
        passes = quantity(len(self.mistakes), "pass")
        return f"{self._state}: {quantity(sum(self.mistakes), 'mistake')} in {passes}; alpha = {_vector(self.alpha)}"

    def __len__(self) -> int:
        return len(self.visits)

    def __iter__(self) -> Iterator[KernelVisit]:
        return iter(self.visits)

    def __repr__(self) -> str:
        return f"KernelTrace({self._state}: {quantity(len(self), 'visit')}, {quantity(sum(self.mistakes), 'mistake')})"

    def __str__(self) -> str:
        return self.table(limit=SHOWN)

    def table(self, *, limit: int | None = None) -> str:
        """All visits, or of more than `limit` the first and the last; examples are counted from 1."""
        half, left_out = shorten(len(self), limit, "visit")
        shown = [*self.visits[:half], *self.visits[len(self) - half :]] if left_out else self.visits
        columns = zip(HEADS, *map(_cells, shown), strict=True)
        rows = lines_of(((True, list(column)) for column in columns), half, left_out)
        return "\n".join([*rows, self.ending])

    def to_csv(self, path: "str | os.PathLike[str] | None" = None, *, digits: int | None = DIGITS) -> str | None:
        """Write a line a visit, with a column for the alpha of each example; without a path, return the text.

        >>> from rosenblatt.data.lectures import XOR
        >>> run = trace_kernel(*XOR, kernel="poly", degree=2, coef0=1, max_iter=1)
        >>> print(run.to_csv().splitlines()[2])
        2,1,2,1,-1,yes,wrong side,1,1,0,0,2
        """
        return save(path, csv_of(self._columns(digits), digits))

    def to_latex(self, path: "str | os.PathLike[str] | None" = None, *, digits: int | None = DIGITS) -> str | None:
        """Write a tabular that needs no package; without a path, return the text."""
        return save(path, latex_of(self._columns(digits)[1:], self.conventions, self.ending))

    def to_json(self, path: "str | os.PathLike[str] | None" = None) -> str | None:
        """Write all columns, rows counted from 0, for programs; without a path, return the text."""
        columns = {name: [getattr(visit, name) for visit in self] for name in KernelVisit._fields}
        facts = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "visits"}
        return save(path, json.dumps({"schema": 1, **facts, "columns": columns}, default=str) + "\n")

    def _columns(self, digits: int | None) -> list[TraceColumn]:
        n_rows = len(self.alpha)
        singles = {
            "visit": range(1, len(self) + 1),
            "pass": [visit.pass_ for visit in self],
            "example": [visit.row + 1 for visit in self],
            "y": [visit.y for visit in self],
            "score": [visit.score for visit in self],
            "mistake": ["yes" if visit.mistake else "no" for visit in self],
            "why": [visit.reason for visit in self],
        }
        out = [TraceColumn(name, [name], [[v] for v in values], digits=digits) for name, values in singles.items()]
        parts = [f"alpha{i + 1}" for i in range(n_rows)]
        alpha = TraceColumn("alpha", parts, [list(visit.alpha) for visit in self], n_rows, digits)
        return [*out, alpha, TraceColumn("k", ["k"], [[visit.k] for visit in self], digits=digits)]

    @property
    def _state(self) -> str:
        return "converged" if self.converged else "not converged"


def trace_kernel(
    X: Any,
    y: Any,
    *,
    kernel: Literal["linear", "poly", "rbf"] | Callable[[Any, Any], Any],
    gamma: Any = 1,
    coef0: Any = 0,
    degree: int = 3,
    tie: Literal["mistake", "positive", "negative"] = "mistake",
    margin: Any = 0,
    eta0: Any = 1,
    positive: Any = None,
    row_order: Sequence[int] | None = None,
    first_row: int = 0,
    pick: Literal["first-wrong", "worst-wrong"] | None = None,
    shuffle: bool = False,
    random_state: Any = 0,
    max_iter: int = 1000,
    max_visits: int | None = None,
    exact: bool = False,
    as_decimal: bool = False,
) -> KernelTrace:
    """Run a kernel perceptron and record every visit.

    Parameters
    ----------
    X, y
        Rows, and labels of two classes.
    kernel, gamma, coef0, degree, tie, margin, eta0, max_iter
        As for `KernelPerceptron`, numbers only. A callable gets two rows, and gives a number.
    positive
        Which of the labels is +1. None: the second in sorted order.
    row_order, first_row, pick, max_visits
        As for `trace`: which rows a pass visits, and the most visits.
    shuffle, random_state
        Whether each pass takes the rows in a new random order, the one that `trace` takes.
    exact, as_decimal
        Ints and Fractions in place of floats, as for `trace`; not for rbf, whose values are no fractions.

    Examples
    --------
    The lectures' dual run on AND, where the constant feature is coef0=1, and XOR with a quadratic kernel:

    >>> from rosenblatt.data.lectures import AND, XOR
    >>> from rosenblatt.services.lessons.trace.kernel import trace_kernel
    >>> trace_kernel(*AND, kernel="linear", coef0=1, exact=True).alpha
    (2, 5, 4, 7)
    >>> print(trace_kernel(*XOR, kernel="poly", degree=2, coef0=1, max_iter=1, exact=True))
    pass  example   y  score  mistake   alpha after  k
       1        1  -1      0      yes  (1, 0, 0, 0)  1
       1        2  +1     -1      yes  (1, 1, 0, 0)  2
       1        3  +1      0      yes  (1, 1, 1, 0)  3
       1        4  -1      7      yes  (1, 1, 1, 1)  4
    not converged: 4 mistakes in 1 pass; alpha = (1, 1, 1, 1)
    """
    if exact and kernel == "rbf":
        raise ValueError("exact=True: the values of kernel='rbf' are no fractions; use 'linear' or 'poly'")
    if kernel not in ("linear", "poly", "rbf") and not callable(kernel):
        raise ValueError(f"kernel must be 'linear', 'poly', 'rbf' or a callable, got {kernel!r}")
    if as_decimal and not exact:
        raise ValueError("as_decimal=True goes with exact=True")
    classes, number = encode(y)
    if len(classes) != 2:
        raise ValueError(f"y must be of two classes, got {len(classes)}: {classes.tolist()}")
    classes, number = with_positive(classes, number, positive)
    numbers = as_exact([gamma, coef0, margin, eta0], "gamma, coef0, margin, eta0", as_decimal=as_decimal)
    points = as_exact(X, "X", as_decimal=as_decimal)
    if not exact:
        numbers, points = numbers.astype(float), points.astype(float)
    if points.ndim != 2 or len(points) != len(number):
        raise ValueError(f"X must have one row for each of the {len(number)} labels, got shape {points.shape}")
    gamma, coef0, margin, eta0 = numbers.tolist()
    rows = [tuple(row) for row in points.tolist()]
    formula = "the callable" if callable(kernel) else _formula(kernel, gamma, coef0, degree)
    value = cache(kernel if callable(kernel) else _kernel(kernel, gamma, coef0, degree))
    signs = [1 if c else -1 for c in number.tolist()]
    orders = _orders(len(rows), row_order, first_row, random_state, pick=pick, shuffle=shuffle)
    alpha, visits, mistakes, converged = [0 * eta0] * len(rows), list[KernelVisit](), list[int](), False

    def look(i: int) -> tuple[Any, Any, bool]:
        score = sum(a * sign * value(x, rows[i]) for a, sign, x in zip(alpha, signs, rows, strict=True) if a)
        gap, wins_tie, _ = plain.binary([score], signs[i], tie)[0]
        return score, gap, plain.is_mistake(gap, wins_tie, margin, "perceptron")

    k, most = 0, ENDLESS if max_visits is None else max_visits
    while len(mistakes) < max_iter and not converged and len(visits) < most:
        visited = orders(len(mistakes))
        if pick is not None:
            looked = {i: look(i) for i in visited}
            wrong = [i for i in visited if looked[i][2]]
            visited = (wrong if pick == "first-wrong" else sorted(wrong, key=lambda i: looked[i][1]))[:1]
        mistakes.append(0)
        before = len(visits)
        for i in visited[: most - len(visits)]:
            score, gap, mistake = look(i)
            reason = reason_of(gap, zero=not any(alpha), k=k + 1) if mistake else ""
            if mistake:
                alpha[i] += eta0
                mistakes[-1] += 1
                k += 1
            visits.append(KernelVisit(len(mistakes), i, signs[i], score, mistake, reason, tuple(alpha), k))
        converged = not mistakes[-1] and len(visits) - before == len(visited)
    chosen = {"margin": margin, "tie": tie, "eta0": eta0, "step": "perceptron", "max_iter": max_iter}
    order = {"row_order": row_order, "first_row": first_row, "pick": pick, "shuffle": shuffle}
    chosen |= {
        "max_visits": max_visits,
        "random_state": random_state,
        "exact": exact,
        "as_decimal": as_decimal,
        **order,
    }
    conventions = kernel_conventions(classes.tolist(), formula, chosen)
    return KernelTrace(tuple(visits), tuple(mistakes), converged, conventions)


def _orders(
    n_rows: int, row_order: Any, first_row: Any, random_state: Any, *, pick: str | None, shuffle: bool
) -> Callable[[int], list[int]]:
    """What gives the rows of each pass, counted from 0."""
    if pick is not None and pick not in PICKS:
        raise ValueError(f"pick must be one of {', '.join(map(repr, PICKS))} or None; got {pick!r}")
    if shuffle and (pick is not None or row_order is not None or first_row):
        raise ValueError("shuffle=True makes an order of its own: leave out row_order, first_row and pick, or shuffle")
    if row_order is not None and first_row:
        raise ValueError(f"row_order says where a pass begins: leave out first_row; got first_row={first_row!r}")
    if not (isinstance(first_row, int | np.integer) and 0 <= first_row < n_rows):
        raise ValueError(f"first_row must be a row of X, from 0 to {n_rows - 1}; got {first_row!r}")
    if shuffle:
        seed = drawn_seed(random_of(random_state))
        return lambda number: list(_core.order(n_rows, seed=seed, pass_number=number))
    rows = np.roll(np.arange(n_rows), -first_row) if row_order is None else checked_order(row_order, n_rows)
    if not len(rows):
        raise ValueError(f"row_order must have a row; got {row_order!r}")
    listed: list[int] = rows.tolist()
    return lambda _: listed


def _formula(kind: str, gamma: Any, coef0: Any, degree: int) -> str:
    by, plus = ("" if gamma == 1 else f"{short_number(gamma)} "), f" + {short_number(coef0)}" if coef0 else ""
    if kind == "linear":
        return f"x.x'{plus}"
    return f"({by}x.x'{plus})^{degree}" if kind == "poly" else f"exp(-{by}|x - x'|^2)"


def _kernel(kind: str, gamma: Any, coef0: Any, degree: int) -> Callable[[Any, Any], Any]:
    if kind == "linear":
        return lambda a, b: plain.dot(a, b) + coef0
    if kind == "poly":
        return lambda a, b: (gamma * plain.dot(a, b) + coef0) ** degree
    return lambda a, b: math.exp(-gamma * sum((p - q) ** 2 for p, q in zip(a, b, strict=True)))


def _cells(visit: KernelVisit) -> tuple[str, ...]:
    mistake = "yes" if visit.mistake else "no"
    counts = str(visit.pass_), str(visit.row + 1), f"{visit.y:+d}"
    return (*counts, short_number(visit.score), mistake, _vector(visit.alpha), str(visit.k))


def _vector(alpha: tuple[Any, ...]) -> str:
    return vector(alpha, LONG_VECTOR)
