"""KernelPerceptron as scikit-learn and its users meet it."""

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_circles
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import KernelPerceptron, online
from rosenblatt.data.lectures import AND, XOR

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "vote": {"readout": "vote"},
    "last argmax": {"readout": "last", "multiclass": "argmax", "margin": 1.0},
    "poly": {"kernel": "poly", "coef0": 1},
    "linear": {"kernel": "linear", "coef0": 1, "max_iter": 50},
    "precomputed": {"kernel": "precomputed"},
    "project": {"budget": 10, "max_iter": 20},
    "early stopping": {"early_stopping": True, "validation_fraction": 0.3},
    "small blocks": {"block_size": 16, "cache_size": 0.01, "n_jobs": 2, "max_iter": 5},
}
KERNELS: dict[str, dict[str, Any]] = {
    "linear": {"coef0": 0},
    "poly": {"degree": 3, "gamma": 0.1, "coef0": 1.0},
    "rbf": {"gamma": 0.3},
    "sigmoid": {"gamma": 0.01, "coef0": 0.1},
}
X, Y = load_iris(return_X_y=True)


def spiral(n: int = 150) -> tuple[Any, Any]:
    """Two arms around each other, twice."""
    angle = np.tile(np.linspace(0.5, 4 * np.pi, n), 2)
    arm = np.repeat([0, 1], n)
    return np.column_stack([np.cos(angle + np.pi * arm), np.sin(angle + np.pi * arm)]) * angle[:, None], arm


# Two copies of a row are two visits, not one of weight 2, and these checks also change the order of the rows.
ORDER = "the result of an online run depends on the order of the rows, and two copies of a row are two visits"
FAILURES = dict.fromkeys(
    ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"], ORDER
)


