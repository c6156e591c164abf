"""A cluster of real worker processes on this machine, which all tests of a module share."""

from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster


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
