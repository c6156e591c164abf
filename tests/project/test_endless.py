"""`make test` ends: where Ctrl-C is ignored, as for what a shell runs in the background, and if one test does not."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(TESTS.parent / "pyproject.toml")]
INTERRUPTED = (
    "cli/test_processes.py::test_interrupt",
    "kernel/test_callbacks.py::test_interrupt_leaves_the_model_as_it_was",
)


def test_ctrl_c_is_heard_where_it_was_ignored() -> None:
    deaf = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
    )
    command = [sys.executable, "-c", deaf, *PYTEST, *(str(TESTS / test) for test in INTERRUPTED)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert ended.returncode == 0, ended.stdout
    assert "2 passed" in ended.stdout


@pytest.mark.parametrize("workers", [[], ["-n", "1", "--max-worker-restart", "0"]])
def test_an_endless_test_is_ended(tmp_path: Path, workers: list[str]) -> None:
    file = tmp_path / "test_that.py"
    file.write_text("import time\n\n\ndef test_endless():\n    time.sleep(1e6)\n", encoding="utf-8")
    command = [*PYTEST, f"--rootdir={tmp_path}", "-o", "faulthandler_timeout=0.5", *workers, str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert ended.returncode != 0
    assert f'File "{file}", line 5 in test_endless' in ended.stderr


def test_the_bound_of_a_test(request: pytest.FixtureRequest) -> None:
    assert 0 < float(request.config.getini("faulthandler_timeout")) <= 300
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
