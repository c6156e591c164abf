"""Tables are standardised unless told otherwise by every verb that learns; what shows or proves takes them as is."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron, load, read_table
from rosenblatt.data.lectures import AND, XOR


@pytest.fixture
def unscaled(folder: Path) -> str:
    """Columns of which one is ten thousand times another, and says nothing."""
    random = np.random.default_rng(0)
    X = random.standard_normal((300, 3)) * [1, 1e4, 1e-2] + [0, 5e4, 3]
    y = np.where(X[:, 0] + 100 * (X[:, 2] - 3) + random.standard_normal(300) / 2 > 0.3, "yes", "no")
    lines = [",".join([*map(repr, row), label]) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    (folder / "u.csv").write_text("\n".join(["age,income,rate,buys", *lines, ""]), encoding="utf-8")
    return "u.csv"


def test_a_bare_train_beats_the_majority(rosenblatt: Any, unscaled: str) -> None:
    assert rosenblatt("train", unscaled, "--model", "m.st").code == 0
    said = rosenblatt("evaluate", "m.st", unscaled, "--json").result("evaluate")
    assert said["error"] < 0.75 * min(said["support"]) / said["n_rows"]


@pytest.mark.parametrize(
    "words",
    [
        ("train",),
        ("train", "--stream", "--max-iter", "2"),
        ("train", "--shards", "2", "--max-iter", "2"),
        ("train", "--kernel", "rbf", "--max-iter", "1"),
        ("tune", "--try", "max_iter=1,2", "--folds", "2"),
    ],
    ids=" ".join,
)
def test_every_way_to_learn(rosenblatt: Any, unscaled: str, words: tuple[str, ...]) -> None:
    table = read_table(unscaled)
    columns = np.column_stack([table[name].astype(float) for name in ("age", "income", "rate")])
    verb, *others = words
    assert rosenblatt(verb, unscaled, *others, "--model", "m.st").code == 0
    numbers = load("m.st").encoding_.numbers_
    np.testing.assert_allclose(numbers.mean, columns.mean(axis=0), rtol=1e-9)
    np.testing.assert_allclose(numbers.scale, columns.std(axis=0), rtol=1e-9)
    assert rosenblatt(verb, unscaled, *others, "--no-standardise", "--model", "m.st").code == 0
    assert load("m.st").encoding_.numbers_.standardised == []


def test_the_model_says_it(rosenblatt: Any, unscaled: str) -> None:
    ended = rosenblatt("train", unscaled, "--model", "m.st")
    assert re.search(r"^standardised +3: age, income, rate$", ended.out, re.MULTILINE)
    said = rosenblatt("train", unscaled, "--json", "--model", "m.st").result("train")
    assert said["standardised"] == ["age", "income", "rate"]
    encoding = rosenblatt("inspect", "m.st", "--json").result("inspect_model")["encoding"]
    assert (encoding["standardise"], encoding["standardised"]) == (True, ["age", "income", "rate"])
    assert "standardised=['age', 'income', 'rate']" in rosenblatt("inspect", "m.st").out
    assert "standardised" not in rosenblatt("train", "data.svm", "--max-iter", "1", "--model", "m.st").out
    said = rosenblatt("train", "prices.csv", "--unit", "--json", "--model", "m.st").result("train_unit")
    assert said["standardised"] == load("m.st").encoding_.numbers_.standardised != []


@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_columns_that_do_not_go_together(rosenblatt: Any, unscaled: str, stream: list[str]) -> None:
    words = ["--max-iter", "2", "--model", "m.st", *stream]
    assert "warning" not in rosenblatt("train", unscaled, *words).err
    said = rosenblatt("train", unscaled, "--no-standardise", *words).err
    assert "numbers of column 'income' are about 5.1e+04, those of column 'age' 0.9" in said
    assert said.endswith(": --standardise\n")
    rosenblatt("convert", unscaled, "u.svm")
    said = rosenblatt("train", "u.svm", *words).err
    assert "numbers of column 'x2' are about 5.1e+04, those of column 'x1' 0.9" in said
    assert said.endswith(": in a table --standardise does it, svmlight text is taken as it is\n")


def test_the_advice_is_about_the_same_features(rosenblatt: Any, folder: Path) -> None:
    # Separable, by a margin so small that the run ends before it is clean.
    rows = "a,b,answer\n1,1,yes\n-1,-1,no\n2,2.0000002,no\n-2,-2.0000002,yes\n"
    (folder / "near.csv").write_text(rows, encoding="utf-8")
    until_clean = ("--no-intercept", "--readout", "last", "--max-iter", "auto", "--model", "m.st")
    for words, advised in (([], "near.csv --standardise"), (["--no-standardise"], "near.csv")):
        ended = rosenblatt("train", "near.csv", *until_clean, *words)
        assert f"rosenblatt certify {advised} --no-intercept tells which" in ended.err


@pytest.mark.parametrize(("name", "lecture"), [("and.csv", AND), ("xor.csv", XOR)])
def test_the_lectures_tables_stay_as_they_are(rosenblatt: Any, name: str, lecture: Any) -> None:
    args = ("--no-shuffle", "--keep-mistakes", "--max-iter", "9", "--model", "m.st", "--json")
    assert rosenblatt("train", name, *args).result("train")["standardised"] == []
    same = Perceptron(shuffle=False, keep_mistakes=True, max_iter=9).fit(*lecture)
    assert load("m.st").coef_.tolist() == same.coef_.tolist()
    assert load("m.st").mistakes_.tolist() == same.mistakes_.tolist()


def test_what_shows_or_proves_takes_numbers_as_they_are(rosenblatt: Any, folder: Path) -> None:
    (folder / "t.csv").write_text("a,b,y\n3,100,1\n1,300,-1\n7,500,-1\n", encoding="utf-8")
    shown = rosenblatt("trace", "t.csv", "--max-iter", "1", "--columns", "x", "--format", "csv").out
    assert shown == "x0,x1,x2\n1,3,100\n1,1,300\n1,7,500\n"
    assert rosenblatt("convert", "t.csv", "t.svm").code == 0
    assert (folder / "t.svm").read_text() == "1 1:3 2:100\n-1 1:1 2:300\n-1 1:7 2:500\n"
    assert rosenblatt("certify", "t.csv", "-o", "proof.json").code == 0
    assert rosenblatt("verify", "proof.json", "t.svm").code == 0  # of the same numbers
    assert rosenblatt("verify", "proof.json", "t.csv").code == 0
    assert rosenblatt("verify", "proof.json", "t.csv", "--standardise").code == 3
    shown = rosenblatt("trace", "t.csv", "--standardise", "--max-iter", "1", "--columns", "x", "--format", "csv").out
    rows = np.array([line.split(",") for line in shown.splitlines()[1:]], dtype=float)
    np.testing.assert_allclose(rows.mean(axis=0), [1, 0, 0], atol=1e-3)
