"""`rosenblatt trace`: every visit of a run as the lecture's table; or a student's table held against it."""

import sys
from typing import Any

import click

from rosenblatt.cli.command import WithExamples, answer_is_no, output, write
from rosenblatt.cli.data_file import DATA_FILE, DataFiles, file_argument, reads_data
from rosenblatt.cli.numbers import COUNTS
from rosenblatt.cli.parameters import TRACED, settled, with_parameters

FORMATS = ("text", "csv", "json", "latex", "html")


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt trace and.csv
        rosenblatt trace and.csv --max-iter 1 --tie negative --updates-only
        rosenblatt trace and.csv --first 2 --columns example,score,after
        rosenblatt trace and.csv --exact --init 1/2,0,0 --eta0 1/10 --format csv
        rosenblatt trace and.csv --check answers.csv
    """,
)
@file_argument()
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How the table is written."
)
@click.option("--columns", help="Columns of the table, as pass,example,score,after; not for json.")
@click.option("--updates-only", is_flag=True, help="Leave out the visits that changed nothing.")
@output("Where the table goes.  [default: stdout]")
@click.option(
    "--check",
    "answers",
    metavar="CSV",
    type=DATA_FILE,
    help="Compare a student's table, as --format csv writes it or in part, and name its first wrong cell: exit code 3.",
)
@click.option("--order", type=COUNTS, help="The examples that each pass visits, counted from 1.")
@click.option("--first", type=click.IntRange(min=1), help="The example that each pass begins with, counted from 1.")
@click.option("--max-visits", type=click.IntRange(min=1), help="The most visits.")
@click.option("--exact", is_flag=True, help="Run in fractions: numbers are as written, also 1/3.")
@with_parameters(TRACED, shuffle=False, max_iter=1000)
@reads_data
def trace(
    file: str,
    files: DataFiles,
    form: str,
    columns: str | None,
    updates_only: bool,
    output: str,
    answers: str | None,
    order: list[int] | None,
    first: int | None,
    max_visits: int | None,
    exact: bool,
    given: dict[str, Any],
) -> None:
    """Print every visit of a run over FILE: the lecture's table.

    The rows come in the listed order and the start is zero unless told otherwise. The first line has all that a marker
    must know, the last one how the run ended.
    """
    if columns is not None and form == "json":
        raise click.UsageError("--columns: the JSON of a trace has all of them")
    if answers is not None and (columns is not None or form != "text" or output != "-"):
        raise click.UsageError("--check: prints no table, leave out --format, --columns and --output")
    if answers == "-" == file:
        raise click.UsageError("FILE and --check cannot both be standard input")
    from rosenblatt.trace import check
    from rosenblatt.trace import trace as record

    data = files.read(file, fractions=exact)
    chosen: dict[str, Any] = {
        "order": None if order is None else [number - 1 for number in order],
        "first": 0 if first is None else first - 1,
        "max_visits": max_visits,
        "exact": exact,
        "as_decimal": exact,
        **settled(given, data.y, exact=exact),
    }
    if answers is not None:
        found = check(sys.stdin if answers == "-" else answers, data.X, data.y, updates_only=updates_only, **chosen)
        click.echo(found)
        if not found:
            answer_is_no()
        return
    run = record(data.X, data.y, **chosen)
    shown_columns = None if columns is None else columns.split(",")
    shown = run.updates if updates_only else run
    if form == "text":
        write(output, f"{shown.table(shown_columns)}\n")
    elif form == "json":
        write(output, shown.to_json() or "")
    else:
        write(output, getattr(shown, f"to_{form}")(columns=shown_columns))
