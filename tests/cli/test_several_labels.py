"""Several labels a text from the shell: train, evaluate, predict, and what is refused."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import TextClassifier, load
from tests.text.test_several_labels import notes


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, seed in (("train", 0), ("test", 1)):
        with (tmp_path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            texts, labels = notes(400, seed=seed)
            rows = [(text, ";".join(of)) for text, of in zip(texts, labels, strict=True) if of]
            csv.writer(file).writerows([("note", "colours"), *rows])
    return tmp_path


def test_at_the_shell(rosenblatt: Any, files: Path) -> None:
    train, test = str(files / "train.csv"), str(files / "test.csv")
    words = ("--text", "note", "--label", "colours", "--label-separator", ";", "--model", "m.st")
    assert rosenblatt("train", train, *words, "--holdout", "0.2").code == 0
    judged = rosenblatt("evaluate", "m.st", test, "--json").result("evaluate_label_sets")
    assert judged["micro_f1"] > 0.9
    shown = rosenblatt("evaluate", "m.st", test).out.splitlines()
    assert shown[0] == f"micro F1 {judged['micro_f1']:.4f}, macro F1 {judged['macro_f1']:.4f}"
    lines = rosenblatt("predict", "m.st", test).out.splitlines()
    said = rosenblatt("predict", "m.st", test, "--json").result("predict")["labels"]
    assert [line.split(";") if line else [] for line in lines] == said
    assert max(map(len, said)) > 1
    sure = rosenblatt("predict", "m.st", test, "--json", "--threshold", "0.99").result("predict")["labels"]
    assert all(set(a) <= set(b) for a, b in zip(sure, said, strict=True))
    assert sum(map(len, sure)) < sum(map(len, said))
    assert rosenblatt("predict", "m.st", test, "--probabilities").out.splitlines()[0] == "label\tblue\tgreen\tred"
    assert rosenblatt("predict", "m.st", test, "--scores").out.splitlines()[0] == "label\tblue\tgreen\tred"
    best = [line.split("\t")[0] for line in rosenblatt("predict", "m.st", test, "--top-k", "1").out.splitlines()]
    why = rosenblatt("explain", "m.st", test, "--json").result("explain")["texts"]
    assert [of_text["label"] for of_text in why] == best


def test_wrong_usage(rosenblatt: Any, files: Path) -> None:
    train = str(files / "train.csv")
    ended = rosenblatt("train", "and.csv", "--label-separator", ";", "--model", "m.st")
    assert (ended.code, "only a classifier of texts (--text)" in ended.err) == (2, True)
    words = ("--text", "note", "--label", "colours", "--label-separator", ";", "--model", "m.st", "--stream")
    ended = rosenblatt("train", train, *words)
    assert ended.code != 0
    assert "label_separator: expected None to learn from a file" in ended.err


def test_lines_of_fasttext_and_lists_in_json(rosenblatt: Any, tmp_path: Path) -> None:
    texts, labels = notes(300, seed=0)
    rows = [(text, of) for text, of in zip(texts, labels, strict=True) if of]
    model = TextClassifier().fit([text for text, _ in rows], [of for _, of in rows])
    scores = model.decision_function(texts).tobytes()
    lines = [" ".join([*(f"__label__{label}" for label in of), text]) + "\n" for text, of in rows]
    (tmp_path / "notes.txt").write_text("".join(lines), encoding="utf-8")
    objects = [json.dumps({"note": text, "colours": of}) + "\n" for text, of in rows]
    (tmp_path / "notes.jsonl").write_text("".join(objects), encoding="utf-8")
    ways = {
        ("notes.txt", "--from", "fasttext"): ((), " "),
        ("notes.jsonl", "--from", "jsonl"): (("--text", "note", "--label", "colours", "--label-separator", ";"), ";"),
    }
    for file, (words, separator) in ways.items():
        assert rosenblatt("train", *file, *words, "--model", "m.st").code == 0
        assert load("m.st").decision_function(texts).tobytes() == scores
        assert rosenblatt("evaluate", "m.st", *file, "--json").result("evaluate_label_sets")["micro_f1"] > 0.9
        answers = [separator.join(of) for of in model.predict([text for text, _ in rows]).tolist()]
        assert rosenblatt("predict", "m.st", *file).out.splitlines() == answers
    of_lists = rosenblatt("train", "notes.jsonl", "--text", "note", "--label", "colours", "--model", "l.st")
    assert (of_lists.code, "or with label_separator a list of texts, found a list" in of_lists.err) == (1, True)


def test_a_line_with_several_labels_where_one_is_expected(rosenblatt: Any, tmp_path: Path) -> None:
    one = "".join(f"__label__{colour} the {colour} sea\n" for colour in ["red", "blue"] * 10)
    (tmp_path / "one.txt").write_text(one, encoding="utf-8")
    (tmp_path / "two.txt").write_text(f"{one}__label__red __label__blue both\n", encoding="utf-8")
    assert rosenblatt("train", "one.txt", "--from", "fasttext", "--model", "one.st").code == 0
    assert load("one.st").predict(["the red sea"]).tolist() == ["red"]
    read = ("two.txt", "--from", "fasttext")
    for words in (
        ("train", *read, "--model", "x.st", "--stream"),
        ("train", *read, "--model", "x.st", "--readout", "vote"),
        ("evaluate", "one.st", *read),
    ):
        ended = rosenblatt(*words)
        advice = "(or label_separator, with all rows in memory)"
        expected = f"error: two.txt:21:14: expected one label a line {advice}, found '__label__blue'\n"
        assert (ended.code, ended.err) == (1, expected)
    assert not (tmp_path / "x.st").exists()