# Without the precomputed kernel: the checks also predict rows that are no kernel with the training rows.
@parametrize_with_checks(
    [KernelPerceptron(**words) for name, words in VARIANTS.items() if name != "precomputed"],
    expected_failed_checks=lambda _: FAILURES,
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_the_dual_coefficients_of_the_lecture() -> None:
    """The lectures' AND with the constant feature: alpha = [2, 5, 4, 7], w = (-4, 3, 2)."""
    model = KernelPerceptron(kernel="linear", coef0=1, readout="last", shuffle=False).fit(*AND)
    assert np.abs(model.dual_coef_[0, np.argsort(model.support_)]).tolist() == [2, 5, 4, 7]
    weights = model.dual_coef_ @ np.column_stack([np.ones(4), model.support_vectors_])
    assert weights.tolist() == [[-4, 3, 2]]
    assert (model.n_updates_, model.n_iter_) == (18, 9)


@pytest.mark.parametrize(("data", "gamma"), [(XOR, 1.0), (make_circles(300, factor=0.5, random_state=0), "scale")])
def test_what_no_line_separates(data: Any, gamma: Any) -> None:
    model = KernelPerceptron(gamma=gamma).fit(*data)
    assert model.converged_
    assert model.set_params(readout="last").score(*data) == 1


def test_a_spiral() -> None:
    points, arm = spiral()
    model = KernelPerceptron(gamma=1.0, readout="last").fit(points, arm)
    assert model.converged_
    assert model.score(points, arm) == 1
    assert len(model.support_) < len(arm)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("readout", ["last", "average"])
def test_named_callable_and_precomputed_kernels_agree(name: str, readout: Any) -> None:
    words: dict[str, Any] = {"readout": readout, "max_iter": 5}
    numbers = {k: v for k, v in KERNELS[name].items() if name != "linear"}

    def kernel(A: Any, B: Any) -> Any:
        return pairwise_kernels(A, B, metric=name, **numbers)

    named = KernelPerceptron(kernel=name, **KERNELS[name], **words).fit(X, Y)
    called = KernelPerceptron(kernel=kernel, **words).fit(X, Y)
    given = KernelPerceptron(kernel="precomputed", **words).fit(kernel(X, X), Y)
    sparse = KernelPerceptron(kernel=name, **KERNELS[name], **words).fit(sp.csr_array(X), Y)
    expected = named.decision_function(X[::3])
    for model, rows in ((called, X[::3]), (given, kernel(X[::3], X)), (sparse, sp.csr_array(X[::3])), (sparse, X[::3])):
        assert model.mistakes_.tolist() == named.mistakes_.tolist()
        assert model.support_.tolist() == named.support_.tolist()
        np.testing.assert_allclose(model.decision_function(rows), expected, rtol=1e-6, atol=1e-9)
    assert given.support_vectors_.size == 0
    assert sp.issparse(sparse.support_vectors_)


def test_float32_stays_float32() -> None:
    model = KernelPerceptron(max_iter=3).fit(X.astype(np.float32), Y)
    assert model.support_vectors_.dtype == np.float32
    wide = KernelPerceptron(max_iter=3).fit(X, Y)
    assert wide.support_vectors_.dtype == np.float64
    agree = model.predict(X) == wide.predict(X)
    assert agree.mean() > 0.98


@pytest.mark.parametrize("words", [{}, {"kernel": "poly", "coef0": 1}, {"kernel": "linear"}, {"gamma": 40.0}])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cache_and_threads_change_no_bit(words: dict[str, Any], dtype: Any) -> None:
    rows, y = load_digits(return_X_y=True)
    rows = (rows / 16).astype(dtype)
    models = [
        KernelPerceptron(max_iter=4, cache_size=cache_size, n_jobs=n_jobs, **words).fit(rows, y)
        for cache_size, n_jobs in [(200, None), (0, None), (1, None), (3, 2), (200, 3)]
    ]
    first = models[0]
    for model in models[1:]:
        for name in ("visit", "row", "cls", "tau", "norm2"):
            a, b = (getattr(m._model.state.events.since(), name) for m in (first, model))
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(model.decision_function(rows), first.decision_function(rows))


def test_the_block_size_is_not_seen_in_the_listed_order() -> None:
    rows, y = load_digits(return_X_y=True)
    sizes = (100, 512, 5000)
    models = [KernelPerceptron(shuffle=False, max_iter=3, block_size=size).fit(rows / 16, y) for size in sizes]
    assert len({tuple(model.mistakes_) for model in models}) == 1
    assert len({tuple(model.support_) for model in models}) == 1


def test_passes_are_shuffled_anew() -> None:
    X, y = load_digits(return_X_y=True)
    seeds = [KernelPerceptron(max_iter=3, random_state=seed).fit(X, y).mistakes_.tolist() for seed in (0, 0, 1)]
    assert seeds[0] == seeds[1] != seeds[2]
    model = KernelPerceptron(max_iter=2, block_size=300, kernel="linear").fit(X, y)
    state = model._model.state
    events = state.events.since()
    assert (events.visit < 2 * len(y)).all()
    row = state.support_row[events.row]
    second = {visit: r for visit, r in zip(events.visit - len(y), row, strict=True) if visit >= 0}
    first = dict(zip(events.visit, row, strict=True))
    assert any(first[visit] != r for visit, r in second.items() if visit in first)


@pytest.mark.parametrize("words", VARIANTS)
def test_pickle_and_clone(words: str) -> None:
    rows = pairwise_kernels(X, metric="rbf", gamma=0.5) if words == "precomputed" else X
    model = KernelPerceptron(**VARIANTS[words]).fit(rows, Y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(rows), model.decision_function(rows))
    fresh = clone(model).fit(rows, Y)
    np.testing.assert_array_equal(fresh.decision_function(rows), model.decision_function(rows))


def test_model_selection() -> None:
    search = GridSearchCV(KernelPerceptron(max_iter=10), {"readout": ["last", "average"], "gamma": [0.1, 1.0]}, cv=3)
    assert search.fit(X, Y).best_score_ > 0.9
    kernel = pairwise_kernels(X, metric="rbf", gamma=0.3)
    assert cross_val_score(KernelPerceptron(kernel="precomputed", max_iter=10), kernel, Y, cv=3).mean() > 0.9


def test_a_weight_scales_the_step_and_is_not_a_second_visit() -> None:
    rows, y = np.array([[-1.0], [2.0], [0.5]]), np.array([0, 1, 0])
    words: dict[str, Any] = {"kernel": "linear", "readout": "last", "shuffle": False, "max_iter": 1}
    weighted = KernelPerceptron(**words).fit(rows, y, sample_weight=[1, 2, 1])
    assert weighted.dual_coef_.tolist() == [[-1.0, -1.0]]  # the second is right by then
    twice = KernelPerceptron(**words).fit(rows[[0, 1, 1, 2]], y[[0, 1, 1, 2]])
    assert twice.support_.tolist() == [0, 3]
    heavy = KernelPerceptron(**words).fit(rows, y, sample_weight=[3, 1, 0.5])
    assert heavy.dual_coef_.tolist() == [[-3.0, -0.5]]
    assert KernelPerceptron(**words).fit(rows, y, sample_weight=[1, 1, 0]).support_.tolist() == [0]


def test_online_protocol() -> None:
    model = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, readout="last")
    rounds = list(online(model, list(zip(XOR.X, XOR.y, strict=True)) * 8, classes=[-1, 1]))
    assert model.n_updates_ == 21
    assert rounds[-1].mistakes == rounds[-4].mistakes  # none in the eighth time round


