"""A server as users have it: a process of its own, on a port that the system chooses."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

SECONDS = 120  # to start, or to end: far more than it takes, on a machine that has much else to do


class Running(NamedTuple):
    """A server that answers."""

    address: str
    process: subprocess.Popen[str]


def started(folder: Path, *options: str) -> subprocess.Popen[str]:
    """A server that has just begun to start; what it complains of goes to a file beside its folder."""
    command = [sys.executable, "-m", "rosenblatt.cli", "serve", str(folder), "--port", "0", *options]
    with folder.with_name(f"{folder.name}.errors").open("a", encoding="utf-8") as errors:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)


def address_of(process: subprocess.Popen[str], folder: Path) -> str:
    """Where it listens, once it does."""
    assert process.stdout is not None
    said = process.stdout.readline()
    found = re.search(r"http://\S+:\d+", said)
    if found is None:
        process.kill()
        errors = folder.with_name(f"{folder.name}.errors").read_text(encoding="utf-8")
        raise AssertionError(f"the server did not start: {said!r}\n{errors[-3000:]}")
    return found[0]


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Running]:
    """A server until the block ends; then it is told to end in order, and must, unless it was killed before."""
    process = started(folder, *options)
    try:
        yield Running(address_of(process, folder), process)
        if process.poll() is None:
            process.terminate()
            assert process.wait(SECONDS) == 0
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
