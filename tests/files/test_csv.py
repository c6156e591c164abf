"""The core reads CSV as Python's csv module does, cell by cell and error by error, however the text comes in pieces."""

import io
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rosenblatt import _core
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files import csv_blocks
from rosenblatt.services.files.blocks import longest_line
from rosenblatt.services.files.notation import NA
from rosenblatt.services.files.table_file import iter_table, read_table
from tests.files.plain_csv import PlainTable, read_plain

PIECES: list[bytes | str] = [
    *(b"a", b"12", b"-3.5e1", b'"', b'""', b",", b";", b"\n", b"\r\n", b"\r", b" ", b"\t", b"\x1f", b"\0", b"\xff"),
    *("ä€", "\u00a0", "\u2028", "\u3000", "\u0085", "\U0001f600", "\ufeff", "→"),
    *(b'"x"', b'"x,y"', b'"two\nlines"', b'"a ""b"" c"', b'"",""', b"\xe2\x80", b"\xed\xa0\x80", b"x,y\n", b",,,\n"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map(
    lambda pieces: b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)
)
DELIMITERS = st.sampled_from([",", ";", "\t", "|", "a", "1", ".", " ", "→", "\x1f"])


def of_the_core(data: bytes, delimiter: str, longest: int, sizes: list[int]) -> PlainTable | tuple[str, PlainTable]:
    """The rows; or the error, and the rows of the blocks that came before. Lines and rows come in pieces of `sizes`."""
    reader = _core.TableReader(delimiter=delimiter.encode(), longest=longest, lines=0, like="the header")
    found, k, lines = PlainTable([], []), 0, data.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + lines[-1:]
    while True:
        wanted = sizes[k % len(sizes)]
        reader.read(wanted)
        while len(reader) < wanted and not reader.error and lines:
            some, lines = lines[:wanted], lines[wanted:]
            if text := b"".join(some):
                reader.add(text)
            if not lines:
                reader.end()
            reader.read(wanted)
        if reader.error:
            line, column, expected, said = reader.error
            return str(DataFileError("<file>", line, column, expected, said.decode())), found
        if not len(reader):
            return found
        block = reader.take()
        columns = [block.texts(place, 0, len(block)) for place in range(block.width)]
        found.rows.extend(map(list, zip(*columns, strict=True)))
        found.lines.extend(block.lines.tolist())
        k += 1


@settings(max_examples=1000, deadline=None)
@given(TEXTS, DELIMITERS, st.integers(20, 60), st.lists(st.integers(1, 5), min_size=1, max_size=4))
@example(b'a,b\n"1\n2\n3",4\n5,6', ",", 60, [1])
@example(b'"', ",", 60, [1])
@example(b"\xef\xbb\xbf", ",", 60, [2])
@example(b"\xef\xbb\xbfa,\xff\n", ",", 60, [2])
def test_as_the_csv_module(data: bytes, delimiter: str, longest: int, sizes: list[int]) -> None:
    if any(len(line) > longest for line in data.split(b"\n")):
        longest = 10_000  # a single line that is too long never comes to the core
    try:
        expected, said = read_plain(data, delimiter, longest), ""
    except DataFileError as error:
        said = str(error)
    found = of_the_core(data, delimiter, longest, sizes)
    if said:
        assert not isinstance(found, PlainTable), said
        assert found[0] == said
    else:
        assert found == expected


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(1, 4), st.integers(1, 60), st.integers(1, 40))
def test_files_as_the_csv_module(data: bytes, block_rows: int, line_bytes: int, longest: int) -> None:
    data = b"a,b\n" + data
    said, expected = "", PlainTable([], [])
    try:
        expected = read_plain(data, ",", longest)
    except DataFileError as error:
        said = str(error)
    with pytest.MonkeyPatch.context() as patch, longest_line(longest):
        patch.setattr(csv_blocks, "LINE_BYTES", line_bytes)
        if not said and len(expected.rows) == 1:
            said = f"<file>:{expected.lines[0] + 1}:1: expected a row, found the end of the file"
        if said:
            with pytest.raises(DataFileError) as caught:
                list(iter_table(io.BytesIO(data), block_rows=block_rows))
            # what one can do is said besides
            assert re.sub(r"(UTF-8|bytes) \(or .*?\)", r"\1", str(caught.value)) == said
            return
        blocks = list(iter_table(io.BytesIO(data), block_rows=block_rows))
    rows = [list(row) for block in blocks for row in zip(block["a"], block["b"], strict=True)]
    assert rows == expected.rows[1:]
    lines = [int(line) for block in blocks for line in block._lines]
    assert lines == expected.lines[1:]


