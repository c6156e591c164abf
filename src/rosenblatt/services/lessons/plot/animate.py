"""A run as an animation: the sum that decides, then w turns to its new direction, and the line with it.

A line alone would hide what happens when the sides change places: it may move away from the very example that it had
on the wrong side. The arrow and the shaded side show it.
"""

import io
import os
import textwrap
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.atomic_write import check_writable, replacing
from rosenblatt.services.lessons.plot.canvas import ink, legend_columns, pyplot
from rosenblatt.services.lessons.plot.plane import Plane
from rosenblatt.services.lessons.plot.points import Points, ring_key
from rosenblatt.services.lessons.plot.steps import Every, Step, panel, points_of, shorten, steps_of
from rosenblatt.services.lessons.trace.numbers import quantity

TURN = 8  # pictures from one line to the next
LOOK, MOVE, REST, END = 1500, 60, 900, 3000  # milliseconds


@dataclass(frozen=True, eq=False, repr=False)
class Animation(os.PathLike[str]):
    """An animation that has been written: its file for all that takes a path, and in a notebook the film itself."""

    path: Path
    content: bytes
    text: str  # what it shows, for those who cannot see it

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"Animation({str(self.path)!r})"

    def __str__(self) -> str:
        return str(self.path)

    def _repr_html_(self) -> str:
        """With the picture in it, so that a notebook that is sent on has it too."""
        return f'<img src="data:image/gif;base64,{b64encode(self.content).decode()}" alt="{escape(self.text)}">'


@dataclass(frozen=True)
class Scene:
    """One picture of the film."""

    rows: Array
    foot: Array | None
    examples: Array
    wrong: Array
    title: str
    caption: str
    milliseconds: int


def animate(
    run: Any,
    path: str | os.PathLike[str],
    *,
    every: Every = "update",
    features: Any = (0, 1),
    at: Any = None,
    max_steps: int = 40,
) -> Animation:
    """Write a run as an animated GIF: before each step the sum that decides, then w turns and the line with it.

    Parameters
    ----------
    run
        A trace.
    path
        The file to write, which ends in .gif. It is there only when it is complete; one of this name is replaced.
    every, features, at
        As in `steps`.
    max_steps
        The most steps. A longer run is shown by its first steps and its last one.

    Returns
    -------
    The animation, which a notebook shows. It stands for its path, as `open(film)` has it.

    Examples
    --------
    >>> import tempfile
    >>> from rosenblatt import plot, trace
    >>> from rosenblatt.data.lectures import CMU
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     film = plot.animate(trace(*CMU, fit_intercept=False), f"{folder}/run.gif", max_steps=1)
    ...     film.path.name, film.path.read_bytes()[:6]
    ('run.gif', b'GIF89a')
    """
    path = Path(path)
    if path.suffix.lower() != ".gif":
        raise ValueError(f"path must end in .gif, got {str(path)!r}")
    check_writable(path)
    points = points_of(run, features, at)
    drawn = shorten(steps_of(run, every, points.X.shape[1]), max_steps, "max_steps")
    plane = Plane.around(points.xy)
    film = [scene for step in drawn for scene in _scenes(step, plane, points)]
    film.append(last_scene(film[-1], run))
    with pyplot().style.context("default"):  # a film is white, whatever the user's style
        content = _gif(film, plane, points)
    with replacing(path) as file:
        file.write(content)
    return Animation(path, content, f"{quantity(len(drawn), 'step')} of a run; {run.ending}")


def _scenes(step: Step, plane: Plane, points: Points) -> Iterator[Scene]:
    """The pictures of one step: before it, while the line turns, and after it."""
    before, after = (linear.on_plane(points.features, points.at) for linear in (step.before, step.after))
    wrong_before, wrong_after = (w.gaps(points.X, points.number) <= 0 for w in (step.before, step.after))
    feet = [plane.foot(rows[0], points.xy) if len(rows) == 1 else None for rows in (before, after)]
    yield Scene(before, feet[0], step.examples, wrong_before, step.place, step.sum, LOOK)
    if not step.changes:
        return
    caption = f"{step.sum}\n{step.change}"
    for part in np.linspace(0, 1, TURN + 1)[1:-1]:
        rows = turn(plane, before, after, part)
        start, end = (first if first is not None else second for first, second in zip(feet, feet[::-1], strict=True))
        anchor = None if start is None or end is None else (1 - part) * start + part * end
        foot = None if anchor is None or not rows[0, 1:].any() else plane.nearest(rows[0], anchor)
        yield Scene(rows, foot, step.examples, wrong_before, step.place, caption, MOVE)
    yield Scene(after, feet[1], step.examples, wrong_after, step.place, caption, REST)


