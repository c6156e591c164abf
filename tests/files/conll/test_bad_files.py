"""Every file in bad/ is refused with the message that messages.txt has for it, wherever it is cut into blocks."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import DataFileError, _core, iter_conll, read_conll
from rosenblatt.services.files.conll import Sentences

BAD = Path(__file__).parent / "bad"
MESSAGES = {
    message.partition(":")[0]: message for message in (BAD / "messages.txt").read_text(encoding="utf-8").splitlines()
}


def test_every_file_has_its_message() -> None:
    assert sorted(MESSAGES) == sorted(path.name for path in BAD.glob("*.conll*"))


@pytest.mark.parametrize("name", MESSAGES)
def test_message(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(DataFileError) as caught:
        read_conll(name)
    assert str(caught.value) == MESSAGES[name]


@pytest.mark.parametrize("block_bytes", [1, 2, 7, 40])
@pytest.mark.parametrize("name", MESSAGES)
def test_message_in_small_blocks(name: str, block_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(DataFileError) as caught:
        list(iter_conll(name, block_bytes=block_bytes))
    assert str(caught.value) == MESSAGES[name]


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (b"a b\n", {"columns": [0, 2]}, "1:4: expected at least 3 columns, found the end of the line"),
        (b"a b\n", {"columns": [-3]}, "1:4: expected at least 3 columns, found the end of the line"),
        (b"a b\nc \xff\n", {"columns": [0]}, "2:3: expected text in UTF-8, found '\\xff'"),
        (b"a b\nc \xff\n", {"columns": [0, 0]}, "2:3: expected text in UTF-8, found '\\xff'"),
        (b"a b\n", {"format": "conllu"}, "1:4: expected 10 columns with a tab between them, found the end of the line"),
    ],
)
def test_message_with_words(text: bytes, words: dict[str, Any], message: str) -> None:
    with pytest.raises(DataFileError, match=re.escape(f"<file>:{message}") + "$"):
        read_conll(io.BytesIO(text), **words)


class Endless:
    """A file that gives the same bytes for ever."""

    def __init__(self, text: bytes) -> None:
        self.text, self.given = text, 0

    def read(self, size: int) -> bytes:
        self.given += len(self.text[:size])
        return self.text[:size]


def test_a_sentence_that_is_too_long_ends_the_reading_soon() -> None:
    for read in (read_conll, lambda file: list(iter_conll(file, block_bytes=1 << 21))):
        file = Endless(b"a" * ((1 << 20) - 1) + b"\n")
        with pytest.raises(
            DataFileError, match="expected an empty line after at most 67108864 bytes, found 'aaaa"
        ) as e:
            read(file)
        assert (e.value.line, e.value.column) == (65, 1)
        assert file.given < 2 * _core.LONGEST_SENTENCE


def test_a_line_that_is_too_long_ends_the_reading_soon() -> None:
    with pytest.raises(
        DataFileError, match=r"expected a line of at most 16777216 bytes \(or --max-line\), found a longer one"
    ):
        read_conll(Endless(b"a" * (1 << 20)))


@pytest.mark.parametrize("block_bytes", [1, 8, 1000])
def test_all_sentences_before_an_error_come_first(block_bytes: int) -> None:
    blocks = iter_conll(io.BytesIO(b"a A\n\nb B\nc C\n-DOCSTART-\nd D\ne\n\nf F\n"), block_bytes=block_bytes)
    read: list[Sentences] = []
    with pytest.raises(DataFileError, match="<file>:7:2"):
        read.extend(blocks)
    assert [sentence for block in read for sentence in block] == [[("a", "A")], [("b", "B"), ("c", "C")]]
    assert b"".join(block.text for block in read) == b"a A\n\nb B\nc C\n-DOCSTART-\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"columns": []}, "columns must be a list of at least one column, got []"),
        ({"columns": "form"}, "columns must be a list of at least one column, got 'form'"),
        ({"columns": ["form"]}, "a column must be a number, or in CoNLL-U one of ('id', 'form',"),
        ({"columns": ["word"], "format": "conllu"}, "a column must be a number, or in CoNLL-U one of ('id', 'form',"),
        ({"columns": [10], "format": "conllu"}, "a column must be a number from -10 to 9, got 10"),
        ({"columns": [1 << 40]}, "a column must be a number from -1048576 to 1048575, got 1099511627776"),
        ({"format": "conll"}, "format must be 'auto', 'columns' or 'conllu', got 'conll'"),
    ],
)
def test_words_are_checked(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read_conll(io.BytesIO(b"a\n"), **words)


def test_block_bytes_are_checked_at_once() -> None:
    with pytest.raises(ValueError, match="block_bytes must be at least 1, got 0"):
        iter_conll("nowhere.conll", block_bytes=0)


def test_text_file_is_refused() -> None:
    with pytest.raises(TypeError, match="binary mode"):
        read_conll(io.StringIO("a\n"))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.conll"):
        read_conll(tmp_path / "nowhere.conll")
