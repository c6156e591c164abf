"""What a solver has found in floats, and the check in integers whether it is true.

Any w gives a lower end of the margin, min Z w / |w|, and any multipliers an upper one, |sum lambda z|.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix
from rosenblatt.services.proofs.exact_numbers import common_denominator, integers
from rosenblatt.services.proofs.rational import primitive


class ExactRows(Protocol):
    """Z as floats, and exactly."""

    @property
    def floats(self) -> Matrix:
        """Z in double precision."""

    @property
    def width(self) -> int:
        """How many columns Z has."""

    def __len__(self) -> int: ...

    def integers(self, rows: Array) -> Array:
        """Some rows times a common denominator."""

    def combination(self, counts: dict[int, int]) -> Array:
        """The sum of count times row, times that denominator."""

    def least(self, w: Array) -> tuple[int, int]:
        """The least entry of Z w times that denominator, for integers w, and its row."""


@dataclass
class Decision:
    """Weights with Z w > 0, or counts with sum count z = 0, and which solver found them.

    Where it is separable the counts are those that enclose the margin best; where nothing is decided, both are what
    came closest.
    """

    separable: bool | None
    counts: dict[int, int]
    solver: str
    weights: Array | None = None
    exact: bool = False  # weights and counts are those of the nearest point itself


def whole(values: Array) -> Array:
    """Floats as integers, all multiplied by the same number."""
    return primitive(integers(values, common_denominator(values, as_decimal=False), as_decimal=False))


def as_counts(rows: Array, weights: Array) -> dict[int, int]:
    """Multipliers as whole numbers, for each row that has one."""
    order = np.argsort(rows)[weights[np.argsort(rows)] > 0]
    return dict(zip(rows[order].tolist(), whole(weights[order]).tolist(), strict=True))


def separates(Z: ExactRows, w: Array) -> Array | None:
    """Float weights as integers, if Z w > 0 is true of them."""
    if not (np.isfinite(w).all() and w.any()):
        return None
    exact = whole(np.asarray(w, dtype=np.float64))
    return exact if Z.least(exact)[0] > 0 else None


def lower_end(Z: ExactRows, weights: Array) -> Fraction:
    """The square of min Z w / |w|, in units of Z's integers: the margin is not below."""
    least, _ = Z.least(weights)
    return Fraction(max(0, least) ** 2, int((weights**2).sum()))


def upper_end(Z: ExactRows, counts: dict[int, int]) -> Fraction:
    """The square of |sum lambda z|, in units of Z's integers: the margin is not above."""
    return Fraction(int((Z.combination(counts) ** 2).sum()), sum(counts.values()) ** 2)
