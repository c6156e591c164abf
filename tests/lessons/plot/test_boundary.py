"""What a picture of a boundary shows: the line, the + side, w, the margin, the points, the mistakes."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rosenblatt import KernelPerceptron, LinearUnit, LinearUnitClassifier, Perceptron, certify, plot
from rosenblatt.base.rows import sparse
from rosenblatt.data.lectures import AND, CMU, XOR

Array = np.ndarray[Any, Any]


def new_axes() -> Axes:
    return Figure(layout="constrained").subplots()


def final() -> Perceptron:
    model = Perceptron(shuffle=False)
    model.fit(*AND)
    return model


def line(ax: Axes, label: str = "boundary") -> Array:
    """The two ends of the line with this label."""
    (found,) = [drawn for drawn in ax.get_lines() if drawn.get_label() == label]
    return np.asarray(found.get_xydata())


def scores(w: Any, places: Array) -> Array:
    return np.asarray(w[0] + places @ np.asarray(w[1:]))


def arrow(ax: Axes) -> tuple[Array, Array]:
    """Foot and tip of w."""
    (found,) = [text for text in ax.texts if isinstance(text, Annotation)]
    return np.array(found.xyann), np.array(found.xy)


def offsets(ax: Axes, label: str) -> list[list[float]]:
    """The points with this label."""
    return [list(p) for c in ax.collections if c.get_label() == label for p in np.asarray(c.get_offsets()).tolist()]


def legend(ax: Axes) -> list[str]:
    found = ax.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


def test_the_quiz_region_2_x1_plus_3_x2_plus_6() -> None:
    ax = plot.boundary((6, 2, 3), ax=new_axes())
    (x, y), (x2, y2) = line(ax)
    assert x + (0 - y) * (x2 - x) / (y2 - y) == pytest.approx(-3)  # where it meets the first axis
    assert y + (0 - x) * (y2 - y) / (x2 - x) == pytest.approx(-2)
    foot, tip = arrow(ax)
    assert scores((6, 2, 3), foot) == pytest.approx(0)
    assert (tip - foot) / np.linalg.norm(tip - foot) == pytest.approx(np.array([2, 3]) / 13**0.5)
    (region,) = ax.patches
    corners = region.get_path().vertices
    assert scores((6, 2, 3), np.asarray(corners)).min() == pytest.approx(0)
    inside = region.get_path().contains_points([(0, 0), (-3, -2)])
    assert inside.tolist() == [True, False]
    assert [text.get_text() for text in ax.texts] == ["", "w", "+ side"]
    assert ax.get_aspect() == 1


@pytest.mark.parametrize(
    ("w", "first", "second"),
    [((0, 1, 1), 0, 0), ((-1, 2, 1), 1 / 2, 1), ((-4, 3, 2), 4 / 3, 2)],
    ids=["pass 1", "pass 2", "final"],
)
def test_boundaries_of_the_and_function(w: tuple[int, ...], first: float, second: float) -> None:
    (x, y), (x2, y2) = line(plot.boundary(w, *AND, ax=new_axes()))
    assert x + (0 - y) * (x2 - x) / (y2 - y) == pytest.approx(first)
    assert y + (0 - x) * (y2 - y) / (x2 - x) == pytest.approx(second)


@settings(max_examples=30, deadline=None)  # a picture takes its time
@given(st.tuples(*[st.integers(-5, 5)] * 3).filter(lambda w: any(w[1:])))
def test_w_is_at_a_right_angle_and_points_into_the_plus_side(w: tuple[int, int, int]) -> None:
    ax = plot.boundary(w, *CMU, ax=Figure().subplots())
    ax.apply_aspect()
    if not any(isinstance(text, Annotation) for text in ax.texts):  # only if the line keeps to the edge, or beyond it
        middle_half = np.array([[x, y] for x in np.quantile(ax.get_xlim(), [0.25, 0.75]) for y in (-1.75, 1.75)])
        assert abs(np.sign(scores(w, middle_half)).sum()) == 4
        return
    (foot, tip), (start, end) = arrow(ax), line(ax)
    shown = ax.transData.transform([foot, tip, start, end])
    direction, along = shown[1] - shown[0], shown[3] - shown[2]
    assert direction @ along == pytest.approx(0, abs=1e-6 * float(np.linalg.norm(direction) * np.linalg.norm(along)))
    assert scores(w, foot) == pytest.approx(0, abs=1e-9)
    assert scores(w, tip) > 0


@settings(max_examples=30, deadline=None)  # a picture takes its time
@given(st.tuples(*[st.integers(-5, 5)] * 3).filter(any), st.sampled_from([AND, CMU, XOR]))
def test_rings_are_the_mistakes(w: tuple[int, int, int], data: Any) -> None:
    ax = plot.boundary(w, *data, ax=Figure().subplots())
    wrong = data.y * (w[0] + data.X @ w[1:]) <= 0
    assert offsets(ax, "mistake") == data.X[wrong].tolist()
    assert ("mistake" in legend(ax)) == wrong.any()
    for sign in (-1, 1):
        assert offsets(ax, f"y = {sign:+}") == data.X[data.y == sign].tolist()


def test_margin_band_touches_the_nearest_points() -> None:
    ax = plot.boundary(final(), *AND, ax=new_axes())
    assert legend(ax) == ["y = -1", "y = +1", "boundary", "margin 0.277"]
    boundary, *band = [np.asarray(drawn.get_xydata()) for drawn in ax.get_lines()]
    assert scores((-4, 3, 2), boundary) == pytest.approx(0)
    assert sorted(scores((-4, 3, 2), ends).mean() for ends in band) == pytest.approx([-1, 1])  # y s of the nearest
    assert len(plot.boundary(final(), *AND, margin=False, ax=new_axes()).get_lines()) == 1
    assert len(plot.boundary((-9, 1, 1), *AND, ax=new_axes()).get_lines()) == 0  # passes by, with a mistake


def test_without_a_line_in_sight_the_side_is_named() -> None:
    for w, said in [((-1, 0, 0), "all on the - side"), ((9, 1, 1), "all on the + side")]:
        ax = plot.boundary(w, *AND, ax=new_axes())
        assert [text.get_text() for text in ax.texts] == [said]
        assert (np.size(ax.patches[0].get_path().vertices) > 2) == (w[0] > 0)  # whether anything is shaded


def test_classes_differ_in_colour_and_in_shape() -> None:
    X, y = np.arange(24.0).reshape(12, 2) % 7, np.arange(12)
    ax = plot.boundary(np.eye(12, 3), X, y, ax=new_axes())
    found = ax.get_legend()
    assert found is not None
    keys = [(to_hex(key.get_color()), key.get_marker()) for key in found.get_lines()[:12]]
    assert len(set(keys)) == 12
    assert len({colour for colour, _ in keys[:8]}) == len({shape for _, shape in keys[:8]}) == 8


def test_a_model_a_vector_and_a_certificate_draw_the_same() -> None:
    proof = certify(*AND)
    assert proof.w == (-3, 2, 2)
    for same in [(-3, 2, 2), (-30, 20, 20), [[-3.0, 2.0, 2.0]]]:
        assert line(plot.boundary(same, *AND, ax=new_axes())) == pytest.approx(
            line(plot.boundary(proof, *AND, ax=new_axes()))
        )
    assert legend(plot.boundary(proof, *AND, ax=new_axes()))[-1] == "margin 0.354"  # 1 / sqrt 8
    assert line(plot.boundary(final(), *AND, ax=new_axes())) == pytest.approx(
        line(plot.boundary((-4, 3, 2), *AND, ax=new_axes()))
    )


def test_certificate_of_centred_data() -> None:
    X = AND.X + 10
    proof = certify(X, AND.y, center=True)
    assert not [c for c in plot.boundary(proof, X, AND.y, ax=new_axes()).collections if c.get_label() == "mistake"]


def test_other_labels_sparse_rows_and_frames() -> None:
    pd = pytest.importorskip("pandas")
    names = np.where(AND.y == 1, "yes", "no")
    sparse = plot.boundary(Perceptron().fit(sp.csr_array(AND.X), names), sp.csr_array(AND.X), names, ax=new_axes())
    assert legend(sparse)[:2] == ["no (-)", "yes (+)"]
    assert offsets(sparse, "yes (+)") == [[1, 1]]
    frame = pd.DataFrame(AND.X, columns=["left", "right"])
    model = Perceptron(shuffle=False).fit(frame, names)
    ax = plot.boundary(model, frame, names, features=("right", "left"), ax=new_axes())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("right", "left")
    assert scores((-4, 2, 3), line(ax)) == pytest.approx(0)


def test_any_two_features_the_others_at_a_point() -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[y < 2], y[y < 2]
    model = Perceptron().fit(X, y)
    w, b = model.coef_[0], model.intercept_[0]
    for at in (None, X[7]):
        held = X.mean(axis=0) if at is None else X[7]
        ends = line(plot.boundary(model, X, y, features=(3, 1), at=at, ax=new_axes()))
        rows = np.tile(held, (2, 1))
        rows[:, [3, 1]] = ends
        assert rows @ w + b == pytest.approx(0, abs=1e-9)


def test_features_of_different_ranges_are_stretched_and_w_stays_at_a_right_angle() -> None:
    w, X = (-4.0, 3.0, 0.02), AND.X * np.array([1, 100])
    ax = plot.boundary(w, X, AND.y, ax=new_axes())
    ax.get_figure().draw_without_rendering()  # type: ignore[union-attr]
    foot, tip, start, end = ax.transData.transform([*arrow(ax), *line(ax)])
    assert (tip - foot) @ (end - start) == pytest.approx(0, abs=1e-6 * float(np.linalg.norm(end - start)))
    box = ax.get_window_extent()
    assert box.width == pytest.approx(box.height)


def test_regions_of_three_classes_are_exact() -> None:
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X[:, :2])
    model = LinearUnitClassifier().fit(X, y)
    ax = plot.boundary(model, X, y, ax=new_axes())
    rng = np.random.default_rng(0)
    places = rng.uniform([ax.get_xlim()[0], ax.get_ylim()[0]], [ax.get_xlim()[1], ax.get_ylim()[1]], (500, 2))
    regions = [patch for patch in ax.patches if patch.get_fill()]
    inside = np.array([region.get_path().contains_points(places) for region in regions])
    assert (inside.sum(axis=0) == 1).all()
    assert (inside.argmax(axis=0) == model.predict(places)).all()
    assert len(offsets(ax, "mistake")) == (model.predict(X) != y).sum()
    assert not ax.texts  # no single w


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(readout="vote", shuffle=False),
        make_pipeline(StandardScaler(), Perceptron()),
        SVC(),
        SVC(kernel="linear"),
    ],
    ids=["vote", "pipeline", "rbf", "pairs"],
)
def test_a_model_without_weights_is_asked(model: Any) -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[::5, 2:], y[::5] if isinstance(model, SVC) else y[::5] > 0
    model.fit(X, y)
    ax = plot.boundary(model, X, y, ax=new_axes())
    assert len(offsets(ax, "mistake")) == (model.predict(X) != y).sum()
    assert len([c for c in ax.collections if hasattr(c, "levels")]) == (6 if isinstance(model, SVC) else 2)


@pytest.mark.parametrize("model", [Perceptron(), Perceptron(readout="vote"), KernelPerceptron(gamma=1.0)], ids=str)
def test_a_member_without_its_estimator(model: Any) -> None:
    model.fit(CMU.X, CMU.y)
    one, other = (plot.boundary(m, *CMU, ax=new_axes()) for m in (model, model._model))
    assert [np.asarray(drawn.get_xydata()).tolist() for drawn in one.lines] == [
        np.asarray(drawn.get_xydata()).tolist() for drawn in other.lines
    ]
    assert len(one.collections) == len(other.collections)
    assert legend(one) == legend(other)


def test_sparse_rows_of_our_own() -> None:
    for model in (Perceptron(shuffle=False).fit(*AND), Perceptron(readout="vote").fit(*AND)):
        axes = [plot.boundary(model, X, AND.y, ax=new_axes()) for X in (AND.X, sparse(AND.X.astype(float)))]
        assert legend(axes[0]) == legend(axes[1])
        assert offsets(axes[0], "mistake") == offsets(axes[1], "mistake")


def test_a_model_of_a_frame_is_asked_with_a_frame() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(CMU.X, columns=["a", "b"])
    model = Perceptron(readout="vote").fit(frame, CMU.y)
    assert offsets(plot.boundary(model, frame, CMU.y, ax=new_axes()), "mistake") == []


def test_it_draws_on_the_given_axes_and_leaves_pyplot_alone() -> None:
    ax = new_axes()
    assert plot.boundary(final(), *AND, legend=False, ax=ax) is ax
    assert ax.get_legend() is None
    assert plt.get_fignums() == []


def test_without_axes_it_draws_on_the_current_ones() -> None:
    current = plt.figure().subplots(1, 2)[1]
    plt.sca(current)
    assert plot.boundary(final(), *AND) is current
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    ("model", "X", "y", "words", "message"),
    [
        ((0, 0, 0), AND.X, AND.y, {}, "w = 0 has no boundary"),
        ((1, 2, 3, 4), AND.X, AND.y, {}, "X has 2 features, and the weights are for 3"),
        ((np.nan, 2, 3), AND.X, AND.y, {}, "finite"),
        ((-1, 2), [[0], [1]], [-1, 1], {}, "needs two features, X has 1"),
        ((-4, 3, 2), AND.X, AND.y, {"features": (0, 2)}, r"0 to 1\), got \(0, 2\)"),
        ((-4, 3, 2), AND.X, AND.y, {"features": (1, 1)}, "two different columns"),
        ((-4, 3, 2), AND.X, AND.y, {"features": 0}, "two different columns"),
        ((-4, 3, 2), AND.X, AND.y, {"features": ("a", "b")}, "two different columns"),
        ((-4, 3, 2), AND.X, AND.y, {"at": [1, 2, 3]}, "at must be a point of 2 finite numbers"),
        ((-4, 3, 2), AND.X, None, {}, "X and y come together"),
        ((-4, 3, 2), AND.X, [1, 2, 3, 4], {}, "4 classes, which need 4 rows of weights, got 1"),
        ((-4, 3, 2, 1), None, None, {}, "at must say where the other 1 features stay"),
        (np.eye(3), None, None, {}, "only where there is a weight vector"),
        ((-4, 3, 2), AND.X, ["yes"] * 4, {}, r"only one: \['yes'\]"),
        (Perceptron(), AND.X, AND.y, {}, "not fitted"),
        (Perceptron().fit(*AND), AND.X, [1, 1, 1, 2], {}, r"does not know: \[2\]"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_drawn(model: Any, X: Any, y: Any, words: Any, message: str) -> None:
    ax = new_axes()
    with pytest.raises(ValueError, match=message):
        plot.boundary(model, X, y, ax=ax, **words)
    assert not ax.has_data()


def test_what_has_no_boundary_is_refused() -> None:
    with pytest.raises(TypeError, match="LinearUnit has no classes_"):
        plot.boundary(LinearUnit().fit(*AND), *AND, ax=new_axes())
    with pytest.raises(TypeError, match="got str"):
        plot.boundary("AND", *AND, ax=new_axes())
