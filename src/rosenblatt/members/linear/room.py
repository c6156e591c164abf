"""Weights that cannot be had are refused before they are asked for: a system may promise memory that it has not got."""

import os
from pathlib import Path

import numpy as np

from rosenblatt.members.linear.parameters import PerceptronParameters

_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container
GIB = 1 << 30


def check_room(parameters: PerceptronParameters, n_features: int, n_rows: int, dtype: object) -> None:
    """A `MemoryError` where so many rows of weights, with what the step and the readout keep beside them, do not fit.

    >>> check_room(PerceptronParameters(), 10**9, 10**6, "float64")
    Traceback (most recent call last):
    MemoryError: expected weights that fit into ... GiB of memory, found 1,000,000,000 columns with 1,000,000 weights \
each: they take 7.45e+06 GiB or more. A few wrong indices make many columns; n_features limits them
    """
    size = np.dtype(dtype).itemsize  # type: ignore[call-overload]
    of_a_weight = size * (1 + (parameters.step == "arow")) + (8 if parameters.readout == "average" else 0)
    needed, there = n_features * n_rows * of_a_weight, memory()
    if needed > there:
        each = f"{n_rows:,} weights each" if n_rows > 1 else "one weight each"
        raise MemoryError(
            f"expected weights that fit into {there / GIB:.3g} GiB of memory, found {n_features:,} columns with "
            f"{each}: they take {needed / GIB:.3g} GiB or more. A few wrong indices make many columns; n_features "
            "limits them"
        )


def memory() -> float:
    """The bytes of memory that this process may have; infinity if nobody knows."""
    try:
        there = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float("inf")
    try:
        return min(there, float(_LIMIT.read_text(encoding="ascii")))
    except (OSError, ValueError):  # no such file, or "max"
        return there
