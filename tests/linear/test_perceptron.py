"""The perceptron as a scikit-learn classifier: the checks, the readouts of one run, and its life among other tools."""

import copy
import itertools
import pickle
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import Perceptron, plain

AND, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "average pa1": {"readout": "average", "step": "pa1", "max_iter": 20},
    "arow": {"step": "arow", "max_iter": 20},
    "vote": {"readout": "vote", "max_iter": 20},
    "pocket": {"readout": "pocket", "max_iter": 20},
    "batch": {"batch_size": "all", "max_iter": 200},
    "one-vs-rest": {"multiclass": "one-vs-rest", "max_iter": 20},
    "pa": {"step": "pa", "max_iter": 20},
    "pa2 one-vs-rest": {"step": "pa2", "multiclass": "one-vs-rest"},
    "early stopping": {"early_stopping": True},
}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def weights(model: Any) -> list[float]:
    return [*model.intercept_, *model.coef_[0]]


def iris() -> Any:
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


# An online run depends on the order of its rows, and these checks permute them; and where a row is repeated, the
# second copy is scored after the first was learned, so two copies are not one of weight 2. Both are shown below.
ORDER = "the result of an online run depends on the order of the rows, and two copies of a row are two visits"


# The check wants nearly all answers to be the class of weight 1000 on 50 rows of noise.
WEIGHTS = "weights scale the steps and promise no share of the answers; a run that is stopped early makes few steps"


def expected_failures(estimator: Any) -> Any:
    checks = ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"]
    reasons = {} if estimator.batch_size == "all" else dict.fromkeys(checks, ORDER)
    return reasons | ({"check_class_weight_classifiers": WEIGHTS} if estimator.early_stopping else {})


@parametrize_with_checks([Perceptron(**words) for words in VARIANTS.values()], expected_failed_checks=expected_failures)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_an_online_run_depends_on_the_order_of_its_rows() -> None:
    orders = [list(order) for order in itertools.permutations(range(4))]
    found = [weights(Perceptron(shuffle=False).fit(AND[order], Y[order])) for order in orders]
    assert found.count([-4, 3, 2]) == 12
    assert found.count([-4, 2, 3]) == 12
    batch = [weights(Perceptron(batch_size="all").fit(AND[order], Y[order])) for order in orders]
    assert batch == [batch[0]] * 24


def test_two_copies_of_a_row_are_not_one_of_weight_2() -> None:
    twice, weight = [0, 1, 2, 3, 3], [1, 1, 1, 2]
    repeated = Perceptron(shuffle=False, max_iter=1).fit(AND[twice], Y[twice])
    weighted = Perceptron(shuffle=False, max_iter=1).fit(AND, Y, sample_weight=weight)
    assert weights(repeated) == [0, 1, 1]  # the second copy is right already
    assert weights(weighted) == [1, 2, 2]
    for passes in (1, 2, 5):  # a batch scores both copies with the same weights
        repeated = Perceptron(batch_size="all", max_iter=passes).fit(AND[twice], Y[twice])
        weighted = Perceptron(batch_size="all", max_iter=passes).fit(AND, Y, sample_weight=weight)
        assert weights(repeated) == weights(weighted)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("words", [*VARIANTS.values(), {"class_weight": "balanced"}], ids=str)
def test_rows_of_weight_zero_change_nothing(words: Any, shuffle: bool, kind: Any) -> None:
    X, y = iris()
    rng = np.random.default_rng(0)
    for classes in (2, 3):
        keep, n_more = y < classes, 40
        place = np.sort(rng.choice(keep.sum() + 1, n_more))
        more_X = np.insert(X[keep], place, 1e6 * rng.normal(size=(n_more, 4)), axis=0)
        more_y = np.insert(y[keep], place, rng.integers(0, 5, n_more))  # also of classes that no other row has
        weight = np.insert(rng.integers(1, 4, keep.sum()), place, 0)
        model = Perceptron(**{"max_iter": 10, **words}, shuffle=shuffle)
        with_them = clone(model).fit(kind(more_X), more_y, sample_weight=weight)
        without = clone(model).fit(kind(X[keep]), y[keep], sample_weight=weight[weight > 0])
        assert with_them.classes_.tolist() == without.classes_.tolist() == list(range(classes))
        assert with_them.mistakes_.tolist() == without.mistakes_.tolist()
        np.testing.assert_array_equal(with_them.decision_function(kind(X)), without.decision_function(kind(X)))
    with pytest.raises(ValueError, match="at least one non-zero"):
        model.fit(X, y, sample_weight=np.zeros(len(y)))


