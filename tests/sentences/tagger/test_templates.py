"""Templates: what they make, and what is said of those that are wrong."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import DataFileError, SequenceTagger
from rosenblatt.members.sentences.tagger.templates import BUILT_IN, build_templates, line, parse, read

VIEW = "expected one of x, lower, prefix, suffix, shape, digit, upper, hyphen after '%'"
WRONG = {
    "X01:%x[0,0]": "1: expected U or B, found 'X01:%x[0,0]'",
    "U01:%y[0,0]": f"6: {VIEW}, found 'y[0,0]'",
    "U01:%": f"6: {VIEW}, found the end of the line",
    "U01:%x(0,0]": "7: expected '[', found '(0,0]'",
    "U01:%x[a,0]": "8: expected a place before or after the token from -99 to 99, found 'a,0]'",
    "U01:%x[100,0]": "8: expected a place before or after the token from -99 to 99, found '100,0]'",
    "U01:%x[0;0]": "9: expected ',', found ';0]'",
    "U01:%x[0,-1]": "10: expected a column from 0 to 99, found '-1]'",
    "U01:%x[0,0": "11: expected ']', found the end of the line",
    "U01:%x[0,0]/%x[1": "17: expected ',', found the end of the line",
    "U01:%suffix[0,0]": "12: expected a number of characters from 1 to 99, found '[0,0]'",
    "U01:%prefix0[0,0]": "12: expected a number of characters from 1 to 99, found '0[0,0]'",
    "Uä:%x[0,0)": "11: expected ']', found ')'",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_templates(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text(f"# words\n\nU00:%x[-1,0]\n{wrong}\nB\n", encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        SequenceTagger(templates=path).fit([["a"]], [["A"]])
    assert str(caught.value) == f"{path}:4:{WRONG[wrong]}"


@pytest.mark.parametrize("lines", [[], ["", "# nothing"]])
def test_no_template(lines: list[str]) -> None:
    with pytest.raises(DataFileError) as caught:
        parse(lines)
    assert str(caught.value) == "templates:1:1: expected a template, found none"


def test_files() -> None:
    with pytest.raises(
        FileNotFoundError,
        match=r"expected 'pos', 'chunk', 'ner', 'atoms', 'words', 'lemmas', a file or a list, found 'ops'",
    ):
        read("ops")


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"U:%x[0,0]\nU\xff:%x[0,0]\n")
    with pytest.raises(DataFileError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:2:2: expected UTF-8, found b'\\xff'"


def test_windows_lines_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"\xef\xbb\xbfU0:%x[0,0]\r\n\r\nB\r\n")
    assert read(path) == parse(["U0:%x[0,0]", "B"])


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_sets_make_each_attribute_once(name: str) -> None:
    found = read(name)
    assert len({template.literal for template in found}) == len(found)
    assert len(build_templates(found, "mark")) == len(found)


SETS = {  # what the lines of each set hash to: models name a set, so that it must stay as it is
    "pos": (31, "72076ede15cd60406bcf8f85820dbf099268c8af76662732c1cd2d4a7dfc52ee"),
    "chunk": (30, "35a27fe6a0d05e0d0fe4ace762a5112788bb2f772cc3b196ec188f1ca48eb569"),
    "ner": (30, "bf4b78081181d8dd5fe7ca5352662db1a6eb291f041b1c4ec4a438e999413562"),
    "atoms": (23, "7550d32b5b21fd981ee908df4c5e7d710ad87e5f5b93157177442de28cca5699"),
    "words": (20, "d8d1146f91a99d0d8d57b9276f5621ea4d930409aaf142ac82496459f1aa3430"),
    "lemmas": (27, "bae73e4ad88c37fe91d7b117bd09e650f859f17c826bdbe9c97bfc5ddcde7378"),
}


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_sets_stay_as_they_are(name: str) -> None:
    lines = [line(template) for template in read(name)]
    assert (len(lines), sha256("\n".join(lines).encode()).hexdigest()) == SETS[name]


def learned(lines: list[str], X: Any, y: Any, **words: Any) -> list[list[str]]:
    model = SequenceTagger(templates=lines, **words)
    model.fit(X, y)
    return model.predict(X)


VIEWED = [
    ("lower", [["Der"], ["DER"], ["das"]], [["A"], ["A"], ["B"]]),
    ("prefix2", [["Äpfel"], ["Äpsom"], ["Birne"]], [["A"], ["A"], ["B"]]),
    ("suffix2", [["läuft"], ["kauft"], ["rennen"]], [["A"], ["A"], ["B"]]),
    ("shape", [["Ab-12"], ["Übel-7"], ["ab-12"]], [["A"], ["A"], ["B"]]),
    ("digit", [["B52"], ["1"], ["B"]], [["A"], ["A"], ["B"]]),
    ("upper", [["iPad"], ["É"], ["é"]], [["A"], ["A"], ["B"]]),
    ("hyphen", [["x-y"], ["-"], ["xy"]], [["A"], ["A"], ["B"]]),
]


@pytest.mark.parametrize(("view", "X", "y"), VIEWED, ids=[view for view, *_ in VIEWED])
def test_what_a_view_shows(view: str, X: Any, y: Any) -> None:
    """What looks the same gets the same label, learned from the first and the last word alone."""
    model = SequenceTagger(templates=["U", f"U1:%{view}[0,0]"]).fit([X[2], X[0]], [y[2], y[0]])
    assert model.converged_
    assert model.predict(X) == y


def test_boundaries() -> None:
    """A mark tells a first word from others; where it is dropped, nothing does."""
    X, y = [["a", "a"]], [["P", "Q"]]
    assert learned(["U:%x[-1,0]"], X, y) == y
    assert learned(["U:%x[0,0]"], X, y) != y
    one = SequenceTagger(templates=["U:%x[-1,0]"], boundary="drop").fit(X, y)
    assert one.n_weight_rows_ == 1  # of the second token alone


def test_columns_that_are_not_there() -> None:
    with pytest.raises(ValueError, match=r"the templates look at column 1, but there are 1 columns"):
        SequenceTagger(templates="chunk").fit([["a"]], [["A"]])
