"""What happened, visit by visit: the run of a perceptron as data, which prints the lecture's table of updates.

`trace(X, y)` runs as `Perceptron` does, in the listed order and from zero weights unless told otherwise, and records
every visit. `check` compares a student's table with it.
"""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rosenblatt.base.lazy import lazy
from rosenblatt.services.lessons.trace.data import Frame, Trace
from rosenblatt.services.lessons.trace.run import Given, PlainLearner, columns_of, record, record_exactly, turns_of
from rosenblatt.services.lessons.trace.setting import MAX_ITER, conventions, ending, settle

if TYPE_CHECKING:
    from rosenblatt.services.lessons.trace.answers import Answers, Check

__all__ = ["Check", "Frame", "Trace", "check", "trace"]


# `Check` is imported when it is first used, because a run does not need it.
__getattr__, __dir__ = lazy(__name__, {"Check": "rosenblatt.services.lessons.trace.answers"})


def trace(
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    row_order: Any = None,
    first_row: int = 0,
    pick: Literal["first-wrong", "worst-wrong"] | None = None,
    max_visits: int | None = None,
    exact: bool = False,
    as_decimal: bool = False,
    sample_weight: Any = None,
    **parameters: Any,
) -> Trace:
    """Run a perceptron and record every visit.

    Parameters
    ----------
    X
        As `Perceptron.fit` takes it. With `exact` it may hold Fractions, Decimals, and text such as "1/3".
    y
        Labels of any kind.
    positive
        Which of two labels is +1. None: the second in sorted order.
    row_order
        The rows of X that each pass visits, in this order, counted from 0. They may come more than once, or not at all.
    first_row
        The row of X that each pass begins with, counted from 0, to go round from there: the table's example 1 is row 0.
    pick
        Whether a pass looks at all rows and visits but one: the first that is a mistake, or the one whose y s is the
        smallest. Where no row is a mistake, none is visited, and the run has converged. None: a pass visits all rows.
    max_visits
        The most visits. A batch that would go beyond is cut.
    exact
        Whether to run plain.py in ints and Fractions, not the core in floats. Those of PA, and of AROW most of all,
        grow longer with each update.
    as_decimal
        With `exact`, whether the float 0.1 is 1/10, as it was written, and not the binary number that it is.
    sample_weight
        Scales the steps. A row of weight 0 is not visited.
    **parameters
        Any parameter of `Perceptron`, with its meaning there; so `trace(X, y, **model.get_params())` records what
        `model.fit(X, y)` does. Left out, `shuffle` is False and `max_iter` 1000.

    Examples
    --------
    The first epoch of lecture 002's AND function:

    >>> from rosenblatt import trace
    >>> from rosenblatt.data.lectures import AND
    >>> print(trace(*AND, max_iter=1))  # doctest: +NORMALIZE_WHITESPACE
    labels -1, +1; constant feature 1, first; start w = (0, 0, 0); eta = 1; listed order; mistake: y s <= 0;
        stop at the first clean pass, or after 1 pass
    pass  example  x           y  score  mistake  why         weights after    |w|  k
       1        1  (1, 0, 0)  -1      0  yes      first step  (-1, 0, 0)         1  1
       1        2  (1, 0, 1)  -1     -1  no                   (-1, 0, 0)         1  1
       1        3  (1, 1, 0)  -1     -1  no                   (-1, 0, 0)         1  1
       1        4  (1, 1, 1)  +1     -1  yes      wrong side  ( 0, 1, 1)     1.414  2
    not converged: stopped in pass 1 after 4 visits, 2 mistakes; w = (0, 1, 1)

    Example 2 of lecture 004, exactly: its weights are tenths.

    >>> run = trace([[1, 1], [2, 1]], [-1, 1], init=["-1/10", "1/5", 0], eta0="1/10", exact=True, max_iter=1)
    >>> run.score.tolist(), run.weights.tolist()
    ([Fraction(1, 10), Fraction(-1, 10)], [[Fraction(-1, 10), Fraction(3, 10), 0]])
    """
    parameters = {"shuffle": False, "max_iter": MAX_ITER, **parameters}
    is_number = isinstance(max_visits, int | np.integer) and not isinstance(max_visits, bool)
    if max_visits is not None and not (is_number and max_visits > 0):
        raise ValueError(f"max_visits must be a positive int or None; got {max_visits!r}")
    if as_decimal and not exact:
        raise ValueError("as_decimal=True goes with exact=True: floats of the core are binary")
    if parameters["shuffle"] and (row_order is not None or first_row != 0):
        raise ValueError("shuffle=True makes an order of its own: leave out row_order and first_row, or shuffle")
    exact_data = Given.read(X, sample_weight, parameters, as_decimal=as_decimal) if exact else None
    floats = (X, sample_weight, parameters) if exact_data is None else exact_data.floats(parameters)
    setting = settle(*floats, y=y, positive=positive)
    turns = turns_of(setting, row_order, first_row, pick)
    if exact_data is None:
        x, run = setting.x, record(setting, turns, max_visits)
    else:
        learner = PlainLearner(setting, exact_data)
        x, run = learner.x, record_exactly(setting, learner, turns, max_visits)
    start, final = run.weights[0], run.weights[-1]
    columns = columns_of(setting, x, run)
    used = {
        **setting.parameters.as_dict(),
        **parameters,
        "positive": positive,
        "row_order": row_order,
        "first_row": first_row,
        "pick": pick,
        "max_visits": max_visits,
        "exact": exact,
        "as_decimal": as_decimal,
        "sample_weight": sample_weight,
    }
    return Trace(
        **columns,
        start=start,
        weights=final,
        classes=setting.classes,
        mistakes=np.array(run.mistakes),
        converged=run.converged,
        n_updates=len(run.weights) - 1,
        conventions=conventions(setting, used, start),
        ending=ending(columns, len(run.mistakes), final, converged=run.converged),
        parameters=used,
        X=X,
        labels=y,
    )


def check(answers: "Answers", X: Any, y: Any, *, updates_only: bool = False, **parameters: Any) -> "Check":
    r"""Compare a student's table with the true trace, cell by cell, and name the first cell that is wrong.

    Parameters
    ----------
    answers
        A CSV file, its path or itself open for reading. Its header has some or all of the names that `Trace.to_csv`
        writes (w0, w1, ...), that a printed table has ("weights after", with cells such as "(0, 1, 1)"), or near ones
        ("epoch", "action", "bias"), in any order. A column that is left blank is not looked at. Numbers may be
        fractions, or decimals, which need only be right as far as they go; a mistake may be yes or no, add, subtract
        or none. Examples count from 1. Commas, semicolons or tabs part the cells; with semicolons 0,5 is a half.
    X, y, **parameters
        As for `trace`.
    updates_only
        Whether the table has only the visits that changed the weights.

    Examples
    --------
    >>> from io import StringIO
    >>> from rosenblatt import check
    >>> from rosenblatt.data.lectures import AND
    >>> table = StringIO("example,w0,w1,w2\n1,-1,0,0\n4,1,1,1")
    >>> found = check(table, *AND, max_iter=1, updates_only=True)
    >>> bool(found), found.expected, found.found
    (False, '0', '1')
    >>> print(found)
    answers:3:2: column w0, visit 4: expected 0, found 1
    """
    from rosenblatt.services.lessons.trace.answers import compare

    return compare(answers, trace(X, y, **parameters), updates_only=updates_only)
