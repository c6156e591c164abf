"""How many cores this process may use: as many threads are worth starting."""

import os
from math import ceil
from pathlib import Path

from rosenblatt.base.exceptions import ParameterError

_QUOTAS = (  # limits of a container: version 2 of Linux's control groups has both numbers in one file, version 1 in two
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)


def cpu_count() -> int:
    """The cores that the system lets this process run on, or fewer if its container may not use as much time.

    >>> 1 <= cpu_count() <= os.cpu_count()
    True
    """
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        cores = os.process_cpu_count() or 1
    elif hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, min(cores, _quota() or cores))


def n_threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` asks for: None is one, -1 all cores that this process may use, -2 all but one.

    >>> n_threads(None), n_threads(3), n_threads(-1000)
    (1, 3, 1)
    """
    if n_jobs == 0:
        raise ParameterError("n_jobs: expected a whole number other than 0, or None, found 0")
    if n_jobs is None:
        return 1
    return n_jobs if n_jobs > 0 else max(1, cpu_count() + 1 + n_jobs)


def _quota() -> int | None:
    """The cores' worth of time that the container may use, rounded up; None if there is no limit."""
    for paths in _QUOTAS:
        try:
            quota, period = " ".join(Path(path).read_text(encoding="ascii") for path in paths).split()
            return ceil(int(quota) / int(period)) if int(quota) > 0 else None
        except (OSError, ValueError, ZeroDivisionError):  # no such file, or "max"
            continue
    return None
