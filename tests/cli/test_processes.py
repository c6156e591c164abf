"""The real program, where a process matters: what it imports, pipes, signals, a terminal, packages that are missing."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron, certify_kernel, save
from rosenblatt.base.data_hash import seal
from rosenblatt.data.lectures import AND
from rosenblatt.doors.cli.program import VERBS
from tests import oldest

PROGRAM = [sys.executable, "-m", "rosenblatt"]
HEAVY = {"numpy", "scipy", "sklearn", "matplotlib", "onnx", "rich", "joblib", "pyarrow"}


def test_help_and_version_are_light() -> None:
    pages = [["--help"], ["--version"], *([verb, "--help"] for verb in VERBS)]
    code = f"import sys; from rosenblatt.doors.cli.program import run; [run(it) for it in {pages}]; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ended.stdout.splitlines()[-1].split()}
    assert "click" in loaded
    assert not loaded & HEAVY


def test_texts_start_soon(folder: Path) -> None:
    """What they do not need is not imported: parts of numpy, threads, codecs, and neighbours of ours."""
    rows = [f"{'a fine' if k % 3 else 'a dull'} film of {k} minutes,{'good' if k % 3 else 'bad'}" for k in range(60)]
    (folder / "films.csv").write_text("\n".join(["text,label", *rows]))
    unneeded = {"lzma", "concurrent.futures", "sklearn", "scipy", "pandas", "rich"}
    train = ["train", "films.csv", "--text", "text", "--model", "films.safetensors"]
    predict = ["predict", "films.safetensors", "films.csv", "-o", os.devnull]
    for args, more in (train, set[str]()), (predict, {"numpy.random", "numpy.ma"}):
        code = f"import sys; from rosenblatt.doors.cli.program import run; run({args}); print(*sys.modules)"
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
        loaded = set(ended.stdout.splitlines()[-1].split())
        assert {"numpy", "rosenblatt.members.linear.text.model"} <= loaded
        assert loaded & (unneeded | more) == set()


@pytest.mark.parametrize(
    ("package", "extra", "args"),
    [
        ("click", "cli", []),
        ("matplotlib", "plot", ["plot", "losses", "-o", "new.png"]),
        ("onnx", "onnx", ["export", "and.safetensors", "-o", "new.onnx"]),
    ],
)
def test_a_package_that_is_not_installed(tmp_path: Path, package: str, extra: str, args: list[str]) -> None:
    save(Perceptron(shuffle=False).fit(*AND), tmp_path / "and.safetensors")
    hidden = f"raise ModuleNotFoundError('no {package}', name='{package}')"
    (tmp_path / f"{package}.py").write_text(hidden, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ended = subprocess.run(
        [*PROGRAM, *args],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert ended.stderr.startswith("error: ")
    assert f"pip install 'rosenblatt[{extra}]'" in ended.stderr
    assert not list(tmp_path.glob("new*"))


def test_pipe_in_and_out(folder: Path) -> None:
    program = shlex.join(PROGRAM)
    train = f"cat and.csv | {program} train - --from csv --no-shuffle --model m.safetensors >&2"
    predict = f"{program} predict m.safetensors and.csv | cat"
    ended = subprocess.run(f"{train} && {predict}", shell=True, capture_output=True, text=True, check=True)
    assert ended.stdout == "-1\n-1\n-1\n1\n"
    assert "converged                  yes\n" in ended.stderr


@pytest.mark.parametrize("args", [["trace", "and.csv"], ["--help"]])
def test_a_reader_that_has_gone(folder: Path, args: list[str]) -> None:
    there, here = os.pipe()
    os.close(there)
    ended = subprocess.run([*PROGRAM, *args], stdout=here, stderr=subprocess.PIPE, text=True, check=False)
    os.close(here)
    assert (ended.returncode, ended.stderr) == (1, "")


def test_interrupt(folder: Path) -> None:
    head, *rows = (folder / "xor.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "many.csv").write_text(head + "".join(rows) * 300, encoding="utf-8")
    before = sorted(folder.iterdir())
    args = [*PROGRAM, "train", "many.csv", "--max-iter", "1000000000", "--model", "m.safetensors", "--json"]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert '"pass": 1,' in process.stderr.readline()  # it is training
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err.endswith("\ninterrupted\n")
    assert "Traceback" not in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("verb", ["certify", "verify"])
def test_interrupt_in_a_long_call(folder: Path, verb: str) -> None:
    # a value of the kernel has 100,000 bits: those of all rows take hours, those of one of many minutes, in one call
    n = 3_000 if verb == "certify" else 200_000
    kernel: dict[str, Any] = {"kernel": "poly", "degree": 999, "gamma": 1, "coef0": 1}
    x, y = np.sin(np.arange(n)), np.arange(n) % 2
    args = ["certify", *(word for name, value in kernel.items() for word in (f"--{name}", str(value)))]
    args = [*args, "--budget", "1e9", "-"]
    if verb == "verify":
        claims = json.loads(certify_kernel(x[:, np.newaxis], y, **kernel, budget=0).to_json())
        claims |= {"separable": True, "dual": ["1", *["0"] * (n - 1)]}  # not true, which only the long call tells
        (folder / "proof.json").write_text(json.dumps({**claims, "seal": seal(claims)}), encoding="utf-8")
        args = ["verify", "proof.json", "-"]
    before = sorted(folder.iterdir())
    rows = "".join(f"{label} 1:{value!r}\n" for label, value in zip(y.tolist(), x.tolist(), strict=True))
    with subprocess.Popen([*PROGRAM, *args], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write(rows)
        process.stdin.close()
        time.sleep(6)  # it has read them; if it has not, the end is the same
        process.send_signal(signal.SIGINT)
        process.stdin = None
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("verb", "said"),
    [("train", "updates, "), ("compare", "comparing"), pytest.param("tune", "tuning", marks=oldest.callbacks)],
)
def test_progress_on_a_terminal(folder: Path, verb: str, said: str) -> None:
    rows = (folder / "data.svm").read_text(encoding="utf-8")
    (folder / "many.svm").write_text(rows * 50, encoding="utf-8")
    words = {"train": ["--model", "m.safetensors"], "compare": ["--folds", "2"], "tune": ["--try", "max_iter=2,3"]}[
        verb
    ]
    terminal, end = pty.openpty()
    with subprocess.Popen([*PROGRAM, verb, "many.svm", *words], stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        shown = _all_of(terminal)
        out, _ = process.communicate()
    os.close(terminal)
    assert process.returncode == 0
    assert said in shown
    assert said not in out.decode()
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "\n").strip().splitlines()[-1]
    assert re.search(r"elapsed, 0:00:00 left", last)  # it ends at the last pass, which may not be the most of them
    if verb == "train":
        assert re.search(r"━ pass \d+, 0 updates, [\d,]+ rows/s", last)
    elif verb == "compare":
        assert "linear unit, 20 of 20" in last
    else:
        assert "11 of 11 fits" in last


def _all_of(terminal: int) -> str:
    parts = []
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode()


def test_without_a_file_on_a_terminal(folder: Path) -> None:
    terminal, end = pty.openpty()
    ended = subprocess.run([*PROGRAM, "certify"], stdin=end, capture_output=True, text=True, check=False)
    os.close(end)
    os.close(terminal)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "expected a file, or data on standard input, which is a terminal here" in ended.stderr
