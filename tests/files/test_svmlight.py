"""What read_svmlight reads: every form of the format, as scikit-learn's loader does where that one can."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.datasets import load_svmlight_file

from rosenblatt import Perceptron
from rosenblatt.services.files.svmlight import iter_svmlight, read_svmlight
from tests import oldest

TEXT = b"""# a comment
1 1:0.1 3:-2.5e-3 10:7
-1 2:123456789.123456789
0.5   4:0  # a zero that is stored

2 qid:4 1:1e-320 5:3.4028235e38
"""


def read(text: bytes, **words: Any) -> tuple[Any, ...]:
    return read_svmlight(io.BytesIO(text), **words)


def assert_same(ours: Any, theirs: Any) -> None:
    assert type(ours) is type(theirs)
    assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("words", [{}, {"zero_based": True}, {"n_features": 30}])
@pytest.mark.parametrize("text", [TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT + b"1 0:1\n", TEXT.rstrip(), b"1\n2\n"])
def test_as_scikit_learn_reads_it(text: bytes, words: dict[str, Any]) -> None:
    X, y = read(text, **words)
    theirs, labels = load_svmlight_file(io.BytesIO(text), **words)
    assert_same(X, theirs)
    np.testing.assert_array_equal(y, labels)


def test_one_based_as_scikit_learn_reads_it() -> None:
    assert_same(read(TEXT, zero_based=False)[0], load_svmlight_file(io.BytesIO(TEXT), zero_based=False)[0])


def test_queries_as_scikit_learn_reads_them() -> None:
    text = b"1 qid:3 1:1\n2 qid:12 2:1 # three\n2 qid:3\n"
    X, y, query = read(text, query_id=True)
    theirs, labels, queries = load_svmlight_file(io.BytesIO(text), query_id=True)
    assert_same(X, theirs)
    np.testing.assert_array_equal(y, labels)
    assert (query.tolist(), query.dtype) == (queries.tolist(), queries.dtype)


@oldest.sparse_interface
def test_sparse_interface_of_scikit_learn_is_kept() -> None:
    with config_context(sparse_interface="sparray"):
        assert isinstance(read(TEXT)[0], sp.csr_array)
    assert isinstance(read(TEXT)[0], sp.csr_matrix)


def test_float32_is_rounded_once() -> None:
    # The double nearest to this number lies halfway between two floats and rounds down; the number itself does not.
    halfway = "1.000000059604644775390625000000001"
    X, _ = read(f"1 1:{halfway} 2:{halfway[:26]}".encode(), dtype=np.float32)
    assert X.dtype == np.float32
    assert X.data.tolist() == [np.nextafter(np.float32(1), np.float32(2)), 1.0]
    assert np.float32(float(halfway)) == 1.0


def test_byte_order_mark_tabs_and_unsorted_indices() -> None:
    X, y = read(b"\xef\xbb\xbf+1\t7:7 \t 2:2\t5:5  \n")
    assert (X.indices.tolist(), X.data.tolist(), y.tolist()) == ([1, 4, 6], [2.0, 5.0, 7.0], [1.0])
    assert X.has_canonical_format


def test_labels_that_are_names() -> None:
    y = read("spam 1:1\nhäm\n".encode())[1]
    assert (y.tolist(), y.dtype.kind) == (["spam", "häm"], "U")


def test_one_name_makes_all_labels_text_as_written() -> None:
    for text in (b"+1 1:1\n007\n1.50\nx\n", b"x\n+1 1:1\n007\n1.50\n"):
        assert sorted(read(text)[1].tolist()) == ["+1", "007", "1.50", "x"]


def test_labels_of_many_classes_by_comma() -> None:
    assert read(b"1,3 1:1\n2 1:1\n")[1].tolist() == ["1,3", "2"]


@pytest.mark.parametrize("index", [2**31 - 1, 2**31, 2**32 + 1, 2**63 - 1])
def test_large_indices(index: int) -> None:
    X, _ = read(f"1 1:1\n1 {index}:2\n".encode())
    assert X.shape == (2, index)
    assert X.indices.tolist() == [0, index - 1]
    assert X.indices.dtype == X.indptr.dtype == (np.int32 if index < 2**31 else np.int64)


def test_many_features_make_indices_wide() -> None:
    assert read(b"1 1:1\n", n_features=2**40)[0].indices.dtype == np.int64


def test_largest_index_is_one_based_when_no_index_is_zero() -> None:
    assert read(b"1 2:1\n", n_features=2)[0].toarray().tolist() == [[0.0, 1.0]]


def test_a_line_longer_than_a_block() -> None:
    line = " ".join(f"{k}:{k}" for k in range(1, 700_000)).encode()
    X, _ = read(b"1 1:1\n1 " + line + b"\n1 2:1\n")
    assert (X.shape, X.nnz, X[1, 699_998]) == ((3, 699_999), 700_001, 699_999.0)


def test_parts_of_a_file_have_each_line_once() -> None:
    lines = [f"{k} {k}:{k}" for k in range(40)]
    text = "\n".join(lines).encode()
    whole = read(text, n_features=50, zero_based=True)[1].tolist()
    for length in (1, 5, 6, 7, 50, 1000):
        parts = [
            read(text, n_features=50, offset=offset, length=length)[1].tolist()
            for offset in range(0, len(text), length)
        ]
        assert [label for part in parts for label in part] == whole


def test_parts_are_those_of_scikit_learn() -> None:
    text = "\n".join(f"{k} {k + 1}:{k}" for k in range(40)).encode()
    for offset, length in ((0, 100), (30, 50), (100, -1)):
        words: Any = {"n_features": 50, "offset": offset, "length": length}
        assert_same(read(text, **words)[0], load_svmlight_file(io.BytesIO(text), **words)[0])


def test_blocks_make_up_the_file() -> None:
    text = b"".join(b"%d %d:%d\n" % (k % 3, k + 1, k) for k in range(100))
    whole, labels = read(text, n_features=101, zero_based=False)
    blocks = list(iter_svmlight(io.BytesIO(text), n_features=101, zero_based=False, block_bytes=64))
    assert len(blocks) > 10
    assert_same(sp.vstack([X for X, _ in blocks], format="csr"), whole)
    assert np.concatenate([y for _, y in blocks]).tolist() == labels.tolist()


def test_a_caller_that_stops_early() -> None:
    text = b"1 1:1\n" * 10_000
    with io.BytesIO(text) as file:
        for X, _ in iter_svmlight(file, n_features=2, block_bytes=60):
            assert X.shape[0] == 10
            break
        assert not file.closed


def test_learning_from_blocks_is_learning_from_the_file() -> None:
    text = b"".join(b"%d 1:%d 2:%d\n" % (k % 2, k % 5, k % 7) for k in range(60))
    X, y = read(text)
    whole = Perceptron(shuffle=False).partial_fit(X, y)
    blocks = Perceptron(shuffle=False)
    for X, y in iter_svmlight(io.BytesIO(text), n_features=2, zero_based=False, block_bytes=100):
        blocks.partial_fit(X, y)
    np.testing.assert_array_equal(blocks.coef_, whole.coef_)
    assert blocks.n_updates_ == whole.n_updates_


def test_path_and_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "text.svm"
    path.write_bytes(TEXT)
    expected = read(TEXT)[0]
    assert_same(read_svmlight(path)[0], expected)
    assert_same(read_svmlight(str(path))[0], expected)
    with path.open("rb") as file:
        assert_same(read_svmlight(file.fileno())[0], expected)
        assert not file.closed


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    assert_same(read_svmlight("-")[0], read(TEXT)[0])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1 1:x")))
    with pytest.raises(ValueError, match=r"^<stdin>:1:5: expected a number after ':', found 'x'$"):
        read_svmlight("-")


def test_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-c", f"open({str(pipe)!r}, 'wb').write({TEXT!r})"]):
        assert_same(read_svmlight(pipe)[0], read(TEXT)[0])
