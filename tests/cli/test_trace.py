"""`rosenblatt trace`: the lecture's table, in each format, and a student's held against it."""

import json
import re
from typing import Any

from rosenblatt import trace_kernel
from rosenblatt.data.lectures import AND, XOR
from rosenblatt.doors.cli.trace import DIGITS, MAX_ITER, SHOWN
from rosenblatt.services.lessons.trace import trace
from rosenblatt.services.lessons.trace.numbers import DIGITS as OF_NUMBERS
from rosenblatt.services.lessons.trace.setting import MAX_ITER as PASSES
from rosenblatt.services.lessons.trace.table import SHOWN as PRINTED


def test_the_lectures_table(rosenblatt: Any) -> None:
    ended = rosenblatt("trace", "and.csv")
    assert ended == (0, f"{trace(*AND).table()}\n", "")


def test_words_are_those_of_python(rosenblatt: Any) -> None:
    def table(*args: str) -> str:
        return str(rosenblatt("trace", "and.csv", *args).out)[:-1]

    args = ("--max-iter", "2", "--tie", "negative", "--init=0,2", "--eta0", "0.5", "--no-intercept", "--first", "2")
    run = trace(*AND, max_iter=2, tie="negative", init=[[0, 2]], eta0=0.5, fit_intercept=False, first_row=1)
    assert table(*args) == run.table()
    more = ("--order", "4,1", "--max-visits", "3", "--step", "pa1", "--C", "1/4", "--init=-1,0,2")
    assert table(*more) == trace(*AND, row_order=[3, 0], max_visits=3, step="pa1", C=0.25, init=[-1, 0, 2]).table()
    others = ("--shuffle", "--seed", "5", "--class-weight", "-1=1,1=3", "--max-iter", "3")
    run = trace(*AND, shuffle=True, random_state=5, class_weight={-1: 1.0, 1: 3.0}, max_iter=3)
    assert table(*others) == run.table()


def test_the_default_of_max_iter_in_the_help_is_that_of_trace(rosenblatt: Any) -> None:
    assert f"[default: {MAX_ITER}]" in " ".join(rosenblatt("trace", "--help").out.split())


def test_formats(rosenblatt: Any, folder: Any) -> None:
    run = trace(*AND)
    assert rosenblatt("trace", "and.csv", "--format", "csv").out == run.to_csv()
    assert rosenblatt("trace", "and.csv", "--format", "latex", "--updates-only").out == run.updates.to_latex()
    assert rosenblatt("trace", "and.csv", "--format", "html", "-o", "t.html") == (0, "", "")
    assert (folder / "t.html").read_text(encoding="utf-8") == run.to_html()
    said = json.loads(rosenblatt("trace", "and.csv", "--format", "json").out)
    assert (said["schema"], said["n_updates"], said["columns"]["row"][:3]) == (1, 18, [0, 1, 2])
    columns = rosenblatt("trace", "and.csv", "--columns", "example,score", "--updates-only").out
    assert columns == f"{run.table(['example', 'score'], updates_only=True)}\n"


def test_exact_numbers_are_as_written(rosenblatt: Any) -> None:
    table = b"x1,x2,y\n1,0.1,-1\n2,1/3,1\n"
    args = ["--exact", "--init", "-1/10,1/5,0", "--eta0", "0.1", "--max-iter", "1", "--format", "csv"]
    ended = rosenblatt("trace", "-", "--from", "csv", *args, "--columns", "score,after", stdin=table)
    assert ended.out == "score,w0,w1,w2\n1/10,-1/5,1/10,-1/100\n-1/300,-1/10,3/10,7/300\n"


def test_svmlight_exactly(rosenblatt: Any) -> None:
    ended = rosenblatt("trace", "--exact", "--max-visits", "1", "--columns", "x", stdin=b"1 1:0.1\n2 1:0.3\n")
    assert "(1, 1/10)" in ended.out


def test_check_names_the_first_wrong_cell(rosenblatt: Any, folder: Any) -> None:
    args = ["trace", "and.csv", "--max-iter", "1", "--check"]
    ended = rosenblatt(*args, "answers.csv")
    assert ended == (3, "answers.csv:5:4: column w0, visit 4: expected 0, found 1\n", "")
    right = (folder / "answers.csv").read_text(encoding="utf-8").replace("add,1", "add,0")
    (folder / "right.csv").write_text(right, encoding="utf-8")
    ended = rosenblatt(*args, "right.csv")
    assert (ended.code, ended.err) == (0, "")
    assert "all is right" in ended.out
    assert rosenblatt(*args, "-", stdin=right.encode()).code == 0


