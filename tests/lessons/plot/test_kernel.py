"""The boundary of a kernel perceptron: curves of its scores, and its support vectors outlined."""

import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure

from rosenblatt import KernelPerceptron, plot
from rosenblatt.data.lectures import XOR

QUADRATIC = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, readout="last", shuffle=False)


def legend(ax: Axes) -> list[str]:
    found = ax.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_xor(kind: type) -> None:
    model = QUADRATIC.fit(kind(XOR.X.astype(float)), XOR.y)
    ax = plot.boundary(model, *XOR, ax=Figure(layout="compressed").subplots())
    assert legend(ax) == ["y = -1", "y = +1", "support vector", "score ±1"]
    outlined = next(found for found in ax.collections if found.get_label() == "outline")
    assert np.asarray(outlined.get_offsets()).tolist() == XOR.X.tolist()
    levels = [found for found in ax.collections if isinstance(found, QuadContourSet)]
    (band,) = [found for found in levels if list(found.levels) == [-1, 1]]
    for level, path in zip(band.levels, band.get_paths(), strict=True):
        np.testing.assert_allclose(model.decision_function(path.vertices), level, atol=0.01)


def test_no_band_where_there_is_a_mistake_or_none_is_wanted() -> None:
    for words, y in (({}, np.ones(4, int)), ({"margin": False}, XOR.y)):
        ax = plot.boundary(QUADRATIC.fit(*XOR), XOR.X, y, ax=Figure().subplots(), **words)
        assert not any("score" in text for text in legend(ax))
