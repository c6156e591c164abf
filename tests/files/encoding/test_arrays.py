"""`TableEncoding` of arrays and lists of rows: columns x0, x1, ..., and scikit-learn's own checks of estimators."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import Perceptron, TableEncoding

MIXED = [["sunny", 3, True], ["rainy", 5, False], ["sunny", 1, True]]


@parametrize_with_checks(
    [
        TableEncoding(),
        TableEncoding(standardise=True),
        TableEncoding(missing="indicator"),
        TableEncoding(missing="mean", unknown="ignore"),
    ]
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(
    "rows",
    [
        MIXED,
        list(map(tuple, MIXED)),
        np.array(MIXED, dtype=object),
        pd.DataFrame(MIXED, columns=["x0", "x1", "x2"]),
        pl.DataFrame(MIXED, schema=["x0", "x1", "x2"], orient="row"),
        {"x0": ["sunny", "rainy", "sunny"], "x1": (3, 5, 1), "x2": [True, False, True]},
    ],
    ids=["lists", "tuples", "array", "pandas", "polars", "dict"],
)
def test_rows_are_a_table(rows: Any) -> None:
    encoding = TableEncoding().fit(rows)
    names = ["x1", "x0=rainy", "x0=sunny", "x2=false", "x2=true"]
    assert encoding.get_feature_names_out().tolist() == names
    assert encoding.n_features_in_ == 3
    frame = pd.DataFrame(MIXED, columns=["x0", "x1", "x2"])
    np.testing.assert_array_equal(encoding.transform(rows), TableEncoding().fit(frame).transform(frame))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float16, np.float32, np.longdouble, ">f8", object])
def test_arrays_of_numbers(dtype: Any) -> None:
    X = np.array([[0, 1], [1, 1], [1, 0]]).astype(dtype)
    encoding = TableEncoding(label="x1").fit(X)
    assert encoding.columns == ["x0"]
    assert encoding.transform(X).ravel().tolist() == [0, 1, 1]
    assert encoding.labels(X).tolist() == [1, 1, 0]
    np.testing.assert_array_equal(TableEncoding(standardise=False).fit_transform(np.asfortranarray(X)), X.astype(float))


def test_texts_of_numpy_and_what_is_missing() -> None:
    assert TableEncoding().fit_transform(np.array([["a"], ["b"], ["a"]])).tolist() == [[1, 0], [0, 1], [1, 0]]
    gaps = [["a", 1.0], [None, np.nan], [np.nan, 3.0]]
    X = TableEncoding(missing={"x0": "zero", "x1": "mean"}, standardise=False).fit_transform(gaps)
    assert X.tolist() == [[1, 1], [2, 0], [3, 0]]
    with pytest.raises(ValueError, match=r"^row 1 of the table: expected a value, .*, found NaN \(column x1\)$"):
        TableEncoding(ignore=["x0"]).fit(gaps)


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_array, sp.coo_array])
def test_a_sparse_matrix_is_refused(form: Any) -> None:
    encoding = TableEncoding().fit(np.eye(2))
    for ask in (TableEncoding().fit, encoding.transform, encoding.labels):
        with pytest.raises(TypeError, match=r"^TableEncoding takes no sparse matrix: its rows are features already"):
            ask(form(np.eye(2)))


def test_an_array_after_a_frame_is_in_its_order() -> None:
    frame = pd.DataFrame({"b": [1, 2], "a": ["u", "v"]})
    encoding = TableEncoding().fit(frame)
    assert encoding.feature_names_in_.tolist() == ["b", "a"]
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        X = encoding.transform(frame.to_numpy())
    np.testing.assert_array_equal(X, encoding.transform(frame[["a", "b"]]))
    with pytest.raises(ValueError, match="X has 1 features, but TableEncoding is expecting 2"):
        TableEncoding().fit(frame.to_numpy()).transform([[1]])


def test_what_is_said_of_columns_is_that_of_the_last_fit(tmp_path: Any) -> None:
    encoding = TableEncoding().fit(pd.DataFrame({"b": [1, 2], "a": ["u", "v"]}))
    encoding.fit(np.eye(3))
    assert encoding.n_features_in_ == 3
    assert not hasattr(encoding, "feature_names_in_")
    with pytest.raises(ValueError, match="expected"):
        encoding.fit(np.full((2, 2), np.nan))
    assert encoding.n_features_in_ == 3
    (tmp_path / "t.csv").write_text("b,a\n1,u\n2,v\n", encoding="utf-8")
    assert not hasattr(encoding.fit(tmp_path / "t.csv"), "n_features_in_")


def test_names_within_pipelines() -> None:
    """Arrays that come from another step have the names that it gave them."""
    X = pd.DataFrame({"wind": [3.0, 5, 1], "rain": [0.0, 2, 1], "sky": ["u", "v", "u"]})
    pipeline = make_pipeline(StandardScaler(), TableEncoding()).fit(X[["wind", "rain"]])
    assert pipeline.get_feature_names_out().tolist() == ["wind", "rain"]
    parts = ColumnTransformer(
        [("a", TableEncoding(), ["sky", "rain"]), ("b", make_pipeline(StandardScaler(), TableEncoding()), ["wind"])]
    ).fit(X)
    assert parts.get_feature_names_out().tolist() == ["a__rain", "a__sky=u", "a__sky=v", "b__wind"]
    with pytest.raises(ValueError, match="input_features should have length equal to number of features"):
        TableEncoding().fit(X.to_numpy()).get_feature_names_out(["a"])
    model = make_pipeline(TableEncoding(), Perceptron()).fit(X.to_numpy(), [0, 1, 0])
    assert model.predict(X.to_numpy()).tolist() == [0, 1, 0]


def test_many_columns() -> None:
    X = np.random.default_rng(0).standard_normal((30, 5000))
    encoding = TableEncoding().fit(X)
    assert encoding.n_features_ == encoding.transform(X).shape[1] == 5000
