"""The presets: the lectures' data, and the numbers that the lectures and CLAIMS have, by the exact run of plain.py."""

import json
import re
from fractions import Fraction
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from rosenblatt import certify, trace_kernel
from rosenblatt.data import lectures
from rosenblatt.services.lessons.trace import trace

PRESETS = json.loads((files("rosenblatt.doors.studio") / "page" / "presets.json").read_text(encoding="utf-8"))
BY_ID = {preset["id"]: preset for preset in PRESETS}
LINEAR = [preset for preset in PRESETS if "kernel" not in preset["state"]]
WORDS = ("fit_intercept", "tie", "init", "eta0", "step", "first_row")
CLAIMED: dict[str, dict[str, Any]] = {
    "and": {"weights": [-4, 3, 2], "updates": 18, "passes": 9, "mistakes": [2, 3, 3, 2, 2, 3, 2, 1, 0], "bound": 51},
    "six-points": {"weights": [3, 1], "updates": 3, "passes": 2, "bound": 5},
    "bias": {"bound": 65},
    "half-space": {"weights": [6, 2, 3], "updates": 0},
    "and-positive": {"weights": [-3, 2, 1], "updates": 11},
    "and-negative": {"weights": [-2, 2, 1], "updates": 10},
    "and-start": {"updates": 41},
    "and-far-start": {"updates": 74},
    "xor": {"converged": False, "weights": [0, 0, 0]},
    "least-squares": {"weights": [-3, 2, 0], "updates": 9, "bound": 1066},
    "experts": {"bound": 2, "updates": 2},
    "melbourne": {"weights": [-0.1, 0.30000000000000004, 0], "updates": 2},
    "and-dual": {"alpha": [2, 5, 4, 7], "updates": 18},
    "xor-kernel": {"alpha": [7, 5, 5, 4], "updates": 21, "passes": 8},
    "by-hand": {"updates": 7},
    "cycle-x1": {"updates": 6},
    "cycle-x2": {"updates": 1},
}  # CLAIMS.md's numbers, and those of the homework in tests/trace
named = pytest.mark.parametrize("preset", PRESETS, ids=list(BY_ID))


def data_of(preset: dict[str, Any]) -> tuple[list[list[float]], list[int]]:
    points = preset["state"]["points"]
    return [point[:-1] for point in points], [point[-1] for point in points]


def facts(run: Any) -> dict[str, Any]:
    return {"updates": sum(run.mistakes), "passes": len(run.mistakes), "converged": bool(run.converged)}


def test_every_lecture_has_one() -> None:
    sources = {preset["source"].split(",")[0] for preset in PRESETS if preset["group"] == "Lectures"}
    assert sources == {"CMU 10-601", "MIT 6.036", "Northeastern CS 6140", "McGill", "Melbourne"}
    assert len(BY_ID) == len(PRESETS) > 20
    assert PRESETS[0]["id"] == "and"  # where the page begins


@pytest.mark.parametrize(
    ("name", "data"), [("and", "AND"), ("six-points", "CMU"), ("xor", "XOR"), ("xor-kernel", "XOR")]
)
def test_data_are_those_of_the_library(name: str, data: str) -> None:
    X, y = data_of(BY_ID[name])
    expected = getattr(lectures, data)
    assert (X, [2 * c - 1 for c in y]) == (expected.X.tolist(), expected.y.tolist())


@pytest.mark.parametrize("name", CLAIMED)
def test_what_is_expected_is_what_the_lectures_claim(name: str) -> None:
    assert CLAIMED[name].items() <= BY_ID[name]["expect"].items()


@pytest.mark.parametrize("preset", LINEAR, ids=[preset["id"] for preset in LINEAR])
def test_what_is_expected_is_what_the_exact_run_gives(preset: dict[str, Any]) -> None:
    state, expect = preset["state"], preset["expect"]
    words = {name: state[name] for name in WORDS if name in state}
    run = trace(
        *data_of(preset),
        **words,
        pick=state.get("order"),
        max_iter=state.get("max_iter", 100),
        exact=True,
        as_decimal=True,
    )
    assert facts(run).items() <= expect.items()
    assert run.mistakes.tolist() == expect.get("mistakes", run.mistakes.tolist())
    np.testing.assert_allclose(run.weights.ravel().astype(float), expect["weights"], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "preset", [preset for preset in PRESETS if preset not in LINEAR], ids=lambda preset: preset["id"]
)
def test_what_is_expected_of_kernels(preset: dict[str, Any]) -> None:
    state = {"max_iter": 100, **preset["state"]}
    words = {name: state[name] for name in ("kernel", "gamma", "coef0", "degree", "max_iter") if name in state}
    run = trace_kernel(*data_of(preset), **words)
    assert facts(run).items() <= preset["expect"].items()
    assert list(run.alpha) == preset["expect"]["alpha"]


@pytest.mark.parametrize("preset", [p for p in PRESETS if "bound" in p["expect"]], ids=lambda preset: preset["id"])
def test_bounds_are_those_of_certify(preset: dict[str, Any]) -> None:
    proof = certify(*data_of(preset), fit_intercept=preset["state"].get("fit_intercept", True))
    assert Fraction(proof.bound).limit_denominator(10**6) == preset["expect"]["bound"]


@pytest.mark.parametrize("name", ["no-bias", "xor", "bad-point", "overlap"])
def test_what_no_line_separates(name: str) -> None:
    preset = BY_ID[name]
    assert not certify(*data_of(preset), fit_intercept=preset["state"].get("fit_intercept", True)).separable
    assert not preset["expect"]["converged"]


@named
def test_words_are_for_people(preset: dict[str, Any]) -> None:
    assert 20 < len(preset["task"]) < 140
    assert preset["task"].endswith(".") or preset["task"].endswith("?")
    assert preset["name"]
    text = f"{preset['name']} {preset['task']}"
    assert not re.search(r"\b(gamma|eta|alpha)\b|\bx\d|[<>]=|(?<!\w)-\d|(?<=[ (−])\.\d|\^", text)  # typeset
    assert not re.search(r"\b(\d+|how many|one|two|three|six) mistakes?\b", text, re.IGNORECASE)  # the player's updates
