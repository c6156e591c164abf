"""Every file in bad/ is refused with the message that messages.txt has for it, wherever it is cut into blocks."""

import io
import pickle
import re
from pathlib import Path

import pytest

from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.svmlight import iter_svmlight, read_svmlight

BAD = Path(__file__).parent / "bad"
MESSAGES = {
    message.partition(":")[0]: message for message in (BAD / "messages.txt").read_text(encoding="utf-8").splitlines()
}


def test_every_file_has_its_message() -> None:
    assert sorted(MESSAGES) == sorted(path.name for path in BAD.glob("*.svm*"))


@pytest.mark.parametrize("name", MESSAGES)
def test_message(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(DataFileError) as caught:
        read_svmlight(name)
    error = caught.value
    assert str(error) == MESSAGES[name]
    assert str(error).startswith(f"{error.path}:{error.line}:{error.column}: expected {error.expected}, found ")
    assert error.path == name
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("block_bytes", [1, 2, 7, 20])
@pytest.mark.parametrize("name", MESSAGES)
def test_message_in_small_blocks(name: str, block_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    largest = 2**63 - 2  # without zero_based="auto" the limit is one less
    with pytest.raises(DataFileError) as caught:
        list(iter_svmlight(name, n_features=largest + 1, block_bytes=block_bytes))
    assert str(caught.value) == MESSAGES[name].replace(str(largest + 1), str(largest))


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (b"1 3:1\n", {"n_features": 2}, "1:3: expected an index of at most 2, found '3'"),
        (b"1 2:1\n1 0:1\n", {"n_features": 2}, "1:3: expected an index of at most 1, found '2'"),
        (b"1 2:1\n", {"n_features": 2, "zero_based": True}, "1:3: expected an index of at most 1, found '2'"),
        (b"1 0:1\n", {"zero_based": False}, "1:3: expected an index of at least 1, found '0'"),
        (b"1 qid:3\n1 1:1\n", {"query_id": True}, "2:3: expected 'qid:' after the label, found '1:1'"),
        (b"1 qid:3\n1\n", {"query_id": True}, "2:2: expected 'qid:' after the label, found the end of the line"),
        (b"1 1:1e39", {"dtype": "f4"}, "1:5: expected a number within the range of float32 after ':', found '1e39'"),
        (
            b"1 0:1\n2 1:x\n",
            {"offset": 3, "length": 5, "n_features": 5},
            "2:5: expected a number after ':', found 'x'",
        ),
    ],
)
def test_message_with_words(text: bytes, words: dict[str, object], message: str) -> None:
    with pytest.raises(DataFileError, match=re.escape(f"<file>:{message}") + "$"):
        read_svmlight(io.BytesIO(text), **words)  # type: ignore[arg-type]


def test_a_name_among_numbers_is_an_error_where_it_comes_too_late() -> None:
    blocks = iter_svmlight(io.BytesIO(b"1 1:1\n2 1:1\nspam 1:1\n3 1:x\n"), n_features=2, block_bytes=6)
    assert [y.tolist() for _, y in (next(blocks), next(blocks))] == [[1.0], [2.0]]
    with pytest.raises(DataFileError, match=r"^<file>:3:1: expected a number as label, as in the lines before, found"):
        next(blocks)


def test_all_lines_before_an_error_come_first() -> None:
    for block_bytes in (1, 8, 1000):
        blocks = iter_svmlight(io.BytesIO(b"1 1:1\n2 1:1\n3 1:x\n"), n_features=2, block_bytes=block_bytes)
        labels = next(blocks)[1].tolist()
        while len(labels) < 2:
            labels += next(blocks)[1].tolist()
        assert labels == [1.0, 2.0]
        with pytest.raises(DataFileError, match="<file>:3:5"):
            next(blocks)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"n_features": 0}, "n_features must be at least 1"),
        ({"dtype": "i8"}, "dtype must be float64 or float32, got int64"),
        ({"zero_based": "yes"}, "zero_based must be True, False or 'auto', got 'yes'"),
        ({"offset": 5}, "n_features is needed with offset or length"),
        ({"offset": -1, "n_features": 5}, "offset must be 0 or more, got -1"),
    ],
)
def test_words_are_checked(words: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read_svmlight(io.BytesIO(b"1 1:1\n"), **words)  # type: ignore[arg-type]


def test_words_of_iter_are_checked_at_once() -> None:
    with pytest.raises(ValueError, match="block_bytes must be at least 1, got 0"):
        iter_svmlight("nowhere.svm", n_features=5, block_bytes=0)


def test_text_file_is_refused() -> None:
    with pytest.raises(TypeError, match="binary mode"):
        read_svmlight(io.StringIO("1 1:1\n"))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.svm"):
        read_svmlight(tmp_path / "nowhere.svm")
