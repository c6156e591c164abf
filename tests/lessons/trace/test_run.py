"""The run is the core's, and in exact numbers plain.py's, for every word, order and start."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron, check_run, plain
from rosenblatt.data.lectures import AND
from rosenblatt.services.lessons.plot.steps import points_of
from rosenblatt.services.lessons.trace import Trace, trace
from tests.linear.strategies import Data, data_sets

PASSES = 4
CONTESTS: dict[str, Callable[..., Any]] = {"argmax": plain.argmax, "one-vs-rest": plain.one_vs_rest}
pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")

rules = st.fixed_dictionaries(
    {
        "tie": st.sampled_from(["mistake", "positive", "negative"]),
        "margin": st.sampled_from([0, 1, 4]),
        "eta0": st.sampled_from([1, 2, 0.5]),
        "multiclass": st.sampled_from(sorted(CONTESTS)),
    }
)
batches = st.sampled_from([1, 2, 3, "all"])


@st.composite
def words_of_all_kinds(draw: st.DrawFn) -> dict[str, Any]:
    """Whatever `Perceptron` takes and a trace does not refuse."""
    step = draw(st.sampled_from(["perceptron", "perceptron", "pa", "pa1", "pa2", "arow"]))
    return {
        "step": step,
        "tie": draw(st.sampled_from(["mistake", "positive", "negative"])),
        "margin": draw(st.sampled_from([None, 0.5, 3])),
        "eta0": draw(st.sampled_from([1.0, 0.1, 3])),
        "C": draw(st.sampled_from([0.25, 1.0])),
        "r": draw(st.sampled_from([0.5, 1.0])),
        "init": draw(st.sampled_from(["zeros", "random"])),
        "shuffle": draw(st.booleans()),
        "batch_size": draw(batches) if step == "perceptron" else 1,
        "multiclass": draw(st.sampled_from(sorted(CONTESTS))),
        "fit_intercept": draw(st.booleans()),
        "intercept_scaling": draw(st.sampled_from([1.0, 0.3])),
        "class_weight": draw(st.sampled_from([None, "balanced", {0: 2.0, 1: 0.3}])),
        "random_state": draw(st.integers(0, 3)),
        "max_iter": draw(st.integers(1, PASSES)),
        "readout": draw(st.sampled_from(["last", "average", "pocket"])),
    }


def plain_run(data: Data, multiclass: str, *, intercept: bool = True, **words: Any) -> plain.Run:
    number = words.pop("number", int)
    X = [[number(v) for v in ([1.0] if intercept else []) + row] for row in data.X.tolist()]
    n_classes = len(set(data.y.tolist()))
    words["batch_size"] = len(X) if words.get("batch_size") == "all" else words.get("batch_size", 1)
    return plain.run(
        X,
        [2 * label - 1 for label in data.y.tolist()] if n_classes == 2 else data.y.tolist(),
        contests=plain.binary if n_classes == 2 else CONTESTS[multiclass],
        n_machines=1 if n_classes == 2 else n_classes,
        **words,
    )


def is_the_run(found: Trace, expected: plain.Run) -> None:
    assert [tuple(map(tuple, W)) for W in found.after.tolist()] == expected.after
    assert found.mistakes.tolist() == expected.mistakes
    assert (found.n_updates, found.converged) == (expected.n_updates, expected.converged)
    if found.parameters["batch_size"] == 1:
        assert np.flatnonzero(found.mistake).tolist() == sorted({visit for visit, *_ in expected.events})


@settings(max_examples=150, deadline=None)
@given(data=data_sets(max_classes=4), words=rules, size=batches, intercept=st.booleans(), exact=st.booleans())
def test_listed_order(data: Data, words: dict[str, Any], size: Any, intercept: bool, exact: bool) -> None:
    expected = plain_run(data, **words, batch_size=size, intercept=intercept, max_iter=PASSES)
    found = trace(*data, **words, batch_size=size, fit_intercept=intercept, max_iter=PASSES, exact=exact)
    is_the_run(found, expected)


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=3), words=rules, picks=st.data(), exact=st.booleans())
def test_any_order_and_start(data: Data, words: dict[str, Any], picks: st.DataObject, exact: bool) -> None:
    n, n_classes = len(data.y), len(set(data.y.tolist()))
    order = picks.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=2 * n))
    shape = (1 if n_classes == 2 else n_classes, data.X.shape[1] + 1)
    weights = st.lists(st.integers(-3, 3), min_size=shape[1], max_size=shape[1])
    init = picks.draw(st.lists(weights, min_size=shape[0], max_size=shape[0]))
    expected = plain_run(data, **words, order=order, init=init, max_iter=PASSES)
    found = trace(*data, **words, row_order=order, init=init, max_iter=PASSES, exact=exact)
    is_the_run(found, expected)
    assert found.row.tolist() == order * len(expected.mistakes)


def picked(data: Data, pick: str, words: dict[str, Any], rows: list[int]) -> Callable[[plain.Weights], list[int]]:
    """Which example a pass visits, by plain.py's words alone."""
    n_classes = len(set(data.y.tolist()))
    contests = plain.binary if n_classes == 2 else CONTESTS[words["multiclass"]]

    def of_pass(W: plain.Weights) -> list[int]:
        wrong = []
        for place, i in enumerate(rows):
            y = int(data.y[i])
            scores = [plain.dot(w, [1, *data.X[i].tolist()]) for w in W]
            found = contests(scores, 2 * y - 1 if n_classes == 2 else y, words["tie"])
            lost = [gap for gap, wins, _ in found if plain.is_mistake(gap, wins, words["margin"], "perceptron")]
            if lost:
                wrong.append((min(lost) if pick == "worst-wrong" else 0, place, i))
        return [i for _, _, i in sorted(wrong)[:1]]

    return of_pass


