"""`rosenblatt convert`: svmlight text to CSV and back, compressed as the name says."""

import click

from rosenblatt.cli.command import NewFile, WithExamples
from rosenblatt.cli.data_file import DATA_FILE, FORMATS, DataFiles, format_of, reads_data


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt convert and.csv and.svm
        rosenblatt convert data.svm data.csv.gz
        rosenblatt convert data.svm - --to csv
    """,
)
@click.argument("file", type=DATA_FILE)
@click.argument("out", type=NewFile(dir_okay=False, allow_dash=True))
@click.option("--to", type=click.Choice(FORMATS), help="The format of OUT.  [default: by its name]")
@reads_data
def convert(file: str, out: str, files: DataFiles, to: str | None) -> None:
    """Write FILE as OUT: svmlight text or CSV, by their names.

    A name in .gz, .bz2, .xz or .zst is compressed. Indices of svmlight text begin with 1. A table has its labels in the
    last column.
    """
    data = files.read(file)
    if (to or format_of(out)) == "csv":
        from rosenblatt.cli.table import write_table

        label = files.label or ("label" if "label" not in data.feature_names else "label of the row")
        write_table(out, data.X, data.y.tolist(), [*data.feature_names, label])
    else:
        from rosenblatt.data.svmlight_writer import write_svmlight

        write_svmlight(data.X, data.y, out, zero_based=False)
