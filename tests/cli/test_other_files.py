"""Files of another kind than the model's, without its labels, without rows, without a name: each gets its answer."""

import io
import os
import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

WALKS = ("--label", "walk", "--ignore", "day,note", "--missing", "mean")
LABELS = "yes\nno\nyes\nyes\nno\nno\n"


@pytest.fixture
def walks(rosenblatt: Any) -> str:
    """A model of a table."""
    assert rosenblatt("train", "walks.csv", *WALKS, "--model", "walks.st").code == 0
    return "walks.st"


@pytest.fixture
def rows(rosenblatt: Any) -> str:
    """A model of svmlight rows."""
    assert rosenblatt("train", "data.svm", "--model", "rows.st").code == 0
    return "rows.st"


@pytest.mark.parametrize("verb", [("predict",), ("evaluate",)])
@pytest.mark.parametrize("told", [(), ("--from", "svmlight")])
def test_svmlight_text_for_a_model_of_a_table(rosenblatt: Any, walks: str, verb: Any, told: Any) -> None:
    ended = rosenblatt(*verb, walks, "data.svm", *told)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: data.svm: expected a table with the columns wind, weather, as the model was ")


def test_svmlight_text_for_other_verbs(rosenblatt: Any, walks: str, folder: Path) -> None:
    ended = rosenblatt("plot", "boundary", "data.svm", "--model", walks, "-o", "b.svg")
    assert (ended.code, "with the columns wind, weather" in ended.err) == (1, True)
    ended = rosenblatt("tune", "walks.csv", *WALKS, "--folds", "2", "--try", "eta0=1,2", "--test", "data.svm")
    assert (ended.code, ended.out, "with the columns wind, weather" in ended.err) == (1, "", True)
    assert not (folder / "b.svg").exists()


def test_a_table_for_a_model_of_rows(rosenblatt: Any, rows: str) -> None:
    said = (
        "walks.csv:1:1: expected 2 columns of numbers, as the model was trained on rows without names, found 5 (day, "
    )
    for verb in ("predict", "evaluate"):
        ended = rosenblatt(verb, rows, "walks.csv")
        assert (ended.code, ended.out, ended.err.startswith(f"error: {said}")) == (1, "", True), ended


def test_a_model_for_data(rosenblatt: Any, rows: str) -> None:
    for args in (("predict", rows, rows), ("train", rows, "--model", "new"), ("certify", rows), ("trace", rows)):
        assert rosenblatt(*args) == (1, "", "error: rows.st: expected data, found a model file\n")


def test_labels_that_the_model_does_not_know(rosenblatt: Any, rows: str, walks: str, folder: Path) -> None:
    (folder / "other.svm").write_text("7 1:1\n8 2:1\n", encoding="utf-8")
    said = "other.svm: expected labels that the model knows (1, 2, 3), found none but 7, 8"
    assert rosenblatt("evaluate", rows, "other.svm") == (1, "", f"error: {said}\n")
    ended = rosenblatt("tune", "data.svm", "--try", "eta0=1,2", "--test", "other.svm")
    assert (ended.code, ended.out, ended.err) == (1, "", f"error: {said}\n")
    text = (folder / "walks.csv").read_text(encoding="utf-8").replace(",yes", ",go").replace(",no\n", ",stay\n")
    (folder / "other.csv").write_text(text, encoding="utf-8")
    said = "other.csv: expected labels that the model knows (no, yes), found none but go, stay"
    assert rosenblatt("evaluate", walks, "other.csv") == (1, "", f"error: {said}\n")
    (folder / "words.svm").write_text("a 1:1\nb 2:1\n", encoding="utf-8")
    said = "words.svm: expected numbers, as the labels of the model (1, 2, 3), found 'a'"
    assert rosenblatt("evaluate", rows, "words.svm") == (1, "", f"error: {said}\n")


def test_some_labels_that_the_model_does_not_know(rosenblatt: Any, rows: str, folder: Path) -> None:
    text = (folder / "test.svm").read_text(encoding="utf-8")
    before = rosenblatt("evaluate", rows, "test.svm", "--json").result("evaluate")
    (folder / "more.svm").write_text(f"{text}7 1:1\n", encoding="utf-8")
    ended = rosenblatt("evaluate", rows, "more.svm", "--json")
    assert ended.err == "warning: more.svm: 1 of 10 rows has a label that the model does not know: 7\n"
    found = ended.result("evaluate")
    assert (ended.code, found["classes"], found["n_wrong"]) == (0, [1, 2, 3, 7], before["n_wrong"] + 1)
    (folder / "more.svm").write_text(f"{text}7 1:1\n8 1:1\n", encoding="utf-8")
    said = "warning: more.svm: 2 of 11 rows have labels that the model does not know: 7, 8\n"
    assert rosenblatt("evaluate", rows, "more.svm").err == said


def test_standard_input_is_what_the_model_learned_from(rosenblatt: Any, walks: str, rows: str, folder: Path) -> None:
    text = (folder / "walks.csv").read_bytes()
    assert rosenblatt("predict", walks, stdin=text) == (0, LABELS, "")
    assert rosenblatt("evaluate", walks, "-", stdin=text).out.startswith("error 0.0000: 0 of 6 rows")
    frame = pd.read_csv("walks.csv")
    frame.to_parquet("walks.parquet")
    frame.to_feather("walks.arrow")
    frame.to_csv("semicolons.csv", sep=";", index=False)
    for name in ("walks.parquet", "walks.arrow", "semicolons.csv"):
        assert rosenblatt("predict", walks, stdin=(folder / name).read_bytes()) == (0, LABELS, ""), name
        (folder / "nameless").write_bytes((folder / name).read_bytes())
        assert rosenblatt("predict", walks, "nameless") == (0, LABELS, ""), name
    expected = rosenblatt("predict", rows, "test.svm").out
    assert rosenblatt("predict", rows, stdin=(folder / "test.svm").read_bytes()).out == expected


