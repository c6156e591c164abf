"""`check` finds what is wrong in a student's table, and nothing in what is right."""

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.data.lectures import AND, CMU
from rosenblatt.services.lessons.trace import Check, Trace, check, trace
from rosenblatt.services.lessons.trace.table import NAMES, columns_of
from tests.linear.strategies import Data, data_sets

EPOCH = "visit,w0,w1,w2\n1,-1,0,0\n2,-1,0,0\n3,-1,0,0\n4,0,1,1\n"


def table_of(run: Trace) -> list[list[str]]:
    written = run.to_csv()
    assert written is not None
    return list(csv.reader(io.StringIO(written)))


def checked(rows: list[list[str]], *data: Any, **words: Any) -> Check:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return check(io.StringIO(out.getvalue()), *data, **words)


@settings(max_examples=80, deadline=None)
@given(data=data_sets(max_classes=3, max_features=3), exact=st.booleans(), only=st.booleans(), picks=st.data())
def test_a_planted_cell_is_found_in_any_column(data: Data, exact: bool, only: bool, picks: st.DataObject) -> None:
    X = data.X / 3
    words: dict[str, Any] = {"max_iter": 2, "exact": exact, "step": "pa"}
    run = trace(X, data.y, **words)
    rows = table_of(run.updates if only else run)
    assert checked(rows, X, data.y, updates_only=only, **words)
    line = picks.draw(st.integers(1, len(rows) - 1))
    place = picks.draw(st.integers(0, len(rows[0]) - 1))
    true, name = rows[line][place], rows[0][place]
    planted = {"mistake": {"yes": "no"}.get(true, "yes"), "why": "no reason"}.get(name, "1e3")
    rows[line][place] = planted
    found = checked(rows, X, data.y, updates_only=only, **words)
    assert not found
    assert (found.line, found.column, found.found) == (line + 1, place + 1, planted)
    visit = (run.updates if only else run).visit[line - 1]
    assert str(found).startswith(f"answers:{line + 1}:{place + 1}: column {name}, visit {visit}: expected ")


@settings(max_examples=40, deadline=None)
@given(data=data_sets(max_features=3), columns=st.permutations(range(6)))
def test_columns_in_any_order(data: Data, columns: list[int]) -> None:
    run = trace(*data, max_iter=2)
    rows = table_of(run)
    width = len(rows[0])
    weights = [place for place, name in enumerate(rows[0]) if name.startswith("w") and name != "why"]
    chosen = [*(place for place in columns if place < width and place not in weights), *weights]
    assert checked([[row[place] for place in chosen] for row in rows], *data, max_iter=2)


def test_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(EPOCH.replace("3,-1,0,0", "3,-1,1,0"), encoding="utf-8")
    found = check(path, *AND, max_iter=1)
    assert str(found) == f"{path}:4:3: column w1, visit 3: expected 0, found 1"
    assert (found.ok, bool(found), found.line, found.column) == (False, False, 4, 3)
    assert (found.expected, found.found) == ("0", "1")
    path.write_text("\N{BYTE ORDER MARK}" + EPOCH, encoding="utf-8")  # as spreadsheets write it
    assert str(check(str(path), *AND, max_iter=1)) == f"{path}: all is right, 4 visits, columns visit, w0, w1, w2"
    with path.open(encoding="utf-8-sig") as file:
        assert check(file, *AND, max_iter=1).ok