@settings(max_examples=100, deadline=None)
@given(
    data=data_sets(max_classes=3),
    words=rules,
    pick=st.sampled_from(["first-wrong", "worst-wrong"]),
    first=st.integers(0, 7),
    exact=st.booleans(),
)
def test_the_first_or_the_worst_wrong_row(
    data: Data, words: dict[str, Any], pick: Any, first: int, exact: bool
) -> None:
    n = len(data.y)
    rows = [*range(first % n, n), *range(first % n)]
    expected = plain_run(data, **words, order=picked(data, pick, words, rows), max_iter=20)
    found = trace(*data, **words, pick=pick, first_row=first % n, max_iter=20, exact=exact)
    is_the_run(found, expected)
    assert found.mistake.all()
    assert found.pass_.tolist() == found.visit.tolist()


@pytest.mark.parametrize("exact", [False, True])
def test_a_start_that_is_right_needs_no_visit(exact: bool) -> None:
    run = trace(*AND, pick="first-wrong", init=[-4, 3, 2], exact=exact)
    assert (len(run), run.n_updates, run.mistakes.tolist(), run.converged) == (0, 0, [0], True)
    assert run.ending == "pass 1 is clean: converged after 0 visits, 0 mistakes; w = (-4, 3, 2)"
    assert "each pass visits the first example that is a mistake" in run.conventions
    assert str(run).splitlines()[1].split()[0] == "pass"
    assert run._repr_html_().count("<tr") == 2
    assert run.predict([[1, 1]]).tolist() == [1]


def test_the_worst_wrong_of_and() -> None:
    run = trace(*AND, pick="worst-wrong")
    assert run.weights.tolist() == [[-3, 2, 2]]
    assert (run.row[:5] + 1).tolist() == [1, 4, 2, 3, 4]
    assert run.ending == "pass 16 is clean: converged after 15 visits, 15 mistakes; w = (-3, 2, 2)"


