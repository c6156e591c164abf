"""`rosenblatt tune`: the lectures' recipe, with the numbers of scikit-learn's search."""

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from rosenblatt import Perceptron
from rosenblatt.doors.sklearn.model_file import load
from rosenblatt.services.files.svmlight import read_svmlight


def test_tune_is_the_lectures_recipe(rosenblatt: Any) -> None:
    grid = {"readout": ["last", "average"], "max_iter": [1, "auto"], "margin": [None, 0.5], "shuffle": [True, False]}
    tries = ["readout=last,average", "max-iter=1,auto", "margin=none,1/2", "shuffle=yes,no"]
    args = [word for one in tries for word in ("--try", one)]
    ended = rosenblatt("tune", "data.svm", *args, "--test", "test.svm", "--folds", "3", "--seed", "2", "--json",
                       "--model", "m.safetensors")  # fmt: skip
    said = ended.result("tune")
    X, y = read_svmlight("data.svm")
    X_test, y_test = read_svmlight("test.svm")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = StratifiedKFold(3, shuffle=True, random_state=2)
        search = GridSearchCV(Perceptron(random_state=2), grid, cv=parts).fit(X, y)
    assert (ended.code, ended.err) == (0, "")
    assert [one["parameters"] for one in said["tried"]] == search.cv_results_["params"]
    np.testing.assert_allclose(
        [one["error"] for one in said["tried"]], 1 - search.cv_results_["mean_test_score"], atol=1e-6
    )
    assert said["best"]["parameters"] == search.best_params_
    assert said["test"]["n_wrong"] == int((search.predict(X_test) != y_test).sum())
    np.testing.assert_array_equal(load("m.safetensors").coef_, search.best_estimator_.coef_)
    text = rosenblatt("tune", "data.svm", *args, "--test", "test.svm", "--folds", "3", "--seed", "2").out
    assert f"{said['test']['n_wrong']} of 9 rows wrong" in text


def test_tune_saves_how_a_table_becomes_features(rosenblatt: Any) -> None:
    args = ["--label", "walk", "--missing", "mean", "--unknown", "ignore"]
    ended = rosenblatt(
        "tune", "walks.csv", *args, "--folds", "2", "--try", "max-iter=3", "--model", "tuned.safetensors"
    )
    assert (ended.code, ended.err) == (0, "")
    ended = rosenblatt("train", "walks.csv", *args, "--max-iter", "3", "--model", "trained.safetensors")
    assert ended.code == 0
    tuned, trained = load("tuned.safetensors"), load("trained.safetensors")
    np.testing.assert_array_equal(tuned.coef_, trained.coef_)
    assert tuned.encoding_.to_json() == trained.encoding_.to_json()


def test_tune_reads_the_test_file_first(rosenblatt: Any) -> None:
    # eta0=-1 fails only when it is tried
    ended = rosenblatt("tune", "data.svm", "--try", "eta0=-1", "--test", "-", stdin=b"1 3:1\n")
    assert ended == (1, "", "error: <stdin>:1:3: expected an index of at most 2, found '3'\n")
    ended = rosenblatt("tune", "data.svm", "--try", "eta0=-1", "--test", "-", stdin=b"1 2:1\n")
    assert ended.code == 2
