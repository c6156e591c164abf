"""The structured perceptron against its relatives: Perceptron, plain.py, and itself with other vectors."""

from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron, StructuredPerceptron, plain
from tests.linear.strategies import Data, data_sets

from .chain import Chain, hamming
from .strategies import LABELS, ByClass, Sentences, sentences

PASSES = 4
TIES = st.sampled_from(["mistake", "positive", "negative"])

pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")


def fitted(structure: Any, X: Any, y: Any, **words: Any) -> StructuredPerceptron:
    words = {"shuffle": False, "max_iter": PASSES, "keep_mistakes": True, **words}
    model = StructuredPerceptron(structure.features, structure.decode, **words)
    model.fit(X, y)
    return model


def events(model: StructuredPerceptron, n_classes: int) -> list[tuple[int, int, int, int]]:
    """As `Perceptron` keeps them: visit, row, class and sign of each row of weights that moved."""
    found = []
    for visit, _, i, right, wrong, _, _ in model._run.kept:
        moved = [(0, 2 * right - 1)] if n_classes == 2 else [(right, 1), (wrong, -1)]
        found += [(visit, i, c, sign) for c, sign in moved]
    return found


def matrix(w: Any, n_classes: int, width: int) -> list[list[float]]:
    """Weights by name as rows of a matrix."""
    names = [[*range(width)]] if n_classes == 2 else [[(c, j) for j in range(width)] for c in range(n_classes)]
    return [[float(w[name]) for name in row] for row in names]


@settings(max_examples=100, deadline=None)
@given(
    data=data_sets(max_classes=4, max_features=5), tie=TIES, margin=st.sampled_from([0, 1, 4]), shuffle=st.booleans()
)
def test_classes_are_the_trivial_structure(data: Data, tie: Any, margin: int, shuffle: bool) -> None:
    """Update for update what `Perceptron` does; where the decoder's tie is the rule, decode alone will do."""
    n_classes = int(data.y.max()) + 1
    structure = ByClass(n_classes, tie, margin)
    by_itself = margin == 0 and tie != "mistake"
    X = [[1, *map(int, row)] for row in data.X]
    model = fitted(structure, X, data.y.tolist(), rival=None if by_itself else structure.rival, shuffle=shuffle)
    ours = Perceptron(tie=tie, margin=margin, shuffle=shuffle, max_iter=PASSES, keep_mistakes=True)
    ours.fit(data.X, data.y)
    kept = ours._model.state.mistakes.events
    rows = zip(
        kept.visit.tolist(),
        kept.row.tolist(),
        kept.cls.tolist(),
        kept.tau.tolist(),
        strict=True,
    )
    assert events(model, n_classes) == list(rows)
    assert model.mistakes_.tolist() == ours.mistakes_.tolist()
    assert (model.n_iter_, model.n_updates_, model.converged_) == (ours.n_iter_, ours.n_updates_, ours.converged_)
    for readout in ("last", "average"):
        expected = np.column_stack([ours.intercept_for(readout), ours.coef_for(readout)])
        assert matrix(model.weights_for(readout), n_classes, len(X[0])) == expected.tolist()
        model.readout = ours.readout = readout
        scores = np.array(X) @ expected.T
        ahead = np.abs(scores[:, 0]) if n_classes == 2 else np.diff(np.sort(scores)[:, -2:])[:, 0]
        sure = (ahead > 1e-9) | (readout == "last")  # means are rounded, and so may decide between equal scores
        found, wanted = np.array(model.predict(X)), ours.predict(data.X)
        assert found[sure].tolist() == wanted[sure].tolist()
    votes = ours.set_params(readout="vote").decision_function(data.X)
    for x, expected in zip(X, votes, strict=True):
        voted, n = dict(model.votes(x)), model._run.visits
        shares = [voted.get(c, 0) / n for c in range(n_classes)]
        assert expected.tolist() == (shares[1] - shares[0] if n_classes == 2 else shares)


@settings(max_examples=100, deadline=None)
@given(
    data=data_sets(max_classes=3, max_rows=4, max_features=3),
    step=st.sampled_from(["pa", "pa1"]),
    margin=st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3)]),
    C=st.sampled_from([1, 2]),
)
def test_passive_aggressive_in_fractions(data: Data, step: Any, margin: Fraction, C: int) -> None:
    n_classes = int(data.y.max()) + 1
    X = [[Fraction(1), *(Fraction(int(v)) for v in row)] for row in data.X]
    structure = ByClass(n_classes, "mistake", margin)
    words: dict[str, Any] = {"step": step, "C": C, "max_iter": 2}
    model = fitted(structure, X, data.y.tolist(), rival=structure.rival, loss=lambda y, z: margin * (y != z), **words)
    run = plain.run(
        X,
        [2 * label - 1 for label in data.y.tolist()] if n_classes == 2 else data.y.tolist(),
        contests=plain.binary if n_classes == 2 else plain.argmax,
        n_machines=1 if n_classes == 2 else n_classes,
        margin=margin,
        **words,
    )
    assert model.mistakes_.tolist() == run.mistakes
    w, mean = model.weights_for("last"), model.weights_for("average")
    names = [[*range(len(X[0]))]] if n_classes == 2 else [[(c, j) for j in range(len(X[0]))] for c in range(n_classes)]
    assert [[w[name] for name in row] for row in names] == [list(row) for row in run.after[-1]]
    assert [[mean[name] for name in row] for row in names] == [list(row) for row in plain.average(run.after)]


