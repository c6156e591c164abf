"""Numbers as they are written, in tables and options: 2, -0.5, 1e-3, 1/3. Read exactly, written as short as can be.

NaN, infinity and numbers beyond a double's range are none.
"""

import re
from fractions import Fraction

_FORM = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?(?:/[0-9]+)?")
_LONGEST = 1000  # characters; a longer one is a mistake, and takes long to read


def exact(text: str) -> Fraction | None:
    """The number, or None if it is none.

    >>> exact("-0.1"), exact(" 2/6 "), exact("1e999"), exact("nan")
    (Fraction(-1, 10), Fraction(1, 3), None, None)
    """
    text = text.strip()
    if len(text) > _LONGEST or not _FORM.fullmatch(text):
        return None
    above, _, below = text.partition("/")
    try:
        number = Fraction(above) / Fraction(below or 1)
        float(number)
    except (OverflowError, ZeroDivisionError):
        return None
    return number


def is_meant(text: str) -> bool:
    """Whether a number is meant, though it may be none.

    >>> is_meant("1/3"), is_meant("nan"), is_meant("1e999"), is_meant("sunny")
    (True, True, True, False)
    """
    try:
        float(text)
    except ValueError:
        return _FORM.fullmatch(text) is not None
    return True


def written(value: float) -> str:
    """A number as short as can be.

    >>> written(1.0), written(0.1), written(-0.0)
    ('1', '0.1', '0')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
