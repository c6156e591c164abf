"""Parsers and CoNLL-U files: what is written differs in heads and labels alone; bad files are told with their place."""

import gzip
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import DataFileError, DependencyParser, load, save
from rosenblatt.data.treebank import load_treebank, treebank_path
from rosenblatt.services.sentences.parsing import file_columns

from .strategies import is_tree

TREEBANK = treebank_path()
TEXT = """\ufeff# text = Peter's cat sleeps
1-2\tPeter's\t_\t_\t_\t_\t_\t_\t_\t_
1\tPeter\tPeter\tPROPN\tNNP\t_\t3\tnmod:poss\t3:nmod\tx=y
2\t's\t's\tPART\tPOS\t_\t1\tcase\t_\t_
3\tcat\tcat\tNOUN\tNN\tNumber=Sing\t4\tnsubj\t_\t_
4\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\t_
4.1\tand\t_\t_\t_\t_\t_\t_\t4:x\t_

# one word
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_

"""


def source(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


@pytest.fixture(scope="module")
def model() -> DependencyParser:
    fitted: DependencyParser = DependencyParser(max_iter=5).fit_file(TREEBANK)
    return fitted


def parsed(model: DependencyParser, text: str) -> str:
    out = io.BytesIO()
    model.parse_file(source(text), out)
    return out.getvalue().decode()


@pytest.mark.parametrize("change", [lambda t: t, lambda t: t.replace("\n", "\r\n"), lambda t: t.rstrip("\n")])
def test_every_other_byte_is_as_it_was(model: DependencyParser, change: Any) -> None:
    text = change(TEXT)
    found = parsed(model, text)
    for before, after in zip(text.split("\n"), found.split("\n"), strict=True):
        old, new = before.split("\t"), after.split("\t")
        assert old[:6] + old[8:] == new[:6] + new[8:]
        if len(old) < 10 or not old[0].isdecimal():
            assert old == new
    heads = [int(line.split("\t")[6]) for line in found.split("\n") if line[:2] in ("1\t", "2\t", "3\t", "4\t")]
    assert is_tree(heads[:4])
    assert heads[4] == 0
    assert parsed(model, found) == found


def test_fit_file_is_fit(model: DependencyParser) -> None:
    sentences, heads, labels = load_treebank()
    other = DependencyParser(max_iter=5).fit(sentences, heads, labels)
    one, two = (parser._model.weights.arrays() for parser in (model, other))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert model.file_columns_ == ("form", "upos", "xpos", "feats")
    with pytest.raises(AttributeError, match="only after fit_file"):
        _ = other.file_columns_


def test_files_in_parts_and_compressed(tmp_path: Path, model: DependencyParser) -> None:
    sentences = TREEBANK.read_bytes().split(b"\n\n")
    for name, part in (("a.conllu", sentences[:9]), ("b.conllu", sentences[9:])):
        (tmp_path / name).write_bytes(b"\n\n".join(part) + (b"\n\n" if name[0] == "a" else b""))
    together = DependencyParser(max_iter=5).fit_file(str(tmp_path / "*.conllu"))
    (tmp_path / "whole.gz").write_bytes(gzip.compress(TREEBANK.read_bytes()))
    pack = DependencyParser(max_iter=5).fit_file(tmp_path / "whole.gz")
    for other in (together, pack):
        assert np.array_equal(other._model.weights.arrays()[0], model._model.weights.arrays()[0])
    model.parse_file(tmp_path / "whole.gz", tmp_path / "out.conllu.gz")
    assert len(gzip.decompress((tmp_path / "out.conllu.gz").read_bytes()).split(b"\n\n")) == len(sentences)


def test_without_tags_of_the_language_the_universal_ones_count(tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(TEXT.replace("\tNN", "\t_").replace("_P\t", "_\t"), encoding="utf-8")
    assert file_columns(tmp_path / "t.conllu") == ("form", "upos", "xpos", "feats")
    lines = [line.split("\t") for line in TEXT.split("\n")]
    none = "\n".join("\t".join([*line[:4], "_", *line[5:]]) if len(line) == 10 else "\t".join(line) for line in lines)
    (tmp_path / "u.conllu").write_text(none, encoding="utf-8")
    model = DependencyParser().fit_file(tmp_path / "u.conllu")
    assert model.file_columns_ == ("form", "upos", "upos", "feats")
    chosen = DependencyParser().fit_file(tmp_path / "u.conllu", columns=["form", "lemma"])
    assert chosen.file_columns_ == ("form", "lemma")
    assert parsed(chosen, TEXT).count("root") == 2
    with pytest.raises(ValueError, match="columns: 'head' has what is to be learned"):
        DependencyParser().fit_file(tmp_path / "u.conllu", columns=["form", "head"])


HEAD = "expected the number of a word of the sentence, or 0 for the root"
TEN = "expected 10 columns with a tab between them"
BAD = {
    "head too large": ("\t4\tnsubj", "\t5\tnsubj", f"<file>:5:31: {HEAD}, found 5"),
    "head negative": ("\t4\tnsubj", "\t-1\tnsubj", f"<file>:5:31: {HEAD}, found '-1'"),
    "no head": ("\t4\tnsubj", "\t_\tnsubj", f"<file>:5:31: {HEAD}, found '_'"),
    "a head of many digits": ("\t4\tnsubj", f"\t{'9' * 30}\tnsubj", f"<file>:5:31: {HEAD}, found '{'9' * 30}'"),
    "its own head": ("\t4\tnsubj", "\t3\tnsubj", "<file>:5:31: expected another word as the head, found 3"),
    "two roots": ("\t4\tnsubj", "\t0\tnsubj", "<file>:6:27: expected one root, found a second one, after word 3"),
    "a cycle": ("\t4\tnsubj", "\t2\tnsubj", "<file>:3:27: expected a tree, found a cycle through this word"),
    "no root": ("\t0\troot", "\t1\troot", "<file>:3:27: expected a tree, found a cycle through this word"),
    "nine columns": (
        "\tx=y",
        "",
        "<file>:3:45: expected 10 columns with a tab between them, found the end of the line",
    ),
    "a wrong number": ("\n3\tcat", "\n5\tcat", "<file>:5:1: expected token number 3, found '5'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(name: str) -> None:
    before, after, said = BAD[name]
    with pytest.raises(DataFileError) as error:
        DependencyParser().fit_file(source(TEXT.replace(before, after, 1)))
    assert str(error.value) == said


def test_a_dev_file_is_checked_too(tmp_path: Path) -> None:
    (tmp_path / "dev.conllu").write_text(TEXT.replace("\t4\tnsubj", "\t9\tnsubj"), encoding="utf-8")
    with pytest.raises(DataFileError, match=f"dev.conllu:5:31: {HEAD}, found 9"):
        DependencyParser().fit_file(source(TEXT), dev=tmp_path / "dev.conllu")


def test_dev_chooses_the_pass_and_the_pruning() -> None:
    told: list[Any] = []
    model = DependencyParser(max_iter=6).fit_file(TREEBANK, dev=TREEBANK, watch=told.append)
    assert [one.score for one in told] == model.validation_scores_.tolist()
    assert model.kept_pass_ == int(model.validation_scores_.argmax()) + 1
    assert model.pruned_ > 0
    whole = DependencyParser(max_iter=6, prune=0).fit_file(TREEBANK, dev=TREEBANK)
    assert model.n_weight_rows_ < whole.n_weight_rows_
    score = model.score(*load_treebank())
    assert score >= model.validation_scores_.max() - 0.001
    assert whole.score(*load_treebank()) == whole.validation_scores_.max()


def test_a_true_answer_of_watch_ends_the_run() -> None:
    model = DependencyParser(max_iter=6).fit_file(TREEBANK, watch=lambda so_far: so_far.number == 2)
    assert model.n_iter_ == 2
    model = DependencyParser(early_stopping=True).fit_file(TREEBANK, watch=lambda so_far: so_far.number == 2)
    assert (model.n_iter_, len(model.validation_scores_)) == (2, 2)


def test_long_sentences(model: DependencyParser) -> None:
    row = "{}\tword\t_\tNOUN\tNN\t_\t{}\t{}\t_\t_\n"
    chain = "".join(row.format(k, k - 1, "root" if k == 1 else "flat") for k in range(1, 10_001))
    heads = [int(line.split("\t")[6]) for line in parsed(model, chain).splitlines()]
    assert is_tree(heads)
    learned = DependencyParser(max_iter=2).fit_file(source(chain))
    assert learned.predict([[("word", "NOUN", "NN", "_")] * 10_000]).heads == [list(range(10_000))]


def test_nothing_to_parse(model: DependencyParser) -> None:
    assert parsed(model, "") == ""
    assert parsed(model, "\n\n") == "\n\n"
    with pytest.raises(DataFileError, match="<file>:1:1: expected a token, found the end of the file"):
        DependencyParser().fit_file(source(""))


def test_a_file_that_fails_leaves_what_was_there(tmp_path: Path, model: DependencyParser) -> None:
    out = tmp_path / "out.conllu"
    out.write_text("as it was", encoding="utf-8")
    with pytest.raises(DataFileError):
        model.parse_file(source(TEXT.replace("\tx=y", "")), out)
    assert out.read_text(encoding="utf-8") == "as it was"
    assert [path.name for path in tmp_path.iterdir()] == ["out.conllu"]


def test_tags_that_are_missing_are_named(tmp_path: Path) -> None:
    """A parser that learned from tags refuses words without them; without tags in its training it needs none."""
    rows = ["1\tdogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_", "2\tbark\t_\tVERB\tVBP\tTense=Pres\t0\troot\t_\t_", ""]
    blank = [re.sub(r"^((?:[^\t]*\t){3})[^\t]*\t[^\t]*\t[^\t]*", r"\1_\t_\t_", row) for row in rows]
    paths = [tmp_path / "tagged.conllu", tmp_path / "blank.conllu"]
    for path, of_file in zip(paths, (rows, blank), strict=True):
        path.write_text("\n".join(of_file * 40) + "\n", encoding="utf-8")
    model = DependencyParser(max_iter=1).fit_file(paths[0])
    save(model, tmp_path / "m")
    message = "expected upos and xpos and feats, from which the parser has learned too, found '_' in all 80 words"
    for parser in (model, load(tmp_path / "m")):
        with pytest.raises(ValueError, match=message):
            parser.parse_file(paths[1], tmp_path / "out.conllu")
        with pytest.raises(ValueError, match="expected upos and xpos, from"):  # two words may well have no features
            parser.predict([["dogs", "bark"]])
        parser.predict([[("dogs", "NOUN"), ("bark", "VERB")]])
    assert not (tmp_path / "out.conllu").exists()
    without = DependencyParser(max_iter=1).fit_file(paths[1])
    without.parse_file(paths[1], tmp_path / "out.conllu")
    with pytest.raises(ValueError, match="expected upos and xpos and feats"):
        model.fit_file(paths[0], dev=paths[1])
