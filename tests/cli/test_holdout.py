"""`train --holdout`: the rows held out have no part in the model, keep the shares of the classes, and judge it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import train_test_split

from rosenblatt import Perceptron, write_svmlight
from rosenblatt.doors.sklearn.model_file import load
from rosenblatt.services.files.svmlight import read_svmlight

WORDS = ("--max-iter", "3", "--readout", "average", "--model", "m.safetensors")


@pytest.fixture
def rows(folder: Path) -> Any:
    draw = np.random.default_rng(5)
    X = draw.normal(size=(60, 3))
    y = np.where(X[:, 0] + draw.normal(size=60) > 0.7, 2, 1)
    write_svmlight(X, y, "two.svm", zero_based=False)
    X, y = read_svmlight("two.svm")
    return X, y.astype(int)


def test_the_part_of_train_test_split(rosenblatt: Any, rows: Any) -> None:
    X, y = rows
    said = rosenblatt("train", "two.svm", *WORDS, "--holdout", "0.25", "--seed", "3", "--json").result("train")
    learned, held = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=3)
    expected = Perceptron(readout="average", max_iter=3, random_state=3).fit(X[np.sort(learned)], y[np.sort(learned)])
    model = load("m.safetensors")
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    n_wrong, frequent = int((expected.predict(X[held]) != y[held]).sum()), np.bincount(y[held]).argmax()
    assert said["n_rows"] == len(learned) == 45
    assert said["holdout"]["n_rows"] == len(held) == 15
    assert (said["holdout"]["n_wrong"], said["holdout"]["error"]) == (n_wrong, n_wrong / 15)
    assert said["holdout"]["majority"] == {"label": frequent, "error": pytest.approx(np.mean(y[held] != frequent))}
    text = rosenblatt("train", "two.svm", *WORDS, "--holdout", "0.25", "--seed", "3").out
    assert f"15 rows that the model has not seen: error {n_wrong / 15:.4f}, majority's error " in text
    n_others = int((y[learned] != np.bincount(y[learned]).argmax()).sum())
    assert f"mistakes of the majority   {n_others} (always " in text


def test_without_it_nothing_is_held_out(rosenblatt: Any, rows: Any) -> None:
    said = rosenblatt("train", "two.svm", *WORDS, "--json").result("train")
    assert said["n_rows"] == 60
    assert "holdout" not in said
    assert said["majority"]["error"] == pytest.approx(np.bincount(rows[1])[1:].min() / 60)


@pytest.mark.parametrize("words", [("--kernel", "rbf"), ("--unit-classifier",), ("--shards", "2")])
def test_other_members(rosenblatt: Any, rows: Any, words: tuple[str, ...]) -> None:
    words = ("train", "two.svm", *words, "--max-iter", "3", "--model", "m.safetensors", "--holdout", "0.5", "--json")
    ended = rosenblatt(*words)
    said = ended.result("train_unit" if "--unit-classifier" in words else "train")
    assert (said["n_rows"], said["holdout"]["n_rows"]) == (30, 30)


@pytest.mark.parametrize(("share", "n_held"), [("0.01", 2), ("0.99", 58)])
def test_each_class_is_on_both_sides(rosenblatt: Any, rows: Any, share: str, n_held: int) -> None:
    said = rosenblatt("train", "two.svm", *WORDS, "--holdout", share, "--json").result("train")
    assert (said["holdout"]["n_rows"], said["n_rows"]) == (n_held, 60 - n_held)
    assert said["classes"] == [1, 2]
    assert 0 < said["holdout"]["majority"]["error"] <= 0.5


def test_numbers(rosenblatt: Any) -> None:
    words = ("train", "prices.csv", "--label", "price", "--unit", "--holdout", "0.3", "--standardise")
    said = rosenblatt(*words, "--model", "u.safetensors", "--json").result("train_unit")
    assert said["holdout"]["n_rows"] == 3
    text = rosenblatt(*words, "--model", "u.safetensors").out
    assert f"root mean squared error {said['holdout']['root_mean_squared_error']:.6g}, R^2 " in text
    assert "majority" not in text


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--holdout", "1"), 2, "1.0 is not in the range 0<x<1"),
        (("--holdout", "0.2"), 1, "--holdout: expected 2 rows of a class, one to learn from and one to hold out"),
        (("--holdout", "0.2", "--stream"), 2, "--holdout needs all rows in memory"),
        (("--holdout", "0.2", "--dask", "local"), 2, "--holdout needs all rows in memory"),
    ],
)
def test_what_cannot_be_held_out(
    rosenblatt: Any, rows: Any, folder: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    (folder / "alone.svm").write_text("1 1:1\n2 1:2\n", encoding="utf-8")
    ended = rosenblatt("train", "alone.svm", *WORDS, *words)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert not (folder / "m.safetensors").exists()


def test_evaluate_over_blocks(rosenblatt: Any, folder: Path) -> None:
    draw = np.random.default_rng(1)
    X = draw.normal(size=(20_000, 2)).round(1)  # scores with ties
    y = np.where(X[:, 0] + draw.normal(size=len(X)) > 1, "yes", "no")
    lines = [f"{a},{b},{label}" for (a, b), label in zip(X.tolist(), y.tolist(), strict=True)]
    (folder / "many.csv").write_text("\n".join(["a,b,answer", *lines, ""]), encoding="utf-8")
    assert rosenblatt("train", "many.csv", *WORDS, "--no-standardise").code == 0
    said = rosenblatt("evaluate", "m.safetensors", "many.csv", "--json").result("evaluate")
    model = load("m.safetensors")
    assert said["auc"] == pytest.approx(roc_auc_score(y, model.decision_function(X)), abs=1e-12)
    assert said["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(y, model.predict(X)))
    assert said["majority"] == {"label": "no", "error": pytest.approx(np.mean(y == "yes"))}
