"""What a verb reads: rows and labels, from svmlight text or from a table, by the name of the file or as told."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple

import click

from rosenblatt.base.numbers import as_labels
from rosenblatt.doors.cli.data import Data, as_written, encoded
from rosenblatt.doors.cli.file_kind import kind_of
from rosenblatt.doors.cli.known import Known, as_targets
from rosenblatt.doors.cli.numbers import Typed
from rosenblatt.doors.cli.parameters import option_of
from rosenblatt.doors.cli.written import OPTIONS, split_off
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.format import TABLES, format_of, is_named

FORMATS = ("svmlight", *TABLES)
DATA_FILE = click.Path(dir_okay=False, allow_dash=True)


class DataFiles(NamedTuple):
    """How the files of a verb are to be read."""

    format: str | None
    delimiter: str | None
    label: str | None
    n_features: int | None
    zero_based: str
    written: dict[str, Any]
    table: dict[str, Any]

    def read(self, path: str, *, fractions: bool = False) -> Data:
        """Rows and labels; with `fractions` numbers of a table stay as written."""
        if not fractions or self.form(path) == "svmlight":
            import numpy as np

            data = self.read_all([path])
            return data._replace(y=np.asarray(data.y))
        table = self.read_table(path)
        encoding = self.encoding(table)
        data = encoded(encoding, encoding.transform(table), encoding.labels(table))
        return data._replace(X=as_written(data, table))

    def read_all(self, paths: list[str], *, numbers: bool = False) -> Data:
        """Rows and labels of files, in their order: one data set, with what is learned of tables learned of all.

        With `numbers` the labels are numbers, else those of a single table may be `NumberedLabels`.
        """
        if len(paths) == 1:
            return self._read_one(paths[0], numbers=numbers)
        tables = [self.read_table(path) for path in paths]
        if all(table is None for table in tables):
            from rosenblatt.services.files.svmlight import read_counted_files

            (X, y), zero_based = read_counted_files(paths, self.n_features, "float64", self._zero_based(None))
            _check_no_table(paths[0], X, y)
            return Data(X, as_targets(y, paths[0]) if numbers else as_labels(y), zero_based=zero_based)
        if any(table is None for table in tables):
            raise click.UsageError("expected files of one kind, found svmlight text and tables: see --from")
        encoding = self.encoding_of_blocks(lambda: iter(tables))
        if numbers:
            encoding = replace(encoding, label=replace(encoding.label, kind="number"))
        from rosenblatt.base.rows import stack_all

        parts = [encoded(encoding, encoding.transform(table), encoding.labels(table)) for table in tables]
        return parts[0]._replace(X=stack_all([part.X for part in parts]), y=stack_all([part.y for part in parts]))

    def _read_one(self, path: str, *, numbers: bool) -> Data:
        if self.form(path) == "svmlight":
            data = self._svmlight(path)
            return data._replace(y=as_targets(data.y, path)) if numbers else data
        encoding, X, table = self._learn_and_transform(path)
        if numbers:
            encoding = replace(encoding, label=replace(encoding.label, kind="number"))
        return encoded(encoding, X, encoding.numbered_labels(table))

    def encoding(self, table: Any, **given: Any) -> Any:
        """How a table becomes features, as told."""
        from rosenblatt.services.files.encoding import Encoding

        return Encoding.learn(self._parameters(table.names, **given), table)

    def _learn_and_transform(self, path: str) -> tuple[Any, Any, Any]:
        """The encoding of a file, the features, and what labels need of the table."""
        from itertools import chain

        from rosenblatt.services.files.encoding import Encoding

        ignored = self.table.get("ignore") or ()
        blocks = self.blocks(path, wanted=lambda name: name not in ignored)
        first = next(blocks)
        return Encoding.learn_and_transform(self._parameters(first.all_names), chain([first], blocks))

    def encoding_of_file(self, path: str) -> Any:
        """The encoding of a table that need not fit into memory, and is read again to learn from it."""
        from rosenblatt.services.files.encoding import Encoding

        first = next(self.blocks(path))
        return Encoding.learn_before(self._parameters(first.names), lambda wanted: self.blocks(path, wanted=wanted))

    def encoding_of_blocks(self, blocks: Callable[[], Iterator[Any]]) -> Any:
        """The same of blocks that can be asked for more than once."""
        from rosenblatt.services.files.encoding import Encoding

        return Encoding.learn(self._parameters(next(blocks()).names), blocks())

    def _parameters(self, names: list[str], **given: Any) -> Any:
        label = self.label if self.label is not None else names[-1]
        return EncodingParameters.of(label=label, **{**self.table, **given})

    def read_like(self, known: Known, path: str) -> Data:
        """Rows and labels of the same features and classes."""
        table = self.read_table(path, known)
        if table is None:
            data = self._svmlight(path, known)
            return data._replace(y=known.checked(known.labels(data.y, path), path))
        encoding = known.encoding_for(table, self.label, self.table.get("unknown"))
        labels = known.labels_in(table, encoding, self.label)
        y = known.checked(labels, path)
        return encoded(encoding, encoding.transform(table), y)

    def iter_rows(self, known: Known, path: str) -> Iterator[Any]:
        """Rows of the same features, block by block; a table may come without labels.

        Where nothing tells how svmlight text counts columns, all of it must be read first.
        """
        if self.form(path, known) != "svmlight":
            for encoding, table in self._tables_like(known, path, labels=False):
                yield encoding.transform(table)
        else:
            for X, _ in self._svmlight_like(known, path):
                yield X

    def iter_like(self, known: Known, path: str) -> Iterator[tuple[Any, Any]]:
        """The same rows with their labels, which the model need not know."""
        if self.form(path, known) != "svmlight":
            for encoding, table in self._tables_like(known, path, labels=True):
                labels = known.labels_in(table, encoding, self.label)
                yield encoding.transform(table), labels
        else:
            for X, y in self._svmlight_like(known, path):
                yield X, known.labels(y if y.dtype.kind == "U" else as_labels(y), path)

    def _tables_like(self, known: Known, path: str, *, labels: bool) -> Iterator[tuple[Any, Any]]:
        """Blocks of a table, and how they become features; where it is known which, with the needed columns alone."""
        encoding, needed = None, known.columns(self.label, labels=labels)
        for table in self.blocks(path, known, None if needed is None else needed.__contains__):
            encoding = encoding or known.encoding_for(table, self.label, self.table.get("unknown"))
            yield encoding, table

    def _svmlight_like(self, known: Known, path: str) -> Iterator[tuple[Any, Any]]:
        """Blocks of svmlight text."""
        if (zero_based := self._zero_based(known)) == "auto":
            data = self._svmlight(path, known)
            yield data.X, data.y
            return
        from rosenblatt.services.files.svmlight import iter_rows

        for X, y in iter_rows(path, n_features=known.n_features, zero_based=zero_based):
            _check_no_table(path, X, y)
            yield X, y

    def read_table(self, path: str, known: Known | None = None) -> Any:
        """The table, or None if the file is svmlight text."""
        form: Any = self.form(path, known)
        if form == "svmlight":
            return None
        from rosenblatt.services.files.table_file import table_of_file

        return table_of_file(path, **self._reading(form, known))

    def blocks(self, path: str, known: Known | None = None, wanted: Callable[[str], bool] | None = None) -> Any:
        """The same table, block by block, with the columns that are wanted."""
        from rosenblatt.services.files.table_file import iter_table

        return iter_table(path, **self._reading(self.form(path, known), known), wanted=wanted)

    def notation(self, known: Known | None = None) -> Any:
        """How the text of a table is written: as told, else as that which the model has learned from."""
        from rosenblatt.services.files.notation import Notation

        encoding = None if known is None else known.encoding
        return (Notation() if encoding is None else encoding.notation).but(**self.written)

    def _reading(self, form: str, known: Known | None) -> dict[str, Any]:
        """The words of the reader; a file that is like the model's need not have the labels."""
        encoding = None if known is None else known.encoding
        return {
            "format": None if form == "table" else form,
            "delimiter": self.delimiter,
            "notation": self.notation(known),
            "lacking": None if encoding is None else encoding.parameters.label,
        }

    def form(self, path: str, known: Known | None = None) -> str:
        """The format as told, by the name of the file or, where that says nothing, as the model has learned from.

        "table" is one of which only the beginning of the file will tell what kind it is.
        """
        check_standard_input(path)
        if kind_of(path) == "model":
            raise ValueError(f"{path}: expected data, found a model file")
        of_table = known is not None and known.encoding is not None
        unsaid = "csv" if self.delimiter else "table" if of_table and not is_named(path) else "svmlight"
        form = self.format or format_of(path, unsaid)
        if known is not None and of_table and form == "svmlight":
            raise known.no_table(path)
        return form

    def _zero_based(self, known: Known | None) -> Any:
        """--zero-based if given, else as in the file that the model was trained on."""
        of_the_model = None if known is None else known.zero_based
        return {"yes": True, "no": False}.get(self.zero_based, "auto" if of_the_model is None else of_the_model)

    def _svmlight(self, path: str, known: Known | None = None) -> Data:
        from rosenblatt.services.files.svmlight import read_counted

        n_features = self.n_features if known is None else known.n_features
        (X, y), zero_based = read_counted(path, n_features, "float64", self._zero_based(known))
        _check_no_table(path, X, y)
        return Data(X, as_labels(y), zero_based=zero_based)


