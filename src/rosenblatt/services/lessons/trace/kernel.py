"""A kernel run, visit by visit: the score, whether it was a mistake, and the lectures' alpha after it.

It is plain.py that runs, with a kernel: s = sum of alpha_j y_j k(x_j, x), and a mistake on example i adds eta to
alpha_i. For tables of a lecture's size; `KernelPerceptron` runs the same in blocks.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

from rosenblatt import plain
from rosenblatt.base.inputs import exact as as_exact
from rosenblatt.base.labels import encode, with_positive
from rosenblatt.services.lessons.trace.numbers import LONG_VECTOR, quantity, short_number, vector
from rosenblatt.services.lessons.trace.run import checked_order
from rosenblatt.services.lessons.trace.table import SHOWN, lines_of, shorten

HEADS = ("pass", "example", "y", "score", "mistake", "alpha after", "k")


class KernelVisit(NamedTuple):
    """In pass `pass_`, from 1, row `row` of X, from 0; `alpha` after it, one entry a row; `k` mistakes so far."""

    pass_: int
    row: int
    y: int
    score: Any
    mistake: bool
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
    """

    visits: tuple[KernelVisit, ...]
    mistakes: tuple[int, ...]
    converged: bool

    @property
    def alpha(self) -> tuple[Any, ...]:
        """The coefficients after the last visit."""
        return self.visits[-1].alpha

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
        passes = quantity(len(self.mistakes), "pass")
        end = f"{self._state}: {quantity(sum(self.mistakes), 'mistake')} in {passes}; alpha = {_vector(self.alpha)}"
        return "\n".join([*rows, end])

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
    max_iter: int = 1000,
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
    row_order
        The rows of X that each pass visits, counted from 0.
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
    _, number = with_positive(classes, number, positive)
    numbers = as_exact([gamma, coef0, margin, eta0], "gamma, coef0, margin, eta0", as_decimal=as_decimal)
    points = as_exact(X, "X", as_decimal=as_decimal)
    if not exact:
        numbers, points = numbers.astype(float), points.astype(float)
    if points.ndim != 2 or len(points) != len(number):
        raise ValueError(f"X must have one row for each of the {len(number)} labels, got shape {points.shape}")
    gamma, coef0, margin, eta0 = numbers.tolist()
    rows = [tuple(row) for row in points.tolist()]
    value = cache(kernel if callable(kernel) else _kernel(kernel, gamma, coef0, degree))
    signs = [1 if c else -1 for c in number.tolist()]
    visited = list(range(len(rows))) if row_order is None else checked_order(row_order, len(rows)).tolist()
    if not visited:
        raise ValueError(f"row_order must have a row; got {row_order!r}")
    run = plain.run(rows, signs, kernel=value, tie=tie, margin=margin, eta0=eta0, order=visited, max_iter=max_iter)
    steps = {visit: tau for visit, _, _, tau in run.events}
    alpha, visits, k = [0 * eta0] * len(rows), list[KernelVisit](), 0
    for visit in range(len(run.after)):
        i = visited[visit % len(visited)]
        score = sum(a * sign * value(x, rows[i]) for a, sign, x in zip(alpha, signs, rows, strict=True) if a)
        if visit in steps:
            alpha[i] += steps[visit] * signs[i]
            k += 1
        pass_ = visit // len(visited) + 1
        visits.append(KernelVisit(pass_, i, signs[i], score, visit in steps, tuple(alpha), k))
    return KernelTrace(tuple(visits), tuple(run.mistakes), run.converged)


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
