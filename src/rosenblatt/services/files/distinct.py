"""How many different values there are, in little memory: exact for some ten thousands, estimated for more.

Kept are the smallest hashes. If the largest of the k smallest is the share s of all that a hash can be, there are about
(k - 1) / s values (k minimum values: Bar-Yossef and others, Counting distinct elements in a data stream, 2002).
"""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

from rosenblatt.base.arrays import Array

MOST = 1 << 16  # hashes that are kept; an estimate is off by 0.4 % in the mean


class Distinct:
    """Counts the different values that it has seen.

    >>> seen = Distinct()
    >>> seen.texts(["a", "b", "a"])
    >>> seen.numbers(np.array([1.0, 2.0, 2.0]))
    >>> seen.count, seen.exact
    (4, True)
    """

    def __init__(self, most: int = MOST) -> None:
        self._most, self._hashes, self.exact = most, np.empty(0, np.uint64), True

    def texts(self, values: Iterable[str]) -> None:
        """More texts."""
        digests = b"".join(blake2b(value.encode("utf-8", "replace"), digest_size=8).digest() for value in set(values))
        self._see(np.frombuffer(digests, np.uint64))

    def numbers(self, values: Array) -> None:
        """More numbers, none of them NaN."""
        bits = (np.unique(values).astype(np.float64) + 0.0).view(np.uint64)  # -0.0 + 0.0 is 0.0
        # The mixing of splitmix64 (Steele and others, 2014), so that numbers next to each other are far apart.
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        self._see(bits ^ (bits >> np.uint64(31)))

    def _see(self, hashes: Array) -> None:
        found = np.union1d(self._hashes, hashes)
        self.exact = self.exact and len(found) <= self._most
        self._hashes = found[: self._most]

    @property
    def count(self) -> int:
        """How many there are; an estimate unless `exact`."""
        if self.exact:
            return len(self._hashes)
        return round((self._most - 1) / (float(self._hashes[-1]) / 2.0**64))
