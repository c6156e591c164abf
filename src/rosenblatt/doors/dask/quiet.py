"""Hides messages of the workers on this machine that do not help the user who watches the program.

Ctrl-C at the terminal is for the program, which ends its workers. At its end a worker may lose the scheduler for a
moment. Without this module each worker would print a traceback about it.
"""

import logging
import signal
from typing import Any


def dask_setup(worker: Any) -> None:  # noqa: ARG001 - Dask calls it so
    """Dask calls this when a worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("distributed.worker").addFilter(_of_interest)


def _of_interest(record: logging.LogRecord) -> bool:
    """Whether to print a message: not that the scheduler is gone, because it is part of the program that ends."""
    return not record.getMessage().startswith("Failed to communicate with scheduler during heartbeat")
