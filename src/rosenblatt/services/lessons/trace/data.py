"""A trace as data: one column for each thing that happens at a visit, and the same visit by visit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, NamedTuple, overload

import numpy as np

from rosenblatt import plain
from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_float_table, as_table, exact
from rosenblatt.base.labels import answers
from rosenblatt.base.rows import as_type, core_rows, core_weights, score
from rosenblatt.services.lessons.trace import table as lecture_table
from rosenblatt.services.lessons.trace.numbers import DIGITS
from rosenblatt.services.lessons.trace.table import SHOWN, html, latex


def scores_of(X: Any, weights: Array, parameters: dict[str, Any]) -> Array:
    """The scores of further rows, (rows, 1 or classes): the core's, or exact as the trace was."""
    constant, as_decimal = int(parameters["fit_intercept"]), parameters["as_decimal"]
    rows = as_table(exact(X, "X", as_decimal=as_decimal)) if parameters["exact"] else as_float_table(X)
    if rows.shape[1] != weights.shape[1] - constant:
        raise ValueError(f"X must have {weights.shape[1] - constant} features, as in the trace; got {rows.shape[1]}")
    if parameters["exact"]:
        scaling = exact(parameters["intercept_scaling"], "intercept_scaling", as_decimal=as_decimal)
        x = np.column_stack([np.full((len(rows), constant), scaling[()], dtype=object), rows])
        return np.array([[plain.dot(w, row) for w in weights] for row in x], dtype=object)
    bias = float(parameters["intercept_scaling"]) * constant
    w = core_weights(weights[:, constant:], weights[:, 0] if constant else 0, 1.0)
    return score(core_rows(as_type(rows, weights.dtype)), w, len(weights), bias)


