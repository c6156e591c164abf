"""`rosenblatt trace`: every visit of a run as the lecture's table; or a student's table held against it."""

import sys
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, answer_is_no, output, write
from rosenblatt.doors.cli.data_file import DATA_FILE, file_argument, reads_data_as_it_is
from rosenblatt.doors.cli.parameters import (
    COUNTS,
    TRACED,
    Typed,
    count,
    label_of,
    positive_option,
    settle,
    with_parameters,
)
from rosenblatt.services.files.reading import Reading

FORMATS = ("text", "csv", "json", "latex", "html")
MAX_ITER, MAX_VISITS = 1000, 10_000  # without a limit from the user, a run still ends within a second or two
DIGITS, SHOWN = 4, 40  # the same values as in Python; not imported from there, because that would import numpy


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt trace and.csv
        rosenblatt trace and.csv --max-iter 1 --tie negative --updates-only
        rosenblatt trace and.csv --first 2 --positive -1 --columns example,score,after
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
    help="Compare a student's table, a CSV file with some or all columns, under the names of --format csv or of the "
    "printed table, and name its first wrong cell: exit code 3.",
)
@click.option("--all", "show_all", is_flag=True, help=f"As text: show all visits, not only {SHOWN}, and long vectors.")
@click.option(
    "--digits",
    type=Typed("integer|all", lambda text: text if text == "all" else count(text)),
    help="Digits after the decimal point; not for json, which has all digits.  [default: 4]",
)
@positive_option
@click.option("--order", type=COUNTS, help="The examples that each pass visits, counted from 1.")
@click.option("--first", type=click.IntRange(min=1), help="The example that each pass begins with, counted from 1.")
@click.option(
    "--pick",
    type=click.Choice(["first-wrong", "worst-wrong"]),
    help="A pass looks at all examples and visits one that is a mistake: the first, or that of the smallest y s.",
)
@click.option(
    "--max-visits",
    type=click.IntRange(min=1),
    help=f"The maximum number of visits.  [default: {MAX_VISITS}; with --max-iter or --all no limit]",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Compute in fractions; numbers are exact as written, also 1/3.",
)
@with_parameters(TRACED, shuffle=False, max_iter=MAX_ITER)
@reads_data_as_it_is
def trace(
    file: str,
    files: Reading,
    form: str,
    columns: str | None,
    updates_only: bool,
    output: str,
    answers: str | None,
    show_all: bool,
    digits: Any,
    positive: str | None,
    order: list[int] | None,
    first: int | None,
    pick: str | None,
    max_visits: int | None,
    exact: bool,
    options: dict[str, Any],
) -> None:
    """Print every visit of a run over FILE: the lecture's table.

    The examples come in the listed order and the weights start at zero, unless options say otherwise. The first line
    has all that a marker must know, the last line how the run ended. If there are many visits, the text shows the first
    and the last ones. Examples are counted from 1; only json, which is for programs, has rows, counted from 0.
    """
    if form == "json" and (columns is not None or digits is not None):
        raise click.UsageError(f"--{'columns' if columns else 'digits'}: the JSON of a trace has all of them")
    if first is not None and order is not None:
        raise click.UsageError("--first: --order says where a pass begins, leave out one of them")
    if options.get("shuffle") and (first is not None or order is not None):
        raise click.UsageError("--shuffle: makes an order of its own, leave out --first and --order")
    if pick is not None and options.get("shuffle"):
        raise click.UsageError("--pick: looks at the examples in their order, leave out --shuffle")
    if show_all and form != "text":
        raise click.UsageError(f"--all: {form} has all visits as it is")
    if answers is not None and (columns is not None or form != "text" or output != "-" or show_all or digits):
        raise click.UsageError("--check: prints no table, leave out --format, --columns, --digits, --all and --output")
    if answers == "-" == file:
        raise click.UsageError("FILE and --check cannot both be standard input")
    from rosenblatt.services.lessons.trace import check
    from rosenblatt.services.lessons.trace import trace as record
    from rosenblatt.services.lessons.trace.table import text

    data = files.read(file, fractions=exact)
    n_rows = data.X.shape[0]
    if max_visits is None and "max_iter" not in options and not show_all and n_rows * MAX_ITER > MAX_VISITS:
        max_visits = MAX_VISITS
    chosen: dict[str, Any] = {
        "positive": label_of(positive, data.y),
        "row_order": None if order is None else [_row("order", number, n_rows) for number in order],
        "first_row": 0 if first is None else _row("first", first, n_rows),
        "pick": pick,
        "max_visits": max_visits,
        "exact": exact,
        "as_decimal": exact,
        **settle(options, data.y, exact=exact),
    }
    if answers is not None:
        verdict = check(sys.stdin if answers == "-" else answers, data.X, data.y, updates_only=updates_only, **chosen)
        click.echo(verdict)
        if not verdict:
            answer_is_no()
        return
    run = record(data.X, data.y, **chosen)
    shown_columns = None if columns is None else columns.split(",")
    shown = run.updates if updates_only else run
    places = {"digits": DIGITS if digits is None else None if digits == "all" else digits}
    if form == "text":
        page = None if show_all else SHOWN
        write(output, f"{text(shown, shown_columns, **places, limit=page, see_all='--all shows them')}\n")
    elif form == "json":
        write(output, shown.to_json() or "")
    else:
        write(output, getattr(shown, f"to_{form}")(columns=shown_columns, **places))


def _row(option: str, example: int, n_rows: int) -> int:
    """The index of an example in X. An example that X does not have is wrong usage."""
    if example > n_rows:
        raise ValueError(f"{option}: expected an example from 1 to {n_rows}, found {example}")
    return example - 1
