"""Every verb has help, and the examples in it run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rosenblatt.doors.cli.program import VERBS

ELSEWHERE = {
    "completion",
    "demo",
    "serve",
}  # below, in a shell; tests/project/test_demo.py; tests/serve, as it does not end by itself
OWN = {"tag": ("train", "run", "eval"), "parse": ("train", "run", "eval", "draw")}
OWN["text"] = ("train", "run", "eval")  # verbs with examples of their own


def examples_in(text: str) -> list[str]:
    found = [line.strip() for line in text.partition("Examples:\n")[2].splitlines()]
    assert found
    return found


def test_every_example_runs(rosenblatt: Any, folder: Path) -> None:
    (folder / "new.svm").write_bytes((folder / "test.svm").read_bytes())
    for name in ("train", "dev", "test", "new", "words", "gold"):
        shutil.copy(folder / "treebank.conllu", folder / f"{name}.conllu")
    (folder / "letter.txt").write_text("The old dog sleeps. Dogs can't read.\n", encoding="utf-8")
    assert rosenblatt("tag", "train", "treebank.conllu", "--model", "upos.safetensors").code == 0
    (folder / "answers.csv").write_text(rosenblatt("trace", "and.csv", "--format", "csv").out, encoding="utf-8")
    (folder / "sheets").mkdir()
    shutil.copy(folder / "answers.csv", folder / "sheets")
    for verb in VERBS:
        text = rosenblatt(verb, "--help").out
        lines = examples_in(text)
        for own in OWN.get(verb, ()):
            lines += examples_in(rosenblatt(verb, own, "--help").out)
        for line in lines if verb not in ELSEWHERE else []:
            program, *args = shlex.split(line)
            assert (program, args[0]) == ("rosenblatt", verb)
            ended = rosenblatt(*args)
            assert (ended.code, "error" in ended.err) == (0, False), (line, ended)


@pytest.mark.parametrize("verb", [["train"], ["tune"], ["tag", "train"], ["parse", "train"]])
def test_many_options_are_in_sections(rosenblatt: Any, verb: list[str]) -> None:
    text = rosenblatt(*verb, "--help").out
    left = text.partition("\nOptions:\n")[2].partition("\nExamples:")[0].strip()
    assert left.startswith("-h, --help")  # and no other
    assert len(left.splitlines()) == 1
    sections = re.findall(r"^(\w+):$", text, re.MULTILINE)
    expected = ["Learning", "Stopping", "Files", "Output", "Options", "Examples"]
    assert [title for title in sections if title in expected] == expected
    assert "-m, --model PATH" in text
    for option in ("--degree", "--gamma", "--coef0"):
        assert (f"\n  {option} " in text) == ("Kernel" in sections)


def test_the_first_page(rosenblatt: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for args in (["--help"], ["-h"]):
        ended = rosenblatt(*args)
        assert (ended.code, ended.err) == (0, "")
        assert all(f"\n  {verb} " in ended.out for verb in VERBS)
        assert "..." not in ended.out.partition("Commands:")[2].partition("Examples:")[0]  # no line is cut
    assert rosenblatt("--version").out.startswith("rosenblatt ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(rosenblatt: Any, shell: str, monkeypatch: Any) -> None:
    ended = rosenblatt("completion", shell)
    assert ended.code == 0
    assert f"_ROSENBLATT_COMPLETE={shell}_complete" in ended.out


def test_the_example_of_completion(rosenblatt: Any) -> None:
    example = examples_in(rosenblatt("completion", "--help").out)[0]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = f"{example} && complete -p rosenblatt"
    ended = subprocess.run(["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.endswith(b" rosenblatt\n")


def test_what_is_completed(rosenblatt: Any, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setenv("_ROSENBLATT_COMPLETE", "bash_complete")
    for words, expected in (
        ("rosenblatt tr", ["plain,train", "plain,trace"]),
        ("rosenblatt train --read", ["plain,--readout"]),
        ("rosenblatt train --readout a", ["plain,average"]),
        ("rosenblatt plot s", ["plain,squeeze", "plain,steps"]),
    ):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        with pytest.raises(SystemExit):
            rosenblatt()
        assert capsys.readouterr().out.splitlines() == expected


def test_wrong_usage(rosenblatt: Any) -> None:
    for args in (["nonsense"], ["--nonsense"], ["trace", "a", "b"], ["completion", "cmd"], ["plot", "nonsense"]):
        ended = rosenblatt(*args)
        assert (ended.code, ended.out) == (2, "")
        assert "Usage: rosenblatt" in ended.err
        assert "Error: " in ended.err


def test_debug_shows_where(rosenblatt: Any, monkeypatch: Any) -> None:
    assert "Traceback" not in rosenblatt("trace", "nothing.csv").err
    monkeypatch.setenv("ROSENBLATT_DEBUG", "1")
    ended = rosenblatt("trace", "nothing.csv")
    assert ended.code == 1
    assert ended.err.startswith("Traceback")
    assert ended.err.endswith("error: nothing.csv: No such file or directory\n")
