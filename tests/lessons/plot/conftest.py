"""Pictures without a screen; a figure that pyplot made for a test goes with it.

It finds none, too: examples of docstrings that ran before it in this process may have left theirs.
"""

from collections.abc import Iterator

import matplotlib as mpl
import pytest

mpl.use("Agg")


@pytest.fixture(autouse=True)
def no_figures_left() -> Iterator[None]:
    from matplotlib import pyplot as plt

    plt.close("all")
    yield
    plt.close("all")
