"""How the text of a table is written: the options for it. A model remembers them, so that later files need none."""

from collections.abc import Callable
from typing import Any

import click

from rosenblatt.doors.cli.numbers import Typed
from rosenblatt.services.files.notation import BLANKS, NA, ORDERS, Notation

AS_TRAINED = "[default: {}; of a model, as in training]"


def _word(name: str, metavar: str, read: Callable[[str], Any] = str) -> Typed:
    """A word of a `Notation` as it is typed; one that is wrong by itself is wrong usage."""

    def checked(text: str) -> Any:
        beside = {"decimal": ","} if name == "thousands" and text == "." else {}
        try:
            return getattr(Notation.of(**{**beside, name: read(text)}), name)
        except ValueError as error:
            raise ValueError(str(error).removeprefix(f"{name}: ")) from None

    return Typed(metavar, checked)


def _texts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _groups(text: str) -> str:
    return BLANKS.get(text, text)


OPTIONS = (
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first line of a CSV table has the names of the columns.  [default: it has, unless --names "
        "are given; a warning says if it looks like data]",
    ),
    click.option(
        "--names",
        type=_word("names", "name,...", _texts),
        help="The names of the columns of a CSV table without a header, or with --header in place of it.  "
        "[default: x1, x2, ...]",
    ),
    click.option(
        "--na",
        type=_word("na", "text,...", _texts),
        help=f"Cells of a CSV table that stand for nothing, besides empty ones.  {AS_TRAINED.format(','.join(NA))}",
    ),
    click.option(
        "--decimal",
        type=_word("decimal", "character"),
        help=f"The mark before the decimals in a CSV table.  {AS_TRAINED.format('.')}",
    ),
    click.option(
        "--thousands",
        type=_word("thousands", "character", _groups),
        help=f"The mark between groups of digits in a CSV table, as . or space or nbsp.  {AS_TRAINED.format('none')}",
    ),
    click.option(
        "--date-order",
        type=click.Choice(ORDERS),
        help="What 5/6/2024 is in a CSV table: day or month first.  [default: text; of a model, as in training]",
    ),
    click.option(
        "--encoding",
        type=_word("encoding", "name"),
        help=f"The encoding of the characters of a CSV table, as latin-1 or utf-16.  {AS_TRAINED.format('utf-8')}",
    ),
)
WORDS = ("header", "names", "na", "decimal", "thousands", "date_order", "encoding")


def split_off(values: dict[str, Any]) -> dict[str, Any]:
    """The words that were given, which are taken out of the values of all options."""
    words = {name: values.pop(name) for name in WORDS}
    return {name: value for name, value in words.items() if value is not None}
