"""Edits: the core's are those of plain Python, and an edit makes the text that it was found for."""

from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import _core

from . import plain_edits as plain

WORDS = st.text(st.sampled_from("abAB'i\u0130\u0131\u03a3\u03c3\u03c2"), max_size=7)
FIELDS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), max_size=12)


def test_examples() -> None:
    assert _core.find_edit("Dogs", "dog") == "lower 0 1\t\t"
    assert _core.find_edit("went", "go") == "= go"
    assert _core.find_edit("better", "good") == "= good"
    assert _core.find_edit("PARIS", "Paris") == "title 0 0\t\t"
    assert _core.find_split("don't", ["do", "n't"]) == "keep 0 3\t\t\nkeep -3 0\t\t"
    assert _core.apply_edits("can't", "keep 0 3\t\t\nkeep -3 0\t\t") == ["ca", "n't"]
    assert _core.find_split("Du", ["De", "le"]) == "keep 0 1\t\te\n= le"
    assert _core.apply_edits("dünyâ", "lower 0 1\t\ta") == ["dünya"]


@given(text=WORDS, to=WORDS)
def test_they_are_those_of_plain_python(text: str, to: str) -> None:
    edit = _core.find_edit(text, to)
    assert edit == plain.find_edit(text, to)
    assert _core.apply_edits(text, edit) == [to]


@given(text=WORDS, other=WORDS, to=WORDS)
def test_an_edit_of_one_text_may_be_applied_to_another(text: str, other: str, to: str) -> None:
    edit = _core.find_edit(text, to)
    assert _core.apply_edits(other, edit) == [plain.apply_edit(other, edit)]


@given(text=FIELDS, to=FIELDS)
def test_any_text(text: str, to: str) -> None:
    assert _core.apply_edits(text, _core.find_edit(text, to)) == [to]


@given(token=WORDS, words=st.lists(WORDS, min_size=1, max_size=4))
def test_words_of_a_token(token: str, words: list[str]) -> None:
    split = _core.find_split(token, words)
    assert split == "\n".join(plain.find_edit(token, word, at_end=k > 0) for k, word in enumerate(words))
    assert _core.apply_edits(token, split) == words


@given(text=FIELDS, edit=st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_whatever_an_edit_says_the_answer_is_a_text(text: str, edit: str) -> None:
    assert all(isinstance(made, str) for made in _core.apply_edits(text, edit))
