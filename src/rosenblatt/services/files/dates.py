"""Dates and times as numbers: days or seconds since the beginning of 1970, UTC, where no other zone is said.

They are counted in microseconds first, in whole numbers: so they are the same whatever the file that they come from.
A date with points has the day first, 31.05.2024; of one with slashes, 5/6/2024, only a user can tell.
"""

import re
from datetime import UTC, datetime
from fractions import Fraction

import numpy as np

from rosenblatt.base.arrays import Array

UNITS = {"days": 86_400_000_000, "seconds": 1_000_000}  # in microseconds
EXPECTED = "a date, as 2024-05-31 or 2024-05-31T12:30:00"
MISSING = np.iinfo(np.int64).min  # in place of a number of microseconds

_FORM = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_BY_HAND = re.compile(r"([0-9]{1,2})([./])([0-9]{1,2})\2([0-9]{4})(?:[T ]([0-9]{1,2}(?::[0-9]{2}){1,2}))?")
_START = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(text: str, order: str | None = None) -> int | None:
    """The microseconds from the beginning of 1970 to a date in the form of ISO 8601; None if it is no date.

    `order`: whether the day or the month comes first, "dmy" or "mdy", in dates with slashes.

    >>> microseconds("1970-01-02"), microseconds("1970-01-01T01:00:00.5+01:00"), microseconds("1970-13-01")
    (86400000000, 500000, None)
    >>> microseconds("02.01.1970"), microseconds("1/2/1970"), microseconds("1/2/1970", "mdy")
    (86400000000, None, 86400000000)
    """
    if not _FORM.fullmatch(text) and not (text := _as_iso(text, order)):
        return None
    try:
        moment = datetime.fromisoformat(text)
        since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _START
    except (ValueError, OverflowError):
        return None
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def needs_order(text: str) -> bool:
    """Whether it is a date, once it is told whether the day or the month comes first."""
    return microseconds(text) is None and any(microseconds(text, order) is not None for order in ("dmy", "mdy"))


def _as_iso(text: str, order: str | None) -> str:
    """A date as people write it in the form of ISO 8601, "" if it is none."""
    if not text[:1].isdigit() or not (moment := _BY_HAND.fullmatch(text)):
        return ""
    first, mark, second, year, time = moment.groups()
    order = "dmy" if mark == "." else order
    if order is None:
        return ""
    day, month = (first, second) if order == "dmy" else (second, first)
    return f"{year}-{month:0>2}-{day:0>2}" + (f"T{time:0>{5 if time.count(':') == 1 else 8}}" if time else "")


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
