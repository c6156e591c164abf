"""Collins's bound: on generated separable structures, however many outputs there are, and what it refuses."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron, StructuredPerceptron, bounds, check_run

from .chain import Chain, hamming
from .strategies import LABELS, ByClass, sentences

CHAIN = Chain(LABELS)


@st.composite
def separable(draw: st.DrawFn) -> tuple[list[Any], list[Any], dict[Any, int], int]:
    """Sentences whose outputs are those of hidden weights u, and the least by which they are ahead."""
    X, _ = draw(sentences())
    names = [*product("uvw", LABELS), *((a, "then", b) for a, b in product(LABELS, LABELS))]
    u = dict(zip(names, draw(st.lists(st.integers(-9, 9), min_size=len(names), max_size=len(names))), strict=True))
    kept, y, ahead = [], [], []
    for x in X:
        scores = [sum(u[name] * n for name, n in CHAIN.features(x, z).items()) for z in CHAIN.outputs(x)]
        *_, second, first = sorted(scores)
        if second < first:  # else no output is the right one
            kept.append(x)
            y.append(CHAIN.outputs(x)[scores.index(first)])
            ahead.append(first - second)
    assume(kept)
    return kept, y, u, min(ahead)


@settings(max_examples=60, deadline=None)
@given(data=separable(), shuffle=st.booleans())
def test_a_separable_set_is_separated_within_the_bound(data: Any, shuffle: bool) -> None:
    X, y, u, ahead = data
    model = StructuredPerceptron(
        CHAIN.features, CHAIN.decode, readout="last", shuffle=shuffle, max_iter=10**6, keep_mistakes=True
    ).fit(X, y)
    assert model.converged_
    assert model.score(X, y) == 1.0
    bound = bounds.collins(X, y, CHAIN.features, CHAIN.outputs, w=u)
    columns = {name for x, right in zip(X, y, strict=True) for z in CHAIN.outputs(x) for name in apart(x, right, z)}
    longest = max(
        sum(v * v for v in apart(x, right, z).values()) for x, right in zip(X, y, strict=True) for z in CHAIN.outputs(x)
    )
    assert bound.bound_exact == Fraction(longest * sum(u[name] ** 2 for name in columns), ahead**2)
    assert model.n_updates_ == sum(model.mistakes_) <= bound.bound
    if model.n_updates_:
        found = check_run(model, w=u)
        assert found, found.violation
        assert found.exact
        assert model.n_updates_ <= found.bound <= bound.bound
        assert found.norm.tolist() == [update.norm for update in model.trace_]
        assert check_run(model).bound <= found.bound  # with the best w of all


def apart(x: Any, y: Any, z: Any) -> dict[Any, int]:
    right, wrong = CHAIN.features(x, y), CHAIN.features(x, z)
    found = {name: right.get(name, 0) - wrong.get(name, 0) for name in right | wrong}
    return {name: value for name, value in found.items() if value}


@settings(max_examples=40, deadline=None)
@given(data=separable())
def test_a_margin_is_accounted_for(data: Any) -> None:
    X, y, u, _ = data

    def rival(w: Any, x: Any, right: Any) -> Any:
        return max(CHAIN.outputs(x), key=lambda z: w @ CHAIN.features(x, z) + hamming(right, z))

    model = StructuredPerceptron(
        CHAIN.features, CHAIN.decode, rival=rival, loss=hamming, keep_mistakes=True, max_iter=10**6
    ).fit(X, y)
    found = check_run(model, w=u) if model.n_updates_ else None
    assert found is None or found, found
    w = model.weights_for("last")
    for x, right in zip(X, y, strict=True):
        for z in CHAIN.outputs(x):
            assert w @ CHAIN.features(x, right) - w @ CHAIN.features(x, z) >= hamming(right, z)


def candidates(x: Any, y: int) -> dict[str, int]:
    return {f"f{j}": value for j, value in enumerate(x[y])}


def first_best(w: Any, x: Any) -> int:
    return max(range(len(x)), key=lambda y: w @ candidates(x, y))


def test_more_outputs_change_neither_the_run_nor_the_bound() -> None:
    """Lecture 000: the bound does not depend on how many outputs there are. Here each wrong one comes ten times."""
    rng = np.random.default_rng(0)
    u = [3, -2, 1]
    few = [sorted(rng.integers(-5, 6, (4, 3)).tolist(), key=lambda c: -np.dot(u, c)) for _ in range(30)]
    few = [x for x in few if np.dot(u, x[0]) > np.dot(u, x[1])]
    right = [2] * len(few)
    few = [[*x[1:3], x[0], *x[3:]] for x in few]
    many = [x + 10 * [c for i, c in enumerate(x) if i != 2] for x in few]
    w = {f"f{j}": value for j, value in enumerate(u)}
    model = StructuredPerceptron(candidates, first_best, keep_mistakes=True, max_iter=10**5)
    found = []
    for X in (few, many):
        run = model.fit(X, right)
        bound = bounds.collins(X, right, candidates, lambda x: range(len(x)), w=w)
        assert run.n_updates_ <= bound.bound
        assert check_run(run, w=w)
        found.append((run.weights_, run.mistakes_.tolist(), bound.bound_exact, run.trace_.updates))
    assert found[0] == found[1]
    assert sum(found[0][1]) > 3


def test_classes_have_the_bound_of_the_perceptron() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(-4, 5, (30, 3))
    y = (X @ rng.integers(-3, 4, (3, 3)) * 10 + [1, 2, 3]).argmax(axis=1)
    structure = ByClass(3, "negative")
    rows = [[1, *map(int, row)] for row in X]
    model = StructuredPerceptron(
        structure.features, structure.decode, shuffle=False, keep_mistakes=True, max_iter=10**5
    )
    model.fit(rows, y.tolist())
    w = Perceptron(shuffle=False, max_iter=10**5).fit(X, y)
    u = np.column_stack([w.intercept_, w.coef_])
    named = {(c, j): int(u[c, j]) for c in range(3) for j in range(4)}
    ours = bounds.collins(rows, y.tolist(), structure.features, lambda _: range(3), w=named)
    assert ours.bound_exact == bounds.novikoff(X, y, w=u).bound_exact
    assert model.n_updates_ <= ours.bound


def bits(x: Any, y: int) -> Any:
    return np.array([y * x / 2])


def sign(w: Any, x: Any) -> int:
    return 1 if w @ [x] > 0 else -1


@pytest.mark.parametrize("scale", [1, 0.1, 1e-3])
def test_arrays_and_rounding(scale: float) -> None:
    model = StructuredPerceptron(bits, sign, keep_mistakes=True).fit([3 * scale, -scale, 2 * scale], [1, -1, 1])
    found = check_run(model, w=np.array([1.0]))
    assert found
    assert found.exact == (scale == 1)
    assert found.bound == check_run(model).bound == 1


def test_fractions_are_exact() -> None:
    def thirds(x: int, y: int) -> dict[str, Fraction]:
        return {"f": Fraction(x * y, 6)}

    def decode(w: Any, x: int) -> int:
        return 1 if w @ thirds(x, 1) > 0 else -1

    model = StructuredPerceptron(thirds, decode, keep_mistakes=True, shuffle=False).fit([2, -1, 1], [1, -1, 1])
    assert model.weights_for("last") == {"f": Fraction(2, 3)}
    found = check_run(model, w={"f": Fraction(1, 7), "never": 5})
    assert found
    assert found.exact
    assert found.bound == 1
    assert found.radius == pytest.approx(2 / 3)


def test_an_argmax_that_is_none_is_found_out() -> None:
    """Lemma 2 needs a wrong answer that is not behind."""

    def worst(w: Any, x: Any) -> int:
        return min(range(len(x)), key=lambda y: w @ candidates(x, y))

    model = StructuredPerceptron(candidates, worst, keep_mistakes=True, max_iter=2, shuffle=False)
    model.fit([[[1, 0], [2, 0]], [[1, 0], [3, 0]]], [1, 1])
    assert model.mistakes_.tolist() == [2, 2]
    found = check_run(model, w={"f0": 1})
    assert not found
    assert "lemma 2" in found.violation


def test_refused() -> None:
    model = StructuredPerceptron(bits, sign, keep_mistakes=True)
    with pytest.raises(ValueError, match="run has made no mistake"):
        check_run(model.fit([1], [-1]))
    with pytest.raises(ValueError, match="steps of other lengths"):
        check_run(StructuredPerceptron(bits, sign, keep_mistakes=True, step="pa").fit([3], [1]))
    with pytest.raises(AttributeError, match="did not keep its mistakes"):
        check_run(StructuredPerceptron(bits, sign).fit([3], [1]))
    model.fit([3], [1])
    with pytest.raises(ValueError, match="w does not separate"):
        check_run(model, w=np.array([-1]))
    with pytest.raises(ValueError, match="w must have shape"):
        check_run(model, w={"f": 1})
    with pytest.raises(TypeError, match="w must be a dict, as the features are; got list"):
        bounds.collins([[[1], [2]]], [1], candidates, lambda _: (0, 1), w=[1])
    with pytest.raises(ValueError, match="passes: the Freund-Schapire bound is for two classes"):
        check_run(model, passes=[1])
    with pytest.raises(ValueError, match="outputs gives no wrong output"):
        bounds.collins([3], [1], bits, lambda _: [1])
