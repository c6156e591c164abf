"""Pictures of trees: every arc is in the text, lines do not run over each other, SVG is well-formed."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from rosenblatt import draw_tree
from rosenblatt.services.lessons.plot.tree import levels

from .strategies import trees

WORDS, HEADS, LABELS = ["She", "saw", "a", "dog"], [2, 0, 4, 2], ["nsubj", "root", "det", "obj"]
TEXT = """\
    ┌─> She  nsubj
┌───┴── saw  root
│   ┌─> a    det
└───┴─> dog  obj"""


def test_a_tree() -> None:
    drawn = str(draw_tree(WORDS, HEADS, LABELS))
    assert [line.split()[-2:] for line in drawn.splitlines()] == [list(one) for one in zip(WORDS, LABELS, strict=True)]
    assert [">" in line for line in drawn.splitlines()] == [True, False, True, True]
    assert str(draw_tree(["one"], [0], ["root"])) == "  one  root"
    assert str(draw_tree([], [], [])) == ""


def test_two_trees() -> None:
    picture = draw_tree(WORDS, HEADS, LABELS, against=([2, 0, 2, 2], ["nsubj", "root", "det", "iobj"]))
    lines = str(picture).splitlines()
    assert lines[0].endswith("She  nsubj")
    assert lines[2].endswith("-det < dog  +det < saw")
    assert lines[3].endswith("-obj < saw  +iobj < saw")
    svg = picture.svg()
    assert svg.count("#c0392b") == svg.count("#1e8449") > 0
    same = draw_tree(WORDS, HEADS, LABELS, against=(HEADS, LABELS))
    assert str(same) == str(draw_tree(WORDS, HEADS, LABELS))


@settings(max_examples=100, deadline=None)
@given(trees(9))
def test_any_tree(head: list[int]) -> None:
    picture = draw_tree([f"w{k}" for k in range(len(head))], head)
    lines = str(picture).splitlines()
    assert len(lines) == len(head)
    assert [">" in line for line in lines] == [h != 0 for h in head]
    level = levels([arc for arc in picture.arcs if arc.head])
    for arc in level:
        for other in level:
            meet = min(other[:2]) <= max(arc[:2]) and min(arc[:2]) <= max(other[:2])
            assert arc == other or not meet or level[arc] != level[other]
    root = ElementTree.fromstring(picture.svg())
    assert [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")][-len(head) :] == list(picture.words)


def test_letters_of_other_widths_and_signs_of_xml() -> None:
    picture = draw_tree(["猫", "a<b", "é"], [2, 0, 2], ["x&y", "root", ""])
    assert "a&lt;b" in picture.svg()
    assert "x&amp;y" in picture.svg()
    assert ElementTree.fromstring(picture.svg()) is not None
    assert picture._repr_svg_() == picture.svg()
    columns = [line.index("root") if "root" in line else None for line in str(picture).splitlines()]
    assert columns[1] is not None


@pytest.mark.parametrize(
    ("heads", "said"),
    [
        ([1, 0], "heads: word 1: expected another word or 0, found 1"),
        ([3, 0], "heads: word 1: expected another word or 0, found 3"),
        ([0], "expected a head and a label for each of 2 words, found 1 heads and 2 labels"),
    ],
)
def test_what_cannot_be_drawn(heads: list[int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        draw_tree(["a", "b"], heads, ["x", "y"])
