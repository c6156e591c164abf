"""`coef_` and `intercept_`: made once, not to be written to, and as they were when the model learns on; a fast row."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rosenblatt import KernelPerceptron, LinearUnitClassifier, PassiveAggressiveRegressor, Perceptron
from rosenblatt.data.lectures import AND

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X = np.random.default_rng(0).standard_normal((60, 4))
Y = (X @ [1.0, -2.0, 0.5, 0.0] > 0.3).astype(int)


@pytest.mark.parametrize("readout", ["last", "average", "pocket"])
def test_they_are_made_once(readout: Any) -> None:
    model = Perceptron(readout=readout, keep_mistakes=True, max_iter=3).fit(X, Y)
    assert model.coef_ is model.coef_
    assert model.intercept_ is model.intercept_
    before = model.coef_
    model.readout = "average" if readout == "last" else "last"
    assert not np.array_equal(model.coef_, before)
    np.testing.assert_array_equal(model.coef_, model.coef_for(model.readout))
    model.readout = readout
    assert model.coef_ is before
    assert Perceptron(readout=readout, max_iter=3).fit(X, Y).fit(-X, Y).coef_ is not before


@pytest.mark.parametrize("labels", [Y, np.arange(60) % 3], ids=["two", "three"])
@pytest.mark.parametrize("readout", ["last", "average"])
def test_they_stay_as_they_are_while_the_model_learns_on(readout: Any, labels: Any) -> None:
    model = Perceptron(readout=readout, max_iter=1).fit(X, labels)
    held = model.coef_, model.intercept_, model.coef_for("last")
    copies = [array.copy() for array in held]
    for _ in range(3):
        model.partial_fit(-X, labels)
    for array, copy in zip(held, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert not np.array_equal(model.coef_, copies[0])


@pytest.mark.parametrize("model", [Perceptron(max_iter=3), PassiveAggressiveRegressor(max_iter=3, tol=None)], ids=str)
def test_they_are_set_and_not_written_to(model: Any) -> None:
    model.fit(X, Y)
    before = model.predict(X)
    for array in (model.coef_, model.intercept_):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 7
    np.testing.assert_array_equal(model.predict(X), before)
    model.coef_, model.intercept_ = -model.coef_, -model.intercept_
    assert not np.array_equal(model.predict(X), before)
    model.partial_fit(X, Y)  # goes on from what was learned
    assert model.coef_.flags.writeable is False


ROWS: dict[str, Any] = {
    "as it is": lambda X: X,
    "a list": lambda X: X.tolist(),
    "columns": np.asfortranarray,
    "every second": lambda X: np.repeat(X, 2, axis=0)[::2],
    "float32": lambda X: X.astype(np.float32).astype(np.float64),
    "other bytes": lambda X: X.astype(">f8"),
    "frame": pd.DataFrame,
    "sparse": sp.csr_array,
}


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("model", [Perceptron(max_iter=3), KernelPerceptron(max_iter=3), LinearUnitClassifier()])
def test_rows_that_are_not_checked_twice_give_the_same(model: Any, kind: str) -> None:
    model.fit(X, Y)
    np.testing.assert_allclose(
        model.decision_function(ROWS[kind](X[:7])), model.decision_function(X[:7].tolist()), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("model", [Perceptron(), LinearUnitClassifier()], ids=str)
def test_rows_are_refused_as_before(model: Any) -> None:
    model.fit(*AND)
    for rows, words in [
        (np.zeros((1, 3)), "X has 3 features, but .* is expecting 2 features"),
        (np.zeros((0, 2)), "Found array with 0 sample"),
        (np.zeros(2), "Expected 2D array, got 1D array"),
        (np.full((1, 2), np.nan), r"contains NaN, infinity or a value too large for its type \(row 0\)"),
    ]:
        with pytest.raises(ValueError, match=words):
            model.predict(rows)
    named = type(model)().fit(pd.DataFrame(AND.X, columns=["a", "b"]), AND.y)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        named.predict(AND.X.astype(float))


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron(), LinearUnitClassifier()], ids=str)
def test_there_are_no_probabilities_but_advice(model: Any) -> None:
    for fitted in (model, model.fit(*AND)):
        for method in ("predict_proba", "predict_log_proba"):
            assert not hasattr(fitted, method)
            with pytest.raises(AttributeError, match=rf"has no {method}, .*CalibratedClassifierCV\(.*\)"):
                getattr(fitted, method)
