"""What the perceptron takes: every layout and type of rows and labels, and a clear sentence for what it refuses."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris

from rosenblatt import Perceptron
from tests import oldest

AND, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
IRIS_X, IRIS_Y = load_iris(return_X_y=True)
WORDS: dict[str, dict[str, Any]] = {
    "last": {},
    "average pa1": {"readout": "average", "step": "pa1"},
    "arow": {"step": "arow"},
    "vote": {"readout": "vote"},
    "pocket": {"readout": "pocket"},
}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array


def with_index_types(X: Any, indices: Any, indptr: Any) -> Any:
    X = sp.csr_array(X)
    X.indices, X.indptr = X.indices.astype(indices), X.indptr.astype(indptr)
    return X


def mapped(X: Any, folder: Path) -> Any:
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def parts(X: Any) -> list[Any]:
    return [X.data, X.indices, X.indptr] if hasattr(X, "indptr") else [np.asarray(X)]


LAYOUTS: dict[str, Any] = {
    "fortran": np.asfortranarray,
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every second column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "columns of a wider array": lambda X: np.hstack([X, X])[:, : X.shape[1]],
    "backwards": lambda X: X[::-1].copy()[::-1],
    "other byte order": lambda X: X.astype(X.dtype.newbyteorder()),
    "read only": lambda X: frozen(X.copy()),
    "list": lambda X: X.tolist(),
    "csr": sp.csr_array,
    "csr matrix": sp.csr_matrix,
    "csr long": lambda X: with_index_types(X, np.int64, np.int64),
    "csr long pointers": lambda X: with_index_types(X, np.int32, np.int64),
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "pandas": lambda X: pd.DataFrame(X, columns=list("abcd")),
    "polars": lambda X: pl.DataFrame(X, schema=list("abcd")),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("words", WORDS)
def test_every_layout_gives_the_same_bits(layout: str, words: str) -> None:
    plain = Perceptron(**WORDS[words], max_iter=5).fit(IRIS_X, IRIS_Y)
    X = LAYOUTS[layout](IRIS_X)
    model = Perceptron(**WORDS[words], max_iter=5).fit(X, IRIS_Y)
    np.testing.assert_array_equal(model.mistakes_, plain.mistakes_)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(IRIS_X))


@pytest.mark.parametrize("words", WORDS)
def test_what_was_given_is_not_changed(words: str, tmp_path: Path) -> None:
    fitted = Perceptron(**WORDS[words], max_iter=3).fit(sp.csr_array(IRIS_X), IRIS_Y)
    for X in (mapped(IRIS_X, tmp_path), with_index_types(IRIS_X, np.int64, np.int64)):
        before = pickle.dumps(parts(X))
        fitted.predict(X)
        Perceptron(**WORDS[words], max_iter=3).fit(X, frozen(IRIS_Y.copy()), frozen(np.ones(150))).predict(X)
        assert pickle.dumps(parts(X)) == before
    X.data, X.indices, X.indptr = (frozen(part.copy()) for part in parts(X))
    fitted.predict(X)
    if words != "pocket":
        fitted.partial_fit(X, IRIS_Y)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("words", WORDS)
def test_float32_stays_float32(words: str, kind: Any) -> None:
    X = IRIS_X.astype(np.float32)
    for y in (IRIS_Y, IRIS_Y == 1):
        model = Perceptron(**WORDS[words], max_iter=3).fit(kind(X), y)
        if words == "vote":
            continue
        assert model.coef_.dtype == model.intercept_.dtype == np.float32
        for rows in (X, IRIS_X):
            assert model.decision_function(kind(rows)).dtype == np.float32
        assert Perceptron(max_iter=3).fit(IRIS_X, y).decision_function(X).dtype == np.float64


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint64, bool, object, np.float16])
def test_other_numbers_become_float64(dtype: Any) -> None:
    model = Perceptron(shuffle=False).fit(AND.astype(dtype), Y)
    assert model.coef_.dtype == np.float64
    assert (model.intercept_.tolist(), model.coef_.tolist()) == ([-4], [[3, 2]])


def test_csr_may_name_a_column_twice_and_in_any_order() -> None:
    X = IRIS_X.round(1)
    order = np.random.default_rng(0).permutation(8)
    twice = np.hstack([X / 4, X * 0.75])[:, order]
    columns = np.tile(np.arange(8)[order] % 4, len(X)).astype(np.int32)
    csr = sp.csr_array((twice.ravel(), columns, np.arange(len(X) + 1) * 8), shape=X.shape)
    np.testing.assert_allclose(csr.toarray(), X)
    for words in WORDS.values():
        model = Perceptron(**words, max_iter=1, shuffle=False).fit(csr, IRIS_Y)
        dense = Perceptron(**words, max_iter=1, shuffle=False).fit(X, IRIS_Y)
        np.testing.assert_allclose(model.decision_function(X), dense.decision_function(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("frame", [pd.DataFrame, pytest.param(pl.DataFrame, marks=oldest.polars_names)])
def test_frames_keep_the_names_of_their_columns(frame: Any) -> None:
    X = frame({"first": AND[:, 0], "second": AND[:, 1]})
    model = Perceptron().fit(X, Y)
    assert model.feature_names_in_.tolist() == ["first", "second"]
    for call in (model.predict, lambda X: model.partial_fit(X, Y)):
        with pytest.raises(ValueError, match="feature names should match"):
            call(frame({"first": AND[:, 0], "third": AND[:, 1]}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(AND)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.empty((0, 2)), [], "0 sample"),
        (np.empty((4, 0)), Y, "0 feature"),
        (AND[0], Y[:1], "Expected 2D array, got 1D array"),
        (AND[None], Y[:1], "dim 3"),
        (AND, Y[:3], r"inconsistent numbers of samples: \[4, 3\]"),
        (AND, np.column_stack([Y, Y]), "1d array"),
        (AND.astype(complex), Y, "Complex data"),
        (AND.astype(str), ["a", "b", "a", "b"], None),
    ],
)
def test_shapes_that_are_refused(X: Any, y: Any, words: Any) -> None:
    if words is None:  # numbers written as text are numbers
        assert Perceptron().fit(X, y).n_features_in_ == 2
        return
    with pytest.raises(ValueError, match=words):
        Perceptron().fit(X, y)
    with pytest.raises(ValueError, match=words):
        Perceptron().partial_fit(X, y)


def test_wrong_widths() -> None:
    model = Perceptron().fit(AND, Y)
    for call in (model.predict, model.decision_function, lambda X: model.partial_fit(X, Y)):
        with pytest.raises(ValueError, match="3 features, but Perceptron is expecting 2"):
            call(np.eye(4, 3))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_not_finite_is_named_with_its_row(bad: float, kind: Any, dtype: Any) -> None:
    X = IRIS_X.astype(dtype)
    X[117, 2] = bad
    words = r"contains NaN, infinity or a value too large for its type \(row 117\)"
    weight = np.ones(150)
    weight[:50] = 0
    for variant in (*WORDS.values(), {"early_stopping": True, "validation_fraction": 0.5}):
        model = Perceptron(**variant, max_iter=3)
        for sample_weight in (None, weight):
            with pytest.raises(ValueError, match=words):
                model.fit(kind(X), IRIS_Y, sample_weight)
        assert not hasattr(model, "classes_")
        model.fit(kind(IRIS_X), IRIS_Y)
        with pytest.raises(ValueError, match=words):
            model.predict(kind(X))
        if hasattr(model, "partial_fit"):
            with pytest.raises(ValueError, match=words):
                model.partial_fit(kind(X), IRIS_Y, sample_weight=weight)


CORRUPT = """
import itertools
import numpy as np, scipy.sparse as sp
from rosenblatt import Perceptron

