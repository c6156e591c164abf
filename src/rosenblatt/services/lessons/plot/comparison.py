"""What `compare` has found: a dot for each candidate, a bar of one standard error to each side, the best on top."""

from typing import TYPE_CHECKING, Any

from rosenblatt.services.lessons.plot.canvas import BLUE, GREY, VERMILION, axes, ink, literal, without_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FAR = 2.0  # a majority that is worse than the worst candidate by this factor is named, not drawn


def comparison(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the errors that `compare` has found: the best on top, those that are level with it filled.

    Parameters
    ----------
    found
        What `compare` returns.
    ax
        The axes to draw on; None: pyplot's current ones.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_iris
    >>> from rosenblatt import compare, plot
    >>> found = compare(*load_iris(return_X_y=True))
    >>> ax = plot.comparison(found, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()] == [line.name for line in found.lines]
    True
    """
    if not hasattr(found, "lines") or not hasattr(found, "majority"):
        raise TypeError(f"found must be what compare returns, got {type(found).__name__}")
    ax = axes(ax)
    least = min(line.error - line.standard_error for line in found.lines)
    worst = max(line.error + line.standard_error for line in found.lines)
    for place, line in enumerate(found.lines):
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
    majority = f"the majority, always {literal(found.majority.label)}: {100 * found.majority.error:.1f} %"
    if found.majority.error <= FAR * worst:
        ax.axvline(100 * found.majority.error, color=GREY, linestyle="--", linewidth=1)
        majority = f"dashed: {majority}"
    ax.set_title(f"filled: level with the best; {majority}", fontsize=9, color=ink(), loc="left")
    ax.set_yticks(range(len(found.lines)), [literal(line.name) for line in found.lines])
    ax.set_ylim(len(found.lines) - 0.5, -0.5)
    ax.set_xlim(left=100 * least - 10 * (worst - least or 0.1))  # room for a dot at 0
    ax.set_xlabel(f"error %, {found.folds} folds of {found.n_rows} rows, ± one standard error")
    without_box(ax)
    return ax
