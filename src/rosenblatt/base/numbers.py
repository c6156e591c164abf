"""Numbers as they are written, in tables and options: 2, -0.5, 1e-3, 1/3. Read exactly, written as short as can be.

NaN, infinity and numbers beyond a double's range are none. Labels are numbers if all of them are. numpy is imported
when it is used: the command line reads numbers before it needs it.
"""

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.base.arrays import Array

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


def number_text(value: float) -> str:
    """A number as short as can be.

    >>> number_text(1.0), number_text(0.1), number_text(-0.0)
    ('1', '0.1', '0')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def is_whole(numbers: "Array") -> bool:
    """Whether all are integers that a float holds exactly.

    >>> import numpy as np
    >>> is_whole(np.array([1.0, -3.0])), is_whole(np.array([0.5])), is_whole(np.array([1e300]))
    (True, False, False)
    """
    import numpy as np

    return bool((np.abs(numbers) < 2**53).all() and np.array_equal(np.trunc(numbers), numbers))


def as_labels(y: Any) -> "Array":
    """Labels as numbers if all of them are, whole ones as ints; else as text.

    >>> as_labels(["1", "-1.0"]), as_labels(["1", "b"])
    (array([ 1, -1]), array(['1', 'b'], dtype='<U1'))
    """
    import numpy as np

    from rosenblatt.base.arrays import check_labels

    check_labels(y)
    labels = np.asarray(y)
    if labels.dtype.kind == "U":
        numbers = [exact(label) for label in labels.tolist()]
        if None in numbers:
            return labels
        labels = np.array(numbers, dtype=np.float64)
    return labels.astype(np.int64) if is_whole(labels) else labels


def first_names(labels: list[Any], most: int = 10) -> str:
    """Some labels or names for a message, the first of many."""
    return f"{', '.join(map(short_text, labels[:most]))}{', ...' if len(labels) > most else ''}"


def short_text(value: Any, most: int = 60) -> str:
    """A name or a label in one line; of a long text the beginning."""
    text = str(value)
    line = " ".join(text.split()) if len(text) > most or "\n" in text else text
    return line if len(line) <= most else f"{line[: most - 3]}..."
