"""Numbers have mean 0 and deviation 1 unless told otherwise; indicators stay as they are, and keep their zeros."""

from typing import Any

import numpy as np
import pytest

from rosenblatt import TableEncoding
from rosenblatt.base.rows import SparseRows
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.encoding.parameters import EncodingParameters


def test_numbers_and_indicators() -> None:
    table = {"wind": [10.0, 20, 60], "sunny": [0, 1, 1], "sign": [-1, 1, -1], "three": [-1, 0, 1], "two": [0, 2, 2]}
    encoding = TableEncoding().fit(table)
    assert encoding.numbers_.standardised == ["wind", "two"]
    X = encoding.transform(table)
    np.testing.assert_allclose(X[:, [0, 4]].mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(X[:, [0, 4]].std(axis=0), 1)
    assert X[:, 1:4].tolist() == [[0, -1, -1], [1, 1, 0], [1, -1, 1]]
    raw = TableEncoding(standardise=False).fit(table)
    assert raw.numbers_.standardised == []
    assert raw.transform(table).T.tolist() == list(table.values())


@pytest.mark.parametrize("block_rows", [1, 2, 3])
def test_a_column_is_known_at_its_end(block_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first blocks have no other numbers than those of an indicator."""
    monkeypatch.setattr("rosenblatt.services.files.table.BLOCK_ROWS", block_rows)
    table = {"late": [0, 1, 0, 1, 0, 9], "none": [0, 1, 0, 1, 0, 1]}
    assert TableEncoding().fit(table).numbers_.standardised == ["late"]


@pytest.mark.parametrize("value", [5.0, 0.1, 1e15, -1e-300, 1.0, 0.0])
def test_a_constant_column(value: float) -> None:
    table = {"same": [value] * 7, "x": [0.0, 3, 4, 5, 6, 7, 8]}
    encoding = TableEncoding().fit(table)
    X = encoding.transform(table)
    np.testing.assert_allclose(X[:, 0], value if value in (0, 1) else 0, atol=1e-15 * abs(value))
    assert np.isfinite(encoding.transform({"same": [value + 1], "x": [3]})).all()


def test_indicators_with_gaps() -> None:
    table = {"sunny": [0, None, 1, 1], "wind": [10, 20, None, 60]}
    policies: list[tuple[Any, float]] = [("zero", 0), ("mean", 2 / 3), ("indicator", 0)]
    for missing, expected in policies:
        X = TableEncoding(missing=missing).fit_transform(table)
        assert X[1, 0] == expected
        assert X[2, 1] == 0
    X = TableEncoding(missing="indicator").fit_transform(table)
    assert X[:, 2:].tolist() == [[0, 0], [1, 0], [0, 1], [0, 0]]


@pytest.mark.parametrize("missing", ["zero", "indicator"])
def test_a_column_without_a_value_stays_zero(missing: Any) -> None:
    X = TableEncoding(missing=missing).fit_transform({"none": [None, None], "x": [2.0, 4]})
    assert X[:, :2].tolist() == [[0, -1], [0, 1]]


def test_numbers_too_large_to_be_standardised() -> None:
    table = {"x": [1e308, -1e308, 1e308]}
    with pytest.raises(ValueError, match=r"^column 'x': expected .* finite mean and scale, .*; --no-standardise takes"):
        TableEncoding().fit(table)
    assert TableEncoding(standardise=False).fit_transform(table).ravel().tolist() == table["x"]


def test_sparse_rows_keep_their_zeros() -> None:
    towns = [f"t{k % 12}" for k in range(30)]
    table: dict[str, list[Any]] = {"wind": list(range(100, 130)), "town": towns, "sunny": [0, 1] * 15}
    X = Encoding.learn(EncodingParameters(), table).transform(table)
    assert isinstance(X, SparseRows)
    assert X.nnz == 30 + 30 + 15  # wind, town and every second sunny
    dense = X.toarray()
    assert set(dense[:, 1:].ravel().tolist()) == {0.0, 1.0}
    assert abs(dense[:, 0].mean()) < 1e-12
