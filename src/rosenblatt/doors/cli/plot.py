"""`rosenblatt plot`: the pictures of a model, a run, a theorem, as a file."""

from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import NewFile, WithExamples
from rosenblatt.doors.cli.data_file import file_argument, reads_data_as_it_is
from rosenblatt.doors.cli.parameters import TRACED, TRAINED, label_of, positive_option, settle, with_parameters
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Data

STILL = (".png", ".svg", ".pdf")


def picture_option(*suffixes: str, required: bool = True) -> Any:
    """The option -o, for a file whose suffix says which picture format it gets."""
    expected = f"a name that ends in {', '.join(suffixes)}"

    def check(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
        if value is None:
            return None
        if Path(value).suffix.lower() not in suffixes:
            raise click.BadParameter(f"expected {expected}, found {value!r}", ctx, param)
        return Path(value)

    options: Any = {"type": NewFile(), "callback": check, "help": f"The picture: {expected}."}
    return click.option("-o", "--output", metavar="FILE", required=required, **options)


def pyplot() -> Any:
    """Import pyplot with a backend that needs no screen."""
    from rosenblatt.services.lessons.plot.canvas import pyplot as found

    plt = found()
    plt.switch_backend("agg")
    return plt


def save_picture(figure: Any, path: Path, data: Data | None = None, columns: tuple[int, ...] = ()) -> None:
    """Write a complete picture or none. With `columns`, the axes get the names of the columns."""
    from rosenblatt.services.files.compressed import replace_file

    if data is not None and data.names is not None:
        across, up = (data.names[column] for column in columns)
        for ax in figure.axes:
            ax.set(**{"xlabel": across} if ax.get_xlabel() else {}, **{"ylabel": up} if ax.get_ylabel() else {})
    with replace_file(path) as file:
        figure.savefig(file, format=path.suffix.lower().removeprefix("."), dpi=150)
    pyplot().close(figure)


Pair = tuple[str, str] | None
EVERY = ("update", "visit", "pass")


class Group(WithExamples, click.Group):
    """The pictures."""


_features = click.option(
    "--features",
    nargs=2,
    metavar="A B",
    help="The two features to draw, by number from 1 on or, of a table, by name.  [default: 1 2]",
)


@click.group(
    cls=Group,
    examples="""
        rosenblatt plot boundary and.csv -o boundary.png
        rosenblatt plot steps and.csv --every pass -o steps.svg
        rosenblatt plot steps and.csv --every pass --max-iter 2 -o run.gif
        rosenblatt plot squeeze and.csv -o squeeze.pdf
        rosenblatt plot mistakes and.csv --no-shuffle -o mistakes.png
        rosenblatt plot losses -o losses.svg
    """,
)
def plot() -> None:
    """Draw a model, a run or a theorem into a file.

    The name of the file says which format it gets: .png, .svg or .pdf, for the steps of a run also .gif.
    """


@plot.command()
@file_argument()
@picture_option(*STILL)
@click.option("--model", metavar="PATH", type=click.Path(dir_okay=False), help="A trained model to draw.")
@_features
@with_parameters(TRAINED)
@reads_data_as_it_is
def boundary(
    file: str, files: Reading, output: Path, model: str | None, features: Pair, options: dict[str, Any]
) -> None:
    """Draw what a perceptron predicts where: its boundary, its + side, w, the margin, and the points of FILE.

    A ring marks a mistake.
    """
    figure = pyplot().figure()
    from rosenblatt.services.lessons.plot import boundary as draw

    trained, data = _model_and_data(file, files, model, options)
    columns = data.columns(features or ("1", "2"))
    draw(trained, data.X, data.y, features=columns)
    save_picture(figure, output, data, columns)


@plot.command()
@file_argument()
@picture_option(*STILL, ".gif")
@click.option("--every", type=click.Choice(EVERY), default="update", show_default=True, help="One panel for each.")
@_features
@positive_option
@with_parameters(TRACED, shuffle=False, max_iter=1000)
@reads_data_as_it_is
def steps(
    file: str,
    files: Reading,
    output: Path,
    every: Any,
    features: Pair,
    positive: str | None,
    options: dict[str, Any],
) -> None:
    """Draw the steps of a run over FILE, one panel each; as .gif an animation."""
    pyplot()
    from rosenblatt.services.lessons.plot import animate
    from rosenblatt.services.lessons.plot import steps as draw
    from rosenblatt.services.lessons.trace import trace

    data = files.read(file)
    columns = data.columns(features or ("1", "2"))
    run = trace(data.X, data.y, positive=label_of(positive, data.y), **settle(options, data.y))
    if output.suffix.lower() == ".gif":
        animate(run, output, every=every, features=columns)
    else:
        save_picture(draw(run, every=every, features=columns), output, data, columns)


@plot.command()
@file_argument()
@picture_option(*STILL)
@positive_option
@with_parameters(TRACED, shuffle=False, max_iter=1000)
@reads_data_as_it_is
def squeeze(file: str, files: Reading, output: Path, positive: str | None, options: dict[str, Any]) -> None:
    """Draw the proof of the mistake bound on a run over FILE: |w| between k gamma and sqrt(k) R."""
    figure = pyplot().figure()
    from rosenblatt.services.lessons.plot import squeeze as draw
    from rosenblatt.services.lessons.trace import trace

    data = files.read(file)
    draw(trace(data.X, data.y, positive=label_of(positive, data.y), **settle(options, data.y)))
    save_picture(figure, output)


@plot.command()
@file_argument()
@picture_option(*STILL)
@with_parameters(TRAINED)
@reads_data_as_it_is
def mistakes(file: str, files: Reading, output: Path, options: dict[str, Any]) -> None:
    """Draw the mistakes of each pass of a training on FILE."""
    figure = pyplot().figure()
    from rosenblatt.services.lessons.plot import mistakes as draw

    draw(_model_and_data(file, files, None, options)[0])
    save_picture(figure, output)


@plot.command()
@picture_option(*STILL)
def losses(output: Path) -> None:
    """Draw the losses of the lectures."""
    figure = pyplot().figure()
    from rosenblatt.services.lessons.plot import losses as draw

    draw()
    save_picture(figure, output)


def _model_and_data(file: str, files: Reading, model: str | None, options: dict[str, Any]) -> tuple[Any, Data]:
    if model is None:
        from rosenblatt.members.fit import fit
        from rosenblatt.members.linear.parameters import PerceptronParameters
        from rosenblatt.members.linear.perceptron import LinearMember

        data = files.read(file)
        trained, _ = fit(LinearMember(PerceptronParameters.of(**settle(options, data.y))), data.X, data.y)
        return trained, data
    if options:
        raise click.UsageError(f"--model: it is trained already, leave out {', '.join(options)}")
    from rosenblatt.doors.cli.model import load_model

    classifier, known = load_model(model)
    return classifier, files.like(known).read_to_test(file)