def test_a_pipe_is_read_once(rosenblatt: Any, walks: str, folder: Path) -> None:
    os.mkfifo(folder / "pipe")

    def fill() -> None:
        (folder / "pipe").write_bytes((folder / "walks.csv").read_bytes())

    for args in (("predict", walks, "pipe"), ("inspect", "pipe", "--from", "csv", "--missing", "mean")):
        writer = threading.Thread(target=fill)
        writer.start()
        ended = rosenblatt(*args)
        writer.join()
        assert ended.code == 0, ended


def test_other_delimiters(rosenblatt: Any, folder: Path) -> None:
    text = (folder / "and.csv").read_text(encoding="utf-8")
    for name, delimiter in (("a.csv", ";"), ("a.tsv", "\t"), ("a.tsv.gz", "\t"), ("a.csv", "\t"), ("a.csv", "|")):
        pd.read_csv(io.StringIO(text)).to_csv(name, sep=delimiter, index=False)
        for told in ((), ("--delimiter", delimiter), *([("--delimiter", "tab")] if delimiter == "\t" else [])):
            assert rosenblatt("train", name, *told, "--model", "m.st").code == 0
            assert rosenblatt("predict", "m.st", name, *told) == (0, "-1\n-1\n-1\n1\n", ""), (name, told)
    (folder / "a.txt").write_text(text.replace(",", ":"), encoding="utf-8")
    until_clean = ("--readout", "last", "--max-iter", "auto")  # who streams does not know how few rows will come
    for more in ((), ("--stream", *until_clean), ("--cache", "c.arrow", *until_clean)):
        assert rosenblatt("train", "a.txt", "--delimiter", ":", *more, "--model", "m.st").code == 0
        assert rosenblatt("predict", "m.st", "a.txt", "--delimiter", ":").out == "-1\n-1\n-1\n1\n"
    ended = rosenblatt("train", "a.txt", "--delimiter", "::", "--model", "n.st")
    assert (ended.code, "expected one character, or tab, found '::'" in ended.err) == (2, True)
    assert rosenblatt("convert", "and.csv", "b.tsv") == (0, "", "")
    assert (folder / "b.tsv").read_text(encoding="utf-8") == text.replace(",", "\t")


def test_without_rows(rosenblatt: Any, walks: str, rows: str) -> None:
    for model in (walks, rows):
        assert rosenblatt("predict", model) == (0, "", "")
        assert rosenblatt("predict", model, "--json").result("predict")["labels"] == []
        assert rosenblatt("evaluate", model).code == 1
    assert rosenblatt("predict", walks, stdin=b"weather,wind\n") == (0, "", "")
    assert rosenblatt("predict", rows, stdin=b"# nothing\n") == (0, "", "")


def test_an_unknown_category_can_be_answered(rosenblatt: Any, walks: str, folder: Path) -> None:
    (folder / "new.csv").write_text("weather,wind,walk\nfoggy,1,yes\n", encoding="utf-8")
    ended = rosenblatt("predict", walks, "new.csv")
    assert (ended.code, "(--unknown ignore), found 'foggy' (column weather)" in ended.err) == (1, True)
    assert rosenblatt("predict", walks, "new.csv", "--unknown", "ignore").out in ("yes\n", "no\n")
    assert rosenblatt("evaluate", walks, "new.csv", "--unknown", "ignore").code == 0
    rosenblatt("train", "walks.csv", *WALKS, "--unknown", "ignore", "--model", "m.st")
    assert rosenblatt("predict", "m.st", "new.csv").code == 0
    assert rosenblatt("predict", "m.st", "new.csv", "--unknown", "error").code == 1


def test_dates(rosenblatt: Any, folder: Path) -> None:
    lines = [f"2024-01-{day:02},{'late' if day > 15 else 'early'}" for day in range(1, 31)]
    (folder / "days.csv").write_text("\n".join(["when,part", *lines]), encoding="utf-8")
    ended = rosenblatt("train", "days.csv", "--standardise", "--model", "m.st")
    assert (ended.code, ended.err) == (0, "")
    new = b"when\n2023-01-01\n2025-07-01T12:00:00\n"
    assert rosenblatt("predict", "m.st", stdin=new) == (0, "early\nlate\n", "")
    ended = rosenblatt("train", "days.csv", "--dates", "category", "--model", "m.st")
    assert ended.err.startswith("warning: when: 30 values in 30 rows, each a feature")
    assert "(--ignore or --text)?" in ended.err
    ended = rosenblatt("train", "days.csv", "--dates", "error", "--model", "n.st")
    assert (ended.code, "(--dates), found '2024-01-01' (column when)" in ended.err) == (1, True)
    assert rosenblatt("convert", "days.csv", "-", "--to", "csv").out.splitlines() == ["when,part", *lines]
    assert rosenblatt("trace", "days.csv", "--exact", "--max-iter", "1", "--columns", "x", "--format", "csv").out[
        :16
    ] == ("x0,x1\n1,19723\n1,")
