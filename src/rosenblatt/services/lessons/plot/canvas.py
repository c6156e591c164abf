"""Where to draw, and in which colours and shapes.

The colours are those of Okabe and Ito (2008), told apart by colour-blind people; each class has a shape of its own too.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rosenblatt.services.lessons.trace.numbers import printable

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

GREY, HALO = "#888888", "#F0E442"
VERMILION, BLUE, GREEN, PURPLE = "#D55E00", "#0072B2", "#009E73", "#CC79A7"
COLOURS = (VERMILION, BLUE, GREEN, PURPLE, "#E69F00", "#56B4E9", "#F0E442", "#000000")
SHAPES = "os^DvPX*"
LONG = 30  # characters of a name that are still shown


def ink() -> str:
    """The colour of lines and words: almost black, or what a dark style has instead."""
    from matplotlib import rcParams

    return "#222222" if rcParams["text.color"] == "black" else str(rcParams["text.color"])


def literal(name: Any) -> str:
    r"""A label or the name of a feature as it is: a $ begins no formula, and one line is enough.

    >>> print(literal("$x_1$"), literal("a" * 40))
    \$x_1\$ aaaaaaaaaaaaaaaaaaaaaaaaaaa...
    """
    text = printable(name)
    text = text if len(text) <= LONG else f"{text[: LONG - 3]}..."
    return text.replace("$", r"\$")


def mark(number: int) -> tuple[str, str]:
    """The colour and the shape of a class.

    Of two classes the first is the - class, a circle, and the second the + class, a square. From the ninth on the
    colours come again, each with another shape:

    >>> mark(0), mark(1), mark(9)
    (('#D55E00', 'o'), ('#0072B2', 's'), ('#0072B2', '^'))
    """
    again, colour = divmod(number, len(COLOURS))
    return COLOURS[colour], SHAPES[(colour + again) % len(SHAPES)]


def key(label: str, **style: Any) -> "Line2D":
    """An entry for a legend: a mark of the same size for every class, however many points there are."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], label=label, **{"linestyle": "none", "markersize": 7, "markeredgecolor": style["color"], **style}
    )


def legend_columns(keys: "Sequence[Artist]", width: float, most: int) -> int:
    """The number of columns, at `most`, in which the entries of a legend fit into so many inches."""
    lengths = [len(str(entry.get_label())) for entry in keys]
    for n_columns in range(min(most, len(keys)), 1, -1):
        n_lines = -(-len(keys) // n_columns)
        columns = [max(lengths[i : i + n_lines]) for i in range(0, len(keys), n_lines)]
        if sum(0.08 * length + 0.65 for length in columns) <= width:
            return n_columns
    return 1


def pyplot() -> Any:
    """matplotlib.pyplot, or one sentence that says how to get it."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'rosenblatt[plot]'") from error
    return plt


def axes(ax: "Axes | None") -> "Axes":
    """The given axes, else pyplot's current ones. A new figure makes room for a legend beside them."""
    if ax is not None:
        if getattr(ax, "name", "") != "rectilinear":
            raise TypeError(f"ax must be matplotlib's axes of a plane, got {type(ax).__name__}")
        return ax
    figure: Figure = pyplot().gcf()
    if not figure.axes:
        figure.set_layout_engine("compressed")
    return figure.gca()


def tidy(ax: "Axes") -> None:
    """Frame and ticks stay in the background."""
    ax.spines[:].set_color("#bbbbbb")
    ax.tick_params(length=2.5, color=GREY, labelsize=9)


def without_box(ax: "Axes") -> None:
    """For curves: only the left and the lower line of the frame."""
    tidy(ax)
    ax.spines[["top", "right"]].set_visible(False)
