"""What a verb reads: rows and labels, from svmlight text or from a CSV table, by the name of the file or as told."""

import sys
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

COMPRESSED = {".gz", ".bz2", ".xz", ".zst", ".zstd"}
FORMATS = ("svmlight", "csv")
DATA_FILE = click.Path(dir_okay=False, allow_dash=True)


class Data(NamedTuple):
    """Rows, labels (None if the file has none) and, of a table, the names of the columns."""

    X: Any
    y: Any
    names: list[str] | None

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, x1, x2, ... if the file has none."""
        return self.names or [f"x{number}" for number in range(1, self.X.shape[1] + 1)]


class Known(NamedTuple):
    """What further files have to fit: the features, their names if the first file was a table, and the classes."""

    n_features: int
    names: list[str] | None
    classes: Any

    def labels(self, y: Any, path: str) -> Any:
        """Labels of a file as the model has them: if its classes are text, 1 is the class "1"."""
        text = self.classes.dtype.kind == "U"
        if not text and y.dtype.kind == "U":
            raise ValueError(f"{path}: expected numbers as labels, as before, found {sorted(set(y.tolist()))[-1]!r}")
        return y.astype(str) if text else y


def format_of(path: str) -> str:
    """By the name, without what says how it is compressed.

    >>> format_of("and.csv.gz"), format_of("rcv1.svm"), format_of("-")
    ('csv', 'svmlight', 'svmlight')
    """
    suffixes = [suffix for suffix in Path(path).suffixes[-2:] if suffix not in COMPRESSED]
    return "csv" if suffixes[-1:] == [".csv"] else "svmlight"


class DataFiles(NamedTuple):
    """How the files of a verb are to be read."""

    format: str | None
    label: str | None
    n_features: int | None
    zero_based: str

    def read(self, path: str, *, fractions: bool = False) -> Data:
        """Rows and labels; with `fractions` the numbers of a table stay as written."""
        return self._read(path, None, None, labelled=True, fractions=fractions)

    def read_like(self, known: Known, path: str) -> Data:
        """Rows and labels of the same features and classes."""
        data = self._read(path, known.n_features, known.names, labelled=True, fractions=False)
        return data._replace(y=known.labels(data.y, path))

    def read_rows(self, known: Known, path: str) -> Any:
        """Rows of the same features; a table may come without labels."""
        return self._read(path, known.n_features, known.names, labelled=False, fractions=False).X

    def _read(
        self, path: str, n_features: int | None, names: list[str] | None, *, labelled: bool, fractions: bool
    ) -> Data:
        if path == "-" and (sys.stdin is None or sys.stdin.isatty()):
            there = "closed" if sys.stdin is None else "a terminal"
            raise click.UsageError(f"expected a file, or data on standard input, which is {there} here")
        if (self.format or format_of(path)) == "csv":
            from rosenblatt.cli.table import Wanted, read_table

            table = read_table(path, Wanted(self.label, labelled, n_features, names), fractions=fractions)
            return Data(table.X, None if table.labels is None else as_labels(table.labels), table.names)
        from rosenblatt.data.svmlight import read_svmlight

        zero_based: Any = {"auto": "auto", "yes": True, "no": False}[self.zero_based]
        X, y = read_svmlight(path, n_features=n_features or self.n_features, zero_based=zero_based)
        if X.nnz == 0 and y.dtype.kind == "U" and "," in y[0]:
            raise ValueError(
                f"{path}: expected svmlight text, found {str(y[0])!r}; a CSV table is read with --from csv"
            )
        return Data(X, as_labels(y), None)


def as_labels(y: Any) -> Any:
    """Labels as numbers if all of them are, whole ones as ints; else as text.

    >>> as_labels(["1", "-1.0"]), as_labels(["1", "b"])
    (array([ 1, -1]), array(['1', 'b'], dtype='<U1'))
    """
    import numpy as np

    from rosenblatt.cli.numbers import exact

    labels = np.asarray(y)
    if labels.dtype.kind == "U":
        if any(exact(label) is None for label in labels.tolist()):
            return labels
        labels = np.array([exact(label) for label in labels.tolist()], dtype=np.float64)
    whole = labels.astype(np.int64) if bool((np.abs(labels) < 2**53).all()) else labels
    return whole if np.array_equal(whole, labels) else labels


def reads_data(function: Any) -> Any:
    """Add the options that say how data files are read; they come as one argument, `files`."""

    @wraps(function)
    def called(**values: Any) -> None:
        own = {name: values.pop(name) for name in DataFiles._fields}
        function(files=DataFiles(**own), **values)

    for option in (
        click.option(
            "--zero-based",
            type=click.Choice(["auto", "yes", "no"]),
            default="auto",
            show_default=True,
            help="Whether the first column of svmlight text has index 0. auto: if an index 0 occurs.",
        ),
        click.option(
            "--n-features",
            type=click.IntRange(min=1),
            help="The number of columns of svmlight text, if the largest index in FILE does not tell.",
        ),
        click.option(
            "--label", metavar="COLUMN", help="The column of a CSV table with the labels.  [default: the last]"
        ),
        click.option(
            "--from",
            "format",
            type=click.Choice(FORMATS),
            help="The format of FILE.  [default: by its name, csv or svmlight]",
        ),
    ):
        called = option(called)
    return called


def file_argument() -> Any:
    """The data file; left out, it is standard input."""
    return click.argument("file", type=DATA_FILE, default="-")
