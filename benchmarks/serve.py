"""The server beside Vowpal Wabbit's daemon and a FastAPI service: one process each, on loopback, taking turns.

Each measurement keeps a number of requests in flight for half a second; of several rounds the best is kept, since other
work on the machine only takes away. `generator` is the share of a core that the load generator needed (see load.py).
What the two peers acknowledge is in their memory alone: their rates of learning show what a flush of the disk costs,
and the bare commits of SQLite how much of it is the disk's.
"""

import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import serve_restart
from benchmarks.load import Load
from benchmarks.serve_peers import Service, fastapi, ours, vowpal_wabbit
from benchmarks.table import Table, Target

SINGLE_IN_FLIGHT, BATCH_IN_FLIGHT = 32, 4
BATCHES, IN_FLIGHT = (64, 1000), (1, 32, 256)
BARE = "bare SQLite commits"


@dataclass(frozen=True)
class Best:
    """Of several rounds: the most rows a second, the least p99 and CPU seconds a request."""

    rows: float
    p99: float
    cpu: float
    busy: float

    def better(self, other: "Best | None") -> "Best":
        if other is None:
            return self
        most = self if self.rows >= other.rows else other
        return Best(most.rows, min(self.p99, other.p99), min(self.cpu, other.cpu), most.busy)


Found = dict[tuple[str, str], Best]  # by service and what it did


def run(cache: Path, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The tables, and what is aimed at."""
    cache.mkdir(parents=True, exist_ok=True)
    seconds = 0.3 if quick else 0.5
    found: Found = {}
    with TemporaryDirectory(prefix="serve-", dir=cache) as name, ExitStack() as stack:
        folder = Path(name)
        services = list(_started(folder / "served", stack))
        memory = {service.name: service.megabytes() for service in services}
        commits: dict[int, float] = {}
        for turn in range(repeats):
            print(f"  round {turn + 1} of {repeats}", file=sys.stderr)
            for service in services:
                for what, best in _round(service, seconds, f"r{turn}"):
                    found[service.name, what] = best.better(found.get((service.name, what)))
            for rows in (*IN_FLIGHT, BATCHES[0]):
                commits[rows] = max(commits.get(rows, 0), bare_commits(folder / "bare.sqlite", rows, seconds / 2))
    restart, more = serve_restart.run(cache, quick=quick)
    names = [service.name for service in services]
    tables = [_answers(names, found, memory), _learning(names, found, commits), *restart]
    return tables, _targets(found, memory, commits) + more


def _started(folder: Path, stack: ExitStack) -> Iterator[Service]:
    """All that are here, each with a model that has seen both labels."""
    made = [ours(folder), fastapi(), vowpal_wabbit()]
    for service in made:
        try:
            running = stack.enter_context(service)
        except RuntimeError as error:
            print(f"  {error}", file=sys.stderr)
            continue
        running.begin()
        yield running


def _round(service: Service, seconds: float, run: str) -> Iterator[tuple[str, Best]]:
    yield "single", _measured(service, seconds, 1, SINGLE_IN_FLIGHT, None)
    for n in BATCHES:
        yield f"predict {n}", _measured(service, seconds, n, BATCH_IN_FLIGHT, None)
    for in_flight in IN_FLIGHT:
        yield f"learn 1 x {in_flight}", _measured(service, seconds, 1, in_flight, f"{run}-{in_flight}")
    yield "learn 64", _measured(service, seconds, BATCHES[0], SINGLE_IN_FLIGHT, f"{run}-64")


def _measured(service: Service, seconds: float, n: int, in_flight: int, learn: str | None) -> Best:
    request = service.predict(n) if learn is None else service.learn(n, learn)
    cpu = service.cpu()
    load: Load = service.load(request, n, seconds, in_flight)
    return Best(load.rate * n, load.p99, (service.cpu() - cpu) / (load.rate * seconds), load.busy)


def bare_commits(path: Path, rows: int, seconds: float) -> float:
    """Rows a second that SQLite has on the disk, so many a commit, as the log has them, and nothing else done."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE IF NOT EXISTS examples (seq INTEGER PRIMARY KEY, id TEXT, x TEXT)")
    row, done = ("an id of its own", "0.1234, " * 50), 0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        database.execute("BEGIN IMMEDIATE")
        database.executemany("INSERT INTO examples (id, x) VALUES (?, ?)", [row] * rows)
        database.execute("COMMIT")
        done += rows
    database.close()
    return done / took


def _answers(names: list[str], found: Found, memory: dict[str, float]) -> Table:
    columns = {"": "", "single/s": ",.0f", "p99 ms": ".1f", "CPU us each": ",.0f"}
    columns |= {f"rows/s, {n} a request": ",.0f" for n in BATCHES} | {"idle MB": ".0f", "generator": ".2f"}
    table = Table(f"predictions: {SINGLE_IN_FLIGHT} in flight, batches {BATCH_IN_FLIGHT}", columns)
    for name in names:
        one = found[name, "single"]
        batches = [found[name, f"predict {n}"].rows for n in BATCHES]
        table.add(name, one.rows, 1e3 * one.p99, 1e6 * one.cpu, *batches, memory[name], one.busy)
    return table


def _learning(names: list[str], found: Found, commits: dict[int, float]) -> Table:
    columns = {"": "", "on disk": ""} | {f"{k} in flight": ",.0f" for k in IN_FLIGHT}
    columns |= {"p99 ms at 256": ".1f", "64 a request": ",.0f", "CPU us each": ".1f", "generator": ".2f"}
    table = Table("examples a second, acknowledged: one a request, and 64 (32 in flight)", columns)
    for name in names:
        singles = [found[name, f"learn 1 x {k}"] for k in IN_FLIGHT]
        batch = found[name, "learn 64"]
        kept = "yes" if name == names[0] else "no"
        cpu = 1e6 * batch.cpu / BATCHES[0]
        table.add(name, kept, *(one.rows for one in singles), 1e3 * singles[-1].p99, batch.rows, cpu, batch.busy)
    table.add(f"{BARE}, so many rows each", "yes", *(commits[k] for k in IN_FLIGHT), None, commits[BATCHES[0]])
    return table


def _targets(found: Found, memory: dict[str, float], commits: dict[int, float]) -> list[Target]:
    us, them = "rosenblatt serve", "FastAPI + scikit-learn"
    targets = [
        Target("predicted rows/s, 64 a request", found[us, "predict 64"].rows, ">=", 100_000),
        Target("predicted rows/s, 1,000 a request", found[us, "predict 1000"].rows, ">=", 100_000),
        Target("durable examples/s, 1 a request, 256 in flight", found[us, "learn 1 x 256"].rows, ">=", 2500),
        Target(
            "durable examples/s, 64 a request", found[us, "learn 64"].rows, ">=", 50_000, f"{BARE}: {commits[64]:,.0f}"
        ),
        Target("idle MB", memory[us], "<=", 80),
    ]
    if (them, "single") in found:
        ratio = found[us, "single"].rows / found[them, "single"].rows
        cpu = found[them, "single"].cpu / found[us, "single"].cpu
        targets.insert(0, Target("single predictions/s, ours / FastAPI", ratio, ">=", 3, f"by CPU time: {cpu:.1f}"))
    return targets
