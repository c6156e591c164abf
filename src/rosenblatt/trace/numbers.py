"""Numbers and labels of a trace: shown in a table, written to a file."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

LONG = 10**9  # a denominator that is no longer printed
LONG_VECTOR = 12  # entries of a vector that are still printed


def shown(value: Any) -> str:
    """A number for a table: four digits of a float or a long fraction, all of a whole number or a short one.

    >>> shown(-4.0), shown(0.123456), shown(Fraction(1, 3)), shown(Fraction(1, 3**99)), shown(-0.0)
    ('-4', '0.1235', '1/3', '5.821e-48', '0')
    >>> shown(Fraction(1, 3**999))  # which as a float would be 0
    '2.269e-477'
    """
    if isinstance(value, int | np.integer) or (isinstance(value, Fraction) and value.denominator < LONG):
        return str(value)
    if isinstance(value, Fraction) and not float(value):
        return f"{Decimal(value.numerator) / value.denominator:.4g}"
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else f"{value:.4g}"


def written(value: Any) -> str:
    """A number for a file: the shortest text that gives it back.

    >>> written(np.float32(0.1)), written(-4.0), written(Fraction(1, 3)), written(-0.0)
    ('0.1', '-4.0', '1/3', '0.0')
    """
    return str(value) if isinstance(value, int | np.integer | Fraction) else str(value + 0.0)


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "visit"), counted(2, "pass")
    ('1 visit', '2 passes')
    """
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('s') else 's'}"


def vector(values: Any, most: int | None = None) -> str:
    """(1, 0, 0), as the lectures write it; at `most` so many entries.

    >>> vector([1, 0, 0]), vector(range(99), most=2)
    ('(1, 0, 0)', '(0, 1, ...)')
    """
    entries = [value if isinstance(value, str) else shown(value) for value in values[:most]]
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
