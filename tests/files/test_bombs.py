"""Small files that unpack to far more than they weigh: the limit of a line is said early, in memory near that limit.

Each is read by a process of its own, whose memory is measured.
"""

import bz2
import gzip
import importlib
import json
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.blocks import longest_line
from rosenblatt.services.files.conll import read_conll
from rosenblatt.services.files.svmlight import read_svmlight
from rosenblatt.services.files.table_file import read_table

UNPACKED = 400 << 20  # bytes
LIMIT = 1 << 24
# Of Linux: what the process had at most since its peak was set back, in KiB, so that each command is measured alone.
MEASURED = """
import json, re, sys
from pathlib import Path
from rosenblatt.doors.cli.program import run
ended = []
def memory(name):
    return int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) << 10
for small in ("small.svm", "small.csv"):  # with all that is imported
    assert run(["inspect", small]) == run(["train", small, "--model", "small.st"]) == 0
for command in json.loads(sys.argv[1]):
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    ended.append([run(command), memory("VmHWM") - before])
print(json.dumps(ended))
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is Linux's")


def packed(path: Path, start: bytes, unit: bytes) -> Path:
    """The unit again and again after the start: all formats may be made of parts that follow each other."""
    codec = {".gz": gzip, ".bz2": bz2, ".xz": lzma, ".zst": zstd()}[path.suffix]
    part = codec.compress(unit * ((1 << 20) // len(unit)))
    path.write_bytes(codec.compress(start) + part * (UNPACKED >> 20))
    assert path.stat().st_size < UNPACKED / 100
    return path


def zstd() -> Any:
    try:
        return importlib.import_module("compression.zstd")
    except ImportError:
        return importlib.import_module("backports.zstd")


def measured(folder: Path, *commands: list[str]) -> list[tuple[int, int, str]]:
    """The exit code, the memory and the last line of stderr of each command."""
    (folder / "small.svm").write_text("1 1:1\n2 2:1\n", encoding="utf-8")
    (folder / "small.csv").write_text("a,b\n1,2\n2,3\n", encoding="utf-8")
    args = [sys.executable, "-c", MEASURED, json.dumps(commands)]
    ended = subprocess.run(args, capture_output=True, text=True, check=True, cwd=folder)
    lines = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
    found = json.loads(ended.stdout.splitlines()[-1])
    return [(code, memory, line) for (code, memory), line in zip(found, lines, strict=True)]


def test_one_endless_line(tmp_path: Path) -> None:
    for suffix in (".gz", ".bz2", ".xz", ".zst"):
        packed(tmp_path / f"a.svm{suffix}", b"1 1:1\n1 ", b"1234567")
    packed(tmp_path / "b.csv.gz", b"a,b\n1,2\n", b"1234567")
    packed(tmp_path / "c.txt.gz", b"The D\n\n", b"1234567")
    names = {path.name: 2 for path in tmp_path.glob("a.*")} | {"b.csv.gz": 3, "c.txt.gz": 3}
    commands = [
        *(["train", name, "--model", "m", *words] for name in ("a.svm.gz", "b.csv.gz") for words in ([], ["--stream"])),
        *(["inspect", name] for name in names if not name.startswith("c")),
        ["tag", "train", "c.txt.gz", "--model", "m"],
    ]
    for command, (code, memory, said) in zip(commands, measured(tmp_path, *commands), strict=True):
        name = next(word for word in command if word in names)
        expected = f"expected a line of at most {LIMIT} bytes (or --max-line), found a longer one"
        line = f"error: {name}:{names[name]}:1: {expected}"
        assert (code, said) == (1, line)
        assert memory < 10 * LIMIT, command
    assert not (tmp_path / "m").exists()


def test_a_row_without_end(tmp_path: Path) -> None:
    """All of its lines are short."""
    packed(tmp_path / "row.csv.gz", b"a,b\n1,2\n", b'"\n",')
    ((code, memory, said),) = measured(tmp_path, ["inspect", "row.csv.gz", "--max-line", "1000000"])
    assert code == 1
    assert "expected a line of at most 1000000 bytes (or --max-line), found a longer one" in said
    assert memory < 40 * 1000000  # a cell of Python takes more than it weighs


def test_the_limit_is_an_option(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_bytes(b"1 1:1\n2 2:1" + b" " * 100 + b"\n")
    (tmp_path / "a.csv").write_bytes(b"a,y\n1,no\n2," + b"y" * 100 + b"\n")
    (tmp_path / "a.txt").write_bytes(b"The D\n\ndog " + b"N" * 100 + b"\n")
    commands = [
        ["train", "a.svm", "--max-line", "50", "--model", "m"],
        ["train", "a.svm", "--max-line", "50", "--stream", "--model", "m"],
        ["train", "a.csv", "--max-line", "50", "--model", "m"],
        ["tag", "train", "a.txt", "--max-line", "50", "--model", "m"],
    ]
    for code, _, said in measured(tmp_path, *commands):
        assert (code, "expected a line of at most 50 bytes (or --max-line), found a longer one" in said) == (1, True)


@pytest.mark.parametrize(
    ("read", "text", "longest"),
    [
        (read_svmlight, b"1 1:1\n1 1:11\n", 6),
        (read_table, b"a,b\n1,22\n", 4),
        (read_conll, b"The D\ndogs N\n", 6),
    ],
)
def test_exactly(tmp_path: Path, read: Callable[[Path], object], text: bytes, longest: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(text)
    with longest_line(longest):
        read(path)
    with (
        longest_line(longest - 1),
        pytest.raises(DataFileError, match=r"2:1: expected a line of at most \d bytes \(or --max-line\), found a"),
    ):
        read(path)
    with pytest.raises(ValueError, match="size must be at least 1, got 0"), longest_line(0):
        pass
