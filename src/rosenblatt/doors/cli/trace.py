"""`rosenblatt trace` and `check`: every visit of a run as the lecture's table, and a student's compared with it."""

import sys
from collections.abc import Callable
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, answer_is_no, output, write
from rosenblatt.doors.cli.data_file import DATA_FILE, file_argument, reads_data_as_it_is
from rosenblatt.doors.cli.parameters import (
    COUNTS,
    NUMBER,
    TRACED,
    Typed,
    count,
    label_of,
    option_name,
    positive_option,
    settle,
    with_parameters,
)
from rosenblatt.services.files.reading import Reading

FORMATS = ("text", "csv", "json", "latex", "html")
MAX_ITER, MAX_VISITS = 1000, 10_000  # without a limit from the user, a run still ends within a second or two
DIGITS, SHOWN = 4, 40  # the same values as in Python; not imported from there, because that would import numpy


OF_THE_KERNEL = {"linear": ("coef0",), "poly": ("gamma", "coef0", "degree"), "rbf": ("gamma",)}
WITH_A_KERNEL = ("tie", "margin", "eta0", "shuffle", "random_state", "max_iter")  # the parameters that go with --kernel


def decides_the_run(function: Any) -> Any:
    """Add the options that decide a run: its data, its order, its rule, its end. The verb gets them as **run."""
    decorators: list[Callable[[Any], Any]] = [
        click.option("--updates-only", is_flag=True, help="Leave out the visits that changed nothing."),
        positive_option,
        click.option("--order", type=COUNTS, help="The examples that each pass visits, counted from 1."),
        click.option(
            "--first", type=click.IntRange(min=1), help="The example that each pass begins with, counted from 1."
        ),
        click.option(
            "--pick",
            type=click.Choice(["first-wrong", "worst-wrong"]),
            help="A pass looks at all examples and visits one that is a mistake: the first, or that of the smallest "
            "y s.",
        ),
        click.option(
            "--max-visits",
            type=click.IntRange(min=1),
            help=f"The maximum number of visits.  [default: {MAX_VISITS}; with --max-iter or --all no limit]",
        ),
        click.option("--exact", is_flag=True, help="Compute in fractions; numbers are exact as written, also 1/3."),
        with_parameters(TRACED, shuffle=False, max_iter=MAX_ITER),
        reads_data_as_it_is,
    ]
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def words_of_the_run(data: Any, run: dict[str, Any], *, limited: bool = True) -> dict[str, Any]:
    """The words of `trace` for the options of `decides_the_run`; `limited`: a run ends within a second or two."""
    options, exact, max_visits, n_rows = run["options"], run["exact"], run["max_visits"], data.X.shape[0]
    if max_visits is None and "max_iter" not in options and limited and n_rows * MAX_ITER > MAX_VISITS:
        max_visits = MAX_VISITS
    order, first = run["order"], run["first"]
    return {
        "positive": label_of(run["positive"], data.y),
        "row_order": None if order is None else [_row("order", number, n_rows) for number in order],
        "first_row": 0 if first is None else _row("first", first, n_rows),
        "pick": run["pick"],
        "max_visits": max_visits,
        "exact": exact,
        "as_decimal": exact,
        **settle(options, data.y, exact=exact),
    }


