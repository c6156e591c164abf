"""The trace of a kernel run is that of KernelPerceptron, and with a linear kernel that of the primal one."""

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import KernelPerceptron, trace, trace_kernel
from rosenblatt.data.lectures import AND, XOR
from tests.linear.strategies import Data, data_sets

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@settings(max_examples=60, deadline=None)
@given(data_sets(max_features=3), st.booleans())
def test_it_is_the_run_of_the_estimator(data: Data, exact: bool) -> None:
    words: Any = {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1, "max_iter": 5}
    run = trace_kernel(*data, **words, exact=exact)
    model = KernelPerceptron(**words, shuffle=False, readout="last").fit(*data)
    assert list(run.mistakes) == model.mistakes_.tolist()
    assert run.converged == model.converged_
    assert [a for a in run.alpha if a] == np.abs(model.dual_coef_[0][np.argsort(model.support_)]).tolist()


@settings(max_examples=60, deadline=None)
@given(data_sets(max_features=3))
def test_a_linear_kernel_is_the_primal_run(data: Data) -> None:
    dual, primal = trace_kernel(*data, kernel="linear", coef0=1, max_iter=5), trace(*data, max_iter=5)
    assert [visit.score for visit in dual] == primal.score.tolist()
    assert [visit.mistake for visit in dual] == primal.mistake.tolist()
    assert [visit.pass_ for visit in dual] == primal.pass_.tolist()


def test_the_lectures_tables() -> None:
    run = trace_kernel(*AND, kernel="linear", coef0=1, exact=True)
    assert (run.alpha, len(run), run.converged) == ((2, 5, 4, 7), 36, True)
    assert str(run).endswith("\nconverged: 18 mistakes in 9 passes; alpha = (2, 5, 4, 7)")
    assert repr(run) == "KernelTrace(converged: 36 visits, 18 mistakes)"
    xor = trace_kernel(*XOR, kernel=lambda a, b: (sum(p * q for p, q in zip(a, b, strict=True)) + 1) ** 2)
    assert (xor.alpha, xor.mistakes) == ((7, 5, 5, 4), (4, 4, 4, 4, 3, 1, 1, 0))
    half = trace_kernel(*XOR, kernel="poly", degree=2, coef0=1, eta0="1/2", exact=True)
    assert half.alpha == tuple(Fraction(int(a), 2) for a in xor.alpha)
    assert trace_kernel(*XOR, kernel="rbf", row_order=[3, 0], max_iter=1).alpha == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"kernel": "rbf", "exact": True}, "the values of kernel='rbf' are no fractions"),
        ({"kernel": "cosine"}, "kernel must be 'linear', 'poly', 'rbf' or a callable, got 'cosine'"),
        ({"kernel": "linear", "as_decimal": True}, "as_decimal=True goes with exact=True"),
        ({"kernel": "linear", "row_order": [0, -1]}, "row_order must be a list of rows of X, from 0 to 3; got"),
        ({"kernel": "linear", "row_order": []}, "row_order must"),
        ({"kernel": "linear", "positive": 2}, "positive must be a label of y, -1 or 1; got 2"),
        ({"kernel": "linear", "pick": "last"}, "pick must be one of 'first-wrong', 'worst-wrong' or None; got 'last'"),
        ({"kernel": "linear", "shuffle": True, "first_row": 1}, "shuffle=True makes an order of its own"),
        ({"kernel": "linear", "row_order": [1], "first_row": 1}, "row_order says where a pass begins"),
        ({"kernel": "linear", "first_row": 4}, "first_row must be a row of X, from 0 to 3; got 4"),
        ({"kernel": "linear", "gamma": "one"}, "gamma, coef0, margin, eta0 must be finite numbers"),
    ],
)
def test_wrong_words(words: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        trace_kernel(*XOR, **words)
    with pytest.raises(ValueError, match="y must be of two classes, got 1"):
        trace_kernel(XOR.X, [1, 1, 1, 1], kernel="rbf")


def test_a_run_without_end_is_a_page() -> None:
    run = trace_kernel(*XOR, kernel="linear", coef0=1, max_iter=30)
    printed = str(run).splitlines()
    assert len(printed) == 1 + 40 + 1 + 1
    assert printed[21] == "... 80 visits left out here; table() has all ..."
    assert [line for line in run.table().splitlines() if line in printed] == [*printed[:21], *printed[22:]]
    assert len(run.table().splitlines()) == 1 + 120 + 1


def test_rows_count_from_0_and_examples_from_1() -> None:
    run = trace_kernel(*XOR, kernel="linear", row_order=[2], max_iter=1)
    assert next(iter(run)).row == 2
    assert str(run).splitlines()[1].split()[:2] == ["1", "3"]


def test_the_positive_label_may_be_either() -> None:
    words: dict[str, Any] = {"kernel": "poly", "degree": 2, "coef0": 1, "exact": True}
    named = trace_kernel(XOR.X, ["yes", "no", "no", "yes"], positive="no", **words)
    assert str(named) == str(trace_kernel(*XOR, **words))


@settings(max_examples=60, deadline=None)
@given(data_sets(max_features=3), st.sampled_from(["first-wrong", "worst-wrong", "shuffled", "cut"]))
def test_orders_are_those_of_the_primal_run(data: Data, order: str) -> None:
    words: Any = {
        "first-wrong": {"pick": "first-wrong", "first_row": 1},
        "worst-wrong": {"pick": "worst-wrong"},
        "shuffled": {"shuffle": True, "random_state": 5},
        "cut": {"max_visits": 3},
    }[order]
    dual, primal = trace_kernel(*data, kernel="linear", coef0=1, max_iter=4, **words), trace(*data, max_iter=4, **words)
    assert [visit.row for visit in dual] == primal.row.tolist()
    assert [visit.mistake for visit in dual] == primal.mistake.tolist()
    assert [visit.k for visit in dual] == primal.k.tolist()
    assert dual.converged == primal.converged


def test_it_is_written_as_csv_latex_and_json() -> None:
    run = trace_kernel(*XOR, kernel="poly", degree=2, coef0=1, eta0="1/2", exact=True, max_iter=1)
    heads, *lines = (run.to_csv() or "").splitlines()
    assert heads == "visit,pass,example,y,score,mistake,why,alpha1,alpha2,alpha3,alpha4,k"
    assert lines[0] == "1,1,1,-1,0,yes,first step,1/2,0,0,0,1"
    latex = run.to_latex() or ""
    assert r"1$ & $1$ & $-1$ & $0$ & yes & first step & $(1/2, 0, 0, 0)$ & $1$ \\" in latex
    assert latex.startswith(f"% {run.conventions}\n")
    assert latex.endswith(f"% {run.ending}\n")
    plain = json.loads(run.to_json() or "")
    assert (plain["columns"]["row"], plain["converged"], plain["mistakes"]) == ([0, 1, 2, 3], False, [4])
    assert run.conventions == (
        "labels -1, +1; K = (x.x' + 1)^2; eta = 1/2; listed order; mistake: y s <= 0; exact numbers; "
        "stop at the first clean pass, or after 1 pass"
    )
