"""Kernel values on several threads.

They come in tiles of a fixed size, each one product of one thread, so that their bits do not depend on how many threads
there are.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.cores import n_threads
from rosenblatt.members.kernel.values import Kernel, Vectors

TILE = 256  # rows of a tile


class Workers:
    """Computes tiles, in order, on one thread or several."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool

    def tiles(self, kernel: Kernel, support: Vectors, rows: Vectors, which: Array) -> Iterator[tuple[Array, Array]]:
        """The values of the support vectors in `which`, ascending, with the rows, TILE of them at a time."""

        def tile(first: int) -> tuple[Array, Array]:
            part = which[first : first + TILE]
            in_a_row = part[-1] - part[0] + 1 == len(part)  # then nothing need be copied
            return part, kernel.values(support[part[0] : part[-1] + 1] if in_a_row else support[part], rows)

        firsts = range(0, len(which), TILE)
        yield from map(tile, firsts) if self._pool is None else self._pool.map(tile, firsts)

    def values(self, kernel: Kernel, support: Vectors, rows: Vectors) -> Array:
        """The values of all support vectors with the rows."""
        return np.concatenate([tile for _, tile in self.tiles(kernel, support, rows, np.arange(len(support)))])


@contextmanager
def workers(n_jobs: int | None) -> Iterator[Workers]:
    """So many threads; a BLAS that has threads of its own is told to use one for each of these."""
    threads = n_threads(n_jobs)
    with one_blas_thread():
        if threads == 1:
            yield Workers(None)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield Workers(pool)


def one_blas_thread() -> Any:
    """A context in which the BLAS of numpy uses one thread, so that its bits do not depend on how many there are."""
    return _blas().limit(limits=1, user_api="blas")


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
