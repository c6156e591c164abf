"""`rosenblatt explain`: the words of a text that decide what a model of texts answers."""

from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, as_json, print_json
from rosenblatt.doors.cli.data_file import file_argument, reads_like_the_model
from rosenblatt.doors.cli.model import load_model, model_argument
from rosenblatt.doors.cli.predict import label_text, rows_like_the_model
from rosenblatt.services.files.reading import Reading


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt explain colours.safetensors colours.csv
        rosenblatt explain colours.safetensors colours.csv --top 3 --json
    """,
)
@model_argument()
@file_argument()
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="How many words of each text.")
@as_json
@reads_like_the_model
def explain(model: str, file: str, files: Reading, top: int, as_json: bool) -> None:
    """Show the words that decide the labels of texts.

    Prints the label that MODEL gives each text of FILE, and the words that decided.
    MODEL was trained on a column of text (train --text). After the label come the words that add most to its score, or
    subtract most from it, each with its amount. In a terminal, words that add are green, the others red.
    """
    classifier, known = load_model(model)
    if not hasattr(classifier, "explain"):
        raise ValueError(f"{model}: expected a model of texts (train --text), found a {classifier.kind}")
    result = list[dict[str, Any]]()
    for texts in rows_like_the_model(known, file, files):
        for text, label in zip(texts.tolist(), classifier.predict(texts).tolist(), strict=True):
            reasons = sorted(classifier.explain(text, label), key=lambda reason: -abs(reason.share))[:top]
            if as_json:
                result.append({"label": label, "reasons": [reason._asdict() for reason in reasons]})
            else:
                words = [click.style(f"{r.word} {r.share:+.2f}", fg="green" if r.share > 0 else "red") for r in reasons]
                click.echo("\t".join([label_text(label), *words]))
    if as_json:
        print_json({"classes": known.classes.tolist(), "texts": result})
