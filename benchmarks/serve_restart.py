"""What happens rarely, and must not hurt: a restart after a kill, and a snapshot of a large model under way.

Restart: from the start of the program until it answers, after so many examples and SIGKILL; once with the snapshots
that it had made, once without any, when the whole log is replayed. Snapshot: p99 of single predictions of a model of a
million features that learns all the while, when it never writes a snapshot and when it always does.
"""

import http.client as http_client
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.data import ROOT
from benchmarks.load import http_end, load
from benchmarks.serve_peers import LABELS, MODEL, Service, http, ours
from benchmarks.table import Table, Target
from rosenblatt.serve import Client

EXAMPLES, QUICK_EXAMPLES = 1_000_000, 100_000
WIDE, NONZEROS = 2**20, 50
TURNS = 3


def run(cache: Path, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """Both tables."""
    with TemporaryDirectory(prefix="serve-", dir=cache) as name:
        restarts = restart(Path(name, "restart"), QUICK_EXAMPLES if quick else EXAMPLES)
        snapshots, target = snapshot(Path(name), seconds=1 if quick else 4)
    return [restarts, snapshots], [target]


def restart(folder: Path, n: int) -> Table:
    """Seconds until it answers."""
    with ours(folder) as service:
        service.begin()
        fill(service, n)
        subprocess.run(["kill", f"-{signal.SIGKILL:d}", str(service.pid)], check=True)
    table = Table(f"restart after {n:,} examples and SIGKILL", {"": "", "seconds": ".2f", "examples": ",.0f"})
    table.add("from the newest snapshot", *_started(folder))
    for found in (folder / MODEL / "snapshots").glob("*.safetensors"):
        found.unlink()
    table.add("without a snapshot: all of the log replayed", *_started(folder))
    return table


def _started(folder: Path) -> tuple[float, int]:
    start = time.perf_counter()
    with ours(folder) as service:
        while not _is_open(service.port):
            time.sleep(0.01)
        took = time.perf_counter() - start
        with Client(f"http://127.0.0.1:{service.port}") as client:
            return took, int(client.model(MODEL)["seq"])


def _is_open(port: int) -> bool:
    """Whether the model answers: the server itself listens at once."""
    connection = http_client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("GET", f"/v1/models/{MODEL}")
        return connection.getresponse().status == HTTPStatus.OK
    finally:
        connection.close()


def fill(service: Service, n: int) -> None:
    """Teach it at least n examples, a thousand a request."""
    with Client(f"http://127.0.0.1:{service.port}") as client:
        turn = 0
        while (done := client.model(MODEL)["seq"]) < n:
            print(f"  {done:,} of {n:,} examples", file=sys.stderr)
            service.load(service.learn(1000, f"fill{turn}"), 1000, 2.0, 4)
            turn += 1


def snapshot(folder: Path, seconds: float) -> tuple[Table, Target]:
    """p99 with and without, in turns."""
    columns = {"": "", "predictions/s": ",.0f", "p50 ms": ".2f", "p99 ms": ".2f", "snapshots": ".0f"}
    table = Table(
        f"single predictions while 1,000 examples a second of {WIDE:,} features are learned, 4 in flight", columns
    )
    rows = _wide_rows()
    predict = http("POST", f"/v1/models/{MODEL}/predict", json.dumps({"rows": rows[:1]}).encode())
    best: dict[str, tuple[float, float, float, int]] = {}
    for turn in range(TURNS):
        for name, every in (("no snapshot", 10**9), ("one snapshot after another", 100)):
            home = folder / f"wide-{turn}-{every}"
            with (
                ours(home, "--snapshot-every", str(every)) as service,
                _learning(service.port, rows),
                _files(home / MODEL / "snapshots") as files,
            ):
                found = load(service.port, lambda _: predict, http_end, seconds, connections=4)
            shutil.rmtree(home)
            one = (found.rate, 1e3 * found.p50, 1e3 * found.p99, len(files))
            best[name] = min(best.get(name, one), one, key=lambda measured: measured[2])
    for name, cells in best.items():
        table.add(name, *cells)
    usual, during = (best[name][2] for name in best)
    return table, Target("p99 of predict, snapshot / usual", during / usual, "<=", 3)


@contextmanager
def _files(folder: Path) -> Iterator[set[str]]:
    """The names of all snapshots that appear, as old ones are removed."""
    seen, over = set[str](), threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            seen.update(path.name for path in folder.glob("*.safetensors"))

    watch = threading.Thread(target=look)
    watch.start()
    yield seen
    over.set()
    watch.join()


@contextmanager
def _learning(port: int, rows: list[dict[str, float]]) -> Iterator[None]:
    """A program that teaches the model example by example, as long as this lasts."""
    with Client(f"http://127.0.0.1:{port}") as client:
        client.create(MODEL, "Perceptron")
        client.learn(MODEL, [{str(WIDE - 1): 1.0}, *rows[:99]], [LABELS[k % 2] for k in range(100)])
        with subprocess.Popen([sys.executable, "-m", "benchmarks.serve_restart", str(port)], cwd=ROOT) as process:
            try:
                while client.model(MODEL)["seq"] == 100 and process.poll() is None:
                    time.sleep(0.05)
                yield
            finally:
                process.kill()


def _wide_rows(n: int = 1000) -> list[dict[str, float]]:
    draw = np.random.default_rng(0)
    indices, values = draw.integers(WIDE, size=(n, NONZEROS)), draw.normal(size=(n, NONZEROS)).round(4)
    return [
        {str(k): v for k, v in zip(*row, strict=True)} for row in zip(indices.tolist(), values.tolist(), strict=True)
    ]


def teach(port: int) -> None:
    """A hundred examples ten times a second, whatever else the server does, until it is killed."""
    rows = _wide_rows()
    with Client(f"http://127.0.0.1:{port}") as client:
        for turn in range(10**9):
            at = turn * 100 % len(rows)
            client.learn(MODEL, rows[at : at + 100], [LABELS[(turn + k) % 2] for k in range(100)])
            time.sleep(0.1)


if __name__ == "__main__":
    teach(int(sys.argv[1]))