def test_wrong_usage(rosenblatt: Any) -> None:
    for args, said in (
        (["--columns", "x", "--format", "json"], "--columns"),
        (["--check", "answers.csv", "--format", "csv"], "--check"),
        (["--check", "answers.csv", "--digits", "3"], "--check"),
        (["--digits", "3", "--format", "json"], "--digits"),
        (["--digits", "0"], "expected a whole number from 1 on, found '0'"),
        (["--all", "--format", "csv"], "--all: csv has all visits as it is"),
        (["--first", "2", "--order", "1,2"], "--first: --order says where a pass begins"),
        (["--shuffle", "--first", "2"], "--shuffle: makes an order of its own"),
        (["--eta0", "abc"], "expected a number, found 'abc'"),
        (["--max-iter", "0"], "expected a whole number from 1 on, found '0'"),
        (["--order", "1,x"], "expected a whole number from 1 on, found 'x'"),
        (["--step", "pa3"], "'pa3' is not one of"),
        (["--first", "0"], "0 is not in the range"),
        (["--eta0", "-1"], "eta0: expected a number over 0, found -1.0"),
    ):
        ended = rosenblatt("trace", "and.csv", *args)
        assert (ended.code, ended.out) == (2, ""), args
        assert said in ended.err
    ended = rosenblatt("trace", "and.csv", "--readout", "average")
    assert (ended.code, ended.out) == (2, "")
    assert re.search("No such option:? '?--readout", ended.err)  # as click 8.2 says it, and as newer ones do
    assert rosenblatt("trace", "-", "--check", "-").code == 2


def test_what_fails_is_one_line(rosenblatt: Any) -> None:
    for args, said in (
        (["nothing.csv"], "nothing.csv: No such file or directory"),
        (["and.csv", "--first", "5"], "first: expected an example from 1 to 4, found 5"),
        (["and.csv", "--order", "1,5"], "order: expected an example from 1 to 4, found 5"),
        (["and.csv", "--positive", "2"], "positive: expected a label, one of -1, 1; found '2'"),
        (["and.csv", "--columns", "nonsense"], "columns must be a list of some of"),
        (["and.csv", "--class-weight", "2=1"], "class-weight: expected a label, one of -1, 1, found '2'"),
        (["and.csv", "--check", "walks.csv"], "walks.csv:1:1: unknown column"),
    ):
        ended = rosenblatt("trace", *args)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1), args
        assert ended.err.startswith("error: ")
        assert said in ended.err


