"""What a round would cost on many machines: constants measured on this one, in a model that fits on a page.

W workers with one shard each, N rows of z values, d weights, of which a round sends B bytes (4 each, and 8 for the sums
of the average, in float32):
    pass    N z / W values, each `value` seconds
    send    the state goes to all workers; these hand it on, so that it takes log2 W times B / network
    tasks   W tasks of the scheduler, each `task` seconds, after `start` seconds
    mix     on the driver: W results come over its one link, W B / network, and are added, W d `mixed` seconds;
            by a tree: log2 W times (B / network + 2 d `mixed`)
The network cannot be measured on one machine: it is taken to be 10 Gbit/s.
"""

import io
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.data import Shape, make
from benchmarks.table import Table
from rosenblatt import Perceptron, write_svmlight
from rosenblatt.base.rows import as_rows
from rosenblatt.dask import Perceptron as DaskPerceptron
from rosenblatt.members.fit import fit
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.shards import mix, train_shard
from rosenblatt.services.files.svmlight import read_counted

NETWORK = 1.25e9  # bytes a second
ROWS, VALUES, TEXT = 10**9, 75, 12  # rows, values of a row, bytes of text for a value
WIDTHS = {"47,000 features": 47_000, "16.8 million": 1 << 24}
WORKERS = (1, 10, 100, 1000)
TRAIN, SHOWN, PASSES = 80_000, (1, 3, 6, 10), 6  # of the simulation: rows, and passes that are shown


@dataclass(frozen=True)
class Constants:
    """Seconds, each for one."""

    read: float  # value of svmlight text
    value: float  # that is visited
    mixed: float  # weight of a shard
    start: float  # round of Dask
    task: float  # of Dask

    @property
    def table(self) -> Table:
        table = Table("measured on this machine", {"": "", "a second": ",.0f", "seconds": ".4f"})
        for name, seconds in (("values read from text", self.read), ("values visited", self.value)):
            table.add(name, 1 / seconds, None)
        table.add("weights mixed", 1 / self.mixed, None)
        table.add("a round of Dask, to begin with", None, self.start)
        table.add("and each task of it", None, self.task)
        return table


def round_seconds(c: Constants, workers: int, d: int) -> dict[str, float]:
    """The parts of a round, mixed by the driver and by a tree."""
    n_bytes, depth = 12 * d, math.log2(max(workers, 1))
    return {
        "pass": ROWS * VALUES / workers * c.value,
        "send": depth * n_bytes / NETWORK,
        "tasks": c.start + workers * c.task,
        "driver": workers * (n_bytes / NETWORK + d * c.mixed),
        "tree": depth * (n_bytes / NETWORK + 2 * d * c.mixed),
    }


def scaling(client: Any) -> list[Table]:
    """The constants, and what they say of 10^9 rows."""
    X, y = make(Shape(TRAIN, 20_000, 47_236))
    c = measured(client, X, y)
    columns = {"": "", **dict.fromkeys(("read s", "pass s", "send s", "tasks s", "driver s", "tree s"), ".3g")}
    columns |= {"round s": ".3g", "speed-up": ".3g", "with a tree": ".3g"}
    tables = [c.table]
    for name, d in WIDTHS.items():
        table = Table(f"10^9 rows of {VALUES} values, {name}: a round of a whole pass", columns)
        one = round_seconds(c, 1, d)
        alone = one["pass"]
        for workers in WORKERS:
            parts = round_seconds(c, workers, d)
            common = parts["pass"] + parts["send"] + parts["tasks"]
            by_driver, by_tree = common + parts["driver"], common + parts["tree"]
            read = ROWS * VALUES / workers * c.read
            row = (read, *parts.values(), by_driver, alone / by_driver, alone / by_tree)
            table.add(f"{workers:,} worker{'s' * (workers > 1)}", *row)
        tables.append(table)
    return [*tables, simulated(X, y), *weighting(X, y), growing()]


def measured(client: Any, X: Any, y: Any) -> Constants:
    """A few seconds of each."""
    text = io.BytesIO()
    write_svmlight(X[:10_000], y[:10_000], text)
    read = _seconds(lambda: read_counted(io.BytesIO(text.getvalue()), X.shape[1], "float32", zero_based=True))
    few, many = (_seconds(lambda k=k: Perceptron(max_iter=k, readout="average").fit(X, y)) for k in (1, 6))
    arrays = [np.random.default_rng(0).random((1 << 22, 1), dtype=np.float32) for _ in range(4)]
    mixing = _seconds(lambda: mix(arrays, [1, 2, 3, 4]))
    two, sixty_six = (_rounds(client, shards) for shards in (2, 66))
    task = (sixty_six - two) / 64
    return Constants(
        read / X[:10_000].nnz, (many - few) / 5 / X.nnz, mixing / (4 << 22), max(two - 2 * task, 0.0), task
    )


