"""The losses, the mistakes of each pass, and the squeeze of the mistake bound."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rosenblatt import LinearUnit, Perceptron, check_run, plot, trace
from rosenblatt import losses as formulas
from rosenblatt.data.lectures import AND, CMU, XOR

Array = np.ndarray[Any, Any]


def new_axes() -> Axes:
    return Figure().subplots()


def curves(ax: Axes) -> dict[str, Array]:
    """The lines of a picture by the first word of their labels."""
    return {str(line.get_label()).split(":")[0]: np.asarray(line.get_xydata(), dtype=float) for line in ax.get_lines()}


def test_losses_are_those_of_the_module() -> None:
    found = curves(plot.losses(ax=new_axes()))
    for name in ("zero_one", "perceptron", "hinge", "squared"):
        s, loss = found[name.replace("_", "-")].T
        assert loss.tolist() == getattr(formulas, f"{name}_loss")(np.ones_like(s), s).tolist()
        assert s.min() < -2
        assert s.max() > 2


def test_hinge_and_perceptron_are_similar_and_not_identical() -> None:
    found = curves(plot.losses(ax=new_axes()))
    apart = found["hinge"][:, 1] - found["perceptron"][:, 1]
    assert apart.min() == 0
    assert apart.max() == pytest.approx(1, abs=1e-15)


def test_the_zero_one_loss_falls_at_zero_and_not_beside_it() -> None:
    s, loss = curves(plot.losses(ax=new_axes()))["zero-one"].T
    assert loss[s <= 0].min() == 1
    assert loss[s > 0].max() == 0
    assert 0 in s
    assert s[s > 0].min() < 1e-300


def test_losses_differ_in_colour_and_in_style() -> None:
    drawn = plot.losses(ax=new_axes()).get_lines()[:4]
    assert len({line.get_color() for line in drawn}) == 4
    assert len({str(line._dash_pattern) for line in drawn}) == 4  # type: ignore[attr-defined]


def test_mistakes_of_each_pass() -> None:
    for run in (Perceptron(shuffle=False).fit(*AND), trace(*AND)):
        ax = plot.mistakes(run, ax=new_axes())
        assert [bar.get_height() for bar in ax.patches] == [2, 3, 3, 2, 2, 3, 2, 1, 0]  # type: ignore[attr-defined]
        assert [text.get_text() for text in ax.texts] == list("233223210")
        assert ax.get_xticks().tolist() == list(range(1, 10))


def test_many_passes_are_a_line() -> None:
    run = trace(*XOR, max_iter=50)
    ax = plot.mistakes(run, ax=new_axes())
    (line,) = ax.get_lines()
    assert np.asarray(line.get_xydata()).tolist() == [[number, 4] for number in range(1, 51)]


def test_numbers_of_many_passes_do_not_overlap() -> None:
    for run in (trace(*XOR, max_iter=30), SimpleNamespace(mistakes=np.full(25, 10_000)), trace(*AND)):
        ax = plot.mistakes(run, ax=new_axes())
        ax.get_figure().draw_without_rendering()  # type: ignore[union-attr]
        for texts in (ax.texts, ax.get_xticklabels()):
            boxes = [text.get_window_extent() for text in texts if text.get_text()]
            assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_what_counts_no_mistakes_is_refused() -> None:
    with pytest.raises(TypeError, match="got LinearUnit"):
        plot.mistakes(LinearUnit().fit(*AND), ax=new_axes())
    with pytest.raises(TypeError, match="got Perceptron"):
        plot.mistakes(Perceptron(), ax=new_axes())


def test_squeeze_of_and() -> None:
    ax = plot.squeeze(trace(*AND), ax=new_axes())
    found = curves(ax)
    k, norm = found["$|w|$ after $k$ mistakes"].T
    assert k.tolist() == list(range(1, 19))
    assert norm[-1] ** 2 == pytest.approx(29)
    _, lower = found[r"$k\,\gamma$"].T
    every_k, upper = found[r"$\sqrt{k}\,R$"].T
    assert lower == pytest.approx(every_k / 17**0.5)
    assert upper == pytest.approx((3 * every_k) ** 0.5)
    assert (norm >= k / 17**0.5).all()
    assert (norm <= (3 * k) ** 0.5 + 1e-9).all()
    crossing = every_k[lower <= upper].max()
    assert crossing == pytest.approx(51, abs=0.3)
    assert every_k.max() > 51
    assert [text.get_text() for text in ax.texts] == ["no room beyond k = 51", "k = 18"]
    assert ax.get_xscale() == "linear"


def test_squeeze_of_what_check_run_found() -> None:
    run = trace(*CMU, fit_intercept=False)
    found = curves(plot.squeeze(check_run(run, w=(1, 0)), ax=new_axes()))
    assert found["$|w|$ after $k$ mistakes"].tolist() == [[1, 5**0.5], [2, 5**0.5], [3, 10**0.5]]
    k, lower = found[r"$k\,\gamma$"].T
    assert lower == pytest.approx(k)  # (1, 0) has margin 1


@pytest.mark.parametrize("words", [{"init": [30, 0, 0]}, {"batch_size": "all"}, {"margin": 1}])
def test_squeeze_of_other_runs_holds_too(words: dict[str, Any]) -> None:
    run = trace(*AND, **words)
    check = check_run(run)
    found = curves(plot.squeeze(run, ax=new_axes()))
    for name, column in (("no shorter", check.lower), ("no longer", check.upper)):
        assert column is not None
        k, curve = found[name].T
        drawn = curve**2 if name == "no longer" else curve  # its square is a straight line
        expected = column**2 if name == "no longer" else column
        assert np.interp(check.k, k, drawn) == pytest.approx(expected)


def test_squeeze_with_the_bound_far_away_is_logarithmic() -> None:
    run = trace([[1.0, 0.0], [0.99, 0.01]], [1, -1], fit_intercept=False)
    assert check_run(run).bound > 100 * run.n_updates
    ax = plot.squeeze(run, ax=new_axes())
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_squeeze_of_what_is_not_separable_has_no_lower_bound() -> None:
    ax = plot.squeeze(trace(*XOR, max_iter=3), ax=new_axes())
    assert set(curves(ax)) == {"$|w|$ after $k$ mistakes", r"$\sqrt{k}\,R$"}
    assert [text.get_text() for text in ax.texts] == ["k = 12"]


def test_squeeze_of_one_mistake_has_room() -> None:
    run = trace([[1.0, 0.0], [-1.0, 0.5]], [1, -1], fit_intercept=False)
    ax = plot.squeeze(run, ax=new_axes())
    assert [text.get_text() for text in ax.texts] == ["no room beyond k = 1", "k = 1"]
    ax.get_figure().draw_without_rendering()  # type: ignore[union-attr]
    bound, made = [text.get_window_extent() for text in ax.texts]
    assert not bound.overlaps(made)
    assert all(float(place).is_integer() for place in ax.get_xticks())


def test_no_length_is_below_zero() -> None:
    ax = plot.squeeze(trace(*AND, init=[30, 0, 0]), ax=new_axes())
    low, high = ax.get_ylim()
    assert -0.05 * high <= low < 0


@pytest.mark.parametrize("run", [None, "AND", [1, 2], Perceptron().fit(*AND)])
def test_squeeze_of_what_is_no_run(run: Any) -> None:
    with pytest.raises(TypeError, match=r"run must be a trace, or check_run\(model, X, y\).*; got"):
        plot.squeeze(run, ax=new_axes())


def test_the_legend_of_the_losses_hides_nothing() -> None:
    ax = Figure(figsize=(5, 4), layout="constrained").subplots()
    plot.losses(ax=ax)
    figure, legend = ax.get_figure(), ax.get_legend()
    assert isinstance(figure, Figure)
    assert legend is not None
    figure.draw_without_rendering()
    box = legend.get_window_extent()
    assert box.y0 >= ax.get_window_extent().y1 - 1
    assert 0 <= box.x0 < box.x1 <= figure.bbox.x1


def test_squeeze_of_no_mistake_is_refused() -> None:
    with pytest.raises(ValueError, match="no mistake"):
        plot.squeeze(trace(*AND, init=[-3, 2, 2]), ax=new_axes())


@pytest.mark.parametrize("draw", ["losses", "mistakes", "squeeze"])
def test_curves_are_drawn_on_the_given_axes_or_on_the_current_ones(draw: str) -> None:
    given = () if draw == "losses" else (trace(*AND),)
    ax = new_axes()
    assert getattr(plot, draw)(*given, ax=ax) is ax
    assert plt.get_fignums() == []
    current = plt.figure().subplots()
    assert getattr(plot, draw)(*given) is current


def test_without_matplotlib_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError", encoding="utf-8")
    code = "from rosenblatt import plot\ntry:\n    plot.losses()\nexcept ImportError as error:\n    print(error)"
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        check=True,
    )
    assert said.stdout == "pictures need matplotlib: pip install 'rosenblatt[plot]'\n"


def test_to_import_plot_is_not_to_import_matplotlib() -> None:
    code = "import sys; from rosenblatt import plot; print(sorted({'matplotlib', 'sklearn', 'PIL'} & set(sys.modules)))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"
