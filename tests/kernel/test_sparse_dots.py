"""Dots between sparse rows and squared lengths: scipy's and scikit-learn's, bit for bit."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.extmath import row_norms

from rosenblatt import _core
from rosenblatt.base.rows import core_rows

Array = np.ndarray[Any, Any]

TYPES = st.sampled_from([np.float32, np.float64])
INDICES = st.sampled_from([np.int32, np.int64])
# With mantissas of 11 bits products are exact in float32, and only the sums are rounded: a machine whose scipy was
# compiled with fused multiply-add gives the same bits.
VALUES = st.builds(np.ldexp, st.integers(-2047, 2047).map(float), st.integers(-20, 20))


@st.composite
def csr(draw: st.DrawFn, features: int, dtype: Any) -> Any:
    """Sorted rows, some of them empty, stored zeros among the values."""
    rows = draw(st.lists(st.dictionaries(st.integers(0, features - 1), VALUES, max_size=8), max_size=6))
    indices = [column for row in rows for column in sorted(row)]
    data = np.array([row[column] for row in rows for column in sorted(row)], dtype=dtype)
    starts = np.cumsum([0, *map(len, rows)])
    X = sp.csr_array((data, indices, starts), shape=(len(rows), features), dtype=dtype)
    kind = draw(INDICES)
    X.indices, X.indptr = X.indices.astype(kind), X.indptr.astype(kind)
    return X


@st.composite
def pairs(draw: st.DrawFn, n_features: tuple[int, ...] = (1, 2, 5, 12, 1000)) -> tuple[Any, Any]:
    features, dtype = draw(st.sampled_from(n_features)), draw(TYPES)
    return draw(csr(features, dtype)), draw(csr(features, dtype))


def dots(A: Any, B: Any) -> Array:
    out = np.full((A.shape[0], B.shape[0]), np.nan, dtype=A.dtype)
    _core.sparse_dots(core_rows(A), core_rows(B), out)
    return out


def same_bits(a: Array, b: Array) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@given(pairs())
def test_dots_are_scipys(pair: tuple[Any, Any]) -> None:
    A, B = pair
    assert same_bits(dots(A, B), np.ascontiguousarray((A @ B.T).toarray()))


@given(pairs((12, 2**31 - 1)))
def test_many_features_cost_nothing(pair: tuple[Any, Any]) -> None:
    # scipy takes memory for each of them, so that there the columns are numbered anew.
    A, B = pair
    used, columns = np.unique(np.concatenate([A.indices, B.indices]), return_inverse=True)
    a = sp.csr_array((A.data, columns[: A.nnz], A.indptr), shape=(A.shape[0], len(used)))
    b = sp.csr_array((B.data, columns[A.nnz :], B.indptr), shape=(B.shape[0], len(used)))
    assert same_bits(dots(A, B), np.ascontiguousarray((a @ b.T).toarray()))
    assert same_bits(dots(A, B), np.ascontiguousarray(dots(B, A).T))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_rows(dtype: Any) -> None:
    random = np.random.default_rng(0)
    A: Any
    B: Any
    A, B = (sp.csr_array((random.random((n, 3000)) - 0.9).clip(0).astype(dtype)) for n in (40, 700))
    for X in (A, B):  # B has more values than the core lists at a time
        X.sort_indices()
        X.data = np.round(random.standard_normal(X.nnz) * 1000).astype(dtype) / 64
    assert B.nnz > 2**17
    assert same_bits(dots(A, B), (A @ B.T).toarray())


@given(pairs())
def test_squared_norms_are_scikit_learns(pair: tuple[Any, Any]) -> None:
    for X in pair:
        norm2 = np.full(X.shape[0], np.nan, dtype=X.dtype)
        _core.squared_norms(core_rows(X), norm2)
        assert same_bits(norm2, row_norms(X, squared=True))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_squared_norms_of_dense_rows(dtype: Any) -> None:
    X = np.arange(60, dtype=dtype).reshape(4, 15)
    norm2 = np.empty(4, dtype=dtype)
    _core.squared_norms(core_rows(X), norm2)
    assert norm2.tolist() == (X * X).sum(axis=1).tolist()


def eye(dtype: Any, n: int = 3) -> Any:
    return core_rows(sp.csr_array(np.eye(n, dtype=dtype)))


REFUSED: dict[str, tuple[Any, Any, Array, type[Exception], str]] = {
    "dense": (eye(float), core_rows(np.eye(3)), np.eye(3), TypeError, "expected sparse rows on both sides"),
    "types": (eye(float), eye(np.float32), np.eye(3), TypeError, "values of one type"),
    "out type": (eye(float), eye(float), np.eye(3, dtype=np.float32), TypeError, "out must be C-contiguous and of the"),
    "order": (eye(float), eye(float), np.asfortranarray(np.eye(3)), TypeError, "out must be C-contiguous and of the"),
    "features": (eye(float), eye(float, 4), np.zeros((3, 4)), ValueError, "the same features"),
    "shape": (eye(float), eye(float), np.zeros((3, 4)), ValueError, "rows x rows"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    a, b, out, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        _core.sparse_dots(a, b, out)


def test_columns_outside_are_refused() -> None:
    bad = _core.sparse_rows(np.ones(1), np.array([9], dtype=np.int32), np.array([0, 1], dtype=np.int32), 3)
    for a, b in ((bad, eye(float)), (eye(float), bad)):
        with pytest.raises(ValueError, match="outside of the 3 columns"):
            _core.sparse_dots(a, b, np.zeros((len(a), len(b))))
    with pytest.raises(ValueError, match="one entry a row"):
        _core.squared_norms(eye(float), np.zeros(2))
