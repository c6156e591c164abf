"""The example of the folder examples/ runs, and says what it promises."""

import subprocess
import sys
from pathlib import Path


def test_cluster() -> None:
    path = Path(__file__).resolve().parents[2] / "examples" / "cluster.py"
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "a worker is killed" in done.stdout
    assert done.stdout.endswith("the weights of one machine: yes\n")
