"""How a run starts, how long it goes on, and what it says when it ends."""

import copy
import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.members.advice import still
from rosenblatt.members.stopping import AUTO_LIMIT, PATIENCE, Stopping, sure_passes

AND, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
XOR = np.array([0, 1, 1, 0])
ignore = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def noisy(n: int = 300) -> Any:
    return make_classification(n, 10, n_informative=4, flip_y=0.3, random_state=0)


def weights(model: Any) -> list[float]:
    return [*model.intercept_, *model.coef_[0]]


@ignore
def test_starts() -> None:
    there = Perceptron(init=[[-4, 3, 2]]).fit(AND, Y)
    assert (there.n_iter_, weights(there)) == (1, [-4, 3, 2])
    model = Perceptron(shuffle=False, max_iter=3, warm_start=True)
    for _ in range(3):
        model.fit(AND, Y)
    assert (weights(model), model.converged_) == ([-4, 3, 2], True)
    with pytest.raises(ValueError, match=r"warm_start needs the same classes: \[0 1\] before, \[1 2\] now"):
        model.fit(AND, Y + 1)
    with pytest.raises(ValueError, match="warm_start needs the same features: 2 before, 3 now"):
        model.fit(np.eye(4, 3), Y)
    assert model.predict(AND).tolist() == Y.tolist()
    random = [Perceptron(init="random", max_iter=1, random_state=seed).fit(AND, Y).coef_ for seed in (0, 0, 1)]
    assert (random[0] == random[1]).all()
    assert (random[0] != random[2]).any()


@ignore
def test_weights_of_classes_and_the_constant_feature() -> None:
    X, y = (rows[20:] for rows in load_iris(return_X_y=True))  # 30 rows of the first class, 50 of the others
    for class_weight, of_class in (({0: 2.0, 2: 0.5}, [2, 1, 0.5]), ("balanced", 130 / (3 * np.array([30, 50, 50])))):
        by_class = Perceptron(class_weight=class_weight, max_iter=5).fit(X, y)
        by_row = Perceptron(max_iter=5).fit(X, y, sample_weight=np.array(of_class)[y])
        np.testing.assert_array_equal(by_class.coef_, by_row.coef_)
    scaled = Perceptron(intercept_scaling=3.0, shuffle=False, max_iter=4).fit(AND, Y)
    wide = Perceptron(fit_intercept=False, shuffle=False, max_iter=4).fit(np.c_[AND, np.full(4, 3.0)], Y)
    assert [*scaled.coef_[0], *scaled.intercept_ / 3] == wide.coef_[0].tolist()
    assert wide.intercept_.tolist() == [0]


def test_ties_when_nothing_is_known() -> None:
    n_classes: int
    tie: Any
    for n_classes, tie, answer in [(2, "mistake", 0), (2, "positive", 1), (3, "negative", 0), (3, "positive", 2)]:
        model = Perceptron(tie=tie, fit_intercept=False).partial_fit(AND[3:], [1], classes=range(n_classes))
        assert model.predict(AND[:1]).tolist() == [answer]  # the score of zeros is 0


def test_a_run_ends_at_the_first_clean_pass() -> None:
    model = Perceptron(shuffle=False).fit(AND, Y)
    assert model.mistakes_.tolist() == [2, 3, 3, 2, 2, 3, 2, 1, 0]
    assert (model.n_iter_, model.converged_, model.n_updates_) == (9, True, 18)
    assert isinstance(model.n_iter_, int)
    exactly = Perceptron(shuffle=False, max_iter=9).fit(AND, Y)  # no warning: the ninth is clean
    assert exactly.converged_


def test_a_cap_on_the_passes_is_kept_without_a_word() -> None:
    for passes in range(1, 9):  # warnings are errors here
        model = Perceptron(shuffle=False, max_iter=passes).fit(AND, Y)
        assert (model.n_iter_, model.converged_, len(model.mistakes_)) == (passes, False, passes)
    int_of_numpy: Any = np.int64(3)
    assert Perceptron(max_iter=int_of_numpy).fit(AND, XOR).n_iter_ == 3
    wrong: Any
    for wrong in (0, -1, 2.5, "all", None):
        with pytest.raises(ValueError, match="'max_iter' parameter of Perceptron must be"):
            Perceptron(max_iter=wrong).fit(AND, Y)


