"""What write_conll writes: one column, and every other byte as it was."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import read_conll, write_conll
from tests.files.conll.test_read import COLUMNS, SENTENCES, UNIVERSAL

TAGS = [["B-NP", "I-NP", "O"], ["O", "O"]]


def read(text: bytes, **words: Any) -> Any:
    return read_conll(io.BytesIO(text), **words)


def written(sentences: Any, *rest: Any, **words: Any) -> bytes:
    file = io.BytesIO()
    write_conll(file, sentences, *rest, **words)
    return file.getvalue()


def test_the_predicted_tags_come_last() -> None:
    assert written(read(COLUMNS), TAGS) == (
        b"The DT B-NP B-NP\ndog NN I-NP I-NP\nbarks VBZ B-VP O\n\nWhy WRB B-ADVP O\n? . O O\n"
    )


def test_blanks_and_line_ends_stay() -> None:
    text = b"\xef\xbb\xbfThe\tDT\r\n dog  NN \n-DOCSTART-\t-X-\n\n\nIt PRP"
    assert written(read(text), [["x", "y"], ["z"]]) == (
        b"\xef\xbb\xbfThe\tDT\tx\r\n dog  NN y \n-DOCSTART-\t-X-\t-X-\n\n\nIt PRP z"
    )
    assert written(read(text), [["x", "y"], ["z"]], column=1) == (
        b"\xef\xbb\xbfThe\tx\r\n dog  y \n-DOCSTART-\t-X-\n\n\nIt z"
    )


def test_a_column_of_the_file_is_replaced_whichever_were_read() -> None:
    for columns in (None, [0], [-1, 0]):
        sentences = read(COLUMNS, columns=columns)
        assert written(sentences, TAGS, column=-1) == written(read(COLUMNS), TAGS, column=2)
        assert written(sentences) == COLUMNS


@pytest.mark.parametrize("column", ["upos", 3, -7])
def test_universal(column: int | str) -> None:
    sentences = read(UNIVERSAL, format="conllu", columns=["form"])
    tags = [["VERB", "A", "B", "C", "D"], ["PROPN"]]
    expected = UNIVERSAL
    for old, new in ((b"PRON", b"A"), (b"ADP", b"B"), (b"DET", b"C"), (b"NOUN", b"D")):
        expected = expected.replace(b"\t" + old, b"\t" + new)
    assert written(sentences, tags, column=column) == expected
    words = [["Vamos", "nos", "a", "el", "mar"], ["San Francisco"]]
    assert written(sentences, words, column="form") == UNIVERSAL.replace(b"1\tNew York", b"1\tSan Francisco")


@pytest.mark.parametrize("words", [{}, {"column": 0}, {"column": "id"}, {"column": -10}])
def test_universal_has_no_place_for_another_column(words: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="column must be one of them, but not the first"):
        written(read(UNIVERSAL, format="conllu"), [["a"] * 5, ["b"]], **words)


def test_lists_of_tokens() -> None:
    assert written(SENTENCES) == COLUMNS + b"\n"
    assert written(SENTENCES, TAGS) == written(read(COLUMNS + b"\n"), TAGS)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([[("a", "b c")]], "sentence 0 would read as [('a', 'b', 'c')]; a token must be a tuple of texts without"),
        ([[("a b", "")]], "sentence 0 would read as [('a', 'b')]; a token"),
        ([[("a", "b")], [("c",)]], "<file>:3:2: expected 2 columns, as in line 1, found the end of the line; a token"),
        ([[("a", "b")], []], "2 would read as 1; a token"),
        ([[("a", "")]], "sentence 0 would read as [('a',)]; a token"),
        ([[("-DOCSTART-", "O")], [("a", "b")]], "sentence 0 would read as [('a', 'b')]; a token"),
        ([[("a", "\n")]], "sentence 0 would read as [('a',)]; a token"),
        ([], "<file>:1:1: expected a token, found the end of the file; a token"),
    ],
)
def test_lists_that_cannot_be_written(sentences: Any, message: str) -> None:
    with pytest.raises(ValueError, match="^sentences cannot be written as columns: " + re.escape(message)):
        written(sentences)


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ([["a", "b", "c"]], "expected 2 sentences, found 1"),
        ([["a", "b", "c"], ["d"]], "expected 2 in sentence 1, found 1"),
        ([["a", "b", "c"], ["d", ""]], "expected a column of printable texts without blanks, found ''"),
        ([["a", "b", "c"], ["d", "x y"]], "expected a column of printable texts without blanks, found 'x y'"),
    ],
)
def test_tags_that_do_not_fit(tags: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "tagged.conll"
    with pytest.raises(ValueError, match=re.escape(message)):
        write_conll(path, read(COLUMNS), tags)
    assert list(tmp_path.iterdir()) == []


def test_numbers_that_do_not_fit() -> None:
    sentences = read(COLUMNS)
    for numbers, error in (([0] * 4, ValueError), ([0] * 6, ValueError), ([1] * 5, IndexError), ([-1] * 5, IndexError)):
        with pytest.raises(error):
            _ = sentences.with_column(["a"], numbers).text
    with pytest.raises(IndexError):
        sentences.with_column(["a"], [0] * 5, column=3)


def test_columns_of_stages() -> None:
    sentences = read(UNIVERSAL, format="conllu", columns=["form", "upos"])
    tagged = sentences.with_column(["A", "B", "-"], [0, 1, 0, 1, 0, 1], column="upos")
    parsed = tagged.with_column(["1", "0"], [0, 1, 0, 0, 0, 1], column="head")
    assert tagged.column("upos") == [["A", "B", "A", "B", "A"], ["B"]]
    assert sentences.column("upos") != tagged.column("upos")
    corpus = parsed.corpus(["head", "upos", "form"])
    assert [corpus.texts(k)[:2] for k in range(3)] == [["1", "0"], ["A", "B"], sentences.core.texts(0)[:2]]
    again = read(parsed.text, format="conllu")
    assert (again.column("upos"), again.column("head")) == (tagged.column("upos"), [list("10111"), ["0"]])
    assert sentences.text == UNIVERSAL
    with pytest.raises(ValueError, match=re.escape("expected columns that were read, (1, 3), found 6")):
        tagged.corpus(["head"])


def test_columns_are_added_one_after_the_other() -> None:
    sentences = read(COLUMNS).with_column(["x", "y"], [0, 1, 0, 1, 0]).with_column(["z"], [0] * 5)
    first = read(written(read(COLUMNS), [["x", "y", "x"], ["y", "x"]]))
    assert sentences.text == written(first, [["z"] * 3, ["z"] * 2])


@pytest.mark.parametrize("end", ["", ".gz", ".bz2", ".xz"])
def test_files(end: str, tmp_path: Path) -> None:
    path = tmp_path / ("tagged.conll" + end)
    write_conll(path, read(COLUMNS), TAGS)
    assert read_conll(path).column(-1) == TAGS
    assert list(tmp_path.iterdir()) == [path]
