"""For workers of a cluster of this machine: what is of no interest to those who watch the program that started them.

Ctrl-C at the terminal is for that program, which ends them; and at its end a worker may miss the scheduler shortly.
Without this each would tell of it in a traceback of its own.
"""

import logging
import signal
from typing import Any


def dask_setup(worker: Any) -> None:  # noqa: ARG001 - Dask calls it so
    """What Dask runs when a worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("distributed.worker").addFilter(_of_interest)


def _of_interest(record: logging.LogRecord) -> bool:
    """Not that the scheduler did not answer: it is part of the program, which would end with it."""
    return not record.getMessage().startswith("Failed to communicate with scheduler during heartbeat")
