"""Shards: the plain run for one of them, plain.py's mixing for more, the same bits whatever the threads, the bound."""

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron, certify, check_run, load, plain, save, trace
from rosenblatt.base.engines import Engine, Serial, Threads
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.record.parts import Parts
from rosenblatt.data.lectures import XOR
from rosenblatt.members import shards
from rosenblatt.members.fit import fit
from rosenblatt.members.linear import perceptron
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.randomness import random_state
from rosenblatt.members.run import run
from rosenblatt.members.shards import RowsInShards, spans

from .strategies import Data, data_sets

pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")
RNG = np.random.default_rng(5)
X = RNG.integers(-4, 5, size=(203, 6)).astype(float)
Y = np.argmax(X @ RNG.normal(size=(6, 3)) + RNG.normal(size=(203, 3)), axis=1)
STEPS = ["perceptron", "pa", "pa1", "pa2", "arow"]


@pytest.fixture
def threads_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that small shards go to threads, too."""
    monkeypatch.setattr(shards, "WORTH_A_THREAD", 0)


def same(a: Perceptron, b: Perceptron) -> None:
    """To the bit, in all that a run leaves."""
    for name in ("w", "spread", "sums"):
        one, other = getattr(a._model.state, name), getattr(b._model.state, name)
        assert (one is None and other is None) or one.tobytes() == other.tobytes()
    assert a.mistakes_.tolist() == b.mistakes_.tolist()
    assert a.mixed_mistakes_.tolist() == b.mixed_mistakes_.tolist()
    assert (a.n_updates_, a._model.state.visits) == (b.n_updates_, b._model.state.visits)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("classes", [2, 3])
def test_one_shard_is_the_plain_run(step: str, classes: int) -> None:
    y = np.minimum(Y, classes - 1)
    words: dict[str, Any] = {"step": step, "readout": "average", "max_iter": 5}
    expected = Perceptron(**words).fit(X, y)
    # A plain run does not go through the engine: here one shard does.
    member, names = LinearMember(PerceptronParameters(**words)), np.unique(y)
    state, seed = member.begin(names, X, random_state(0))
    rows = shards.cut(X, y.astype(np.int32), None, 1)
    stop = member.stopping(len(y))
    source = RowsInShards(rows, Serial(), len(y), member, state, names, 6, len(y), stop, seed)
    run(source, stop)
    model = source.model()
    assert model.state.w.tobytes() == expected._model.state.w.tobytes()
    assert model.state.sums.tobytes() == expected._model.state.sums.tobytes()
    assert model.passes == expected.mistakes_.tolist()
    assert (model.n_updates, model.state.visits) == (expected.n_updates_, expected._model.state.visits)
    same(Perceptron(**words, shards=1, rounds=3, n_jobs=2).fit(X, y), expected)


@pytest.mark.usefixtures("threads_pay")
@pytest.mark.parametrize("n_shards", [2, 3, 8, 300])
@pytest.mark.parametrize("step", ["perceptron", "pa1", "arow"])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, lambda X: X.astype(np.float32)])
def test_the_same_bits_with_any_number_of_threads(n_shards: int, step: str, kind: Any) -> None:
    words: dict[str, Any] = {"shards": n_shards, "step": step, "readout": "average", "max_iter": 4}
    one = Perceptron(**words).fit(kind(X), Y)
    for n_jobs in (1, 2, 4):
        same(Perceptron(**words, n_jobs=n_jobs).fit(kind(X), Y), one)
    if n_shards < len(Y):  # else each has one row, and one order
        assert Perceptron(**words, random_state=1).fit(kind(X), Y).coef_.tolist() != one.coef_.tolist()
        assert Perceptron(**{**words, "shards": n_shards + 1}).fit(kind(X), Y).coef_.tolist() != one.coef_.tolist()


@settings(max_examples=300, deadline=None)
@given(
    data=data_sets(max_classes=3, max_rows=12, max_features=2),
    n_shards=st.sampled_from([2, 3, 8]),
    rounds=st.sampled_from([1, 2, 3]),
    words=st.fixed_dictionaries({"tie": st.sampled_from(["mistake", "positive"]), "margin": st.sampled_from([0, 2])}),
    batch_size=st.sampled_from([1, 2]),
    sparse=st.booleans(),
)
def test_mixing_is_that_of_plain(
    data: Data, n_shards: int, rounds: int, words: dict[str, Any], batch_size: int, sparse: bool
) -> None:
    """To the bit: Python's floats round as the core's do, and of three terms plain.py takes the core's order."""
    n_classes, constant = len(set(data.y.tolist())), np.ones(len(data.y))
    order = [0, 2, 1] if n_classes == 2 and data.X.shape[1] == 2 else range(data.X.shape[1] + 1)
    columns = np.column_stack([data.X, constant])[:, order].tolist()
    y = (2 * data.y - 1 if n_classes == 2 else data.y).tolist()
    n_machines = 1 if n_classes == 2 else n_classes
    W: plain.Weights = tuple([0.0] * len(columns[0]) for _ in range(n_machines))
    for _ in range(3):
        for r in range(rounds):
            parts = []
            for first, last in spans(len(y), n_shards):
                a, b = spans(last - first, rounds)[r]
                if a < b:
                    parts.append((columns[first + a : first + b], y[first + a : first + b]))
            contests = plain.binary if n_classes == 2 else plain.argmax
            if parts:
                W = plain.mixed_pass(parts, W, contests=contests, n_machines=n_machines, batch_size=batch_size, **words)
    model = Perceptron(
        shards=n_shards, rounds=rounds, shuffle=False, max_iter=3, batch_size=batch_size, tol=None, **words
    )
    model.fit(sp.csr_array(data.X) if sparse else data.X, data.y)
    assume(model.n_iter_ == 3)  # plain.py goes on after a clean pass, which changes nothing
    found = np.column_stack([model.coef_, model.intercept_])[:, order]
    assert found.tolist() == [list(w) for w in W]


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=2, max_size=14),
    truth=st.lists(st.integers(-3, 3), min_size=4, max_size=4),
    n_shards=st.sampled_from([2, 3, 8]),
    rounds=st.sampled_from([1, 2, "auto"]),
    shuffle=st.booleans(),
)
def test_the_mixed_mistakes_stay_within_the_bound(
    rows: list[list[int]], truth: list[int], n_shards: int, rounds: Any, shuffle: bool
) -> None:
    A = np.array(rows, dtype=float)
    score = A @ np.array(truth[1:]) + truth[0]
    A, y = A[score != 0], np.sign(score[score != 0])
    assume(len(set(y.tolist())) == 2)
    proof = certify(A, y)
    assert proof.separable
    model = Perceptron(shards=n_shards, rounds=rounds, shuffle=shuffle).fit(A, y)
    assert model.converged_
    assert model.score(A, y) == 1
    bound = proof.bound_exact
    assert isinstance(bound, Fraction)
    # The weights are rounded where they are mixed, by parts of 10^16.
    assert model.mixed_mistakes_.sum() <= float(bound) * (1 + 1e-9)
    assert (model.mixed_mistakes_ <= model.mistakes_).all()
    assert (model.mixed_mistakes_ >= model.mistakes_ / n_shards).all()


