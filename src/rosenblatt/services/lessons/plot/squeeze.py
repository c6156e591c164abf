"""The proof of the mistake bound, on a run: k gamma <= |w| <= sqrt(k) R, and between them there is room for few k.

Each mistake brings w on by gamma at least in the direction of the best separator, and lengthens it little: |w|^2 grows
by R^2 at most. A straight line overtakes a root, here at k = (R / gamma)^2 (Novikoff 1962).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.services.lessons.plot.canvas import BLUE, GREEN, GREY, VERMILION, axes, ink, without_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UPPER: Any = {"color": VERMILION, "linestyle": (0, (6, 2))}
LOWER: Any = {"color": GREEN, "linestyle": (0, (6, 2, 1, 2))}
NORM: Any = {"color": BLUE, "marker": "s", "markersize": 3.5, "linewidth": 1.2}
TEXT: Any = {"textcoords": "offset points", "fontsize": 10}
BOUND: Any = TEXT | {"xycoords": ("data", "axes fraction"), "xytext": (2, 6), "rotation": 90, "va": "bottom"}
LAST: Any = TEXT | {"xytext": (7, 0), "va": "center", "color": BLUE}
FAR = 15  # with the bound so many times the mistakes made, only logarithmic axes show both


def squeeze(run: Any, *, ax: "Axes | None" = None) -> "Axes":
    r"""Draw |w| after each update of a run, between its lower and its upper bound, up to where these meet.

    Parameters
    ----------
    run
        A trace, or what `check_run` found out about a run.
    ax
        The axes to draw on; None: pyplot's current ones.

    Returns
    -------
    The axes. They are logarithmic if the bound is far away. Without a margin, since the data is not separable, there
    is only the upper bound.

    Examples
    --------
    The lecture's AND function: 18 mistakes, and in no order are there more than 51.

    >>> from matplotlib.figure import Figure
    >>> from rosenblatt import plot, trace
    >>> from rosenblatt.data.lectures import AND
    >>> ax = plot.squeeze(trace(*AND), ax=Figure().subplots())
    >>> [text.get_text() for text in ax.texts]
    ['no room beyond k = 51', 'k = 18']
    """
    from matplotlib.ticker import MaxNLocator

    from rosenblatt.services.lessons.trace.data import Trace
    from rosenblatt.services.proofs.check_run import RunCheck, check_run

    if not isinstance(run, RunCheck | Trace):
        name = type(run).__name__
        raise TypeError(f"run must be a trace, or check_run(model, X, y) if there is a model only; got {name}")
    if not run.k.any():
        raise ValueError("the run made no mistake: there is no k to draw")
    check = run if isinstance(run, RunCheck) else check_run(run)
    ax, bound, total = axes(ax), float(check.bound), int(check.k[-1])
    k, lower, upper = _bounds(check)
    is_plain = np.allclose(check.upper, np.sqrt(check.k) * check.radius)  # from zero, one by one, without a margin
    ax.plot(k, upper, label=r"$\sqrt{k}\,R$: no longer" if is_plain else "no longer", **UPPER)
    ax.plot(check.k, check.norm, label=r"$|w|$ after $k$ mistakes", **NORM)
    if lower is not None:
        ax.plot(k, lower, label=r"$k\,\gamma$: no shorter" if is_plain else "no shorter", **LOWER)
        ax.fill_between(k, lower, upper, where=(upper >= lower).tolist(), color=GREY, alpha=0.12, linewidth=0)
    if k[-1] > bound:
        ax.axvline(bound, color=ink(), linewidth=1, linestyle=(0, (2, 2)))
        ax.annotate(f"no room beyond k = {int(bound)}", (bound, 0.15), color=ink(), **BOUND)
    clear = {"facecolor": ax.get_facecolor(), "alpha": 0.8, "linewidth": 0, "pad": 1}
    ax.annotate(f"k = {total}", (total, float(check.norm[-1])), bbox=clear, **LAST)
    if k[-1] > FAR * total:
        ax.set(xscale="log", yscale="log")
    else:
        ax.xaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10], integer=True))
        ax.set_ylim(bottom=max(ax.get_ylim()[0], -0.05 * float(upper.max())))  # no length is below 0
    ax.set(xlabel="mistakes $k$" if k[-1] > bound or lower is None else f"mistakes $k$, at most {int(bound)}")
    ax.set(ylabel="length", title="" if check.ok else check.violation)
    ax.legend(loc="upper left" if is_plain else "best", frameon=False, fontsize=10, handlelength=3)
    without_box(ax)
    return ax


def _bounds(check: Any) -> tuple[Array, Array | None, Array]:
    """The k to draw, and both bounds: up to where they meet if it is known how they go on, else as far as the run."""
    k, lower, upper = check.k, check.lower, check.upper
    slope = (upper[-1] ** 2 - upper[0] ** 2) / (k[-1] - k[0]) if len(k) > 1 else check.radius**2
    squares = upper[0] ** 2 + slope * (k - k[0])
    if lower is None or not np.allclose(squares, upper**2):  # the square is a line, but not for batches
        return k, lower, upper
    further = np.linspace(k[0], max(1.1 * float(check.bound), float(check.bound) + 1), 400)
    return further, lower[0] + check.margin * (further - k[0]), np.sqrt(upper[0] ** 2 + slope * (further - k[0]))
