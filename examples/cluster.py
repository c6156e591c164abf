"""A cluster that trains from several files: two workers of this machine, one of which is killed on the way.

The model is that of one machine, to the bit. With the address of a scheduler in place of the LocalCluster, and files
that its workers see, the same few lines train on as many machines as there are.
"""

import os
import signal
import tempfile
from pathlib import Path

import numpy as np
from distributed import Client, LocalCluster

from rosenblatt import Perceptron as OnOneMachine
from rosenblatt import write_svmlight
from rosenblatt.dask import Perceptron
from rosenblatt.members.run import Pass

N_FILES, N_ROWS, SHARDS, PASSES = 5, 2000, 4, 6


def write_files(folder: Path) -> None:
    """Files of rows whose labels are those of a hidden weight vector, some of them changed."""
    random = np.random.default_rng(0)
    truth = random.normal(size=40)
    for number in range(N_FILES):
        X = random.normal(size=(N_ROWS, len(truth))).round(3)
        y = np.where(X @ truth + 2 * random.normal(size=N_ROWS) > 0, 1, -1)
        write_svmlight(X, y, folder / f"part-{number}.svm")


def main() -> None:
    local = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        files = str(Path(folder, "part-*.svm"))
        alone = OnOneMachine(shards=SHARDS, readout="average", max_iter=PASSES).fit_file(files)
        with LocalCluster(n_workers=2, threads_per_worker=1, silence_logs=60, **local) as cluster, Client(cluster) as c:
            victim = next(iter(c.run(os.getpid).values()))

            def watch(so_far: Pass) -> None:
                print(f"pass {so_far.number}: {so_far.mistakes:,} mistakes")
                if so_far.number == 2:
                    os.kill(victim, signal.SIGKILL)
                    print("a worker is killed")

            model = Perceptron(shards=SHARDS, readout="average", max_iter=PASSES)
            model.fit_files(files, watch=watch)
        same = bool((model.coef_ == alone.coef_).all())
        print(f"{N_FILES} files, {N_FILES * N_ROWS:,} rows; the weights of one machine: {'yes' if same else 'no'}")


if __name__ == "__main__":
    main()
