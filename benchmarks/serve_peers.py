"""The services that `python -m benchmarks serve` puts side by side: how each is started, and the bytes that it is sent.

All get the same rows, dense, of numbers with four decimals, as text: JSON for the two that speak HTTP, its own format
for Vowpal Wabbit, which answers line by line on one connection (`--num_children 1`: one process, as the others), so
that requests in flight are there lines on their way.
"""

import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.data import ROOT
from benchmarks.load import End, Load, Request, http_end, lines_end, load
from benchmarks.processes import ROSENBLATT
from rosenblatt.serve import Client

FEATURES, LABELS, MODEL = 50, ("ham", "spam"), "bench"
SECONDS_TO_START = 120
VW_MISSING = "Vowpal Wabbit is left out: no program vw on the path, and `pip install vowpalwabbit` was not done"


@dataclass
class Service:
    """One that runs: where it listens, its process, and how it is spoken to."""

    name: str
    port: int = 0
    pid: int = 0
    rows: list[list[float]] = field(default_factory=lambda: _rows()[0])
    labels: list[str] = field(default_factory=lambda: _rows()[1])

    def predict(self, n: int) -> Request:
        """Requests to predict n rows each."""
        body = json.dumps({"rows": self.rows[:n]}).encode()
        sent = http("POST", self.path("predict"), body)
        return lambda _: sent

    def learn(self, n: int, run: str) -> Request:
        """Requests to learn n rows each; `run` makes ids differ from those of other runs."""
        raise NotImplementedError

    def begin(self) -> None:
        """Let it see both labels, before it is asked for one."""
        self.load(self.learn(100, "begin"), 100, 0.01, 1)

    def path(self, verb: str) -> str:
        return f"/{verb}"

    def end(self, n: int) -> End:  # noqa: ARG002  that of Vowpal Wabbit needs it
        return http_end

    def load(self, request: Request, n: int, seconds: float, in_flight: int) -> Load:
        """Requests of n rows for so many seconds."""
        return load(self.port, request, self.end(n), seconds, connections=in_flight)

    def processes(self) -> list[int]:
        """The process and its children: Vowpal Wabbit's daemon answers by one of them."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split()
        return [self.pid, *map(int, children)]

    def cpu(self) -> float:
        """CPU seconds so far."""
        stats = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii") for pid in self.processes()]
        ticks = [stat.rpartition(")")[2].split()[11:13] for stat in stats]
        return sum(int(user) + int(system) for user, system in ticks) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        """Memory that is its own: pages that a child shares with its parent are counted once."""
        rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii") for pid in self.processes()]
        return sum(int(size) for text in rollups for size in re.findall(r"^Pss:\s+(\d+)", text, re.MULTILINE)) / 1024


class Ours(Service):
    """`rosenblatt serve`."""

    def begin(self) -> None:
        with Client(f"http://127.0.0.1:{self.port}") as client:
            client.create(MODEL, "Perceptron")
        super().begin()

    def path(self, verb: str) -> str:
        return f"/v1/models/{MODEL}/{verb}"

    def learn(self, n: int, run: str) -> Request:
        # "@" stands for the number of the request; a row's id has to be new.
        examples = [
            {"id": f"{run}-@-{k}", "x": x, "y": y}
            for k, (x, y) in enumerate(zip(self.rows[:n], self.labels, strict=False))
        ]
        body = json.dumps({"examples": examples}).encode()
        return lambda number: http("POST", self.path("learn"), body.replace(b"@", b"%d" % number))


class FastAPI(Service):
    """FastAPI and scikit-learn: see fastapi_service.py."""

    def learn(self, n: int, run: str) -> Request:  # noqa: ARG002  it has no ids
        sent = http("POST", "/learn", json.dumps({"rows": self.rows[:n], "labels": self.labels[:n]}).encode())
        return lambda _: sent


class VowpalWabbit(Service):
    """Its daemon. A line without a label is predicted, one with a label is learned; both are answered by a score."""

    def _lines(self, n: int, labels: list[str]) -> Request:
        numbers = [" ".join(f"{k}:{value}" for k, value in enumerate(row)) for row in self.rows[:n]]
        sent = "".join(f"{label}| {row}\n" for label, row in zip(labels, numbers, strict=False)).encode()
        return lambda _: sent

    def predict(self, n: int) -> Request:
        return self._lines(n, [""] * n)

    def learn(self, n: int, run: str) -> Request:  # noqa: ARG002  it has no ids
        return self._lines(n, ["1 " if label == "spam" else "-1 " for label in self.labels])

    def end(self, n: int) -> End:
        return lines_end(n)

    def load(self, request: Request, n: int, seconds: float, in_flight: int) -> Load:
        return load(self.port, request, self.end(n), seconds, depth=in_flight)


def http(method: str, path: str, body: bytes) -> bytes:
    """The bytes of a request."""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    )
    return f"{head}\r\n\r\n".encode() + body


def _rows(n: int = 1000) -> tuple[list[list[float]], list[str]]:
    """Rows on both sides of a plane, some of them on the wrong one."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n, FEATURES)).round(4)
    score = X @ draw.normal(size=FEATURES) + 2 * draw.normal(size=n)
    return X.tolist(), [LABELS[int(one > 0)] for one in score]


@contextmanager
def ours(folder: Path, *options: str) -> Iterator[Service]:
    """The server on this folder; it is stopped in order."""
    command = [*ROSENBLATT, "serve", str(folder), "--port", "0", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r":(\d+)\b/?$", said.strip())
        if found is None:
            raise RuntimeError(f"expected the address of the server, found {said!r}")
        try:
            yield Ours("rosenblatt serve", int(found[1]), process.pid)
        finally:
            process.terminate()


@contextmanager
def fastapi() -> Iterator[Service]:
    """The service of fastapi_service.py."""
    port = free_port()
    with running([sys.executable, "-m", "benchmarks.fastapi_service", str(port)], port) as pid:
        yield FastAPI("FastAPI + scikit-learn", port, pid)


@contextmanager
def vowpal_wabbit() -> Iterator[Service]:
    """The daemon; a RuntimeError says what to do where there is none."""
    program = shutil.which("vw")
    if program is None and importlib.util.find_spec("vowpalwabbit") is None:
        raise RuntimeError(VW_MISSING)
    port = free_port()
    command = [program] if program else [sys.executable, "-m", "benchmarks.vw_daemon"]
    options = ["--daemon", "--foreground", "--num_children", "1", "--loss_function", "hinge", "--quiet"]
    with running([*command, *options, "--port", str(port)], port) as pid:
        yield VowpalWabbit("Vowpal Wabbit --daemon", port, pid)


@contextmanager
def running(command: list[str], port: int) -> Iterator[int]:
    """The id of a process, once it listens."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + SECONDS_TO_START
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=5).close()
                    break
                except OSError:
                    if process.poll() is not None or time.monotonic() > end:
                        raise RuntimeError(f"did not start: {' '.join(command)}") from None
                    time.sleep(0.05)
            yield process.pid
        finally:
            process.kill()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
