"""A run in small multiples and as an animation: what each panel and each picture of the film shows."""

import base64
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image, ImageSequence

from rosenblatt import plot, trace
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.lessons.plot.animate import TURN, Scene, last_scene, turn
from rosenblatt.services.lessons.plot.plane import Plane

Array = np.ndarray[Any, Any]


def blank() -> Figure:
    return Figure(figsize=(9, 7), layout="constrained")


def offsets(ax: Axes, label: str) -> list[list[float]]:
    return [list(p) for c in ax.collections if c.get_label() == label for p in np.asarray(c.get_offsets()).tolist()]


def lines(ax: Axes, style: str) -> list[Array]:
    return [np.asarray(line.get_xydata()) for line in ax.get_lines() if line.get_linestyle() == style]


def on_line(w: Any, ends: Array) -> bool:
    return bool(np.allclose(w[0] + ends @ np.asarray(w[1:]), 0))


def test_the_passes_of_and_are_figure_2() -> None:
    ends = [(0, 1, 1), (-1, 2, 1), (-2, 2, 1), (-2, 2, 2), (-2, 3, 2), (-3, 3, 2), (-3, 3, 3), (-4, 3, 2)]
    figure = blank()
    assert plot.steps(trace(*AND), every="pass", figure=figure) is figure
    assert len(figure.axes) == 8  # the ninth pass is clean
    before = None
    for number, (ax, w) in enumerate(zip(figure.axes, ends, strict=True), start=1):
        assert ax.get_title() == f"pass {number}\nw = {w}"
        (after,) = lines(ax, "-")
        assert on_line(w, after)
        faint = lines(ax, "--")
        assert [on_line(before, line) for line in faint] == ([True] if before else [])
        assert offsets(ax, "mistake") == AND.X[AND.y * (w[0] + AND.X @ w[1:]) <= 0].tolist()
        assert offsets(ax, "example") == []
        before = w
    assert plt.get_fignums() == []


def test_each_update_has_a_panel_with_its_example() -> None:
    run = trace(*CMU, fit_intercept=False)
    figure = plot.steps(run, figure=blank())
    assert isinstance(figure, Figure)
    titles = ["pass 1, example 1\nw = (1, -2)", "pass 1, example 3\nw = (2, -1)", "pass 1, example 5\nw = (3, 1)"]
    assert [ax.get_title() for ax in figure.axes] == titles
    assert [offsets(ax, "example") for ax in figure.axes] == [[CMU.X[i].tolist()] for i in (0, 2, 4)]
    for ax, w in zip(figure.axes, run.updates.after[:, 0], strict=True):
        assert on_line([0, *w], lines(ax, "-")[0])
    assert figure.legends[0].get_texts()[-1].get_text() == "boundary before"


def test_every_visit() -> None:
    figure = plot.steps(trace(*CMU, fit_intercept=False), every="visit", figure=blank())
    assert len(figure.axes) == 12
    assert [len(lines(ax, "--")) for ax in figure.axes] == [0, 0, 1, 0, 1, *[0] * 7]  # where the line moved


def test_a_long_run_is_shown_by_its_first_steps_and_its_last() -> None:
    figure = plot.steps(trace(*AND), max_panels=5, figure=blank())
    assert len(figure.axes) == 5
    assert figure.axes[3].get_title() == "pass 2, example 2\nw = (-2, 1, 0)"
    assert figure.axes[4].get_title() == "pass 8, example 2\nw = (-4, 3, 2)"
    assert figure.get_suptitle() == "18 updates: the first 4 and the last"
    assert len(plot.steps(trace(*AND), max_panels=1, figure=blank()).axes) == 1


def test_weights_without_a_line() -> None:
    first, *_ = plot.steps(trace(*AND), figure=blank()).axes
    assert first.get_title() == "pass 1, example 1\nw = (-1, 0, 0)"
    assert not first.get_lines()
    assert [text.get_text() for text in first.texts] == ["all on the - side"]
    last = plot.steps(trace(*XOR, max_iter=1), figure=blank()).axes[-1]  # which comes back to zero
    assert [text.get_text() for text in last.texts] == ["all on the line: w = 0"]
    assert not last.patches


def test_a_batch_is_one_step() -> None:
    figure = plot.steps(trace(*AND, batch_size="all"), figure=blank())
    assert len(figure.axes) == 9
    assert figure.axes[0].get_title() == "pass 1, examples 1, 2, 3, 4\nw = (-2, 0, 0)"
    assert offsets(figure.axes[2], "example") == AND.X[1:3].tolist()


