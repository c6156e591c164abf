"""Pictures of a few numbers: the mistakes of each pass, the losses of the lectures, what `compare` has found."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.losses import hinge_loss, perceptron_loss, squared_loss, zero_one_loss
from rosenblatt.services.lessons.plot.canvas import BLUE, GREEN, GREY, VERMILION, axes, ink, literal, without_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS, MOST_TICKS, MOST_DIGITS = 30, 15, 40


def mistakes(run: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw how many mistakes each pass made: as bars, or as a line if there are many passes.

    Parameters
    ----------
    run
        A fitted model with `mistakes_`, or a trace.
    ax
        The axes to draw on; None: pyplot's current ones.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rosenblatt import Perceptron, plot
    >>> from rosenblatt.data.lectures import AND
    >>> ax = plot.mistakes(Perceptron(shuffle=False).fit(*AND), ax=Figure().subplots())
    >>> [int(bar.get_height()) for bar in ax.patches]
    [2, 3, 3, 2, 2, 3, 2, 1, 0]
    """
    from matplotlib.ticker import MaxNLocator

    counts = getattr(run, "mistakes_", getattr(run, "mistakes", None))
    if counts is None:
        raise TypeError(f"run must be a fitted model with mistakes_, or a trace, got {type(run).__name__}")
    counts = np.asarray(counts)
    ax, passes = axes(ax), np.arange(1, len(counts) + 1)
    if len(counts) <= MOST_BARS:
        bars = ax.bar(passes, counts, width=0.7, color=BLUE)
        if len(counts) * len(str(counts.max(initial=0))) <= MOST_DIGITS:
            ax.bar_label(bars, fontsize=9, color=ink(), padding=1)
    else:
        ax.plot(passes, counts, color=BLUE, marker="s" if len(counts) <= 100 else "", markersize=3, linewidth=1.2)
    if len(counts) <= MOST_TICKS:
        ax.set_xticks(passes)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10], integer=True))
    ax.set(xlabel="pass", ylabel="mistakes", ylim=(0, 1.08 * counts.max(initial=1)))
    ax.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True))
    without_box(ax)
    return ax


CURVES = (
    (zero_one_loss, "zero-one: sign(s) is not y", None, (0, (1, 1.5))),
    (perceptron_loss, "perceptron: max(0, -y s)", BLUE, "-"),
    (hinge_loss, "hinge: max(0, 1 - y s)", VERMILION, (0, (6, 2))),
    (squared_loss, "squared: 1/2 (y - s)\N{SUPERSCRIPT TWO}", GREEN, (0, (6, 2, 1, 2))),
)


def losses(*, ax: "Axes | None" = None) -> "Axes":
    """Draw the zero-one, the perceptron, the hinge and the squared loss.

    Examples
    --------
    A score of 0 costs the perceptron nothing and the hinge 1; this is as far apart as they get.

    >>> from matplotlib.figure import Figure
    >>> from rosenblatt import plot
    >>> ax = plot.losses(ax=Figure().subplots())
    >>> [line.get_label() for line in ax.get_lines()][:2]
    ['zero-one: sign(s) is not y', 'perceptron: max(0, -y s)']
    """
    ax = axes(ax)
    # Two numbers next to each other at 0, where the zero-one loss falls.
    s = np.union1d(np.linspace(-2.5, 2.5, 201), [0.0, np.nextafter(0.0, 1.0)])
    for order, (loss, label, colour, style) in enumerate(CURVES):  # the first on top, so that each can be seen
        look: Any = {"color": colour or ink(), "linestyle": style, "linewidth": 2.2, "zorder": 3 - 0.1 * order}
        ax.plot(s, loss(np.ones_like(s), s), label=label, **look)
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=0)
    ax.set(xlim=(-2.5, 2.5), ylim=(-0.08, 3.5), xlabel="y s", ylabel="loss")
    ax.text(-0.06, 3.42, "wrong side", ha="right", va="top", color=GREY, fontsize=9)
    ax.text(0.06, 3.42, "right side", ha="left", va="top", color=GREY, fontsize=9)
    above: Any = {"loc": "lower center", "bbox_to_anchor": (0.5, 1), "ncols": 2}
    ax.legend(frameon=False, fontsize=10, handlelength=3, **above)
    without_box(ax)
    return ax


FAR = 2.0  # a majority that is worse than the worst candidate by this factor is named, not drawn


def comparison(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the errors that `compare` has found: the best on top, those that are level with it filled.

    Parameters
    ----------
    result
        What `compare` returns.
    ax
        The axes to draw on; None: pyplot's current ones.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_iris
    >>> from rosenblatt import compare, plot
    >>> result = compare(*load_iris(return_X_y=True))
    >>> ax = plot.comparison(result, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()] == [line.name for line in result.lines]
    True
    """
    if not hasattr(result, "lines") or not hasattr(result, "majority"):
        raise TypeError(f"result must be what compare returns, got {type(result).__name__}")
    ax = axes(ax)
    least = min(line.error - line.standard_error for line in result.lines)
    worst = max(line.error + line.standard_error for line in result.lines)
    for place, line in enumerate(result.lines):
        colour = BLUE if line.level else VERMILION
        ax.errorbar(
            100 * line.error,
            place,
            xerr=100 * line.standard_error,
            color=colour,
            marker="o" if line.level else "s",
            markerfacecolor=colour if line.level else "white",
            markersize=6,
            capsize=3,
            linewidth=1.2,
        )
    majority = f"the majority, always {literal(result.majority.label)}: {100 * result.majority.error:.1f} %"
    if result.majority.error <= FAR * worst:
        ax.axvline(100 * result.majority.error, color=GREY, linestyle="--", linewidth=1)
        majority = f"dashed: {majority}"
    ax.set_title(f"filled: level with the best; {majority}", fontsize=9, color=ink(), loc="left")
    ax.set_yticks(range(len(result.lines)), [literal(line.name) for line in result.lines])
    ax.set_ylim(len(result.lines) - 0.5, -0.5)
    ax.set_xlim(left=100 * least - 10 * (worst - least or 0.1))  # room for a dot at 0
    ax.set_xlabel(f"error %, {result.folds} folds of {result.n_rows} rows, ± one standard error")
    without_box(ax)
    return ax
