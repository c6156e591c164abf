"""Dates and times as numbers: days or seconds since the beginning of 1970, UTC, where no other zone is said.

They are counted in microseconds first, in whole numbers: so they are the same whatever the file that they come from.
"""

import re
from datetime import UTC, datetime
from fractions import Fraction

import numpy as np

from rosenblatt.arrays import Array

UNITS = {"days": 86_400_000_000, "seconds": 1_000_000}  # in microseconds
EXPECTED = "a date, as 2024-05-31 or 2024-05-31T12:30:00"
MISSING = np.iinfo(np.int64).min  # in place of a number of microseconds

_FORM = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_START = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(text: str) -> int | None:
    """Those since the beginning of 1970 to a date in the form of ISO 8601, None if it is none.

    >>> microseconds("1970-01-02"), microseconds("1970-01-01T01:00:00.5+01:00"), microseconds("1970-13-01")
    (86400000000, 500000, None)
    """
    if not _FORM.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text)
        since = (found if found.tzinfo else found.replace(tzinfo=UTC)) - _START
    except (ValueError, OverflowError):
        return None
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def in_unit(counted: Array, unit: str) -> Array:
    """Microseconds as days or seconds, NaN where they are `MISSING`.

    >>> in_unit(np.array([43_200_000_000, MISSING]), "days")
    array([0.5, nan])
    """
    return np.where(counted == MISSING, np.nan, counted / UNITS[unit])


def in_unit_exactly(counted: Array, unit: str) -> list[Fraction | None]:
    """The same as fractions, None where they are `MISSING`."""
    return [None if count == MISSING else Fraction(count, UNITS[unit]) for count in counted.tolist()]


def as_written(counted: Array) -> list[str]:
    """Microseconds as dates, with the time of the day if any of them has one; "" where they are `MISSING`.

    >>> as_written(np.array([86_400_000_000, MISSING])), as_written(np.array([86_400_500_000]))
    (['1970-01-02', ''], ['1970-01-02T00:00:00.500000'])
    """
    there = counted[counted != MISSING]
    unit = "us" if (there % UNITS["seconds"]).any() else "s" if (there % UNITS["days"]).any() else "D"
    filled = np.where(counted == MISSING, 0, counted).astype("datetime64[us]")
    texts = filled.astype(f"datetime64[{unit}]").astype(str)
    return ["" if count == MISSING else text for count, text in zip(counted.tolist(), texts.tolist(), strict=True)]
