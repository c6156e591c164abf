"""The decision boundary of a model, or of a weight vector, with the points it is to tell apart."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import SparseRows, as_scipy
from rosenblatt.services.lessons.plot.canvas import GREY, axes, ink, mark
from rosenblatt.services.lessons.plot.plane import (
    SHADE,
    Plane,
    corner,
    draw_arrow_and_name,
    draw_line,
    shade,
    show_plane,
    write_in_corner,
)
from rosenblatt.services.lessons.plot.points import (
    Linear,
    Points,
    as_given,
    attribute,
    linear_of,
    outline_key,
    ring_key,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID = 300


def boundary(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    features: Any = (0, 1),
    at: Any = None,
    margin: bool = True,
    legend: bool = True,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the boundary of a model, its + side shaded, w as an arrow, the margin, the points, a ring a mistake.

    Parameters
    ----------
    model
        A fitted classifier, a trace (its last weights), a certificate, or a weight vector with the constant feature's
        weight first (for more than two classes, a row a class). A classifier without a weight vector, as with
        readout="vote", is asked what it says all over the picture; of a kernel perceptron the support vectors are
        outlined.
    X, y
        The points and their labels, dense, sparse or a frame. Without them only the line and the arrow are drawn.
    features
        The two features to draw, by number or, for a frame, by name.
    at
        A point: all other features stay as they are there. None: at the mean of X. The picture is the slice through
        it. Which points are mistakes, and the margin, do not depend on it: they come from all features.
    margin
        Whether to draw the band that has no point inside, dashed, if there is no mistake. Half its width is the
        margin: the distance of the nearest point. With a kernel it ends where scores are as near 0 as the nearest.
    legend
        Whether to put a legend beside the axes. There is room for it if the figure has layout="compressed".
    ax
        The axes to draw on; None: pyplot's current ones.

    Returns
    -------
    The axes. Both features have the same unit, so that w is at a right angle to the boundary, unless one has more than
    four times the range of the other; then each has its own, and so has the arrow.

    Examples
    --------
    The lecture's final line, -4 + 3 x1 + 2 x2 = 0, and its margin, 1 / sqrt 13:

    >>> from matplotlib.figure import Figure
    >>> from rosenblatt import Perceptron, plot
    >>> from rosenblatt.data.lectures import AND
    >>> ax = Figure(layout="compressed").subplots()
    >>> ax = plot.boundary(Perceptron(shuffle=False).fit(*AND), *AND, ax=ax)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['y = -1', 'y = +1', 'boundary', 'margin 0.277']
    """
    X = as_scipy(X) if isinstance(X, SparseRows) else X
    linear, points = _check(model, X, y, features, at)
    ax, xy, two, outlined = axes(ax), points.xy, len(points.classes) <= 2, False
    if linear is None:
        plane = Plane.around(xy)
        predict = _asker(model.predict, X, points)

        def ask(places: Array) -> Array:
            return np.searchsorted(points.classes, predict(places))

        _regions(ax, plane, ask, two=two)
        if two:
            write_in_corner(ax, corner(plane, xy, lambda places: ask(places) == 1), "+ side")
        wrong = np.asarray(model.predict(X)) != points.classes[points.number]
        vectors = attribute(model, "support_vectors_", "support_vectors")
        outlined = vectors is not None and vectors.shape[0] > 0
        if outlined and two and margin and not wrong.any():
            decision = attribute(model, "decision_function", "decision")
            _score_band(ax, plane, _asker(decision, X, points), np.abs(decision(X)).min())
    else:
        rows, gaps = linear.on_plane(points.features, points.at), linear.gaps(points.X, points.number)
        plane = Plane.around(xy if len(xy) else _landmarks(rows[0]))
        shade(ax, plane, rows, points.labels)
        if two:
            draw_line(ax, plane, rows[0], label="boundary")
            draw_arrow_and_name(ax, plane, rows[0], xy)
            if margin and len(gaps) and gaps.min() > 0:
                _band(ax, plane, rows[0], gaps.min(), float(np.linalg.norm(linear.coef)))
        wrong = gaps <= 0
    if not len(xy):
        ax.axhline(0, color=GREY, linewidth=0.8, zorder=0)
        ax.axvline(0, color=GREY, linewidth=0.8, zorder=0)
    points.draw(ax)
    if outlined:
        points.outline(ax, vectors)
    if wrong.any():
        points.ring(ax, wrong)
    show_plane(ax, plane, xy)
    ax.set(xlabel=points.names[0], ylabel=points.names[1])
    if legend:
        lines = [line for line in ax.get_lines() if not str(line.get_label()).startswith("_")]
        keys = [*points.keys(), *([outline_key("support vector")] if outlined else [])]
        keys += [*([ring_key("mistake")] if wrong.any() else []), *lines]
        beside: Any = {"loc": "upper left", "bbox_to_anchor": (1.02, 1), "borderaxespad": 0}
        ax.legend(handles=keys, frameon=False, fontsize=10, labelspacing=0.7, **beside)
    return ax


