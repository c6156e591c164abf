"""`rosenblatt exercise` makes a table for each student, and `rosenblatt grade` marks a folder of them."""

import csv
import io
from pathlib import Path
from typing import Any

from rosenblatt.services.lessons.exercise import exercise, moodle_xml


def test_each_student_gets_an_exercise_and_a_grade(rosenblatt: Any, folder: Path) -> None:
    made = rosenblatt("exercise", "--seed", "7", "--count", "3", "--folder", "sheets", "--solution")
    assert made.code == 0
    assert "3 exercises are in sheets" in made.err
    names = sorted(path.name for path in (folder / "sheets").iterdir())
    assert names[:3] == ["exercise_7_data.csv", "exercise_7_sheet.csv", "exercise_7_solution.csv"]
    assert len(names) == 9
    solution = (folder / "sheets" / "exercise_8_solution.csv").read_text(encoding="utf-8")
    (folder / "sheets" / "exercise_8_anna.csv").write_text(solution, encoding="utf-8")
    (folder / "sheets" / "exercise_8_bert.csv").write_text(solution.replace(",yes,", ",no,", 1), encoding="utf-8")
    (folder / "sheets" / "exercise_8_cora.csv").write_text("no table", encoding="utf-8")
    ended = rosenblatt("grade", "sheets", "--format", "csv")
    assert (ended.code, ended.err) == (0, "")
    rows = {row["sheet"]: row for row in csv.DictReader(io.StringIO(ended.out))}
    assert set(rows) == {f"exercise_{n}_sheet.csv" for n in (7, 8, 9)} | {
        f"exercise_8_{n}.csv" for n in ("anna", "bert", "cora")
    }
    cells = 5 * len(exercise(8).solution)
    assert [rows[f"exercise_8_{name}.csv"]["right"] for name in ("anna", "bert", "cora")] == [
        str(cells),
        str(cells - 1),
        "0",
    ]
    assert "column mistake, visit 1: expected yes, found no" in rows["exercise_8_bert.csv"]["first wrong cell"]
    assert rows["exercise_8_cora.csv"]["first wrong cell"].startswith("not graded: ")
    assert f"{cells} of" in rosenblatt("grade", "sheets").out


def test_questions_for_moodle(rosenblatt: Any, folder: Path) -> None:
    ended = rosenblatt("exercise", "--seed", "4", "--count", "2", "--moodle", "questions.xml")
    assert ended == (0, "", "")
    assert (folder / "questions.xml").read_text(encoding="utf-8") == moodle_xml([exercise(4), exercise(5)])


def test_tables_about_data_of_the_teacher(rosenblatt: Any, folder: Path) -> None:
    (folder / "sheets").mkdir()
    table = rosenblatt("trace", "and.csv", "--max-iter", "1", "--format", "csv").out
    (folder / "sheets" / "anna.csv").write_text(table, encoding="utf-8")
    ended = rosenblatt("grade", "sheets", "and.csv", "--max-iter", "1")
    assert ended.out.startswith("anna.csv")
    assert "100.0 %" in ended.out
    assert "100.0 %" not in rosenblatt("grade", "sheets", "and.csv").out  # nine passes were asked for


def test_what_cannot_be_graded_is_named(rosenblatt: Any, folder: Path) -> None:
    (folder / "sheets").mkdir()
    ended = rosenblatt("grade", "sheets")
    assert (ended.code, ended.out) == (1, "")
    assert "expected tables of students, found no CSV file with exercise_ and a seed" in ended.err
    assert rosenblatt("grade", "nothing").code == 2
    assert rosenblatt("exercise", "--count", "0").code == 2
    assert rosenblatt("exercise", "--seed", "-1").code == 2
    assert rosenblatt("exercise", "--folder", "and.csv").code == 2
