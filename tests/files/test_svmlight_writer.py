"""What write_svmlight takes and how it writes it; what it refuses."""

import io
import re
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt.base.rows import SparseRows
from rosenblatt.services.files.svmlight import read_svmlight, write_svmlight
from tests import oldest


def written(X: Any, y: Any, **words: Any) -> str:
    file = io.BytesIO()
    write_svmlight(X, y, file, **{"zero_based": True, **words})
    return file.getvalue().decode()


@pytest.mark.parametrize(
    "X",
    [
        [[0.0, 1.5], [2.0, 0.0]],
        np.array([[0, 1.5], [2, 0]], dtype=np.float32, order="F"),
        np.array([[0, 1.5], [2, 0]], dtype=">f8"),
        np.array([[0, 1.5], [2, 0]], dtype=np.float16),
        sp.csc_matrix([[0, 1.5], [2, 0]]),
        sp.coo_array([[0, 1.5], [2, 0]]),
        SparseRows(np.array([1.5, 2.0]), np.array([1, 0]), np.array([0, 1, 2]), 2),
        np.array([[0, 1.5], ["2", 0]], dtype=object),
    ],
    ids=["list", "float32 by columns", "other byte order", "float16", "csc", "coo", "ours", "objects"],
)
def test_rows_of_any_kind(X: Any) -> None:
    assert written(X, [1, 0]) == "1 1:1.5\n0 0:2\n"


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_that_are_not_in_order(index: Any) -> None:
    X = sp.csr_array((np.array([1.0, 2.0, 3.0, 0.0]), np.array([2, 0, 2, 1]), np.array([0, 3, 4])), (2, 3))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(np.int64)
    assert written(X, [1, 2]) == "1 0:2 2:4\n2 1:0\n"
    assert X.indices.tolist() == [2, 0, 2, 1]  # the caller's X stays as it was


def test_values_after_the_last_row_are_not_written() -> None:
    X = sp.csr_array(np.eye(2))
    X.data, X.indices = np.append(X.data, 7.0), np.append(X.indices, 9).astype(np.int32)
    assert written(X, [1, 2]) == "1 0:1\n2 1:1\n"


def test_numbers_are_the_shortest() -> None:
    X = np.array([[0.1, 1 / 3, 1e5, 1e22, -0.5, 5e-324]])
    assert written(X, [1e5]) == "100000 0:0.1 1:0.3333333333333333 2:100000 3:1e+22 4:-0.5 5:5e-324\n"
    assert written(X[:, :3].astype(np.float32), [0.1]) == "0.1 0:0.1 1:0.33333334 2:100000\n"


def test_whole_numbers_keep_all_digits() -> None:
    assert written([[2**62 + 1]], [-(2**63)]) == f"{-(2**63)} 0:{2**62 + 1}\n"
    assert written([[True, False]], [True]) == "1 0:1\n"


@pytest.mark.parametrize(
    ("y", "text"),
    [
        (["spam", "häm"], "spam\nhäm\n"),
        (np.array(["a", 1], dtype=object), "a\n1\n"),
        (np.array([b"ab", b"c"]), "ab\nc\n"),
        (np.array([1, 2], dtype=np.uint8), "1\n2\n"),
        (np.array([-0.0, 2.5], dtype=np.float32), "-0\n2.5\n"),
    ],
)
def test_labels_of_any_kind(y: Any, text: str) -> None:
    assert written(sp.csr_array((2, 1)), y) == text


def test_comment_and_queries() -> None:
    words: Any = {"query_id": [7, 8], "comment": "first\r\nä second"}
    assert written([[1], [2]], [0, 1], **words) == "# first\n# ä second\n0 qid:7 0:1\n1 qid:8 0:2\n"
    assert written([[1]], [0], comment=b"bytes") == "# bytes\n0 0:1\n"