def test_more_classes_exact_numbers_and_any_two_features() -> None:
    X = np.array([[0, 0, 5], [3, 0, 5], [0, 3, 5], [0, 1, 5]])
    run = trace(X, ["a", "b", "c", "a"], exact=True)
    figure = plot.steps(run, features=(1, 0), figure=blank())
    assert len(figure.axes) == min(12, run.n_updates)
    assert figure.axes[-1].get_xlabel() == "$x_{2}$"
    assert offsets(figure.axes[-1], "mistake") == []
    assert offsets(figure.axes[-1], "c") == [[3, 0]]


def test_exact_numbers_may_be_text() -> None:
    run = trace([["0", "1/3"], ["1/2", "1"]], [-1, 1], exact=True)
    last = plot.steps(run, figure=blank()).axes[-1]
    assert offsets(last, "y = +1") == [[1 / 2, 1]]


def boxes(figure: Any) -> tuple[Any, list[Any]]:
    """The figure's own box, and those of its legend and of the titles of its panels."""
    figure.draw_without_rendering()
    inside = [*figure.legends, *(ax.title for ax in figure.axes)]
    return figure.bbox, [artist.get_window_extent() for artist in inside]


LONG = ["a class with a rather long name", "and the other of them"]


@pytest.mark.parametrize(
    "run",
    [
        trace(AND.X / 7, [LONG[int(label > 0)] for label in AND.y], step="pa", max_iter=2),
        trace(AND.X * 12345.678, AND.y, eta0=0.1234, max_iter=2),
        trace(np.arange(24).reshape(12, 2) % 7, np.arange(12), max_iter=1),
        trace([[1, 0], [-1, 2]], [1, -1]),
    ],
    ids=["long names", "long numbers", "many classes", "few panels"],
)
@pytest.mark.parametrize("given", [False, True])
def test_legend_and_titles_are_inside_and_apart(run: Any, given: bool) -> None:
    figure = plot.steps(run, max_panels=6, figure=Figure(figsize=(7, 6)) if given else None)
    page, found = boxes(figure)
    for box in found:
        assert page.x0 - 1 <= box.x0 < box.x1 <= page.x1 + 1
        assert page.y0 - 1 <= box.y0 < box.y1 <= page.y1 + 1
    titles = found[1:]
    assert not any(one.overlaps(other) for i, one in enumerate(titles) for other in titles[:i])


def test_a_part_of_a_figure_has_its_own_legend() -> None:
    page = Figure(figsize=(8, 4), layout="constrained")
    left: Any = page.subfigures(1, 2)[0]  # type: ignore[index]
    plot.steps(trace(*AND), max_panels=2, figure=left)
    page.draw_without_rendering()
    box = left.legends[0].get_window_extent()
    assert 0 <= box.x0 < box.x1 <= left.bbox.x1 + 1


def test_a_new_figure_is_pyplots() -> None:
    figure = plot.steps(trace(*CMU, fit_intercept=False))
    assert plt.figure(plt.get_fignums()[0]) is figure
    assert len(plt.get_fignums()) == 1


def test_steps_that_cannot_be_drawn() -> None:
    with pytest.raises(TypeError, match="run must be a trace"):
        plot.steps(AND.X, figure=blank())
    with pytest.raises(ValueError, match=r"every must be one of .*'pass'.*got 'epoch'"):
        plot.steps(trace(*AND), every="epoch", figure=blank())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_panels must be at least 1, got 0"):
        plot.steps(trace(*AND), max_panels=0, figure=blank())
    with pytest.raises(ValueError, match=r"no update to draw.*; every='visit' shows them all"):
        plot.steps(trace(*AND, init=[-3, 2, 2]), figure=blank())
    with pytest.raises(ValueError, match="two different columns"):
        plot.steps(trace(*AND), features=(0, 5), figure=blank())
    with pytest.raises(ValueError, match="needs two features, X has 1"):
        plot.steps(trace([[1], [2]], [-1, 1]), figure=blank())
    assert plt.get_fignums() == []


def frames(path: str | os.PathLike[str]) -> list[Array]:
    with Image.open(path) as film:
        return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(film)]


