"""The linear unit from the command line: numbers in and out, errors in squares, and what is said on the way."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import LinearUnit, LinearUnitClassifier, PassiveAggressiveRegressor, load, read_svmlight
from rosenblatt.data.lectures import AND

NUMBERS = b"0.5 1:1\n1.5 1:2 2:1\n2.25 2:3\n-1 3:2\n"


@pytest.fixture
def trained(rosenblatt: Any) -> Any:
    """A unit that has learned prices from a table."""
    args = ("--unit", "--label", "price", "--standardise", "--model", "unit.safetensors", "--json")
    return rosenblatt("train", "prices.csv", *args).result("train_unit")


def test_it_learns_a_column_of_numbers(rosenblatt: Any, trained: dict[str, Any]) -> None:
    model = load("unit.safetensors")
    assert isinstance(model, LinearUnit)
    X, y = model.encoding_.transform("prices.csv"), model.encoding_.labels("prices.csv")
    same = LinearUnit().fit(X, y)
    assert model.coef_.tolist() == same.coef_.tolist()
    assert (trained["n_rows"], trained["n_features"], trained["converged"]) == (8, 4, True)
    assert (trained["n_iter"], trained["loss"]) == (same.n_iter_, same.losses_[-1])
    said = rosenblatt("predict", "unit.safetensors", "prices.csv").out.split()
    assert list(map(float, said)) == same.predict(X).tolist()
    numbers = rosenblatt("predict", "unit.safetensors", "prices.csv", "--json").result("predict_numbers")["numbers"]
    assert numbers == same.predict(X).tolist()
    measured = rosenblatt("evaluate", "unit.safetensors", "prices.csv", "--json").result("evaluate_numbers")
    assert measured["r2"] == pytest.approx(same.score(X, y))
    assert measured["mean_squared_error"] == pytest.approx(2 * same.losses_[-1] / len(y))
    assert measured["root_mean_squared_error"] == pytest.approx(measured["mean_squared_error"] ** 0.5)


def test_what_is_said_to_people(rosenblatt: Any) -> None:
    ended = rosenblatt("train", "prices.csv", "--unit", "--standardise", "--model", "unit.safetensors")
    assert (ended.code, ended.err) == (0, "")
    facts = dict(line.rsplit("  ", 1) for line in ended.out.splitlines())
    facts = {name.strip(): value for name, value in facts.items()}
    assert (facts["rows"], facts["features"], facts["converged"]) == ("8", "4", "yes")
    assert facts["E, half the squared error"] == "30.3038"
    assert "classes" not in ended.out
    said = rosenblatt("evaluate", "unit.safetensors", "prices.csv").out.splitlines()
    assert [line.rsplit("  ", 1)[0].rstrip() for line in said] == [
        "mean squared error", "root mean squared error", "R^2", "rows",
    ]  # fmt: skip
    assert said[0].endswith(" 7.57594")
    looked = rosenblatt("inspect", "unit.safetensors")
    assert "class          LinearUnit" in looked.out
    assert "loss           30.3038" in looked.out
    rosenblatt("inspect", "unit.safetensors", "--json").result("inspect_model")


def test_passive_aggressive_steps_learn_numbers(rosenblatt: Any) -> None:
    words = ("--loss", "squared_epsilon_insensitive", "--epsilon", "1/2", "--average", "--C", "0.5", "--standardise")
    args = ("prices.csv", "--passive-aggressive", *words, "--label", "price", "--model", "pa.safetensors")
    said = rosenblatt("train", *args, "--json").result("train_unit")
    model = load("pa.safetensors")
    assert isinstance(model, PassiveAggressiveRegressor)
    X, y = model.encoding_.transform("prices.csv"), model.encoding_.labels("prices.csv")
    loss: Any = words[1]
    same = PassiveAggressiveRegressor(loss=loss, epsilon=0.5, average=True, C=0.5, random_state=0).fit(X, y)
    assert model.coef_.tolist() == same.coef_.tolist()
    assert (said["n_iter"], said["mistakes_of_last_pass"]) == (same.n_iter_, same.mistakes_[-1])
    numbers = rosenblatt("predict", "pa.safetensors", "prices.csv", "--json").result("predict_numbers")["numbers"]
    assert numbers == same.predict(X).tolist()
    measured = rosenblatt("evaluate", "pa.safetensors", "prices.csv", "--json").result("evaluate_numbers")
    assert measured["r2"] == pytest.approx(same.score(X, y))
    assert "class                  PassiveAggressiveRegressor" in rosenblatt("inspect", "pa.safetensors").out
    ended = rosenblatt("train", *args, "--tol", "1e-12", "--n-iter-no-change", "900")
    assert ended.code == 0
    assert "updates of the last pass" in ended.out
    assert "pass 1000 was the last, and the loss still falls by more than --tol a pass: set --max-iter" in ended.err
    for more, why in [
        (("--step", "pa1"), "--step has no meaning with --passive-aggressive"),
        (("--dask", "local"), "--dask has no meaning with --passive-aggressive"),
        (("--stream",), "with --passive-aggressive all rows must be in memory"),
    ]:
        ended = rosenblatt("train", *args, *more)
        assert ended.code == 2
        assert why in ended.err
    ended = rosenblatt("train", "prices.csv", "--epsilon", "1", "--model", "x")
    assert (ended.code, "--epsilon needs --passive-aggressive" in ended.err) == (2, True)
    for theirs, step in (("hinge", "pa1"), ("squared_hinge", "pa2"), ("perceptron", "perceptron")):
        ended = rosenblatt("train", "and.csv", "--loss", theirs, "--model", "x")
        advice = f"'{theirs}' is a loss of classes: leave --loss out, and use --step {step}"
        assert (ended.code, advice in " ".join(ended.err.split())) == (2, True)
    ended = rosenblatt("train", *args, "--loss", "squared")
    assert (ended.code, "'squared' is not one of" in ended.err) == (2, True)


def test_labels_of_svmlight_text_are_numbers(rosenblatt: Any, folder: Path) -> None:
    (folder / "numbers.svm").write_bytes(NUMBERS)
    assert rosenblatt("train", "numbers.svm", "--unit", "--tol", "1e-9", "--model", "unit").code == 0
    X, y = read_svmlight(folder / "numbers.svm")
    same = LinearUnit(tol=1e-9).fit(X, y)
    assert load("unit").coef_.tolist() == same.coef_.tolist()
    out = rosenblatt("predict", "unit", stdin=NUMBERS).out.split()
    assert np.array(out, dtype=float) == pytest.approx(y, abs=1e-6)


def test_whole_numbers_do_not_make_a_classifier(rosenblatt: Any, folder: Path) -> None:
    (folder / "whole.csv").write_text("x,y\n1,2\n2,4\n3,6\n", encoding="utf-8")
    (folder / "new.csv").write_text("x,y\n1.5,3.25\n2.5,5\n", encoding="utf-8")
    assert rosenblatt("train", "whole.csv", "--unit", "--model", "unit").code == 0
    measured = rosenblatt("evaluate", "unit", "new.csv", "--json").result("evaluate_numbers")
    assert measured["mean_squared_error"] == pytest.approx(0.25**2 / 2, rel=1e-3)
    (folder / "same.csv").write_text("x,y\n1.5,3\n2.5,3\n", encoding="utf-8")
    assert rosenblatt("evaluate", "unit", "same.csv", "--json").result("evaluate_numbers")["r2"] is None
    assert "R^2                      - (all numbers of the file are the same)" in rosenblatt(
        "evaluate", "unit", "same.csv"
    ).out  # fmt: skip


@pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")
def test_the_parameters_are_those_of_python(rosenblatt: Any) -> None:
    args = ("--method", "stochastic", "--eta0", "1/20", "--learning-rate", "invscaling", "--power-t", "0.5")
    more = ("--init=-1,0,2", "--no-shuffle", "--max-iter", "7", "--tol", "0", "--model", "unit", "--json")
    assert rosenblatt("train", "and.csv", "--unit", *args, *more).result("train_unit")["n_iter"] == 7
    words: dict[str, Any] = {"method": "stochastic", "eta0": 0.05, "learning_rate": "invscaling", "power_t": 0.5}
    same = LinearUnit(**words, init=[[-1, 0, 2]], shuffle=False, max_iter=7, tol=0).fit(*AND)
    assert load("unit").coef_.tolist() == same.coef_.tolist()


def test_the_classifier(rosenblatt: Any) -> None:
    args = ("--unit-classifier", "--class-weight", "-1=1,1=3", "--model", "unit", "--json")
    assert rosenblatt("train", "and.csv", *args).result("train_unit")["classes"] == [-1, 1]
    same = LinearUnitClassifier(class_weight={-1: 1.0, 1: 3.0}).fit(*AND)
    assert load("unit").coef_.tolist() == same.coef_.tolist()
    assert rosenblatt("predict", "unit", "and.csv").out.split() == list(map(str, same.predict(AND.X)))
    assert rosenblatt("evaluate", "unit", "and.csv", "--json").result("evaluate")["n_rows"] == 4


def test_warnings_and_errors_speak_of_options(rosenblatt: Any, folder: Path) -> None:
    as_they_are = ("train", "prices.csv", "--unit", "--no-standardise", "--model", "unit")
    ended = rosenblatt(*as_they_are)
    assert ended.code == 0
    assert ended.err.startswith("warning: pass 1000 was the last, E = ")
    assert "scale the features (--standardise) if they are not, or raise --max-iter or --tol\n" in ended.err
    for told in ("--json", "--max-iter=1000"):  # the JSON says it, and who has set the end knows it
        assert rosenblatt(*as_they_are, told).err == ""
    before = (folder / "unit").read_bytes()
    ended = rosenblatt(*as_they_are, "--eta0", "1")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: --eta0 1 is too large: E rose from ")
    assert "Use --eta0 auto, a smaller number" in ended.err
    assert (folder / "unit").read_bytes() == before


def test_what_it_refuses(rosenblatt: Any, folder: Path, trained: dict[str, Any]) -> None:
    (folder / "words.svm").write_bytes(b"1 1:1\nmany 2:1\n")
    for args, code, said in (
        (["train", "prices.csv", "--unit", "--kernel", "rbf"], 2, "--unit has no meaning with --kernel"),
        (["train", "prices.csv", "--unit", "--unit-classifier"], 2, "--unit-classifier has no meaning with --unit"),
        (["train", "prices.csv", "--unit", "--readout", "average"], 2, "--readout has no meaning with --unit"),
        (["train", "prices.csv", "--unit", "--class-weight", "balanced"], 2, "has no meaning with --unit"),
        (["train", "and.csv", "--method", "batch"], 2, "--method needs --unit or --unit-classifier"),
        (["train", "and.csv", "--budget", "5"], 2, "--budget needs --kernel"),
        (["train", "and.csv", "--eta0", "auto"], 2, "eta0: expected a number over 0, found 'auto'"),
        (["train", "prices.csv", "--unit", "--stream"], 2, "with --unit all rows must be in memory"),
        (["train", "prices.csv", "--unit", "--label", "town"], 1, "prices.csv:2:3: expected a number, found 'Aachen'"),
        (["train", "words.svm", "--unit"], 1, "words.svm: expected numbers as labels, found 'many'"),
        (["train", "prices.csv"], 1, "LinearUnit (rosenblatt train --unit) learns numbers"),
    ):
        ended = rosenblatt(*args, "--model", "new")
        assert (ended.code, ended.out) == (code, ""), args
        assert said in ended.err, args
        assert not (folder / "new").exists()
    for args, code, said in (
        (["predict", "unit.safetensors", "prices.csv", "--scores"], 2, "--scores: the answers of a LinearUnit are"),
        (["plot", "boundary", "prices.csv", "--model", "unit.safetensors", "-o", "p.png"], 1, "expected a classifier"),
    ):
        ended = rosenblatt(*args)
        assert (ended.code, ended.out) == (code, "")
        assert said in ended.err


def test_it_becomes_json_for_other_programs(rosenblatt: Any, folder: Path, trained: dict[str, Any]) -> None:
    assert rosenblatt("export", "unit.safetensors", "-o", "unit.json").code == 0
    said = json.loads((folder / "unit.json").read_text(encoding="utf-8"))
    assert said["coef_"] == load("unit.safetensors").coef_.tolist()
