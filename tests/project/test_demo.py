"""The demo, as a user runs it: real commands on the files that it ships; the lecture's table; 80 columns."""

import csv
import os
import pty
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from importlib.resources import files
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

from rosenblatt import SequenceTagger, TextPipeline, load, read_svmlight
from rosenblatt.data.lectures import AND, XOR
from rosenblatt.data.sentences import load_sentences
from rosenblatt.data.treebank import treebank_path
from rosenblatt.doors.cli.demo import NEXT
from rosenblatt.doors.cli.program import VERBS
from rosenblatt.doors.cli.program import run as program

SHIPPED = Path(str(files("rosenblatt.data") / "shipped"))
ROW = re.compile(r"^ +(\d) +(\d) +\(1, ([01]), ([01])\) +([+-]1) +(-?\d) +(\w[\w ]+\w) +\((.*)\)$", re.MULTILINE)


def run(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rosenblatt", "demo", *args]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def test_demo(tmp_path: Path) -> None:
    folder = tmp_path / "tour"
    ended = run(str(folder))
    assert (ended.returncode, ended.stderr) == (0, "")
    printed = ended.stdout
    rows = ROW.findall(printed)
    # Lecture 002, section 2.1: the updates of the first epoch are at examples 1 and 4.
    assert rows[:2] == [
        ("1", "1", "0", "0", "-1", "0", "first step", "-1, 0, 0"),
        ("1", "4", "1", "1", "+1", "-1", "wrong side", " 0, 1, 1"),
    ]
    assert len(rows) == 18
    assert rows[-1] == ("8", "2", "0", "1", "-1", "0", "on the line", "-4, 3, 2")
    assert "\nlabel\t1\n-1\t-4\n-1\t-2\n-1\t-1\n1\t1\n" in printed
    assert "bound    at most 51 mistakes, in any order" in printed
    assert "verified: separable: z.w > 0 for every example" in printed
    assert printed.count("exit code 3") == 1
    assert max(map(len, printed.replace(str(tmp_path), "").splitlines())) <= 80
    shown = re.findall(r"^\$ rosenblatt (\w+)", printed, re.MULTILINE)
    elsewhere = {"check", "completion", "convert", "demo", "exercise", "explain", "export", "grade", "serve"}
    assert set(shown) >= set(VERBS) - elsewhere
    assert tagged(printed) == expected(
        ["The", "old", "dog", "watches", "a", "small", "cat", "in", "the", "garden", "."]
    )
    assert drawn(printed) == tree("The old dog watches a small cat in the garden.")
    assert "\nWhat to try next\n" in printed

    model = load(folder / "digits.safetensors")
    X, y = read_svmlight(folder / "digits-test.svm", n_features=model.n_features_in_)
    wrong = int((model.predict(X) != y).sum())
    assert f"error {wrong / len(y):.4f}: {wrong} of 300 rows" in printed
    assert (folder / "boundary.png").read_bytes()[:4] == (folder / "squeeze.png").read_bytes()[:4] == b"\x89PNG"
    with chdir(folder):
        for line in NEXT.splitlines():
            command, _ = line.split("   ", 1)
            assert program(shlex.split(command)[1:]) == 0


def tagged(text: str) -> list[tuple[str, ...]]:
    """What the last command has printed: words, parts of speech, chunks."""
    lines = text.replace("\r", "").partition("chunks.safetensors tagged.txt\n")[2].partition("\n\n")[0].splitlines()
    return [tuple(line.split(" ")) for line in lines]


def expected(words: list[str]) -> list[tuple[str, ...]]:
    """The same from Python."""
    sentences = load_sentences()
    pos = SequenceTagger().fit([[token[0] for token in s] for s in sentences], sentences.column(1)).predict([words])[0]
    chunks = SequenceTagger(templates="chunk").fit([[t[:2] for t in s] for s in sentences], sentences.column(2))
    return list(zip(words, pos, *chunks.predict([list(zip(words, pos, strict=True))]), strict=True))


def drawn(text: str) -> str:
    """The tree that the last command has printed."""
    return text.replace("\r", "").partition("$ rosenblatt parse draw parsed.conllu\n")[2].partition("\n\n")[0]


def tree(text: str) -> str:
    """The same from Python."""
    (sentence,) = TextPipeline().fit(treebank_path()).annotate(text)
    return str(sentence.draw())


def test_the_last_parts_tag_and_parse_a_sentence(tmp_path: Path) -> None:
    given = run("--sentence", "Anna's dog reads\n40 (old) letters!", TMPDIR=str(tmp_path))
    assert given.returncode == 0
    assert tagged(given.stdout) == expected(["Anna's", "dog", "reads", "40", "(", "old", ")", "letters", "!"])
    terminal, end = pty.openpty()
    os.write(terminal, b"The teacher sings.\n")
    command = [sys.executable, "-m", "rosenblatt", "demo"]
    typed = subprocess.run(
        command, stdin=end, capture_output=True, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}, check=True
    )
    os.close(end)
    os.close(terminal)
    assert "An English sentence to tag" in typed.stdout
    assert tagged(typed.stdout) == expected(["The", "teacher", "sings", "."])
    assert drawn(typed.stdout) == tree("The teacher sings.")
    refused = run("--sentence", " ")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--sentence: expected words, found ' '" in refused.stderr


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "and.csv").write_text("mine", encoding="utf-8")
    ended = run(str(tmp_path))
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"error: {tmp_path}: File exists\n")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["mine"]


def test_demo_does_without_matplotlib(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ended = run(TMPDIR=str(tmp_path), PYTHONPATH=path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "pictures need matplotlib: pip install 'rosenblatt[plot]'" in ended.stdout
    assert len(list(tmp_path.rglob("*.safetensors"))) == 5
    assert list(tmp_path.rglob("*.png")) == []


def test_the_files_are_what_they_say() -> None:
    for name, data in (("and", AND), ("xor", XOR)):
        with (SHIPPED / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            _, *rows = csv.reader(file)
        np.testing.assert_array_equal(np.array(rows, dtype=int), np.column_stack(data))
    X, y = load_digits(return_X_y=True)
    for name, part in (("digits", slice(0, 600)), ("digits-test", slice(600, 900))):
        rows, labels = read_svmlight(SHIPPED / f"{name}.svm", n_features=64, zero_based=False)
        np.testing.assert_array_equal(rows.toarray(), X[part])
        np.testing.assert_array_equal(labels, y[part])
