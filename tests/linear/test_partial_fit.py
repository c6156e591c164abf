"""Learning row by row: a chain of partial_fit is one listed pass of fit, and classes may come as they will."""

import pickle
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from rosenblatt import KernelPerceptron, Perceptron

AND, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
IRIS_X, IRIS_Y = load_iris(return_X_y=True)
IRIS_X = StandardScaler().fit_transform(IRIS_X)
MIX = np.random.default_rng(7).permutation(150)
RULES: list[dict[str, Any]] = [
    {"step": step, "readout": readout, "keep_mistakes": keep, "multiclass": multiclass}
    for step in ("perceptron", "pa", "pa1", "pa2", "arow")
    for readout, keep in (("last", False), ("average", False), ("vote", False), ("average", True), ("last", True))
    for multiclass in ("argmax", "one-vs-rest")
    if step != "arow" or not (keep or readout == "vote")
]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def chain(model: Any, X: Any, y: Any, cuts: Any, classes: Any = None, weight: Any = None) -> Any:
    for first, last in zip([0, *cuts], [*cuts, len(y)], strict=True):
        part = slice(first, last)
        if first < last:
            model.partial_fit(X[part], y[part], classes, None if weight is None else weight[part])
    return model


def assert_same(one: Any, other: Any, X: Any) -> None:
    assert one.classes_.tolist() == other.classes_.tolist()
    assert one.n_updates_ == other.n_updates_
    assert one.mistakes_.sum() == other.mistakes_.sum()
    np.testing.assert_array_equal(one.coef_for("last"), other.coef_for("last"))
    np.testing.assert_array_equal(one.intercept_for("last"), other.intercept_for("last"))
    if one.keep_mistakes or one.readout == "vote":
        np.testing.assert_array_equal(one.dual_coef_, other.dual_coef_)
    tolerance = 1e-12 if one.keep_mistakes else 0  # sums over mistakes, which come in another order
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), rtol=tolerance, atol=tolerance)


cuts = st.lists(st.integers(0, 30).map(lambda half: 2 * half), max_size=6).map(sorted)


rules = st.sampled_from(RULES)


@settings(max_examples=150, deadline=None)
@given(rules, st.data())
def test_a_chain_is_one_listed_pass(rule: Any, data: Any) -> None:
    rows = MIX[:60]
    kind = data.draw(st.sampled_from([np.asarray, sp.csr_array]))
    words = {**rule, "tie": data.draw(st.sampled_from(["mistake", "positive", "negative"]))}
    words["init"] = data.draw(st.sampled_from(["zeros", "random"]))
    words["fit_intercept"], words["eta0"] = data.draw(st.booleans()), data.draw(st.sampled_from([1.0, 0.1]))
    weight = data.draw(st.sampled_from([None, np.arange(60) % 3]))
    X = kind(IRIS_X[rows])
    for y in (IRIS_Y[rows], IRIS_Y[rows] == 1):
        whole = Perceptron(**words, shuffle=False, max_iter=1).fit(X, y, weight)
        assert_same(chain(Perceptron(**words), X, y, data.draw(cuts), np.unique(y), weight), whole, X)


@settings(max_examples=100, deadline=None)
@given(rules, st.sampled_from([0, 1]), st.data())
def test_the_second_of_two_classes_may_come_later(rule: Any, first_label: int, data: Any) -> None:
    kind = data.draw(st.sampled_from([np.asarray, sp.csr_array]))
    y = (IRIS_Y[MIX[:60]] == 1).astype(int)
    order = np.argsort(y != first_label, kind="stable")
    X, y = kind(IRIS_X[MIX[:60]][order]), y[order]
    whole = Perceptron(**rule, shuffle=False, max_iter=1).fit(X, y)
    alone = int((y == first_label).sum())
    points = sorted({data.draw(st.integers(1, alone)), *data.draw(cuts)})
    assert_same(chain(Perceptron(**rule), X, y, points), whole, X)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: " ".join(map(str, rule.values())))
def test_classes_as_they_come(rule: Any) -> None:
    """Iris sorted by class, in pieces: one class, two, three; then some rounds over all of it."""
    model = Perceptron(**rule)
    seen = []
    for piece in np.array_split(np.arange(150), 7):
        model.partial_fit(IRIS_X[piece], IRIS_Y[piece])
        seen.append(len(model.classes_))
        assert len(model.coef_for("last")) == (1 if seen[-1] <= 2 else 3)
        decision = model.decision_function(IRIS_X)
        assert np.isfinite(decision).all()
        if rule["readout"] == "vote" and seen[-1] == 3:
            np.testing.assert_allclose(decision.sum(axis=1), 1, rtol=1e-12)  # shares of all visits
    assert seen == [1, 1, 2, 2, 3, 3, 3]
    for _ in range(10):
        for piece in np.array_split(MIX, 5):
            model.partial_fit(IRIS_X[piece], IRIS_Y[piece])
    assert model.score(IRIS_X, IRIS_Y) > 0.8
    assert (model.n_iter_, len(model.mistakes_)) == (57, 57)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: " ".join(map(str, rule.values())))
