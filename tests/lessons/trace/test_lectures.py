"""The lectures' tables, cell by cell."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rosenblatt import trace as run_trace
from rosenblatt.data.lectures import AND, CMU, MELBOURNE, XOR
from rosenblatt.services.lessons.trace import trace

ENDS = [(0, 1, 1), (-1, 2, 1), (-2, 2, 1), (-2, 2, 2), (-2, 3, 2), (-3, 3, 2), (-3, 3, 3), (-4, 3, 2), (-4, 3, 2)]

FIRST_EPOCH = """\
labels 0 -> -1, 1 -> +1; constant feature 1, first; start w = (0, 0, 0); eta = 1; listed order; mistake: y s <= 0; \
stop at the first clean pass, or after 1 pass
pass  example  x           y  score  mistake  why         weights after    |w|  k
   1        1  (1, 0, 0)  -1      0  yes      first step  (-1, 0, 0)         1  1
   1        2  (1, 0, 1)  -1     -1  no                   (-1, 0, 0)         1  1
   1        3  (1, 1, 0)  -1     -1  no                   (-1, 0, 0)         1  1
   1        4  (1, 1, 1)  +1     -1  yes      wrong side  ( 0, 1, 1)     1.414  2
not converged: stopped in pass 1 after 4 visits, 2 mistakes; w = (0, 1, 1)"""

exactly = pytest.mark.parametrize("exact", [False, True])


@exactly
def test_the_first_epoch_of_and_is_printed_as_in_the_lecture(exact: bool) -> None:
    printed = str(trace(AND.X, [0, 0, 0, 1], max_iter=1, exact=exact))
    assert printed.replace("exact numbers; ", "") == FIRST_EPOCH


@exactly
def test_the_whole_of_and(exact: bool) -> None:
    run = trace(*AND, exact=exact)
    assert [tuple(w) for w in run.after[3::4, 0].tolist()] == ENDS
    assert run.mistakes.tolist() == [2, 3, 3, 2, 2, 3, 2, 1, 0]
    assert (len(run), run.n_updates, run.converged) == (36, 18, True)
    assert run.pass_.tolist() == sorted([*range(1, 10)] * 4)
    assert run.row.tolist() == [0, 1, 2, 3] * 9
    assert run.weights.tolist() == [[-4, 3, 2]]
    assert run.conventions.endswith("stop at the first clean pass")
    assert run.ending == "pass 9 is clean: converged after 36 visits, 18 mistakes; w = (-4, 3, 2)"


def test_updates_are_not_misclassifications() -> None:
    """Lecture 002, step 1 of AND: sgn(0) = -1 is right, and the weights are updated all the same."""
    first = trace(*AND)[0]
    assert (first.score, first.prediction, first.y, first.mistake) == (0, -1, -1, True)
    run = trace(*AND)
    assert run.mistake.sum() == 18
    assert (run.prediction != run.y).sum() == 7


def test_the_six_points() -> None:
    run = trace(*CMU, fit_intercept=False, tie="positive")
    assert (run.updates.row + 1).tolist() == [1, 3, 5]
    assert run.updates.after[:, 0].tolist() == [[1, -2], [2, -1], [3, 1]]
    assert run.mistakes.tolist() == [3, 0]
    assert (run.mistake == (run.prediction != run.y)).all()  # here sign(0) decides


def test_survival_counts_and_the_mean() -> None:
    run = trace(*CMU, fit_intercept=False)
    weights = [tuple(w) for w in run.after[:, 0].tolist()]
    assert {w: weights.count(w) for w in weights} == {(1, -2): 2, (2, -1): 2, (3, 1): 8}
    exact = trace(*CMU, fit_intercept=False, exact=True)
    assert (exact.after[:, 0].sum(axis=0) * Fraction(1, 12)).tolist() == [Fraction(5, 2), Fraction(1, 6)]
    assert (exact.after[:6, 0].sum(axis=0) * Fraction(1, 6)).tolist() == [2, Fraction(-2, 3)]


TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    "words",
    [
        {"init": [-TENTH, 2 * TENTH, 0], "eta0": TENTH},
        {"init": [["-1/10", "0.2", 0]], "eta0": "1/10"},
        {"init": [-0.1, 0.2, 0.0], "eta0": 0.1, "as_decimal": True},
    ],
    ids=["fractions", "text", "decimals"],
)
def test_melbourne_exactly(words: Any) -> None:
    X, y = [*MELBOURNE.X.tolist(), [Fraction(3, 2), 0]], [*MELBOURNE.y.tolist(), 1]
    run = trace(X, y, exact=True, max_iter=1, **words)
    assert (run.y * run.score).tolist() == [-TENTH, -TENTH, Fraction(35, 100)]
    assert run.after[:, 0].tolist() == [[-2 * TENTH, TENTH, -TENTH], [-TENTH, 3 * TENTH, 0], [-TENTH, 3 * TENTH, 0]]
    assert run.mistake.tolist() == [True, True, False]


def test_a_float_is_the_binary_number_that_it_is() -> None:
    run = trace(*MELBOURNE, init=[-0.1, 0.2, 0.0], eta0=0.1, exact=True, max_iter=1)
    assert run.weights[0, 1] == Fraction(0.2) - Fraction(0.1) + 2 * Fraction(0.1) != 3 * TENTH


def test_the_three_reasons_of_lecture_001() -> None:
    """First step; on the line; wrong and off the line."""
    reasons = trace(*AND).reason.tolist()
    assert reasons[:6] == ["first step", "", "", "wrong side", "on the line", "on the line"]
    assert set(reasons) == {"first step", "", "wrong side", "on the line"}
    assert trace(*AND, margin=3).updates.reason.tolist().count("within the margin") > 0


def test_weights_that_come_back_to_zero() -> None:
    run = trace(*XOR, max_iter=2)
    assert run.after[:4, 0].tolist() == [[-1, 0, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0]]
    assert run.reason.tolist()[:5:4] == ["first step", "w = 0"]
    assert not run.converged


def test_mistake_counts_recover_the_weights() -> None:
    """The midterm question: given how often each point was a mistake, what are the weights?"""
    run = trace(*AND)
    counts = np.bincount(run.updates.row)
    assert counts.tolist() == [2, 5, 4, 7]
    assert (counts * AND.y @ run.x[:4]).tolist() == [-4, 3, 2]


def test_prediction_of_further_rows() -> None:
    run = trace(AND.X, ["no", "no", "no", "yes"])
    assert run.predict([[2, 2], [-1, 0], [0.5, 0.5]]).tolist() == ["yes", "no", "no"]
    exact = trace(AND.X, ["no", "no", "no", "yes"], exact=True)
    assert exact.predict([["4/3", 0], ["4/3", "1/100"]]).tolist() == ["no", "yes"]  # the first is on the line
    assert trace(*AND, exact=True, tie="positive").predict([["3/2", 0]]).tolist() == [1]


def test_the_module_is_the_function() -> None:
    assert run_trace(*AND).after.tolist() == trace(*AND).after.tolist()
