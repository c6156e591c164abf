"""`rosenblatt explain`: the words of a text that decide what a model of texts answers."""

import os
import sys
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.doors.cli.command import NewFile, WithExamples, as_json, print_json, writing
from rosenblatt.doors.cli.data_file import file_argument, reads_like_the_model
from rosenblatt.doors.cli.model import load_model, model_argument
from rosenblatt.doors.cli.predict import label_text, rows_like_the_model
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Schema

if TYPE_CHECKING:  # both import numpy, which --help does without
    from rosenblatt.members.linear.text.reasons import Reasons
    from rosenblatt.services.files.encoding.reasons import RowReason

STRONG = 0.5  # of the largest share of a text: a word with more stands out in a terminal
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Why these labels?</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
html { background: #f5f6f8; color: #191c22; }
@media (prefers-color-scheme: dark) { html { background: #14161a; color: #e7e9ee; } }
body { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1rem; font: 16px/1.7 system-ui, "Liberation Sans", sans-serif }
section { padding: 0.5rem 0; border-top: 1px solid #868d9a; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1.1rem; }
section p { margin: 0.25rem 0; white-space: pre-wrap; }
</style>
</head>
<body>
<main>
<h1>Why these labels?</h1>
<p>A word for the label has a solid line under it, a word against it a dotted one. The stronger the colour, the larger
its share of the score.</p>
"""


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt explain colours.safetensors colours.csv
        rosenblatt explain colours.safetensors colours.csv --top 3 --json
        rosenblatt explain colours.safetensors colours.csv --html why.html
    """,
)
@model_argument()
@file_argument()
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="How many words of each text.")
@click.option("--html", metavar="OUT", type=NewFile(), help="Write a page with the words coloured in the texts.")
@as_json
@reads_like_the_model
def explain(model: str, file: str, files: Reading, top: int, html: str | None, as_json: bool) -> None:
    """Show the words that decide the labels of texts.

    Prints the label that MODEL gives each text of FILE, and the words that decided.
    MODEL was trained on columns of text (train --text). After the label come the words that add most to its score, or
    subtract most from it, each with its amount. A terminal shows the text under it: words that add are underlined, and
    cyan; others are yellow; those that decide most are in reverse. The variable NO_COLOR turns this off.
    """
    if html is not None and as_json:
        raise click.UsageError("--html, --json: expected one of them, found both")
    classifier, known = load_model(model)
    if not hasattr(classifier, "explain"):
        raise ValueError(f"{model}: expected a model of texts (train --text), found a {classifier.kind}")
    explained = _explain(classifier, known, rows_like_the_model(known, file, files), top)
    if html is not None:
        with writing(html) as put:
            put(PAGE)
            for label, texts, reasons in explained:
                put(_section(label, texts, [_reason(reason, several=len(texts) > 1) for reason in reasons]))
            put("</main>\n</body>\n</html>\n")
    elif as_json:
        result = [{"label": label, "reasons": reasons} for label, _, reasons in explained]
        print_json({"classes": known.classes.tolist(), "texts": result})
    else:
        coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        for label, texts, reasons in explained:
            several = len(texts) > 1
            head = click.style(label_text(label), bold=True) if coloured else label_text(label)
            click.echo("\t".join([head, *(_reason(reason, several=several) for reason in reasons)]))
            if coloured:
                for name, text in texts.items():
                    click.echo(f"  {f'{name}: ' if several else ''}{_terminal_text(text)}")


def _explain(
    classifier: Any, known: Schema, blocks: Iterator[Any], top: int
) -> "Iterator[tuple[Any, dict[str, Reasons], list[RowReason]]]":
    """Of each row its label, its texts by their columns, and what decided most: words, and cells of other columns."""
    from rosenblatt.services.files.encoding.reasons import reasons_of

    for rows in blocks:
        for k, [(label, _)] in enumerate(classifier.top(rows, 1)):
            yield label, *reasons_of(classifier, known.encoding, rows[k : k + 1], label, top)


def _reason(reason: "RowReason", *, several: bool) -> str:
    """A word, or another column, and what it adds; the column of a word too, if there are several columns of text."""
    word, column = reason["word"], reason["column"]
    name: str = column if word is None else f"{column}: {word}" if several else word
    return f"{name} {reason['share']:+.2f}"


def _terminal_text(text: "Reasons") -> str:
    """The text for a terminal, in one line, without characters that could steer the terminal."""
    parts = list[str]()
    for piece, share in text.pieces():
        shown = "".join(character if character.isprintable() else " " for character in piece)
        looks: dict[str, Any] = {"fg": "cyan", "underline": True} if share > 0 else {"fg": "yellow"}
        if abs(share) >= STRONG:
            looks["reverse"] = True
        parts.append(click.style(shown, **looks) if share else shown)
    return "".join(parts)


def _section(label: Any, texts: "dict[str, Reasons]", reasons: list[str]) -> str:
    named = [f"{escape(name)}: " if len(texts) > 1 else "" for name in texts]
    shown = [f"<p>{name}{text.marked_text()}</p>\n" for name, text in zip(named, texts.values(), strict=True)]
    words = escape(", ".join(reasons))
    return f"<section>\n<h2>{escape(label_text(label))}</h2>\n{''.join(shown)}<p>{words}</p>\n</section>\n"