BETTER = r"still made \d+ mistakes?\. .*readout='average' or 'pocket' answers better\. .*certify\(X, y\) tells which"
INSIDE = r"the last, still found \d+ rows? wrong or inside the margin\."


WIDE = np.hstack([AND, np.zeros((4, 400))])  # so many columns that nobody is asked whether a plane separates the rows


@pytest.mark.parametrize(
    ("model", "X", "said"),
    [
        (Perceptron(), WIDE, BETTER),
        (Perceptron(step="pa1"), WIDE, INSIDE),
        (Perceptron(step="arow", r=0.1), WIDE, INSIDE),
        (Perceptron(margin=1), WIDE, INSIDE),
        (Perceptron(fit_intercept=False), WIDE, r"certify\(X, y, fit_intercept=False\) tells which"),
        (KernelPerceptron(kernel="linear", readout="last"), AND, "readout='average' or 'vote' answers better"),
        (
            KernelPerceptron(kernel="linear", readout="last"),
            AND,
            r"certify_kernel\(X, y, kernel='linear', coef0=0.0\)",
        ),
        (
            KernelPerceptron(kernel="linear", readout="last", budget=2),
            AND,
            "this kernel, with a budget of 2, does not separate",
        ),
    ],
)
def test_a_run_that_is_left_to_us_says_why_it_ended(model: Any, X: Any, said: str) -> None:
    with pytest.warns(ConvergenceWarning, match=said) as caught:
        model.fit(X, XOR)
    assert (len(caught), caught[0].filename) == (1, __file__)
    assert f"pass {model.n_iter_}, the last" in str(caught[0].message)
    assert f"set max_iter above {model.n_iter_}." in str(caught[0].message)


@pytest.mark.parametrize("readout", ["average", "vote", "pocket"])
def test_where_nothing_is_to_be_done_nothing_is_said(readout: Any) -> None:
    for model, X in ((Perceptron(readout=readout), WIDE[:, :350]), (KernelPerceptron(kernel="linear"), AND)):
        assert not model.fit(X, XOR).converged_  # warnings are errors here
    assert not Perceptron(readout="average", shards=2).fit(AND, XOR).converged_


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"readout": "pocket"},
        {"shuffle": False},
        {"fit_intercept": False},
        {"step": "pa1"},
        {"step": "arow", "r": 0.1},
        {"margin": 1},
        {"multiclass": "one-vs-rest"},
        {"tie": "positive"},
    ],
    ids=str,
)
def test_rows_that_are_known_to_be_inseparable_end_a_run_soon(words: dict[str, Any]) -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[50:], y[50:]  # certify proves that no plane is between these two kinds
    for rows, labels in ((AND, XOR), (X, y), (sp.csr_array(X), y), (X.astype(np.float32), y)):
        model = Perceptron(**words).fit(rows, labels)  # warnings are errors here
        assert not model.converged_
        assert model.n_iter_ < 100
    same = np.linspace(0, 1, 1000).reshape(1, -1).repeat(2, axis=0)
    for rows in (same, sp.csr_array(same), same.astype(np.float32)):
        model = Perceptron(**words).fit(rows, [0, 1])
        assert (model.converged_, model.n_iter_ < 100) == (False, True)
    three = Perceptron(**words).fit(np.vstack([X, 9 + X]), np.concatenate([y, np.full(len(X), 7)]))
    assert not three.converged_
    assert three.n_iter_ < 100


def test_the_question_whether_rows_are_separable_waits_for_a_plateau() -> None:
    asked = list[int]()

    def answer(*, found: bool) -> Stopping:
        stopping = make(10)

        def inseparable() -> bool:
            asked.append(len(stopping.mistakes))
            return found

        stopping.inseparable = inseparable
        return stopping

    passes = [9, 8, 7, 8, 9, 7, 8, 9, 9, 9]
    assert feed(answer(found=True), passes) == (3 + PATIENCE, "inseparable")
    assert feed(answer(found=False), [*passes, 0]) == (11, "clean")
    assert asked == [3 + PATIENCE] * 2
    assert feed(answer(found=True), passes, one_by_one=True) == (3 + PATIENCE, "inseparable")


