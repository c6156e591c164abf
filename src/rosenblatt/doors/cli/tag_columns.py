"""The columns of CoNLL files as options: which has the tags, which are looked at, and the format."""

from functools import wraps
from typing import Any

import click

from rosenblatt.doors.cli.data_file import MAX_LINE, check_standard_input
from rosenblatt.doors.cli.file_kind import kind_of
from rosenblatt.doors.cli.numbers import Typed
from rosenblatt.services.files.format import format_of


def _column(text: str) -> int | str:
    """A number, or a name of CoNLL-U."""
    return int(text) if text.removeprefix("-").isdecimal() else text


COLUMN = Typed("column", _column)
COLUMNS = Typed("column,...", lambda text: [_column(part.strip()) for part in text.split(",")])


def check_sentences(path: str, columns: dict[str, Any]) -> None:
    """What is a model or, by its name and unless a format is told, a table, is no file of sentences."""
    check_standard_input(path)
    if kind_of(path) == "model":
        raise ValueError(f"{path}: expected sentences, found a model file")
    if "format" not in columns and (form := format_of(path, "")):
        raise ValueError(f"{path}: expected sentences, a token a line in columns, found by its name a table ({form})")


def with_columns(function: Any) -> Any:
    """Add the options; they come as one argument, `columns`, with the names that `SequenceTagger` has for them."""

    @wraps(function)
    def called(**values: Any) -> None:
        given = {name: values.pop(name) for name in ("tag", "columns", "format")}
        function(columns={name: value for name, value in given.items() if value is not None}, **values)

    for option in (
        MAX_LINE,
        click.option(
            "--from",
            "format",
            type=click.Choice(["columns", "conllu"]),
            help="The format of FILE.  [default: conllu if it is named .conllu, else columns; of standard input that "
            "of the model's training]",
        ),
        click.option(
            "--columns",
            type=COLUMNS,
            help="The columns that templates look at as 0, 1, ...  [default: these; in CoNLL-U form]",
        ),
        click.option(
            "--tag",
            type=COLUMN,
            help="The column with the tags, from 0, or from -1 for the last; CoNLL-U has names.  [default: -1; upos]",
        ),
    ):
        called = option(called)
    return called
