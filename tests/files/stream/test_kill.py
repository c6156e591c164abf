"""`rosenblatt train --checkpoint` and kill -9, at random moments: what is resumed ends with the same bytes."""

import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from .files import write

KILLS = 25
ARGS = ["train", "large.svm", "--readout", "average", "--max-iter", "6", "--model", "m.safetensors", "--json"]
KEPT = ["--cache", "large.arrow", "--checkpoint", "run.part", "--checkpoint-seconds", "0", "--resume"]

# The program with all that it imports, once; each line of standard input then runs it in a process of its own.
NURSERY = """
import os, sys
import rosenblatt.doors.sklearn.perceptron, rosenblatt.services.stream.cache, rosenblatt.services.records.model_file
from rosenblatt.doors.cli.program import run
print("ready", flush=True)
for line in sys.stdin:
    if (child := os.fork()) == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        os._exit(run(line.split()))
    print(child, flush=True)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", NURSERY], stdin=pipe, stdout=pipe, text=True, cwd=tmp_path) as process:
        assert line(process.stdout) == "ready"
        yield process
        assert process.stdin is not None
        process.stdin.close()


def line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


def started(nursery: "subprocess.Popen[str]", args: list[str]) -> int:
    """The process that runs the program with these arguments."""
    assert nursery.stdin is not None
    print(*args, file=nursery.stdin, flush=True)
    return int(line(nursery.stdout))


def ended(nursery: "subprocess.Popen[str]", seconds: float) -> bool:
    """Whether the process has ended within so many seconds."""
    assert nursery.stdout is not None
    return bool(select.select([nursery.stdout], [], [], seconds)[0])


def number(path: Path) -> int | None:
    """Which file is there: a new one has another number."""
    with suppress(FileNotFoundError):
        return path.stat().st_ino
    return None


def ended_before_new(nursery: "subprocess.Popen[str]", path: Path, old: int | None) -> bool:
    """Whether the process has ended before a new file is there."""
    while number(path) in (old, None):
        if ended(nursery, 0.002):
            return True
    return False


def test_the_same_bytes(nursery: "subprocess.Popen[str]", tmp_path: Path) -> None:
    rows = write(tmp_path / "few.svm", n_rows=2000, n_features=40).read_bytes()
    (tmp_path / "large.svm").write_bytes(rows * (12_000_000 // len(rows)))  # six blocks a pass
    model, state = tmp_path / "m.safetensors", tmp_path / "run.part"
    started(nursery, [*ARGS, "--stream"])
    assert line(nursery.stdout) == "0"
    expected = model.read_bytes()
    model.unlink()
    moments, kills, resumed, ends = random.Random(0), 0, 0, 0
    while kills < KILLS or not ends:
        resumed += state.exists()
        old = number(state)
        process = started(nursery, [*ARGS, *KEPT])
        if kills < KILLS:
            # Of three kills two come at any moment after a new checkpoint, so that the run gets on, however slowly.
            over = kills % 3 > 0 and ended_before_new(nursery, state, old)
            if not over and not ended(nursery, moments.uniform(0, 0.2)):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        code = line(nursery.stdout)
        kills += code == str(int(signal.SIGKILL))
        if code == "0":
            ends += 1
            assert model.read_bytes() == expected
            assert not state.exists()
            model.unlink()
            (tmp_path / "large.arrow").unlink(missing_ok=True)
            assert sorted(path.name for path in tmp_path.iterdir()) == ["few.svm", "large.svm"]
        else:
            assert not model.exists() or model.read_bytes() == expected
    assert resumed >= KILLS // 2
