"""The cluster that does the work: the client that speaks to it, its memory, and a cluster of this machine."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import metadata
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MEMORY = 0.6  # of a worker's memory is for rows; beyond it Dask begins to move them to the disk


def load_distributed() -> Any:
    """The package, which is optional."""
    try:
        import distributed
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "training on a cluster needs dask and distributed: pip install 'rosenblatt[dask]'", name=error.name
        ) from None
    return distributed


def client_of(client: Any = None) -> Any:
    """The client that was given, else the one that is current."""
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
    """All workers that there are have this package: Dask itself would wait for ever for one that has not.

    Asked by a function of Python's own, which every worker has.
    """
    here = metadata.version("rosenblatt")
    for address, there in client.run(metadata.version, "rosenblatt", on_error="return").items():
        if isinstance(there, metadata.PackageNotFoundError) or (isinstance(there, str) and there != here):
            version = there if isinstance(there, str) else "none"
            raise ValueError(f"worker {address}: expected rosenblatt {here}, as here, found {version}")


def n_workers(client: Any) -> int:
    """How many workers there are now."""
    return len(_workers(client))


def _workers(client: Any) -> dict[str, Any]:
    """What the scheduler says of each worker by its address.

    It is asked itself: `client.scheduler_info()` may give the answer to what another thread asks for at the same time,
    which in versions that can leave workers out has none.
    """
    all_of_them = {"n_workers": -1} if "n_workers" in signature(client.scheduler_info).parameters else {}
    workers: dict[str, Any] = client.sync(client.scheduler.identity, **all_of_them)["workers"]
    return workers


def check_memory(client: Any, n_bytes: int) -> None:
    """Refuse rows that the workers, as they are now, cannot hold."""
    limits = [worker["memory_limit"] for worker in _workers(client).values()]
    if not limits or not all(limits):  # none has come yet, or one has no limit
        return
    room = int(MEMORY * sum(limits))
    if n_bytes > room:
        count = f"{len(limits)} {'worker' if len(limits) == 1 else 'workers'}"
        raise MemoryError(
            f"the rows take {n_bytes / 1e9:.3g} GB or more, and {count} of {sum(limits) / 1e9:.3g} GB in all have room "
            f"for {room / 1e9:.3g} GB ({MEMORY:.0%}); add workers, or give them more memory"
        )


def while_it_answers(fit: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """A run on a client: whatever fails in it once the scheduler is gone, it is the scheduler that is told of."""

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
    """A client of the scheduler at this address; "local" is a cluster of this machine, closed at the end."""
    package = load_distributed()
    if address != "local":
        with package.Client(address, set_as_default=False) as client, _ending_quietly():
            yield client
        return
    options = {
        "threads_per_worker": 1,
        "host": "127.0.0.1",
        "dashboard_address": "127.0.0.1:0",  # None would be all networks
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
    """Ctrl-C ends the program while Dask waits for results in another thread, of which asyncio would log tracebacks."""
    try:
        yield
    except KeyboardInterrupt:
        logging.getLogger("asyncio").disabled = True
        raise