def test_the_average_is_of_the_weights_that_the_shards_had() -> None:
    """Two shards of two and three rows: ticks 1 to 3 have the mean of both, and the shorter one stands still in 3."""
    A, y = np.array([[1.0], [2.0], [-1.0], [3.0], [5.0]]), np.array([1, 0, 0, 1, 0])
    model = Perceptron(shards=2, shuffle=False, fit_intercept=False, max_iter=1, readout="average").fit(A, y)
    first, second = [[1], [-1]], [[1], [1], [-4]]  # the weights of each shard after each of its rows
    runs = [plain.run(A[a:b].tolist(), (2 * y[a:b] - 1).tolist(), max_iter=1) for a, b in ((0, 2), (2, 5))]
    assert [[list(W[0]) for W in run.after] for run in runs] == [first, second]
    k = [run.mistakes[0] for run in runs]
    assert k == [2, 2]
    ticks = [(1 + 1) / 2, (-1 + 1) / 2, (-1 - 4) / 2]
    assert model.coef_for("last").tolist() == [[ticks[-1]]]
    assert model.coef_.tolist() == [[sum(ticks) / 3]]
    assert model._model.state.visits == 3


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("multiclass", ["argmax", "one-vs-rest"])
def test_it_learns(step: Any, multiclass: Any) -> None:
    A = RNG.normal(size=(600, 8))
    y = np.argmax(A @ RNG.normal(size=(8, 3)), axis=1)
    for n_shards in (1, 4):
        model = Perceptron(
            shards=n_shards, step=step, multiclass=multiclass, readout="average", max_iter=20, C=0.1
        ).fit(A, y)
        assert model.score(A, y) > 0.9


