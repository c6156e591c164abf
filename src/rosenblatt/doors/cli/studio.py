"""`rosenblatt studio`: a page in one file that shows a perceptron learning, with a data set or a preset."""

import sys
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import NewFile, WithExamples, warn, write
from rosenblatt.doors.cli.data_file import DATA_FILE, reads_data_as_it_is
from rosenblatt.doors.cli.parameters import TRACED, label_of, positive_option, settle, with_parameters
from rosenblatt.services.files.reading import Reading

MOST_ROWS = 200  # in a picture that a person can still read


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt studio
        rosenblatt studio --preset xor --visit 7
        rosenblatt studio and.csv --tie positive
        rosenblatt studio and.csv -o and.html
        rosenblatt studio and.csv --exact --eta0 1/3 --max-iter 9 -o thirds.html
        rosenblatt studio and.csv --check answers.csv -o marked.html
    """,
)
@click.argument("file", type=DATA_FILE, required=False)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=NewFile(allow_dash=True),
    help="The file to write the page to.  [default: a temporary file, which a browser opens]",
)
@click.option(
    "--preset", metavar="NAME", help="The example to open with: and, xor, six-points, or another of the page."
)
@click.option(
    "--visit", type=click.IntRange(min=0), default=0, help="Visits that the page makes at first.  [default: none]"
)
@click.option(
    "--rows",
    type=click.IntRange(min=2, max=MOST_ROWS),
    default=MOST_ROWS,
    show_default=True,
    help="The maximum number of rows to show. If FILE has more, the page shows a random choice of them.",
)
@click.option(
    "--features",
    nargs=2,
    metavar="A B",
    help="The two features to show, by number from 1 on or, of a table, by name.  [default: all, if there are few]",
)
@positive_option
@click.option(
    "--exact",
    is_flag=True,
    help="Compute in fractions; numbers are exact as written, also 1/3.",
)
@click.option(
    "--check",
    "answers",
    metavar="CSV",
    type=DATA_FILE,
    help="A student's table, as for `rosenblatt trace --check`: the page marks its cells.",
)
@with_parameters(TRACED, shuffle=False, max_iter=100)
@reads_data_as_it_is
def studio(
    file: str | None,
    files: Reading,
    output: str | None,
    preset: str | None,
    visit: int,
    rows: int,
    features: tuple[str, str] | None,
    positive: str | None,
    exact: bool,
    answers: str | None,
    options: dict[str, Any],
) -> None:
    """Show in a page how a perceptron learns, step by step.

    The page is one file that needs only a browser, which opens it unless -o names a file: the data, the core and the
    lectures' examples are inside.
    """
    if file is None and (options or features or exact or answers or positive):
        raise click.UsageError("without FILE the page has its own examples: only --preset, --visit and -o go with it")
    if file is not None and preset is not None:
        raise click.UsageError("--preset: FILE has data of its own, leave out one of them")
    if answers == "-" == file:
        raise click.UsageError("FILE and --check cannot both be standard input")
    from rosenblatt.doors import studio as door
    from rosenblatt.doors.studio.opening import presets

    if file is None:
        if preset is not None and preset not in presets():
            raise click.UsageError(f"--preset: expected one of {', '.join(presets())}, found {preset!r}")
        _put(output, door.page(preset=preset, visit=visit))
        return
    data = files.read(file, fractions=exact)
    names = data.feature_names
    columns = data.columns(features) if features else tuple(range(len(names)))
    shown = _some_rows(data.y, rows)
    X = (data.X.toarray() if hasattr(data.X, "toarray") else data.X)[shown][:, columns]
    words = {"max_iter": 100, "shuffle": False, **settle(options, data.y, exact=exact)}
    _put(
        output,
        door.page(
            X,
            data.y[shown],
            visit=visit,
            answers=sys.stdin if answers == "-" else answers,
            features=[names[column] for column in columns],
            positive=label_of(positive, data.y),
            exact=exact,
            as_decimal=exact,
            **words,
        ),
    )


def _some_rows(y: Any, most: int) -> Any:
    """All rows, or a random choice of `most` rows in their order, with at least one row of each class."""
    import numpy as np

    if len(y) <= most:
        return np.arange(len(y))
    _, first = np.unique(y, return_index=True)
    others = np.setdiff1d(np.random.RandomState(0).permutation(len(y)), first, assume_unique=True)
    drawn = np.random.RandomState(0).permutation(others)[: max(0, most - len(first))]
    warn(f"{len(y)} rows are too many to look at: {most} of them are shown, drawn by lot; --rows says how many")
    return np.sort(np.concatenate([first, drawn]))


def _put(output: str | None, page: str) -> None:
    """Write the page to a file, or to a temporary file that a browser opens."""
    if output is not None:
        write(output, page)
        return
    import tempfile
    import webbrowser

    path = Path(tempfile.mkdtemp(prefix="rosenblatt-")) / "studio.html"
    write(str(path), page)
    click.echo(path)
    if not webbrowser.open(path.as_uri()):
        warn("no browser was found: open this file in one, or send it to a machine that has one")
