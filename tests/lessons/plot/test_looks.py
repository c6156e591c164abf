"""How pictures look: any name is shown as it is, any style can be read, colours and shapes are told apart."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from rosenblatt import plot, trace
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.lessons.plot.canvas import COLOURS, SHAPES

Array = np.ndarray[Any, Any]


def new_axes() -> Axes:
    return Figure(layout="constrained").subplots()


def drawn(ax: Axes) -> Axes:
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    return ax


def legend(ax: Axes) -> list[str]:
    found = ax.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("$5", r"\$5"), ("$\\frac{$", r"\$\frac{\$"), ("_no", "'_no'"), ("+", "'+'"), ("-1", "'-1'"), ("", "''"),
        ("a\nb", r"a\nb"), ("a" * 31, "a" * 27 + "..."), ("a" * 30, "a" * 30), ("n\N{SNOWMAN}", "n\N{SNOWMAN}"),
    ],
)  # fmt: skip
def test_a_label_is_shown_as_it_is(label: str, said: str) -> None:
    ax = drawn(plot.boundary((-4, 3, 2), AND.X, [label, label, label, "~"], ax=new_axes()))
    assert legend(ax)[:2] == [f"{said} (-)", "~ (+)"]
    steps = plot.steps(trace(AND.X, [label, label, label, "~"], max_visits=1), figure=Figure(figsize=(7, 4)))
    steps.canvas.draw()
    assert steps.legends[0].get_texts()[0].get_text() == f"{said} (-)"


def test_signs_as_text_are_not_the_sides() -> None:
    """ "+" sorts before "-", so that it is the negative class."""
    ax = plot.boundary((-4, 3, 2), AND.X, ["-", "-", "-", "+"], ax=new_axes())
    assert legend(ax)[:2] == ["'+' (-)", "'-' (+)"]
    assert legend(plot.boundary((-4, 3, 2), AND.X, [-2, -2, -2, -1], ax=new_axes()))[:2] == ["-2 (-)", "-1 (+)"]


def test_names_of_features_are_shown_as_they_are() -> None:
    pd = pytest.importorskip("pandas")
    ax = drawn(plot.boundary((-4, 3, 2), pd.DataFrame(AND.X, columns=["$x_{", "a\nb"]), AND.y, ax=new_axes()))
    assert (ax.get_xlabel(), ax.get_ylabel()) == (r"\$x_{", r"a\nb")
    run = trace(pd.DataFrame({"p": ["0", "1/3"], "q": ["1", "2"]}), [0, 1], exact=True)
    last = plot.steps(run, features=("q", "p"), figure=Figure(figsize=(9, 6))).axes[-1]
    assert last.get_xlabel() == "q"


@settings(max_examples=30, deadline=None)  # a picture takes its time
@given(st.tuples(*[st.integers(-3, 3)] * 3).filter(lambda w: any(w[1:])), st.sampled_from([AND, CMU, XOR]))
def test_the_words_of_a_picture_do_not_overlap(w: tuple[int, int, int], data: Any) -> None:
    ax = drawn(plot.boundary(w, *data, ax=Figure().subplots()))
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_the_last_weights_of_a_trace() -> None:
    for run in (trace(*AND), trace(*AND, exact=True), trace(*AND, intercept_scaling=2), trace(*AND)[:2]):
        bias = float(run.parameters["intercept_scaling"]) * float(run.weights[0, 0])
        one, other = (
            plot.boundary(model, *AND, ax=new_axes()) for model in (run, (bias, *map(float, run.weights[0, 1:])))
        )
        assert one.get_lines()[0].get_xydata() == pytest.approx(np.asarray(other.get_lines()[0].get_xydata()))
        assert legend(one) == legend(other)
    through = trace(CMU.X, ["a" if y > 0 else "b" for y in CMU.y], fit_intercept=False)
    assert legend(plot.boundary(through, CMU.X, through.labels, ax=new_axes()))[0] == "a (-)"


def test_where_all_scores_are_the_same_there_is_no_region() -> None:
    X, y = np.eye(3, 2), [0, 1, 2]
    assert not plot.boundary(np.ones((3, 3)), X, y, ax=new_axes()).patches
    assert len(plot.boundary(np.eye(3), X, y, ax=new_axes()).patches) == 6


def test_regions_are_named_if_colours_come_again() -> None:
    X, y = np.random.default_rng(0).normal(size=(9, 2)), np.arange(9)
    W = np.column_stack([-(X**2).sum(axis=1) / 2, X])  # each point is in the region of its class
    ax = plot.boundary(W, X, y, ax=new_axes())
    assert [text.get_text() for text in ax.texts] == list("012345678")
    assert not plot.boundary(W[:8], X[:8], y[:8], ax=new_axes()).texts


def test_rings_leave_something_to_be_seen_of_many_points() -> None:
    X = np.random.default_rng(0).normal(size=(3000, 2))
    few, many = (plot.boundary((0, 1, 1), X[:n], np.arange(n) % 2, ax=new_axes()) for n in (20, 3000))
    sizes = [[float(np.asarray(c.get_sizes())[0]) for c in ax.collections] for ax in (few, many)]  # type: ignore[attr-defined]
    assert max(sizes[1]) < min(sizes[0])
    assert np.min(few.collections[-1].get_linewidth()) > np.max(many.collections[-1].get_linewidth())


def test_logarithmic_axes_become_linear() -> None:
    ax = new_axes()
    ax.set(xscale="log", yscale="log")
    plot.boundary((-4, 3, 2), *AND, ax=ax)
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "linear")
    assert ax.get_xlim() == (-0.5, 1.5)


@pytest.mark.parametrize("draw", [lambda ax: plot.boundary((-4, 3, 2), *AND, ax=ax), lambda ax: plot.losses(ax=ax)])
@pytest.mark.parametrize("ax", ["left", Figure(), Figure().add_subplot(projection="polar")], ids=type)
def test_what_is_no_plane_is_refused(draw: Any, ax: Any) -> None:
    with pytest.raises(TypeError, match=f"ax must be matplotlib's axes of a plane, got {type(ax).__name__}"):
        draw(ax)


def lightness(colour: Any) -> float:
    return float(np.array(to_rgb(colour)) @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("style", ["default", "dark_background", "ggplot", "Solarize_Light2", "grayscale"])
def test_every_style_can_be_read(style: str) -> None:
    with plt.style.context(style):
        figure = Figure(figsize=(12, 4), layout="compressed")
        one, two, three, four = figure.subplots(1, 4)
        plot.boundary((-1, 3, 2), *AND, ax=one)
        plot.squeeze(trace(*AND), ax=two)
        plot.losses(ax=three)
        plot.mistakes(trace(*AND), ax=four)
        steps = plot.steps(trace(*CMU, fit_intercept=False), figure=Figure(figsize=(7, 4)))
        for ax in (one, two, three, four, *steps.axes):
            ground = lightness(ax.get_facecolor()[:3])
            lines = [line.get_color() for line in ax.get_lines()]
            words = [text.get_color() for text in ax.texts if text.get_text() and not isinstance(text, Annotation)]
            rings = [
                c.get_edgecolor()[0][:3] for c in ax.collections if c.get_label() == "mistake" and len(c.get_offsets())
            ]
            for colour in (*lines, *words, *rings):
                assert abs(lightness(colour) - ground) > 0.1, colour
            title = lightness(ax.title.get_color())
            assert abs(title - lightness(figure.get_facecolor()[:3])) > 0.3


# How colours look to people without one kind of cone: matrices for linear RGB of Machado, Oliveira, Fernandes (2009).
SEEN = {
    "all cones": np.eye(3),
    "no L": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no M": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no S": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]


def cielab(colour: str, seen: Any) -> Array:
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = np.array(TO_XYZ) @ np.clip(np.array(seen) @ linear, 0, 1) / [0.95047, 1, 1.08883]
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("cones", SEEN)
def test_classes_are_told_apart_with_any_eyes(cones: str) -> None:
    seen = [cielab(colour, SEEN[cones]) for colour in COLOURS]
    apart = [float(np.linalg.norm(p - q)) for i, p in enumerate(seen) for q in seen[:i]]
    assert min(apart) > 15  # 2 can just be seen
    assert apart[0] > 90  # - and +
    assert len(set(SHAPES)) == len(COLOURS)
