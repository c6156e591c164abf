"""Lines of JSON, `label<TAB>text` and fastText's lines as tables: the cells of each line, or an exact message."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import read_table
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.blocks import longest_line
from rosenblatt.services.files.table_file import iter_table

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ROWS = st.lists(
    st.tuples(TEXTS, st.one_of(TEXTS, st.booleans(), st.none(), st.integers(), st.floats(allow_nan=False))),
    min_size=1,
    max_size=6,
).filter(lambda rows: all(value not in (float("inf"), float("-inf")) for _, value in rows))


def table_of(form: Any, text: str | bytes, **words: Any) -> Any:
    return read_table(io.BytesIO(text.encode() if isinstance(text, str) else text), format=form, **words)


def cell_of(value: Any) -> str:
    """A value as the table has it: the texts and numbers that JSON has, and nothing for null."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


@given(ROWS, st.booleans(), st.sampled_from(["\n", "\r\n"]), st.integers(1, 4))
def test_json(rows: list[tuple[str, Any]], plain: bool, end: str, block_rows: int) -> None:
    lines = [json.dumps({"text": text, "value": value}, ensure_ascii=plain) for text, value in rows]
    data = ("\ufeff" + end.join(lines) + end * 2).encode()
    blocks = list(iter_table(io.BytesIO(data), format="jsonl", block_rows=block_rows))
    assert {len(block) for block in blocks[:-1]} <= {block_rows}
    assert [text for block in blocks for text in block["text"].tolist()] == [text for text, _ in rows]
    assert [value for block in blocks for value in block["value"].tolist()] == [cell_of(value) for _, value in rows]


def test_keys_in_any_order_and_more_of_them() -> None:
    table = table_of("jsonl", '{"a": "x", "b": 1.50}\n\n  {"c": [1], "b": 2, "a": null}  \n'.replace('"c": [1], ', ""))
    assert (table["a"].tolist(), table["b"].tolist()) == (["x", ""], ["1.50", "2"])
    more = table_of("jsonl", '{"a": "x"}\n{"c": 1, "a": "NA"}\n')
    assert (more.names, more["a"].tolist()) == (["a"], ["x", "NA"])
    with pytest.raises(DataFileError, match=r"^<file>:4:1: expected a number, found 'z' \(column a\)$"):
        table_of("jsonl", '{"a": 1}\n\n\n{"a": "z"}\n').numbers("a")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"b": 1}', r":2:1: expected a key 'a', as in the first line, found b"),
        ("[1]", r":2:1: expected an object with a key for each column, found a list"),
        ("{}", r":2:1: expected an object with a key for each column, found {}"),
        ('{"a": [1]}', r":2:1: expected .* or null under 'a', or with label_separator a list of texts, found a list"),
        ('{"a": {"b": 1}}', r":2:1: expected a text, a number, true, false or null under 'a', found an object"),
        ('{"a": 1, "a": 2}', r":2:1: expected each key once, found 'a'"),
        ('{"a": NaN}', r":2:1: expected numbers as JSON has them, found NaN"),
        ('{"a": 1} x', r":2:10: expected JSON \(the end of the line after the object\), found 'x'"),
        ('{"a": 1', r":2:8: expected JSON \(expecting ',' delimiter\), found the end of the line"),
        ('{"a": "x\ty"}', r":2:9: expected JSON \(invalid control character at\), found "),
        ("a,b", r":2:1: expected JSON \(expecting value\), found 'a,b'"),
        ('{"a": "\\ud800"}', r":2:1: expected whole characters, found half of a pair"),
        ('{"a": ' + "[" * 100_000 + "}", r":2:1: expected an object of texts and numbers, found one that is nested"),
    ],
)
def test_bad_json(line: str, message: str) -> None:
    with pytest.raises(DataFileError, match=f"^<file>{message}"):
        table_of("jsonl", '{"a": 1}\n' + line + "\n")


def test_labelled_lines() -> None:
    text = 'pos\ta "fine" film, \tand long\r\nneg\t\n\n שלום 👩\n'
    table = table_of("lines", text)
    assert table["label"].tolist() == ["pos", "neg", ""]
    assert table["text"].tolist() == ['a "fine" film, \tand long', "", " שלום 👩"]


