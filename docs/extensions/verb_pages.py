"""The pages of the command line, one a verb, which sphinx-click fills: with the examples and sections of `--help`."""

import re
from pathlib import Path
from typing import Any

import click
from write_pages import write_pages

from rosenblatt.doors.cli.command import WithExamples
from rosenblatt.doors.cli.program import VERBS, program


def page(verb: str) -> str:
    """The text of its page."""
    return f".. click:: rosenblatt.doors.cli.{VERBS[verb]}:{verb}\n   :prog: rosenblatt {verb}\n   :nested: full\n"


def index() -> str:
    """The page of the program: what holds for all verbs, and what each is for."""
    ctx = click.Context(program)
    verbs = {verb: program.get_command(ctx, verb) for verb in VERBS}
    rows = [
        f"   * - :doc:`{verb}`\n     - {command.get_short_help_str(200)}" for verb, command in verbs.items() if command
    ]
    head = ".. click:: rosenblatt.doors.cli.program:program\n   :prog: rosenblatt\n   :nested: none\n"
    table = ".. rubric:: Verbs\n\n.. list-table::\n   :widths: 20 80\n\n" + "\n".join(rows)
    toctree = ".. toctree::\n   :hidden:\n\n" + "\n".join(f"   {verb}" for verb in VERBS)
    return "\n\n".join([head, table, toctree, ""])


def write(app: Any) -> None:
    """All pages."""
    pages = {f"{verb}.rst": page(verb) for verb in VERBS}
    write_pages(Path(app.srcdir, "reference/program"), {"index.rst": index(), **pages})


def with_examples(_: Any, ctx: click.Context, lines: list[str]) -> None:
    """After the usage, the examples."""
    if isinstance(ctx.command, WithExamples):
        lines += ["", ".. rubric:: Examples", "", ".. code-block:: console", "   :class: wrapped", ""]
        lines += [f"   $ {line}" for line in ctx.command.examples] + [""]


def in_sections(_: Any, ctx: click.Context, lines: list[str]) -> None:
    """The options as `--help` shows them: section after section, and what is in none first, under Options."""
    if not lines or not isinstance(ctx.command, WithExamples):
        return
    section_of = {name: title for title, names in ctx.command.sections.items() for name in names}
    found: dict[str, list[str]] = {"": [], **{title: [] for title in ctx.command.sections}}
    for option in re.split(r"^(?=\.\. option:: )", "\n".join(lines), flags=re.MULTILINE):
        names = re.findall(r"--?([\w-]+)", option.partition("\n")[0])
        title = next((section_of[name] for name in names if name in section_of), "")
        found[title].append(option)
    lines[:] = "".join(
        (f".. rubric:: {title}\n\n" if title and options else "") + "\n".join(options) + "\n\n"
        for title, options in found.items()
    ).splitlines()


def without_arguments(_: Any, __: click.Context, lines: list[str]) -> None:
    """The usage names them, and the description says what they are."""
    lines.clear()


def setup(app: Any) -> dict[str, bool]:
    """For Sphinx."""
    app.connect("builder-inited", write)
    app.connect("sphinx-click-process-usage", with_examples)
    app.connect("sphinx-click-process-options", in_sections)
    app.connect("sphinx-click-process-arguments", without_arguments)
    return {"parallel_read_safe": True}
