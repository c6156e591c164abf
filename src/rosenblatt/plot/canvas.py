"""Where to draw, and in which colours and shapes.

The colours are those of Okabe and Ito (2008), told apart by colour-blind people; each class has a shape of its own too.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

INK, GREY, HALO = "#222222", "#888888", "#F0E442"
VERMILION, BLUE, GREEN, PURPLE = "#D55E00", "#0072B2", "#009E73", "#CC79A7"
COLOURS = (VERMILION, BLUE, GREEN, PURPLE, "#E69F00", "#56B4E9", "#F0E442", "#000000")
SHAPES = "os^DvPX*"


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