def test_readout_may_change_after_the_fit() -> None:
    X, y = make_classification(200, 8, n_informative=4, n_classes=3, flip_y=0.3, random_state=0)
    model = Perceptron(keep_mistakes=True, max_iter=5).fit(X, y)
    seen = {}
    for readout in ("last", "average"):
        model.set_params(readout=readout)
        alone = Perceptron(readout=readout, max_iter=5).fit(X, y)
        np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-12)
        np.testing.assert_allclose(model.intercept_, alone.intercept_, rtol=1e-12)
        np.testing.assert_array_equal(model.predict(X), alone.predict(X))
        np.testing.assert_array_equal(model.coef_for(readout), model.coef_)
        np.testing.assert_array_equal(model.intercept_for(readout), model.intercept_)
        seen[readout] = model.predict(X)
    assert (seen["last"] != seen["average"]).any()
    model.set_params(readout="vote")
    votes = Perceptron(readout="vote", max_iter=5).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), votes.decision_function(X))
    np.testing.assert_array_equal(votes.coef_for("average"), model.coef_for("average"))


def test_what_is_not_there_is_said() -> None:
    model = Perceptron()
    for name in ("coef_", "intercept_", "mistakes_", "dual_coef_"):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError, match=f"Perceptron has no {name} before it is fitted"):
            getattr(model, name)
    model.fit(AND, Y)
    with pytest.raises(AttributeError, match=r"dual_coef_ is there only if .* keep_mistakes=True"):
        model.dual_coef_  # noqa: B018
    for readout, words in (("average", "readout='average' or keep"), ("pocket", "fit with readout='pocket'")):
        with pytest.raises(AttributeError, match=words):
            model.coef_for(readout)
        with pytest.raises(AttributeError, match=words):
            model.set_params(readout=readout).predict(AND)
    with pytest.raises(AttributeError, match="fit with readout='vote' or keep_mistakes=True"):
        model.set_params(readout="vote").predict(AND)
    assert not hasattr(model, "coef_")  # a vote has none
    assert not hasattr(model, "sparsify")
    with pytest.raises(ValueError, match="readout must be one of"):
        model.coef_for("mean")


small = st.integers(-2, 2)


