"""Several labels a text from the shell: train, evaluate, predict, and what is refused."""

import csv
from pathlib import Path
from typing import Any

import pytest

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
    ended = rosenblatt("export", "m.st", "-o", "m.html")
    assert ended.code != 0
    assert "expected one label a text" in ended.err


def test_wrong_usage(rosenblatt: Any, files: Path) -> None:
    train = str(files / "train.csv")
    ended = rosenblatt("train", "and.csv", "--label-separator", ";", "--model", "m.st")
    assert (ended.code, "only a classifier of texts (--text)" in ended.err) == (2, True)
    words = ("--text", "note", "--label", "colours", "--label-separator", ";", "--model", "m.st", "--stream")
    ended = rosenblatt("train", train, *words)
    assert ended.code != 0
    assert "label_separator: expected None to learn from a file" in ended.err
