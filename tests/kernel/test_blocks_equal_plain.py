"""The blocked dual run against plain.py on small integers: the same events for every block size and choice."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import KernelPerceptron, Perceptron, plain
from tests.linear.strategies import Data, data_sets

TIES = ["mistake", "positive", "negative"]
PASSES = 4
CONTESTS: dict[str, Callable[..., Any]] = {"argmax": plain.argmax, "one-vs-rest": plain.one_vs_rest}
KINDS: dict[str, Callable[[Any], Any]] = {
    "dense": np.asarray,
    "dense32": lambda X: X.astype(np.float32),
    "sparse": sp.csr_array,
    "columns": sp.csc_array,
    "fortran": np.asfortranarray,
}
# Exact in integers; the poly values stay below 2^24, so float32 is exact too.
KERNELS: dict[str, tuple[dict[str, Any], Callable[..., Any]]] = {
    "linear": ({"kernel": "linear", "coef0": 1}, lambda a, b: plain.dot(a, b) + 1),
    "poly": ({"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1}, lambda a, b: (plain.dot(a, b) + 1) ** 2),
    "callable": ({"kernel": lambda A, B: (A @ B.T) ** 2}, lambda a, b: plain.dot(a, b) ** 2),
}

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
choices = st.fixed_dictionaries(
    {
        "tie": st.sampled_from(TIES),
        "margin": st.sampled_from([0, 1, 4]),
        "eta0": st.sampled_from([1, 2, 0.5]),
        "sample_weight": st.none() | st.lists(st.integers(1, 3), min_size=12, max_size=12),
    }
)


def plain_run(data: Data, multiclass: str, kernel: Any, *, sample_weight: Any = None, **words: Any) -> plain.Run:
    n_classes = len(set(data.y.tolist()))
    return plain.run(
        data.X.astype(int).tolist(),
        [2 * label - 1 for label in data.y.tolist()] if n_classes == 2 else data.y.tolist(),
        contests=plain.binary if n_classes == 2 else CONTESTS[multiclass],
        n_machines=1 if n_classes == 2 else n_classes,
        kernel=kernel,
        sample_weight=None if sample_weight is None else sample_weight[: len(data.y)],
        **{"max_iter": PASSES, **words},
    )


def fitted(data: Data, kind: str = "dense", *, sample_weight: Any = None, **words: Any) -> KernelPerceptron:
    weight = None if sample_weight is None else sample_weight[: len(data.y)]
    model = KernelPerceptron(**{"shuffle": False, "max_iter": PASSES, "readout": "last", **words})
    model.fit(KINDS[kind](data.X), data.y, sample_weight=weight)
    return model


def events(model: KernelPerceptron) -> list[tuple[int, int, int, float]]:
    found = model._model.state.events.since()
    row, tau = model._model.state.support_row[found.row], found.tau * model.eta0
    return list(zip(found.visit.tolist(), row.tolist(), found.cls.tolist(), tau.tolist(), strict=True))


@settings(max_examples=300, deadline=None)
@given(
    data=data_sets(max_classes=5, max_rows=12, max_features=3),
    kind=st.sampled_from(sorted(KINDS)),
    kernel=st.sampled_from(sorted(KERNELS)),
    multiclass=st.sampled_from(sorted(CONTESTS)),
    block_size=st.sampled_from([1, 2, 7, 512]),
    cache_size=st.sampled_from([0, 1e-4, 100]),
    words=choices,
)
def test_events(
    data: Data, kind: str, kernel: str, multiclass: str, block_size: int, cache_size: float, words: dict[str, Any]
) -> None:
    """Whatever the block size, and with room for all kernel values, for a few, or for none."""
    given_kernel, exact = KERNELS[kernel]
    if kernel == "callable" and kind in ("sparse", "columns"):
        given_kernel = {"kernel": lambda A, B: (A @ B.T).toarray() ** 2}
    run = plain_run(data, multiclass, exact, **words)
    same = {"multiclass": multiclass, "block_size": block_size, "cache_size": cache_size}
    model = fitted(data, kind, **given_kernel, **same, **words)
    assert events(model) == [(visit, i, c, float(tau)) for visit, i, c, tau in run.events]
    assert model.mistakes_.tolist() == run.mistakes
    assert (model.n_updates_, model.converged_, model.n_iter_) == (run.n_updates, run.converged, len(run.mistakes))
    scores = [run.scores(data.X.tolist(), x, exact, model._model.state.n_machines) for x in data.X.tolist()]
    assert np.atleast_2d(model.decision_function(KINDS[kind](data.X)).T).T.tolist() == scores


@settings(max_examples=100, deadline=None)
@given(
    data=data_sets(max_classes=4, max_rows=12, max_features=4),
    multiclass=st.sampled_from(sorted(CONTESTS)),
    words=choices,
)
def test_the_dual_is_the_primal(data: Data, multiclass: str, words: dict[str, Any]) -> None:
    """With the linear kernel and the constant feature: the mistakes and weights of the linear perceptron."""
    weight = words.pop("sample_weight")
    weight = None if weight is None else weight[: len(data.y)]
    same = {"shuffle": False, "max_iter": PASSES, "multiclass": multiclass, **words}
    primal = Perceptron(**same, keep_mistakes=True).fit(data.X, data.y, sample_weight=weight)
    for readout in ("last", "average"):
        dual = KernelPerceptron(kernel="linear", coef0=1, readout=readout, block_size=5, **same)
        dual.fit(data.X, data.y, sample_weight=weight)
        assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
        weights = dual.dual_coef_ @ np.column_stack([np.ones(len(dual.support_)), dual.support_vectors_])
        expected = np.column_stack([primal.intercept_for(readout), primal.coef_for(readout)])
        if readout == "last":
            assert weights.tolist() == expected.tolist()
        else:
            np.testing.assert_allclose(weights, expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(data=data_sets(max_classes=4, max_rows=12, max_features=3), budget=st.integers(1, 6))
def test_stop_passes_over_what_finds_no_room(data: Data, budget: int) -> None:
    """Pair by pair: a mistake on a new row is passed over once there are `budget` support vectors."""
    given_kernel, exact = KERNELS["poly"]
    model = fitted(data, **given_kernel, budget=budget, budget_policy="stop", block_size=3)
    n_classes = len(set(data.y.tolist()))
    y = [2 * label - 1 for label in data.y.tolist()] if n_classes == 2 else data.y.tolist()
    contests = plain.binary if n_classes == 2 else plain.one_vs_rest
    run, mistakes, visit, X = plain.Run(), [], 0, data.X.astype(int).tolist()
    for _ in range(len(model.mistakes_)):
        mistakes.append(0)
        for i, x in enumerate(X):
            scores = run.scores(X, x, exact, 1 if n_classes == 2 else n_classes)
            held = {row for _, row, _, _ in run.events}
            for gap, wins, rows in contests(scores, y[i], "mistake"):
                if plain.is_mistake(gap, wins, 0, "perceptron"):
                    mistakes[-1] += 1
                    if i in held or len(held) < budget:
                        run.events += [(visit, i, c, sign) for c, sign in rows]
                        held.add(i)
            visit += 1
    assert events(model) == [(v, i, c, float(tau)) for v, i, c, tau in run.events]
    assert model.mistakes_.tolist() == mistakes
    assert len(model.support_) <= budget
