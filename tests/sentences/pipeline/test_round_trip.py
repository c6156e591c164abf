"""A text comes back from what is written of it, byte for byte, whatever it is; and what is said has its place in it."""

import copy
import io
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataFileError, TextPipeline, read_conll
from rosenblatt.services.text import files, model

CONTROLS = "".join(map(chr, [*range(9), *range(14, 32), 127]))
ANY = st.text(st.characters(exclude_characters=CONTROLS, exclude_categories=["Cs"]), max_size=60)
PIECES = [
    "The dog",
    "sleeps",
    ".",
    ",",
    "don't",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    "\u3000",
    "\ufeff",
    "Ab1",
    "🙂🙃",
]
PIECES += [
    "שלום",
    "हिन्दी",
    "e\u0301",
    "\u200d",
    "東京",
    "ภาษา",
    "\\",
    "|",
    "_",
    "#",
    "\u2028",
    "\xa0",
    "13 819",
    "a" * 300,
]
SOME = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
ESCAPES = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "v": "\v", "f": "\f", "p": "|", "\\": "\\"}


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: ESCAPES[match[1]], text)


def text_of(conllu: str) -> str:
    """The text that CoNLL-U says, from its tokens and the last column alone."""
    text, inside = "", 0
    for line in conllu.split("\n"):
        fields = line.split("\t")
        if len(fields) != 10:
            inside = 0
            continue
        first, is_range, last = fields[0].partition("-")
        if not is_range and int(first) <= inside:
            continue
        inside = int(last) if is_range else 0
        misc = dict(part.split("=", 1) for part in fields[9].split("|") if "=" in part)
        text += unescape(misc.get("SpacesBefore", "")) + (
            unescape(misc["SpacesInToken"]) if "SpacesInToken" in misc else fields[1]
        )
        text += "" if misc.get("SpaceAfter") == "No" else unescape(misc.get("SpacesAfter", "\\s"))
    return text


def run(pipeline: TextPipeline, text: bytes, **options: object) -> str:
    out = io.BytesIO()
    pipeline.annotate_file(io.BytesIO(text), out, **options)  # type: ignore[arg-type]
    return out.getvalue().decode()


@settings(max_examples=150, deadline=None)
@given(text=st.one_of(ANY, SOME))
def test_the_text_comes_back(pipeline: TextPipeline, text: str) -> None:
    document = pipeline.annotate(text)
    assert text_of(document.conllu) == (text if len(document) else "")
    for sentence in document:
        assert text[sentence.start : sentence.end] == sentence.text
        for token in sentence.tokens:
            assert text[token.start : token.end] == token.text != ""
    if len(document):
        again = read_conll(io.BytesIO(document.conllu.encode()), columns=["form", "head"], format="conllu")
        assert sum(map(len, again)) == len(document.words)
    else:
        assert not text.replace("\ufeff", "").strip()


@settings(max_examples=60, deadline=None)
@given(text=st.one_of(ANY, SOME), size=st.integers(1, 40))
def test_it_comes_back_from_blocks_of_any_size(pipeline: TextPipeline, text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK_BYTES", size)
        patch.setattr(model, "LONGEST_SENTENCE", 3 * size)
        whole = run(pipeline, text.encode(), ranges=True)
        lines = run(pipeline, text.encode(), as_json=True).split("\n")[:-1]
    assert text_of(whole) == (text if whole else "")
    for begin, end in re.findall(r"TokenRange=(\d+):(\d+)", whole):
        assert text[int(begin) : int(end)].strip()
    for sentence in map(json.loads, lines):
        assert text[sentence["start"] : sentence["end"]] == sentence["text"]
    numbers = re.findall(r"# sent_id = (\d+)", whole)
    assert numbers == [str(k + 1) for k in range(len(numbers))]
    assert whole.count("# newdoc") == (1 if whole else 0)


def test_a_block_ends_where_a_sentence_does(pipeline: TextPipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"The old dog sleeps in the garden. A small cat watches the birds.\n\nShe reads a long book.\n" * 20
    whole = run(pipeline, text)
    monkeypatch.setattr(files, "BLOCK_BYTES", 200)
    assert run(pipeline, text) == whole


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"a\0b", "1:2: expected printable text, found byte 0x00, as in text in UTF-16"),
        (b"One.\nTwo \x1b.", "2:5: expected printable text, found byte 0x1b"),
        (b"ab\xff", "1:3: expected text in UTF-8, found byte 0xff, as in text in UTF-16"),
        (b"a\n\n\xc3", "3:1: expected text in UTF-8, found byte 0xc3"),
        ("ab".encode("utf-16"), "1:1: expected text in UTF-8, found byte 0xff, as in text in UTF-16"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_what_is_no_text(
    pipeline: TextPipeline, text: bytes, place: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BLOCK_BYTES", size)
    with pytest.raises(DataFileError, match=re.escape(f"<file>:{place}")):
        run(pipeline, text)


def test_nothing_is_said_of_nothing(pipeline: TextPipeline) -> None:
    assert run(pipeline, b"") == run(pipeline, b" \n\n\t ") == run(pipeline, b"", as_json=True) == ""
    assert len(pipeline.annotate("")) == 0


def test_a_text_without_a_blank(pipeline: TextPipeline) -> None:
    text = "a" * 3_000_000
    document = run(pipeline, text.encode())
    assert text_of(document) == text


@pytest.mark.parametrize("text", ["- " * 200, "(" * 200, "\N{PARTY POPPER}" * 200])
def test_a_text_without_words(text: str) -> None:
    """Its tagger finds no features: they are not missing."""
    rows = ["1 Dogs dog NOUN _ Number=Plur 2 nsubj _ _", "2 bark bark VERB _ Tense=Pres 0 root _ SpaceAfter=No"]
    rows += ["3 - - PUNCT _ _ 2 punct _ _", "", ""]
    treebank = "\n".join(rows).replace(" ", "\t").encode() * 9
    small = TextPipeline(max_iter=3).fit_file(io.BytesIO(treebank))
    assert {word.feats for word in small.annotate("- " * 200).words} == {"_"}
    assert text_of(run(small, text.encode())) == text


def test_paragraphs_are_lines(pipeline: TextPipeline) -> None:
    by_line = copy.copy(pipeline).set_params(paragraphs="line")
    assert [one.text for one in by_line.annotate("My dog\nThe cat\r\nMost people")] == [
        "My dog",
        "The cat",
        "Most people",
    ]


def test_a_token_without_end(pipeline: TextPipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "LONGEST_SENTENCE", 100)
    monkeypatch.setattr(files, "BLOCK_BYTES", 64)
    text = "\u00e4" * 1000 + " "
    written = run(pipeline, text.encode())
    assert text_of(written) == text
    assert all(len(line) < 1000 for line in written.split("\n"))
