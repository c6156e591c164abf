"""The trace in text, CSV, JSON, LaTeX and HTML: the same numbers in each, and each well formed."""

import csv
import io
import json
import re
import sys
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.lessons.trace import Trace, trace
from tests.linear.strategies import Data, data_sets


def text(value: str | None) -> str:
    assert value is not None
    return value


def read_csv(run: Trace, **words: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(run.to_csv(**words)))))


class Tags(HTMLParser):
    """Every start tag with its attributes, and the text of each element that has no other inside."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.starts: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.starts.append((tag, dict(attrs)))
        self.open.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3, max_features=3), exact=st.booleans(), step=st.sampled_from(["perceptron", "pa"]))
def test_csv_has_every_number(data: Data, exact: bool, step: Any) -> None:
    run = trace(data.X / 4, data.y, max_iter=2, exact=exact, step=step)
    rows, number = read_csv(run, digits=None), Fraction if exact else float
    labels = [f"[{label}]" for label in run.classes] if len(run.classes) > 2 else [""]
    for row, frame in zip(rows, run, strict=True):
        assert [number(row[f"x{j}"]) for j in range(len(frame.x))] == frame.x.tolist()
        assert [[number(row[f"w{j}{c}"]) for j in range(len(frame.x))] for c in labels] == frame.after.tolist()
        assert [number(row[f"score{c}"]) for c in labels] == np.atleast_1d(frame.score).tolist()
        assert (int(row["visit"]), int(row["pass"]), int(row["k"])) == (frame.visit, frame.pass_, frame.k)
        assert int(row["example"]) == frame.row + 1
        assert (row["label"], row["mistake"]) == (str(frame.label), "yes" if frame.mistake else "no")
        assert (row["why"], float(row["norm"])) == (frame.reason, frame.norm)


@settings(max_examples=60, deadline=None)
@given(data=data_sets(max_classes=3, max_features=3), exact=st.booleans())
def test_json_has_every_column(data: Data, exact: bool) -> None:
    run = trace(data.X / 4, data.y, max_iter=2, exact=exact, step="pa")
    read = json.loads(text(run.to_json()))
    assert read["schema"] == 1
    assert read["conventions"] == run.conventions
    assert read["converged"] == run.converged
    assert read["mistakes"] == run.mistakes.tolist()
    assert read["classes"] == run.classes.tolist()
    for name, values in read["columns"].items():
        column = getattr(run, name)
        if column.dtype == object:
            found: Any = np.vectorize(Fraction, otypes=[object])(np.array(values, dtype=object))
        else:
            found = np.array(values, dtype=column.dtype)
        assert found.tolist() == column.tolist(), name
    assert set(read["columns"]) == set(run[0]._fields)


def test_float32_is_written_as_short_as_it_is() -> None:
    run = trace(np.array([[0.1], [1.0]], dtype=np.float32), [0, 1], max_iter=1)
    assert [row["x1"] for row in read_csv(run, digits=None)] == ["0.1", "1"]


def test_tables_for_people_have_few_digits_unless_asked_for_more() -> None:
    run = trace([[0.1, 1 / 3], [0.2, -1 / 3]], [0, 1], eta0=0.3, max_iter=2)
    without_link = re.sub(r'href="[^"]*"', "", text(run.to_html()))  # whose numbers are for the page
    for table in (run.table(), run.to_csv(), run.to_latex(), without_link, str(run)):
        assert not re.search(r"[0-9]\.[0-9]{6}", text(table)), table
        assert "/3" not in text(table)
    for name in ("table", "to_csv", "to_latex", "to_html"):
        assert "0.3333333333333333" in getattr(run, name)(digits=None)
        assert "0.33)" in getattr(run, name)(digits=2) or name == "to_csv"
        for wrong in (0, 2.5, "all"):
            with pytest.raises(ValueError, match="digits must be a number from 1 on, or None for all; got"):
                getattr(run, name)(digits=wrong)
    assert "0.3333333333333333" in text(run.to_json())  # for programs


def test_the_end_counts_what_the_column_says() -> None:
    for words in ({}, {"tie": "negative"}, {"margin": 1}, {"step": "pa"}, {"batch_size": 2}, {"batch_size": "all"}):
        run = trace(*AND, max_iter=2, **dict[str, Any](words))
        yes = [line.split()[0] for line in run.table(["mistake"]).splitlines()[2:-1]].count("yes")
        assert f" {yes} mistake" in run.ending
        assert (f"{run.n_updates} update" in run.ending) == (run.n_updates != yes)
    assert trace(*AND, max_iter=1, margin=1).ending == (
        "not converged: stopped in pass 1 after 4 visits, 3 mistakes (1 of them right, but within the margin); "
        "w = (-1, 1, 0)"
    )


def test_columns_can_be_chosen() -> None:
    run = trace(*CMU, fit_intercept=False)
    assert list(read_csv(run, columns=["k", "before"])[0]) == ["k", "old w1", "old w2"]
    assert run.table(["prediction", "why"]).splitlines()[1] == "prediction  why"
    for wrong in (["w"], [], "why"):
        with pytest.raises(ValueError, match="columns must be a list of some of visit, pass"):
            run.table(wrong)


def test_table_of_updates_only() -> None:
    run = trace(*AND)
    lines = run.table(updates_only=True).splitlines()
    assert len(lines) == 1 + 1 + 18 + 1
    assert lines[2:-1] == run.updates.table().splitlines()[2:-1]
    never = trace(*CMU, fit_intercept=False, init=[3, 1])
    assert len(never.updates) == 0
    assert len(never.table(updates_only=True).splitlines()) == 3
    assert len(read_csv(never.updates)) == 0


def test_cells_are_aligned() -> None:
    run = trace([[1, 0.25], [0, 100], [-1, 3]], ["left", "right", "left"], max_iter=5)
    _, head, *rows, _ = run.table(["visit", "x", "score", "after", "label"]).splitlines()
    for name, end in (("weights after", ")"), ("x", ")")):
        assert len({row.index(end, head.index(name)) for row in rows}) == 1
    place = head.index("label")
    assert {row[place - 2 : place] for row in rows} == {"  "}


def test_long_traces_are_shortened_and_say_so() -> None:
    run = trace(*XOR, max_iter=50)
    printed = str(run).splitlines()
    assert len(printed) == 1 + 1 + 40 + 1 + 1
    assert printed[22] == "... 160 visits left out here; table() has all ..."
    assert printed[23].split()[0] == "46"
    assert "160 visits left out here" in run._repr_html_()
    assert run._repr_html_().count("<tr") == 1 + 40 + 1 + 1
    assert len(run.table().splitlines()) == 1 + 1 + 200 + 1
    assert len(read_csv(run)) == len(json.loads(text(run.to_json()))["columns"]["k"]) == 200
    assert text(run.to_html()).count("<tr") == 1 + 200 + 1
    assert text(run.to_latex()).count(r"\\") == 1 + 200


def test_long_vectors_are_shortened_where_a_trace_is_printed() -> None:
    run = trace(np.eye(2, 99), [0, 1], max_iter=1)
    assert "(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...)" in str(run)
    assert "(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...)" in run._repr_html_()
    assert max(map(len, str(run).splitlines())) < 250
    for whole in (run.table(), text(run.to_html()), text(run.to_latex())):
        assert f"(1, 1, {', '.join('0' * 98)})" in whole
    ten = trace(np.eye(10, 64), np.arange(10), max_iter=1)
    assert max(map(len, str(ten).splitlines())) < 400
    assert ten.ending.count("...)") == 10


def test_a_table_of_a_long_run_looks_at_its_columns_once() -> None:
    calls = Counter[str]()

    def count(frame: Any, event: str, _: Any) -> None:
        calls[frame.f_code.co_name] += event == "call"

    run, before = trace(*XOR, max_iter=50), sys.getprofile()
    sys.setprofile(count)
    try:
        run.table()
    finally:
        sys.setprofile(before)
    assert calls["short_number"] > 200
    assert calls["is_number"] < 20


def test_html_is_an_accessible_table() -> None:
    run = trace(AND.X, ["no", "no", "no", "yes & \N{SNOWMAN} <yes>"])
    page = text(run.to_html(columns=["visit", "label", "after"]))
    assert page.isascii()
    tags = Tags(page)
    assert not tags.open
    assert tags.texts["caption"] == [run.conventions]
    assert [attributes["scope"] for tag, attributes in tags.starts if tag == "th"] == ["col"] * 3 + ["row"] * 36
    assert tags.texts["th"] == ["visit", "label", "weights after", *map(str, range(1, 37))]
    assert tags.texts["td"][6:8] == ["yes & \N{SNOWMAN} <yes>", "( 0, 1, 1)"]
    assert tags.texts["td"][-1] == run.ending


def test_html_is_styled_and_aligned() -> None:
    run = trace(*AND)
    tags = Tags(text(run.to_html()))
    (style,) = tags.texts["style"]
    assert ("table", {"class": "rosenblatt-trace"}) in tags.starts
    assert all(
        line.startswith(("table.rosenblatt-trace ", " ")) for line in style.strip().splitlines()
    )  # no other table
    cells = [attributes.get("class") for tag, attributes in tags.starts if tag in ("th", "td")]
    expected = [*["number"] * 3, "vector", "number", "number", None, None, "vector", "number", "number"]
    assert cells == [*expected * 37, None]
    rows = [attributes.get("class") == "mistake" for tag, attributes in tags.starts if tag == "tr"]
    assert rows == [False, *run.mistake.tolist(), False]
    vectors = [cell for cell in tags.texts["td"] if cell.startswith("(")]
    assert len(set(map(len, vectors[1::2]))) == 1


def test_latex_is_a_plain_tabular() -> None:
    run = trace(AND.X, ["[100% & $]\\", "[100% & $]\\", "[100% & $]\\", "a_b"], eta0="1/3", exact=True, max_iter=1)
    lines = text(run.to_latex(columns=["label", "score", "after", "norm"])).splitlines()
    assert lines[0] == f"% {run.conventions}"
    assert lines[1:5] == [r"\begin{tabular}{lrlr}", r"\hline", r"label & score & weights after & $\|w\|$ \\", r"\hline"]
    assert lines[5] == r"{[}100\% \& \$]\textbackslash{} & $0$ & $(-1/3, 0, 0)$ & $0.3333$ \\"
    assert lines[8] == r"a\_b & $-1/3$ & $(0, 1/3, 1/3)$ & $0.4714$ \\"
    assert lines[9:11] == [r"\hline", r"\end{tabular}"]
    cells = [re.sub(r"\\.", "", line).count("&") for line in lines[5:9]]
    assert cells == [3, 3, 3, 3]


def test_latex_has_a_head_in_letters_of_mathematics() -> None:
    lines = text(trace(*AND, max_iter=1).to_latex()).splitlines()
    assert lines[1] == r"\begin{tabular}{rrlrrlllrr}"
    assert lines[3] == r"pass & example & $x$ & $y$ & score & mistake & why & weights after & $\|w\|$ & $k$ \\"
    for line in lines[3:4] + lines[5:9]:
        assert (line.count("&"), line.count("$") % 2) == (9, 0)


@pytest.mark.parametrize("label", ["a\nb", "a\r\n\r\nb", "\x1b[31m", "\N{LINE SEPARATOR}", "\t"])
def test_a_label_of_several_lines_stays_in_its_row(label: str) -> None:
    for y in ([label, label, label, "yes"], [label, "no", "no", "yes"]):
        run = trace(AND.X, y, max_iter=1)
        assert len(run.conventions.splitlines()) == 1
        assert len(run.table(["label", "after"]).splitlines()) == 1 + 1 + 4 + 1
        assert len(text(run.to_latex(columns=["label"])).splitlines()) == 5 + 4 + 3
        assert repr(label)[1:-1] in run.conventions
        assert label in [row["label"] for row in read_csv(run)]


def test_signs_as_text_are_said_to_be_sorted() -> None:
    for minus, plus in (("-", "+"), ("-1", "+1"), ("\N{MINUS SIGN}", "+")):
        run = trace(AND.X, [minus, minus, minus, plus], max_iter=1)
        assert run.conventions.startswith(
            f"labels '{plus}' -> -1 and '{minus}' -> +1, since text is sorted so: NOT as they look"
        )
        assert run.y.tolist() == [1, 1, 1, -1]
        told = trace(AND.X, [minus, minus, minus, plus], max_iter=1, positive=plus)
        assert told.conventions.startswith(f"labels {minus} -> -1, {plus} -> +1;")
        assert told.y.tolist() == [-1, -1, -1, 1]
    assert trace(AND.X, ["-1", "-1", "-1", "1"], max_iter=1).conventions.startswith("labels -1 -> -1, 1 -> +1;")


def test_a_number_too_small_for_a_float_is_not_zero() -> None:
    run = trace([["1/1" + "0" * 400], [2]], [0, 1], exact=True, max_iter=1)
    assert "(1, 1e-400)" in run.table(["x"]).replace("1.000e-400", "1e-400")
    with pytest.raises(ValueError, match=r"X must be finite numbers.* at 1, 0"):
        trace([[2], [10**400]], [0, 1], exact=True)


def test_latex_has_powers_of_ten() -> None:
    run = trace([[1e-7], [2e-7]], [0, 1], fit_intercept=False, max_visits=1)
    assert r"$(-1 \cdot 10^{-7})$" in text(run.to_latex())


def test_files_are_what_is_returned(tmp_path: Path) -> None:
    run = trace(AND.X, ["n\N{LATIN SMALL LETTER E WITH ACUTE}", "no", "no", "yes"], max_iter=1)
    for name in ("to_csv", "to_json", "to_latex", "to_html"):
        path = tmp_path / name
        path.write_text("before", encoding="utf-8")
        assert getattr(run, name)(path) is None
        assert path.read_text(encoding="utf-8") == getattr(run, name)()
    assert len(list(tmp_path.iterdir())) == 4


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        trace(*AND).to_csv(tmp_path / "no" / "where.csv")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder: expected a file or a free name, found a folder"):
        trace(*AND).to_csv(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({}, "labels 0 -> -1, 1 -> +1; constant feature 1, first; start w = (0, 0, 0); eta = 1; listed order; "
         "mistake: y s <= 0; stop at the first clean pass"),
        ({"first_row": 2}, "listed order from example 3"),
        ({"row_order": [2, 1, 3, 0]}, "order 3, 2, 4, 1;"),
        ({"row_order": [2, 1] * 99}, "order 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, ...;"),
        ({"shuffle": True, "random_state": 7}, "shuffled each pass, random_state=7"),
        ({"fit_intercept": False}, "no constant feature; start w = (0, 0)"),
        ({"intercept_scaling": 0.5}, "constant feature 0.5, first"),
        ({"init": [0.5, -1, 2], "eta0": 0.1}, "start w = (0.5, -1, 2); eta = 0.1"),
        ({"tie": "positive"}, "mistake: y s < 0, or y s = 0 and y = -1"),
        ({"tie": "negative"}, "mistake: y s < 0, or y s = 0 and y = +1"),
        ({"margin": 2}, "mistake: y s <= 2"),
        ({"step": "pa"}, "step PA; listed order; mistake: y s < 1"),
        ({"step": "pa1", "C": 0.1}, "step PA-I, C = 0.1"),
        ({"step": "pa2"}, "step PA-II, C = 1"),
        ({"step": "arow", "r": 3}, "step AROW, r = 3"),
        ({"batch_size": 2}, "batches of 2 rows, scored first, then added"),
        ({"batch_size": "all"}, "batches of all rows"),
        ({"class_weight": "balanced"}, "class weights balanced scale the steps"),
        ({"class_weight": {0: 1 / 3, 1: 2}}, "class weights 0: 0.3333, 1: 2 scale the steps"),
        ({"sample_weight": [1, 2, 1, 1]}, "sample weights scale the steps"),
        ({"exact": True, "eta0": "1/3"}, "eta = 1/3; listed order; mistake: y s <= 0; exact numbers; stop"),
        ({"exact": True, "as_decimal": True}, "exact numbers, floats as the decimals written"),
        ({"max_iter": 3, "max_visits": 1}, "stop at the first clean pass, or after 3 passes, or after 1 visit"),
    ],
)  # fmt: skip
def test_conventions_name_what_differs(words: Any, said: str) -> None:
    assert said in trace(AND.X, [0, 0, 0, 1], **words).conventions


def test_conventions_of_more_classes() -> None:
    X, y = [[0], [1], [2]], ["a", "b", "c"]
    assert trace(X, y, tie="negative", max_iter=1).conventions == (
        "classes a, b, c, a row of weights each; constant feature 1, first; start w = (0, 0) (0, 0) (0, 0); eta = 1; "
        "listed order; mistake: s of the class - s of its best rival <= 0, a tie goes to the first class; "
        "stop at the first clean pass, or after 1 pass"
    )
    assert "mistake: of any class: y s <= 0;" in trace(X, y, multiclass="one-vs-rest", max_iter=1).conventions
