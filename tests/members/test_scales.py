"""Columns whose numbers are of very different size: which are named, and what is no reason to say anything."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rosenblatt import (
    KernelPerceptron,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    ScaleWarning,
    TableEncoding,
    write_svmlight,
)
from rosenblatt.base.rows import as_rows
from rosenblatt.data import lectures
from rosenblatt.members.scales import ROWS, uneven_scales

PEOPLE = pd.DataFrame({"age": [31, 44, 58, 23], "income": [52e3, 61e3, 48e3, 39e3], "share": [0.3, 0.5, 0.2, 0.4]})
Y = [0, 1, 1, 0]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_which_column_and_what_to_do() -> None:
    said = r"column 'income' are about 5.1e\+04, those of column 'share' 0.37: .* sklearn.preprocessing.StandardScaler"
    for model in (
        Perceptron(max_iter=3),
        KernelPerceptron(max_iter=3),
        PassiveAggressiveClassifier(max_iter=3, tol=None),
        PassiveAggressiveRegressor(max_iter=3, tol=None),
    ):
        with pytest.warns(ScaleWarning, match=said) as caught:
            model.fit(PEOPLE, Y)
        assert (len(caught), caught[0].filename) == (1, __file__)
    with pytest.warns(ScaleWarning, match="column 1 are about .* of column 2 "):
        Perceptron(max_iter=3).fit(sp.csr_array(PEOPLE.to_numpy()), Y)
    with pytest.warns(ScaleWarning, match="column 0 are about 2e[+]03, those of the constant feature 1:"):
        Perceptron(max_iter=3).fit([[1990.0], [2005], [2011], [2020]], Y)


def test_files(tmp_path: Path) -> None:
    X, y = 100 * [*PEOPLE.to_numpy()], 100 * Y
    for zero_based in (False, True):
        write_svmlight(X, y, tmp_path / "t.svm", zero_based=zero_based)
        for model in (Perceptron(max_iter=2), Perceptron(max_iter=2, shards=2)):
            with pytest.warns(ScaleWarning, match=r"column 1 are about .* of column 2 0.37: ") as caught:
                model.fit_file(tmp_path / "t.svm")
            assert (len(caught), caught[0].filename) == (1, __file__)
    table = PEOPLE.assign(y=Y)
    table.to_csv(tmp_path / "t.csv", index=False)
    encoding = TableEncoding(label="y", standardise=False).fit(table)
    with pytest.warns(ScaleWarning, match="column 1 are about"):
        Perceptron(max_iter=2).fit_file(tmp_path / "t.csv", encoding=encoding)
    Perceptron(max_iter=2).fit_file(tmp_path / "t.csv", encoding=TableEncoding(label="y").fit(table))


def test_it_can_be_silenced_by_its_name_and_needs_no_second_look() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScaleWarning)
        Perceptron(max_iter=3).fit(PEOPLE, Y)
    Perceptron(max_iter=3).fit(StandardScaler().fit_transform(PEOPLE), Y)  # warnings are errors here
    Perceptron(max_iter=3).partial_fit(PEOPLE, Y)  # row by row nothing is known yet
    KernelPerceptron(kernel="precomputed", max_iter=3).fit(1e6 * np.eye(4), Y)


TEXTS = ["the cat and the dog and the bird " * 30, "a dog", "rare words", "the end"] * 5


@pytest.mark.parametrize(
    "X",
    [
        load_iris().data,
        load_digits().data,
        load_diabetes().data,
        255 * np.random.default_rng(0).random((50, 784)) ** 4,  # pixels
        OneHotEncoder().fit_transform(np.arange(300).reshape(-1, 1)),
        CountVectorizer().fit_transform(TEXTS).astype(float),
        TfidfVectorizer().fit_transform(TEXTS),
        np.zeros((4, 3)),
        *(np.array(getattr(lectures, name)[0], dtype=float) for name in ("AND", "XOR", "CMU")),
    ],
    ids=lambda X: str(X.shape),
)
def test_no_false_alarm(X: Any) -> None:
    assert uneven_scales(as_rows(X), 1.0) is None


def test_real_tables_that_must_be_scaled() -> None:
    for load, columns in ((load_wine, (12, 7)), (load_breast_cancer, (23, 19))):
        found = uneven_scales(load().data, 1.0)
        assert found is not None
        assert (found.largest, found.smallest) == columns


def test_some_rows_are_enough() -> None:
    seen = []

    class Rows:
        shape = (10**7, 2)

        def __getitem__(self, rows: Any) -> Any:
            seen.append(len(rows))
            return np.ones((len(rows), 2))

    assert uneven_scales(Rows(), 1.0) is None
    assert seen == [ROWS]
