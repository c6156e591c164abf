"""The script that makes the pictures of the README makes all that are there, and the same ones each time."""

import importlib.util
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_pictures(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(DOCS / "pictures.py"), str(tmp_path)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {path.name for path in DOCS.iterdir() if path.suffix in {".svg", ".gif"}}
    assert (tmp_path / "run.gif").stat().st_size < 500_000
    first = (tmp_path / "and.svg").read_bytes()
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    pictures.save(pictures.steps(), tmp_path / "and.svg")
    assert (tmp_path / "and.svg").read_bytes() == first
