"""`rosenblatt text`: trains, reads texts in pipes and in files, counts; with clear errors."""

import json
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import TextPipeline, load
from rosenblatt.services.text.documents import COLUMNS

TRAIN = ("text", "train", "treebank.conllu", "--tree", "lean", "--max-iter", "3", "--folds", "2", "--model", "en.st")
TEXT = "The old dog sleeps. Where is the cat?\n\nShe reads\ta long book.\r\n"


@pytest.fixture
def model(rosenblatt: Any) -> TextPipeline:
    """In a file as well."""
    assert rosenblatt(*TRAIN).code == 0
    loaded: TextPipeline = load("en.st")
    return loaded


def test_the_model_of_python(rosenblatt: Any, model: TextPipeline) -> None:
    fitted = TextPipeline(tree="lean", max_iter=3, folds=2).fit_file("treebank.conllu")
    assert fitted.parts_ == model.parts_ == ["atoms", "tags", "lemmas", "tree"]
    assert (
        fitted.annotate(TEXT).conllu
        == model.annotate(TEXT).conllu
        == rosenblatt("text", "run", "en.st", stdin=TEXT.encode()).out
    )
    assert rosenblatt(*TRAIN, "--dev", "treebank.conllu").err.count("% right on treebank.conllu") == 4


def test_from_text_tokens_and_tags(rosenblatt: Any, model: TextPipeline, folder: Path) -> None:
    (folder / "letter.txt").write_text(TEXT, encoding="utf-8", newline="")
    assert rosenblatt("text", "run", "en.st", "letter.txt", "-o", "letter.conllu").code == 0
    whole = (folder / "letter.conllu").read_text(encoding="utf-8")
    assert "2\told\told\tADJ" in whole
    assert "SpacesAfter=\\r\\n" in whole
    for source, columns in (("tokens", slice(2, 8)), ("tags", slice(6, 8))):
        lines = [line.split("\t") for line in whole.split("\n")]
        for fields in lines:
            if len(fields) == 10:
                fields[columns] = ["_"] * (columns.stop - columns.start)
        (folder / "less.conllu").write_text("\n".join("\t".join(fields) for fields in lines), encoding="utf-8")
        assert rosenblatt("text", "run", "en.st", "less.conllu", "--from", source).out == whole
    ranges = rosenblatt("text", "run", "en.st", "letter.txt", "--ranges").out
    assert "1\tThe\tthe" in ranges
    assert "TokenRange=0:3" in ranges


def test_json(rosenblatt: Any, model: TextPipeline) -> None:
    lines = rosenblatt("text", "run", "en.st", "--json", stdin=TEXT.encode()).out.splitlines()
    said = [json.loads(line) for line in lines]
    assert said == [sentence.as_dict() for sentence in model.annotate(TEXT)]
    assert {tuple(word) for sentence in said for word in sentence["words"]} == {("number", *COLUMNS)}


def test_eval(rosenblatt: Any, json_of: Any, model: TextPipeline) -> None:
    table = json_of(rosenblatt("text", "eval", "en.st", "treebank.conllu", "--json").out, "text_eval")["table"]
    assert table == {name: {**s._asdict(), "f1": s.f1} for name, s in model.score_file("treebank.conllu").items()}
    assert table["Tokens"]["f1"] > 0.99
    assert table["Sentences"]["f1"] > 0.9
    from_tokens = model.score_file("treebank.conllu", source="tokens")
    assert from_tokens["Words"].f1 == 1
    assert 0.8 < from_tokens["LAS"].f1 <= model.score_file("treebank.conllu", source="tags")["LAS"].f1 + 0.05
    shown = rosenblatt("text", "eval", "treebank.conllu", "treebank.conllu").out
    assert "100.00" in shown.partition("BLEX")[2]


def test_parts_are_left_out(rosenblatt: Any) -> None:
    assert rosenblatt(*TRAIN, "--without", "lemmas,tree").code == 0
    out = rosenblatt("text", "run", "en.st", stdin=b"The old dog.").out
    assert "2\told\t_\tADJ\tJJ\t_\t_\t_\t_\t_" in out
    ended = rosenblatt(*TRAIN, "--without", "tags")
    assert (ended.code, ended.err) == (1, "error: parts: lemmas needs tags\n")
    assert "'trees'" in rosenblatt(*TRAIN, "--without", "trees").err
    assert rosenblatt(*TRAIN, "--without", "atoms").code == 0
    ended = rosenblatt("text", "run", "en.st", stdin=b"The old dog.")
    assert ended.err == "error: expected a pipeline with the part 'atoms', found one with tags, lemmas, tree\n"


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (b"text = The old dog", b"text = The old cat", "4:10: expected the text of the tokens, "),
        (b"3\tdet\t_\t_\n2", b"9\tdet\t_\t_\n2", "5:20: expected the number of a word of the sentence"),
    ],
)
def test_what_is_no_treebank(rosenblatt: Any, folder: Path, old: bytes, new: bytes, error: str) -> None:
    text = (folder / "treebank.conllu").read_bytes()
    (folder / "treebank.conllu").write_bytes(text.replace(old, new, 1))
    before = sorted(folder.iterdir())
    ended = rosenblatt(*TRAIN)
    assert ended.code == 1
    assert ended.err.startswith(f"error: treebank.conllu:{error}")
    assert sorted(folder.iterdir()) == before


def test_a_treebank_that_says_nothing_of_texts(rosenblatt: Any, folder: Path) -> None:
    lines = (folder / "treebank.conllu").read_text(encoding="utf-8").replace("SpaceAfter=No", "_").split("\n")
    rest = "\n".join(line for line in lines if not line.startswith("#"))
    (folder / "treebank.conllu").write_text(rest, encoding="utf-8")
    ended = rosenblatt(*TRAIN)
    said = "expected SpaceAfter=No behind some token, so that tokens of a text can be learned"
    assert (ended.code, ended.err) == (
        1,
        f"error: treebank.conllu:1:1: {said}, found none: leave out the part atoms, and words\n",
    )
    assert rosenblatt(*TRAIN, "--without", "atoms,words").code == 0


def test_wrong_files(rosenblatt: Any, model: TextPipeline) -> None:
    assert "found a model file" in rosenblatt("text", "run", "en.st", "en.st").err
    assert "found CoNLL-U by its name: say --from tokens" in rosenblatt("text", "run", "en.st", "treebank.conllu").err
    assert "found a SequenceTagger" in _with_tagger(rosenblatt)
    assert "--from text" in rosenblatt("text", "run", "en.st", "treebank.conllu", "--from", "tokens", "--json").err
    ended = rosenblatt("text", "run", "en.st", "-o", "new.conllu", stdin=b"a\nb\0")
    assert (ended.code, ended.out, Path("new.conllu").exists()) == (1, "", False)
    assert ended.err == "error: <stdin>:2:2: expected printable text, found byte 0x00, as in text in UTF-16\n"


def _with_tagger(rosenblatt: Any) -> str:
    assert rosenblatt("tag", "train", "treebank.conllu", "--model", "tags.st").code == 0
    text: str = rosenblatt("text", "run", "tags.st", stdin=b"a").err
    return text
