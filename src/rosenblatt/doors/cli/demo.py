"""`rosenblatt demo`: a tour of the program on files that come with it: each command, and what it prints.

The program runs each command exactly as it is shown, in a folder of its own.
"""

import io
import re
import shlex
import sys
import tempfile
import textwrap
from contextlib import chdir, redirect_stdout
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import NO, WithExamples

TOUR = {
    "1. The lecture's AND function: every update of the perceptron": (
        "rosenblatt trace and.csv --updates-only --columns pass,example,x,y,score,why,after",
        "rosenblatt train and.csv --no-shuffle --model and.safetensors",
        "rosenblatt predict and.safetensors and.csv --scores",
    ),
    "2. Is it separable? With a proof, which anyone can check": (
        "rosenblatt certify and.csv -o proof.json",
        "rosenblatt verify proof.json and.csv",
        "rosenblatt certify xor.csv",
    ),
    "3. Handwritten digits: choose, train, test": (
        "rosenblatt inspect digits.svm",
        "rosenblatt compare digits.svm",
        "rosenblatt tune digits.svm --try readout=last,average --try max_iter=1,5,25",
        "rosenblatt train digits.svm --readout average --max-iter 25 --model digits.safetensors",
        "rosenblatt evaluate digits.safetensors digits-test.svm",
    ),
    "4. A page in which points can be dragged (open it in a browser), and pictures": (
        "rosenblatt studio and.csv -o studio.html",
        "rosenblatt plot boundary and.csv --model and.safetensors -o boundary.png",
        "rosenblatt plot squeeze and.csv -o squeeze.png",
    ),
    "5. Your sentence: parts of speech and chunks, learned from 57 sentences": (
        "rosenblatt tag train sentences.conll --tag 1 --model pos.safetensors",
        "rosenblatt tag train sentences.conll --templates chunk --model chunks.safetensors",
        "rosenblatt tag run pos.safetensors sentence.txt -o tagged.txt",
        "rosenblatt tag run chunks.safetensors tagged.txt",
    ),
    "6. From the text as you typed it to its tree, learned from 58 trees": (
        "rosenblatt text train treebank.conllu --model en.safetensors",
        "rosenblatt text run en.safetensors text.txt -o parsed.conllu",
        "rosenblatt parse draw parsed.conllu",
    ),
}
SENTENCE = "The old dog watches a small cat in the garden."
TOKEN = re.compile(r"\w+(?:[-']\w+)*|[^\w\s]")

NEXT = """\
rosenblatt trace and.csv --exact --eta0 1/3     every step, in fractions
rosenblatt plot steps and.csv -o steps.svg      the same, drawn; a .gif moves
rosenblatt export digits.safetensors -o d.json    the weights, for others
rosenblatt tag eval chunks.safetensors sentences.conll    what a tagger finds
rosenblatt parse draw parsed.conllu --sentence 1    the tree of one sentence
rosenblatt --help                               all verbs; each has a --help
"""


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt demo
        rosenblatt demo tour
        rosenblatt demo --sentence "She reads a letter from the old sailor."
    """,
)
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--sentence", help="A sentence to tag and parse.  [default: you are asked for one, on a terminal]")
def demo(folder: Path | None, sentence: str | None) -> None:
    """Show the program at work, on files that come with it.

    It shows every update of a run, a training, proofs, real data, pictures, and a sentence of yours, tagged and parsed.
    The files are written to FOLDER, a new one, or to a temporary folder; they stay there for you to use.
    """
    if sentence is not None and not TOKEN.search(sentence):
        raise click.UsageError(f"--sentence: expected words, found {sentence!r}")
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="rosenblatt-"))
    else:
        folder.mkdir()
    for path in (files("rosenblatt.data") / "shipped").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    for name in ("sentences.conll", "treebank.conllu"):
        (folder / name).write_bytes((files("rosenblatt.data") / name).read_bytes())
    with chdir(folder):
        for title, commands in TOUR.items():
            click.secho(f"{title}\n{'-' * len(title)}", bold=True)
            for command in commands:
                if "rosenblatt plot" in command and not _can_draw():
                    break
                if "sentence.txt" in command:
                    _write_sentence(sentence or _ask())
                _show(command)
    click.secho("What to try next\n----------------", bold=True)
    click.echo(f"cd {folder}   # the files and pictures\n{NEXT}", nl=False)


def _write_sentence(sentence: str) -> None:
    """Write a file with one token in each line, and another with the sentence as it is."""
    Path("sentence.txt").write_text("".join(f"{token}\n" for token in TOKEN.findall(sentence)), encoding="utf-8")
    Path("text.txt").write_text(f"{sentence}\n", encoding="utf-8")


def _ask() -> str:
    """Return what the user types, or the sentence that is shown if there is no terminal to type on."""
    if sys.stdin is None or not sys.stdin.isatty():
        return SENTENCE
    typed = str(click.prompt("An English sentence to tag", default=SENTENCE))
    click.echo()
    return typed if TOKEN.search(typed) else SENTENCE


def _show(command: str) -> None:
    """Print a command, run it, and print its output. Lines that are longer than a terminal are folded."""
    from rosenblatt.doors.cli.program import run

    click.secho("$ " + " \\\n".join(_fold(command, 76)), bold=True)
    with io.TextIOWrapper(io.BytesIO(), encoding="utf-8") as out, redirect_stdout(out):
        code = run(shlex.split(command)[1:])
        out.seek(0)
        lines = out.read().splitlines()
    for line in lines:
        click.echo("\n".join(_fold(line, 80)))
    if code == NO:
        click.echo("(exit code 3: the answer is no)")
    elif code:
        raise click.exceptions.Exit(code)
    click.echo()


def _fold(line: str, width: int) -> list[str]:
    as_it_is: Any = {"break_on_hyphens": False, "expand_tabs": False, "replace_whitespace": False}
    return textwrap.wrap(line, width, subsequent_indent="    ", **as_it_is) or [""]


def _can_draw() -> bool:
    try:
        from rosenblatt.services.lessons.plot.canvas import pyplot

        pyplot()
    except ImportError as error:
        click.echo(f"{error}\n")
        return False
    return True
