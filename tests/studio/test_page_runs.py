"""The page's runs: every preset gives the lecture's numbers, and copied Python gives the bits of the page."""

import json
import re
from typing import Any

import numpy as np
import pytest

from rosenblatt.doors.studio import one_file
from tests.studio.window import Studio

PRESETS = json.loads(one_file.source("presets.json"))


def reproduced(studio: Studio) -> Any:
    """The run of the copied lines."""
    names: dict[str, Any] = {"print": lambda *_: None}
    exec(studio.copied("Copy as Python"), names)
    return names["run"]


def check_equal(studio: Studio, run: Any) -> None:
    table = studio.table()
    if hasattr(run, "alpha"):
        assert [float(row["score"]) for row in table] == pytest.approx([visit.score for visit in run], abs=1e-12)
        assert studio.alpha() == pytest.approx(list(run.alpha), abs=1e-12)
        assert [int(row["example"]) - 1 for row in table] == [visit.row for visit in run]
        return
    scores = [[float(v) for name, v in row.items() if name.startswith("score")] for row in table]
    np.testing.assert_array_equal(np.squeeze(scores), np.squeeze(run.score))
    assert studio.weights() == run.weights.ravel().tolist()
    assert [int(row["example"]) - 1 for row in table] == run.row.tolist()
    assert [row["mistake"] == "yes" for row in table] == run.mistake.tolist()
    assert [row["why"] for row in table] == run.reason.tolist()
    assert [int(row["k"]) for row in table] == run.k.tolist()
    assert [float(row["norm"]) for row in table] == run.norm.tolist()


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset["id"])
def test_presets_give_their_numbers(studio: Studio, preset: dict[str, Any]) -> None:
    expected = preset["expect"]
    studio.open(f"#preset={preset['id']}")
    studio.press("End")
    passes, updates = re.findall(r"pass \d+ of (\d+) · updates (\d+)", studio.where())[0]
    assert (int(passes), int(updates)) == (expected["passes"], expected["updates"])
    assert ("has no mistakes" in studio.text(".table")) == expected["converged"]
    if "weights" in expected:
        assert studio.weights() == pytest.approx(expected["weights"], abs=1e-12)
    if "alpha" in expected:
        assert studio.alpha() == expected["alpha"]
    if "mistakes" in expected:
        bars = [int(text) for text in studio.page.locator(".bar .count").all_inner_texts()]
        assert bars == expected["mistakes"][-len(bars) :]
        assert len(bars) == min(24, len(expected["mistakes"]))
    if "bound" in expected:
        assert f"= {expected['bound']}" in studio.text(".squeeze")
    check_equal(studio, reproduced(studio))


AND = "#preset=and"
CLOUDS = "#points=-2,1,1;-1.2,2.1,1;-0.4,1.4,1;0.3,2.4,1;1.1,-0.6,0;0.4,-1.4,0;2,0.2,0;-0.2,1.9,0"


@pytest.mark.parametrize(
    "link",
    [
        f"{AND}&tie=positive",
        f"{AND}&tie=negative&first_row=2",
        f"{AND}&eta0=0.1&init=-0.1,0.2,0",
        f"{AND}&fit_intercept=0&init=0,1,0.5&max_iter=7",
        f"{AND}&intercept_scaling=2&margin=0.5",
        f"{AND}&step=pa",
        f"{CLOUDS}&step=pa1&C=0.3&max_iter=9",
        f"{CLOUDS}&step=pa2&C=0.3&max_iter=9",
        f"{CLOUDS}&step=arow&r=0.5&max_iter=9&readout=average",
        f"{CLOUDS}&order=shuffled&seed=3&max_iter=11",
        f"{CLOUDS}&order=first-wrong&max_iter=30",
        f"{AND}&order=worst-wrong&first_row=1",
        f"{CLOUDS}&scale=standard&max_iter=12",
        f"{CLOUDS}&scale=unit&max_iter=600",
        f"{CLOUDS}&kernel=rbf&gamma=0.7&max_iter=20",
        f"{CLOUDS}&kernel=poly&coef0=1&degree=3&order=shuffled&seed=2&max_iter=20",
        "#points=0,2,0;1,2,0;-2,-1,1;-2,0,1;2,-1,2;2,-2,2&labels=a,b,c",
        "#points=0,2,0;1,2,0;-2,-1,1;-2,0,1;2,-1,2;2,-2,2&labels=a,b,c&multiclass=one-vs-rest&max_iter=9",
        "#points=0,2,0;1,2,0;-2,-1,1;-2,0,1&labels=yes,no",
    ],
)
def test_copied_python_reproduces_the_run(studio: Studio, link: str) -> None:
    studio.open(link)
    check_equal(studio, reproduced(studio))


def test_the_squeeze_and_the_proof(studio: Studio) -> None:
    studio.open("#preset=and&visit=36")
    assert "(R/γ)² = 51: at most 51 updates; this run made 18" in studio.text(".squeeze")
    assert "between 4.366 and 7.348" in str(studio.page.get_attribute(".squeeze svg", "aria-label"))
    studio.open("#preset=xor&show=proof")
    assert "points 1, 2, 3, 4 prove it" in studio.text(".squeeze")
    assert studio.page.locator(".plot-svg .hull").count() == 2
    studio.open("#points=1,0,0;2,0,1&scale=none&fit_intercept=0")
    assert "through the origin" in studio.text(".squeeze")


def test_scaling_changes_the_bound(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.page.get_by_label("Scaling").select_option("centre")
    assert "Before scaling: R/γ = 7.141. After: R/γ = " in studio.text(".squeeze")


def test_readouts_and_the_widest_margin(studio: Studio) -> None:
    studio.open("#preset=and&visit=36&show=widest,average,vote,pocket")
    for name in ("widest", "average", "pocket", "vote"):
        assert studio.page.locator(f".plot-svg .line.{name}").count() == 1
    assert studio.page.locator(".plot-svg .line.kerb").count() == 2
    # The street of AND is between x1 + x2 = 1 and x1 + x2 = 2: its middle goes through (1, 1/2) and (1/2, 1).
    assert "4 of 4" not in studio.text(".readouts")
    studio.page.get_by_label("Show the regions of voted").check()
    assert "readout=vote" in studio.link()


def test_errors_of_the_core_are_said(studio: Studio) -> None:
    studio.open("#preset=and&step=pa&margin=0")
    assert studio.text(".sum").strip() != ""
    studio.open("#points=0,0,0;1,1,0")
    assert "points of two classes" in studio.text(".sum")


@pytest.mark.parametrize("points", ["1e308,0,0;0,-1e308,1", "-1e308,0,0;1e308,-1.7e308,1;3,3,0"])
@pytest.mark.parametrize("kernel", ["", "&kernel=rbf"])
def test_points_too_far_for_the_core_are_named_as_the_page_counts(studio: Studio, points: str, kernel: str) -> None:
    studio.open(f"#points={points}{kernel}")
    assert re.search("kernel values are too large" if kernel else r"point [12] .*too large", studio.text(".sum"))
    assert "NaN" not in studio.page.inner_html(".board")  # and the fixture wants an empty console