def _check(model: Any, X: Any, y: Any, features: Any, at: Any) -> tuple[Linear | None, Points]:
    """The weights, if there are any, and the points; all that is wrong is said here, before anything is drawn."""
    if (X is None) != (y is None):
        raise ValueError("X and y come together, or neither of them")
    linear = linear_of(model, X)
    if linear is not None and not linear.coef.any() and not linear.intercept.any():
        raise ValueError("w = 0 has no boundary: every score is 0")
    if X is None:
        if linear is None or len(linear.coef) > 1:
            raise ValueError("X and y may be left out only where there is a weight vector, for two classes")
        return linear, Points.none(linear.coef.shape[1], features=features, at=at)
    points = Points.of(X, y, features=features, at=at, classes=_classes(model, linear))
    if len(points.classes) < 2:
        raise ValueError(f"a boundary is between two classes, and here is only one: {points.classes.tolist()}")
    if linear is not None:
        n_features, n_machines = points.X.shape[1], 1 if len(points.classes) == 2 else len(points.classes)
        if linear.coef.shape[1] != n_features:
            raise ValueError(
                f"X has {n_features} features, and the weights are for {linear.coef.shape[1]}; "
                "the weights of a vector begin with the constant feature's"
            )
        if len(linear.coef) != n_machines:
            raise ValueError(
                f"y has {len(points.classes)} classes, which need {n_machines} rows of weights, got {len(linear.coef)}"
            )
    return linear, points


def _classes(model: Any, linear: Linear | None) -> Any:
    return attribute(model, "classes_", "classes") if linear is None else linear.classes


def _landmarks(row: Array) -> Array:
    """What a picture of the line alone should show: the origin, and where the line meets the axes."""
    b, w = row[0], row[1:]
    ends = [np.where(np.arange(2) == i, -b / w[i], 0.0) for i in range(2) if w[i] != 0]
    return np.array([[0.0, 0.0], *ends])


def _band(ax: "Axes", plane: Plane, row: Array, gap: float, length: float) -> None:
    """The lines where the score is as far from 0 as that of the nearest point."""
    dashed: Any = {"linewidth": 1.1, "linestyle": (0, (5, 4))}
    for sign, label in ((+1, f"margin {gap / length:.3g}"), (-1, None)):
        draw_line(ax, plane, row + np.array([sign * gap, 0, 0]), label=label, **dashed)


def _asker(method: Callable[[Any], Any], X: Any, points: Points) -> Callable[[Array], Array]:
    """What a method of a model says for places on the plane."""

    def ask(places: Array) -> Array:
        # Part by part, because all rows at once would take too much memory if there are many features.
        answers = []
        for part in np.array_split(places, 1 + len(places) * points.X.shape[1] // 10**7):
            rows = np.tile(points.at, (len(part), 1))
            rows[:, list(points.features)] = part
            answers.append(np.asarray(method(as_given(rows, X))))
        return np.concatenate(answers)

    return ask


def _on_grid(plane: Plane, ask: Callable[[Array], Array]) -> tuple[Array, Array, Array]:
    """The answers all over the picture, on a fine grid."""
    across, up = np.linspace(plane.low, plane.high, GRID).T
    places = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    return across, up, ask(places).reshape(GRID, GRID)


def _score_band(ax: "Axes", plane: Plane, ask: Callable[[Array], Array], gap: float) -> None:
    """The curves where the score is as far from 0 as that of the nearest point."""
    dashed: Any = {"linewidths": 1.1, "linestyles": [(0, (5, 4))], "zorder": 2}
    ax.contour(*_on_grid(plane, ask), levels=[-gap, gap], colors=[ink()], **dashed)
    ax.plot([], [], color=ink(), linewidth=1.1, linestyle=(0, (5, 4)), label=f"score ±{gap:.3g}")


def _regions(ax: "Axes", plane: Plane, ask: Callable[[Array], Array], *, two: bool) -> None:
    """Draw the answers of a model all over the picture."""
    across, up, values = _on_grid(plane, ask)
    for number in np.unique(values):
        if two and number == 0:
            continue
        here = (values == number).astype(float)
        ax.contourf(across, up, here, levels=[0.5, 1.5], colors=[mark(number)[0]], alpha=SHADE, zorder=0)
        if not here.all():
            ax.contour(across, up, here, levels=[0.5], colors=[ink()], linewidths=1.4, zorder=2)
