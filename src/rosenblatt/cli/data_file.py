"""What a verb reads: rows and labels, from svmlight text or from a table, by the name of the file or as told."""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, NamedTuple

import click

from rosenblatt.cli.numbers import Typed
from rosenblatt.cli.parameters import member_of, option_of
from rosenblatt.data.format import TABLES, format_of
from rosenblatt.data.number import as_labels

FORMATS = ("svmlight", *TABLES)
DATA_FILE = click.Path(dir_okay=False, allow_dash=True)


class Data(NamedTuple):
    """Rows and labels; of a table, the names of the features (None if hashed) and how they were made.

    `zero_based`: whether svmlight text counts columns from 0.
    """

    X: Any
    y: Any
    names: list[str] | None = None
    encoding: Any = None
    zero_based: bool | None = None

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, x1, x2, ... if the file has none."""
        return self.names or [f"x{number}" for number in range(1, self.X.shape[1] + 1)]


class Known(NamedTuple):
    """What further files have to fit: the features, their names or how a table becomes them, and the classes."""

    n_features: int
    names: list[str] | None
    classes: Any
    encoding: Any = None
    zero_based: bool | None = None

    def labels(self, y: Any, path: str) -> Any:
        """Labels of a file as the model has them: if its classes are text, 1 is the class "1"."""
        text = self.classes.dtype.kind == "U"
        if not text and y.dtype.kind == "U":
            raise ValueError(f"{path}: expected numbers as labels, as before, found {sorted(set(y.tolist()))[-1]!r}")
        return y.astype(str) if text else y

    def encoding_for(self, table: Any, label: str | None) -> Any:
        """That of the model or, if it has none, one that takes numbers as they are."""
        if self.encoding is not None:
            return self.encoding
        from rosenblatt.encoding import Encoding

        names = self.names or [name for name in table.names if name != label][: self.n_features]
        if len(names) != self.n_features or (self.names is None and len(table.names) > self.n_features + 1):
            raise table.error(0, None, f"{self.n_features} columns of numbers", str(len(table.names)))
        return Encoding.of_numbers(names)

    def labels_in(self, table: Any, encoding: Any, label: str | None) -> Any:
        """The labels of a table: from the column that is told, that of the training, or the only one left."""
        from rosenblatt.encoding.columns import Label

        others = [name for name in table.names if name not in encoding.columns]
        column = label or encoding.parameters.label or (others[0] if len(others) == 1 else None)
        if column is None:
            raise table.error(0, None, "a column of labels besides those of the features", ", ".join(table.names))
        return Label(column, {"U": "text", "O": "text", "f": "number"}.get(self.classes.dtype.kind, "whole")).encode(
            table
        )


class DataFiles(NamedTuple):
    """How the files of a verb are to be read."""

    format: str | None
    label: str | None
    n_features: int | None
    zero_based: str
    table: dict[str, Any]

    def read(self, path: str, *, fractions: bool = False) -> Data:
        """Rows and labels; with `fractions` the numbers of a table stay as written."""
        table = self.read_table(path)
        if table is None:
            return self._svmlight(path)
        encoding = self.encoding(table)
        data = encoded(encoding, table, encoding.labels(table))
        return data._replace(X=_as_written(data, table)) if fractions else data

    def encoding(self, table: Any, **given: Any) -> Any:
        """How a table becomes features, as told."""
        from rosenblatt.encoding import Encoding

        return Encoding.learn(self._parameters(table.names, **given), table)

    def encoding_of_file(self, path: str) -> Any:
        """The same of a table that need not fit into memory."""
        from rosenblatt.data.table import iter_table
        from rosenblatt.encoding import Encoding

        form: Any = self.format
        names = next(iter_table(path, format=form)).names
        return Encoding.learn(self._parameters(names), iter_table(path, format=form))

    def _parameters(self, names: list[str], **given: Any) -> Any:
        from rosenblatt.encoding.parameters import EncodingParameters

        label = self.label if self.label is not None else names[-1]
        return EncodingParameters.checked(label=label, **{**self.table, **given})

    def read_like(self, known: Known, path: str) -> Data:
        """Rows and labels of the same features and classes."""
        table = self.read_table(path)
        if table is None:
            data = self._svmlight(path, known)
            return data._replace(y=known.labels(data.y, path))
        encoding = known.encoding_for(table, self.label)
        return encoded(encoding, table, known.labels_in(table, encoding, self.label))

    def iter_rows(self, known: Known, path: str) -> Iterator[Any]:
        """Rows of the same features, block by block; a table may come without labels.

        Where nothing tells how svmlight text counts columns, all of it must be read first.
        """
        form: Any = self._form(path)
        if form != "svmlight":
            from rosenblatt.data.table import iter_table

            encoding = None
            for table in iter_table(path, format=form):
                encoding = encoding or known.encoding_for(table, self.label)
                yield encoding.transform(table)
        elif (zero_based := self._zero_based(known)) == "auto":
            yield self._svmlight(path, known).X
        else:
            from rosenblatt.data.svmlight import iter_rows

            for X, y in iter_rows(path, n_features=known.n_features, zero_based=zero_based):
                _check_no_table(path, X, y)
                yield X

    def read_table(self, path: str) -> Any:
        """The table, or None if the file is svmlight text."""
        form: Any = self._form(path)
        if form == "svmlight":
            return None
        from rosenblatt.data.table import read_table

        return read_table(path, format=form)

    def _form(self, path: str) -> str:
        check_standard_input(path)
        return self.format or format_of(path, "svmlight")

    def _zero_based(self, known: Known | None) -> Any:
        """--zero-based if given, else as in the file that the model was trained on."""
        of_the_model = None if known is None else known.zero_based
        return {"yes": True, "no": False}.get(self.zero_based, "auto" if of_the_model is None else of_the_model)

    def _svmlight(self, path: str, known: Known | None = None) -> Data:
        from rosenblatt.data.svmlight import read_counted

        n_features = self.n_features if known is None else known.n_features
        (X, y), zero_based = read_counted(path, n_features, "float64", self._zero_based(known))
        _check_no_table(path, X, y)
        return Data(X, as_labels(y), zero_based=zero_based)


def _check_no_table(path: str, X: Any, y: Any) -> None:
    if X.nnz == 0 and y.dtype.kind == "U" and "," in y[0]:
        raise ValueError(f"{path}: expected svmlight text, found {str(y[0])!r}; a CSV table is read with --from csv")


def encoded(encoding: Any, table: Any, y: Any) -> Data:
    """The features of a table, with its labels."""
    names = None if encoding.texts.names else encoding.feature_names()
    return Data(encoding.transform(table), y, names, encoding)


def _as_written(data: Data, table: Any) -> Any:
    """The rows with the numbers of the table as they are written there."""
    numbers = data.encoding.numbers
    if any(numbers.mean) or any(scale != 1 for scale in numbers.scale):
        raise click.UsageError("--standardise: numbers that are to stay as written cannot be scaled")
    X = (data.X.toarray() if hasattr(data.X, "toarray") else data.X).astype(object)
    for place, (name, fill) in enumerate(zip(numbers.names, numbers.fill, strict=True)):
        X[:, place] = [fill if number is None else number for number in table.fractions(name)]
    return X


def _columns(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


POLICIES = ("error", "zero", "mean", "indicator")


def _missing(text: str) -> Any:
    """A policy, or columns with a policy each."""
    pairs = [part.rpartition("=") for part in text.split(",")]
    for _, _, policy in pairs:
        if policy.strip() not in POLICIES:
            raise ValueError(f"expected one of {', '.join(POLICIES)}, found {policy.strip()!r}")
    if "=" not in text:
        return text.strip()
    return {name.strip(): policy.strip() for name, _, policy in pairs}


_COLUMNS = Typed("column,...", _columns)
OF_TABLES: dict[str, Any] = {
    "categorical": _COLUMNS,
    "text": _COLUMNS,
    "ignore": _COLUMNS,
    "missing": Typed("policy|column=policy,...", _missing),
    "unknown": None,
    "standardise": None,
    "ngrams": None,
    "hash_bits": None,
}  # parameters of an encoding, and how they are typed if their declaration does not tell


def _longest_line(ctx: click.Context, _: click.Parameter, size: int | None) -> None:
    if size is not None:
        from rosenblatt.data.blocks import longest_line

        ctx.with_resource(longest_line(size))


MAX_LINE = click.option(
    "--max-line",
    metavar="BYTES",
    type=click.IntRange(min=1),
    expose_value=False,
    callback=_longest_line,
    help="The longest line of text that is read, and row of a CSV table.  [default: 16777216]",
)
OF_FILES = (
    click.option(
        "--from",
        "format",
        type=click.Choice(FORMATS),
        help="The format of FILE.  [default: by its name, else svmlight]",
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
        help="Whether the first column of svmlight text has index 0. auto: as in the file that the model was trained "
        "on, else if an index 0 occurs.",
    ),
    MAX_LINE,
)


def _reads(*, tables: bool) -> Callable[[Any], Any]:
    """Add the options of data files; they come as one argument, `files`. `tables`: also how a table is encoded."""

    def decorate(function: Any) -> Any:
        @wraps(function)
        def called(**values: Any) -> None:
            own = {name: values.pop(name) for name in DataFiles._fields if name != "table"}
            given = {name: values.pop(name) for name in (OF_TABLES if tables else ())}
            table = {name: value for name, value in given.items() if value is not None}
            function(files=DataFiles(**own, table=table), **values)

        declared = member_of("TableEncoding").declared()
        encoded = [option_of(declared[name], kind) for name, kind in OF_TABLES.items()] if tables else []
        called.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(encoded)]  # type: ignore[attr-defined]
        for option in reversed(OF_FILES):
            called = option(called)
        return called

    return decorate


reads_data = _reads(tables=True)
reads_like_the_model = _reads(tables=False)


def check_standard_input(path: str) -> None:
    """If it is to be read, there must be something to read."""
    if path == "-" and (sys.stdin is None or sys.stdin.isatty()):
        there = "closed" if sys.stdin is None else "a terminal"
        raise click.UsageError(f"expected a file, or data on standard input, which is {there} here")


def file_argument() -> Any:
    """The data file; left out, it is standard input."""
    return click.argument("file", type=DATA_FILE, default="-")