@settings(max_examples=60, deadline=None)
@given(
    data=data_sets(max_classes=3, max_rows=5, max_features=2),
    step=st.sampled_from(["pa", "pa1", "pa2", "arow"]),
    multiclass=st.sampled_from(sorted(CONTESTS)),
)
def test_steps_that_divide_are_exact(data: Data, step: str, multiclass: str) -> None:
    words: dict[str, Any] = {"step": step, "multiclass": multiclass, "max_iter": 2}
    found = trace(*data, **words, exact=True, C=Fraction(1, 3), r=Fraction(1, 2))
    is_the_run(found, plain_run(data, **words, number=Fraction, C=Fraction(1, 3), r=Fraction(1, 2)))


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3), first=st.integers(0, 7), passes=st.integers(1, 3))
def test_a_pass_that_begins_elsewhere(data: Data, first: int, passes: int) -> None:
    n = len(data.y)
    first %= n
    round_ = [*range(first, n), *range(first)]
    one, other = (trace(*data, max_iter=passes, **words) for words in ({"first_row": first}, {"row_order": round_}))
    assert one.after.tolist() == other.after.tolist()
    assert one.row.tolist() == other.row.tolist() == round_ * len(one.mistakes)


@settings(max_examples=150, deadline=None)
@given(
    data=data_sets(max_classes=4),
    words=words_of_all_kinds(),
    kind=st.sampled_from([np.asarray, np.float32, sp.csr_array]),
    weighted=st.booleans(),
)
def test_replay_is_the_model(data: Data, words: dict[str, Any], kind: Callable[[Any], Any], weighted: bool) -> None:
    """To the bit, on data that is not of integers."""
    X, weight = kind(data.X / 7 + 0.1), np.arange(1, len(data.y) + 1) / 3 if weighted else None
    model = Perceptron(**words).fit(X, data.y, sample_weight=weight)
    found = trace(X, data.y, sample_weight=weight, **model.get_params())
    constant = int(words["fit_intercept"])
    assert found.weights[:, constant:].tolist() == model.coef_for("last").tolist()
    if constant:
        assert (found.weights[:, 0] * words["intercept_scaling"]).tolist() == model.intercept_for("last").tolist()
    assert found.mistakes.tolist() == model.mistakes_.tolist()
    assert (found.n_updates, found.converged) == (model.n_updates_, model.converged_)
    assert len(found) == model._model.state.visits
    if words["readout"] == "last":
        assert found.predict(X).tolist() == model.predict(X).tolist()


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3), seed=st.integers(0, 5), words=rules)
def test_shuffled_visits_are_those_of_the_model(data: Data, seed: int, words: dict[str, Any]) -> None:
    words |= {"shuffle": True, "random_state": seed, "max_iter": PASSES}
    kept = Perceptron(**words, keep_mistakes=True).fit(*data)._model.state.mistakes.events
    found, exact = trace(*data, **words), trace(*data, **words, exact=True)
    assert (found.updates.visit - 1).tolist() == sorted(set(kept.visit.tolist()))
    assert found.updates.row.tolist() == [kept.row[kept.visit == v][0] for v in sorted(set(kept.visit.tolist()))]
    assert exact.after.tolist() == found.after.tolist()
    assert exact.row.tolist() == found.row.tolist()


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3), words=rules, weights=st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_weights_of_rows_and_classes(data: Data, words: dict[str, Any], weights: list[int]) -> None:
    weight = weights[: len(data.y)]
    if len({label for label, w in zip(data.y.tolist(), weight, strict=True) if w}) < 2:
        return
    words |= {"max_iter": PASSES, "class_weight": {0: 2, 1: 0.5, 2: 1}}
    found, exact = (trace(*data, sample_weight=weight, exact=exact, **words) for exact in (False, True))
    assert found.after.tolist() == exact.after.tolist()
    assert set(found.row.tolist()) <= {i for i, w in enumerate(weight) if w}


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3), words=rules, size=batches, stop=st.integers(1, 20))
def test_a_shorter_run_is_the_beginning_of_a_longer_one(
    data: Data, words: dict[str, Any], size: Any, stop: int
) -> None:
    whole = trace(*data, **words, batch_size=size, max_iter=PASSES)
    part = trace(*data, **words, batch_size=size, max_iter=PASSES, max_visits=stop)
    assert len(part) == min(stop, len(whole))
    rows = len(data.y)
    done = len(part) // rows * rows  # in the pass that was cut, a batch may have been too
    assert part.after[:done].tolist() == whole.after[:done].tolist()
    if size == 1:
        assert part.after.tolist() == whole.after[: len(part)].tolist()
    assert part.converged == (whole.converged and len(part) == len(whole))


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3), words=words_of_all_kinds())
def test_columns_agree_with_each_other(data: Data, words: dict[str, Any]) -> None:
    found = trace(*data, **words | {"eta0": 2.0, "step": "perceptron", "init": "zeros", "intercept_scaling": 2.0})
    binary = len(found.classes) == 2
    scores = np.einsum("vcd,vd->vc", found.before, found.x)
    np.testing.assert_allclose(found.score, scores[:, 0] if binary else scores, rtol=1e-12, atol=1e-12)
    assert (found.label == data.y[found.row]).all()
    assert (found.classes[(found.y + 1) // 2 if binary else found.y] == found.label).all()
    np.testing.assert_allclose(found.norm**2, (found.after**2).sum(axis=(1, 2)))
    assert (found.mistake == (found.reason != "")).all()
    assert found.before[0].tolist() == found.start.tolist()
    assert found.after[-1].tolist() == found.weights.tolist()
    assert (np.diff(found.k) >= 0).all()
    again = trace(found.X, found.labels, **found.parameters)
    assert again.after.tolist() == found.after.tolist()
    assert again.conventions == found.conventions


def test_balanced_weights_are_exact() -> None:
    run = trace([[0], [1], [2]], [0, 0, 1], class_weight="balanced", exact=True, max_iter=1)
    assert run.after[:, 0].tolist() == [[Fraction(-3, 4), 0], [Fraction(-3, 4), 0], [Fraction(3, 4), 3]]


def test_a_batch_cut_by_max_visits_adds_what_was_seen() -> None:
    run = trace([[1], [2], [4], [8]], [0, 1, 0, 1], batch_size="all", max_visits=3)
    assert run.after[:, 0].tolist() == [[-1, -3]] * 3
    assert run.k.tolist() == [1, 1, 1]


def test_a_sparse_matrix_is_the_same_run() -> None:
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]])
    for exact in (False, True):
        one, other = trace(X, [0, 0, 0, 1], exact=exact), trace(sp.csr_array(X), [0, 0, 0, 1], exact=exact)
        assert one.after.tolist() == other.after.tolist()
        assert one.x.tolist() == other.x.tolist()


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=2), words=rules, exact=st.booleans())
def test_the_positive_label_may_be_either(data: Data, words: dict[str, Any], exact: bool) -> None:
    y = np.where(data.y == 1, "a", "b")  # the other way round, when they are sorted
    words = {**words, "max_iter": PASSES, "exact": exact, "class_weight": "balanced"}
    expected, found = trace(*data, **words), trace(data.X, y, positive="a", **words)
    assert found.after.tolist() == expected.after.tolist()
    assert found.y.tolist() == expected.y.tolist()
    assert (found.label == np.where(expected.label == 1, "a", "b")).all()
    assert (found.predict(data.X) == np.where(expected.predict(data.X) == 1, "a", "b")).all()
    again = trace(found.X, found.labels, **found.parameters)
    assert again.after.tolist() == found.after.tolist()


def test_what_is_proven_and_drawn_of_a_run_has_its_positive_label() -> None:
    run = trace(AND.X, ["yes", "yes", "yes", "no"], positive="no")
    assert run.classes.tolist() == ["yes", "no"]
    assert str(check_run(run)) == str(check_run(trace(*AND)))
    points = points_of(run, (0, 1), None)
    assert points.number.tolist() == [0, 0, 0, 1]
    assert points.labels == ["yes (-)", "no (+)"]
    other = trace(*AND, positive=-1)
    assert points_of(other, (0, 1), None).labels == ["1 (-)", "-1 (+)"]
    assert other.y.tolist() == (-trace(*AND, positive=1).y[: len(other)]).tolist()
