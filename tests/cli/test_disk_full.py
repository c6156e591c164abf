"""The real program on a full disk: it says so in one line, the old file is as it was, and nothing is left beside it.

The system refuses to let any file grow beyond a limit; /dev/full is a device without room.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="the system has no /dev/full")
PROGRAM = [sys.executable, "-B", "-m", "rosenblatt"]  # -B: no files but those of the program
# Many commands in one process, since importing takes longer than running them; each has a limit of its own.
LIMITED = """
import contextlib, io, json, resource, sys
import matplotlib.pyplot  # has files of its own to write when it is first imported
from rosenblatt.doors.cli.program import run
ended, most = [], resource.getrlimit(resource.RLIMIT_FSIZE)[1]
for limit, command in json.loads(sys.argv[1]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        ended.append([run(command.split()), err.getvalue()])
print(json.dumps(ended))
"""


def run_limited(*commands: tuple[int, str]) -> list[list[Any]]:
    """Code and stderr of each command, where no file may be larger than so many bytes."""
    args = [sys.executable, "-B", "-c", LIMITED, json.dumps(commands)]
    return list(json.loads(subprocess.run(args, capture_output=True, text=True, check=True).stdout))


@pytest.fixture
def written(rosenblatt: Any, folder: Path) -> Path:
    """A folder with the files that the commands below read."""
    assert rosenblatt("train", "and.csv", "--model", "and.safetensors").code == 0
    assert rosenblatt("tag", "train", "train.txt", "--max-iter", "2", "--model", "tagger.safetensors").code == 0
    return folder


COMMANDS = (
    "train and.csv --model out",
    "tune data.svm --try max_iter=1,2 --model out.safetensors",
    "predict and.safetensors and.csv -o out.txt",
    "certify and.csv -o out-proof.json",
    "trace and.csv -o out-trace.txt",
    "convert data.svm out.csv",
    "convert data.svm out.csv.gz",
    "convert and.csv out.svm",
    "convert and.csv out.svm.xz",
    "export and.safetensors -o out.onnx",
    "export and.safetensors -o out.json",
    "tag train train.txt --model out-tagger",
    "tag run tagger.safetensors train.txt -o out-tagged.txt",
    "plot boundary and.csv -o out.png",
    "plot steps and.csv --every pass --max-iter 1 -o out.gif",
)


def test_a_full_disk(written: Path) -> None:
    names = [command.split()[-1] for command in COMMANDS]
    for name in names:
        (written / name).write_bytes(b"old")
    before = {path: path.read_bytes() for path in written.iterdir()}
    ended = run_limited(*((8, command) for command in COMMANDS))
    assert [(code, err.splitlines()[-1]) for code, err in ended] == [
        (1, f"error: {name}: File too large") for name in names
    ]
    assert {path: path.read_bytes() for path in written.iterdir()} == before


def test_wherever_the_disk_ends(written: Path) -> None:
    """Whatever part of a model fits: the file is the old one until the whole of it does."""
    new, out = (written / "and.safetensors").read_bytes(), written / "out"
    out.write_bytes(b"old")
    before = sorted(written.iterdir())
    train, sizes = "train and.csv --model out", [*range(0, len(new), 100), len(new) - 1]
    assert all(code == 1 for code, _ in run_limited(*((size, train) for size in sizes)))
    assert (out.read_bytes(), sorted(written.iterdir())) == (b"old", before)
    assert run_limited((len(new), train)) == [[0, ""]]
    assert (out.read_bytes(), sorted(written.iterdir())) == (new, before)


@pytest.mark.parametrize("command", ["train and.csv --model out", "certify and.csv -o out"])
def test_a_full_disk_for_a_process(written: Path, command: str) -> None:
    before = sorted(written.iterdir())
    limited = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *PROGRAM, *command.split()]
    ended = subprocess.run(limited, capture_output=True, text=True, check=False)
    # joblib warns first, which has no room for a semaphore either.
    assert (ended.returncode, ended.stdout, ended.stderr.splitlines()[-1]) == (1, "", "error: out: File too large")
    assert "Traceback" not in ended.stderr
    assert sorted(written.iterdir()) == before


@pytest.mark.parametrize(
    "command",
    [
        "predict and.safetensors many.csv",
        "train and.csv --model out",
        "completion bash",
        "--help",
    ],
)
def test_standard_output_without_room(written: Path, command: str) -> None:
    head, *rows = (written / "and.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (written / "many.csv").write_text(head + "".join(rows) * 5000, encoding="utf-8")  # more than a buffer holds
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*PROGRAM, *command.split()], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (1, "error: standard output: No space left on device\n")


def test_standard_input_that_is_closed(folder: Path) -> None:
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM, "certify"]
    ended = subprocess.run(closed, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "expected a file, or data on standard input, which is closed here" in ended.stderr


def test_standard_output_that_is_closed(written: Path) -> None:
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, "predict", "and.safetensors", "and.csv"]
    ended = subprocess.run(closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "error: standard output: Bad file descriptor\n")
