"""`rosenblatt export`: a model as a page, a JavaScript module, an ONNX graph, or scikit-learn's numbers."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import click

from rosenblatt.doors.cli.command import NewFile, WithExamples, warn, write
from rosenblatt.doors.cli.model import model_argument

FORMATS = {".html": "page", ".mjs": "module", ".js": "module", ".onnx": "onnx", ".json": "sklearn"}
LARGE = 25_000_000  # bytes of a page that takes seconds to open


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt export colours.safetensors -o colours.html
        rosenblatt export colours.safetensors -o colours.html --title "Which colour?"
        rosenblatt export colours.safetensors -o colours.mjs
        rosenblatt export model.safetensors -o model.onnx
        rosenblatt export model.safetensors -o model.json
    """,
)
@model_argument()
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=NewFile(allow_dash=True),
    required=True,
    help="The file to write; - is stdout, which needs --to.",
)
@click.option(
    "--to",
    type=click.Choice(tuple(dict.fromkeys(FORMATS.values()))),
    help="The format.  [default: by the name of the file]",
)
@click.option("--title", help="The heading of a page, and the title of a module.  [default: names the labels]")
def export(model: str, output: str, to: str | None, title: str | None) -> None:
    """Write a model for another program.

    A model of texts (train --text) becomes .html, a page in one file that needs only a browser: type a text, see its
    label, the probabilities, and the words that decided. Or it becomes .mjs, a module for Node and browsers with one
    function. Both give the scores of this program, to the bit, and neither fetches or sends anything. A linear model
    becomes .onnx, an ONNX graph, or .json, the attributes of scikit-learn's linear models.
    """
    form = to or FORMATS.get(Path(output).suffix)
    if form is None:
        raise click.UsageError(f"{output}: a model becomes {', '.join(FORMATS)}, by the name of the file or --to")
    if title is not None and form not in ("page", "module"):
        raise click.UsageError(f"--title: expected a page or a module, found the format {form}")
    try:
        _export(model, output, form, title)
    except TypeError as error:  # a model of another kind
        raise ValueError(str(error).replace("model", model, 1)) from error


def _export(model: str, output: str, form: str, title: str | None) -> None:
    if form in ("page", "module"):
        from rosenblatt.services.export import to_module, to_page
        from rosenblatt.services.records.model_file import read

        stored, to_text = read(model), to_page if form == "page" else to_module
        text = to_text(stored.model, title=title, trained=_day_of(model))
        if len(text) > LARGE:
            warn(f"{output}: {len(text) / 1e6:.0f} MB take long to open")
        write(output, text)
        return
    from rosenblatt.doors.sklearn.model_file import load

    if form == "sklearn":
        from rosenblatt.services.export import sklearn_attributes

        write(output, f"{json.dumps(sklearn_attributes(load(model)))}\n")
        return
    from rosenblatt.services.export import to_onnx
    from rosenblatt.services.files.compressed import replace_file

    content = to_onnx(load(model))
    with replace_file(output) as file:
        file.write(content)


def _day_of(path: str) -> date:
    """The day on which a model file was written."""
    return datetime.fromtimestamp(Path(path).stat().st_mtime, UTC).date()
