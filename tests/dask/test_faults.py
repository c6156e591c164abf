"""What may go wrong on a cluster: it costs time, or is refused in a sentence, and never changes the result."""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
from dask import delayed
from distributed import Client, LocalCluster

import rosenblatt
from rosenblatt.dask import Perceptron
from rosenblatt.doors.dask import quiet
from rosenblatt.doors.dask.cluster import n_workers
from tests.dask.conftest import cluster_of, until
from tests.dask.data import model_bytes, rows

X, Y = rows()
GIVEN: dict[str, Any] = {"shards": 8, "rounds": 2, "readout": "average", "max_iter": 4}


@pytest.fixture
def expected(tmp_path: Path) -> bytes:
    return model_bytes(rosenblatt.Perceptron(**GIVEN).fit(X, Y), tmp_path)


@pytest.fixture(scope="module")
def quiet_cluster() -> Iterator[LocalCluster]:
    """One whose workers may die without a word on stderr."""
    with cluster_of(2, silence_logs=30) as cluster:
        yield cluster


@pytest.fixture
def mortal(quiet_cluster: LocalCluster) -> Iterator[Client]:
    with Client(quiet_cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
        yield client


def test_a_worker_that_is_killed_and_one_that_comes(
    mortal: Client, quiet_cluster: LocalCluster, expected: bytes, tmp_path: Path
) -> None:
    killed: list[int] = []

    def watch(so_far: Any) -> None:
        if so_far.number == 2 and not killed:
            killed.append(next(iter(mortal.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
            quiet_cluster.scale(3)

    model = Perceptron(client=mortal, **GIVEN).fit(da.from_array(X, (50, 7)), da.from_array(Y, 50), watch=watch)
    assert killed
    assert model_bytes(model.to_local(), tmp_path) == expected
    quiet_cluster.scale(2)
    assert until(lambda: n_workers(mortal) == 2)  # before others die: Dask gives up after four in a row


def test_all_workers_are_killed_while_they_learn(mortal: Client, expected: bytes, tmp_path: Path) -> None:
    killed: list[int] = []

    def watch(so_far: Any) -> None:
        if so_far.number == 3 and not killed:
            killed.extend(mortal.run(os.getpid).values())
            for worker in killed:
                os.kill(worker, signal.SIGKILL)

    model = Perceptron(client=mortal, **GIVEN).fit(da.from_array(X, (50, 7)), da.from_array(Y, 50), watch=watch)
    assert len(killed) >= 2
    assert model_bytes(model.to_local(), tmp_path) == expected


SCHEDULER = """
import sys
from tests.dask.conftest import cluster_of

with cluster_of(2, silence_logs=50) as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


def test_a_scheduler_that_goes_away(tmp_path: Path) -> None:
    command, root = [sys.executable, "-c", SCHEDULER], Path(__file__).resolve().parents[2]
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
        subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, stderr=null, text=True) as scheduler,
    ):
        assert scheduler.stdout is not None
        address = scheduler.stdout.readline().strip()
        client = Client(address, set_as_default=False, timeout=120)
        try:
            with pytest.raises(ConnectionError, match=f"the scheduler at {address} does not answer any more: start it"):
                Perceptron(client=client, **GIVEN).fit(X, Y, watch=lambda _: scheduler.kill())
        finally:
            client.close(timeout=1)


def test_workers_of_this_machine_do_not_tell_of_a_missed_heartbeat(client: Client) -> None:
    words = ("Failed to communicate with scheduler during heartbeat.", "Something else")
    heard = client.run(_heard, words)
    assert set(heard.values()) == {words[1:]}


def _heard(words: tuple[str, ...]) -> tuple[str, ...]:
    quiet.dask_setup(None)
    logger = logging.getLogger("distributed.worker")
    records = [logger.makeRecord(logger.name, logging.ERROR, "worker.py", 1, word, (), None) for word in words]
    return tuple(record.getMessage() for record in records if logger.filter(record))


DRIVER = """
import os, signal, sys
import dask.array as da
from distributed import Client
from rosenblatt.dask import Perceptron
from rosenblatt.doors.dask.cluster import n_workers
from tests.dask.test_faults import GIVEN, X, Y

def watch(so_far):
    if (so_far.number, so_far.at.round_number) == (2, 1):
        os.kill(os.getpid(), signal.SIGKILL)

client = Client(sys.argv[1], set_as_default=False)
arrays = da.from_array(X, (50, 7)), da.from_array(Y, 50)
Perceptron(client=client, **GIVEN).fit(*arrays, checkpoint=sys.argv[2], watch=watch)
"""


def test_a_driver_that_is_killed_and_goes_on(client: Client, expected: bytes, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.part"
    command = [sys.executable, "-c", DRIVER, client.scheduler.address, str(checkpoint)]
    root = Path(__file__).resolve().parents[2]
    assert subprocess.run(command, cwd=root, capture_output=True, timeout=240).returncode == -signal.SIGKILL
    (tmp_path / "run.part.half").write_bytes(b"what was written beside, and not finished")
    seen: list[tuple[int, int]] = []
    model = Perceptron(client=client, **GIVEN).fit(
        da.from_array(X, (50, 7)),
        da.from_array(Y, 50),
        checkpoint=checkpoint,
        resume=True,
        watch=lambda so_far: seen.append((so_far.number, so_far.at.round_number)),
    )
    assert seen == [(2, 2), (3, 1), (3, 2), (4, 1), (4, 2)]
    assert model_bytes(model.to_local(), tmp_path) == expected


def test_a_checkpoint_of_other_rows_is_refused(client: Client, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.part"
    model = Perceptron(client=client, **GIVEN).fit(X, Y, checkpoint=checkpoint)
    again = Perceptron(client=client, **GIVEN).fit(X, Y, checkpoint=checkpoint, resume=True)  # it was over
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(again.to_local(), tmp_path)
    with pytest.raises(ValueError, match="expected a checkpoint of the same run"):
        Perceptron(client=client, **GIVEN).fit(X + 1, Y, checkpoint=checkpoint, resume=True)
    with pytest.raises(ValueError, match="resume: expected a checkpoint to go on from"):
        Perceptron(client=client, **GIVEN).fit(X, Y, resume=True)


# Functions within functions go to the workers as they are: these do not know the tests.


def test_a_partition_that_fails_twice_and_then_works(mortal: Client, expected: bytes, tmp_path: Path) -> None:
    counter, found = tmp_path / "counter", X

    def fails_twice() -> Any:
        with counter.open("a") as file:
            file.write("x")
        if counter.stat().st_size <= 2:
            raise OSError("the disk does not answer")
        return found

    model = Perceptron(client=mortal, **GIVEN).fit(da.from_delayed(delayed(fails_twice)(), X.shape, X.dtype), Y)
    assert model_bytes(model.to_local(), tmp_path) == expected
    assert counter.read_text() == "xxx"


def test_rows_that_change_between_two_readings(mortal: Client, tmp_path: Path) -> None:
    counter, found = tmp_path / "counter", X

    def other_each_time() -> Any:
        with counter.open("a") as file:
            file.write("x")
        return found + counter.stat().st_size

    def watch(so_far: Any) -> None:
        if so_far.number == 2 and so_far.at.round_number == 1:
            for worker in mortal.run(os.getpid).values():
                os.kill(worker, signal.SIGKILL)

    model = Perceptron(client=mortal, **GIVEN)
    with pytest.raises(ValueError, match=r"^partition 1 of X: expected the rows that were read before, found others"):
        model.fit(da.from_delayed(delayed(other_each_time)(), X.shape, X.dtype), Y, watch=watch)
    assert not hasattr(model, "coef_")


def test_rows_that_do_not_fit_are_refused_before_they_are_made(client: Client) -> None:
    large = da.ones((10**9, 10**3), chunks=(10**6, 10**3))
    with pytest.raises(MemoryError, match=r"the rows take 8e\+03 GB or more, and 2 workers of .* have room for .* GB"):
        Perceptron(client=client).fit(large, da.ones(10**9, chunks=10**6))


@pytest.mark.parametrize(
    ("parts", "labels", "said"),
    [
        ([X[:3], X[:3, :6]], [Y[:3], Y[:3]], "^partition 2 of X: expected 7 columns, as in partition 1 of X, found 6"),
        ([X[:3], X[:3]], [Y[:3], np.arange(3)], "^partition 2 of X: expected names as labels, .* found numbers"),
        ([X[:3], X[:3]], [Y[:3], Y[:2]], "^partition 2 of X: expected as many labels as rows, found 2 and 3"),
        ([X[:3], X[:3] * np.nan], [Y[:3], Y[:3]], "^partition 2 of X: .*[Nn]a[Nn]"),
        ([X[:3]], [np.array(["one"] * 3)], "needs at least 2 classes, got samples of only one class"),
        ([X[:0]], [Y[:0]], "expected rows to learn from, found none"),
        ([X[:3]], [np.array([0.5, 1, 2])], "^partition 1 of X: Unknown label type: continuous"),
    ],
)
def test_shards_that_do_not_go_together(mortal: Client, parts: list[Any], labels: list[Any], said: str) -> None:
    found = da.concatenate([da.from_delayed(delayed(part), (np.nan, 7), float) for part in parts])
    y = da.concatenate([da.from_delayed(delayed(part), (np.nan,), object) for part in labels])
    with pytest.raises(ValueError, match=said):
        Perceptron(shards=2, max_iter=2, client=mortal).fit(found, y)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"readout": "pocket"}, "readout: expected 'last' or 'average' on a cluster, found 'pocket'"),
        ({"early_stopping": True}, "early_stopping: expected False on a cluster"),
        ({"keep_mistakes": True}, "keep_mistakes: expected False on a cluster"),
        ({"class_weight": {"apple": 0, "bean": 1}}, "class_weight: expected weights over 0 on a cluster"),
        ({"shards": 0}, "'shards' parameter of Perceptron must be"),
    ],
)
def test_what_is_not_offered(client: Client, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Perceptron(client=client, **given).fit(X, Y)


def test_labels_that_are_not_in_the_partitions_of_the_rows(client: Client) -> None:
    unknown = da.from_delayed(delayed(X), (np.nan, 7), float)
    with pytest.raises(ValueError, match=r"^y: expected a Dask collection in the partitions of X"):
        Perceptron(client=client).fit(unknown, Y)
    with pytest.raises(ValueError, match=r"^y: expected the 1 partitions of X, found 3"):
        Perceptron(client=client).fit(unknown, da.from_array(Y, 80))
    with pytest.raises(ValueError, match=r"^y: expected 240 values, one a row, found 239"):
        Perceptron(client=client).fit(da.from_array(X, (80, 7)), da.from_array(Y[1:], 80))


def test_a_cluster_is_needed() -> None:
    with pytest.raises(ValueError, match="client: expected a Dask client, found none"):
        Perceptron().fit(X, Y)
    with pytest.raises(TypeError, match=r"client: expected a distributed\.Client"):
        Perceptron(client="tcp://127.0.0.1:8786").fit(X, Y)


def test_without_the_extra_a_sentence_says_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        "from rosenblatt.dask import Perceptron\n"
        "Perceptron().fit([[0.0], [1.0]], [0, 1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "training on a cluster needs dask and distributed: pip install 'rosenblatt[dask]'" in done.stderr


def test_workers_are_counted_while_others_ask(client: Client) -> None:
    ended = Event()

    def ask() -> None:
        while not ended.is_set():
            client.sync(client._update_scheduler_info)  # as the client itself does now and then

    asking = Thread(target=ask)
    asking.start()
    try:
        assert {n_workers(client) for _ in range(200)} == {2}
    finally:
        ended.set()
        asking.join()