def _check_no_table(path: str, X: Any, y: Any) -> None:
    if X.nnz == 0 and y.dtype.kind == "U" and "," in y[0]:
        raise ValueError(f"{path}: expected svmlight text, found {str(y[0])!r}; a CSV table is read with --from csv")


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


def _delimiter(text: str) -> str:
    """A character, or the name of one that is hard to type."""
    found = {"\\t": "\t", "tab": "\t"}.get(text, text)
    if len(found) != 1:
        raise ValueError(f"expected one character, or tab, found {text!r}")
    return found


OF_TABLES: dict[str, Any] = {
    "categorical": _COLUMNS,
    "text": _COLUMNS,
    "ignore": _COLUMNS,
    "missing": Typed("policy|column=policy,...", _missing),
    "unknown": None,
    "dates": None,
    "standardise": None,
    "ngrams": None,
    "hash_bits": None,
}  # parameters of an encoding, and how they are typed if their declaration does not tell


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
    help="The longest line of text that is read, and row of a CSV table.  [default: 16777216]",
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
        help="What is between the cells of a CSV table, as ; or tab.  [default: as in its first line]",
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


OF_A_MODEL = {
    "unknown": "What is done with a category that the model does not know: error, or ignore: it counts as none.  "
    "[default: as in training]"
}  # the parameters of an encoding that predict and evaluate may change


