"""A pipe that stays open: each line, each sentence is answered at once, and Ctrl-C ends the wait for more."""

import fcntl
import signal
import subprocess
import sys
import termios
import time
from array import array
from pathlib import Path
from typing import Any

import pytest

PROGRAM = (sys.executable, "-m", "rosenblatt")


def opened(*words: str) -> Any:
    """The program behind a pipe that stays open."""
    return subprocess.Popen([*PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def asked(process: Any, text: str, n_lines: int = 1) -> str:
    """What comes out while nothing more goes in."""
    process.stdin.write(text.encode())
    process.stdin.flush()
    return b"".join(process.stdout.readline() for _ in range(n_lines)).decode()


@pytest.fixture
def models(rosenblatt: Any, folder: Path) -> Path:
    words = ("--no-shuffle", "--model")
    assert rosenblatt("train", "and.csv", *words, "and.safetensors").code == 0
    assert rosenblatt("convert", "and.csv", "and.svm").code == 0
    assert rosenblatt("train", "and.svm", *words, "svm.safetensors").code == 0
    assert rosenblatt("tag", "train", "train.txt", "--templates", "chunk", "--model", "chunks.safetensors").code == 0
    return folder


def test_svmlight(models: Path) -> None:
    with opened("predict", "svm.safetensors", "-") as process:
        assert asked(process, "0 1:1 2:1\n") == "1\n"
        assert asked(process, "0 1:1\n0 2:") == "-1\n"  # of half a line nothing is known yet
        assert asked(process, "1\n") == "-1\n"
        assert asked(process, "# nothing\n0 1:1 2:1\n0 1:1 2:1\n", 2) == "1\n1\n"
        out, err = process.communicate(b"0 1:1 2:1")
    assert (process.returncode, out, err) == (0, b"1\n", b"")


@pytest.mark.parametrize("words", [("--from", "csv"), ()])
def test_csv(models: Path, words: tuple[str, ...]) -> None:
    with opened("predict", "and.safetensors", "-", "--scores", *words) as process:
        assert asked(process, "x1,x2,y\n1,1,1\n", 2) == "label\t1\n1\t1\n"
        assert asked(process, '0,"0"', 0) + asked(process, ",1\n0,1,1\n", 2) == "-1\t-4\n-1\t-2\n"
        out, err = process.communicate(b"1,0,1\n")
    assert (process.returncode, out, err) == (0, b"-1\t-1\n", b"")


def test_a_wrong_line_is_named_after_the_answers_before_it(models: Path) -> None:
    with opened("predict", "svm.safetensors", "-") as process:
        assert asked(process, "0 1:1 2:1\n") == "1\n"
        out, err = process.communicate(b"0 2:1\n0 x\n")
    assert (process.returncode, out) == (1, b"-1\n")
    assert err == b"error: <stdin>:3:3: expected index:value, found 'x'\n"


def test_sentences(models: Path) -> None:
    sentence = "The DT\ndog NN\nsleeps VBZ\n"
    with opened("tag", "run", "chunks.safetensors", "-") as process:
        first = asked(process, f"{sentence}\n", 4)
        assert [line.split()[0] for line in first.split("\n\n")[0].splitlines()] == ["The", "dog", "sleeps"]
        assert asked(process, f"{sentence}\n", 4) == first
        out, _ = process.communicate(sentence.encode())
    assert (process.returncode, out.decode()) == (0, first.removesuffix("\n"))


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "svm.safetensors", "-"),
        ("predict", "and.safetensors", "-", "--from", "csv"),
        ("train", "-", "--model", "new.safetensors"),
        ("evaluate", "svm.safetensors", "-"),
    ],
)
def test_interrupt(models: Path, words: tuple[str, ...]) -> None:
    before = sorted(models.iterdir())
    with opened(*words) as process:
        process.stdin.write(b"x1,x2,y\n" if "csv" in words else b"0 1:1\n")
        process.stdin.flush()
        while unread(process):  # then it has begun, and waits for more
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130  # although the pipe is open
        assert process.stderr.read().decode().split() == ["interrupted"]
    assert sorted(models.iterdir()) == before


def unread(process: Any) -> int:
    """How many bytes are still in the pipe."""
    count = array("i", [0])
    fcntl.ioctl(process.stdin, termios.FIONREAD, count)
    return count[0]


def test_the_same_answers_as_of_a_file(models: Path) -> None:
    lines = [f"0 1:{k % 5 - 2} 2:{k % 7 - 3}\n" for k in range(50_000)]
    (models / "many.svm").write_text("".join(lines), encoding="utf-8")
    expected = subprocess.run([*PROGRAM, "predict", "svm.safetensors", "many.svm"], capture_output=True, check=True)
    with opened("predict", "svm.safetensors", "-") as process:
        out, _ = process.communicate("".join(lines).encode())
    assert out == expected.stdout
