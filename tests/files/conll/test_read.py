"""What read_conll reads: columns with any blanks and line ends, CoNLL-U with all that is no token."""

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import iter_conll, read_conll
from rosenblatt.data.sentences import load_sentences
from rosenblatt.services.files.compressed import replace_file

COLUMNS = b"The DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\nWhy WRB B-ADVP\n? . O\n"
SENTENCES = [
    [("The", "DT", "B-NP"), ("dog", "NN", "I-NP"), ("barks", "VBZ", "B-VP")],
    [("Why", "WRB", "B-ADVP"), ("?", ".", "O")],
]


def row(number: str, form: str, upos: str) -> str:
    return "\t".join([number, form, form.lower(), upos, "_", "_", "_", "_", "_", "SpaceAfter=No"]) + "\n"


UNIVERSAL = (
    "# newdoc id = 1\n# text = Vámonos al mar\n"
    + row("1-2", "Vámonos", "_")
    + row("1", "Vamos", "VERB")
    + row("2", "nos", "PRON")
    + row("3-4", "al", "_")
    + row("3", "a", "ADP")
    + row("4", "el", "DET")
    + row("5", "mar", "NOUN")
    + row("5.1", "azul", "ADJ")
    + "\n# text = New York\n"
    + row("1", "New York", "PROPN")
    + "\n"
).encode()


def read(text: bytes, **words: Any) -> Any:
    return read_conll(io.BytesIO(text), **words)


@pytest.mark.parametrize(
    "text",
    [
        COLUMNS,
        COLUMNS.rstrip(),
        COLUMNS.replace(b"\n", b"\r\n"),
        COLUMNS.replace(b" ", b"\t"),
        COLUMNS.replace(b" ", b" \t  "),
        COLUMNS.replace(b"\n", b"  \n"),
        b"\xef\xbb\xbf" + COLUMNS,
        b"\n\n" + COLUMNS.replace(b"\n\n", b"\n \t\n\r\n\n") + b"\n\n",
        b"-DOCSTART- -X- O\n\n" + COLUMNS.replace(b"\n\n", b"\n-DOCSTART-\n") + b"-DOCSTART- -X- -X- O\n",
    ],
)
def test_columns(text: bytes) -> None:
    sentences = read(text)
    assert list(sentences) == SENTENCES
    assert sentences.text == text
    assert sentences.core.starts.tolist() == [0, 3, 5]


def test_a_sequence_of_sentences() -> None:
    sentences = read(COLUMNS)
    assert len(sentences) == 2
    assert sentences[-1] == SENTENCES[1]
    assert sentences[:1] == SENTENCES[:1]
    assert SENTENCES[1] in sentences
    assert sentences.column(-1) == [["B-NP", "I-NP", "B-VP"], ["B-ADVP", "O"]]
    assert repr(sentences) == "<2 sentences, 5 tokens, 3 columns>"
    for wrong in (2, -3):
        with pytest.raises(IndexError):
            sentences[wrong]
        with pytest.raises(IndexError):
            sentences.column(wrong + 1 if wrong > 0 else wrong - 1)
    with pytest.raises(ValueError, match=r"expected one of the columns' names \[\], or a number, found 'upos'"):
        sentences.column("upos")


def test_numbers_are_those_of_the_first_coming() -> None:
    core = read(b"b x\na x\nb y\n\na x\n").core
    texts, numbers = core.texts(0), core.tokens(0)
    assert (texts, numbers.tolist(), numbers.dtype) == (["b", "a"], [0, 1, 0, 1], np.int32)


def test_some_columns_in_any_order() -> None:
    sentences = read(COLUMNS, columns=[-1, 0])
    assert sentences[1] == [("B-ADVP", "Why"), ("O", "?")]
    assert sentences.layout.columns == (2, 0)


def test_a_number_sign_is_a_word() -> None:
    assert read(b"# # I-NP\n10 CD I-NP\n")[0] == [("#", "#", "I-NP"), ("10", "CD", "I-NP")]


def test_blanks_of_other_scripts_are_part_of_a_word() -> None:
    assert read("10\u00a0000 CD\n\u3000 X\n\u2028 X\n".encode())[0][0] == ("10\u00a0000", "CD")


def test_universal() -> None:
    sentences = read(UNIVERSAL, format="conllu", columns=["form", "upos"])
    words = [("Vamos", "VERB"), ("nos", "PRON"), ("a", "ADP"), ("el", "DET"), ("mar", "NOUN")]
    assert list(sentences) == [words, [("New York", "PROPN")]]
    assert sentences.column("upos") == [["VERB", "PRON", "ADP", "DET", "NOUN"], ["PROPN"]]
    assert sentences.text == UNIVERSAL
    with pytest.raises(ValueError, match=r"names \['form', 'upos'\], or a number, found 'xpos'"):
        sentences.column("xpos")


def test_all_columns_of_universal() -> None:
    sentences = read(UNIVERSAL, format="conllu")
    assert sentences[1] == [("1", "New York", "new york", "PROPN", "_", "_", "_", "_", "_", "SpaceAfter=No")]
    assert sentences.column("misc") == sentences.column(-1) == [["SpaceAfter=No"] * 5, ["SpaceAfter=No"]]


@pytest.mark.parametrize("end", ["", ".gz", ".bz2", ".xz"])
def test_the_name_decides_the_format(end: str, tmp_path: Path) -> None:
    for name, text in (("a.conllu", UNIVERSAL), ("a.conllu.txt", COLUMNS), ("conllu", COLUMNS)):
        with replace_file(tmp_path / (name + end)) as file:
            file.write(text)
        assert read_conll(tmp_path / (name + end)).layout.universal == (text == UNIVERSAL)
    with (tmp_path / "a.conllu").open("wb") as file:
        file.write(COLUMNS)
    assert list(read_conll(tmp_path / "a.conllu", format="columns")) == SENTENCES


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(COLUMNS)))
    assert list(read_conll("-")) == SENTENCES


def test_one_long_sentence() -> None:
    text = b"".join(b"word%d X\n" % (k % 1000) for k in range(600_000))  # longer than a block
    sentences = read(text)
    assert (len(sentences), sentences.core.n_tokens) == (1, 600_000)
    assert sentences[0][-1] == ("word999", "X")
    assert len(sentences.core.texts(0)) == 1000


def test_blocks_have_whole_sentences_and_all_of_the_text() -> None:
    text = COLUMNS * 50 + b"\n\n"
    blocks = list(iter_conll(io.BytesIO(text), block_bytes=100))
    assert len(blocks) > 20
    assert b"".join(block.text for block in blocks) == text
    assert [sentence for block in blocks for sentence in block] == list(read(text))


def test_the_sentences_that_come_with_the_package() -> None:
    sentences = load_sentences()
    assert sentences.core.n_columns == 3
    assert 400 < sentences.core.n_tokens < 700
    penn = {
        "CC",
        "CD",
        "DT",
        "EX",
        "IN",
        "JJ",
        "JJR",
        "JJS",
        "MD",
        "NN",
        "NNP",
        "NNS",
        "PDT",
        "POS",
        "PRP",
        "PRP$",
        "RB",
    }
    penn |= {"RP", "TO", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WP", "WRB", ".", ","}
    assert set(sentences.core.texts(1)) == penn
    tagged = {token[:2] for sentence in sentences for token in sentence}
    assert len(tagged) == len({word for word, _ in tagged})  # in so few sentences no word has two parts of speech