def test_many_rows_keep_their_order() -> None:
    dense = np.random.default_rng(0).integers(-1, 2, (3000, 200)) / 3
    dense[1000:1500] = 0
    X = sp.csr_array(dense)
    y = np.arange(3000)
    text = written(X, y)
    again, labels = read_svmlight(io.BytesIO(text.encode()), n_features=200, zero_based=True)
    assert (again != X).nnz == 0
    assert labels.tolist() == y.tolist()


@pytest.mark.parametrize(
    ("X", "y", "words", "message"),
    [
        ([[np.inf]], [1], {}, "infinity"),
        (sp.csr_array([[np.nan]]), [1], {}, "NaN"),
        ([[1]], [np.nan], {}, "Input y contains NaN"),
        ([[1]], [1, 2], {}, "y must have a label a row, shape (1,), got (2,)"),
        ([[1]], [[1]], {}, "y must have a label a row, shape (1,), got (1, 1)"),
        ([[1]], ["a b"], {}, "y has the label 'a b'; a label must be"),
        ([[1]], ["a\nb"], {}, "y has the label 'a\\nb'; a label must be"),
        ([[1]], [1], {"query_id": [1.5]}, "query_id must be whole numbers, shape (1,), got float64 with shape (1,)"),
        ([[1]], [1], {"query_id": [1, 2]}, "query_id must be whole numbers, shape (1,), got int64 with shape (2,)"),
        ([[1]], np.array([2**63], np.uint64), {}, "y must fit 64-bit integers with a sign"),
        (np.array([[2**63]], np.uint64), [1], {}, "X must fit 64-bit integers with a sign"),
        (np.empty((0, 3)), [], {}, "0 sample(s)"),
        (np.empty((3, 0)), [1, 2, 3], {}, "3 sample(s) of 0 feature(s)"),
        ([1.0, 2.0], [1, 2], {}, "X must be rows of numbers, got float64 with shape (2,)"),
        pytest.param(
            sp.coo_array([1.0, 2.0]),
            [1, 2],
            {},
            "X must be rows of numbers, got float64 with shape (2,)",
            marks=oldest.sparse_vectors,
        ),
        ([["a"]], [1], {}, "X must be rows of numbers, got <U1 with shape (1, 1)"),
        ([[1j]], [1], {}, "X must be rows of numbers, got complex128 with shape (1, 1)"),
        ([[0, 0], [0, -np.inf]], [1, 2], {}, "Input X contains infinity in row 1, column 1"),
        ([[1], [1]], [1, np.inf], {}, "Input y contains infinity in row 1"),
    ],
)
def test_what_cannot_be_read_again_is_refused(X: Any, y: Any, words: dict[str, Any], message: str) -> None:
    file = io.BytesIO()
    with pytest.raises(ValueError, match=re.escape(message)):
        write_svmlight(X, y, file, **words)
    assert file.getvalue() == b""


def test_broken_sparse_matrix_is_refused() -> None:
    X = sp.csr_array(np.eye(3))
    X.indptr = np.array([0, 5, 2, 3], dtype=np.int32)
    with pytest.raises(ValueError, match="ind"):
        written(X, [1, 2, 3])


@pytest.mark.parametrize(
    ("indices", "indptr", "message"),
    [
        ([0, 1], [0, 2, 1], "X must have indptr that rise from 0 to at most 2"),
        ([0, 1], [1, 1, 2], "X must have indptr that rise from 0 to at most 2"),
        ([0, 1], [0, 1, 3], "X must have indptr that rise from 0 to at most 2"),
        ([0, 2], [0, 1, 2], "X must have indices from 0 to 1, got 0 to 2"),
        ([-1, 1], [0, 1, 2], "X must have indices from 0 to 1, got -1 to 1"),
    ],
)
def test_broken_rows_are_refused(indices: list[int], indptr: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        written(SparseRows(np.ones(2), np.array(indices), np.array(indptr), 2), [1, 2])


def test_an_empty_first_column_is_there_again() -> None:
    file = io.BytesIO()
    write_svmlight([[0, 1], [0, 2]], [1, -1], file)
    X, _ = read_svmlight(io.BytesIO(file.getvalue()))
    assert X.toarray().tolist() == [[0, 1], [0, 2]]
