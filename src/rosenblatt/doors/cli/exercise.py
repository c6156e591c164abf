"""`rosenblatt exercise` and `grade`: a table of updates for each student, and points for what comes back."""

import re
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import NewFile, WithExamples, output, write
from rosenblatt.doors.cli.data_file import file_argument
from rosenblatt.doors.cli.trace import check_orders, decides_the_run, words_of_the_run
from rosenblatt.services.files.reading import Reading

MOST = 1000  # exercises at once
SEED = re.compile(r"exercise_(\d+)")


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt exercise --seed 7
        rosenblatt exercise --seed 7 --count 30 --folder exercises
        rosenblatt exercise --seed 7 --solution
        rosenblatt exercise --seed 7 --count 30 --moodle questions.xml
    """,
)
@click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1 - MOST), default=0, show_default=True, help="Which exercise; one a seed."
)
@click.option(
    "--count", type=click.IntRange(1, MOST), default=1, show_default=True, help="How many: seeds from --seed on."
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False),
    help="Write for each exercise the points (exercise_7_data.csv) and the sheet (exercise_7_sheet.csv) here.",
)
@click.option(
    "--moodle",
    type=NewFile(),
    help="Write all of them into this file, as questions for Moodle (XML, type Cloze), a point for each cell.",
)
@click.option("--solution", is_flag=True, help="Print or write the solution too (exercise_7_solution.csv).")
def exercise(seed: int, count: int, folder: str | None, moodle: str | None, solution: bool) -> None:
    """Make exercises: a table of updates to fill in by hand.

    Each seed gives other points, the same on every machine. The numbers are small, and the table does not depend on
    what a score of 0 counts as. `rosenblatt grade` marks the sheets that come back.
    """
    from rosenblatt.services.lessons.exercise import exercise as exercise_of
    from rosenblatt.services.lessons.exercise import moodle_xml

    exercises = [exercise_of(number) for number in range(seed, seed + count)]
    if moodle is not None:
        write(moodle, moodle_xml(exercises))
    if folder is None:
        for variant in exercises if moodle is None else ():
            click.echo(f"{variant.task}\n\n{variant.data}")
            if solution:
                click.echo(f"{variant.solution}\n")
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    for variant in exercises:
        files = {"data": variant.data, "sheet": variant.sheet} | ({"solution": variant.answers} if solution else {})
        for kind, text in files.items():
            write(str(Path(folder) / f"exercise_{variant.seed}_{kind}.csv"), text)
    click.echo(exercises[0].task.partition(". ")[2])
    click.echo(f"\n{count} exercises are in {folder}: send each student the data and the sheet of one.", err=True)


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt grade sheets and.csv
        rosenblatt grade exercises
        rosenblatt grade exercises --format csv -o grades.csv
    """,
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@file_argument()
@click.option("--format", "form", type=click.Choice(["text", "csv"]), default="text", show_default=True)
@output("Where the table goes.  [default: stdout]")
@decides_the_run
def grade(folder: str, file: str, files: Reading, form: str, output: str, updates_only: bool, **run: Any) -> None:
    """Give points for a folder of students' tables.

    Each CSV file in FOLDER is a table. With FILE, all tables are about the data in it, and options say how the run was
    made, as for `check`. Without FILE, the name of each table says its exercise, as exercise_7_sheet.csv or
    exercise_7_anna.csv. One point for each cell of scores, mistakes and weights that is right; blank cells are wrong.
    """
    import csv
    import io

    from rosenblatt.services.lessons.exercise import exercise as exercise_of
    from rosenblatt.services.lessons.grade import Grade
    from rosenblatt.services.lessons.grade import grade as points_of
    from rosenblatt.services.lessons.trace import trace as record

    check_orders(run)
    of_data = None
    if click.get_current_context().get_parameter_source("file") != click.core.ParameterSource.DEFAULT:
        data = files.read(file, fractions=run["exact"])
        of_data = record(data.X, data.y, **words_of_the_run(data, run))
    rows = []
    for path in sorted(Path(folder).glob("*.csv")):
        seed = SEED.search(path.stem)
        if path.stem.endswith(("_data", "_solution")) or (of_data is None and seed is None):
            continue
        truth = of_data or exercise_of(int(seed[1]) if seed else 0).solution
        try:
            points = points_of(path, truth, updates_only=updates_only)
        except (ValueError, OSError) as error:
            points = Grade(0, 0, f"not graded: {error}")
        rows.append((path.name, points))
    if not rows:
        where = "no CSV file" if of_data else "no CSV file with exercise_ and a seed in its name; or give FILE"
        raise click.ClickException(f"{folder}: expected tables of students, found {where}")
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["sheet", "right", "cells", "percent", "first wrong cell"])
        writer.writerows([name, p.right, p.cells, f"{100 * p.share:.1f}", p.message] for name, p in rows)
        write(output, out.getvalue())
        return
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:{width}}  {p.right:4} of {p.cells:4}  {100 * p.share:5.1f} %  {p.message}" for name, p in rows]
    write(output, "\n".join([*lines, ""]))