NUMBERS = st.one_of(
    st.floats().map(repr),
    st.floats(-1000, 1000).map(lambda number: f"{number:.3f}"),
    st.integers(-(10**9), 10**9).map(str),
    st.text("0123456789.+-eE _/xn", max_size=12),
    st.sampled_from(["1.", ".5", ".", "-", "-.", "-.5", "1..2", "12345678", "1234567.", "00000001", "1e400", "1e-400"]),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=6))
def test_numbers_as_float_reads_them(cells: list[str]) -> None:
    text = "x,y\n" + "".join(f"{cell},{k}\n" for k, cell in enumerate(cells))
    (block,) = iter_table(io.BytesIO(text.encode()))
    found = block._columns["x"].numbers()
    expected = [np.nan if cell.strip() in NA else _float(cell.strip()) for cell in cells]
    if None in expected:
        assert found is None
    else:
        assert np.array(expected).tobytes() == found.tobytes()


def _float(cell: str) -> float | None:
    """NaN for an empty cell, None for what is no finite number."""
    if not cell:
        return np.nan
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if np.isfinite(number) and "_" not in cell else None


def test_parts_of_a_column() -> None:
    """Codes, numbers and texts of any rows are those of the whole, wherever the blocks end."""
    cells = [f"{k % 7}" if k % 5 else "" for k in range(40)]
    text = "x,y\n" + "".join(f"{cell},0\n" for cell in cells)
    blocks = list(iter_table(io.BytesIO(text.encode()), block_rows=7))
    table: Any = blocks[0].join(blocks)
    whole = read_table(io.BytesIO(text.encode()))
    for first in range(40):
        for last in range(first + 1, 41):
            part = table.rows(first, last)
            assert part["x"].tolist() == cells[first:last]
            coded = part.codes("x")
            assert [coded.texts[number] for number in coded.numbers] == cells[first:last]
            assert len(set(coded.texts)) == len(coded.texts) == len(set(cells[first:last]))
            assert part.numbers("x").tobytes() == whole.numbers("x")[first:last].tobytes()
            assert part.error(0, "x", "a", "b").line == first + 2


def test_long_cells() -> None:
    """The longest row is what is allowed, whatever its cells are: a text may be long."""
    n = 150_000
    cells = {n * "x": n * "x", n * "ä": n * "ä", '"' * (2 * n + 2): n * '"', '"' + n * "y\n" + '"': (n * "y\n").strip()}
    for cell, expected in cells.items():
        text = f"a,b\n{cell},1\n".encode()
        with longest_line(len(text)):
            table = read_table(io.BytesIO(text))
        assert table["b"].tolist() == ["1"]
        assert table["a"].tolist() == [expected]
        with longest_line(100_000), pytest.raises(DataFileError, match=r"expected a line of at most 100000 bytes"):
            read_table(io.BytesIO(text))


def test_what_was_read_stays_when_the_text_goes() -> None:
    table = read_table(io.BytesIO(b"x,y\n1,a\n2,b\n"))
    numbers, coded = table.numbers("x").tolist(), table.codes("y")
    table.forget()
    assert (table.numbers("x").tolist(), table.codes("y")) == (numbers, coded)
