"""The files that a verb reads: its arguments, and the options that say how. They become one `Reading`."""

import sys
from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps
from typing import Any

import click

from rosenblatt.doors.cli.parameters import Typed, option_of
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.notation import BLANKS, ENCODING_ERRORS, NA, ORDERS, Notation
from rosenblatt.services.files.reading import FORMATS, NOTATION, Reading


class DataFile(click.Path):
    """A file to be read, or `-` for standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return check_standard_input(str(super().convert(value, param, ctx)))


def check_standard_input(path: str) -> str:
    """Return the path. Standard input that is closed or a terminal is wrong usage, because nothing can be read."""
    if path == "-" and (sys.stdin is None or sys.stdin.isatty()):
        there = "closed" if sys.stdin is None else "a terminal"
        raise click.UsageError(f"expected a file, or data on standard input, which is {there} here")
    return path


DATA_FILE = DataFile(dir_okay=False, allow_dash=True)
AS_TRAINED = "[default: {}; of a model, as in training]"


def _word(name: str, metavar: str, read: Callable[[str], Any] = str) -> Typed:
    """The type of an option for a word of a `Notation`. A word that can never be right is wrong usage."""

    def check(text: str) -> Any:
        beside = {"decimal": ","} if name == "thousands" and text == "." else {}
        try:
            return getattr(Notation.of(**{**beside, name: read(text)}), name)
        except ValueError as error:
            raise ValueError(str(error).removeprefix(f"{name}: ")) from None

    return Typed(metavar, check)


def _texts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _groups(text: str) -> str:
    return BLANKS.get(text, text)


def _columns(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


POLICIES = ("error", "zero", "mean", "indicator")


def _missing(text: str) -> Any:
    """Read a policy for all columns, or a policy for each of some columns."""
    pairs = [part.rpartition("=") for part in text.split(",")]
    for _, _, policy in pairs:
        if policy.strip() not in POLICIES:
            raise ValueError(f"expected one of {', '.join(POLICIES)}, found {policy.strip()!r}")
    if "=" not in text:
        return text.strip()
    return {name.strip(): policy.strip() for name, _, policy in pairs}


_COLUMNS = Typed("column,...", _columns)


def _delimiter(text: str) -> str:
    """Read a character, or `tab`, which is hard to type."""
    character = {"\\t": "\t", "tab": "\t"}.get(text, text)
    if len(character) != 1:
        raise ValueError(f"expected one character, or tab, found {text!r}")
    return character


OF_TABLES: dict[str, Any] = {
    "categorical": _COLUMNS,
    "text": _COLUMNS,
    "ignore": _COLUMNS,
    "missing": Typed("policy|column=policy,...", _missing),
    "unknown": None,
    "dates": None,
    "standardise": None,
    "ngrams": None,
    "chars": None,
    "weighting": None,
    "bits": None,
}  # parameters of an encoding, with a type where the declaration has none


def _longest_line(ctx: click.Context, _: click.Parameter, size: int | None) -> None:
    if size is not None:
        from rosenblatt.services.files.blocks import longest_line

        ctx.with_resource(longest_line(size))


MAX_LINE = click.option(
    "--max-line",
    metavar="BYTES",
    type=click.IntRange(min=1),
    expose_value=False,
    callback=_longest_line,
    help="The maximum length of a line of text, or of a row of a CSV table.  [default: 16777216]",
)
OF_FILES = (
    click.option(
        "--from",
        "format",
        type=click.Choice(FORMATS),
        help="The format of FILE.  [default: by its name, else as that of the model's training, else svmlight]",
    ),
    click.option(
        "--delimiter",
        type=Typed("character", _delimiter),
        help="The character between the cells of a CSV table, such as ; or tab.  [default: as in its first line]",
    ),
    click.option("--label", metavar="COLUMN", help="The column of a table with the labels.  [default: the last]"),
    click.option(
        "--n-features",
        type=click.IntRange(min=1),
        help="The number of columns of svmlight text, if the largest index in FILE does not tell.",
    ),
    click.option(
        "--zero-based",
        type=click.Choice(["auto", "yes", "no"]),
        default="auto",
        show_default=True,
        callback=lambda _ctx, _param, word: {"yes": True, "no": False}.get(word, word),
        help="Whether the first column of svmlight text has index 0. auto: as in the file that the model was trained "
        "on, else if an index 0 occurs.",
    ),
    MAX_LINE,
)
OF_TEXT = (
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
        help=f"Words in a CSV table that mean a missing value, as empty cells do.  {AS_TRAINED.format(','.join(NA))}",
    ),
    click.option(
        "--decimal",
        type=_word("decimal", "character"),
        help=f"The decimal mark in a CSV table.  {AS_TRAINED.format('.')}",
    ),
    click.option(
        "--thousands",
        type=_word("thousands", "character", _groups),
        help=f"The mark between groups of digits in a CSV table: . or space or nbsp.  {AS_TRAINED.format('none')}",
    ),
    click.option(
        "--date-order",
        type=click.Choice(ORDERS),
        help="Whether 5/6/2024 in a CSV table has day or month first.  [default: text; of a model, as in training]",
    ),
    click.option(
        "--encoding",
        type=_word("encoding", "name"),
        help=f"The encoding of the characters of a CSV table, such as latin-1 or utf-16.  {AS_TRAINED.format('utf-8')}",
    ),
    click.option(
        "--encoding-errors",
        type=click.Choice(ENCODING_ERRORS),
        help=f"What bytes are that are no character: an error, or replaced by U+FFFD.  {AS_TRAINED.format('error')}",
    ),
)
OF_A_MODEL = {
    "unknown": "What is done with a category that the model does not know: error, or ignore: it counts as none.  "
    "[default: as in training]"
}  # the parameters of an encoding that predict and evaluate may change
_FIELDS = {field.name for field in fields(Reading)}


def _reads(options: list[click.Option], **defaults: Any) -> Callable[[Any], Any]:
    """Add the options of data files, and these options of tables. The verb gets one argument, `files`, a `Reading`.

    `defaults`: the values that the verb uses for options of tables that are left out.
    """

    def decorate(function: Any) -> Any:
        @wraps(function)
        def verb(**values: Any) -> None:
            def take(names: Any) -> dict[str, Any]:
                chosen = {name: values.pop(name) for name in names}
                return {name: value for name, value in chosen.items() if value is not None}

            notation, encoding = take(NOTATION), defaults | take([str(option.name) for option in options])
            words = take([name for name in values if name in _FIELDS])
            function(files=Reading(**words, notation_words=notation, encoding_words=encoding), **values)

        verb.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(options)]  # type: ignore[attr-defined]
        for option in reversed((*OF_FILES, *OF_TEXT)):
            verb = option(verb)
        return verb

    return decorate


_declared = EncodingParameters.declarations()
reads_data = _reads([option_of(_declared[name], kind) for name, kind in OF_TABLES.items()])
_AS_IT_IS = {"standardise": False}
reads_data_as_it_is = _reads(
    [
        option_of(replace(_declared[name], default=_AS_IT_IS.get(name, _declared[name].default)), kind)
        for name, kind in OF_TABLES.items()
    ],
    **_AS_IT_IS,
)  # for verbs that show arithmetic, or prove something about the numbers of a file
reads_like_the_model = _reads(
    [option_of(replace(_declared[name], default=None, text=text)) for name, text in OF_A_MODEL.items()]
)


def _expand(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> list[str]:
    from rosenblatt.services.files.compressed import expand_names

    return [str(path) for path in expand_names([check_standard_input(name) for name in names or ("-",)])]


def files_argument() -> Any:
    """The argument for data files or patterns of their names. If it is left out, standard input is read."""
    return click.argument("file", metavar="[FILE]...", type=DATA_FILE, nargs=-1, callback=_expand)


def file_argument() -> Any:
    """The argument for one data file. If it is left out, standard input is read."""
    return click.argument("file", type=DATA_FILE, default="-")