def test_a_third_class_changes_no_answer_about_the_two(rule: Any) -> None:
    """What the two rows say of each other is what the one row said, for every readout."""
    two = MIX[IRIS_Y[MIX] < 2]
    model = Perceptron(**rule).partial_fit(IRIS_X[two], IRIS_Y[two])
    before, coef = model.decision_function(IRIS_X), model.coef_for("last").copy()
    model.partial_fit(np.zeros((1, 4)), [0], classes=[0, 1, 2], sample_weight=[1e-300])
    after = model.decision_function(IRIS_X)
    clear = np.abs(before) > 0.1
    np.testing.assert_array_equal((after[:, 1] > after[:, 0])[clear], (before > 0)[clear])
    grown = model.coef_for("last")
    np.testing.assert_allclose(grown[1] / np.linalg.norm(grown[1]), coef[0] / np.linalg.norm(coef[0]), atol=1e-12)
    np.testing.assert_array_equal(grown[0], -grown[1])
    if model.keep_mistakes or model.readout == "vote":
        np.testing.assert_allclose(model.dual_coef_[:, :-1] @ IRIS_X[two], grown, atol=1e-10)


def test_zero_weights_in_a_chain() -> None:
    X, y = np.vstack([AND, [[9.0, 9.0]]]), [*Y, 7]
    model = Perceptron(keep_mistakes=True).partial_fit(X, y, sample_weight=[1, 1, 1, 1, 0])
    assert model.classes_.tolist() == [0, 1]
    assert model.coef_.tolist() == Perceptron().partial_fit(AND, Y).coef_.tolist()
    assert model.dual_coef_.tolist() == [1, 0, 0, 1, 0]
    with pytest.raises(ValueError, match="at least one non-zero"):
        model.partial_fit(AND, Y, sample_weight=np.zeros(4))


def test_class_weights_of_classes_that_are_still_to_come() -> None:
    model = Perceptron(class_weight={1: 3.0}).partial_fit(AND[:2], Y[:2]).partial_fit(AND[2:], Y[2:])
    whole = Perceptron(class_weight={1: 3.0}, shuffle=False, max_iter=1).fit(AND, Y)
    assert model.coef_.tolist() == whole.coef_.tolist()
    with pytest.raises(ValueError, match="needs all labels at once; give partial_fit a dict"):
        Perceptron(class_weight="balanced").partial_fit(AND, Y)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: " ".join(map(str, rule.values())))
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_an_error_changes_nothing(rule: Any, kind: Any) -> None:
    bad = IRIS_X.copy()
    bad[149, 3] = np.nan
    wide = np.hstack([IRIS_X, np.zeros((150, 1000))])
    wide_bad = np.hstack([bad, np.zeros((150, 1000))])
    rows = np.array([3, 149])  # few values, many weights
    for X, spoiled in ((IRIS_X, bad), (wide, wide_bad[rows])):
        model = Perceptron(**rule).partial_fit(kind(X[:120]), IRIS_Y[:120])
        before = pickle.dumps(vars(model))
        labels = IRIS_Y if len(spoiled) == 150 else IRIS_Y[rows]
        for more in (labels, labels + 1):  # with and without new classes
            with pytest.raises(ValueError, match=r"NaN.*\(row (149|1)\)"):
                model.partial_fit(kind(spoiled), more)
            assert pickle.dumps(vars(model)) == before
    if rule["step"] == "perceptron":  # one of x and -x is a mistake
        with pytest.raises(OverflowError, match="too large"):
            model.partial_fit(kind(np.array([1e9, -1e9])[:, None] * X[0]), [1, 1], sample_weight=[1e308, 1e308])
        assert pickle.dumps(vars(model)) == before
    for words in ({"classes": [0, 1]}, {"sample_weight": [1, 2]}, {"sample_weight": [-1.0, 1, 1]}):
        with pytest.raises(ValueError, match=r"weight|not in classes"):
            model.partial_fit(kind(X[:3]), [5, 5, 6], **words)
        assert pickle.dumps(vars(model)) == before