@settings(max_examples=150, deadline=None)
@given(data=sentences(), step=st.sampled_from(["perceptron", "pa", "pa1", "pa2"]), C=st.sampled_from([0.25, 2]))
def test_equals_plain(data: Sentences, step: Any, C: float) -> None:
    chain = Chain(LABELS)
    model = fitted(chain, *data, step=step, C=C)
    after = list(islice(plain.structured(*data, chain.features, chain.decode, step, C), model._run.visits))
    assert without_zeros(model.weights_for("last")) == without_zeros(after[-1])
    before, n = [{}, *after[:-1]], len(data.X)
    wrong = [visit for visit, w in enumerate(before) if chain.decode(w, data.X[visit % n]) != data.y[visit % n]]
    assert [mistake.visit for mistake in model._run.kept] == wrong
    if step == "perceptron":
        names = model.weights_for("average")
        mean = {name: sum(w.get(name, 0) for w in after) / len(after) for name in names}
        assert model.weights_for("average") == mean
    for x in data.X:
        answers = [chain.decode(w, x) for w in after]
        assert all(n == answers.count(y) for y, n in model.votes(x))
        assert sum(n for _, n in model.votes(x)) == len(after)
        most = max(answers, key=lambda y: (answers.count(y), -answers.index(y)))
        assert model.set_params(readout="vote").predict([x]) == [most]


def without_zeros(w: dict[Any, Any]) -> dict[Any, Any]:
    return {name: value for name, value in w.items() if value}


class AsArrays(ByClass):
    """The same classes with arrays: weights are one too."""

    def __init__(self, kind: Any, **words: Any) -> None:
        super().__init__(**words)
        self.kind = kind

    def features(self, x: Any, y: int) -> Any:
        blocks = np.zeros((len(self.classes), len(x)))
        blocks[y] = x
        return self.kind(blocks.ravel())

    def best(self, w: Any, x: Any, classes: Any) -> int:
        return int(max(classes, key=lambda y: float(w[y * len(x) : (y + 1) * len(x)] @ np.array(x))))


KINDS = {
    "array": np.asarray,
    "objects": lambda a: np.array([int(v) for v in a], dtype=object),
    "row": lambda a: sp.csr_array(a[np.newaxis]),
    "matrix": lambda a: sp.coo_matrix(a),
    "one dimension": lambda a: sp.coo_array(a),
}


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=3, max_features=4), kind=st.sampled_from(sorted(KINDS)))
def test_vectors_of_any_kind_give_the_same_run(data: Data, kind: str) -> None:
    n_classes, X = max(3, int(data.y.max()) + 1), [[int(v) for v in row] for row in data.X]
    by_name = fitted(ByClass(n_classes, "negative"), X, data.y.tolist())
    by_place = fitted(AsArrays(KINDS[kind], n_classes=n_classes, tie="negative"), X, data.y.tolist())
    assert by_place.mistakes_.tolist() == by_name.mistakes_.tolist()
    for readout in ("last", "average"):
        expected = matrix(by_name.weights_for(readout), n_classes, len(X[0]))
        found = by_place.weights_for(readout)
        assert isinstance(found, np.ndarray)
        assert found.reshape(n_classes, -1).tolist() == expected
    assert [u.norm for u in by_place.trace_] == [u.norm for u in by_name.trace_]
    assert [by_place.votes(x) for x in X] == [by_name.votes(x) for x in X]
    by_place.readout = by_name.readout = "last"
    assert by_place.score_of(X[0], 1) == by_name.score_of(X[0], 1)


@settings(max_examples=50, deadline=None)
@given(data=sentences(), cut=st.integers(1, 4))
def test_parts_equal_one_listed_pass(data: Sentences, cut: int) -> None:
    chain = Chain(LABELS)
    whole = fitted(chain, *data, max_iter=1)
    parts = StructuredPerceptron(chain.features, chain.decode, keep_mistakes=True)
    for start in range(0, len(data.X), cut):
        parts.partial_fit(data.X[start : start + cut], data.y[start : start + cut])
    for readout in ("last", "average"):
        assert parts.weights_for(readout) == whole.weights_for(readout)
    assert [m._replace(pass_=1) for m in parts._run.kept] == whole._run.kept
    assert sum(parts.mistakes_) == sum(whole.mistakes_)


@settings(max_examples=100, deadline=None)
@given(x=st.lists(st.lists(st.sampled_from("uv"), max_size=2), max_size=4), seed=st.integers(0, 10**6))
def test_viterbi_finds_the_best_and_the_lowest_of_equal_ones(x: list[list[str]], seed: int) -> None:
    chain = Chain(["B", "A", "C"])
    random = np.random.default_rng(seed)
    names = [(a, label) for a in "uv" for label in LABELS] + [(a, "then", b) for a in LABELS for b in LABELS]
    w = {name: int(value) for name, value in zip(names, random.integers(-1, 2, len(names)), strict=True)}

    def score(y: list[str]) -> int:
        return sum(w[name] * count for name, count in chain.features(x, y).items())

    best = max(map(score, chain.outputs(x)))
    # Back pointers choose the lowest label from the end on.
    assert chain.decode(w, x) == min((y for y in chain.outputs(x) if score(y) == best), key=lambda y: y[::-1])
    assert hamming(["A", "B"], ["A", "C"]) == 1
