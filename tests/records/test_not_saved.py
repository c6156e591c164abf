"""What a model file cannot hold is refused by name, and no file is touched."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from rosenblatt import LinearUnit, Perceptron
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import save


class Own(Perceptron):
    """A class that a file could not name."""


@pytest.mark.parametrize(
    ("model", "failure", "said"),
    [
        (Perceptron(random_state=np.random.RandomState(0)).fit(*AND), ValueError, "random_state: a model file holds"),
        (Perceptron(class_weight={-1: None, 1: ()}), NotFittedError, "not fitted"),
        (Own().fit(*AND), TypeError, "model: expected a Perceptron or .*, found a .*Own"),
        ("model", TypeError, "model: expected a Perceptron or .*, found a builtins.str"),
        (Perceptron().fit(*AND).set_params(eta0=-1), ValueError, "eta0: expected a number over 0, found -1"),
        (Perceptron().fit(*AND).set_params(init=["a"]), ValueError, "init: a model file holds arrays of numbers"),
        (Perceptron().fit(*AND).set_params(init=[[1], [2, 3]]), ValueError, "init: a model file holds arrays"),
        (Perceptron().fit(*AND).set_params(init=[[np.inf, 0]]), ValueError, "'parameter.init': expected finite"),
        (Perceptron().fit(*AND).set_params(class_weight={(1,): 1}), ValueError, "class_weight: a model file holds"),
        (Perceptron().fit(*AND).set_params(tol=np.inf), ValueError, "tol: a model file holds .* finite numbers"),
    ],
)
def test_what_cannot_be_saved_changes_no_file(tmp_path: Path, model: Any, failure: Any, said: str) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"old")
    with pytest.raises(failure, match=said):
        save(model, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("coef_", [[1.0]], r"'given.coef_': expected shape \(any, 2\), found \(1, 1\)"),
        ("coef_", np.ones((3, 2)), "'given.coef_': expected 1 rows, found 3"),
        ("coef_", [[np.nan, 0]], "'given.coef_': expected finite numbers"),
        ("coef_", [["a", "b"]], "'given.coef_': expected float64 or .*, found <U1"),
        ("intercept_", [1.0, 2.0], "'given.intercept_': expected 1 numbers, found 2"),
    ],
)
def test_weights_set_by_hand_that_do_not_fit(tmp_path: Path, name: str, value: Any, said: str) -> None:
    model = Perceptron().fit(*AND)
    setattr(model, name, value)
    with pytest.raises(ValueError, match=said):
        save(model, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_data_that_is_not_what_was_learned_from(tmp_path: Path) -> None:
    for model in (Perceptron().fit(*AND), LinearUnit().fit(*AND)):
        with pytest.raises(ValueError, match=r"data: expected X of shape \(4, 2\), found \(4, 1\)"):
            save(model, tmp_path / "model", data=(AND.X[:, :1], AND.y))
    with pytest.raises(ValueError, match=r"data: expected X of shape \(4, 2\), found \(3, 2\)"):
        save(Perceptron().fit(*AND), tmp_path / "model", data=(AND.X[:3], AND.y[:3]))
    with pytest.raises(ValueError, match="y: expected one label for each of the 4 rows"):
        save(Perceptron().fit(*AND), tmp_path / "model", data=(AND.X, AND.y[:3]))
    assert list(tmp_path.iterdir()) == []