def test_dense_and_sparse_may_take_turns() -> None:
    rows = np.array_split(MIX, 5)
    for rule in RULES:
        dense, mixed = Perceptron(**rule), Perceptron(**rule)
        for k, piece in enumerate(rows):
            kinds: list[Any] = [np.asarray, sp.csr_array, sp.csc_array]
            for model, kind in ((dense, np.asarray), (mixed, kinds[k % 3])):
                model.partial_fit(kind(IRIS_X[piece]), IRIS_Y[piece], [0, 1, 2])
        assert_same(mixed, dense, IRIS_X)
        np.testing.assert_array_equal(mixed.decision_function(sp.csr_array(IRIS_X)), dense.decision_function(IRIS_X))


def test_a_fit_may_go_on() -> None:
    for step in ("perceptron", "pa1", "arow"):
        model = Perceptron(step=step, shuffle=False, max_iter=2, readout="average").fit(IRIS_X[MIX], IRIS_Y[MIX])
        two = Perceptron(step=step, readout="average")
        for _ in range(2):
            two.partial_fit(IRIS_X[MIX], IRIS_Y[MIX], [0, 1, 2])
        np.testing.assert_array_equal(model.coef_, two.coef_)
    with pytest.raises(ValueError, match="cannot change step to or from 'arow'"):
        model.set_params(step="pa").partial_fit(IRIS_X, IRIS_Y)


@pytest.mark.parametrize("member", [Perceptron, KernelPerceptron])
def test_early_stopping_has_no_partial_fit(member: Any) -> None:
    with pytest.raises(AttributeError, match="partial_fit") as caught:
        member(early_stopping=True).partial_fit(AND, Y)
    assert "early_stopping=True holds rows out: use fit, or early_stopping=False" in str(caught.value.__cause__)


def test_a_pocket_has_no_partial_fit() -> None:
    model = Perceptron(readout="pocket")
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit") as caught:
        model.partial_fit(AND, Y)
    assert "no training set to fill the pocket from; use readout='average'" in str(caught.value.__cause__)
    model.fit(AND, Y).set_params(readout="last").partial_fit(AND, [0, 1, 2, 2])  # its last weights go on
    assert model.classes_.tolist() == [0, 1, 2]
    with pytest.raises(AttributeError, match="fit with readout='pocket'"):
        model.coef_for("pocket")


def test_a_start_needs_to_know_the_classes() -> None:
    for init in ([[3.0, 1, 1]], "random"):
        with pytest.raises(ValueError, match="needs all classes at the first call"):
            Perceptron(init=init).partial_fit(AND[:3], Y[:3])
        chained = Perceptron(init=init).partial_fit(AND[:3], Y[:3], classes=[0, 1]).partial_fit(AND[3:], Y[3:])
        whole = Perceptron(init=init, shuffle=False, max_iter=1).fit(AND, Y)
        assert chained.coef_.tolist() == whole.coef_.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        ["no", "yes"],
        [False, True],
        [0.0, 1.0],
        [-1.0, 1e17],
        np.array(["a", "bcd"], dtype=object),
        np.array([-100, 100], dtype=np.int8),
        np.array([0, 255], dtype=np.uint8),
        np.array([0, 2**64 - 1], dtype=np.uint64),
        np.array([-(2**63), 2**63 - 1]),
        pd.Categorical(["low", "high"], categories=["low", "high"]),
    ],
    ids=str,
)
def test_labels_of_any_kind(labels: Any) -> None:
    values = np.unique(np.asarray(labels))
    model = Perceptron(shuffle=False).fit(AND, values[Y])
    assert model.classes_.tolist() == values.tolist()
    assert model.classes_.dtype == values.dtype
    assert model.predict(AND).tolist() == values[Y].tolist()
    chained = Perceptron().partial_fit(AND[:3], values[Y[:3]]).partial_fit(AND[3:], values[Y[3:]])
    assert chained.classes_.tolist() == values.tolist()


def test_labels_that_are_refused() -> None:
    with pytest.raises(ValueError, match="Unknown label type"):
        Perceptron().fit(AND, [0.5, 1.5, 2.5, 3.5])
    with pytest.raises(ValueError, match=r"at least 2 classes, got samples of only one class: \['a'\]"):
        Perceptron().fit(AND, ["a"] * 4)
    with pytest.raises(ValueError, match="NaN"):
        Perceptron().fit(AND, [0, 1, np.nan, 1])
    model = Perceptron().partial_fit(AND, Y)
    with pytest.raises(ValueError, match=r"strings or numbers, not both: \[0, 1\] before, \['1', '2'\] now"):
        model.partial_fit(AND, ["1", "2", "1", "2"])
