"""StructuredPerceptron as an estimator: scikit-learn's checks, readouts, stopping, what it refuses."""

import copy
import pickle
import pickletools
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import StructuredPerceptron, save
from rosenblatt.base.rows import is_sparse

from .chain import Chain, hamming

CHAIN = Chain(["D", "N", "V"])
X = [[["the"], ["dog"], ["barks"]], [["a"], ["cat"]], [["dogs"], ["bark"]], [["the"], ["old"], ["bark"]]]
Y = [["D", "N", "V"], ["D", "N"], ["N", "V"], ["D", "N", "V"]]


@dataclass(frozen=True)  # its name has no address, by which tests that run side by side would differ
class Features:
    def __call__(self, x: Any, y: Any) -> dict[Any, float]:
        x = x.toarray() if is_sparse(x) else x
        return {(int(y), j): float(v) for j, v in enumerate(np.ravel(x))}


@dataclass(frozen=True)
class Decode:
    def __call__(self, w: Any, x: Any) -> int:
        return max((0, 1, 2), key=lambda y: float(w @ features(x, y)))


features, decode = Features(), Decode()


def tagger(**words: Any) -> StructuredPerceptron:
    return StructuredPerceptron(CHAIN.features, CHAIN.decode, **words)


A_LIST = "predict gives a list, as outputs may be anything, and these two checks ask for the shape of an array"


