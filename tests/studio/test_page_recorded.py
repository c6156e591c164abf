"""Runs that Python has recorded: exact fractions, other numbers of features, a table that was handed in."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import certify, trace
from rosenblatt.data.lectures import AND, MELBOURNE, XOR
from rosenblatt.doors.studio import one_file
from rosenblatt.doors.studio.recording import record_run
from rosenblatt.services.lessons.trace.answers import checked_table
from tests.studio.window import Studio


def opened(chromium: Any, path: Path, run: dict[str, Any], link: str = "") -> Studio:
    path.write_text(one_file.page(run=run), encoding="utf-8")
    return Studio(chromium, path).open(link)


def test_exact_fractions_are_shown_as_they_are(chromium: Any, tmp_path: Path) -> None:
    run = trace(*MELBOURNE, init=["-1/10", "1/5", 0], eta0="1/10", exact=True, max_iter=1)
    window = opened(chromium, tmp_path / "tenths.html", record_run(run, title="Example 2"), "#visit=2")
    assert window.text(".title") == "Example 2"
    assert "(−1/5, 1/10, −1/10) + 0.1·(1, 2, 1) = (−1/10, 3/10, 0)" in window.text(".sum")
    assert window.page.locator(".plot-svg .line.last").count() == 1  # the final line is in view
    assert run.ending in window.text(".table")
    window.press(",")
    assert window.link() == "#visit=1"
    assert window.wrong == []
    window.close()


@pytest.mark.parametrize("features", [1, 3])
def test_other_numbers_of_features(chromium: Any, tmp_path: Path, features: int) -> None:
    X, y = ([[0], [1], [2], [9]], [-1, -1, 1, 1]) if features == 1 else ([[0, 0, 1], [1, 2, 0], [3, 1, 1]], [-1, 1, 1])
    run = trace(X, y)
    window = opened(chromium, tmp_path / "run.html", record_run(run), f"#visit={len(run)}")
    assert window.weights()[: features + 1] == run.weights[0].tolist()[:3]
    assert window.page.locator(".point").count() == len(X)
    assert window.page.locator(".plot-svg .line").count() == (1 if features == 1 else 0)
    assert ("no line to draw" in str(window.page.get_attribute(".plot-svg", "aria-label"))) == (features == 3)
    assert window.wrong == []
    window.close()


def test_a_certificate_and_a_checked_table(chromium: Any, tmp_path: Path) -> None:
    answers = StringIO("example,w0,w1,w2\n1,-1,0,0\n2,-1,0,0\n3,-1,0,0\n4,1,1,1")
    run = trace(*AND, max_iter=1)
    made = record_run(run, proof=certify(*AND), checked=checked_table(answers, run))
    window = opened(chromium, tmp_path / "checked.html", made)
    assert "(R/γ)² = 51" in window.text(".squeeze")
    assert window.page.locator(".sheet td.good").count() == 15
    assert window.page.locator(".sheet td.bad").count() == 1
    assert "expected 0, found 1" in window.text(".sheet")
    window.close()
    run = trace(*XOR, max_iter=2)
    window = opened(chromium, tmp_path / "xor.html", record_run(run, proof=certify(*XOR)), "#show=proof")
    assert "points 1, 2, 3, 4 prove it" in window.text(".squeeze")
    assert window.page.locator(".hull").count() == 2
    assert window.wrong == []
    window.close()
