"""Numbers and labels of a trace, as people read them."""

from decimal import ROUND_05UP, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

DIGITS = 4  # how many digits of a number that is not whole are printed, unless more are asked for
LONG = 10**9  # a fraction with such a denominator is printed as a decimal
QUOTIENT = Context(rounding=ROUND_05UP)  # rounding its result once more is as good as rounding once
LONG_VECTOR = 12  # how many entries of a vector are printed


def short_number(value: Any, digits: int | None = DIGITS) -> str:
    """A number for people: some digits of a float or a long fraction, all of a whole number or a short one.

    With None for the digits, the shortest text that gives the number back.

    >>> [short_number(value) for value in (-4.0, 0.1 + 0.2, Fraction(1, 3), Fraction(1, 3**99), -0.0)]
    ['-4', '0.3', '1/3', '5.821e-48', '0']
    >>> short_number(0.1 + 0.2, None), short_number(np.float32(0.1), None), short_number(Fraction(1, 3**20), None)
    ('0.30000000000000004', '0.1', '1/3486784401')
    >>> short_number(2.00001), short_number(1234.56), short_number(1e-7)  # none looks whole
    ('2.0', '1234.6', '1e-7')
    >>> short_number(Fraction(1, 3**999))  # which as a float would be 0
    '2.269e-477'
    >>> short_number(Fraction(21875, 10**5) - Fraction(1, 10**60))  # which is nearer to 0.2187 by very little
    '0.2187'
    """
    is_fraction = isinstance(value, Fraction)
    if isinstance(value, int | np.integer) or (is_fraction and (digits is None or value.denominator < LONG)):
        return str(value)
    if not is_fraction and float(value).is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value) if digits is None else _round(value, digits)


def _round(value: Any, digits: int) -> str:
    """So many digits, but always one after the point, if that says more than none."""
    # As a Decimal, because a Fraction may be too small for a float, or lie between a half and the nearest float.
    is_fraction = isinstance(value, Fraction)
    exact = QUOTIENT.divide(value.numerator, value.denominator) if is_fraction else Decimal(float(value))
    if Decimal("1e-4") <= abs(exact) < 10**6:
        text, power = f"{exact:.{max(1, digits - 1 - exact.adjusted())}f}", ""
    else:
        text, mark, power = f"{exact:.{digits - 1}e}".partition("e")
        power = mark + power
    text = text.rstrip("0").rstrip(".") if "." in text else text
    if "." not in text and type(value)(text + power) != value:
        text += ".0"
    return text + power


def quantity(number: int, noun: str) -> str:
    """A number of things.

    >>> quantity(1, "visit"), quantity(2, "pass")
    ('1 visit', '2 passes')
    """
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('s') else 's'}"


def vector(values: Any, most: int | None = None) -> str:
    """(1, 0, 0), as the lectures write it; at `most` so many entries.

    >>> vector([1, 0, 0]), vector(range(99), most=2)
    ('(1, 0, 0)', '(0, 1, ...)')
    """
    entries = [value if isinstance(value, str) else short_number(value) for value in values[:most]]
    return f"({', '.join([*entries, *(['...'] if len(entries) < len(values) else [])])})"


def weights(W: Any) -> str:
    """Rows of weights, the first entries of long ones."""
    return " ".join(vector(w, most_entries(len(W))) for w in W)


def most_entries(n_rows: int) -> int:
    """How many entries of each of so many vectors are printed in a row."""
    return max(3, LONG_VECTOR // n_rows)


def printable(label: Any) -> str:
    r"""A label, or what a student wrote, in one line: what a terminal would obey is escaped.

    >>> print(printable("yes"), printable("a\nb"))
    yes a\nb
    """
    text = str(label)
    return text if text.isprintable() else repr(text)[1:-1]
