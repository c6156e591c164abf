"""A document as a `Doc` of spaCy, where that is installed."""

import io

import pytest

from rosenblatt import TextPipeline

pytest.importorskip("spacy")

ROWS = [
    "1\tWe\twe\tPRON\t_\t_\t3\tnsubj\t_\t_",
    "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
    "2\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_",
    "3\tnot\tnot\tPART\t_\t_\t0\troot\t_\t_",
    "4-5\tcannot\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
    "4\tcan\tcan\tAUX\t_\t_\t3\tconj\t_\t_",
    "5\tnot\tnot\tPART\t_\t_\t4\tadvmod\t_\t_",
    "6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_",
    "",
    "",
]
TREEBANK = "\n".join(ROWS).encode() * 9
TEXT = "We don't cannot. We don't cannot."


def test_words_heads_and_sentences() -> None:
    doc = TextPipeline().fit_file(io.BytesIO(TREEBANK)).annotate(TEXT).to_spacy()
    assert doc.text == "We do not cannot. We do not cannot."
    assert [sentence.text for sentence in doc.sents] == ["We do not cannot."] * 2
    assert [word.head.i for word in doc] == [2, 2, 2, 2, 3, 2, 8, 8, 8, 8, 9, 8]
    assert [word.lemma_ for word in doc][:6] == ["we", "do", "not", "can", "not", "."]


def test_what_no_part_has_made_is_empty() -> None:
    doc = TextPipeline().fit_file(io.BytesIO(TREEBANK), without=["lemmas", "tree"]).annotate(TEXT).to_spacy()
    assert {word.lemma_ for word in doc} == {word.tag_ for word in doc} == {""}
    assert [word.pos_ for word in doc][:3] == ["PRON", "AUX", "PART"]
    assert [sentence.text for sentence in doc.sents] == ["We do not cannot."] * 2
