"""Trainings that write one model at the same time, tables that are damaged, and a label a row."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

PROGRAM = [sys.executable, "-m", "rosenblatt"]


def test_two_trainings_write_one_model(folder: Path) -> None:
    """One of them wins, whole, and nothing is left beside it."""
    before = {path.name for path in folder.iterdir()}
    for words in (["--max-iter", "3"], ["--max-iter", "4"]):
        args = [*PROGRAM, "train", "data.svm", *words, "--model", f"m{words[1]}"]
        subprocess.run(args, check=True, capture_output=True, timeout=200)
    both = {(folder / name).read_bytes() for name in ("m3", "m4")}
    assert len(both) == 2
    running = [
        subprocess.Popen(
            [*PROGRAM, "train", "data.svm", "--max-iter", passes, "--model", "m"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for passes in ("3", "4", "3", "4")
    ]
    assert [process.wait(timeout=200) for process in running] == [0, 0, 0, 0]
    assert (folder / "m").read_bytes() in both
    assert {path.name for path in folder.iterdir()} - before == {"m", "m3", "m4"}


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_damaged_tables(rosenblatt: Any, folder: Path, form: str) -> None:
    """Whatever bits are others: an answer, or one line that names the file; never a model of what could not be read."""
    draw, path = random.Random(form), folder / f"table.{form}"
    rows = range(200)
    table = pa.table({"a": [k % 7 / 2 for k in rows], "b": ["xyz"[k % 3] for k in rows], "y": [k % 2 for k in rows]})
    if form == "parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
    whole, failed = path.read_bytes(), 0
    for number in range(60):
        damaged = bytearray(whole)
        if number % 3 == 0:
            del damaged[draw.randrange(len(damaged)) :]
        else:
            for _ in range(draw.choice([1, 3, 20])):
                damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        (folder / "m").unlink(missing_ok=True)
        ended = rosenblatt("train", path.name, "--max-iter", "2", "--model", "m", "--json")
        assert ended.code in (0, 1)
        assert (folder / "m").exists() == (ended.code == 0)
        if ended.code == 1:
            failed += 1
            last = ended.err.splitlines()[-1]
            assert last.startswith(f"error: {path.name}:") or "needs at least 2 classes" in last, last
    assert failed > 20


@pytest.mark.parametrize(
    ("n_labels", "words"),
    [
        (300_000, ["inspect", "many.svm", "--json"]),
        (3_000, ["train", "many.svm", "--stream", "--max-iter", "1", "--model", "m"]),
    ],
)
def test_a_label_a_row(folder: Path, n_labels: int, words: list[str]) -> None:
    """Memory grows with the labels, not with their square."""
    (folder / "many.svm").write_text("".join(f"w{k} 1:1\n" for k in range(n_labels)), encoding="utf-8")
    code = (
        "import re, sys; from rosenblatt.doors.cli.program import run; code = run(sys.argv[1:]);"
        # what the process itself had at most: that of getrusage counts the parent's
        "print(code, re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    args = [sys.executable, "-c", code, *words]
    ended = subprocess.run(args, capture_output=True, text=True, check=True, timeout=200)
    status, memory = map(int, ended.stdout.splitlines()[-1].split())
    assert (status, memory < 500_000) == (0, True)  # KiB
