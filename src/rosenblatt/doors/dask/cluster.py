"""The cluster that does the work: the client that speaks to it, its memory, and a cluster on this machine."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import metadata
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MEMORY = 0.6  # the share of a worker's memory for rows; beyond it Dask begins to move them to the disk


def load_distributed() -> Any:
    """Import the package, which is optional."""
    try:
        import distributed
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "training on a cluster needs dask and distributed: pip install 'rosenblatt[dask]'", name=error.name
        ) from None
    return distributed


def client_of(client: Any = None) -> Any:
    """The given client, or else the current one."""
    package = load_distributed()
    if client is None:
        try:
            client = package.get_client()
        except ValueError:
            raise ValueError(
                "client: expected a Dask client, found none; make one with distributed.Client(...), or give it"
            ) from None
    if not isinstance(client, package.Client) or client.asynchronous:
        raise TypeError(f"client: expected a distributed.Client that is not asynchronous, found {client!r}")
    check_workers(client)
    return client


def check_workers(client: Any) -> None:
    """Check that every worker has this package, because Dask would wait for ever for a worker without it.

    The question is a function of Python itself, which every worker has.
    """
    here = metadata.version("rosenblatt")
    for address, there in client.run(metadata.version, "rosenblatt", on_error="return").items():
        if isinstance(there, metadata.PackageNotFoundError) or (isinstance(there, str) and there != here):
            version = there if isinstance(there, str) else "none"
            raise ValueError(f"worker {address}: expected rosenblatt {here}, as here, found {version}")


def n_workers(client: Any) -> int:
    return len(_workers(client))


def _workers(client: Any) -> dict[str, Any]:
    """What the scheduler says about each worker, by its address.

    This asks the scheduler itself, because `client.scheduler_info()` may return the answer to another thread's
    question, and in some versions that answer has no workers.
    """
    all_of_them = {"n_workers": -1} if "n_workers" in signature(client.scheduler_info).parameters else {}
    workers: dict[str, Any] = client.sync(client.scheduler.identity, **all_of_them)["workers"]
    return workers


def check_memory(client: Any, n_bytes: int) -> None:
    """Refuse rows that do not fit into the memory of the current workers."""
    limits = [worker["memory_limit"] for worker in _workers(client).values()]
    if not limits or not all(limits):  # no worker has come yet, or one has no limit
        return
    room = int(MEMORY * sum(limits))
    if n_bytes > room:
        count = f"{len(limits)} {'worker' if len(limits) == 1 else 'workers'}"
        raise MemoryError(
            f"the rows take {n_bytes / 1e9:.3g} GB or more, and {count} of {sum(limits) / 1e9:.3g} GB in all have room "
            f"for {room / 1e9:.3g} GB ({MEMORY:.0%}); add workers, or give them more memory"
        )


def while_it_answers(fit: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Run a fit on a client. If it fails after the scheduler has gone, the error is about the scheduler."""

    @wraps(fit)
    def run(client: Any, /, *args: P.args, **options: P.kwargs) -> R:
        address = client.scheduler.address
        try:
            return fit(client, *args, **options)
        except Exception as error:
            if client.status == "running":
                raise
            raise ConnectionError(
                f"the scheduler at {address} does not answer any more: start it again, and give resume if the run has "
                "a checkpoint"
            ) from error

    return run


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """A client of the scheduler at this address; "local" starts a cluster here, which is closed at the end."""
    package = load_distributed()
    if address != "local":
        with package.Client(address, set_as_default=False) as client, _ending_quietly():
            yield client
        return
    options = {
        "threads_per_worker": 1,
        "host": "127.0.0.1",
        "dashboard_address": "127.0.0.1:0",  # None would listen on all networks
        "worker_dashboard_address": "127.0.0.1:0",
        "preload": ["rosenblatt.doors.dask.quiet"],
    }
    with (
        package.LocalCluster(**options) as cluster,
        package.Client(cluster, set_as_default=False) as client,
        _ending_quietly(),
    ):
        yield client


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """Ctrl-C ends the program while Dask waits in another thread; without this, asyncio would log its tracebacks."""
    try:
        yield
    except KeyboardInterrupt:
        logging.getLogger("asyncio").disabled = True
        raise