def test_lines_of_fasttext() -> None:
    table = table_of("fasttext", "__label__pos a __label__ in it\n__label__neg\nno label\n")
    assert table["label"].tolist() == ["pos", "neg", ""]
    assert table["text"].tolist() == ["a __label__ in it", "", "no label"]
    with pytest.raises(DataFileError, match=r"^<file>:1:12: expected one label a line .*memory\), found '__label__b'$"):
        table_of("fasttext", "__label__a __label__b both\n")


def test_several_labels_of_a_line() -> None:
    text = "__label__a  __label__b both\n__label__b one __label__c\n__label__ __label__a empty\nnone\n"
    table = table_of("fasttext", text, label_separator=";")
    assert table["label"].tolist() == ["a;b", "b", "a", ""]
    assert table["text"].tolist() == ["both", "one __label__c", "empty", "none"]
    with pytest.raises(DataFileError, match=r"^<file>:1:12: expected a label without ';', found '__label__b;c'$"):
        table_of("fasttext", "__label__a __label__b;c both\n", label_separator=";")
    with pytest.raises(ValueError, match=r"^label_separator: expected a text or None, found ''$"):
        table_of("fasttext", "__label__a one\n", label_separator="")


def test_lists_of_labels_in_json() -> None:
    lists = '{"y": ["new york", "b"], "text": "q"}\n{"y": [], "text": "p"}\n{"y": "b", "text": 5}\n'
    table = table_of("jsonl", lists, label_separator=";")
    assert table["y"].tolist() == ["new york;b", "", "b"]
    assert table["text"].tolist() == ["q", "p", "5"]
    for bad, actual in (("a;b", "'a;b'"), ("", "''"), (5, "another value"), (["a"], "another value")):
        line = json.dumps({"y": ["a", bad]})
        with pytest.raises(DataFileError) as refused:
            table_of("jsonl", f"{line}\n", label_separator=";")
        expected = f"<file>:1:1: expected texts without ';' in the list under 'y', found {actual}"
        assert str(refused.value) == expected


@pytest.mark.parametrize("form", ["jsonl", "lines", "fasttext"])
def test_bad_files(form: str) -> None:
    with pytest.raises(DataFileError, match=r"^<file>:1:1: expected a row, found the end of the file$"):
        table_of(form, "")
    good = {"jsonl": '{"text": "q"}\n', "lines": "a\tq\n", "fasttext": "__label__a q\n"}[form]
    bad = good.encode() + good.replace("q", "é ?").encode().replace(b"?", b"\xff")
    place = good.index("q") + 3
    expected = r"expected UTF-8 \(or its --encoding, or --encoding-errors replace\), found the byte 0xff"
    with pytest.raises(DataFileError, match=f"^<file>:2:{place}: {expected}$"):
        table_of(form, bad)
    assert table_of(form, bad, encoding_errors="replace")["text"].tolist() == ["q", "é \ufffd"]
    assert table_of(form, good.replace("q", "é").encode("latin-1"), encoding="latin-1")["text"].tolist() == ["é"]
    with (
        longest_line(30),
        pytest.raises(
            DataFileError,
            match=r"^<file>:2:1: expected a line of at most 30 bytes \(or --max-line\), found a longer one$",
        ),
    ):
        table_of(form, good + good.replace("q", "q" * 30))


def test_bytes_that_are_replaced_in_csv() -> None:
    data = b"note,y\nfine \xff film,1\n"
    with pytest.raises(
        DataFileError, match=r"^<file>:2:1: expected UTF-8 \(or --encoding latin-1, which it seems to be"
    ):
        read_table(io.BytesIO(data))
    assert read_table(io.BytesIO(data), encoding_errors="replace")["note"].tolist() == ["fine \ufffd film"]
    with pytest.raises(ValueError, match=r"^encoding_errors: expected error or replace, found 'ignore'$"):
        table_of("csv", data, encoding_errors="ignore")
