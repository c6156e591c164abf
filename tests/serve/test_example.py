"""The example of the folder examples/ runs, and says what it promises."""

import subprocess
import sys
from pathlib import Path


def test_spam_stream() -> None:
    path = Path(__file__).resolve().parents[2] / "examples" / "spam_stream.py"
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "the server is killed" in done.stdout
    assert done.stdout.endswith("4000 mails in the log; the weights of a replay: the same\n")