def test_weights_classes_and_stopping_go_with_shards() -> None:
    weight = RNG.integers(0, 3, len(Y))
    words: dict[str, Any] = {"shards": 3, "max_iter": 3, "shuffle": False}
    kept = weight > 0
    weighted = Perceptron(**words).fit(X, Y, sample_weight=weight)
    same(weighted, Perceptron(**words).fit(X[kept], Y[kept], sample_weight=weight[kept]))
    by_class = Perceptron(**words, class_weight={0: 2.0, 1: 1.0, 2: 1.0}).fit(X, Y)
    same(by_class, Perceptron(**words).fit(X, Y, sample_weight=np.where(Y == 0, 2.0, 1.0)))
    early = Perceptron(shards=3, early_stopping=True, n_iter_no_change=2, max_iter=50).fit(X, Y)
    assert early.n_iter_ < 50
    warm = Perceptron(**{**words, "max_iter": 1}, warm_start=True)
    twice = warm.fit(X, Y).fit(X, Y)
    assert twice.coef_.tolist() == Perceptron(**{**words, "max_iter": 2}).fit(X, Y).coef_.tolist()


def test_shards_without_rows_or_of_one_class_change_nothing_they_should_not() -> None:
    order = np.argsort(Y, kind="stable")  # each of three shards has nearly one class
    model = Perceptron(shards=3, max_iter=200).fit(X[order], Y[order])
    assert model.score(X[order], Y[order]) > 0.8
    few, labels = X[:3], np.array([0, 1, 1])
    alone = Perceptron(shards=3, max_iter=2, shuffle=False, readout="average").fit(few, labels)
    for n_shards in (6, 9):  # every second or third has a row
        padded = Perceptron(shards=n_shards, rounds=1, max_iter=2, shuffle=False, readout="average").fit(few, labels)
        same(padded, alone)


def test_partial_fit_is_a_mixed_pass_over_its_rows() -> None:
    words: dict[str, Any] = {"shards": 4, "readout": "average"}
    model = Perceptron(**words).partial_fit(X, Y)
    same(model, Perceptron(**words, shuffle=False, max_iter=1).fit(X, Y))
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="row 7"):
        model.partial_fit(np.where(np.arange(len(X))[:, None] == 7, np.nan, X), Y)
    assert pickle.dumps(model) == before
    state, w = model._model.state, model._model.state.w.copy()
    huge = np.where(np.arange(len(X))[:, None] % 2, 1e308, -1e308) * np.ones_like(X)
    with pytest.raises(OverflowError):
        model.partial_fit(huge, Y)
    assert model._model.state is state
    assert state.w.tobytes() == w.tobytes()
    # One shard, several, and one again: the mistakes of each pass are there.
    model.set_params(shards=1).partial_fit(X, Y).set_params(shards=2).partial_fit(X, Y)
    assert len(model.mixed_mistakes_) == len(model.mistakes_) == 3
    assert model.mixed_mistakes_[1] == model.mistakes_[1]


@pytest.mark.parametrize(
    "words",
    [{"readout": "vote"}, {"readout": "pocket"}, {"keep_mistakes": True}],
)
def test_what_needs_one_run_is_refused(words: dict[str, Any]) -> None:
    ((name, value),) = words.items()
    with pytest.raises(ParameterError, match=rf"{name}: expected .* in shards, found {value!r}: .*shards=1"):
        Perceptron(shards=2, **words).fit(X, Y)


