"""What users give to a service is taken as it is, or refused in clear words."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron
from rosenblatt.base.inputs import as_float_table, as_fraction, as_table, check_fitted, check_lengths, exact, is_member
from rosenblatt.base.rows import SparseRows, sparse
from rosenblatt.data.lectures import AND
from tests import oldest

SPARSE = [sp.csr_array, sp.csc_matrix, sp.coo_array, sp.lil_array, sparse]


@pytest.mark.parametrize("kind", SPARSE, ids=lambda kind: kind.__name__)
def test_sparse_tables(kind: Any) -> None:
    for table in (as_table(kind(AND.X)), as_float_table(kind(AND.X))):
        assert isinstance(table, SparseRows)
        assert table.toarray().tolist() == AND.X.tolist()
    assert as_table(kind(AND.X)).dtype == np.int64
    assert as_float_table(kind(AND.X.astype(np.float32))).dtype == np.float32


@pytest.mark.parametrize("kind", [np.asarray, np.asfortranarray, list, pd.DataFrame, pl.DataFrame])
def test_dense_tables(kind: Any) -> None:
    table = as_float_table(kind(AND.X))
    assert table.flags.c_contiguous
    assert (table.dtype, table.tolist()) == (np.float64, AND.X.tolist())


def test_nothing_is_copied_that_is_right_already() -> None:
    X = np.zeros((2, 2), dtype=np.float32)
    assert as_float_table(X) is X
    S = sparse(np.eye(2))
    assert as_float_table(S) is S


@pytest.mark.parametrize(
    ("X", "shape"),
    [
        (5, "()"),
        ([1, 2], "(2,)"),
        ([[[1]]], "(1, 1, 1)"),
        ([], "(0,)"),
        ([[]], "(1, 0)"),
        (np.zeros((0, 3)), "(0, 3)"),
        (sp.csr_array((0, 3)), "(0, 3)"),
        pytest.param(sp.coo_array(np.ones(3)), "(3,)", marks=oldest.sparse_vectors),
    ],
)
def test_what_is_no_table(X: Any, shape: str) -> None:
    with pytest.raises(ValueError) as found:  # noqa: PT011
        as_float_table(X, "rows")
    assert str(found.value) == f"rows: expected a 2D array of at least one row and one column, found shape {shape}"


@pytest.mark.parametrize("X", [[["a"]], [[object()]], [[10**400]], [[1j]], np.array([["2020-01-01"]], dtype="M8")])
def test_what_are_no_numbers(X: Any) -> None:
    with pytest.raises(ValueError, match="X: expected "):
        as_float_table(X)


def test_one_label_a_row() -> None:
    check_lengths(AND.X, AND.y)
    for y, found in ((AND.y[:3], r"\[4, 3\]"), (np.array(1), r"\[4\]")):
        with pytest.raises(ValueError, match=f"inconsistent numbers of samples: {found}"):
            check_lengths(AND.X, y)


def test_numbers_are_exact() -> None:
    given = [1, 0.1, np.float32(0.1), "1/3", Decimal("0.1"), np.int8(-3), Fraction(2, 4)]
    tenth = Fraction(1, 10)
    assert exact(given, "X", as_decimal=True).tolist() == [1, tenth, tenth, Fraction(1, 3), tenth, -3, Fraction(1, 2)]
    assert exact(0.1, "X", as_decimal=False)[()] == Fraction(0.1) == as_fraction(np.float64(0.1), as_decimal=False)


@pytest.mark.parametrize("model", [Perceptron(), LogisticRegression(), make_pipeline(StandardScaler(), Perceptron())])
def test_whether_an_estimator_has_learned(model: Any) -> None:
    with pytest.raises(NotFittedError, match=f"{type(model).__name__} that is not fitted"):
        check_fitted(model)
    check_fitted(model.fit(*AND))


def test_a_member_has_always_learned() -> None:
    model = Perceptron().fit(*AND)
    assert (is_member(model), is_member(model._model)) == (False, True)
    check_fitted(model._model)