def check_orders(run: dict[str, Any]) -> None:
    """Two options that each say the order of the examples are wrong usage."""
    first, order, shuffled = run["first"], run["order"], run["options"].get("shuffle")
    if first is not None and order is not None:
        raise click.UsageError("--first: --order says where a pass begins, leave out one of them")
    if shuffled and (first is not None or order is not None):
        raise click.UsageError("--shuffle: makes an order of its own, leave out --first and --order")
    if run["pick"] is not None and shuffled:
        raise click.UsageError("--pick: looks at the examples in their order, leave out --shuffle")


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt trace and.csv
        rosenblatt trace and.csv --max-iter 1 --tie negative --updates-only
        rosenblatt trace and.csv --first 2 --positive -1 --columns example,score,after
        rosenblatt trace and.csv --exact --init 1/2,0,0 --eta0 1/10 --format csv
        rosenblatt trace xor.csv --kernel poly --degree 2 --coef0 1
    """,
)
@file_argument()
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How the table is written."
)
@click.option("--columns", help="Columns of the table, as pass,example,score,after; not for json.")
@output("Where the table goes.  [default: stdout]")
@click.option(
    "--check",
    "answers",
    metavar="CSV",
    type=DATA_FILE,
    help="Compare a student's table, as `rosenblatt check` does.",
)
@click.option("--all", "show_all", is_flag=True, help=f"As text: show all visits, not only {SHOWN}, and long vectors.")
@click.option(
    "--digits",
    type=Typed("integer|all", lambda text: text if text == "all" else count(text)),
    help="Digits after the decimal point; not for json, which has all digits.  [default: 4]",
)
@click.option(
    "--kernel",
    type=click.Choice(["linear", "poly", "rbf"]),
    help="Run the kernel perceptron: the table has the lectures' alpha, how often each example was a mistake.",
)
@click.option("--gamma", type=NUMBER, help="The gamma of poly and rbf.  [default: 1]")
@click.option("--coef0", type=NUMBER, help="The constant of linear and poly.  [default: 0]")
@click.option("--degree", type=click.IntRange(1, 999), help="The degree of poly.  [default: 3]")
@decides_the_run
def trace(
    file: str,
    files: Reading,
    form: str,
    columns: str | None,
    output: str,
    answers: str | None,
    show_all: bool,
    digits: Any,
    updates_only: bool,
    kernel: str | None,
    gamma: Any,
    coef0: Any,
    degree: int | None,
    **run: Any,
) -> None:
    """Print every visit of a run over FILE: the lecture's table.

    The examples come in the listed order and the weights start at zero, unless options say otherwise. The first line
    has all that a marker must know, the last line how the run ended. If there are many visits, the text shows the first
    and the last ones. Examples are counted from 1; only json, which is for programs, has rows, counted from 0.
    """
    if form == "json" and (columns is not None or digits is not None):
        raise click.UsageError(f"--{'columns' if columns else 'digits'}: the JSON of a trace has all of them")
    check_orders(run)
    if show_all and form != "text":
        raise click.UsageError(f"--all: {form} has all visits as it is")
    if answers is not None and (columns is not None or form != "text" or output != "-" or show_all or digits):
        raise click.UsageError("--check: prints no table, leave out --format, --columns, --digits, --all and --output")
    if answers == "-" == file:
        raise click.UsageError("FILE and --check cannot both be standard input")
    of_kernel = {"gamma": gamma, "coef0": coef0, "degree": degree}
    of_kernel = {name: value for name, value in of_kernel.items() if value is not None}
    if kernel is None and of_kernel:
        raise click.UsageError(f"--{next(iter(of_kernel))} needs --kernel")
    for name in of_kernel:
        if name not in OF_THE_KERNEL[kernel or "poly"]:
            raise click.UsageError(f"--{name} has no meaning with --kernel {kernel}")
    if kernel is not None:
        _check_kernel(run, form, {"columns": columns, "check": answers, "updates-only": updates_only or None})
    from rosenblatt.services.lessons.trace import check as compare
    from rosenblatt.services.lessons.trace import trace as record
    from rosenblatt.services.lessons.trace.table import text

    data = files.read(file, fractions=run["exact"])
    chosen = words_of_the_run(data, run, limited=not show_all)
    places = {"digits": DIGITS if digits is None else None if digits == "all" else digits}
    if kernel is not None:
        _print_kernel(data, {"kernel": kernel, **of_kernel, **chosen}, form, output, places, show_all=show_all)
        return
    if answers is not None:
        _print_check(compare(_answers(answers), data.X, data.y, updates_only=updates_only, **chosen))
        return
    recorded = record(data.X, data.y, **chosen)
    shown_columns = None if columns is None else columns.split(",")
    shown = recorded.updates if updates_only else recorded
    if form == "text":
        page = None if show_all else SHOWN
        write(output, f"{text(shown, shown_columns, **places, limit=page, see_all='--all shows them')}\n")
    elif form == "json":
        write(output, shown.to_json() or "")
    else:
        write(output, getattr(shown, f"to_{form}")(columns=shown_columns, **places))


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt check answers.csv and.csv
        rosenblatt check answers.csv and.csv --positive 1
    """,
)
@click.argument("answers", type=DATA_FILE)
@file_argument()
@decides_the_run
def check(answers: str, file: str, files: Reading, updates_only: bool, **run: Any) -> None:
    """Find the first wrong cell of a student's table.

    ANSWERS is a CSV file with some or all columns of the table that `rosenblatt trace FILE` prints, under the names of
    the printed table or of --format csv. Give the options that you would give to `trace`. Numbers may be fractions, or
    decimals that are right as far as they go. Exit codes: 0 right, 3 wrong, with the line and the column.
    """
    check_orders(run)
    if answers == "-" == file:
        raise click.UsageError("ANSWERS and FILE cannot both be standard input")
    from rosenblatt.services.lessons.trace import check as compare

    data = files.read(file, fractions=run["exact"])
    chosen = words_of_the_run(data, run)
    _print_check(compare(_answers(answers), data.X, data.y, updates_only=updates_only, **chosen))


def _answers(path: str) -> Any:
    return sys.stdin if path == "-" else path


def _print_check(verdict: Any) -> None:
    click.echo(verdict)
    if not verdict:
        answer_is_no()


def _check_kernel(run: dict[str, Any], form: str, others: dict[str, Any]) -> None:
    """What does not go with --kernel is wrong usage."""
    if form == "html":
        raise click.UsageError("--format html: a run with --kernel is written as text, csv, json or latex")
    for name in [*others, *run["options"]]:
        if others.get(name) is not None or (name in run["options"] and name not in WITH_A_KERNEL):
            raise click.UsageError(f"{option_name(name)} has no meaning with --kernel")


def _print_kernel(
    data: Any, words: dict[str, Any], form: str, output: str, places: dict[str, Any], *, show_all: bool
) -> None:
    from rosenblatt.services.lessons.trace.kernel import trace_kernel

    X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    recorded = trace_kernel(X, data.y, **words)
    if form == "text":
        write(output, f"{recorded.conventions}\n{recorded.table(limit=None if show_all else SHOWN)}\n")
    elif form == "json":
        write(output, recorded.to_json() or "")
    else:
        write(output, getattr(recorded, f"to_{form}")(**places))


def _row(option: str, example: int, n_rows: int) -> int:
    """The index of an example in X. An example that X does not have is wrong usage."""
    if example > n_rows:
        raise ValueError(f"{option}: expected an example from 1 to {n_rows}, found {example}")
    return example - 1
