"""Makes the README's picture: `python docs/pictures.py` writes docs/and.svg, always the same.

The lecture's AND function in the listed order, as in figure 2 of lecture 002, pass by pass: the boundary, the side it
calls +, and w, which points into that side. A ring marks what the weights still get wrong: y s <= 0.
"""

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from rosenblatt import plain
from rosenblatt.data.lectures import AND

# Blue and vermilion of Okabe and Ito, told apart by colour-blind people; the shapes differ too.
BLUE, VERMILION, INK = "#0072B2", "#D55E00", "#222222"
LOW, HIGH = -0.75, 1.75


def panel(axes: Any, w: tuple[int, ...], title: str) -> None:
    """Draw one weight vector: its boundary, its positive side and the points."""
    b, normal = w[0], np.array(w[1:], dtype=float)
    grid = np.array([LOW, HIGH])  # between its corners a linear score is linear, so that two are enough
    score = b + normal[0] * grid[np.newaxis, :] + normal[1] * grid[:, np.newaxis]
    axes.contourf(grid, grid, score, levels=[0, np.inf], colors=[BLUE], alpha=0.13)
    axes.contour(grid, grid, score, levels=[0], colors=INK, linewidths=1.6)
    # Only the direction of w is shown. It starts on the boundary, as near as it can to a place without points.
    free = np.array([0.75, 0.3])
    foot = free - (b + normal @ free) / (normal @ normal) * normal
    tip = foot + 0.42 * normal / np.linalg.norm(normal)
    arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.6, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11}
    axes.annotate("", xy=tuple(tip), xytext=tuple(foot), arrowprops=arrow)
    for sign, marker, colour, size in ((+1, "s", BLUE, 58), (-1, "o", VERMILION, 62)):
        axes.scatter(*AND.X[AND.y == sign].T, marker=marker, s=size, color=colour, edgecolor="white", zorder=3)
    wrong = AND.y * (b + AND.X @ normal) <= 0
    axes.scatter(*AND.X[wrong].T, s=230, facecolor="none", edgecolor=INK, linewidth=1.1, zorder=3)
    axes.set(xlim=(LOW, HIGH), ylim=(LOW, HIGH), aspect="equal", xticks=[0, 1], yticks=[0, 1])
    axes.set_title(title, fontsize=10.5, color=INK)
    axes.tick_params(length=2.5, labelsize=8.5, color="#888888")
    axes.spines[:].set_color("#bbbbbb")


def figure() -> Figure:
    """Eight passes, two rows of four; the ninth is clean and changes nothing."""
    run = plain.run([(1, *x) for x in AND.X.tolist()], AND.y.tolist())
    ends = [w for (w,) in run.after[len(AND.y) - 1 :: len(AND.y)]][:-1]
    picture = Figure(figsize=(9.2, 5.5), facecolor="white")
    for number, (axes, w) in enumerate(zip(picture.subplots(2, 4).flat, ends, strict=True), start=1):
        final = ", final" if number == len(ends) else ""
        panel(axes, tuple(w), f"pass {number}{final}\nw = [{' '.join(map(str, w))}]")
    corner = picture.axes[0]
    corner.text(1.68, -0.68, "+ side", ha="right", va="bottom", fontsize=9, color=BLUE)
    key = [
        corner.scatter([], [], marker="s", s=58, color=BLUE, label="y = +1"),
        corner.scatter([], [], marker="o", s=62, color=VERMILION, label="y = -1"),
        corner.scatter([], [], s=150, facecolor="none", edgecolor=INK, label="still wrong, or on the line"),
        corner.plot([], [], color=INK, label="boundary w.x = 0; the arrow is the direction of w")[0],
    ]
    picture.legend(handles=key, loc="lower center", ncols=4, frameon=False, fontsize=9.5, columnspacing=1.8)
    picture.tight_layout(rect=(0, 0.06, 1, 1), h_pad=1.5)
    return picture


if __name__ == "__main__":
    mpl.rcParams["svg.hashsalt"] = "rosenblatt"
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("and.svg")
    figure().savefig(path, dpi=110, metadata={"Date": None, "Creator": None} if path.suffix == ".svg" else None)
    print(path)
