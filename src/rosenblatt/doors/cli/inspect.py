"""`rosenblatt inspect`: what is in this file? A model, a proof, a table or rows."""

from reprlib import Repr
from typing import Any

import click

from rosenblatt.base.numbers import shortened
from rosenblatt.doors.cli.command import WithExamples, as_json, print_facts, print_json
from rosenblatt.doors.cli.data_file import file_argument, reads_data
from rosenblatt.doors.cli.inspect_model import as_lines as weights_as_lines
from rosenblatt.doors.cli.inspect_model import of_model
from rosenblatt.doors.cli.inspect_table import as_lines as columns_as_lines
from rosenblatt.doors.cli.inspect_table import of_table
from rosenblatt.services.files.format import kind_of
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Data

_ABRIDGED = Repr()  # the columns and the categories of an encoding, without whole texts
_ABRIDGED.maxstring, _ABRIDGED.maxlist, _ABRIDGED.maxdict = 60, 20, 20


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt inspect data.svm
        rosenblatt inspect walks.csv
        rosenblatt inspect model.safetensors --top 5
        rosenblatt inspect proof.json --json
    """,
)
@file_argument()
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many of the largest weights of a model are shown, of each class.",
)
@as_json
@reads_data
def inspect(file: str, files: Reading, top: int, as_json: bool) -> None:
    """Say what is in FILE: a model, a proof, a table or rows.

    Of a table all columns are listed, whatever is in them: their types, how many values are missing, how many are
    different, and which they are. The options for tables say what training would make of it. Of a model its largest
    weights are shown, by the names of the features.
    """
    kind, lines = kind_of(file), list[str]()
    if kind == "model":
        result = of_model(file, top)
        lines = weights_as_lines(result)
    elif kind == "proof":
        result = of_proof(file)
    elif files.form(file) != "svmlight":
        kind, result = "table", of_table(file, files)
        lines = ["", *columns_as_lines(result["columns"])]
    else:
        result = of_data(files.read(file))
    result = {"file": kind, **result}
    if as_json:
        print_json(result)
        return
    hidden = {"columns", "weights", *(name for name, value in result.items() if kind == "table" and value is None)}
    print_facts({name: _shown(value) for name, value in result.items() if name not in hidden})
    for line in lines:
        click.echo(line)


def of_proof(path: str) -> dict[str, Any]:
    """What a certificate says; whether that is right, only `rosenblatt verify` tells."""
    from rosenblatt.doors.cli.proof_file import read_certificate, summary

    return summary(read_certificate(path))


def of_data(data: Data) -> dict[str, Any]:
    """Rows, features, values that are not 0, and how many rows each class has."""
    import numpy as np

    n_rows, n_features = data.X.shape
    values = int(np.count_nonzero(data.X.data if hasattr(data.X, "toarray") else data.X))
    labels, counts = np.unique(data.y, return_counts=True)
    return {
        "n_rows": n_rows,
        "n_features": n_features,
        "n_values": values,
        "density": values / (n_rows * n_features),
        "classes": labels.tolist(),
        "counts": counts.tolist(),
        "feature_names": data.names,
    }


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_ABRIDGED.repr(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        first = [f"{one:.6g}" if isinstance(one, float) else shortened(one) for one in value[:20]]
        return ", ".join(first) + (f", ... ({len(value)})" if len(value) > 20 else "")
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:.6g}" if isinstance(value, float) else str(value)