@pytest.mark.parametrize(
    ("written", "is_right"),
    [
        ("1/3", True), ("0.333", True), ("0.33", True), (".3333333333333333", True), ("+1/3", True), ("2 / 6", True),
        ("0.3", True), ("3.33e-1", True), ("0.34", False), ("0.334", False), ("0", False), ("1", False), ("", False),
        ("a third", False), ("1/0", False), ("nan", False), ("inf", False), ("1e999999999", False), ("-1/3", False),
        ("0,333", True), ("0,34", False), ("\N{VULGAR FRACTION ONE THIRD}", True), ("1\N{FRACTION SLASH}3", True),
        ("1.000/3", False), ("0,3,3", False), ("1" * 9999, False), ("1/" + "3" * 9999, False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("exact", [False, True])
def test_a_number_is_right_as_far_as_it_goes(written: str, is_right: bool, exact: bool) -> None:
    rows = [["w1"], [written]]
    words: dict[str, Any] = {"fit_intercept": False, "exact": exact, "eta0": "1/3" if exact else 1 / 3, "max_visits": 1}
    assert checked(rows, [[-1], [1]], [0, 1], **words).ok == is_right


@pytest.mark.parametrize(
    ("written", "is_right"),
    [
        ("-4/3", True), ("-1 1/3", True), ("-1\N{VULGAR FRACTION ONE THIRD}", True), ("- 1 1/3", True),
        ("-1.333", True), ("\N{EN DASH}4/3", True), ("\N{MINUS SIGN}1 1/3", True), ("\N{HYPHEN}4/3", True),
        ("4/3", False), ("-11/3", False), ("-1 1 1/3", False), ("-1/3", False), ("-1", False), ("-1 1", False),
    ],
)  # fmt: skip
def test_mixed_numbers_and_dashes(written: str, is_right: bool) -> None:
    words: dict[str, Any] = {"fit_intercept": False, "exact": True, "eta0": "4/3", "max_visits": 1}
    assert checked([["w1"], [written]], [[1], [-1]], [0, 1], **words).ok == is_right


def test_one_and_a_third_is_not_eleven_thirds() -> None:
    words: dict[str, Any] = {"fit_intercept": False, "exact": True, "eta0": "11/3", "max_visits": 1}
    assert not checked([["w1"], ["1 1/3"]], [[-1], [1]], [0, 1], **words)


def test_what_is_expected_is_not_a_float_of_seventeen_digits() -> None:
    words: dict[str, Any] = {"fit_intercept": False, "init": [0.1], "eta0": 0.2, "tie": "positive", "max_visits": 1}
    found = checked([["w1"], ["0.4"]], [[-1], [1]], [1, 0], **words)
    assert str(found) == "answers:2:1: column w1, visit 1: expected -0.1, found 0.4"


def test_small_numbers_are_not_all_the_same() -> None:
    words: dict[str, Any] = {"fit_intercept": False, "max_visits": 1}
    assert checked([["w1"], ["1e-9"]], [[-1e-9], [1]], [0, 1], **words)
    assert not checked([["w1"], ["0"]], [[-1e-9], [1]], [0, 1], **words)


def test_single_precision_is_allowed_its_rounding() -> None:
    X, y = np.array([[-1.0], [1.0]], dtype=np.float32), [0, 1]
    words: dict[str, Any] = {"fit_intercept": False, "eta0": 1 / 3, "max_visits": 1}
    assert checked([["w1"], ["1/3"]], X, y, **words)
    assert checked(table_of(trace(X, y, **words)), X, y, **words)
    assert checked([["w1"], ["0.34"]], X, y, **words).expected == "0.33333334"


def test_a_typeset_minus_is_a_minus() -> None:
    assert check(io.StringIO(EPOCH.replace("-", "\N{MINUS SIGN}")), *AND, max_iter=1)


@pytest.mark.parametrize(
    ("first", "second", "is_right"),
    [
        ("yes", "no", True), ("TRUE", "False", True), ("1", "0", True), ("Subtract", "none", True), ("y", "", True),
        ("update", "-", True), ("add", "none", False), ("no", "no", False), ("yes", "yes", False),
        ("yes", "subtract", False), ("perhaps", "no", False),
    ],
)  # fmt: skip
def test_words_for_a_mistake(first: str, second: str, is_right: bool) -> None:
    rows = [["Action", "w0", "w1", "w2"], [first, "-1", "0", "0"], [second, "-1", "0", "0"]]
    assert checked(rows, *AND, max_visits=2).ok == is_right


def test_labels_as_the_user_has_them() -> None:
    rows = [["label", "w1", "w2"], ["1.0", "1", "0"]]
    assert checked(rows, [[1, 0], [0, 1]], [1, 0], fit_intercept=False, max_visits=1)
    rows[1][0] = "0"
    found = checked(rows, [[1, 0], [0, 1]], [1, 0], fit_intercept=False, max_visits=1)
    assert (found.expected, found.found) == ("1", "0")


def test_a_sign_alone_is_a_label() -> None:
    rows = [["y", "prediction", "w0", "w1", "w2"], ["\N{MINUS SIGN}", "-", "-1", "0", "0"]]
    assert checked(rows, *AND, max_visits=1)
    rows[1][0] = "+"
    assert checked(rows, *AND, max_visits=1).column == 1


@pytest.mark.parametrize("header", ["New W_0,w_1,W 2", "theta0,theta_1,\N{GREEK SMALL LETTER THETA}2", "Bias,w1,w2"])
def test_names_that_are_near(header: str) -> None:
    assert check(io.StringIO(f"{header}\n-1,0,0\n"), *AND, max_visits=1)


@pytest.mark.parametrize(
    ("old", "new"), [(",", ";"), (",", "\t"), ("\n", "\r\n"), ("\n", "\r"), (",", " ; "), (",", ",\N{NO-BREAK SPACE}")]
)
def test_as_a_spreadsheet_writes_it(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes(("\N{BYTE ORDER MARK}" + EPOCH.replace(old, new)).encode())
    assert check(path, *AND, max_iter=1)


def test_semicolons_go_with_decimal_commas() -> None:
    table = "w1;w2\n0,5;-1,0\n"
    assert check(io.StringIO(table), *CMU, fit_intercept=False, eta0=0.5, max_visits=1)
    found = check(io.StringIO(table.replace("-1,0", "-1,5")), *CMU, fit_intercept=False, eta0=0.5, max_visits=1)
    assert (found.line, found.column, found.expected, found.found) == (2, 2, "-1", "-1,5")


LABELS = ['a,\n"b"', "=1+1", "]x[", "<b>&", "  lead", "a  b", "", "\r\n", "a;b", "a_b", "\x1b[31m", "%$\\", "\u202eb"]


@pytest.mark.parametrize("label", LABELS)
def test_any_label_makes_the_round_trip(label: str) -> None:
    for y in ([label, "c", "c", label], [label, "c", "d", "d"]):
        run = trace(AND.X, y, max_iter=2)
        assert checked(table_of(run), AND.X, y, max_iter=2)
        assert check(io.StringIO(run.to_csv()), AND.X, y, max_iter=2)


def test_a_cell_of_several_lines_is_named_by_its_first() -> None:
    found = check(io.StringIO('label,w0,w1,w2\n"a\nb",-1,0,0\n"a\nb",-7,0,0\n'), AND.X, ["a\nb"] * 3 + ["c"])
    assert (found.line, found.column) == (4, 2)


def test_a_message_stays_in_its_line_and_is_not_long() -> None:
    found = check(io.StringIO(f"w0,w1,w2\n\x1b[2J{'7' * 999},0,0\n"), *AND)
    assert str(found).startswith(r"answers:2:1: column w0, visit 1: expected -1, found \x1b[2J777")
    assert len(str(found)) < 140
    assert found.found == f"\x1b[2J{'7' * 999}"


def test_rows_that_are_missing_or_too_much() -> None:
    short = EPOCH.replace("4,0,1,1\n", "")
    found = check(io.StringIO(short), *AND, max_iter=1)
    assert str(found) == "answers:5: the run has 4 visits; found only 3 rows, right so far"
    assert (found.ok, found.line, found.column) == (False, 5, 0)
    assert str(check(io.StringIO("w0,w1,w2\n"), *AND)) == "answers:2: the run has 36 visits; found only 0 rows"
    found = check(io.StringIO(EPOCH + "5,0,1,1\n6,0,1,1\n"), *AND, max_iter=1)
    assert str(found) == "answers:6: the run has 4 visits; this row is too much, all before is right"
    updates = "w1,w2\n1,-2\n2,-1\n3,1\n3,1\n"
    found = check(io.StringIO(updates), *CMU, fit_intercept=False, updates_only=True)
    assert str(found) == "answers:5: the run has 3 updates; this row is too much, all before is right"


def test_blank_cells_and_lines_at_the_end_do_not_matter() -> None:
    assert check(io.StringIO(EPOCH.replace("\n", ",,\n") + "\n , \n"), *AND, max_iter=1)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("visit,w0,w3\n", "answers:1:3: unknown column 'w3'; known are visit, pass, example, x0"),
        ("visit,,w0\n", "answers:1:2: unknown column ''"),
        ("w0,w1,w2,W1\n", "answers:1:4: column w1 comes twice"),
        ("epoch,w0,pass\n", "answers:1:3: column pass comes twice"),
        ("visit,row,w0\n", "answers:1:2: unknown column 'row'; known are visit, pass, example"),
        ("w,weights after\n", "answers:1:2: column weights after comes twice"),
        ("", "answers:1: expected a header"),
        ("\n\n", "answers:1: expected a header"),
        ("w0,w1,w2\n-1,0,0\n-1,0,0,0\n", "answers:3:4: expected 3 cells as in the header, found 4$"),
        (
            "w\n(-1, 0, 0)\n",
            r"answers:2:2: expected 1 cell as in the header, found 3; .* stands in quotes: \"\(1, 0\)\"$",
        ),
    ],
)
def test_a_table_that_cannot_be_read(answers: str, message: str) -> None:
    with pytest.raises(ValueError, match="^" + message.replace("?", r"\?")):
        check(io.StringIO(answers), *AND)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes(b"w0,w1,w2\n-1,0,0\n\xff\xfe\n")
    with pytest.raises(ValueError, match=r"answers.csv:3: expected a CSV file in UTF-8"):
        check(path, *AND)
    path.write_bytes(b"PK\x03\x04\x14\0")  # a spreadsheet, not saved as CSV
    with pytest.raises(ValueError, match=r"answers.csv:1: expected a CSV file, found what is no text"):
        check(path, *AND)
    path.write_text(f"w0,w1,w2\n-1,0,0\n{'1' * 200_000},0,0\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"answers.csv:3: expected a CSV file: field larger"):
        check(path, *AND)
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "nothing.csv", *AND)


@pytest.mark.parametrize("answers", [None, 5, b"w0,w1\n", [["w0"]]])
def test_what_is_no_file(answers: Any) -> None:
    with pytest.raises(TypeError, match="answers must be a path, or a file open for reading; got"):
        check(answers, *AND)


def test_a_bias_is_the_constant_features_weight_only_if_that_is_one() -> None:
    assert check(io.StringIO("b,w1,w2\n-1,0,0\n"), *AND, max_visits=1)
    with pytest.raises(ValueError, match="unknown column 'b'"):
        check(io.StringIO("b,w1,w2\n-1,0,0\n"), *AND, max_visits=1, intercept_scaling=2)
    with pytest.raises(ValueError, match="unknown column 'Bias'"):
        check(io.StringIO("Bias,w1,w2\n"), *AND, fit_intercept=False)


def test_classes_that_differ_in_case_only() -> None:
    X, y = np.eye(3), ["a", "A", "b"]
    rows = table_of(trace(X, y, fit_intercept=False))
    assert checked(rows, X, y, fit_intercept=False)


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3, max_features=3), exact=st.booleans(), picks=st.data())
def test_a_sheet_has_any_of_the_printed_columns(data: Data, exact: bool, picks: st.DataObject) -> None:
    X = data.X / 3
    words: dict[str, Any] = {"max_iter": 2, "exact": exact, "step": "pa"}
    run = trace(X, data.y, **words)
    names = picks.draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    columns = columns_of(run, names)
    rows = [[column.head for column in columns], *map(list, zip(*(column.cells() for column in columns), strict=True))]
    found = checked(rows, X, data.y, **words)
    assert found, str(found)
    line, place = picks.draw(st.integers(1, len(run))), picks.draw(st.integers(0, len(names) - 1))
    rows[line][place] = {"yes": "no", "no": "yes"}.get(rows[line][place], "(77)")
    found = checked(rows, X, data.y, **words)
    assert (found.ok, found.line, found.column) == (False, line + 1, place + 1)