def test_one_mistake_is_one() -> None:
    assert still([3, 1], "mistakes") == "pass 2, the last, still made 1 mistake"
    assert still([3, 1234], "mistakes") == "pass 2, the last, still made 1,234 mistakes"
    assert still([1], "updates") == "pass 1, the last, still found 1 row wrong or inside the margin"


def test_a_grid_search_does_not_warn() -> None:
    X, y = noisy()
    GridSearchCV(Perceptron(), {"max_iter": [1, 3], "step": ["perceptron", "pa1", "arow"]}, cv=2).fit(X, y)


def test_auto_separates_small_separable_sets() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(2, 101)), int(rng.integers(1, 11))
        X = rng.normal(size=(n, d))
        score = X @ rng.normal(size=d) + rng.normal()
        y = score > np.median(score)
        model = Perceptron(random_state=seed).fit(X, y)
        assert model.converged_, seed
        assert model.score(X, y) == 1


@ignore
def test_auto_ends_where_nothing_is_known() -> None:
    for words in ({}, {"readout": "pocket"}, {"shuffle": False}):
        model = Perceptron(**words).fit(WIDE, XOR)
        assert model.n_iter_ == sure_passes(4, pocket=model.readout == "pocket")
        assert not model.converged_
    assert model.mistakes_.min() > 0


def test_sure_passes() -> None:
    assert sure_passes(4) == 250_000
    assert sure_passes(100) == 10_000
    assert sure_passes(316) == 10**6 // 316
    assert sure_passes(317) == 10 * 317
    assert sure_passes(1000) == 10_000
    assert sure_passes(1001) == 10**13 // 1001**3
    assert sure_passes(10**4) == 10
    assert sure_passes(10**5) == 0  # as long as there are new lows
    assert sure_passes(1000, pocket=True) == 500
    assert all(sure_passes(n) * n >= 10 * n**2 for n in range(1, 1001))


@ignore
def test_tol_ends_a_run_whose_loss_stands_still() -> None:
    X, y = noisy()
    n_iter = {}
    for tol, patience in itertools.product([None, 0.0, 1e9], [1, 5]):
        model = Perceptron(tol=tol, n_iter_no_change=patience, max_iter=200).fit(X, y)
        n_iter[tol, patience] = model.n_iter_
    assert n_iter[None, 1] == n_iter[None, 5] == 200
    assert n_iter[1e9, 1] == 2  # the first pass sets the loss, the second does not beat it by so much
    assert n_iter[1e9, 5] == 6
    assert n_iter[0.0, 1] < n_iter[0.0, 5] < 200


def test_a_run_that_stands_still_does_not_warn() -> None:
    X, y = noisy()
    assert not Perceptron(tol=1e-3, max_iter=1000).fit(X, y).converged_
    assert not Perceptron(early_stopping=True, max_iter=1000).fit(X, y).converged_


