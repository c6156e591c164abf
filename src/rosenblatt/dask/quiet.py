"""For workers of a cluster of this machine: Ctrl-C at the terminal is for the program that has started them.

It ends them. Without this each would tell of it in a traceback of its own.
"""

import signal
from typing import Any


def dask_setup(worker: Any) -> None:  # noqa: ARG001 - Dask calls it so
    """What Dask runs when a worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
