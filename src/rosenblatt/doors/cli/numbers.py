"""Numbers as they are typed in options, which are kept exact, so that a trace in fractions begins with them."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click

from rosenblatt.base.numbers import exact


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
