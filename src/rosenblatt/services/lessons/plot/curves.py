"""Pictures of numbers: mistakes of each pass, the losses, what `compare` has found, the proof of the mistake bound.

The proof is k gamma <= |w| <= sqrt(k) R, and between them there is room for few k: each mistake brings w on by gamma at
least in the direction of the best separator, and lengthens it little, because |w|^2 grows by R^2 at most. A straight
line overtakes a root, here at k = (R / gamma)^2 (Novikoff 1962).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.base.arrays import Array
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
    # 0 and the next number, because the zero-one loss falls between them.
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


FAR_WORSE = 2.0  # a majority that is worse than the worst candidate by this factor is named, not drawn


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
    if result.majority.error <= FAR_WORSE * worst:
        ax.axvline(100 * result.majority.error, color=GREY, linestyle="--", linewidth=1)
        majority = f"dashed: {majority}"
    ax.set_title(f"filled: level with the best; {majority}", fontsize=9, color=ink(), loc="left")
    ax.set_yticks(range(len(result.lines)), [literal(line.name) for line in result.lines])
    ax.set_ylim(len(result.lines) - 0.5, -0.5)
    ax.set_xlim(left=100 * least - 10 * (worst - least or 0.1))  # room for a dot at 0
    ax.set_xlabel(f"error %, {result.folds} folds of {result.n_rows} rows, ± one standard error")
    without_box(ax)
    return ax


UPPER: Any = {"color": VERMILION, "linestyle": (0, (6, 2))}
LOWER: Any = {"color": GREEN, "linestyle": (0, (6, 2, 1, 2))}
NORM: Any = {"color": BLUE, "marker": "s", "markersize": 3.5, "linewidth": 1.2}
TEXT: Any = {"textcoords": "offset points", "fontsize": 10}
BOUND: Any = TEXT | {"xycoords": ("data", "axes fraction"), "xytext": (2, 6), "rotation": 90, "va": "bottom"}
LAST: Any = TEXT | {"xytext": (7, 0), "va": "center", "color": BLUE}
FAR_BOUND = 15  # if the bound is so many times the mistakes, only logarithmic axes show both


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
    # the run began at zero, with one row at a time and no margin
    is_plain = np.allclose(check.upper, np.sqrt(check.k) * check.radius)
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
    if k[-1] > FAR_BOUND * total:
        ax.set(xscale="log", yscale="log")
    else:
        ax.xaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10], integer=True))
        ax.set_ylim(bottom=max(ax.get_ylim()[0], -0.05 * float(upper.max())))  # because no length is below 0
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
    # the square of the upper bound is a line, but not for batches
    if lower is None or not np.allclose(squares, upper**2):
        return k, lower, upper
    further = np.linspace(k[0], max(1.1 * float(check.bound), float(check.bound) + 1), 400)
    return further, lower[0] + check.margin * (further - k[0]), np.sqrt(upper[0] ** 2 + slope * (further - k[0]))
