"""A picture as the result of a verb: -o FILE, by whose name it is known what kind of picture it is to be."""

from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import NewFile
from rosenblatt.services.files.schema import Data

STILL = (".png", ".svg", ".pdf")


def picture_option(*suffixes: str, required: bool = True) -> Any:
    """-o, a file whose name says what kind of picture it is."""
    expected = f"a name that ends in {', '.join(suffixes)}"

    def checked(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
        if value is None:
            return None
        if Path(value).suffix.lower() not in suffixes:
            raise click.BadParameter(f"expected {expected}, found {value!r}", ctx, param)
        return Path(value)

    options: Any = {"type": NewFile(), "callback": checked, "help": f"The picture: {expected}."}
    return click.option("-o", "--output", metavar="FILE", required=required, **options)


def pyplot() -> Any:
    """Without a screen."""
    from rosenblatt.services.lessons.plot.canvas import pyplot as found

    plt = found()
    plt.switch_backend("agg")
    return plt


def save_picture(figure: Any, path: Path, data: Data | None = None, columns: tuple[int, ...] = ()) -> None:
    """Whole, or not at all; the axes of a table have its names."""
    from rosenblatt.services.files.compressed import replace_file

    if data is not None and data.names is not None:
        across, up = (data.names[column] for column in columns)
        for ax in figure.axes:
            ax.set(**{"xlabel": across} if ax.get_xlabel() else {}, **{"ylabel": up} if ax.get_ylabel() else {})
    with replace_file(path) as file:
        figure.savefig(file, format=path.suffix.lower().removeprefix("."), dpi=150)
    pyplot().close(figure)
