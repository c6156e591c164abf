"""Numbers of a trace: read exactly, shown in a table, written to a file."""

from fractions import Fraction
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LONG = 10**9  # a denominator that is no longer printed


def simple(value: Any) -> Any:
    """A Fraction that is whole as the int that it is; anything else as it comes.

    >>> simple(Fraction(4, 2)), simple(Fraction(1, 3))
    (2, Fraction(1, 3))
    """
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def exact(values: Any, name: str, *, as_decimal: bool) -> Array:
    """One number, or an array of them, as ints and Fractions.

    Text, Decimals and Fractions are taken as written; a float is the binary number it is, or with `as_decimal` the
    shortest decimal that gives it.

    >>> exact([1, 0.5, "1/3", 0.1], "X", as_decimal=True)
    array([1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)], dtype=object)
    """
    from rosenblatt.theory.reading import as_fraction  # here, as it imports scikit-learn

    if hasattr(values, "toarray"):
        values = values.toarray()
    given = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
    out = np.empty(given.shape, dtype=object)
    for index, value in np.ndenumerate(given):
        try:
            out[index] = simple(as_fraction(value, as_decimal=as_decimal))
        except (OverflowError, TypeError, ValueError, ZeroDivisionError):
            place = f" at {', '.join(map(str, index))}" if index else ""
            raise ValueError(f"{name} must be finite numbers, as 2, 0.5 or '1/3'; found {value!r}{place}") from None
    return out


def shown(value: Any) -> str:
    """A number for a table: four digits of a float or a long fraction, all of a whole number or a short one.

    >>> shown(-4.0), shown(0.123456), shown(Fraction(1, 3)), shown(Fraction(1, 3**99)), shown(-0.0)
    ('-4', '0.1235', '1/3', '5.821e-48', '0')
    """
    if isinstance(value, int | np.integer) or (isinstance(value, Fraction) and value.denominator < LONG):
        return str(value)
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


def vector(values: Any) -> str:
    """(1, 0, 0), as the lectures write it."""
    return f"({', '.join(map(shown, values))})"
