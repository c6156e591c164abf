"""Every readout at any stopping time, against a replay of the list of events, hypothesis by hypothesis."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rosenblatt import KernelPerceptron
from rosenblatt.base.labels import answers
from tests.linear.strategies import Data, data_sets

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
PASSES = 3
POLY: dict[str, Any] = {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1, "shuffle": False, "block_size": 4}


def fitted(data: Data, **words: Any) -> KernelPerceptron:
    model = KernelPerceptron(**{**POLY, "max_iter": PASSES, **words})
    model.fit(data.X, data.y)
    return model


def hypotheses(model: KernelPerceptron, data: Data) -> Any:
    """After each visit the scores of every row, (visits, machines, rows), and the length of each machine."""
    kernel = (data.X @ data.X.T + 1) ** 2
    alpha = np.zeros((model._model.state.n_machines, len(data.y)))
    events, found = model._model.state.events.since(), []
    for visit in range(model._model.state.visits):
        for e in np.flatnonzero(events.visit == visit):
            alpha[events.cls[e], model._model.state.support_row[events.row[e]]] += events.tau[e]
        found.append((alpha @ kernel, np.sqrt(np.einsum("ci,ij,cj->c", alpha, kernel, alpha))))
    return np.array([scores for scores, _ in found]), np.array([length for _, length in found])


def normalised(scores: Any, lengths: Any, *, joint: bool) -> Any:
    if joint:
        lengths = np.sqrt((lengths**2).sum(axis=1, keepdims=True)) * np.ones_like(lengths)
    return np.divide(scores, lengths[..., None], out=np.zeros_like(scores), where=lengths[..., None] > 0)


def decided_by_rounding(scores: Any) -> bool:
    """Whether two classes have the same score somewhere, up to the rounding of their lengths, and not both 0."""
    gaps = np.abs(scores[:, :, None] - scores[:, None]) + np.eye(scores.shape[1])[:, :, None]
    return bool(((gaps < 1e-9) & (scores[:, :, None] != 0)).any())


def replayed(model: KernelPerceptron, data: Data, first: int, last: int) -> Any:
    """What decision_function must be, from the hypotheses after visits first to last - 1."""
    scores, lengths = hypotheses(model, data)
    if model.normalise:
        scores = normalised(scores, lengths, joint=model._model.state.joint)
    scores = scores[first:last]
    if model.readout == "vote":
        n_classes = len(model.classes_)
        assume(not model.normalise or not decided_by_rounding(scores))
        votes = [answers(s[0] if n_classes == 2 else s.T, model.tie) for s in scores]
        shares = np.mean([[vote == c for c in range(n_classes)] for vote in votes], axis=0)
        return shares[1] - shares[0] if n_classes == 2 else shares.T
    scores = scores.mean(axis=0) if model.readout == "average" else scores[-1]
    return scores[0] if len(scores) == 1 else scores.T


@settings(max_examples=250, deadline=None)
@given(
    data=data_sets(max_classes=4, max_rows=10, max_features=2),
    multiclass=st.sampled_from(["argmax", "one-vs-rest"]),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
    readout=st.sampled_from(["last", "average", "vote"]),
    normalise=st.booleans(),
    passes=st.none() | st.floats(0.2, PASSES),
    suffix=st.none() | st.floats(0.2, PASSES),
)
def test_every_readout_at_every_time(
    data: Data, multiclass: Any, tie: Any, readout: Any, normalise: bool, passes: Any, suffix: Any
) -> None:
    model = fitted(data, multiclass=multiclass, tie=tie)
    model.set_params(readout=readout, normalise=normalise, passes=passes, suffix=suffix)
    first, last = model._model.state.window(model._fitted_model().parameters.answering)
    n = len(data.y)
    made = min(model.n_iter_, passes or np.inf)
    assert last == int(made * n)
    assert first == int(max(0, made - (suffix or np.inf)) * n)
    if first < last:
        found, expected = model.decision_function(data.X), replayed(model, data, first, last)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        if not normalise:
            np.testing.assert_array_equal(answers(found, tie), answers(expected.round(9), tie))


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=3, max_rows=10, max_features=2), seed=st.integers(0, 10))
def test_random_is_one_of_the_hypotheses(data: Data, seed: int) -> None:
    model = fitted(data, readout="random", random_state=seed)
    found = model.decision_function(data.X)
    each = hypotheses(model, data)[0]
    each = each[:, 0] if each.shape[1] == 1 else each.transpose(0, 2, 1)
    assert found.tolist() in each.tolist()
    assert (model.decision_function(data.X) == found).all()


def test_random_draws_from_the_whole_run() -> None:
    X = np.random.default_rng(0).integers(-3, 4, (40, 2)).astype(float)
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    drawn = {fitted(Data(X, y), readout="random", random_state=seed)._model.state.draw for seed in range(20)}
    assert len(drawn) == 20
    assert min(drawn) < 0.2
    assert max(drawn) > 0.8


@settings(max_examples=50, deadline=None)
@given(data=data_sets(max_classes=3, max_rows=10, max_features=2), passes=st.integers(1, PASSES))
def test_a_cut_is_the_shorter_fit(data: Data, passes: int) -> None:
    for readout in ("last", "average", "vote"):
        cut = fitted(data, readout=readout).set_params(passes=passes)
        short = fitted(data, readout=readout, max_iter=passes)
        np.testing.assert_array_equal(cut.decision_function(data.X), short.decision_function(data.X))
        assert cut.support_.tolist() == short.support_.tolist()
        assert cut.n_support_.tolist() == short.n_support_.tolist()


@settings(max_examples=50, deadline=None)
@given(data=data_sets(max_classes=3, max_rows=10, max_features=2), normalise=st.booleans())
def test_scores_are_sums_over_support_vectors(data: Data, normalise: bool) -> None:
    for readout in ("last", "average"):
        model = fitted(data, readout=readout, normalise=normalise)
        kernel = (data.X @ model.support_vectors_.T + 1) ** 2 if len(model.support_) else np.zeros((len(data.y), 0))
        scores = np.atleast_2d(model.decision_function(data.X).T)
        np.testing.assert_allclose(scores, model.dual_coef_ @ kernel.T, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(model.support_vectors_, data.X[model.support_])
        assert model.n_support_.tolist() == np.bincount(data.y[model.support_], minlength=len(model.classes_)).tolist()


def test_a_vote_has_no_coefficients() -> None:
    model = fitted(Data(np.array([[0.0], [1.0]]), np.array([0, 1])), readout="vote")
    with pytest.raises(AttributeError, match="a vote has no coefficients"):
        _ = model.dual_coef_
    assert len(model.support_vectors_) == len(model.support_) == 2


def test_the_run_does_not_depend_on_the_readout() -> None:
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    lists = [
        KernelPerceptron(readout=readout, max_iter=3).fit(X, y)._model.state.events.since()
        for readout in ("last", "average", "vote", "random")
    ]
    for events in lists[1:]:
        for name in ("visit", "row", "cls", "tau", "norm2"):
            np.testing.assert_array_equal(getattr(events, name), getattr(lists[0], name))
