"""Numbers as they are written, in tables and options: 2, -0.5, 1e-3, 1/3.

They are kept exact, so that a trace in fractions begins with what was typed. NaN, infinity and numbers beyond a
double's range are none.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click

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


def number(text: str) -> Fraction:
    """The number, or a ValueError."""
    found = exact(text)
    if found is None:
        raise ValueError(f"expected a number, found {text!r}")
    return found


class Typed(click.ParamType):  # type: ignore[type-arg]  # of click's newest versions only
    """The value of an option as it is typed: `read` makes it of the text, or raises a ValueError."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self.read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What it means."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def numbers(text: str) -> list[Fraction]:
    """Numbers with commas between them."""
    return [number(part) for part in text.split(",")]


def count(text: str) -> int:
    """A whole number from 1 on."""
    found = exact(text)
    if found is None or found.denominator != 1 or found < 1:
        raise ValueError(f"expected a whole number from 1 on, found {text!r}")
    return int(found)


NUMBER = Typed("number", number)
COUNTS = Typed("integer,...", lambda text: [count(part) for part in text.split(",")])