def _reads(options: list[click.Option], **defaults: Any) -> Callable[[Any], Any]:
    """Add the options of data files and these of tables; they come as one argument, `files`.

    `defaults`: what the verb has for those of tables that are left out.
    """

    def decorate(function: Any) -> Any:
        @wraps(function)
        def called(**values: Any) -> None:
            own = {name: values.pop(name) for name in DataFiles._fields if name not in ("table", "written")}
            own["written"] = split_off(values)
            given = {str(option.name): values.pop(str(option.name)) for option in options}
            table = defaults | {name: value for name, value in given.items() if value is not None}
            function(files=DataFiles(**own, table=table), **values)

        called.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(options)]  # type: ignore[attr-defined]
        for option in reversed((*OF_FILES, *OPTIONS)):
            called = option(called)
        return called

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
)  # for verbs that show arithmetic, or prove something of the numbers of a file
reads_like_the_model = _reads(
    [option_of(replace(_declared[name], default=None, text=text)) for name, text in OF_A_MODEL.items()]
)


def check_standard_input(path: str) -> None:
    """If it is to be read, there must be something to read."""
    if path == "-" and (sys.stdin is None or sys.stdin.isatty()):
        there = "closed" if sys.stdin is None else "a terminal"
        raise click.UsageError(f"expected a file, or data on standard input, which is {there} here")


def _expanded(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> list[str]:
    from rosenblatt.services.files.compressed import expand_names

    return expand_names(given or ("-",))


def files_argument() -> Any:
    """The data files, or patterns of their names; left out, it is standard input."""
    return click.argument("file", metavar="[FILE]...", type=DATA_FILE, nargs=-1, callback=_expanded)


def file_argument() -> Any:
    """The data file; left out, it is standard input."""
    return click.argument("file", type=DATA_FILE, default="-")
