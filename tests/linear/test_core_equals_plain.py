"""The core against plain.py on small integers: same weights, same mistakes, same order, for every choice."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron, plain

from .strategies import Data, data_sets

TIES = ["mistake", "positive", "negative"]
PASSES = 4
CONTESTS: dict[str, Callable[..., Any]] = {"argmax": plain.argmax, "one-vs-rest": plain.one_vs_rest}

pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")


def long_csr(X: Any) -> Any:
    X = sp.csr_array(X)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


KINDS: dict[str, Callable[[Any], Any]] = {
    "dense": np.asarray,
    "dense32": lambda X: X.astype(np.float32),
    "sparse": sp.csr_array,
    "sparse32": lambda X: sp.csr_array(X.astype(np.float32)),
    "long": long_csr,
    "columns": sp.csc_array,
    "fortran": np.asfortranarray,
}

choices = st.fixed_dictionaries(
    {
        "tie": st.sampled_from(TIES),
        "margin": st.sampled_from([0, 1, 4]),
        "eta0": st.sampled_from([1, 2, 0.5]),
        "batch_size": st.sampled_from([1, 2, 3, "all"]),
    }
)


def plain_run(data: Data, multiclass: str, *, intercept: bool, **words: Any) -> plain.Run:
    X = [[int(v) for v in row] for row in data.X]
    X = [[1, *row] for row in X] if intercept else X
    n_classes = len(set(data.y.tolist()))
    y = [2 * label - 1 for label in data.y.tolist()] if n_classes == 2 else data.y.tolist()
    words["batch_size"] = len(X) if words.get("batch_size") == "all" else words.get("batch_size", 1)
    return plain.run(
        X,
        y,
        contests=plain.binary if n_classes == 2 else CONTESTS[multiclass],
        n_machines=1 if n_classes == 2 else n_classes,
        max_iter=PASSES,
        **words,
    )


def fitted(data: Data, kind: str, *, intercept: bool, **words: Any) -> Perceptron:
    model = Perceptron(shuffle=False, max_iter=PASSES, fit_intercept=intercept, **words)
    model.fit(KINDS[kind](data.X), data.y)
    return model


def weights(model: Perceptron, readout: str, *, intercept: bool) -> list[list[float]]:
    """Rows of weights, the constant feature first, as plain.py has them."""
    coef = model.coef_for(readout)
    rows: list[list[float]] = (np.column_stack([model.intercept_for(readout), coef]) if intercept else coef).tolist()
    return rows


@settings(max_examples=300, deadline=None)
@given(
    data=data_sets(max_classes=4),
    kind=st.sampled_from(sorted(KINDS)),
    multiclass=st.sampled_from(sorted(CONTESTS)),
    intercept=st.booleans(),
    words=choices,
)
def test_run(data: Data, kind: str, multiclass: str, intercept: bool, words: dict[str, Any]) -> None:
    expected = plain_run(data, multiclass, intercept=intercept, **words)
    model = fitted(data, kind, intercept=intercept, multiclass=multiclass, keep_mistakes=True, **words)
    assert weights(model, "last", intercept=intercept) == [list(map(float, w)) for w in expected.after[-1]]
    assert model.mistakes_.tolist() == expected.mistakes
    assert model.n_updates_ == expected.n_updates
    assert model.converged_ == expected.converged
    kept = model._model.state.mistakes.events
    events = list(
        zip(
            kept.visit.tolist(),
            kept.row.tolist(),
            kept.cls.tolist(),
            (kept.tau * words["eta0"]).tolist(),
            strict=True,
        )
    )
    assert events == [(visit, i, c, float(tau)) for visit, i, c, tau in expected.events]


@settings(max_examples=250, deadline=None)
@given(
    data=data_sets(max_classes=3),
    kind=st.sampled_from(["dense", "sparse"]),
    multiclass=st.sampled_from(sorted(CONTESTS)),
    readout=st.sampled_from(["average", "vote", "pocket"]),
    words=choices,
)
def test_readouts(data: Data, kind: str, multiclass: str, readout: str, words: dict[str, Any]) -> None:
    run = plain_run(data, multiclass, intercept=True, **words)
    model = fitted(data, kind, intercept=True, multiclass=multiclass, readout=readout, **words)
    X = [[1, *map(int, row)] for row in data.X]
    binary = len(run.after[0]) == 1
    if readout == "average":
        exact = plain.average([tuple([Fraction(a) for a in w] for w in W) for W in run.after])
        assert weights(model, "average", intercept=True) == [list(map(float, w)) for w in exact]
    elif readout == "pocket":
        y = [2 * label - 1 for label in data.y.tolist()] if binary else data.y.tolist()
        expected = plain.pocket(run.after, X, y, words["tie"])
        assert weights(model, "pocket", intercept=True) == [list(map(float, w)) for w in expected]
    else:
        decision = model.decision_function(KINDS[kind](data.X))
        for x, found in zip(X, decision, strict=True):
            votes, total = plain.vote(run.after, x, words["tie"]), len(run.after)
            if binary:
                assert found == votes.get(1, 0) / total - votes.get(-1, 0) / total
            else:
                assert found.tolist() == [votes.get(c, 0) / total for c in range(len(run.after[0]))]


@settings(max_examples=200, deadline=None)
@given(
    data=data_sets(max_classes=3, max_rows=4, max_features=9),
    kind=st.sampled_from(["dense", "sparse"]),
    multiclass=st.sampled_from(sorted(CONTESTS)),
    step=st.sampled_from(["pa", "pa1", "pa2", "arow"]),
    margin=st.sampled_from([None, 0.5, 2]),
    C=st.sampled_from([0.25, 1.0, 4.0]),
    weight=st.lists(st.sampled_from([0.25, 1.0, 3.0, 40.0]), min_size=4, max_size=4),
)
def test_steps_that_divide(
    data: Data, kind: str, multiclass: Any, step: Any, margin: float | None, C: float, weight: list[float]
) -> None:
    """PA and AROW divide: one pass in Fractions, and the core within rounding of it.

    Where two rivals, or a gap and the margin, are exactly level after the first visit, rounding decides: not compared.
    """
    level, visited = False, False

    def contests(scores: Any, y: int, tie: str) -> Any:
        nonlocal level, visited
        others = sorted(s for c, s in enumerate(scores) if c != y)
        level |= multiclass == "argmax" and len(others) > 1 and others[-1] == others[-2] and visited
        found = (plain.binary if n_classes == 2 else CONTESTS[multiclass])(scores, y, tie)
        level |= visited and any(gap == (1 if margin is None else margin) for gap, _, _ in found)
        visited = True
        return found

    exact = Data(np.vectorize(Fraction, otypes=[object])(data.X.astype(int)), data.y)
    n_classes = len(set(data.y.tolist()))
    run = plain.run(
        [[Fraction(1), *row] for row in exact.X.tolist()],
        [2 * label - 1 for label in data.y.tolist()] if n_classes == 2 else data.y.tolist(),
        contests=contests,
        n_machines=1 if n_classes == 2 else n_classes,
        max_iter=1,
        step=step,
        margin=None if margin is None else Fraction(margin),
        C=Fraction(C),
        r=Fraction(C),
        sample_weight=list(map(Fraction, weight)),
    )
    assume(not level)
    model = Perceptron(shuffle=False, max_iter=1, multiclass=multiclass, step=step, margin=margin, C=C, r=C)
    model.fit(KINDS[kind](data.X), data.y, sample_weight=weight[: len(data.y)])
    found = np.column_stack([model.intercept_, model.coef_])
    np.testing.assert_allclose(found, np.array(run.after[-1], dtype=np.float64), rtol=1e-9, atol=1e-9)


@settings(max_examples=200, deadline=None)
@given(
    data=data_sets(max_classes=3),
    multiclass=st.sampled_from(sorted(CONTESTS)),
    weights_=st.lists(st.integers(0, 3), min_size=8, max_size=8),
)
def test_sample_weights(data: Data, multiclass: Any, weights_: list[int]) -> None:
    """A weight scales the step; a row of weight 0 is not there."""
    weight = weights_[: len(data.y)]
    kept = [i for i, w in enumerate(weight) if w]
    left = sorted({int(data.y[i]) for i in kept})
    if left != list(range(len(left))) or len(left) < 2:
        return
    part = Data(data.X[kept], data.y[kept])
    run = plain_run(part, multiclass, intercept=True, sample_weight=[weight[i] for i in kept])
    model = Perceptron(shuffle=False, max_iter=PASSES, multiclass=multiclass).fit(data.X, data.y, sample_weight=weight)
    assert weights(model, "last", intercept=True) == [list(map(float, w)) for w in run.after[-1]]
