"""The online protocol: predict, then learn; the mistakes are counted before the update."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier

from rosenblatt import KernelPerceptron, Perceptron, online, plain
from tests import oldest

CMU = [((-1, 2), "-"), ((1, 0), "+"), ((1, 1), "+"), ((-1, 0), "-"), ((-1, -2), "-"), ((1, -1), "+")]
SIGNS = [(x, 1 if y == "+" else -1) for x, y in CMU]


def test_three_mistakes_on_the_lecture_example() -> None:
    model = Perceptron(fit_intercept=False, tie="positive")
    rounds = list(online(model, SIGNS, classes=[-1, 1]))
    assert [one.mistakes for one in rounds] == [1, 1, 2, 2, 3, 3]
    assert model.coef_.tolist() == [[3, 1]]
    assert model.n_updates_ == 3
    model = Perceptron(fit_intercept=False)
    rounds = list(online(model, CMU, classes=["-", "+"]))  # "-" sorts last: it is the positive class
    assert [one.mistakes for one in rounds] == [1, 1, 2, 2, 3, 3]
    assert model.coef_.tolist() == [[-3, -1]]


@pytest.mark.parametrize("kind", [Perceptron, KernelPerceptron])
@pytest.mark.parametrize(("y", "tie", "mistakes"), [(1, "positive", 0), (-1, "positive", 1), (-1, "negative", 0)])
def test_known_classes_are_predicted_from_the_first_weights(kind: Any, y: int, tie: Any, mistakes: int) -> None:
    model = kind(tie=tie)
    (first,) = online(model, [((3, 4), y)], classes=[-1, 1])
    assert first == (y if mistakes == 0 else -y, mistakes)
    assert model.n_updates_ == mistakes


def test_any_step_and_readout_predicts_from_the_first_weights() -> None:
    for words in ({"step": "arow", "readout": "average"}, {"readout": "vote"}, {"shards": 2}, {"init": "random"}):
        (first,) = online(Perceptron(**words), [(sp.csr_array([[1.0, 2.0]]), "b")], classes=["a", "b", "c"])
        assert first.prediction in ("a", "b", "c")
    random = np.random.RandomState(3)
    game = list(online(Perceptron(init="random", random_state=random), SIGNS, classes=[-1, 1]))
    again = Perceptron(init="random", random_state=np.random.RandomState(3))
    again.partial_fit(*[[SIGNS[0][k]] for k in (0, 1)], classes=[-1, 1])
    assert game[1].prediction == again.predict([SIGNS[1][0]])[0]  # asking has drawn nothing
    first, *_ = online(SGDClassifier(), SIGNS, classes=[-1, 1])
    assert first == (None, 1)


def test_predictions_are_made_before_the_label_is_seen() -> None:
    rounds = list(online(Perceptron(fit_intercept=False), SIGNS))
    run = plain.run([x for x, _ in SIGNS], [y for _, y in SIGNS], max_iter=1)
    before = [((0, 0),), *run.after]
    expected = [plain.predict(w, x) for w, (x, _) in zip(before, SIGNS, strict=False)]
    assert rounds[0].prediction is None  # nothing was seen yet
    assert [int(one.prediction) for one in rounds[2:]] == expected[2:]
    wrong = [one.prediction != y for one, (_, y) in zip(rounds, SIGNS, strict=True)]
    assert [one.mistakes for one in rounds] == np.cumsum(wrong).tolist()


def test_a_model_may_have_learned_before_and_a_stream_may_be_endless() -> None:
    model = Perceptron(fit_intercept=False, shuffle=False).fit([x for x, _ in SIGNS], [y for _, y in SIGNS])
    rounds = list(online(model, SIGNS))
    assert rounds[0].prediction == -1
    assert rounds[-1].mistakes == 0
    assert list(online(model, [])) == []

    def endless() -> Any:
        while True:
            yield from SIGNS

    game = online(Perceptron(fit_intercept=False), endless())
    assert [next(game).mistakes for _ in range(100)][-1] <= 4


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array, sp.coo_array, sp.csc_array])
def test_sparse_rows(kind: Any) -> None:
    X = np.array([x for x, _ in CMU], dtype=float)
    rows: list[Any] = [kind(X[i : i + 1]) for i in range(6)]
    game = online(Perceptron(fit_intercept=False), zip(rows, [y for _, y in CMU], strict=True), ["-", "+"])
    assert [one.mistakes for one in game] == [1, 1, 2, 2, 3, 3]


@oldest.sparse_vectors
def test_sparse_vectors() -> None:
    X = sp.csr_array(np.array([x for x, _ in CMU], dtype=float))
    rows: list[Any] = [X[i] for i in range(6)]
    game = online(Perceptron(fit_intercept=False), zip(rows, [y for _, y in CMU], strict=True), ["-", "+"])
    assert [one.mistakes for one in game] == [1, 1, 2, 2, 3, 3]


def test_classes_come_as_they_will() -> None:
    stream = [([1.0, 0.0], "a"), ([0.0, 1.0], "b"), ([-1.0, -1.0], "c")] * 20
    model = Perceptron()
    rounds = list(online(model, stream))
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert [one.mistakes for one in rounds[:3]] == [1, 2, 3]  # nobody could have predicted a new label
    assert rounds[-1].mistakes == rounds[-30].mistakes


def test_an_error_in_a_round_leaves_the_model_as_it_was() -> None:
    model = Perceptron(fit_intercept=False)
    game = online(model, [*SIGNS, ((np.nan, 1), 1)])
    for _ in SIGNS:
        next(game)
    with pytest.raises(ValueError, match="NaN"):
        next(game)
    assert model.coef_.tolist() == [[3, 1]]


def test_other_classifiers() -> None:
    """One that must know the labels at its first partial_fit is given them, or says that it needs them."""
    rounds = list(online(SGDClassifier(loss="perceptron", random_state=0), SIGNS, classes=[-1, 1]))
    assert [one.mistakes for one in rounds][-1] <= 6
    with pytest.raises(ValueError, match="classes must be passed on the first call to partial_fit"):
        next(online(SGDClassifier(), SIGNS))


@pytest.mark.parametrize(("n", "k"), [(5, 3), (20, 5), (10, 9), (7, 1)])
def test_whom_to_follow(n: int, k: int) -> None:
    """The majority of k experts among n analysts is always right: at most n k mistakes (lecture 003)."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        experts = rng.choice(n, k, replace=False)
        advice = rng.choice([-1, 1], size=(3 * n * k, n))
        market = np.sign(advice[:, experts].sum(axis=1))
        model = Perceptron(fit_intercept=False)
        rounds = list(online(model, zip(advice, market, strict=True), classes=[-1, 1]))
        assert rounds[-1].mistakes <= model.n_updates_ <= n * k
