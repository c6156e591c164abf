"""What a trace refuses, and in which words; and the module that is a function."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.utils._param_validation import InvalidParameterError

from rosenblatt import Perceptron
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.data.lectures import AND
from rosenblatt.services.lessons.trace import trace


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"early_stopping": True}, "trace cannot have early_stopping=True: a trace holds out no rows"),
        ({"warm_start": True}, "trace cannot have warm_start=True: a trace starts where init says"),
        ({"tol": 0.0}, "trace cannot have tol=0.0: a trace ends at a clean pass"),
        ({"max_visits": 0}, "max_visits must be a positive int or None; got 0"),
        ({"max_visits": True}, "max_visits must be a positive int or None; got True"),
        ({"max_visits": 2.5}, "max_visits must be a positive int or None; got 2.5"),
        ({"as_decimal": True}, "as_decimal=True goes with exact=True"),
        ({"first_row": 4}, "first_row must be a row of X, from 0 to 3; got 4"),
        ({"first_row": -1}, "first_row must be a row of X, from 0 to 3; got -1"),
        ({"first_row": 1, "row_order": [0, 1]}, "give it or first_row, not both; got first_row=1"),
        ({"row_order": [0, 4]}, r"row_order must be a list of rows of X, from 0 to 3; got \[0, 4\]"),
        ({"row_order": [0, -1]}, "row_order must be a list of rows of X"),
        ({"row_order": [0.0, 1.0]}, "row_order must be a list of rows of X"),
        ({"row_order": [[0, 1]]}, "row_order must be a list of rows of X"),
        ({"row_order": [0], "sample_weight": [0, 1, 1, 1]}, "row_order must have a row whose weight is not 0"),
        ({"row_order": [0, 1], "shuffle": True}, "shuffle=True makes an order of its own"),
        ({"first_row": 2, "shuffle": True}, "shuffle=True makes an order of its own"),
        ({"pick": "wrong"}, "pick must be one of 'first-wrong', 'worst-wrong' or None; got 'wrong'"),
        ({"pick": "first-wrong", "shuffle": True}, "leave out pick, or shuffle"),
        ({"pick": "worst-wrong", "batch_size": 2}, "pick visits one row at a time: leave out batch_size=2"),
        ({"positive": 2}, "positive must be a label of y, -1 or 1; got 2"),
        ({"exact": True, "eta0": "a tenth"}, "eta0 must be finite numbers, as 2, 0.5 or '1/3'; found 'a tenth'"),
        ({"exact": True, "init": [0, "1/0", 0]}, "init must be finite numbers.*; found '1/0' at 1"),
        ({"exact": True, "sample_weight": [1, 1, np.nan, 1]}, "sample_weight must be finite numbers.*; found nan at 2"),
        ({"exact": True, "init": [1, 2, 3, 4]}, r"init must have shape \(1, 2\) or \(1, 3\)"),
    ],
)
def test_what_makes_no_sense(words: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        trace(*AND, **words)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        {"tie": "sometimes"}, {"margin": -1}, {"eta0": 0}, {"step": "leap"}, {"batch_size": 0}, {"max_iter": 0},
        {"shuffle": "no"}, {"step": "pa", "margin": 0}, {"step": "pa", "batch_size": 2}, {"readout": "first"},
        {"step": "arow", "keep_mistakes": True}, {"init": "ones"}, {"class_weight": {7: 1}}, {"early_stopping": 3},
    ],
    ids=str,
)  # fmt: skip
def test_the_same_bad_parameter_gets_the_same_answer(words: Any, exact: bool) -> None:
    with pytest.raises(ValueError) as expected:  # noqa: PT011
        Perceptron(**words).fit(*AND)
    with pytest.raises(ValueError) as found:  # noqa: PT011
        trace(*AND, exact=exact, **words)
    if isinstance(
        expected.value, InvalidParameterError
    ):  # the range of one, which the estimator leaves to scikit-learn
        (name,) = words
        assert f"'{name}' parameter" in str(expected.value)
        assert isinstance(found.value, ParameterError)
        assert str(found.value).startswith(f"{name}: expected ")
    else:
        assert (type(found.value), str(found.value)) == (type(expected.value), str(expected.value))


@pytest.mark.parametrize("word", ["penalty", "alpha", "momentum", "first", "order"])
def test_a_word_that_is_not_there(word: str) -> None:
    with pytest.raises(TypeError, match=word):
        trace(*AND, **dict[str, Any]({word: 1}))


@pytest.mark.parametrize("exact", [False, True])
def test_data_that_is_none(exact: bool) -> None:
    with pytest.raises(ValueError, match=r"trace needs at least 2 classes, got .* only one class: \[1\]"):
        trace([[1], [2]], [1, 1], exact=exact)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        trace([[1], [2]], [1, 1, 0], exact=exact)
    with pytest.raises(ValueError, match=r"(?i)nan"):
        trace([[1], [np.nan]], [1, 0], exact=exact)
    with pytest.raises(ValueError, match=r"(?i)2D array"):
        trace([1, 2], [1, 0], exact=exact)


def test_exact_rows_of_different_lengths() -> None:
    with pytest.raises(ValueError, match=r"X must be finite numbers.*found \[1, 2\] at 0"):
        trace([[1, 2], [3]], [1, 0], exact=True)


def test_scores_that_overflow_name_their_row() -> None:
    with pytest.raises(OverflowError, match="the score of row 1 is too large for its type"):
        trace([[1e300], [1e300]], [0, 1], fit_intercept=False)


@pytest.mark.parametrize("exact", [False, True])
def test_prediction_needs_the_features_of_the_trace(exact: bool) -> None:
    run = trace(*AND, exact=exact)
    with pytest.raises(ValueError, match="X must have 2 features, as in the trace; got 3"):
        run.predict([[1, 2, 3]])
    with pytest.raises(ValueError, match=r"(?i)2D array"):
        run.predict([1, 2])


def in_python(*arguments: str) -> str:
    result = subprocess.run([sys.executable, "-W", "error", *arguments], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_importing_it_is_light() -> None:
    loaded = in_python("-c", "import sys; from rosenblatt import trace; print(*sys.modules)").split()
    assert "rosenblatt.services.lessons.trace.run" in loaded
    assert not {"sklearn", "scipy", "matplotlib"} & set(loaded)