@pytest.mark.parametrize("multiclass", ["argmax", "one-vs-rest"])
@pytest.mark.parametrize("sparse", [False, True])
def test_chained_partial_fit_is_one_listed_pass(multiclass: Any, sparse: bool) -> None:
    rows = sp.csr_array(X) if sparse else X
    order = np.random.default_rng(0).permutation(len(Y))
    words: dict[str, Any] = {"kernel": "poly", "gamma": 0.1, "coef0": 1, "multiclass": multiclass}
    whole = KernelPerceptron(shuffle=False, max_iter=1, **words).fit(rows[order], Y[order])
    parts = KernelPerceptron(**words)
    for part in np.split(order, [10, 11, 70]):
        parts.partial_fit(rows[part], Y[part], classes=[0, 1, 2])
    for readout in ("last", "average", "vote"):
        a, b = (model.set_params(readout=readout).decision_function(rows) for model in (whole, parts))
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    assert parts.support_.tolist() == whole.support_.tolist()
    assert parts.mistakes_.sum() == whole.mistakes_.sum()
    assert parts.n_support_.tolist() == whole.n_support_.tolist()


def test_classes_may_come_as_they_will() -> None:
    model = KernelPerceptron(kernel="linear", coef0=1, readout="last")
    for label in (1, 0, 2):  # sorted otherwise than they come
        model.partial_fit(X[label == Y], Y[label == Y])
    assert model.classes_.tolist() == [0, 1, 2]
    came = np.repeat([1, 0, 2], 50)  # row by row
    assert model.n_support_.tolist() == np.bincount(came[model.support_], minlength=3).tolist()
    assert model.decision_function(X).shape == (150, 3)


def test_a_failed_partial_fit_changes_nothing() -> None:
    model = KernelPerceptron().partial_fit(X, Y)
    before = pickle.dumps(model)
    bad = np.full((3, 4), 1e200)
    poly = KernelPerceptron(kernel="poly", degree=5, gamma=1).partial_fit(X, Y)
    state = pickle.dumps(poly)
    with pytest.raises(OverflowError, match="not finite"):
        poly.partial_fit(bad, [0, 1, 2])
    assert pickle.dumps(poly) == state
    with pytest.raises(ValueError, match="row 1"):
        model.partial_fit(np.where(np.arange(3)[:, None] == 1, np.nan, X[:3]), Y[:3])
    assert pickle.dumps(model) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"kernel": "cubic"}, "'kernel' parameter"),
        ({"budget_policy": "oldest", "budget": 5}, "'budget_policy' parameter"),
        ({"budget_policy": "project", "budget": 5, "kernel": lambda A, B: -(A @ B.T)}, "positive definite"),
        ({"kernel": lambda A, B: A @ B.T @ B}, r"kernel must give \(\d+, \d+\) values"),
        ({"kernel": "precomputed"}, "square matrix"),
        ({"margin": np.inf}, "'margin' parameter"),
        ({"gamma": -1}, "'gamma' parameter"),
    ],
)
def test_what_is_refused(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KernelPerceptron(**words).fit(X, Y)


def test_a_precomputed_kernel_has_no_partial_fit() -> None:
    assert not hasattr(KernelPerceptron(kernel="precomputed"), "partial_fit")


def test_a_precomputed_kernel_is_dense() -> None:
    with pytest.raises(TypeError, match="must be dense"):
        KernelPerceptron(kernel="precomputed").fit(sp.csr_array(X @ X.T), Y)
