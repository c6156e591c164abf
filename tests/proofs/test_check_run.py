"""The theorem held against runs of every kind: it holds where it should, and what is false is found."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron, plain
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.lessons.trace import trace
from rosenblatt.services.proofs.check_run import RunCheck, check_run
from rosenblatt.services.proofs.separability import certify
from tests.linear.strategies import Data, data_sets

pytestmark = [
    pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::rosenblatt.ScaleWarning"),
]
AND_ROWS, AND_SIGNS = [(1, *x) for x in AND.X.tolist()], AND.y.tolist()
BEST = (-3, 2, 2)


def fitted(X: Any, y: Any, **words: Any) -> Perceptron:
    model = Perceptron(**{"shuffle": False, "keep_mistakes": True, **words})
    model.fit(X, y)
    return model


def of_and(kind: str, **words: Any) -> RunCheck:
    if kind == "plain":
        margin = words.get("margin", 0)
        return check_run(plain.run(AND_ROWS, AND_SIGNS, **words), AND_ROWS, AND_SIGNS, w=BEST, margin=margin)
    if "init" in words:
        words["init"] = words["init"][0]
    if kind == "model":
        return check_run(fitted(*AND, **words), *AND, w=BEST)
    return check_run(trace(*AND, exact=kind == "exact trace", **words), w=BEST)


kinds = pytest.mark.parametrize("kind", ["plain", "model", "trace", "exact trace"])


@kinds
def test_and(kind: str) -> None:
    found = of_and(kind)
    assert found
    assert found.ok
    assert found.exact
    assert found.tolerance == 0
    assert found.k.tolist() == list(range(1, 19))
    assert found.lower is not None
    assert found.projection is not None
    np.testing.assert_allclose(found.lower**2 * 17, np.arange(1, 19) ** 2, rtol=1e-15)
    np.testing.assert_allclose(found.upper**2, 3 * np.arange(1, 19), rtol=1e-15)
    assert found.norm[-1] == math.sqrt(29)
    assert found.projection[-1] == pytest.approx(22 / math.sqrt(17), rel=1e-15)  # (-4, 3, 2).(-3, 2, 2)
    assert (found.bound, found.violation, found.conditions) == (51, "", "")
    assert (found.lower <= found.projection).all()
    assert (found.projection <= found.norm).all()
    assert (found.norm <= found.upper).all()


@kinds
@pytest.mark.parametrize(
    ("words", "mistakes", "bound", "conditions"),
    [
        ({"init": [[30, 0, 0]]}, 74, 258, "a start that is not zero"),
        ({"init": [[0, 50, 50]]}, 35, 100, "a start that is not zero"),
        ({"margin": 1}, 35, 85, "a margin of 1 learning rates"),
        ({"batch_size": 4}, 15, 204, "batches of up to 4 mistakes"),
        ({"tie": "positive"}, 11, 51, ""),
        ({"tie": "negative"}, 10, 51, ""),
        ({"eta0": 2}, 18, 51, ""),
        ({"eta0": 2, "margin": 3}, 35, 102, "a margin of 1.5 learning rates"),
        ({"eta0": 4, "init": [[120, 0, 0]]}, 74, 258, "a start that is not zero"),
    ],
)
def test_other_words(kind: str, words: dict[str, Any], mistakes: int, bound: int, conditions: str) -> None:
    found = of_and(kind, **words)
    assert found
    assert (found.k[-1], found.bound, found.conditions) == (mistakes, bound, conditions)


def test_exact_fractions() -> None:
    words: dict[str, Any] = {"init": ["1/2", -1, 2], "eta0": "1/10", "exact": True}
    found = check_run(trace(*AND, **words), w=BEST)
    assert found
    assert found.exact
    assert found.k[-1] == 41
    thirds = [[Fraction(v, 3) for v in row] for row in AND_ROWS]
    found = check_run(plain.run(thirds, AND_SIGNS, eta0=Fraction(1, 7)), thirds, AND_SIGNS, w=BEST)
    assert found
    assert found.exact
    assert found.bound == 51


def test_rounded_runs_say_so() -> None:
    for found in (of_and("trace", eta0=0.1), of_and("model", init=[[0.1, 0.2, 0.3]])):
        assert found
        assert not found.exact
        assert 0 < found.tolerance < 1e-10
        assert "up to rounding" in str(found)


def test_gamma_comes_from_certify() -> None:
    model = fitted(*AND)
    for found in (check_run(model, *AND), check_run(model, *AND, certificate=certify(*AND)), check_run(trace(*AND))):
        assert found
        assert found.bound == 51
        assert found.margin == pytest.approx(1 / math.sqrt(17), rel=1e-15)


def test_without_a_gamma() -> None:
    found = check_run(trace(*XOR, max_iter=3), passes=[1, 3])
    assert found
    assert found.lower is None
    assert found.projection is None
    assert (found.bound, found.margin) == (math.inf, 0)
    assert found.passes == {1: (4, 4), 3: (12, 12)}
    assert "gamma    none" in str(found)
    assert (found.norm <= found.upper).all()


def test_passes_are_held_against_freund_and_schapire() -> None:
    X, y = np.tile(AND.X, (50, 1)), np.tile(AND.y, 50)
    y[0] = 1
    found = check_run(fitted(X, y, max_iter=6, shuffle=True), X, y, passes=[1, 2, 6])
    assert found
    assert list(found.passes) == [1, 2, 6]
    bounds = [bound for _, bound in found.passes.values()]
    assert bounds == sorted(bounds)
    assert bounds[0] < 200
    with pytest.raises(ValueError, match=r"passes must be from 1 to 6.*; got 7"):
        check_run(fitted(X, y, max_iter=6), X, y, passes=[7])


def test_the_report() -> None:
    assert str(of_and("trace", margin=1)) == (
        "35 mistakes in 35 updates, checked exactly\n"
        "lemma 1  k gamma <= w.u, gamma = 0.242536\n"
        "lemma 2  |w|^2 <= k R^2, R = 1.73205\n"
        "bound    35 <= 85\n"
        "with     a margin of 1 learning rates\n"
        "all of it holds"
    )


@kinds
def test_a_run_without_mistakes(kind: str) -> None:
    found = of_and(kind, init=[[-4, 3, 2]])
    assert found
    assert (len(found.k), len(found.norm)) == (0, 0)
    assert str(found).startswith("0 mistakes in 0 updates")


def test_what_is_no_perceptrons_run_is_found() -> None:
    run = trace(*AND, exact=True)
    long, short = run.after.copy(), run.after.copy()
    place = int(np.flatnonzero(run.mistake)[9])
    long[place, 0] = long[place, 0] + np.array([0, 9, 9])
    short[place, 0] = 0
    k = 10
    for after, violation in (
        (long, f"lemma 2, |w|^2 <= k R^2, is violated at mistake {k}"),
        (short, f"lemma 1, w.u >= k gamma, is violated at mistake {k}"),
    ):
        found = check_run(replace(run, after=after), w=BEST)
        assert not found
        assert not found.ok
        assert found.violation == violation
        assert str(found).endswith(violation)


def test_updates_that_are_no_mistakes_are_found() -> None:
    """With a margin of 3 rows are added that are right already; told of no margin, the check must find them."""
    run = plain.run(AND_ROWS, AND_SIGNS, margin=3)
    assert check_run(run, AND_ROWS, AND_SIGNS, w=BEST, margin=3)
    found = check_run(run, AND_ROWS, AND_SIGNS, w=BEST)
    assert not found
    assert found.violation.startswith("lemma 2")


@settings(max_examples=300, deadline=None)
@given(
    data=data_sets(max_classes=4, max_features=4),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
    margin=st.sampled_from([0, 1, 4]),
    eta0=st.sampled_from([1, 2, 0.5]),
    batch_size=st.sampled_from([1, 1, 2, "all"]),
    shuffle=st.booleans(),
    kind=st.sampled_from(["model", "sparse", "float32", "trace", "exact trace"]),
)
def test_every_run_holds(data: Data, kind: str, **words: Any) -> None:
    """Two classes or more, separable or not; without a separator only lemma 2 speaks."""
    X, y = data
    if "trace" in kind:
        found = check_run(trace(X, y, max_iter=5, exact=kind == "exact trace", **words))
    else:
        own: Any = X if kind == "model" else sp.csr_array(X) if kind == "sparse" else X.astype(np.float32)
        found = check_run(fitted(own, y, max_iter=5, **words), own, y)
    assert found, str(found)
    assert found.exact or kind == "trace"  # which has the learning rate in its weights


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from([np.float64, np.float32]), separable=st.booleans())
def test_every_rounded_run_holds(seed: int, kind: Any, separable: bool) -> None:
    random = np.random.default_rng(seed)
    X = (random.normal(size=(30, 4)) * 10.0 ** random.integers(-3, 4)).astype(kind)
    w = random.normal(size=5)
    y = X @ w[1:] + w[0] > 0 if separable else random.integers(0, 2, 30)
    if len(set(y.tolist())) < 2:
        return
    init = random.normal(size=5)
    found = check_run(fitted(X, y, init=init, eta0=0.3, margin=0.1, max_iter=20, shuffle=True), X, y)
    assert found, str(found)
    assert not found.exact
    assert found.tolerance < (0.1 if kind is np.float32 else 1e-10)


def test_real_data() -> None:
    iris, flower = load_iris(return_X_y=True)
    found = check_run(fitted(iris, flower == 0, shuffle=True), iris, flower == 0)
    assert found
    assert found.lower is not None
    digits, digit = load_digits(return_X_y=True)
    found = check_run(fitted(digits, digit, max_iter=5, shuffle=True), digits, digit)
    assert found
    assert found.exact  # integers, ten classes
    cancer, benign = load_breast_cancer(return_X_y=True)
    cancer = StandardScaler().fit_transform(cancer)
    found = check_run(fitted(cancer, benign, max_iter=50), cancer, benign, passes=[1, 50])
    assert found
    assert not found.exact


def test_plain_runs_of_more_classes() -> None:
    X, y, W = [(1, 0), (0, 1), (-1, -1)], [0, 1, 2], [[2, 0], [0, 2], [-1, -1]]
    run = plain.run(X, y, contests=plain.argmax, n_machines=3, batch_size=3)
    found = check_run(run, X, y, w=W)
    assert found
    assert found.exact
    assert found.k[-1] == sum(run.mistakes)
    with pytest.raises(ValueError, match="one-vs-rest"):
        check_run(plain.run(X, y, contests=plain.one_vs_rest, n_machines=3), X, y, w=W)


def test_partial_fits_are_one_run() -> None:
    model = Perceptron(keep_mistakes=True, fit_intercept=False)
    for i in range(6):
        model.partial_fit(CMU.X[i : i + 1], CMU.y[i : i + 1], classes=[-1, 1])
    found = check_run(model, *CMU, w=(1, 0))
    assert found
    assert (found.k.tolist(), found.bound) == ([1, 2, 3], 5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"step": "pa"}, "run has step='pa': the lemmas are about the perceptron's own step"),
        ({"class_weight": {-1: 1, 1: 2}}, "without sample or class weights"),
        ({"keep_mistakes": False}, "run has kept no mistakes: fit with keep_mistakes=True"),
    ],
)
def test_refuses_runs_that_the_lemmas_do_not_speak_of(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_run(fitted(*AND, **words), *AND, w=BEST)
    if "keep_mistakes" not in words:
        with pytest.raises(ValueError, match=message):
            check_run(trace(*AND, **words), w=BEST)


def test_refuses_more() -> None:
    model, run = fitted(*AND), plain.run(AND_ROWS, AND_SIGNS)
    three = np.array([0, 1, 2, 2])
    with pytest.raises(ValueError, match="one-vs-rest"):
        check_run(fitted(AND.X, three, multiclass="one-vs-rest"), AND.X, three)
    with pytest.raises(ValueError, match="X and y: give what the run has learned from"):
        check_run(model, w=BEST)
    with pytest.raises(ValueError, match="X and y: give what the run has learned from"):
        check_run(run, w=BEST)
    for X, y in ((AND.X[:3], AND.y[:3]), (AND.X + 1, AND.y), (AND.X, [0, 1, 2, 3])):
        with pytest.raises(ValueError, match="X and y are not what the run has learned from"):
            check_run(model, X, y, certificate=certify(*AND))
    with pytest.raises(ValueError, match=r"w does not separate the rows: the least y w\.x is -1"):
        check_run(model, *AND, w=(-1, 2, 2))
    with pytest.raises(ValueError, match="certificate has other conventions than the run"):
        check_run(model, *AND, certificate=certify(*AND, center=True))
    with pytest.raises(ValueError, match="certificate has other conventions than the run"):
        check_run(model, *AND, certificate=certify(*AND, intercept_scaling=2))
    with pytest.raises(ValueError, match="a part of a trace"):
        check_run(trace(*AND)[5:], w=BEST)
    with pytest.raises(ValueError, match="two classes and a zero start"):
        check_run(fitted(*AND, init=[1, 1, 1]), *AND, w=BEST, passes=[1])
    with pytest.raises(ValueError, match="steps of different lengths"):
        check_run(plain.run(AND_ROWS, AND_SIGNS, step="pa2", C=Fraction(1), max_iter=9), AND_ROWS, AND_SIGNS, w=BEST)
    with pytest.raises(ValueError, match=r"margin is for a plain\.Run; a Perceptron knows its own"):
        check_run(model, *AND, w=BEST, margin=1)
    with pytest.raises(
        TypeError, match=r"run must be a trace, a plain\.Run, a fitted Perceptron or StructuredPerceptron; got str"
    ):
        check_run("run", *AND)


def test_the_updates_of_a_trace_are_enough() -> None:
    assert check_run(trace(*AND).updates, w=BEST).k.tolist() == list(range(1, 19))