def test_a_sheet_with_the_heads_of_the_printed_table() -> None:
    table = 'pass,example,score,mistake,weights after,|w|\n1,1,0,yes,"( -1, 0, 0)",1\n1,2,-1,no,-1 0 0,1\n'
    found = check(io.StringIO(table), *AND, max_visits=2)
    assert str(found) == "answers: all is right, 2 visits, columns pass, example, score, mistake, weights after, norm"
    found = check(io.StringIO(table.replace("-1 0 0", "-1 0 1")), *AND, max_visits=2)
    assert str(found) == "answers:3:5: column weights after, visit 2: expected (-1, 0, 0), found -1 0 1"
    assert not check(io.StringIO(table.replace("-1 0 0", "-1 0")), *AND, max_visits=2)
    assert check(io.StringIO('example;w\n1;"(0,5; -1)"\n'), *CMU, fit_intercept=False, eta0=0.5, max_visits=1)


def test_columns_left_blank_are_not_looked_at() -> None:
    rows = [row.split(",") for row in EPOCH.splitlines()]
    sheet = [["score", *rows[0], "k"], *(["", *row, ""] for row in rows[1:])]
    assert str(checked(sheet, *AND, max_iter=1)).endswith("all is right, 4 visits, columns visit, w0, w1, w2")
    sheet[1][0] = "0"  # begun, so that the others are missing
    assert str(checked(sheet, *AND, max_iter=1)) == "answers:3:1: column score, visit 2: expected -1, found nothing"


def test_a_trace_in_short_decimals_is_right() -> None:
    X, y = np.array([[1.000004, 1e-5], [2.00002, 12345.678]]) / 3, [0, 1]
    run = trace(X, y, max_iter=5)
    assert checked(table_of(run), X, y, max_iter=5)
