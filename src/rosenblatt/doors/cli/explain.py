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
    encoding = known.encoding
    several, result = encoding is not None and len(encoding.parameters.text) > 1, list[dict[str, Any]]()
    for rows in rows_like_the_model(known, file, files):
        for k, label in enumerate(classifier.predict(rows).tolist()):
            of_texts, of_others = classifier.explain_row(rows[k : k + 1], label)
            reasons = [
                {"word": r.word, "share": r.share, "begin": r.begin, "end": r.end, "column": name}
                for name, of_text in zip(classifier.given_texts, of_texts, strict=True)
                for r in of_text
            ]
            if encoding is not None and of_others:
                cells = encoding.cells_of([feature for feature, _ in of_others], rows.others[k : k + 1])
                pairs = zip(cells, of_others, strict=True)
                reasons += [
                    {"word": None, "share": share, "begin": None, "end": None, "column": cell}
                    for cell, (_, share) in pairs
                ]
            reasons = sorted(reasons, key=lambda reason: -abs(reason["share"]))[:top]
            if as_json:
                result.append({"label": label, "reasons": reasons})
            else:
                click.echo("\t".join([label_text(label), *(_reason(reason, several=several) for reason in reasons)]))
    if as_json:
        print_json({"classes": known.classes.tolist(), "texts": result})


def _reason(reason: dict[str, Any], *, several: bool) -> str:
    """A word, or another column, and what it adds; the column of a word too, if there are several columns of text."""
    word, column = reason["word"], reason["column"]
    name = column if word is None else f"{column}: {word}" if several else word
    return click.style(f"{name} {reason['share']:+.2f}", fg="green" if reason["share"] > 0 else "red")