def test_a_run_without_end_is_a_page(rosenblatt: Any) -> None:
    lines = rosenblatt("trace", "xor.csv").out.splitlines()
    assert len(lines) == 1 + 1 + SHOWN + 1 + 1
    assert lines[2 + SHOWN // 2] == "... 3960 visits left out here; --all shows them ..."
    assert lines[-1].startswith("not converged: stopped in pass 1000 after 4000 visits")
    assert len(rosenblatt("trace", "xor.csv", "--all").out.splitlines()) == 1 + 1 + 4000 + 1
    assert len(rosenblatt("trace", "xor.csv", "--format", "csv").out.splitlines()) == 1 + 4000


def test_a_run_over_many_rows_stops_in_time(rosenblatt: Any, folder: Any) -> None:
    rows = [f"{i % 7},{i % 5},{i % 2}" for i in range(300)]
    (folder / "many.csv").write_text("\n".join(["a,b,y", *rows]), encoding="utf-8")
    lines = rosenblatt("trace", "many.csv").out.splitlines()
    assert lines[0].endswith("stop at the first clean pass, or after 10000 visits")
    assert lines[-1].startswith("not converged: stopped in pass 34 after 10000 visits")
    told = rosenblatt("trace", "many.csv", "--max-iter", "2").out.splitlines()
    assert told[-1].startswith("not converged: stopped in pass 2 after 600 visits")


def test_defaults_are_those_of_python() -> None:
    assert (MAX_ITER, DIGITS, SHOWN) == (PASSES, OF_NUMBERS, PRINTED)


def test_the_positive_label(rosenblatt: Any) -> None:
    table = b"x,y\n1,no\n2,yes\n"
    for label, said in (("yes", "labels no -> -1, yes -> +1;"), ("no", "labels yes -> -1, no -> +1;")):
        ended = rosenblatt("trace", "-", "--from", "csv", "--positive", label, "--max-visits", "1", stdin=table)
        assert ended.out.startswith(said)
    ended = rosenblatt("trace", "and.csv", "--positive", "-1.0", "--max-iter", "1")
    assert ended.out == f"{trace(*AND, positive=-1, max_iter=1)}\n"
    ended = rosenblatt("trace", "--positive", "+1", "--max-visits", "1", stdin=b"+1 1:1\n-1 2:1\n")
    assert ended.out.startswith("labels -1, +1;")
    for verb in ("steps", "squeeze"):
        assert rosenblatt("plot", verb, "and.csv", "--positive", "-1", "-o", "p.svg") == (0, "", "")


def test_digits_are_as_many_as_asked_for(rosenblatt: Any) -> None:
    args = ["trace", "and.csv", "--eta0", "1/3", "--max-visits", "1", "--columns", "after"]
    assert "(-0.3333, 0, 0)" in rosenblatt(*args).out
    assert "(-0.33, 0, 0)" in rosenblatt(*args, "--digits", "2").out
    assert "(-0.3333333333333333, 0, 0)" in rosenblatt(*args, "--digits", "all").out
    assert rosenblatt(*args, "--format", "csv").out == "w0,w1,w2\n-0.3333,0,0\n"
    assert "(-1/3, 0, 0)" in rosenblatt(*args, "--exact").out


KERNEL = ("--kernel", "poly", "--degree", "2", "--coef0", "1")


def test_a_run_with_a_kernel(rosenblatt: Any) -> None:
    run = trace_kernel(*XOR, kernel="poly", degree=2, coef0=1)
    ended = rosenblatt("trace", "xor.csv", *KERNEL)
    assert ended.out == f"{run.conventions}\n{run}\n"
    assert ended.out.startswith("labels -1, +1; K = (x.x' + 1)^2; eta = 1; listed order; mistake: y s <= 0; stop at ")
    for form, text in (("csv", run.to_csv()), ("latex", run.to_latex()), ("json", run.to_json())):
        assert rosenblatt("trace", "xor.csv", *KERNEL, "--format", form).out == text
    half = rosenblatt("trace", "xor.csv", *KERNEL, "--exact", "--eta0", "1/2", "--first", "2", "--max-visits", "1")
    assert "(0, 1/2, 0, 0)" in half.out
    shuffled = rosenblatt("trace", "xor.csv", *KERNEL, "--shuffle", "--seed", "3")
    assert str(trace_kernel(*XOR, kernel="poly", degree=2, coef0=1, shuffle=True, random_state=3)) in shuffled.out
    svm = rosenblatt("trace", "--kernel", "rbf", "--gamma", "1/2", stdin=b"+1 1:1\n-1 2:1\n")
    assert "K = exp(-0.5 |x - x'|^2)" in svm.out


def test_wrong_usage_of_a_kernel(rosenblatt: Any) -> None:
    for args, said in (
        (["--gamma", "2"], "--gamma needs --kernel"),
        (["--kernel", "linear", "--gamma", "2"], "--gamma has no meaning with --kernel linear"),
        (["--kernel", "rbf", "--degree", "2"], "--degree has no meaning with --kernel rbf"),
        ([*KERNEL, "--step", "pa"], "--step has no meaning with --kernel"),
        ([*KERNEL, "--columns", "k"], "--columns has no meaning with --kernel"),
        ([*KERNEL, "--updates-only"], "--updates-only has no meaning with --kernel"),
        ([*KERNEL, "--check", "and.csv"], "--check has no meaning with --kernel"),
        ([*KERNEL, "--format", "html"], "is written as text, csv, json or latex"),
    ):
        ended = rosenblatt("trace", "xor.csv", *args)
        assert (ended.code, ended.out) == (2, ""), args
        assert said in ended.err


def test_check_is_a_verb(rosenblatt: Any, folder: Any) -> None:
    table = rosenblatt("trace", "and.csv", "--first", "2", "--format", "csv").out
    (folder / "right.csv").write_text(table, encoding="utf-8")
    assert rosenblatt("check", "right.csv", "and.csv", "--first", "2").code == 0
    wrong = rosenblatt("check", "right.csv", "and.csv")
    assert (wrong.code, wrong.err) == (3, "")
    assert wrong.out.startswith("right.csv:2:3: column example, visit 1: expected 1, found 2")
    assert rosenblatt("check", "-", "and.csv", "--first", "2", stdin=table.encode()).code == 0
    assert rosenblatt("check", "-", "-").code == 2
    assert "--first: --order says" in rosenblatt("check", "right.csv", "and.csv", "--first", "2", "--order", "1").err
