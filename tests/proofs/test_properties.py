"""The theorems, checked on runs of the core: Novikoff's bound and its two lemmas, the dual, invariances."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron
from tests.linear.strategies import Data, data_sets

pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")


@st.composite
def separable_sets(draw: st.DrawFn) -> tuple[Data, np.ndarray[Any, Any]]:
    """Integer points labelled by an integer vector u, none of them on its plane; every row ends with a constant 1."""
    d = draw(st.integers(1, 4))
    u = np.array(draw(st.lists(st.integers(-3, 3), min_size=d + 1, max_size=d + 1).filter(any)))
    points = draw(st.lists(st.lists(st.integers(-4, 4), min_size=d, max_size=d), min_size=2, max_size=12))
    X = np.column_stack([np.array(points), np.ones(len(points), dtype=int)])
    s = X @ u
    kept = s != 0
    return Data(X[kept].astype(float), np.sign(s[kept])), u


def weights_after_each_update(model: Perceptron, X: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    kept = model._model.state.mistakes.events
    return np.asarray(np.cumsum(kept.tau[:, None] * X[kept.row], axis=0))


@settings(max_examples=200, deadline=None)
@given(
    case=separable_sets(), shuffle=st.booleans(), seed=st.integers(0, 3), tie=st.sampled_from(["mistake", "positive"])
)
def test_bound_and_lemmas(case: tuple[Data, Any], shuffle: bool, seed: int, tie: Any) -> None:
    (X, y), u = case
    if len(set(y.tolist())) < 2:
        return
    model = Perceptron(fit_intercept=False, shuffle=shuffle, random_state=seed, tie=tie, keep_mistakes=True).fit(X, y)
    assert model.converged_
    norm2, least, radius2 = int(u @ u), int((y * (X @ u)).min()), int((X * X).sum(axis=1).max())
    k = np.arange(1, model.n_updates_ + 1)
    W = weights_after_each_update(model, X)
    assert model.n_updates_ * least**2 <= radius2 * norm2  # k <= (R / gamma)^2, gamma = least / |u|, in integers
    assert (W @ u >= k * least).all()  # lemma 1: w.u >= k gamma
    assert ((W * W).sum(axis=1) <= k * radius2).all()  # lemma 2: |w|^2 <= k R^2
    if len(W):
        assert W[-1].tolist() == model.coef_[0].tolist()


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=3), shuffle=st.booleans())
def test_primal_equals_dual(data: Data, shuffle: bool) -> None:
    model = Perceptron(shuffle=shuffle, max_iter=5, keep_mistakes=True, fit_intercept=False).fit(data.X, data.y)
    dual = model.dual_coef_
    if dual.ndim == 1:
        assert (dual >= 0).all()
        dual = (dual * (2 * data.y - 1))[None]
    assert (dual @ data.X).tolist() == model.coef_.tolist()


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=3), shuffle=st.booleans(), readout=st.sampled_from(["last", "average", "pocket"]))
def test_dense_equals_sparse(data: Data, shuffle: bool, readout: Any) -> None:
    words: dict[str, Any] = {"shuffle": shuffle, "max_iter": 5, "readout": readout}
    dense = Perceptron(**words).fit(data.X, data.y)
    sparse = Perceptron(**words).fit(sp.csr_array(data.X), data.y)
    assert dense.coef_.tolist() == sparse.coef_.tolist()
    assert dense.intercept_.tolist() == sparse.intercept_.tolist()
    assert dense.mistakes_.tolist() == sparse.mistakes_.tolist()
    # A mean is no integer: stored zeros may round its sums differently.
    found = dense.decision_function(sp.csr_array(data.X))
    np.testing.assert_allclose(found, sparse.decision_function(data.X), rtol=1e-13, atol=1e-13)


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=3), scale=st.sampled_from([0.125, 2.0, 1024.0]), shuffle=st.booleans())
def test_a_scaled_set_makes_the_same_mistakes(data: Data, scale: float, shuffle: bool) -> None:
    words: dict[str, Any] = {"shuffle": shuffle, "max_iter": 5, "keep_mistakes": True}
    one = Perceptron(**words).fit(data.X, data.y)
    other = Perceptron(intercept_scaling=scale, **words).fit(data.X * scale, data.y)
    assert one.mistakes_.tolist() == other.mistakes_.tolist()
    assert one.dual_coef_.tolist() == other.dual_coef_.tolist()
    assert (one.coef_ * scale).tolist() == other.coef_.tolist()


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=3), readouts=st.permutations(["last", "average", "vote", "pocket"]))
def test_the_run_does_not_depend_on_the_readout(data: Data, readouts: list[Any]) -> None:
    one, other = (Perceptron(readout=readout, max_iter=4).fit(data.X, data.y) for readout in readouts[:2])
    assert one.mistakes_.tolist() == other.mistakes_.tolist()
    assert one.coef_for("last").tolist() == other.coef_for("last").tolist()


@settings(max_examples=60, deadline=None)
@given(data=data_sets(), positive_first=st.booleans())
def test_two_classes_of_three_rows_as_one_vs_rest(data: Data, positive_first: bool) -> None:
    """One-vs-rest on two of three classes is the binary perceptron for each of them."""
    labels = data.y + (0 if positive_first else 1)
    X, y = np.vstack([data.X, data.X[:1]]), np.append(labels, 2 if positive_first else 0)
    model = Perceptron(multiclass="one-vs-rest", shuffle=False, max_iter=4, keep_mistakes=True).fit(X, y)
    for c in range(3):
        alone = Perceptron(shuffle=False, max_iter=model.n_iter_, keep_mistakes=True).fit(X, y == c)
        assert model.coef_[c].tolist() == alone.coef_[0].tolist()
