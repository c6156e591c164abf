"""A column in which most rows have a value of their own is warned of: it is no category."""

import io
import warnings
from typing import Any

import pytest

from rosenblatt import TableEncoding


def rows(n_rows: int, n_values: int) -> io.BytesIO:
    lines = [f"note {k % n_values},{'yes' if k % 2 else 'no'}" for k in range(n_rows)]
    return io.BytesIO("\n".join(["note,walk", *lines]).encode())


def test_free_text() -> None:
    with pytest.warns(UserWarning, match=r"^note: 300 values in 300 rows, .* \(--ignore or --text\)\?$") as caught:
        TableEncoding(label="walk").fit(rows(300, 300))
    assert caught[0].filename == __file__


def test_labels() -> None:
    with pytest.warns(UserWarning, match=r"^note: 300 labels in 300 rows; is another .* \(--label\)\?$"):
        TableEncoding(label="note").fit(rows(300, 300))


@pytest.mark.parametrize("given", [{"text": ["note"]}, {"ignore": ["note"]}, {"categorical": ["note"]}])
def test_what_was_told(given: dict[str, Any]) -> None:
    table = io.BytesIO(
        rows(300, 300)
        .read()
        .replace(b"note,walk", b"note,x,walk")
        .replace(b",yes", b",1,yes")
        .replace(b",no\n", b",0,no\n")
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TableEncoding(label="walk", **given).fit(table)


def test_what_repeats_and_small_tables() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TableEncoding(label="walk").fit(rows(300, 200))
        TableEncoding(label="walk").fit(rows(19, 19))
