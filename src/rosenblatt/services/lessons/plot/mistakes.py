"""The mistakes of each pass: they need not fall from pass to pass, but on separable data they come to an end."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.services.lessons.plot.canvas import BLUE, axes, ink, without_box

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