@st.composite
def problems(draw: Any) -> Any:
    n, d, n_classes = draw(st.integers(3, 8)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    X = draw(st.lists(st.lists(small, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n).filter(lambda y: len({*y}) > 1))
    return X, np.unique(y, return_inverse=True)[1].tolist()


@settings(max_examples=60)
@given(
    problems(),
    st.sampled_from(["mistake", "positive", "negative"]),
    st.sampled_from(["argmax", "one-vs-rest"]),
    st.sampled_from([np.asarray, sp.csr_array]),
)
def test_readouts_equal_plain_python(problem: Any, tie: Any, multiclass: Any, kind: Any) -> None:
    X, y = problem
    rows, n_classes = [[1, *x] for x in X], max(y) + 1
    contests = plain.binary if n_classes == 2 else plain.argmax if multiclass == "argmax" else plain.one_vs_rest
    target = [2 * label - 1 for label in y] if n_classes == 2 else y
    n_machines = 1 if n_classes == 2 else n_classes
    run = plain.run(rows, target, contests=contests, n_machines=n_machines, tie=tie, max_iter=4)
    data = kind(np.array(X, dtype=float))
    model = Perceptron(tie=tie, multiclass=multiclass, shuffle=False, max_iter=4, keep_mistakes=True).fit(data, y)
    last, mean = np.array(run.after[-1], float), np.array(plain.average(run.after), float)
    np.testing.assert_array_equal(np.column_stack([model.intercept_, model.coef_]), last)
    average = np.column_stack([model.intercept_for("average"), model.coef_for("average")])
    np.testing.assert_allclose(average, mean, rtol=1e-15, atol=1e-15)
    answer = {-1: 0, 1: 1} if n_classes == 2 else {c: c for c in range(n_classes)}
    assert model.predict(data).tolist() == [answer[plain.predict(run.after[-1], x, tie)] for x in rows]
    decision = model.set_params(readout="vote").decision_function(data)
    for x, found in zip(rows, decision, strict=True):
        votes = plain.vote(run.after, x, tie)
        shares = [votes.get(key, 0) / len(run.after) for key in answer]
        np.testing.assert_allclose(found, shares[1] - shares[0] if n_classes == 2 else shares, atol=1e-15)
    if multiclass == "argmax" or n_classes == 2:
        pocket = Perceptron(readout="pocket", tie=tie, shuffle=False, max_iter=4).fit(data, y)
        best = np.array(plain.pocket(run.after, rows, target, tie), float)
        np.testing.assert_array_equal(np.column_stack([pocket.intercept_, pocket.coef_]), best)


def test_dual_coefficients() -> None:
    model = Perceptron(shuffle=False, keep_mistakes=True).fit(AND, Y)
    assert model.dual_coef_.tolist() == [2, 5, 4, 7]
    assert ((2 * Y - 1) * model.dual_coef_ @ AND).tolist() == model.coef_[0].tolist()
    X, y = iris()
    for multiclass in ("argmax", "one-vs-rest"):
        model = Perceptron(multiclass=multiclass, keep_mistakes=True, max_iter=7).fit(X, y)
        np.testing.assert_allclose(model.dual_coef_ @ X, model.coef_, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(model.dual_coef_.sum(axis=1), model.intercept_, rtol=1e-12, atol=1e-12)
    assert model.dual_coef_.shape == (3, len(y))


@pytest.mark.parametrize("readout", ["last", "average", "vote", "pocket"])
def test_copies_answer_the_same(readout: Any) -> None:
    X, y = iris()
    model = Perceptron(readout=readout, max_iter=3).fit(X, y)
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(twin.decision_function(X), model.decision_function(X))
        assert twin.get_params() == model.get_params()
    assert not hasattr(clone(model), "classes_")
    np.testing.assert_array_equal(clone(model).fit(X, y).decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparsify_and_densify(dtype: Any) -> None:
    X, y = iris()
    model = Perceptron(readout="average", max_iter=3, intercept_scaling=3.0).fit(X.astype(dtype), y)
    before, coef = model.decision_function(X), model.coef_
    assert sp.issparse(model.sparsify().coef_)
    np.testing.assert_array_equal(model.predict(X), model.classes_[before.argmax(axis=1)])
    np.testing.assert_allclose(model.decision_function(X), before, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(model.densify().coef_, coef)
    model.coef_, model.intercept_ = -coef, -model.intercept_  # weights may be set by hand
    np.testing.assert_allclose(model.decision_function(X), -before, rtol=1e-5, atol=1e-5)


def test_tools_of_scikit_learn() -> None:
    X, y = iris()
    search = GridSearchCV(
        Perceptron(max_iter=5), {"readout": ["last", "average", "vote", "pocket"], "tie": ["mistake"]}
    )
    assert search.fit(X, y).best_score_ > 0.8
    pipe = make_pipeline(StandardScaler(), Perceptron(readout="average", max_iter=5))
    assert cross_val_score(pipe, *load_iris(return_X_y=True), error_score="raise").min() > 0.8
    assert "Perceptron" in Perceptron(readout="average")._repr_html_()
    with sklearn.config_context(enable_metadata_routing=True):
        weight = np.where(y == 2, 0.0, 1.0)
        model = Perceptron(max_iter=3).set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        runs = cross_validate(model, X, y, params={"sample_weight": weight}, return_estimator=True)
        assert [run.classes_.tolist() for run in runs["estimator"]] == [[0, 1]] * 5


@pytest.mark.parametrize(
    ("word", "value", "advice"),
    [
        ("penalty", "l2", "step='pa1' with a small C"),
        ("alpha", "much", "is not regularised"),
        ("l1_ratio", "half", "is not regularised"),
        ("verbose", 1, "set_callbacks"),
        ("average", True, "use readout='average'"),
        ("loss", "hinge", "use step='pa1'"),
        ("loss", "squared_hinge", "use step='pa2'"),
        ("loss", "log_loss", "CalibratedClassifierCV"),
        ("loss", "huber", "PassiveAggressiveRegressor and LinearUnit"),
        ("loss", "other", "use step and margin"),
        ("learning_rate", "optimal", "use readout='average'"),
        ("learning_rate", "pa1", "use step='pa1'"),
        ("power_t", None, "the rate is always eta0"),
        ("epsilon", "small", "PassiveAggressiveRegressor"),
        ("dual", "auto", "leave it out"),
        ("solver", "saga", "leave it out"),
        ("multi_class", "crammer_singer", "use multiclass='argmax'"),
        ("multi_class", "ovr", "use multiclass='one-vs-rest'"),
        ("multi_class", "auto", "'argmax' or 'one-vs-rest'"),
    ],
)
def test_words_that_are_not_offered(word: str, value: Any, advice: str) -> None:
    with pytest.raises(TypeError, match=f"Perceptron has no '{word}': .*{advice}"):
        Perceptron(**{word: value})
    with pytest.raises(ValueError, match=f"Perceptron has no '{word}': .*{advice}"):
        Perceptron().set_params(**{word: value})


def test_defaults_of_scikit_learn_are_taken() -> None:
    theirs = linear_model.Perceptron().get_params()
    model = Perceptron(**theirs).fit(AND, Y)
    assert model.get_params() == Perceptron(max_iter=theirs["max_iter"], tol=theirs["tol"]).get_params()
    assert Perceptron().set_params(**theirs).get_params() == model.get_params()
    assert clone(model).fit(AND, Y).coef_.tolist() == model.coef_.tolist()
    search = GridSearchCV(Perceptron(), {"penalty": [None], "alpha": [0.1, 1], "n_jobs": [2]}, cv=2)
    assert search.fit(np.tile(AND, (3, 1)), np.tile(Y, 3)).score(AND, Y) == 1
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        Perceptron().set_params(nonsense=1)


def test_a_fit_from_given_coefficients() -> None:
    run = Perceptron(shuffle=False, max_iter=3).fit(AND, Y)
    further = Perceptron(shuffle=False).fit(AND, Y, coef_init=run.coef_, intercept_init=run.intercept_)
    whole = Perceptron(shuffle=False).fit(AND, Y)
    assert (further.coef_.tolist(), further.n_iter_) == (whole.coef_.tolist(), whole.n_iter_ - 3)
    assert further.init == "zeros"
    there = Perceptron(intercept_scaling=2).fit(AND, Y, coef_init=[3, 2], intercept_init=-4)
    assert (there.n_updates_, there.coef_.tolist(), there.intercept_.tolist()) == (0, [[3, 2]], [-4])
    alone = Perceptron(shuffle=False).fit(AND, Y, intercept_init=[-4])
    assert alone.coef_.tolist() == Perceptron(shuffle=False, init=[[-4, 0, 0]]).fit(AND, Y).coef_.tolist()
    many = Perceptron(max_iter=1).fit(AND, [0, 1, 2, 2], coef_init=np.eye(3, 2), intercept_init=np.zeros(3))
    assert many.coef_.shape == (3, 2)
    for words, said in (
        ({"coef_init": [[1, 2, 3]]}, r"coef_init: expected 2 columns, found the shape \(1, 3\)"),
        ({"coef_init": np.eye(2), "intercept_init": [1]}, r"intercept_init: expected the shape \(2,\), found \(1,\)"),
        ({"coef_init": np.eye(2)}, r"init must have shape \(1, 2\)"),
        ({"coef_init": [[np.nan, 0]]}, "init must be finite"),
    ):
        before = whole.coef_.tolist()
        with pytest.raises(ValueError, match=said):
            whole.fit(AND, Y, **words)
        assert whole.coef_.tolist() == before
    with pytest.raises(ValueError, match="no intercept to start"):
        Perceptron(fit_intercept=False).fit(AND, Y, intercept_init=[1])


def test_rules_that_do_not_go_together() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"step": "arow", "readout": "vote"}, "cannot be kept or vote; use readout='average'"),
        ({"step": "arow", "keep_mistakes": True}, "cannot be kept"),
        ({"step": "pa", "batch_size": "all"}, "batch_size must be 1 with step='pa'"),
        ({"step": "pa1", "margin": 0}, "margin must be over 0"),
        ({"margin": np.inf}, "margin"),
        ({"margin": -1}, "'margin' parameter"),
        ({"init": [1, 2, 3, 4]}, r"init must have shape \(1, 2\) or \(1, 3\).*got \(4,\)"),
        ({"init": [np.nan, 0]}, "init must be finite"),
    ]
    for words, sentence in refused:
        model = Perceptron().fit(AND, Y)
        before = pickle.dumps(model._model.state)
        with pytest.raises(ValueError, match=sentence):
            model.set_params(**words).fit(AND, Y)
        assert pickle.dumps(model._model.state) == before


def test_threads_change_nothing() -> None:
    X, y = make_classification(400, 20, n_informative=5, n_classes=3, random_state=0)
    models = [Perceptron(**{**words, "max_iter": 10}, random_state=s) for words in VARIANTS.values() for s in (0, 1)]
    alone = [clone(model).fit(X, y).decision_function(X) for model in models]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda model: model.fit(X, y).decision_function(X), models))
    np.testing.assert_array_equal(together, alone)


def test_ctrl_c_ends_a_fit_and_changes_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(2000, 20))
    y = np.random.default_rng(1).integers(0, 2, 2000)
    model = Perceptron(readout="average").fit(AND, Y).set_params(max_iter=10**9)
    before, main = pickle.dumps(vars(model)), threading.get_ident()
    threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert pickle.dumps(vars(model)) == before


@pytest.mark.parametrize("eta0", [1.0, 0.1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_averaged_weights_are_there_when_the_fit_ends(dtype: Any, eta0: float) -> None:
    # More weights than are worked on at once.
    X = np.random.default_rng(0).integers(-3, 4, size=(12, 30_000)).astype(dtype)
    model = Perceptron(readout="average", eta0=eta0, keep_mistakes=True, max_iter=2).fit(X, np.arange(12) % 3)
    state, made = model._model.state, model._model.weights_of["average"]
    total = np.multiply(state.w, float(state.visits), dtype=np.float64)
    expected = np.asarray((total - state.sums) / state.visits, dtype=dtype) * dtype(eta0)
    np.testing.assert_array_equal(made, expected)
    np.testing.assert_array_equal(state.with_changes(sums=None).weights("average"), expected)
