"""Declarations: what a parameter may be, and what is said of one that is not."""

from typing import Any, Literal

import numpy as np
import pytest

from rosenblatt.base.declare import NUMBERS, SEED, OneOf, Parameters, declaration, declare
from rosenblatt.base.exceptions import ParameterError


@declaration
class Some(Parameters):
    """An example."""

    tie: Literal["first", "last"] = declare("first", "Which of two.")
    rate: float = declare(1.0, "How fast.", over=0, below=2)
    most: int | Literal["auto"] = declare("auto", "How many.", least=1)
    flag: bool = declare(False, "Whether.")
    start: Any = declare("zeros", "Where.", OneOf(("zeros",)), NUMBERS)
    seed: Any = declare(0, "By lot.", SEED)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"tie": "last", "rate": 1, "most": 3, "flag": True, "start": [0, 1], "seed": None},
        {"rate": np.float32(0.5), "most": np.int64(2), "flag": np.bool_(1), "start": np.zeros(2)},
        {"seed": np.random.RandomState(0)},
    ],
)
def test_what_may_be(given: dict[str, Any]) -> None:
    found = Some.of(**given).as_dict()
    assert found == Some(**given).as_dict()
    assert found.keys() == Some.declarations().keys()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tie": "both"}, "tie: expected 'first' or 'last', found 'both'"),
        ({"rate": 0}, "rate: expected a number over 0 below 2, found 0"),
        ({"rate": 2.0}, "rate: expected a number over 0 below 2, found 2.0"),
        ({"rate": float("nan")}, "rate: expected a number over 0 below 2, found nan"),
        ({"rate": "fast"}, "rate: expected a number over 0 below 2, found 'fast'"),
        ({"most": 0}, "most: expected a whole number from 1 or 'auto', found 0"),
        ({"most": 1.5}, "most: expected a whole number from 1 or 'auto', found 1.5"),
        ({"flag": 1}, "flag: expected True or False, found 1"),
        ({"start": "ones"}, "start: expected 'zeros' or an array of numbers, found 'ones'"),
        ({"seed": "lot"}, "seed: expected a seed, found 'lot'"),
        ({"speed": 1}, "speed: expected one of tie, rate, most, flag, start, seed"),
    ],
)
def test_what_may_not(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Some.of(**given)
    assert str(caught.value) == message
