"""What scikit-learn did before: means, scales, indicators and their matrices are the same, to the bit."""

import io
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rosenblatt.base.rows import SparseRows
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.encoding.columns import Categories
from rosenblatt.services.files.encoding.learn import Moments
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.table_file import read_table, write_table
from rosenblatt.services.files.text_column import as_texts
from tests.text.plain_rows import plain_rows

finite = st.floats(allow_nan=False, allow_infinity=False)
near = st.builds(lambda base, step: base + step, st.sampled_from([0.0, 1.0, 1e8, -1e15, 0.1]), st.floats(-1e-7, 1e-7))
tiny = st.floats(-1e-160, 1e-160)
whole = st.integers(-9, 9).map(float)


def blocks_of(values: Any) -> Any:
    block = arrays(np.float64, st.integers(1, 20), elements=values, fill=st.nothing())
    constant = st.builds(lambda value, size: np.full(size, value), values, st.integers(1, 200))
    return st.lists(block | constant, min_size=1, max_size=4)


def assert_same(blocks: list[Any]) -> None:
    """The moments after each block are those of the scaler."""
    ours, theirs = Moments(), StandardScaler()
    with np.errstate(all="ignore"):
        for block in blocks:
            ours.see(block)
            theirs.partial_fit(block.reshape(-1, 1))
            found, expected = np.array([ours.mean, ours.scale]), np.array([theirs.mean_[0], theirs.scale_[0]])
            assert (np.isnan(found) == np.isnan(expected)).all()
            assert found[~np.isnan(found)].tobytes() == expected[~np.isnan(found)].tobytes()


@pytest.mark.parametrize("values", [finite, near, tiny, whole, finite | near | tiny], ids=lambda _: "")
def test_means_and_scales(values: Any) -> None:
    @settings(max_examples=100, deadline=None)
    @given(blocks_of(values))
    @example([np.array([0.0])])
    @example([np.array([0.1] * 10), np.array([0.1] * 3)])
    @example([np.array([1e308, 1e308]), np.array([-1e308])])
    @example([np.array([1e200, -1e200])])
    @example([np.full(34, 2.2952590511312216e168)])
    @example([np.array([5e-324, 0.0]), np.array([5e-324])])
    @example([np.array([1.0, 1.0 + 2**-52])])
    def check(blocks: list[Any]) -> None:
        assert_same(blocks)

    check()


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e6, 1e150])
@pytest.mark.parametrize("offset", [0.0, 1.0, 1e9])
def test_means_and_scales_of_many_rows(scale: float, offset: float) -> None:
    """So many that numpy sums them in pieces."""
    random = np.random.default_rng(0)
    for sizes in ([8192, 8192, 77], [1, 8191], [129, 8, 7, 4096, 100_001]):
        assert_same([offset + scale * random.standard_normal(size) for size in sizes])
        table = offset + scale * random.standard_normal((sum(sizes), 3))  # a column of a table, as it is learned
        assert_same([np.split(table, np.cumsum(sizes)[:-1])[k][:, 1].copy() for k in range(len(sizes))])


def test_nothing_was_seen() -> None:
    assert np.isnan([Moments().mean, Moments().scale]).all()


letters = st.characters(codec="utf-8", exclude_characters="\0")  # which numpy loses at the end of a text
cells_of_text = st.text(letters, max_size=3).map(str.strip)
values = st.lists(cells_of_text, min_size=1, max_size=5, unique=True).map(sorted)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_indicators(data: Any) -> None:
    """Those of `OneHotEncoder`, for columns with and without a value for missing cells."""
    n_columns, n_rows = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 6))
    known = [data.draw(values) for _ in range(n_columns)]
    fills = [data.draw(st.one_of(st.just(""), st.sampled_from(of_column))) for of_column in known]
    cells = [[data.draw(st.sampled_from([*of_column, "", "new"])) for _ in range(n_rows)] for of_column in known]
    names = [f"c{k}" for k in range(n_columns)]
    table = Table.of(dict(zip(names, cells, strict=True)))
    found = Categories(names, known, list(fills)).encode(table, "ignore")
    filled = [
        np.where(as_texts(column) == "", fill, as_texts(column)) for column, fill in zip(cells, fills, strict=True)
    ]
    theirs = OneHotEncoder(categories=[*map(as_texts, known)], handle_unknown="ignore")
    theirs.fit(np.array([[of_column[0] for of_column in known]], dtype=object))
    expected = theirs.transform(np.column_stack(filled)).toarray()
    ours = np.zeros_like(expected)
    row, place = np.nonzero(found >= 0)
    ours[row, found[row, place]] = 1
    np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("with_text", [False, True])
def test_sparse_features(with_text: bool) -> None:
    """As scipy puts the parts side by side: values, columns and starts, and their types."""
    random, n_rows = np.random.default_rng(1), 50
    wind = np.where(random.random(n_rows) < 0.5, 0.0, random.standard_normal(n_rows))
    towns = as_texts(f"town {k}" for k in random.integers(0, 30, n_rows))
    notes = as_texts(" ".join(random.choice(["wet", "cold", "fine"], 4)) for _ in range(n_rows))
    cells = {"wind": as_texts(map(repr, wind.tolist())), "town": towns, "note": notes, "empty": as_texts([""] * n_rows)}
    texts = ["note", "empty"]
    parameters = EncodingParameters(
        standardise=False, **({"text": texts, "bits": 8} if with_text else {"ignore": texts})
    )
    write_table(file := io.BytesIO(), [cells], "csv")
    table = read_table(io.BytesIO(file.getvalue()))
    encoding = Encoding.learn(parameters, table)
    X = encoding.transform(table)
    indicators = OneHotEncoder().fit_transform(towns.reshape(-1, 1))
    parts: list[Any] = [wind.reshape(-1, 1), indicators]
    if with_text:  # "empty" has no features
        parts.append(plain_rows(notes.tolist(), bits=8))
    expected = sp.csr_array(sp.hstack(parts))
    expected.sort_indices()
    assert isinstance(X, SparseRows)
    assert X.shape == expected.shape == (n_rows, encoding.n_features)
    for name in ("data", "indices", "indptr"):
        ours, theirs = getattr(X, name), getattr(expected, name)
        assert (ours.dtype, ours.flags.c_contiguous) == (theirs.dtype, True)
        if with_text:  # values of texts are those of plain Python to rounding
            np.testing.assert_allclose(ours, theirs, atol=1e-6)
        else:
            assert ours.tobytes() == theirs.tobytes()