@pytest.mark.parametrize(("word", "value"), [("shards", 0), ("rounds", 0), ("n_jobs", 0), ("shards", 1.5)])
def test_ranges(word: str, value: Any) -> None:
    with pytest.raises(ValueError, match=word):
        PerceptronParameters.of(**{word: value})
    with pytest.raises(ValueError, match=word):
        Perceptron(**{word: value}).fit(X, Y)


def test_too_large_numbers_are_named() -> None:
    huge = np.where(np.arange(40) % 2, 1e200, -1e200)[:, None] * np.ones((1, 2))
    with pytest.raises(
        OverflowError, match=r"of the rows \d+ to \d+, counted from the first of these: the score of row"
    ):
        Perceptron(shards=3, fit_intercept=False, shuffle=False).fit(huge * [1, -1e-3], np.arange(40) % 3 == 0)
    rows = np.full((4, 1), 1.5e308)
    with pytest.raises(OverflowError, match="too large for their type in pass 1"):
        Perceptron(shards=2, shuffle=False, fit_intercept=False, batch_size=2, eta0=1).fit(rows, [0, 1, 1, 1])


@pytest.mark.usefixtures("threads_pay")
def test_joblib_may_say_how_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Noted(Threads):
        def __init__(self, threads: int) -> None:
            made.append(threads)
            super().__init__(threads)

    monkeypatch.setattr("rosenblatt.base.engines.Threads", Noted)
    with joblib.parallel_config(n_jobs=3):
        Perceptron(shards=8, max_iter=1).fit(X, Y)
    Perceptron(shards=2, max_iter=1, n_jobs=4).fit(X, Y)
    Perceptron(shards=8, max_iter=1).fit(X, Y)
    assert made == [3, 2]


def test_an_engine_can_be_given() -> None:
    class Backwards(Engine):
        def run(self, task: Any, parts: Any, shared: Any) -> list[Any]:
            return [pickle.loads(pickle.dumps(task))(part, shared) for part in reversed(parts)][::-1]

    parameters = PerceptronParameters(shards=5, max_iter=3)
    model, _ = fit(LinearMember(parameters), X, Y, engine=Backwards())
    expected, _ = fit(LinearMember(parameters), X, Y)
    assert model.state.w.tobytes() == expected.state.w.tobytes()


def test_model_files_keep_the_mixed_mistakes(tmp_path: Path) -> None:
    model = Perceptron(shards=3, max_iter=4, readout="average", n_jobs=2).fit(X, Y)
    save(model, tmp_path / "m.safetensors")
    again = load(tmp_path / "m.safetensors")
    same(again, model)
    assert (again.shards, again.rounds, again.n_jobs) == (3, "auto", 2)
    tensors: Any = {}
    record = model._model.to_record(tensors)
    for wrong in (model.mixed_mistakes_[1:], -model.mixed_mistakes_, model.mixed_mistakes_ + model.mistakes_):
        forged = Parts(record, {**tensors, "mixed_mistakes_": wrong})
        with pytest.raises(ValueError, match="mixed_mistakes_"):
            type(model._model).from_record(model._model.parameters, 6, model.classes_, forged)


def test_what_is_about_one_run_says_so() -> None:
    A, y = np.array([[1.0], [2.0], [-1.0], [-2.0]]), [1, 1, -1, -1]
    model = Perceptron(shards=2).fit(A, y)
    with pytest.raises(ValueError, match="run was made in shards, which keep no mistakes"):
        check_run(model, A, y)
    assert model.mixed_mistakes_.sum() <= model.certificate(A, y).bound
    with pytest.raises(ValueError, match="trace cannot have shards=2: a trace is one run"):
        trace(A, y, shards=2)


def test_a_small_inseparable_set_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perceptron, "MIXED_PASSES", 50)
    model = Perceptron(shards=2).fit(*XOR)
    assert 50 <= model.n_iter_ < 100
    assert not model.converged_
