"""The losses of the lectures over y s, how far a score is on the right side: similar, and not identical."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.losses import hinge_loss, perceptron_loss, squared_loss, zero_one_loss
from rosenblatt.services.lessons.plot.canvas import BLUE, GREEN, GREY, VERMILION, axes, ink, without_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
