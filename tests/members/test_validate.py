"""max_iter="validate": the number of passes that rows held out choose, and the model that so many passes make."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import cross_val_score

from rosenblatt import Perceptron, trace
from rosenblatt.members import fit as validate
from rosenblatt.members.randomness import PARTS, fifths, random_state


def noisy(n: int, k: int = 2) -> Any:
    return make_classification(n, 20, n_informative=5, n_classes=k, flip_y=0.3, random_state=1)


@pytest.mark.parametrize(
    "words", [{}, {"shards": 3}, {"readout": "last"}, {"step": "arow"}, {"shuffle": False}], ids=str
)
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_it_is_the_run_of_as_many_passes(kind: Any, words: dict[str, Any]) -> None:
    for k in (2, 3):
        X, y = noisy(200, k)
        words = {"readout": "average", "step": "pa1", "C": 0.1, **words}
        chosen = Perceptron(max_iter="validate", **words).fit(kind(X), y)
        assert chosen.n_iter_ in validate.TRIED
        same = Perceptron(max_iter=chosen.n_iter_, **words).fit(kind(X), y)
        np.testing.assert_array_equal(chosen.coef_, same.coef_)
        np.testing.assert_array_equal(chosen.mistakes_, same.mistakes_)


def test_rows_are_held_out_by_class_and_each_but_once() -> None:
    target = np.array([0] * 11 + [1] * 22 + [2])
    parts = list(fifths(target, random_state(0)))
    assert len(parts) == PARTS  # seven rows each
    assert sorted(row for _, out in parts for row in out) == list(range(34))
    for learned, out in parts:
        assert sorted([*learned, *out]) == list(range(34))
        assert 2 <= (target[out] == 0).sum() <= 3
    assert len(list(validate._some_fifths(np.arange(300) % 2, random_state(0)))) == 1  # sixty rows are enough


def test_it_is_as_good_as_the_best_of_fixed_numbers_nearly() -> None:
    X, y = noisy(400)
    found = {
        n: cross_val_score(Perceptron(readout="average", step="pa1", max_iter=n), X, y).mean()
        for n in (*validate.TRIED, "validate")
    }
    assert found["validate"] > np.mean([found[n] for n in validate.TRIED]) - 0.01


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_matter(threads: int) -> None:
    X, y = noisy(300)
    words: Any = {"max_iter": "validate", "readout": "average", "shards": 2}
    one = Perceptron(**words).fit(X, y)
    two = Perceptron(**words, n_jobs=threads).fit(X, y)
    np.testing.assert_array_equal(one.coef_, two.coef_)


def test_weights_and_few_rows() -> None:
    X, y = load_iris(return_X_y=True)
    weight = np.ones(150)
    weight[::3] = 0
    with_them = Perceptron(max_iter="validate").fit(X, y, sample_weight=weight)
    without = Perceptron(max_iter="validate").fit(X[weight > 0], y[weight > 0])
    np.testing.assert_array_equal(with_them.coef_, without.coef_)
    two = Perceptron(max_iter="validate").fit([[0.0], [1.0]], ["no", "yes"])
    assert two.predict([[0.0], [1.0]]).tolist() == ["no", "yes"]


def test_what_holds_out_no_rows_says_so(tmp_path: Any) -> None:
    X, y = noisy(30)
    with pytest.raises(ValueError, match="max_iter: expected a number or 'auto' with early_stopping, found 'validate'"):
        Perceptron(max_iter="validate", early_stopping=True).fit(X, y)
    with pytest.raises(ValueError, match="trace cannot have max_iter='validate': a trace holds out no rows"):
        trace(X, y, max_iter="validate")
    file = tmp_path / "rows.svm"
    file.write_text("1 1:2\n-1 1:-1\n")
    with pytest.raises(ValueError, match="max_iter: expected a number or 'auto' to learn from a file, found"):
        Perceptron(max_iter="validate").fit_file(file)
    X[3, 4] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*3|3.*NaN"):
        Perceptron(max_iter="validate").fit(X, y)
