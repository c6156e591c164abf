"""Exercises by seed have one solution for every lecture, and sheets get a point for each right cell."""

import re
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest

from rosenblatt import check, trace
from rosenblatt.services.lessons.exercise import PASSES, UPDATES, exercise, moodle_xml
from rosenblatt.services.lessons.grade import grade


@pytest.mark.parametrize("seed", range(0, 200, 7))
def test_the_table_is_the_same_whatever_a_score_of_0_is(seed: int) -> None:
    one = exercise(seed)
    run = one.solution
    assert run.converged
    assert int(run.k[-1]) in UPDATES
    assert len(run.mistakes) in PASSES
    assert (run.score[1:] != 0).all()
    for tie in ("positive", "negative"):  # but for the first visit, whose point may then be right
        other = trace(one.X, one.y, tie=tie)
        if other.mistake[0]:
            assert other.weights.tolist() == run.weights.tolist()
    assert exercise(seed).answers == one.answers
    assert bool(check(StringIO(one.answers), one.X, one.y))


def test_seeds_give_different_exercises() -> None:
    assert len({exercise(seed).data for seed in range(60)}) == 60


def test_points_are_counted_a_cell() -> None:
    one = exercise(3)
    full = grade(StringIO(one.answers), one.solution)
    assert (full.right, full.share) == (full.cells, 1.0)
    assert full.cells == 5 * len(one.solution)
    blank = grade(StringIO(one.sheet), one.solution)
    assert (blank.right, blank.message) == (0, f"{full.cells} cells left blank")
    lines = one.answers.splitlines()
    wrong = "\n".join([lines[0], lines[1].replace(",yes,", ",no,"), *lines[2:]])
    assert grade(StringIO(wrong), one.solution).right == full.cells - 1
    short = grade(StringIO("\n".join(lines[:4])), one.solution)
    assert (short.right, short.cells) == (15, full.cells)
    assert "found only 3 rows" in short.message


def test_moodle_asks_for_each_cell() -> None:
    exercises = [exercise(seed) for seed in (1, 2)]
    quiz = ElementTree.fromstring(moodle_xml(exercises))
    assert [name.text for name in quiz.iter("name") for name in name] == [f"Perceptron, exercise {n}" for n in (1, 2)]
    for one, question in zip(exercises, quiz, strict=True):
        assert question.get("type") == "cloze"
        text = str(question.findtext("questiontext/text"))
        numbers = [int(value) for value in re.findall(r"\{1:NUMERICAL:=(-?\d+):0\}", text)]
        run = one.solution
        assert numbers == [
            int(v) for score, after in zip(run.score, run.after, strict=True) for v in (score, *after.ravel())
        ]
        assert re.findall(r"MULTICHOICE:(=yes~no|yes~=no)\}", text) == [
            "=yes~no" if m else "yes~=no" for m in run.mistake
        ]
        assert text.count("{") == len(run) * 5


def test_a_table_without_work_is_refused() -> None:
    with pytest.raises(ValueError, match="no column to grade"):
        grade(StringIO("visit,example\n1,1\n"), exercise(3).solution)


def test_other_columns_and_updates_only() -> None:
    X: Any = [[0, 0], [0, 1], [1, 0], [1, 1]]
    run = trace(X, [-1, -1, -1, 1], max_iter=1)
    sheet = 'epoch,point,action,w\n1,1,Subtract,"(-1, 0, 0)"\n1,4,Add,"(0, 1, 2)"\n'
    assert (grade(StringIO(sheet), run, updates_only=True).right, 4) == (3, 4)