def last_scene(scene: Scene, run: Any) -> Scene:
    """The same picture with what came out of the run."""
    left = int(run.mistakes[-1])
    end = f"pass {len(run.mistakes)}, the last, makes {quantity(left, 'mistake') if left else 'no mistake'}"
    caption = f"{quantity(run.n_updates, 'update')}\n{end}"
    return replace(scene, examples=scene.examples[:0], title="the end", caption=caption, milliseconds=END)


def turn(plane: Plane, before: Array, after: Array, part: float) -> Array:
    """The rows a part of the way from before to after.

    For two classes w turns the short way round, and the distance of the line from the middle of the picture changes
    evenly. A row without a direction, as a zero start, has its line just out of sight.

    >>> plane = Plane.around(np.array([[-1, 0], [1, 0]]))
    >>> turn(plane, np.array([[0.0, 1, 0]]), np.array([[0.0, 0, 5]]), 0.5).round(4).tolist()
    [[0.0, 0.7071, 0.7071]]
    """
    if len(before) > 1:
        return np.asarray((1 - part) * before + part * after)
    rows = [before[0], after[0]]
    directions = [plane.normal(row) for row in rows]
    if directions[0] is None and directions[1] is None:
        return after
    middle, out_of_sight = (plane.low + plane.high) / 2, float(np.linalg.norm(plane.size)) / 2
    angles, distances = [], []
    for row, direction, opposite in zip(rows, directions, directions[::-1], strict=True):
        x, y = direction if direction is not None else opposite  # type: ignore[misc]
        angles.append(np.arctan2(y, x))
        there = (row[0] + row[1:] @ middle) / (np.linalg.norm(row[1:] * plane.unit) or 1.0)
        distances.append(there if direction is not None else out_of_sight * (1 if row[0] > 0 else -1))
    turn = (angles[1] - angles[0] + np.pi) % (2 * np.pi) - np.pi
    angle = angles[0] + part * turn
    w = np.array([np.cos(angle), np.sin(angle)]) / plane.unit
    distance = (1 - part) * distances[0] + part * distances[1]
    return np.array([[distance - w @ middle, *w]])


def _gif(film: list[Scene], plane: Plane, points: Points) -> bytes:
    from PIL import Image

    # All pictures share one palette of the most frequent colours, because then only what moves is written. Of similar
    # colours it has one, because `quantize` would take any of them, and white must stay white.
    sheet = Image.fromarray(np.concatenate(list(_pictures(film[:: len(film) // 4 + 1], plane, points))))
    colours: Any = sheet.getcolors(sheet.width * sheet.height)
    apart: dict[tuple[int, ...], tuple[int, ...]] = {}
    for _, colour in sorted(colours, reverse=True):
        apart.setdefault(tuple(part // 16 for part in colour), colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in list(apart.values())[:256] for part in colour])
    nearest = Image.Dither.NONE
    first, *others = (
        Image.fromarray(picture).quantize(palette=palette, dither=nearest) for picture in _pictures(film, plane, points)
    )
    file = io.BytesIO()
    durations = [scene.milliseconds for scene in film]
    first.save(file, "GIF", save_all=True, append_images=others, duration=durations, loop=0)
    return file.getvalue()


def _pictures(film: list[Scene], plane: Plane, points: Points) -> Iterator[Array]:
    """Red, green and blue of each pixel, scene by scene."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    keys = [*points.keys(), ring_key("mistake")]
    n_columns = legend_columns(keys, 5, most=6)
    foot, height = 1.3 + 0.2 * -(-len(keys) // n_columns), 5.4 + 0.2 * -(-len(keys) // n_columns)  # inches
    figure = Figure(figsize=(5, height), dpi=100)
    canvas: Any = FigureCanvasAgg(figure)
    ax = figure.add_axes((0.1, foot / height, 0.86, 3.75 / height))
    caption = figure.text(0.06, (foot - 0.28) / height, "", va="top", fontsize=10.5, color=ink(), linespacing=1.45)
    below: Any = {"loc": "lower center", "ncols": n_columns, "borderaxespad": 0.2, "columnspacing": 1.5}
    figure.legend(handles=keys, frameon=False, fontsize=10, **below)
    for scene in film:
        for artist in [*ax.patches, *ax.lines, *ax.collections, *ax.texts]:
            artist.remove()  # keep the axes themselves, because they take longest to make
        panel(ax, plane, points, scene.rows, examples=scene.examples, wrong=scene.wrong, foot=scene.foot)
        ax.set_title(scene.title, fontsize=12, color=ink())
        caption.set_text("\n".join(line for text in scene.caption.splitlines() for line in textwrap.wrap(text, 60)))
        canvas.draw()
        yield np.array(canvas.buffer_rgba())[:, :, :3]
