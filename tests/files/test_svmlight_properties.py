"""Any split of the bytes gives the same rows or the same error; what is written reads as the same."""

import io
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.svmlight import iter_svmlight, read_svmlight, write_svmlight

FEATURES = 12
indices = st.integers(0, FEATURES - 1)
numbers = st.one_of(
    st.integers(-3, 3).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-1000, 1000, places=5).map(str),
)
labels = st.one_of(st.sampled_from(["1", "-1", "+1", "0.5"]), numbers)
junk = st.sampled_from(
    ["", "#", "# 1:x", "1 2:x", "1 2", "1 2:3 2:3", "nan", "a:b", "1 12:1", "\0", "spam 1:1", "1 3:1 1:2"]
)


@st.composite
def good_lines(draw: st.DrawFn) -> str:
    columns = draw(st.lists(indices, unique=True, max_size=6))
    entries = [f"{column}:{draw(numbers)}" for column in columns]
    blank = draw(st.sampled_from([" ", "  ", "\t"]))
    return blank.join([draw(labels), *entries]) + draw(st.sampled_from(["", " ", " # 1:2", "\r"]))


class Pieces:
    """A file that gives a few bytes at a time, as a pipe does."""

    def __init__(self, text: bytes, sizes: list[int]) -> None:
        self._file, self._sizes, self._k = io.BytesIO(text), sizes, 0

    def read(self, size: int) -> bytes:
        self._k += 1
        return self._file.read(min(size, self._sizes[self._k % len(self._sizes)]))


def rows_and_error(file: Any, block_bytes: int | None = None) -> tuple[Any, ...]:
    """All that comes out: rows, labels, and the error's place and words."""
    words: Any = {"n_features": FEATURES, "zero_based": True}
    X, y, error = [], [], ""
    try:
        if block_bytes is None:
            blocks: Any = [read_svmlight(file, **words)]
        else:
            blocks = iter_svmlight(file, block_bytes=block_bytes, **words)
        for rows, targets in blocks:
            X += rows.toarray().tolist()
            y += targets.tolist()
    except DataFileError as found:
        error = str(found)
    return X, y, error


@given(st.lists(st.one_of(good_lines(), junk), max_size=8), st.integers(1, 60), st.lists(st.integers(1, 9), min_size=1))
@example(["1 1:1", "1 2:x"], 1, [1])
def test_any_split_gives_the_same(lines: list[str], block_bytes: int, sizes: list[int]) -> None:
    text = "\n".join(lines).encode()
    X, y, error = rows_and_error(io.BytesIO(text))
    assert rows_and_error(Pieces(text, sizes)) == (X, y, error)
    if any(isinstance(label, str) for label in y) or "spam" in text.decode():
        return  # a name decides for all labels of a file, but in blocks for those that come after it
    in_blocks = rows_and_error(io.BytesIO(text), block_bytes)
    assert in_blocks == rows_and_error(Pieces(text, sizes), block_bytes)
    assert in_blocks[2] == error
    if not error:
        assert in_blocks == (X, y, error)


@given(st.lists(good_lines(), min_size=1, max_size=6))
def test_as_scikit_learn_reads_it(lines: list[str]) -> None:
    sorted_lines = []
    for line in lines:  # scikit-learn refuses indices that are not sorted
        head, *entries = line.partition("#")[0].split()
        sorted_lines.append(" ".join([head, *sorted(entries, key=lambda entry: int(entry.partition(":")[0]))]))
    text = "\n".join(lines).encode()
    ours, y = read_svmlight(io.BytesIO(text), n_features=FEATURES + 1)
    theirs, their_y = load_svmlight_file(io.BytesIO("\n".join(sorted_lines).encode()), n_features=FEATURES + 1)
    np.testing.assert_array_equal(ours.toarray(), theirs.toarray())
    np.testing.assert_array_equal(y, their_y)


finite = {width: st.floats(allow_nan=False, allow_infinity=False, width=width) for width in (32, 64)}


@given(st.data(), st.sampled_from([np.float32, np.float64]), st.booleans())
def test_what_is_written_reads_as_the_same(data: st.DataObject, dtype: Any, zero_based: bool) -> None:
    values = finite[32 if dtype is np.float32 else 64]
    n = data.draw(st.integers(1, 5))
    rows = data.draw(st.lists(st.dictionaries(indices, values, max_size=5), min_size=n, max_size=n))
    columns = [column for row in rows for column in row]
    starts = np.cumsum([0, *map(len, rows)])
    X = sp.csr_array((np.array([*chain(*map(dict.values, rows))], dtype), columns, starts), (n, FEATURES))
    X.sort_indices()
    y = np.array(data.draw(st.lists(finite[64], min_size=n, max_size=n)))
    query = data.draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=n, max_size=n))
    file = io.BytesIO()
    write_svmlight(X, y, file, zero_based=zero_based, comment="two\nlines", query_id=query)
    words: Any = {"dtype": dtype, "zero_based": zero_based, "n_features": FEATURES, "query_id": True}
    again, labels, queries = read_svmlight(io.BytesIO(file.getvalue()), **words)
    assert again.data.tobytes() == X.data.tobytes()  # to the bit, and zeros that are stored stay
    assert (again.indices.tolist(), again.indptr.tolist()) == (X.indices.tolist(), X.indptr.tolist())
    assert labels.tobytes() == y.tobytes()
    assert queries.tolist() == query


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1, max_size=5))
def test_whole_numbers_are_written_as_scikit_learn_does(rows: list[list[int]]) -> None:
    X, y = np.array(rows), np.arange(len(rows))
    ours, theirs = io.BytesIO(), io.BytesIO()
    write_svmlight(X, y, ours, zero_based=True)
    dump_svmlight_file(X, y, theirs)
    assert ours.getvalue().split(b"\n") == [line.rstrip() for line in theirs.getvalue().split(b"\n")]


@given(st.text(max_size=6), st.text(min_size=1, max_size=6))
@example("0", "0\0")
def test_labels_that_are_written_read_as_the_same(one: str, other: str) -> None:
    file = io.BytesIO()
    try:
        write_svmlight([[1.0], [2.0], [3.0]], [one, other, "a-name"], file)
    except ValueError:
        assert file.getvalue() == b""
        return
    assert read_svmlight(io.BytesIO(file.getvalue()))[1].tolist() == [one, other, "a-name"]