@pytest.mark.parametrize("readout", ["last", "average", "vote", "pocket"])
def test_early_stopping(readout: Any) -> None:
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    for patience in (1, 3):
        words: Any = {"early_stopping": True, "n_iter_no_change": patience, "readout": readout}
        model = Perceptron(**words).fit(X, y)
        assert patience < model.n_iter_ < 100
        again = Perceptron(**words).fit(X, y)
        np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
    model = Perceptron(early_stopping=True, validation_fraction=0.5, keep_mistakes=True).fit(X, y)
    assert 0 < (model.dual_coef_ != 0).any(axis=0).sum() <= 75  # the others were held out
    least = Perceptron(early_stopping=True, validation_fraction=0.01, keep_mistakes=True).fit(X, y)
    assert least._model.n_seen == 150
    with pytest.raises(ValueError, match="early_stopping: expected 2 rows of a class"):
        Perceptron(early_stopping=True).fit(X[::50], y[::50])
    holes = X.copy()
    holes[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        Perceptron(early_stopping=True).fit(holes[[3, 50, 100]], y[::50])


@ignore
def test_early_stopping_does_not_learn_from_what_it_holds_out() -> None:
    X, y = noisy()
    model = Perceptron(early_stopping=True, keep_mistakes=True, max_iter=50, shuffle=False).fit(X, y)
    used = np.flatnonzero(model.dual_coef_)
    coef = ((2 * y - 1) * model.dual_coef_) @ X
    np.testing.assert_allclose(model.coef_[0], coef, rtol=1e-9)
    assert len(used) <= 270


def feed(stopping: Stopping, passes: Any, *, one_by_one: bool = False) -> Any:
    """All passes in chunks as it asks for them; the number of passes made and why it ended."""
    passes = list(passes)
    while passes:
        chunk = 1 if one_by_one else stopping.passes_ahead()
        some, passes = passes[:chunk], passes[chunk:]
        some = some[: some.index(0) + 1] if 0 in some else some
        if stopping.after(some, cost=some[-1]):
            return len(stopping.mistakes), stopping.end
    return len(stopping.mistakes), None


def make(n_rows: int, max_iter: Any = "auto", tol: Any = None, **words: Any) -> Stopping:
    words = {"n_iter_no_change": words.pop("patience", 5), **words}
    return Stopping(n_rows=n_rows, max_iter=max_iter, tol=tol, **words)


def test_stopping_by_itself() -> None:
    assert feed(make(10), [3, 2, 0, 5]) == (3, "clean")
    assert feed(make(10, max_iter=4), [3] * 9) == (4, "limit")
    assert feed(make(10, max_iter=4), [3, 3, 3, 0]) == (4, "clean")
    assert feed(make(10, max_iter=100, tol=0.0, patience=3), [9, 8, 8, 7, 7, 7, 7, 7]) == (7, "no change")
    assert feed(make(10, max_iter=100, tol=2.0, patience=2), [9, 8, 7, 6]) == (3, "no change")
    falling = [10**60 * 9**k // 10**k for k in range(2000)]
    assert feed(make(10**6), falling) == (AUTO_LIMIT, "plateau")  # ever new lows
    assert feed(make(10**6), range(2000, 1000, -1)) == (1 + PATIENCE, "plateau")  # too slow
    assert feed(make(10**6), [9, 8, 7, 8, 9, 7, 8, 9, 9]) == (3 + PATIENCE, "plateau")
    assert feed(make(10**6), [9, 8, 7, 8, 9, 8, 6, *[7] * 9]) == (7 + PATIENCE, "plateau")
    assert feed(make(10**4), [9] * 300) == (sure_passes(10**4), "plateau")
    assert make(10**4).passes_ahead() == sure_passes(10**4)
    assert make(10**4, tol=0.0).passes_ahead() == 1
    assert make(10**9).passes_ahead() == PATIENCE  # there is no plateau before
    assert make(10, max_iter=7).passes_ahead() == make(10**9, max_iter=7).passes_ahead() == 7


@pytest.mark.parametrize("n_rows", [1500, 3000, 5000, 20_000, 10**5, 10**6])
def test_chunks_change_nothing(n_rows: int) -> None:
    """Whether passes come one by one (watched by a callback) or many at once, the run ends at the same pass."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        passes = (n_rows * (0.3 + rng.random(20_000) / (5 + np.arange(20_000) / 50))).astype(int).tolist()
        assert feed(make(n_rows), passes) == feed(make(n_rows), passes, one_by_one=True)


@ignore
def test_random_states() -> None:
    X, y = noisy()
    runs = [Perceptron(max_iter=5, random_state=s).fit(X, y).coef_ for s in (0, 0, 1, np.random.RandomState(0))]
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[3])
    assert (runs[0] != runs[2]).any()
    state = np.random.RandomState(0)
    model = Perceptron(max_iter=5, random_state=state)
    one, two = (copy.deepcopy(model.fit(X, y).coef_) for _ in range(2))
    assert (one != two).any()  # a RandomState goes on
    unshuffled = [Perceptron(max_iter=5, shuffle=False, random_state=s).fit(X, y).coef_ for s in (0, 1)]
    np.testing.assert_array_equal(*unshuffled)
