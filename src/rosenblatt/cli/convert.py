"""`rosenblatt convert`: svmlight text to CSV and back, compressed as the name says; a model for other programs."""

from pathlib import Path

import click

from rosenblatt.cli.command import NewFile, WithExamples
from rosenblatt.cli.data_file import DATA_FILE, FORMATS, DataFiles, format_of, reads_data
from rosenblatt.cli.inspect import kind_of
from rosenblatt.cli.model import EXPORTS, export_model


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt convert and.csv and.svm
        rosenblatt convert data.svm data.csv.gz
        rosenblatt convert data.svm - --to csv
        rosenblatt convert model.safetensors model.onnx
        rosenblatt convert model.safetensors model.json
    """,
)
@click.argument("file", type=DATA_FILE)
@click.argument("out", type=NewFile(dir_okay=False, allow_dash=True))
@click.option(
    "--to", type=click.Choice((*FORMATS, *EXPORTS.values())), help="The format of OUT.  [default: by its name]"
)
@reads_data
def convert(file: str, out: str, files: DataFiles, to: str | None) -> None:
    """Write data or a model in another format.

    Data are svmlight text or CSV, by the names of FILE and OUT; a name in .gz, .bz2, .xz or .zst is compressed. Indices
    of svmlight text begin with 1, and a table has its labels in the last column. A model becomes .onnx, an ONNX graph,
    or .json, the attributes of scikit-learn's linear models.
    """
    if file != "-" and kind_of(file) == "model":
        export_model(file, out, to)
        return
    if (to or EXPORTS.get(Path(out).suffix)) in EXPORTS.values():
        raise click.UsageError(f"{file}: expected a model, of which {out} could be made, found data")
    data = files.read(file)
    if (to or format_of(out)) == "csv":
        from rosenblatt.cli.table import write_table

        label = files.label or ("label" if "label" not in data.feature_names else "label of the row")
        write_table(out, data.X, data.y.tolist(), [*data.feature_names, label])
    else:
        from rosenblatt.data.svmlight_writer import write_svmlight

        write_svmlight(data.X, data.y, out, zero_based=False)