def test_a_film_is_white_whatever_the_style(tmp_path: Path) -> None:
    run = trace([[1, 0], [-1, 2]], [1, -1], fit_intercept=False, max_visits=1)
    with plt.style.context("dark_background"):
        dark = frames(plot.animate(run, tmp_path / "run.gif"))
        assert plt.rcParams["text.color"] == "white"
    white = frames(plot.animate(run, tmp_path / "run.gif"))
    assert all((one == other).all() for one, other in zip(dark, white, strict=True))
    assert (white[0] == 255).mean() > 0.8
    assert [file.name for file in tmp_path.iterdir()] == ["run.gif"]
    assert plt.get_fignums() == []


def test_the_last_words_of_a_film() -> None:
    scene = Scene(np.zeros((1, 3)), None, np.zeros(0), np.zeros(0), "", "", 1)
    for run, said in [
        (trace([[1, 0], [-1, 2]], [1, -1], fit_intercept=False), "1 update\npass 2, the last, makes no mistake"),
        (trace(*XOR, max_iter=2), "8 updates\npass 2, the last, makes 4 mistakes"),
        (trace(*AND, max_iter=8), "18 updates\npass 8, the last, makes 1 mistake"),
    ]:
        assert last_scene(scene, run).caption == said


def test_the_film_of_visits_stands_still_where_nothing_moves(tmp_path: Path) -> None:
    path = plot.animate(trace(*CMU, fit_intercept=False, max_visits=2), tmp_path / "run.gif", every="visit")
    with Image.open(path) as film:
        assert film.n_frames == 2 + TURN + 1  # type: ignore[attr-defined]
    clean = trace(*AND, init=[-3, 2, 2])  # which has no update to show
    with Image.open(plot.animate(clean, tmp_path / "clean.gif", every="visit")) as film:
        assert film.n_frames == 4 + 1  # type: ignore[attr-defined]


def test_a_film_is_written_where_it_is_told_and_shows_itself(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    run = trace([[1, 0], [-1, 2]], [1, -1], fit_intercept=False, max_visits=1)
    with pytest.raises(TypeError, match="path"):
        plot.animate(run)  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == []
    film = plot.animate(run, "here.gif")
    assert (str(film), repr(film), os.fspath(film)) == ("here.gif", "Animation('here.gif')", "here.gif")
    start, picture, rest = film._repr_html_().replace(",", '"').split('"', 3)[:3]
    assert (start, picture) == ("<img src=", "data:image/gif;base64")
    assert base64.b64decode(rest) == Path("here.gif").read_bytes()
    assert 'alt="1 step of a run; not converged: ' in film._repr_html_()


def test_a_film_that_cannot_be_made_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must end in \.gif, got .*run\.mp4"):
        plot.animate(trace(*AND), tmp_path / "run.mp4")
    with pytest.raises(ValueError, match="max_steps must be at least 1"):
        plot.animate(trace(*AND), tmp_path / "run.gif", max_steps=0)
    with pytest.raises(FileNotFoundError):
        plot.animate(trace(*AND), tmp_path / "nowhere" / "run.gif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("after", [(-1, 0, 2), (0, -1, -1), (3, -2, 1)])
def test_w_turns_evenly_the_short_way(after: tuple[int, int, int]) -> None:
    plane, before = Plane.around(CMU.X), np.array([[1.0, 2.0, 0.0]])
    ways = [turn(plane, before, np.array([after], dtype=float), part)[0] for part in np.linspace(0, 1, 5)]
    angles = np.unwrap([np.arctan2(w[2], w[1]) for w in ways])
    assert np.diff(angles) == pytest.approx(np.full(4, angles[4] - angles[0]) / 4)
    assert abs(angles[4] - angles[0]) <= np.pi
    for w, end in ((ways[0], before[0]), (ways[4], np.array(after))):
        assert w / np.linalg.norm(w) == pytest.approx(end / np.linalg.norm(end))


def test_a_line_that_was_not_there_comes_in_from_outside() -> None:
    plane, after = Plane.around(AND.X), np.array([[0.0, 1.0, 1.0]])
    for start in (-1.0, 1.0, 0.0):
        row = turn(plane, np.array([[start, 0.0, 0.0]]), after, 0.0)[0]
        signs = np.sign((row[0] + plane.corners(0) @ row[1:]).round(9))
        assert set(signs) <= {0, 1 if start > 0 else -1}
    nowhere = np.array([[-2.0, 0.0, 0.0]])
    assert turn(plane, np.array([[-1.0, 0.0, 0.0]]), nowhere, 0.5) is nowhere