def _rounds(client: Any, shards: int) -> float:
    X, y = np.random.default_rng(0).normal(size=(660, 8)), np.arange(660) % 2
    times: list[float] = []
    model = DaskPerceptron(shards=shards, rounds=1, max_iter=12, client=client)
    model.fit(X, y, watch=lambda _: times.append(time.perf_counter()))
    return float(median(np.diff(times)))


def simulated(X: Any, y: Any) -> Table:
    """What mixing costs in passes: many shards in one process are the same mathematics as on as many machines."""
    test = as_rows(X[TRAIN:])
    title = f"test error of the average after so many passes; {TRAIN:,} rows, {X.shape[1]:,} features"
    table = Table(title, {"": "", **{f"{passes}": ".4f" for passes in SHOWN}})
    for shards, rounds in ((1, 1), (10, 1), (100, 1), (100, 12), (1000, 1), (1000, 25)):
        errors: list[float] = []

        def watch(made: Any, errors: list[float] = errors) -> None:
            errors.append(float(np.mean(made.model().predict(test) != y[TRAIN:])))

        given: Any = {"shards": shards, "rounds": rounds, "readout": "average", "max_iter": SHOWN[-1]}
        fit(LinearMember(PerceptronParameters(**given)), X[:TRAIN], y[:TRAIN], watch=watch)
        name = f"{shards:,} shard{'s' * (shards > 1)}, {rounds} round{'s' * (rounds > 1)} a pass"
        table.add(name, *(errors[passes - 1] for passes in SHOWN))
    return table


def weighting(X: Any, y: Any) -> list[Table]:
    """Shards mixed by their mistakes, as they are, and all alike: what it makes of errors, and of the last mistakes."""
    test, shown = as_rows(X[TRAIN:]), {f"{passes}": ".4f" for passes in SHOWN}
    errors_of = Table("test error of the average after so many passes, by how shards are mixed", {"": "", **shown})
    for shards in (10, 100):
        for name, mixing in MIXINGS.items():
            errors: list[float] = []

            def watch(made: Any, errors: list[float] = errors) -> None:
                errors.append(float(np.mean(made.model().predict(test) != y[TRAIN:])))

            given: Any = {"shards": shards, "rounds": 1, "readout": "average", "max_iter": SHOWN[-1]}
            with mixing():
                fit(LinearMember(PerceptronParameters(**given)), X[:TRAIN], y[:TRAIN], watch=watch)
            errors_of.add(f"{shards} shards, {name}", *(errors[passes - 1] for passes in SHOWN))
    title = "passes until none is wrong, mean of 3 seeds: 5,000 separable rows of 30 features"
    ends = Table(title, {"": "", **dict.fromkeys(MIXINGS, ".0f")})
    for order in ("in random order", "the hardest in the first shard"):
        for shards in (8, 32):
            ends.add(f"{shards} shards, rows {order}", *(_passes(mixing, order, shards) for mixing in MIXINGS.values()))
    return [errors_of, ends]


def _passes(mixing: Any, order: str, shards: int) -> float:
    made = []
    for seed in range(3):
        random = np.random.default_rng(seed)
        X, w = random.normal(size=(5_000, 30)), random.normal(size=30)
        margin = np.abs(X @ w) / np.linalg.norm(w)
        rows = np.flatnonzero(margin > 0.05)
        if "hardest" in order:
            rows = rows[np.argsort(margin[rows])]
        with mixing():
            made.append(Perceptron(shards=shards, rounds=1, max_iter=5_000).fit(X[rows], X[rows] @ w > 0).n_iter_)
    return float(np.mean(made))


@contextmanager
def _alike() -> Iterator[None]:
    """All shards count the same, those without a mistake as they began."""

    def with_weights(shard: Any, turn: Any) -> Any:
        learned = train_shard(shard, turn)
        kept = {name: array for name in turn.member.mixes if (array := getattr(turn.state, name)) is not None}
        return learned._replace(arrays={**kept, **learned.arrays})

    def mean(arrays: Any, mistakes: Any) -> Any:
        return mix(arrays, [1] * len(mistakes))

    with (
        patch("rosenblatt.members.shards.mix", mean),
        patch("rosenblatt.members.shards.train_shard", with_weights),
    ):
        yield


MIXINGS: dict[str, Any] = {"by mistakes": nullcontext, "all alike": _alike}


def growing() -> Table:
    """The same for more and more rows: it is small shards that cost passes."""
    table = Table(
        f"test error of the average after {PASSES} passes, as rows grow",
        {"": "", "1 shard": ".4f", "10 shards": ".4f", "100 shards": ".4f"},
    )
    for n_rows in (20_000, 80_000, 320_000):
        X, y = make(Shape(n_rows, 20_000, 47_236))
        models = (Perceptron(shards=shards, rounds=1, readout="average", max_iter=PASSES) for shards in (1, 10, 100))
        errors = [1 - model.fit(X[:n_rows], y[:n_rows]).score(X[n_rows:], y[n_rows:]) for model in models]
        table.add(f"{n_rows:,} rows", *errors)
    return table


def _seconds(work: Any) -> float:
    """The least of three."""
    took = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return min(took)