class Frame(NamedTuple):
    """One visit; the names are those of the columns of a `Trace`."""

    visit: int
    pass_: int
    row: int
    x: Array
    y: int
    label: Any
    score: Any
    prediction: int
    mistake: bool
    reason: str
    before: Array
    after: Array
    norm: float
    k: int


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """What happened, visit by visit: data that prints, saves, plots and replays.

    `run[3]` is one visit, a `Frame`; `run[:4]` is a trace of some; a loop goes through all. Columns have one entry a
    visit. Numbers are floats as the core has them, or ints and Fractions if exact. Here and in JSON `row` is one of X,
    counted from 0; tables for people, CSV files among them, have `example` instead, counted from 1 as in the lectures.

    Attributes
    ----------
    visit, pass_ : counted from 1
    row : of X, counted from 0
    x : (visits, features), the constant feature first
    y : -1 or +1 for two classes, class numbers for more
    label : the same as the user's labels
    score : w.x before the visit: (visits,), or (visits, classes) for more than two
    prediction : what the score says, with sign(0) as `tie` has it; in the numbers of y
    mistake : whether the rule fired. With tie="mistake" it does so at a score of 0, where the prediction may be right.
    reason : why: "first step" (w is still the zero start), "on the line", "wrong side", "within the margin", "w = 0" (w
        has come back to zero); "" if it was no mistake
    before, after : (visits, 1 or classes, features), the weights before and after the visit; all visits of a batch have
        the same
    norm : the length of the weights after
    k : updates so far, this visit's too
    start, weights : the weights before the first visit of the run, and after the last
    classes : the labels, sorted; of two the one that is +1 last
    mistakes, converged : the mistakes of each pass, whether the last pass was clean
    n_updates : how often the weights changed; a batch changes them once
    conventions, ending : one line with all that a marker must know, and one that says how the run ended
    parameters : those of the run, by name; `trace(run.X, run.labels, **run.parameters)` is the same run
    X, labels : the data as given

    Examples
    --------
    >>> from rosenblatt import trace
    >>> from rosenblatt.data.lectures import AND
    >>> run = trace(*AND)
    >>> run
    Trace(36 visits, 18 updates, converged)
    >>> run.updates.after[:4, 0].astype(int).tolist()
    [[-1, 0, 0], [0, 1, 1], [-1, 1, 1], [-2, 1, 0]]

    With sign(0) = -1 only 7 of the 18 updates follow a wrong prediction; the others were on the line:

    >>> int(run.mistake.sum()), int((run.prediction != run.y).sum())
    (18, 7)
    """

    visit: Array
    pass_: Array
    row: Array
    x: Array
    y: Array
    label: Array
    score: Array
    prediction: Array
    mistake: Array
    reason: Array
    before: Array
    after: Array
    norm: Array
    k: Array
    start: Array
    weights: Array
    classes: Array
    mistakes: Array
    converged: bool
    n_updates: int
    conventions: str
    ending: str
    parameters: dict[str, Any]
    X: Any
    labels: Any

    def __len__(self) -> int:
        return len(self.visit)

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: "slice | Array") -> "Trace": ...
    def __getitem__(self, index: "int | slice | Array") -> "Frame | Trace":
        columns = {name: getattr(self, name)[index] for name in Frame._fields}
        return Frame(**columns) if isinstance(index, int | np.integer) else replace(self, **columns)

    def __iter__(self) -> Iterator[Frame]:
        return self.frames()

    def frames(self) -> Iterator[Frame]:
        """One visit after the other."""
        return (self[i] for i in range(len(self)))

    @property
    def updates(self) -> "Trace":
        """The visits that changed the weights: all mistakes."""
        return self[self.mistake]

    def table(
        self, columns: Sequence[str] | None = None, *, updates_only: bool = False, digits: int | None = DIGITS
    ) -> str:
        """The lecture's table as plain text.

        Parameters
        ----------
        columns
            Some of visit, pass, example, x, y, label, score, prediction, mistake, why, before, after, norm, k.
        updates_only
            Whether to leave out the visits that changed nothing.
        digits
            Of numbers that are not whole; None: as many as give the number back.

        Examples
        --------
        >>> from rosenblatt import trace
        >>> from rosenblatt.data.lectures import CMU
        >>> run = trace(*CMU, fit_intercept=False, tie="positive")
        >>> print(run.table(["example", "score", "why", "after"], updates_only=True))  # doctest: +NORMALIZE_WHITESPACE
        labels -1, +1; no constant feature; start w = (0, 0); eta = 1; listed order;
            mistake: y s < 0, or y s = 0 and y = -1; stop at the first clean pass
        example  score  why          weights after
              1      0  first step   (1, -2)
              3     -1  wrong side   (2, -1)
              5      0  on the line  (3,  1)
        pass 2 is clean: converged after 12 visits, 3 mistakes; w = (3, 1)
        """
        return lecture_table.text(self.updates if updates_only else self, columns, digits=digits)

    def to_csv(
        self,
        path: str | PathLike[str] | None = None,
        columns: Sequence[str] | None = None,
        *,
        digits: int | None = DIGITS,
    ) -> str | None:
        """All visits, a column a number, `w1` for one of the weights after; to a file, or as text without `path`.

        With `digits=None` numbers have as many digits as give them back.

        >>> from rosenblatt import trace
        >>> from rosenblatt.data.lectures import CMU
        >>> run = trace(*CMU, fit_intercept=False, exact=True, max_visits=3)
        >>> print(run.to_csv(columns=["example", "score", "after"]))
        example,score,w1,w2
        1,0,1,-2
        2,1,1,-2
        3,-1,2,-1
        <BLANKLINE>
        """
        return lecture_table.save(path, lecture_table.csv_text(self, columns, digits=digits))

    def to_json(self, path: str | PathLike[str] | None = None) -> str | None:
        """All columns by their names here, all digits, Fractions as text, and the facts; to a file, or as text."""
        return lecture_table.save(path, lecture_table.json_text(self, Frame._fields))

    def to_latex(
        self,
        path: str | PathLike[str] | None = None,
        columns: Sequence[str] | None = None,
        *,
        digits: int | None = DIGITS,
    ) -> str | None:
        r"""The table as a LaTeX tabular that needs no package; to a file, or as text without `path`.

        >>> from rosenblatt import trace
        >>> from rosenblatt.data.lectures import CMU
        >>> run = trace(*CMU, fit_intercept=False, max_visits=1)
        >>> print(run.to_latex(columns=["example", "why", "after"]))  # doctest: +ELLIPSIS
        % labels -1, +1; ...
        \begin{tabular}{rll}
        \hline
        example & why & weights after \\
        \hline
        $1$ & first step & $(1, -2)$ \\
        \hline
        \end{tabular}
        % not converged: ...
        """
        return lecture_table.save(path, latex(self, columns, digits=digits))

    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        columns: Sequence[str] | None = None,
        *,
        digits: int | None = DIGITS,
    ) -> str | None:
        """The table as an HTML table with its style, in ASCII; to a file, or as text without `path`."""
        return lecture_table.save(path, html(self, columns, digits=digits))

    def predict(self, X: Any) -> Array:
        """The labels of further rows, by the weights after the last visit of the run.

        >>> from rosenblatt import trace
        >>> from rosenblatt.data.lectures import AND
        >>> trace(*AND).predict([[2, 2], [-1, 1]])
        array([ 1, -1])
        """
        scores = scores_of(X, self.weights, self.parameters)
        decision = scores[:, 0] if len(self.classes) == 2 else scores
        return np.asarray(self.classes[answers(decision, self.parameters["tie"])])

    def __repr__(self) -> str:
        ended = "converged" if self.converged else "not converged"
        return f"Trace({len(self)} visits, {self.n_updates} updates, {ended})"

    def __str__(self) -> str:
        return lecture_table.text(self, limit=SHOWN)

    def _repr_html_(self) -> str:
        return html(self, limit=SHOWN)
