"""Small integer data sets, on which floating point is exact: the same weights, the same mistakes, the same order."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st


class Data(NamedTuple):
    X: np.ndarray[Any, Any]
    y: np.ndarray[Any, Any]  # class numbers, every class occurs


@st.composite
def data_sets(draw: st.DrawFn, max_classes: int = 2, max_rows: int = 8, max_features: int = 19) -> Data:
    """Wide enough at times for full lanes and a rest, and with many zeros."""
    n_classes = draw(st.integers(2, max_classes))
    n = draw(st.integers(n_classes, max_rows))
    d = draw(st.one_of(st.integers(1, min(3, max_features)), st.integers(1, max_features)))
    X = draw(st.lists(st.lists(st.integers(-3, 3), min_size=d, max_size=d), min_size=n, max_size=n))
    rest = draw(st.lists(st.integers(0, n_classes - 1), min_size=n - n_classes, max_size=n - n_classes))
    y = draw(st.permutations([*range(n_classes), *rest]))
    return Data(np.array(X, dtype=np.float64), np.array(y))
