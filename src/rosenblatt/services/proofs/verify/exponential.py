"""exp(-x) of fractions x >= 0 in integers, with a proven error: for the kernel rbf, whose values are irrational.

exp(-x) = exp(-x / 2^16)^(2^16). Integers count units of 2^-128. x / 2^16 is cut to such a unit, 13 terms of the series
are cut to one each, and what follows them is far below one: the power begins with an error below 30 units. No value is
above 1, so that a square doubles the error, and cutting it adds one more: after 16 squares it is below 2^16 * 32 =
2^21 units, which is 2^-11 of the result's own unit, 2^-96. Rounding to that adds one half.
"""

import numpy as np

from rosenblatt.base.data_hash import Array

BITS = 96  # of the result, which is off by less than one unit of the last of them
_WORK, _HALVINGS, _TERMS = 128, 16, 13
_FAR = 97  # exp(-97) is below 2^-139: that, and all beyond, is 0 here


def exponentials(numerators: Array, denominator: int) -> Array:
    """2^96 exp(-n / d) for integers n >= 0 and d > 0, each off by less than 1.

    >>> found = exponentials(np.array([0, 1, 97 * 3], dtype=object), 3)
    >>> [value / 2**96 for value in found]
    [1.0, 0.7165313105737893, 0.0]
    """
    near = np.minimum(numerators, _FAR * denominator)
    x = (near << (_WORK - _HALVINGS)) // denominator
    one = 1 << _WORK
    total, term = x * 0 + one, x * 0 + one
    for k in range(1, _TERMS):
        term = (term * x >> _WORK) // k
        total = total - term if k % 2 else total + term
    for _ in range(_HALVINGS):
        total = total * total >> _WORK
    shift = _WORK - BITS
    return np.asarray((total + (1 << (shift - 1))) >> shift)