good = sp.random_array((200, 500), density=0.02, format="csr", random_state=np.random.default_rng(0))
y = np.arange(200) % 2
weight = (np.arange(200) % 3 > 0) * 1.0
variants = [{}, dict(readout="average", step="pa1"), dict(step="arow"), dict(readout="vote"), dict(readout="pocket")]
variants += [dict(early_stopping=True), dict(batch_size="all")]
for (place, value, words), index, words_of in itertools.product(DAMAGES, ("int32", "int64"), variants):
    print(place, value, index, words_of, flush=True)
    X = good.copy()
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    exec(f"X.{place} = {value}")
    model, fitted = Perceptron(max_iter=50, **words_of), Perceptron(max_iter=50, **words_of).fit(good, y)
    calls = [lambda: model.fit(X, y), lambda: model.fit(X, y, weight), lambda: fitted.predict(X)]
    if hasattr(fitted, "partial_fit"):
        calls += [lambda: fitted.partial_fit(X, y), lambda: fitted.partial_fit(X, y, sample_weight=weight)]
    for call in calls:
        try:
            call()
        except ValueError as error:
            assert words in str(error), error
        else:
            raise AssertionError("it was not refused")
print("all were refused")
"""
DAMAGES = [
    ("indices[77]", 500, "outside of the 500 columns"),
    ("indices[77]", 2**31 - 1, "outside of the 500 columns"),
    ("indices[77]", -1, "outside of the 500 columns"),
    ("indptr[50]", 3, "indptr must not fall"),
    ("indptr[50]", -5, "indptr must not fall"),
    ("indptr[50]", 2**31 - 1, "indptr must not fall nor pass"),
    ("indptr[-1]", 2**31 - 1, "indptr must not fall nor pass"),
    ("indptr[0]", 1, "indptr must start with 0"),
]


def test_corrupt_csr_is_refused_and_never_read() -> None:
    command = [sys.executable, "-W", "ignore", "-c", CORRUPT.replace("DAMAGES", repr(DAMAGES))]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    last = (result.stdout.splitlines() or [""])[-1]
    assert (result.returncode, last) == (0, "all were refused"), result.stderr


HUGE = np.array([[1e30, 1e30], [1e30, -1e30], [1e30, 1e30], [0, 0]], dtype=np.float32)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("labels", [[1, 0, 1, 0], [1, 2, 1, 0], [2, 1, 2, 0]])
def test_scores_that_overflow_are_an_error(labels: Any, kind: Any) -> None:
    model = Perceptron(shuffle=False, fit_intercept=False, tie="positive", max_iter=3).fit(AND.astype(np.float32), Y)
    before = pickle.dumps(vars(model))
    with pytest.raises(OverflowError, match="too large for"):
        model.fit(kind(HUGE), labels)
    assert pickle.dumps(vars(model)) == before


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("step", ["pa", "pa1", "pa2", "arow"])
def test_lengths_that_overflow_are_an_error(step: Any, kind: Any) -> None:
    model = Perceptron(step=step, shuffle=False).fit(AND.astype(np.float32), Y).set_params(max_iter=3)
    before = pickle.dumps(vars(model))
    for call in (model.fit, model.partial_fit):
        with pytest.raises((OverflowError, ValueError), match="too large"):
            call(kind(HUGE), [1, 0, 1, 0])  # |x|^2 is infinite, and a step of loss / |x|^2 would be 0
        assert pickle.dumps(vars(model)) == before


@pytest.mark.parametrize(("scale", "dtype"), [(1e30, np.float32), (1e200, np.float64)])
@pytest.mark.parametrize("readout", ["last", "average", "vote", "pocket"])
def test_weights_that_overflow_are_an_error(readout: Any, scale: float, dtype: Any) -> None:
    model = Perceptron(readout=readout).fit(AND.astype(dtype), Y)
    before = pickle.dumps(vars(model))
    with pytest.raises(OverflowError, match="too large for"):
        model.fit((1 + AND).astype(dtype) * dtype(scale), Y, sample_weight=np.full(4, scale))
    assert pickle.dumps(vars(model)) == before


def test_average_of_large_float32_weights() -> None:
    X, weight = np.tile(np.eye(2, dtype=np.float32), (100, 1)), np.full(200, 1e37)
    model = Perceptron(readout="average", shuffle=False, fit_intercept=False).fit(X, [0, 1] * 100, weight)
    np.testing.assert_allclose(model.coef_, [[-1e37, 1e37]], rtol=0.01)


def test_rows_too_large_for_the_model_are_refused() -> None:
    model = Perceptron().fit(AND.astype(np.float32), Y)
    for call in (model.predict, lambda X: model.partial_fit(X, Y)):
        with pytest.raises(ValueError, match=r"too large for its type \(row 1\)"):
            call(AND * 1e60)
