"""From exact numbers to floats on the right side: rounded down for a lower bound, up for an upper one."""

import math
import sys
from fractions import Fraction


def float_up(value: Fraction) -> float:
    """The least float that is not below.

    >>> float_up(Fraction(51)), float_up(Fraction(1, 3)) > 1 / 3 - 1e-17
    (51.0, True)
    """
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        return math.inf
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def sqrt_up(square: Fraction) -> float:
    """The least float that is not below the root.

    >>> sqrt_up(Fraction(5)) ** 2 >= 5, sqrt_up(Fraction(9, 4))
    (True, 1.5)
    """
    root = _sqrt(square)
    while math.isfinite(root) and Fraction(root) ** 2 < square:
        root = math.nextafter(root, math.inf)
    return root


def sqrt_down(square: Fraction) -> float:
    """The largest float that is not above the root.

    >>> sqrt_down(Fraction(5)) ** 2 <= 5, sqrt_down(Fraction(9, 4))
    (True, 1.5)
    """
    root = min(_sqrt(square), sys.float_info.max)
    while Fraction(root) ** 2 > square:
        root = math.nextafter(root, 0.0)
    return root


def _sqrt(square: Fraction) -> float:
    """A float next to the root: 64 bits of it as an integer, then the exponent."""
    if square == 0:
        return 0.0
    shift = 2 * (64 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    scaled = square.numerator << shift if shift > 0 else square.numerator
    root = math.isqrt(scaled // (square.denominator << -shift if shift < 0 else square.denominator))
    try:
        return math.ldexp(root, -shift // 2)
    except OverflowError:
        return math.inf
