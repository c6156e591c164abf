"""What a table holds, counted in little memory: exact while there are few values, close to it when there are many."""

import io

import numpy as np
import pytest

from rosenblatt.services.files.overview import Distinct, overview
from rosenblatt.services.files.table_file import iter_table


@pytest.mark.parametrize("n_values", [1, 1000, 1001, 20_000])
def test_distinct(n_values: int) -> None:
    texts, numbers = Distinct(1000), Distinct(1000)
    for first in range(0, n_values, 300):
        block = range(first, min(first + 300, n_values))
        for _ in range(2):
            texts.texts(map(str, block))
            numbers.numbers(np.array(block, dtype=float))
    for seen in (texts, numbers):
        assert seen.exact == (n_values <= 1000)
        assert seen.count == n_values if seen.exact else abs(seen.count / n_values - 1) < 0.1
        assert len(seen._hashes) <= 1000


def test_zeros_are_one_number() -> None:
    seen = Distinct()
    seen.numbers(np.array([0.0, -0.0]))
    assert seen.count == 1


@pytest.mark.parametrize("block_rows", [1, 2, 100])
def test_block_by_block(block_rows: int) -> None:
    text = b"a,b,c,d,e\n1,1,2024-01-02,,x\n2,0.5,2023-01-01,,1\n,-3,,,2\n2,1e3,2024-01-01,,2\n"
    found = overview(iter_table(io.BytesIO(text), block_rows=block_rows))
    assert found.n_rows == 4
    assert [column[1:7] for column in found.columns] == [
        ("whole number", 1, 2, True, 1, 2),
        ("number", 0, 4, True, -3, 1000),
        ("date", 1, 3, True, "2023-01-01", "2024-01-02"),
        ("empty", 4, 0, True, None, None),
        ("text", 0, 3, True, None, None),
    ]
    assert found.columns[4].values == ["x", "1", "2"]
