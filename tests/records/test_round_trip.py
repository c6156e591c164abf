"""A model that was saved and loaded is the same: its answers, its parameters, and all that it learns from then on."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from rosenblatt import LinearUnit, LinearUnitClassifier, Perceptron, RandomHypotheses, check_run
from rosenblatt.base.data_hash import data_hash
from rosenblatt.data.lectures import AND, CMU
from rosenblatt.doors.sklearn.model_file import load, save, summary
from tests.linear.strategies import Data, data_sets

from .files import assert_same, opened, round_trip

READOUTS = ("last", "average", "vote", "pocket")
RULES = [
    {"step": step, "readout": readout, "keep_mistakes": keep}
    for step in ("perceptron", "pa", "pa1", "pa2", "arow")
    for readout in READOUTS
    for keep in (False, True)
    if step != "arow" or not (keep or readout == "vote")
]
LABELS: list[Any] = [
    [0, 1, 2, 3],
    np.array([-3, 0, 7, 9], dtype=np.int8),
    np.array([0, 1, 2, 2**63], dtype=np.uint64),
    np.array([-1.0, 0.0, 2.0, 2.0**60]),
    np.array([-1.0, 0.0, 2.0, 2.0**60], dtype=np.float32),
    ["no", "yes", "ähm", "\ud800"],
    np.array(["a", "b", "c", "longer than the others"], dtype=object),
]
kinds = st.sampled_from([np.asarray, sp.csr_array, sp.csr_matrix])
dtypes = st.sampled_from([np.float64, np.float32])
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def all_answers(model: Any, X: Any) -> dict[str, Any]:
    """What a perceptron says under every readout; None where the run did not keep what it takes."""
    model, found = copy.copy(model), {}
    for readout in READOUTS:
        model.set_params(readout=readout)
        for name in ("coef_", "intercept_", "dual_coef_", "mistakes_"):
            found[f"{readout} {name}"] = getattr(model, name, None)
        try:
            found[readout] = model.decision_function(X)
        except AttributeError as error:
            found[readout] = str(error)
        else:
            found[f"{readout} labels"] = model.predict(X)
    return found


@st.composite
def words(draw: Any, n_machines: int, n_features: int) -> dict[str, Any]:
    rule = draw(st.sampled_from(RULES))
    init = draw(st.sampled_from(["zeros", "random", np.arange(n_machines * n_features).reshape(n_machines, -1) - 2]))
    return {
        **rule,
        "init": init,
        "tie": draw(st.sampled_from(["mistake", "positive", "negative"])),
        "eta0": draw(st.sampled_from([1.0, 2, 0.1])),
        "multiclass": draw(st.sampled_from(["argmax", "one-vs-rest"])),
        "fit_intercept": draw(st.booleans()),
        "intercept_scaling": draw(st.sampled_from([1, 0.5])),
        "max_iter": draw(st.integers(1, 4)),
        "warm_start": draw(st.booleans()),
    }


@settings(max_examples=150, deadline=None)
@given(data_sets(max_classes=4, max_rows=10), kinds, dtypes, st.sampled_from(LABELS), st.data())
def test_perceptrons(data: Data, kind: Any, dtype: Any, labels: Any, choices: Any) -> None:
    y, n_classes = np.asarray(labels)[data.y], len(set(data.y))
    X = kind(data.X.astype(dtype))
    n_machines = 1 if n_classes == 2 else n_classes
    model = Perceptron(**choices.draw(words(n_machines, X.shape[1]))).fit(X, y)
    if choices.draw(st.booleans()):
        model.set_params(readout="last").partial_fit(X, y)  # without the pocket
    twin = round_trip(model)
    assert_same(model, twin)
    assert_same(all_answers(model, X), all_answers(twin, X))
    before = pickle.dumps(twin._model.state)
    assert_same(all_answers(twin, X), all_answers(twin, X))
    assert pickle.dumps(twin._model.state) == before

    other = choices.draw(kinds)(data.X[::-1])
    more = [(X, y), (other, y[::-1])]
    if choices.draw(st.booleans()):
        more.append((other, np.roll(np.asarray(labels)[[0, 1, 2, 3] * 3][: len(y)], 1)))  # classes that are new
    for one in (model, twin):
        one.set_params(readout="last")
        for rows, target in more:
            one.partial_fit(rows, target)
    assert_same(model, twin)
    assert_same(all_answers(model, X), all_answers(twin, X))
    y = np.resize(model.classes_, len(y)) if model.warm_start else y
    if len(model.classes_) <= len(y):
        assert_same(model.fit(X, y), twin.fit(X, y))


@settings(max_examples=60, deadline=None)
@given(data_sets(max_classes=4), kinds, dtypes, st.sampled_from(LABELS), st.sampled_from(["batch", "stochastic"]))
def test_linear_units(data: Data, kind: Any, dtype: Any, labels: Any, method: Any) -> None:
    X, words = kind(data.X.astype(dtype)), {"method": method, "max_iter": 5, "warm_start": True, "init": "random"}
    for model, y in (
        (LinearUnit(**words), data.y),
        (LinearUnitClassifier(**words, class_weight="balanced"), np.asarray(labels)[data.y]),
    ):
        twin = round_trip(model.fit(X, y))
        assert_same(model, twin)
        assert_same(model.predict(X), twin.predict(X))
        assert_same(model.fit(X, y), twin.fit(X, y))


@settings(max_examples=30, deadline=None)
@given(data_sets(), kinds, dtypes, st.sampled_from(LABELS), st.booleans())
def test_random_hypotheses(data: Data, kind: Any, dtype: Any, labels: Any, intercept: bool) -> None:
    X, y = kind(data.X.astype(dtype)), np.asarray(labels)[data.y]
    hypotheses = np.vstack([data.X, -data.X])
    for model in (RandomHypotheses(k=7, fit_intercept=intercept), RandomHypotheses(hypotheses=hypotheses)):
        twin = round_trip(model.fit(X, y))
        assert_same(model, twin)
        assert_same(model.decision_function(X), twin.decision_function(X))
        assert_same(model.predict(X), twin.predict(X))


@pytest.mark.parametrize("readout", ["average", "last"])
def test_weights_set_by_hand(readout: Any) -> None:
    X, y = np.vstack([AND.X, CMU.X]), [0, 0, 0, 1, 2, 0, 1, 2, 2, 1]
    for target in (y, np.array(y) == 1):
        model = Perceptron(readout=readout, max_iter=3).fit(X, target)
        model.sparsify()
        assert_same(model, round_trip(model))
        assert_same(model.densify(), round_trip(model))
        model.intercept_ = 3
        assert_same(model, round_trip(model))
        model.coef_ = [[n, 2] for n in range(len(model.coef_))]
        twin = round_trip(model)
        assert_same(model.decision_function(X), twin.decision_function(X))
        assert_same(model.partial_fit(X, target), twin.partial_fit(X, target))
    unit = LinearUnit().fit(*AND)
    unit.coef_, unit.intercept_ = -unit.coef_, 3
    assert_same(unit.predict(AND.X), round_trip(unit).predict(AND.X))


def test_a_run_without_a_mistake() -> None:
    for X in (AND.X, sp.csr_array(AND.X)):
        model = Perceptron(readout="vote", init=np.array([-3, 2, 2])).fit(X, AND.y)
        assert model.n_updates_ == 0
        twin = round_trip(model)
        assert_same(model, twin)
        assert_same(all_answers(model, X), all_answers(twin, X))
        assert twin.decision_function(X).tolist() == AND.y.tolist()
        assert_same(model.partial_fit(X, -AND.y), twin.partial_fit(X, -AND.y))


def test_the_first_class_alone() -> None:
    model = Perceptron(keep_mistakes=True).partial_fit(AND.X[:3], AND.y[:3])
    twin = round_trip(model)
    assert_same(twin.predict(AND.X), np.full(4, -1))
    assert_same(model.partial_fit(*AND), twin.partial_fit(*AND))
    assert twin.classes_.tolist() == [-1, 1]


@pytest.mark.parametrize(
    "words",
    [
        {"random_state": None},
        {"random_state": np.int64(7), "eta0": np.float32(0.1), "shuffle": np.True_},
        {"class_weight": "balanced", "margin": 0.1, "tol": 1e-3, "early_stopping": False},
        {"class_weight": {-1: 2, np.int64(1): 0.1}, "max_iter": 9},
        {"class_weight": {}, "step": "pa1", "C": 10**30},
        {"init": [0, 0, 0.5]},
        {"init": pd.DataFrame({"constant": [1], "a": [2], "b": [3]})},
        {"init": np.array([[1, 2, 3]], dtype=">f4")},
        {"init": np.asfortranarray([[1.0, 2]])},
    ],
)
def test_parameters(words: Any) -> None:
    model = Perceptron(**words).fit(*AND)
    twin = round_trip(model)
    for name, value in model.get_params().items():
        found = getattr(twin, name)
        if name == "init" and not isinstance(value, str):
            np.testing.assert_array_equal(found, value)
            assert not found.flags.writeable
        else:
            assert found == value
            assert isinstance(found, type(value)) or isinstance(value, np.generic)
    if model.random_state is not None:
        assert_same(clone(model).fit(*AND).coef_, clone(twin).fit(*AND).coef_)


def test_frames_keep_their_names() -> None:
    frame = pd.DataFrame(AND.X, columns=["left", "right"])
    model = Perceptron().fit(frame, AND.y)
    twin = round_trip(model)
    assert_same(model, twin)
    assert twin.feature_names_in_.tolist() == ["left", "right"]
    with pytest.raises(ValueError, match="feature names"):
        twin.predict(frame.rename(columns={"left": "up"}))


def test_the_file_is_mapped_and_learning_goes_on_in_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "model"
    for words in ({"step": "arow"}, {"readout": "average", "keep_mistakes": True}):
        save(Perceptron(**words, shuffle=False).fit(*AND), path)
        written, model = path.read_bytes(), load(path)
        state = model._model.state
        arrays = [a for a in (state.w, state.spread, state.sums) if a is not None]
        assert len(arrays) == 2
        assert not any(array.flags.writeable or array.flags.owndata for array in arrays)
        before = model.coef_.tobytes()
        with pytest.raises(ValueError, match="infinity"):
            model.partial_fit([[1.0, 1.0], [np.inf, 1.0]], [-1, 1])
        assert model.coef_.tobytes() == before
        model.partial_fit(AND.X, -AND.y)
        assert model.coef_.tobytes() != before
        assert model._model.state.w.flags.writeable
        assert path.read_bytes() == written


def test_a_loaded_model_may_be_saved_in_its_own_place(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save(Perceptron(keep_mistakes=True).fit(*AND), path)
    written, model = path.read_bytes(), load(path)
    save(model, path)
    assert path.read_bytes() == written
    assert_same(model, load(path))
    assert list(tmp_path.iterdir()) == [path]


def test_proofs_hold_for_loaded_runs() -> None:
    model = round_trip(Perceptron(shuffle=False, keep_mistakes=True).fit(*AND))
    assert check_run(model, *AND, w=(-3, 2, 2))
    assert model.certificate(*AND).bound_exact == 51


def test_the_training_summary(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save(Perceptron(shuffle=False).fit(*AND), path, data=AND)
    said = summary(path)
    assert said["training"] == {"rows": 4, "passes": 9, "mistakes": 18, "data": data_hash(*AND)}
    assert said["library"] == "rosenblatt 0.1.0"
    assert "score = unit * (x.w + bias * last row of w)" in said["conventions"]
    save(LinearUnit(tol=None, max_iter=3).fit(*AND), path, data=(sp.csr_array(AND.X), AND.y))
    assert summary(path)["training"] == {"rows": 4, "passes": 3, "mistakes": None, "data": data_hash(*AND)}
    save(RandomHypotheses().fit(*AND), path)
    assert summary(path)["training"] == {"rows": None, "passes": None, "mistakes": None, "data": None}


def test_the_file_does_as_its_conventions_say(tmp_path: Path) -> None:
    X, y = np.vstack([AND.X, CMU.X]), [0, 0, 0, 1, 2, 0, 1, 2, 2, 1]
    path = tmp_path / "model.safetensors"
    model = Perceptron(readout="average", keep_mistakes=True, eta0=0.5, intercept_scaling=2, max_iter=5).fit(X, y)
    save(model, path)
    record, t = opened(path)
    average = (record["visits"] * t["w"] - t["sums"]) / record["visits"]
    score = record["unit"] * (X @ average[:-1] + record["bias"] * average[-1])
    np.testing.assert_allclose(score[:, :3], model.decision_function(X))
    w = np.zeros((3, 3))
    for row, cls, tau in zip(t["mistakes.row"], t["mistakes.cls"], t["mistakes.tau"], strict=True):
        x = t["mistakes.support"][t["mistakes.support_row"].tolist().index(row)]
        w[:, cls] += tau * np.append(x, record["bias"])
    np.testing.assert_allclose(w[:-1], t["w"][:-1, :3])
