"""A cluster of real worker processes on this machine, which all tests of a module share."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import dask
import pytest
from distributed import Client, LocalCluster

dask.config.set({"distributed.comm.timeouts.connect": "120s", "distributed.comm.timeouts.tcp": "120s"})  # under load


def cluster_of(n_workers: int, **given: Any) -> LocalCluster:
    return LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        **given,
    )


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster_of(2) as cluster, Client(cluster, set_as_default=False) as client:
        yield client


def until(holds: Callable[[], bool], seconds: float = 120) -> bool:
    """Whether it comes to hold, looked at again and again: what Dask does for us, it does in another thread."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()
