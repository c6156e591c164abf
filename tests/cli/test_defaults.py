"""What the program makes of a file where little is chosen: lectures as lectures, data as does best on data."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rosenblatt import PassiveAggressiveRegressor, Perceptron
from rosenblatt.doors.cli.parameters import FEW, program_defaults
from rosenblatt.doors.sklearn.model_file import load
from rosenblatt.services.files.svmlight import read_svmlight
from rosenblatt.services.files.svmlight_writer import write_svmlight

BEST: dict[str, Any] = {"readout": "average", "step": "pa1", "C": 0.1, "max_iter": "validate"}
STREAMED = {**BEST, "max_iter": 10}


@pytest.mark.parametrize(
    ("names", "n_rows", "expected"),
    [
        ([], FEW, BEST),
        ([], FEW - 1, {}),
        ([], None, STREAMED),
        (["random_state", "class_weight", "shards"], 100, BEST),
        (["max_iter"], 100, {"readout": "average"}),
        (["readout"], 100, {"max_iter": "validate"}),
        (["step", "r"], 100, {"readout": "average", "max_iter": "validate"}),
        (["early_stopping"], 100, {"readout": "average"}),
        (["tol"], None, {"readout": "average"}),
        (["kernel"], 100, {}),
        (["unit"], 100, {}),
        (["passive_aggressive"], 100, {"average": True}),
        (["passive_aggressive", "average"], 100, {}),
        (["passive_aggressive"], FEW - 1, {}),
    ],
)
def test_what_is_left_out(names: list[str], n_rows: int | None, expected: dict[str, Any]) -> None:
    assert program_defaults(names, n_rows) == expected


@pytest.fixture
def data(folder: Path) -> Any:
    X, y = make_classification(300, 10, n_informative=4, flip_y=0.2, random_state=0)
    write_svmlight(X, y, folder / "noisy.svm")
    return read_svmlight("noisy.svm")


def test_it_is_the_same_in_python(rosenblatt: Any, data: Any) -> None:
    X, y = data
    for options, words in (
        ((), BEST),
        (("--shards", "2"), {**BEST, "shards": 2}),
        (("--max-iter", "4"), {"readout": "average", "max_iter": 4}),
        (("--step", "arow"), {"step": "arow", "readout": "average", "max_iter": "validate"}),
        (("--stream",), {**STREAMED, "shuffle": False}),
        (("--readout", "last", "--max-iter", "auto"), {}),
    ):
        ended = rosenblatt("train", "noisy.svm", *options, "--model", "m.safetensors")
        assert ended.code == 0, ended.err
        made = load("m.safetensors")
        np.testing.assert_array_equal(made.coef_, Perceptron(**words).fit(X, y).coef_)
        assert {name: getattr(made, name) for name in words if name != "shuffle"} == {
            name: value for name, value in words.items() if name != "shuffle"
        }


@pytest.mark.parametrize(("options", "average"), [((), True), (("--no-average",), False)])
def test_numbers_are_answered_by_the_average(
    rosenblatt: Any, folder: Path, options: tuple[str, ...], average: bool
) -> None:
    X = np.random.default_rng(0).normal(size=(FEW, 2))
    y = 3 * X[:, 0] - X[:, 1]
    write_svmlight(X, y, folder / "numbers.svm")
    ended = rosenblatt("train", "numbers.svm", "--passive-aggressive", *options, "--model", "m.safetensors")
    assert ended.code == 0, ended.err
    same = PassiveAggressiveRegressor(average=average, random_state=0).fit(X, y)
    np.testing.assert_array_equal(load("m.safetensors").coef_, same.coef_)


def test_a_lecture_has_no_mistake_left(rosenblatt: Any) -> None:
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    assert rosenblatt("evaluate", "m.safetensors", "and.csv", "--json").result("evaluate")["error"] == 0


def test_large_numbers_are_named_with_their_column(rosenblatt: Any, folder: Path) -> None:
    rows = [f"1:{40_000 + 90 * k} 2:{k % 7 / 10 + 0.1}" for k in range(30)]
    (folder / "people.svm").write_text("".join(f"{k % 2} {row}\n" for k, row in enumerate(rows)), encoding="utf-8")
    for options in ((), ("--passive-aggressive",)):
        ended = rosenblatt("train", "people.svm", *options, "--model", "m.safetensors")
        assert ended.code == 0
        assert "the numbers of column 'x1' are about 4.1e+04, those of column 'x2' 0.4" in ended.err
        assert "--standardise" in ended.err
