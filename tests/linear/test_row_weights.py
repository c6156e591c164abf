"""What a row's weight does to each step, by hand, and that no weight makes the weights of a model run away."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_classification

from rosenblatt import Perceptron


@pytest.mark.parametrize(
    ("step", "weight", "w"),
    [  # one row x = 2 of the class +1, w = 0: loss 1, |x|^2 = 4, w = tau x
        ("perceptron", 3, 6),
        ("pa", 0.5, 0.25),  # half the way to the margin
        ("pa", 40, 0.5),  # 2 w = 1: at the margin
        ("pa1", 0.5, 0.125),  # tau = 0.5 C, C = 1/8
        ("pa1", 1, 0.25),
        ("pa1", 40, 0.5),
        ("pa2", 1, 0.25),  # tau = 1 / (4 + 1 / (2 C))
        ("pa2", 2, 1 / 3),  # 1 / (4 + 1 / (4 C))
        ("arow", 1, 0.4),  # tau = 1 / (4 + r), r = 1
        ("arow", 4, 2 / 4.25),  # 1 / (4 + r / 4)
    ],
)
def test_one_step(step: Any, weight: float, w: float) -> None:
    model = Perceptron(step=step, C=0.125, fit_intercept=False)
    model.partial_fit([[2.0]], [1], classes=[0, 1], sample_weight=[weight])
    np.testing.assert_allclose(model.coef_, [[w]], rtol=1e-12)


@pytest.mark.parametrize("multiclass", ["argmax", "one-vs-rest"])
@pytest.mark.parametrize("step", ["pa", "pa1", "pa2", "arow"])
def test_heavy_rows_do_not_overshoot(step: Any, multiclass: Any) -> None:
    for n_classes in (2, 3):
        shares = [0.95, *[0.05 / (n_classes - 1)] * (n_classes - 1)]
        X, y = make_classification(
            2000, 20, n_informative=8, n_classes=n_classes, weights=shares, flip_y=0.05, random_state=0
        )
        model = Perceptron(step=step, multiclass=multiclass, max_iter=3)
        plain = np.abs(model.fit(X, y).coef_).max()
        for class_weight in ("balanced", dict.fromkeys(range(1, n_classes), 40.0)):
            heavy = model.set_params(class_weight=class_weight).fit(X, y)
            assert np.abs(heavy.coef_).max() < 30 * plain
            assert (heavy.predict(X) != 0).sum() > 0
        model.set_params(class_weight=None).fit(X, y, sample_weight=np.where(y > 0, 1e6, 1e-6))
        assert np.abs(model.coef_).max() < 100 * plain


@pytest.mark.filterwarnings("ignore")  # the columns are far apart
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_variances_do_not_fall_below_zero(form: Any) -> None:
    # beta (S x)^2 is S but for rounding, where r is small beside the rows
    draw = np.random.default_rng(0)
    for _ in range(100):
        X = draw.normal(size=(8, 2)) * 10.0 ** draw.integers(-18, 1, size=(8, 2))
        model = Perceptron(step="arow", r=1e-30, max_iter=3, fit_intercept=False).fit(form(X), [0, 1] * 4)
        assert model._model.state.spread.min() >= 0
