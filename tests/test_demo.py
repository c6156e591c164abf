"""The demo, as a user runs it: its table is the lecture's, and it does without matplotlib."""

import os
import re
import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).resolve().parents[1] / "examples" / "demo.py"
ROW = re.compile(r"^ +(\d) +(\d) +\(1, ([01]), ([01])\) +([+-]1) +(-?\d) +(\w[\w ]+\w) +\((.*)\) +(\d+)$", re.MULTILINE)


def run(tmp_path: Path, **environment: str) -> str:
    """What the demo prints; what it writes goes to `tmp_path`."""
    result = subprocess.run(
        [sys.executable, str(DEMO)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), **environment},
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def test_demo_shows_the_lecture(tmp_path: Path) -> None:
    printed = run(tmp_path)
    rows = ROW.findall(printed)
    # Lecture 002, section 2.1: the updates of the first epoch are at examples 1 and 4.
    assert rows[:2] == [
        ("1", "1", "0", "0", "-1", "0", "first step", "-1, 0, 0", "1"),
        ("1", "4", "1", "1", "+1", "-1", "wrong side", " 0, 1, 1", "2"),
    ]
    assert len(rows) == 18
    assert rows[-1] == ("8", "2", "0", "1", "-1", "0", "on the line", "-4, 3, 2", "18")
    assert "AND                  yes, at most 51 mistakes\nXOR                  no: overlap" in printed
    assert "the same weights: [-4 3 2]" in printed
    assert "made on examples 1, 3, 5\nw = [3 1]" in printed
    assert printed.count("w = [-1.5 1 1], E = 0.5000") == 2
    assert max(map(len, printed.replace(str(tmp_path), "").splitlines())) <= 80


def test_demo_does_without_matplotlib(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError", encoding="utf-8")
    printed = run(tmp_path, PYTHONPATH=str(tmp_path))
    assert "matplotlib is not installed" in printed
    assert list(tmp_path.rglob("*.png")) == []
