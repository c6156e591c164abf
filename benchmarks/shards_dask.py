"""Shards on a Dask cluster of this machine: what a round costs, and a pass beside Dask-ML, block by block.

The cost of a round is that of rounds with almost no work in them: four shards of 1,000 rows, and weights of 4 MB (2^20
features, float32). A pass is the median time from one to the next. That the model is that of one machine is looked at.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier

from benchmarks.data import Split
from benchmarks.table import Table, Target
from rosenblatt import Perceptron, write_svmlight
from rosenblatt.base.arrays import Array
from rosenblatt.dask import Perceptron as DaskPerceptron

WORKERS, SHARDS, PASSES = 2, (2, 8, 32), 6
MOST = 0.3  # seconds for a round
COLUMNS = {"": "", "s a pass": ".3f", f"error {PASSES}": ".4f", "as one machine": "", "who": ""}


@contextmanager
def cluster() -> Iterator[Any]:
    """A client of a cluster of this machine."""
    from distributed import Client, LocalCluster

    local = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, silence_logs=60, **local) as workers,
        Client(workers) as client,
    ):
        yield client


def cluster_table(split: Split, folder: Path) -> tuple[Table, list[Target]]:
    """All of it."""
    folder.mkdir(parents=True, exist_ok=True)
    with cluster() as client:
        load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        table = Table(f"Dask, {WORKERS} workers; {split}; {load}", COLUMNS)
        costs = {width: round_seconds(client, width) for width in (1 << 10, 1 << 20)}
        for width, seconds in costs.items():
            table.add(f"a round with no work, {width:,} features", seconds, None, "", "ours")
        path = folder / "shards.svm"
        write_svmlight(split.X, split.y, path)
        for shards in SHARDS:
            table.add(f"{shards} shards", *ours(client, split, path, shards), "ours")
        if (found := incremental(split)) is not None:
            table.add("one block after the other", *found, "", "dask_ml Incremental(SGDClassifier(average=True))")
    return table, [Target("a round of Dask with 4 MB of weights, in seconds", costs[1 << 20], "<=", MOST, load)]


def round_seconds(client: Any, n_features: int) -> float:
    """The time from round to round where there is nothing to do."""
    random = np.random.default_rng(0)
    X = sp.random(4000, n_features, density=50 / n_features, format="csr", dtype=np.float32, random_state=random)
    model = DaskPerceptron(shards=4, rounds=1, max_iter=20, client=client)
    return _gaps(model, X, random.integers(0, 2, 4000))


def ours(client: Any, split: Split, path: Path, shards: int) -> tuple[float, float, str]:
    """Seconds of a pass, test error, and whether the weights are those of one machine."""
    times: list[float] = []
    given: Any = {"shards": shards, "readout": "average", "max_iter": PASSES}
    model = DaskPerceptron(client=client, **given)
    model.fit_files(
        str(path),
        n_features=split.X.shape[1],
        dtype=split.X.dtype,
        watch=lambda so_far: times.append(time.perf_counter()) if so_far.over else None,
    )
    alone = Perceptron(**given).fit(split.X, split.y)
    same = np.array_equal(alone.coef_, model.coef_)
    return median(np.diff(times)), _error(model, split), "yes" if same else "no"


def incremental(split: Split) -> tuple[float, float] | None:
    """The same of Dask-ML, if it is there."""
    try:
        from dask_ml.wrappers import Incremental
    except ImportError:
        return None
    import dask.array as da

    size = -(-split.X.shape[0] // 8)
    X = da.concatenate(
        [da.from_array(split.X[first : first + size], -1, asarray=False) for first in range(0, split.X.shape[0], size)]
    )
    y = da.from_array(split.y, size)
    model = Incremental(
        SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1.0, penalty=None, average=True)
    )
    times = [time.perf_counter()]
    for _ in range(PASSES):
        model.partial_fit(X, y, classes=np.unique(split.y))
        times.append(time.perf_counter())
    return median(np.diff(times)), _error(model.estimator_, split)


def _gaps(model: DaskPerceptron, X: Any, y: Array) -> float:
    times: list[float] = []
    model.fit(X, y, watch=lambda _: times.append(time.perf_counter()))
    return median(np.diff(times))


def _error(model: Any, split: Split) -> float:
    return float(np.mean(model.predict(split.X_test) != split.y_test))
