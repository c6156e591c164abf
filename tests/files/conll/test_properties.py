"""Any cut of the bytes gives the same sentences or the same error; what is written reads as the same."""

import io
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from rosenblatt import DataFileError, iter_conll, read_conll, write_conll

gaps = st.sampled_from([" ", "\t", "  ", " \t"])
ends = st.sampled_from(["\n", "\r\n", " \n", "\t\r\n"])
words = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters=" "), min_size=1, max_size=10)
blank_lines = st.lists(st.sampled_from(["\n", "\r\n", " \t\n", "-DOCSTART- O\n\n"]), min_size=1, max_size=3)
junk = st.sampled_from(["a\n", "a b c d\n", "\0 b\n", "-DOCSTART-\n", "#\n", "1\ta\n", "\n\n", "a b", "\r"])


@st.composite
def sentences(draw: st.DrawFn) -> list[list[tuple[str, ...]]]:
    width = draw(st.integers(1, 4))
    token = st.tuples(*[words] * width).filter(lambda token: token[0] != "-DOCSTART-")
    return draw(st.lists(st.lists(token, min_size=1, max_size=4), min_size=1, max_size=4))


def all_of(blocks: Any) -> tuple[Any, ...]:
    """All that comes out: the sentences, their text, the error."""
    read, text, error = [], b"", ""
    try:
        for block in blocks:
            read += list(block)
            text += block.text
    except DataFileError as found:
        error = str(found)
    return read, text, error


@given(sentences(), st.data())
def test_what_is_written_in_any_manner_reads_as_the_same(given: Any, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(["", "\ufeff"]))
    for sentence in given:
        for token in sentence:
            text += data.draw(gaps).join(token) + data.draw(ends)
        text += "".join(data.draw(blank_lines))
    if not text.startswith("\ufeff\ufeff"):
        read = read_conll(io.BytesIO(text.encode()))
        assert list(read) == given
        assert read.text == text.encode()
        tags = [[str(len(word)) for word, *_ in sentence] for sentence in given]
        file = io.BytesIO()
        write_conll(file, read, tags)
        again = read_conll(io.BytesIO(file.getvalue()))
        assert again.column(-1) == tags
        for k in range(len(given[0][0])):
            assert again.column(k) == read.column(k)
            write_conll(same := io.BytesIO(), read, read.column(k), column=k)
            assert same.getvalue() == text.encode()


@given(sentences())
def test_lists_that_are_written_read_as_the_same(given: Any) -> None:
    if not given[0][0][0].startswith("\ufeff"):
        file = io.BytesIO()
        write_conll(file, given)
        assert list(read_conll(io.BytesIO(file.getvalue()))) == given


@given(st.lists(st.one_of(st.sampled_from(["a b\n", "c d\n", "\n"]), junk), max_size=9), st.integers(1, 30))
@example(["a b\n", "\n", "a\n"], 1)
def test_any_cut_gives_the_same(lines: list[str], block_bytes: int) -> None:
    text = "".join(lines).encode()
    for form in ("columns", "conllu"):
        whole = all_of(iter_conll(io.BytesIO(text), format=form))
        assert all_of(iter_conll(io.BytesIO(text), format=form, block_bytes=block_bytes)) == whole
        try:
            read, error = list(read_conll(io.BytesIO(text), format=form)), ""
        except DataFileError as found:
            read, error = whole[0], str(found)
        assert (read, error) == (whole[0], whole[2])
