"""`rosenblatt convert`: svmlight text, CSV, Parquet and Arrow, one as the other."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import NewFile, WithExamples
from rosenblatt.doors.cli.data_file import DATA_FILE, reads_data_as_it_is
from rosenblatt.doors.cli.export import FORMATS as EXPORTS
from rosenblatt.services.files.format import TABLES, format_of, kind_of
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Data

ROWS = 256  # of a wide sparse matrix that are written at a time


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt convert and.csv and.svm
        rosenblatt convert data.svm data.csv.gz
        rosenblatt convert walks.csv walks.parquet
        rosenblatt convert data.svm - --to csv
    """,
)
@click.argument("file", type=DATA_FILE)
@click.argument("out", type=NewFile(allow_dash=True))
@click.option("--to", type=click.Choice(("svmlight", *TABLES)), help="The format of OUT.  [default: by its name]")
@reads_data_as_it_is
def convert(file: str, out: str, files: Reading, to: str | None) -> None:
    """Write data in another format.

    Data are svmlight text, or a table: .csv, .tsv, .parquet or .arrow, by the names of FILE and OUT; a name in .gz,
    .bz2, .xz or .zst is compressed. A table has its labels in the last column, and stays a table of numbers and texts.
    As svmlight text, whose indices begin with 1, it has the features that `rosenblatt train` makes; its numbers stay
    as they are unless --standardise is given. For a model see `rosenblatt export`.
    """
    if file != "-" and kind_of(file) == "model":
        raise click.UsageError(f"{file}: expected data, found a model: rosenblatt export {file} -o {out}")
    if to is None and Path(out).suffix in EXPORTS:
        raise click.UsageError(f"{file}: expected a model, of which {out} could be made, found data")
    form = to or format_of(out, "svmlight")
    if form == "svmlight":
        from rosenblatt.services.files.svmlight_writer import write_svmlight

        data = files.read(file)
        write_svmlight(data.X, data.y, out, zero_based=False)
        return
    from rosenblatt.services.files.table_file import write_table

    table = files.table(file)
    write_table(out, of_rows(files.read(file), files.label) if table is None else [of_table(table, files)], form)


def of_rows(data: Data, label: str | None) -> Iterator[dict[str, Any]]:
    """The columns of sparse rows and their labels, a block of rows at a time."""
    names = data.feature_names
    last = label or ("label" if "label" not in names else "label of the row")
    for first in range(0, len(data.y), ROWS):
        X = data.X[first : first + ROWS].toarray()
        yield {**dict(zip(names, X.T, strict=True)), last: data.y[first : first + ROWS]}


def of_table(table: Any, files: Reading) -> dict[str, Any]:
    """The columns of a table, each with its own type: numbers or texts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are about training, and nothing is trained here
        # A missing value stays missing: what it would become in training does not matter.
        encoding = files.learn_encoding(lambda: iter([table]), missing="zero", dates="category")
    signs = dict(zip(encoding.numbers.names, encoding.numbers.units, strict=True))
    known = {*encoding.columns}
    columns = {
        name: table.numbers(name, signs[name]) if name in signs else table.texts(name)
        for name in table.names
        if name in known
    }
    return {**columns, encoding.parameters.label: encoding.labels(table)}
