"""`rosenblatt studio`: a page in one file, with a data set or one of its own examples."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt.data.lectures import AND
from rosenblatt.doors.studio import page
from rosenblatt.services.lessons.trace import trace
from rosenblatt.services.lessons.trace.link import hash_of


def block(path: Path, name: str) -> Any:
    """What the page opens with."""
    found = re.search(rf'id="studio-{name}">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_data_of_a_file(rosenblatt: Any, folder: Path) -> None:
    args = ("--tie", "positive", "--visit", "3", "--no-intercept", "--max-iter", "7", "-o", "page.html")
    assert rosenblatt("studio", "and.csv", *args) == (0, "", "")
    run = trace(*AND, tie="positive", fit_intercept=False, max_iter=7)
    assert block(folder / "page.html", "state") == hash_of(run, visit=3)
    assert block(folder / "page.html", "run") is None
    assert "<caption>labels -1, +1; no constant feature" in (folder / "page.html").read_text(encoding="utf-8")


def test_to_stdout_and_without_data(rosenblatt: Any) -> None:
    ended = rosenblatt("studio", "--preset", "xor", "--visit", "7", "-o", "-")
    assert (ended.code, ended.out, ended.err) == (0, page(preset="xor", visit=7), "")
    assert rosenblatt("studio", "-o", "-").out == page()


def test_exact_runs_and_checked_tables_are_recorded(rosenblatt: Any, folder: Path) -> None:
    assert rosenblatt("studio", "and.csv", "--exact", "--eta0", "1/3", "-o", "page.html").code == 0
    run = block(folder / "page.html", "run")
    assert run["text"]["weights"][-3:] == ["-4/3", "1", "2/3"]
    assert (run["features"], run["visits"]) == (["x1", "x2"], 36)
    assert rosenblatt("studio", "and.csv", "--check", "answers.csv", "-o", "page.html").code == 0
    checked = block(folder / "page.html", "run")["answers"]
    assert checked["cells"] == [[True] * 6] * 3 + [[True, True, True, False, True, True]]
    assert checked["message"] == "answers.csv:5:4: column w0, visit 4: expected 0, found 1"


def test_some_rows_and_features_of_many(rosenblatt: Any, folder: Path) -> None:
    random = np.random.default_rng(0)
    table = np.column_stack([random.integers(0, 9, (500, 3)), np.arange(500) == 77])
    text = "\n".join(["a,b,c,label", *(",".join(map(str, row)) for row in table.tolist())])
    (folder / "many.csv").write_text(text, encoding="utf-8")
    ended = rosenblatt("studio", "many.csv", "--features", "c", "1", "--rows", "50", "-o", "page.html")
    said = "500 rows are too many to look at: 50 of them are shown, drawn by lot; --rows says how many"
    assert ended == (0, "", f"warning: {said}\n")
    state = block(folder / "page.html", "state")
    points = re.findall(r"[#&]points=([^&]*)", state)[0].split(";")
    assert len(points) == 50
    assert [point for point in points if point.endswith(",1")] == [f"{table[77, 2]},{table[77, 0]},1"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--preset", "nix"], "--preset: expected one of and, six-points"),
        (["and.csv", "--preset", "xor"], "--preset: FILE has data of its own"),
        (["--tie", "positive"], "without FILE the page has its own examples"),
        (["-", "--check", "-"], "FILE and --check cannot both be standard input"),
        (["and.csv", "--rows", "1000"], "1000 is not in the range 2<=x<=200"),
    ],
)
def test_wrong_usage(rosenblatt: Any, args: list[str], said: str) -> None:
    ended = rosenblatt("studio", *args)
    assert (ended.code, ended.out) == (2, "")
    assert said in " ".join(ended.err.split())


def test_too_many_features(rosenblatt: Any, folder: Path) -> None:
    (folder / "wide.svm").write_text("1 1:1 30:2\n-1 2:1\n", encoding="utf-8")
    ended = rosenblatt("studio", "wide.svm", "-o", "page.html")
    assert ended.code == 1
    assert "at most 200 rows and 12 features; found 2 rows and 30 features" in ended.err
    assert not (folder / "page.html").exists()
    assert rosenblatt("studio", "wide.svm", "--features", "1", "2", "-o", "page.html").code == 0


def test_a_browser_opens_the_page(rosenblatt: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()

    def open_once(address: str) -> bool:
        opened.append(address)
        return len(opened) == 1

    monkeypatch.setattr("webbrowser.open", open_once)
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: str(folder))
    path = folder / "studio.html"
    assert rosenblatt("studio", "--preset", "xor") == (0, f"{path}\n", "")
    assert opened == [path.as_uri()]
    assert path.read_text(encoding="utf-8") == page(preset="xor")
    ended = rosenblatt("studio")
    assert (ended.code, ended.out) == (0, f"{path}\n")
    assert ended.err.startswith("warning: no browser was found: open this file in one")