# X and y may be any objects, so that the checks of what is in them do not apply (its tag is no_validation); all others
# run, on rows of numbers as inputs and classes as outputs.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [StructuredPerceptron(features, decode, max_iter=3)],
    expected_failed_checks=lambda _: dict.fromkeys(
        ["check_estimator_sparse_array", "check_estimator_sparse_matrix"], A_LIST
    ),
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_copies_learn_and_answer_alike() -> None:
    model = tagger(keep_mistakes=True, loss=hamming).fit(X, Y)
    for other in (clone(model).fit(X, Y), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.weights_ == model.weights_
        assert type(other.weights_) is type(model.weights_)
        assert other.predict(X) == model.predict(X) == Y
        assert other.partial_fit(X, Y).n_iter_ == model.n_iter_ + 1


@dataclass(frozen=True)
class Rows:
    """Features as vectors: the row of an x in the place of class y."""

    kind: str

    def __call__(self, x: Any, y: Any) -> Any:
        blocks = np.zeros((3, len(x)))
        blocks[y] = x
        return sp.csr_array(blocks.reshape(1, -1)) if self.kind == "sparse" else blocks.ravel()


@dataclass(frozen=True)
class DecodeRows:
    def __call__(self, w: Any, x: Any) -> int:
        return int(np.argmax(w.reshape(3, -1) @ x))


@pytest.mark.parametrize("kind", ["names", "array", "sparse"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_pickle_names_no_module_but_the_package(kind: str) -> None:
    """So that it can be read after the modules have moved; all that is known of the fit comes back."""
    rows, labels = np.random.default_rng(0).normal(size=(20, 3)), [0, 1, 2, 1] * 5
    functions = (features, decode) if kind == "names" else (Rows(kind), DecodeRows())
    model = StructuredPerceptron(*functions, max_iter=3, keep_mistakes=True).fit(rows, labels)
    model.predict(rows)
    content = pickle.dumps(model)
    texts = {arg for _, arg, _ in pickletools.genops(content) if isinstance(arg, str)}
    assert {text for text in texts if text.startswith("rosenblatt")} == {"rosenblatt"}
    again = pickle.loads(content)
    assert str(again.trace_) == str(model.trace_)
    assert again.trace_.visits == model.trace_.visits == 60
    assert (again.n_iter_, again.n_updates_, again.converged_) == (model.n_iter_, model.n_updates_, model.converged_)
    for readout in ("last", "average", "vote"):
        assert again.set_params(readout=readout).predict(rows) == model.set_params(readout=readout).predict(rows)
    for one in (model, again):
        one.partial_fit(rows, labels)
    np.testing.assert_equal(again.weights_for("average"), model.weights_for("average"))
    assert sp.issparse(next(iter(again.trace_)).added) == (kind == "sparse")


def test_model_selection() -> None:
    search = GridSearchCV(tagger(), {"readout": ["last", "average"]}, cv=2).fit(X * 3, Y * 3)
    assert search.best_score_ == 1.0
    assert cross_val_score(tagger(readout="last"), X * 3, Y * 3, cv=3).tolist() == [1.0, 1.0, 1.0]


def test_a_model_with_functions_is_not_for_a_file(tmp_path: Any) -> None:
    with pytest.raises(TypeError, match="StructuredPerceptron"):
        save(tagger().fit(X, Y), tmp_path / "model.safetensors")


def test_readout_may_change_after_the_fit() -> None:
    model = tagger(keep_mistakes=True, shuffle=False).fit(X, Y)
    runs = {r: tagger(readout=r, shuffle=False).fit(X, Y) for r in ("last", "average", "vote")}
    for readout, run in runs.items():
        assert run.mistakes_.tolist() == model.mistakes_.tolist()
        assert model.set_params(readout=readout).predict(X) == run.predict(X)
    assert runs["last"].weights_for("average") == runs["average"].weights_
    with pytest.raises(AttributeError, match="'vote' has no single weight vector"):
        runs["vote"].score_of(X[0], Y[0])
    with pytest.raises(AttributeError, match="did not keep its mistakes; fit with keep_mistakes=True"):
        runs["last"].set_params(readout="vote").predict(X)
    with pytest.raises(AttributeError, match="did not keep its mistakes"):
        len(runs["average"].trace_)


def test_score_is_one_less_the_mean_loss() -> None:
    model = tagger(loss=hamming).fit(X, Y)
    wrong = [["V", "N", "V"], *Y[1:]]
    assert model.score(X, wrong) == 1 - 1 / 4
    assert model.set_params(loss=None).score(X, [["V", "V", "V"], *Y[1:]]) == 3 / 4


def test_pa_steps_as_far_as_the_loss_asks() -> None:
    model = tagger(step="pa", loss=hamming, max_iter=1, shuffle=False, readout="last")
    model.fit(X[:1], Y[:1])  # how many passes is as told: nothing to warn of
    assert model.score_of(X[0], Y[0]) - model.score_of(X[0], ["D", "D", "D"]) == pytest.approx(2)


def test_a_run_that_was_left_to_us_and_did_not_converge() -> None:
    def features(x: Any, y: Any) -> Any:
        return {f"{x}{y}": 1}

    def decode(w: Any, x: Any) -> Any:
        return max("ab", key=lambda y: w @ features(x, y))

    with pytest.warns(ConvergenceWarning, match="pass 100, the last, still made .*='average' is made for that"):
        StructuredPerceptron(features, decode).fit(["x", "x", "x"], ["a", "a", "b"])
    with pytest.warns(ConvergenceWarning, match="readout='average' answers better. .* set max_iter above 100"):
        StructuredPerceptron(features, decode, readout="last").fit(["x", "x"], ["a", "b"])


def test_early_stopping_looks_at_the_part_held_out() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 3))
    labels = rng.integers(0, 3, 60).tolist()  # nothing to learn
    words: dict[str, Any] = {"max_iter": 200, "validation_fraction": 0.25}
    model = StructuredPerceptron(features, decode, early_stopping=True, n_iter_no_change=3, **words).fit(rows, labels)
    assert 4 <= model.n_iter_ < 200
    assert not model.converged_
    assert sum(model.mistakes_[:1]) <= 45  # 15 of 60 were held out
    voted = StructuredPerceptron(features, decode, early_stopping=True, readout="vote", n_iter_no_change=2)
    assert 3 <= voted.fit(rows[:20], labels[:20]).n_iter_ < 100


def test_a_shuffled_run_is_reproducible() -> None:
    runs = [tagger(random_state=seed, keep_mistakes=True).fit(X, Y).trace_ for seed in (0, 0, 1, 2, 3)]
    orders = [[update.row for update in run] for run in runs]
    assert orders[0] == orders[1]
    assert any(order != orders[0] for order in orders[2:])


def test_what_fails_changes_nothing() -> None:
    model = tagger(keep_mistakes=True).fit(X, Y)
    weights, updates = dict(model.weights_for("last")), model.n_updates_
    bad = [[["the"]], [["cat"], None]]
    for learn in (model.fit, model.partial_fit):
        with pytest.raises(TypeError):
            learn(bad, [["V"], ["N", "N"]])
        assert model.weights_for("last") == weights
        assert model.n_updates_ == updates == len(model.trace_)


def test_outputs_may_be_arrays() -> None:
    def array_features(x: Any, y: Any) -> Any:
        return CHAIN.features(x, list(y))

    def array_decode(w: Any, x: Any) -> Any:
        return np.array(CHAIN.decode(w, x))

    model = StructuredPerceptron(array_features, array_decode, readout="vote", shuffle=False)
    model.fit(X, [np.array(y) for y in Y])
    assert [y.tolist() for y in model.predict(X)] == tagger(readout="vote", shuffle=False).fit(X, Y).predict(X)
    assert "D N V" in str(model.trace_)


def test_small_types_do_not_wrap() -> None:
    model = StructuredPerceptron(lambda x, y: {"f": np.int8(y * x)}, lambda w, x: 1 if w["f"] * x > 0 else -1)
    model.set_params(readout="last", shuffle=False).fit([100, 100, -100], [1, 1, -1])
    model.partial_fit([-100, -1], [1, -1]).partial_fit([-100, -1], [1, -1])
    assert isinstance(model.weights_["f"], int)


def test_the_trace_says_what_happened() -> None:
    model = tagger(keep_mistakes=True, shuffle=False).fit(X, Y)
    trace = model.trace_
    assert repr(trace).startswith(f"StructuredTrace({model.n_iter_ * 4} visits, {model.n_updates_} updates, converged")
    w: dict[Any, int] = {}
    for k, update in enumerate(trace, start=1):
        assert update.k == k
        assert CHAIN.decode(w, X[update.row]) == update.answer != update.right == Y[update.row]
        assert (update.visit - 1) % 4 == update.row
        assert (update.visit - 1) // 4 + 1 == update.pass_
        w = {name: w.get(name, 0) + update.added.get(name, 0) for name in w | update.added}
        assert update.norm == np.sqrt(sum(v * v for v in w.values()))
    assert {name: v for name, v in w.items() if v} == {n: v for n, v in model.weights_for("last").items() if v}
    head, first, *_, end = str(trace).splitlines()
    assert head.split() == ["pass", "visit", "example", "right", "answer", "added", "|w|", "k"]
    assert first.startswith("   1      1        1  D N V  D D D   (dog, N) +1, (barks, V) +1, ")
    assert "..." in first  # long ones are cut
    assert end.startswith("converged: ")
    rows = StructuredPerceptron(lambda x, y: sp.csr_array([[0, x * y / 2]]), lambda w, x: 1 if w[1] * x > 0 else -1)
    assert "1 +3 " in str(rows.set_params(keep_mistakes=True).fit([3], [1]).trace_)


@pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")
def test_a_trace_without_end_is_a_page() -> None:
    rows = StructuredPerceptron(lambda x, y: np.array([x * y]), lambda w, x: 1 if w[0] * x > 0 else -1)
    trace = rows.set_params(keep_mistakes=True, shuffle=False, max_iter=30).fit([1, 1], [1, -1]).trace_
    assert len(trace) == 60
    printed = str(trace).splitlines()
    assert len(printed) == 1 + 40 + 1 + 1
    assert printed[21] == "... 20 updates left out here; table() has all ..."
    assert len(trace.table().splitlines()) == 1 + 60 + 1


@pytest.mark.parametrize(
    ("phi", "message"),
    [
        (lambda *_: [1, 2], r"features must give a dict, a 1-D array of numbers or one sparse row; got \[1, 2\]"),
        (lambda *_: np.ones((2, 2)), r"got ndarray of shape \(2, 2\)"),
        (lambda *_: np.array(["a"]), "got ndarray"),
        (lambda *_: sp.csr_array(np.ones((2, 2))), r"got csr_array of shape \(2, 2\)"),
    ],
)
def test_features_of_other_kinds_are_refused(phi: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        StructuredPerceptron(phi, lambda *_: 0).fit([1], [1])


def test_bad_vectors_are_refused() -> None:
    kinds: list[Any] = [lambda v: {"f": v}, lambda v: np.array([v, 1]), lambda v: sp.csr_array([[0, v]])]
    for bad, kind, other in product((np.nan, np.inf, 1e200), kinds, (-1, 2)):
        # x is the kind of vector
        model = StructuredPerceptron(lambda x, y: x(bad * y), lambda *_: other)  # noqa: B023
        with pytest.raises(ValueError, match="features must be finite numbers"):
            model.fit([kind], [1])
    with pytest.raises(
        ValueError, match="vectors of one kind and length; got ndarray of length 2 and ndarray of length 1"
    ):
        StructuredPerceptron(lambda _, y: np.ones(1 + y), lambda *_: 0).fit([1], [1])
    with pytest.raises(ValueError, match="got a dict and ndarray of length 1"):
        StructuredPerceptron(lambda _, y: {"f": 1} if y else np.ones(1), lambda *_: 0).fit([1], [1])


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(NotFittedError):
        tagger().predict(X)
    assert not hasattr(tagger(), "weights_")
    with pytest.raises(ValueError, match="X and y must be as many, and one at least; got 4 inputs and 3 outputs"):
        tagger().fit(X, Y[:3])
    with pytest.raises(ValueError, match="got 0 inputs and 0 outputs"):
        tagger().partial_fit([], [])
    with pytest.raises(TypeError, match="decode gives lists where y has tuples"):
        tagger().fit(X, [tuple(y) for y in Y])
    for loss in (-1, np.nan, np.inf):
        with pytest.raises(ValueError, match="loss must be finite and not below 0"):
            tagger(step="pa", loss=lambda *_, loss=loss: loss).fit(X, Y)
    for words in ({"step": "arow"}, {"readout": "pocket"}, {"decode": None}, {"C": 0}, {"max_iter": "auto"}):
        with pytest.raises(ValueError, match=f"The '{next(iter(words))}' parameter"):
            tagger().set_params(**words).fit(X, Y)
