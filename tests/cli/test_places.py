"""Where no file can be written, every verb says so before it begins to work; nothing takes the place of its input."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import Perceptron
from rosenblatt.base.atomic_write import check_writable
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import save

# Each command reads files that are not there: what it says of OUT, it says before it looks for them.
COMMANDS = (
    "train none.svm --model OUT",
    "train none.svm --model m --checkpoint OUT",
    "train none.svm --model m --cache OUT",
    "train none.csv --stream --model OUT",
    "tune none.svm --try max_iter=1,2 --model OUT",
    "tag train none.txt --model OUT",
    "tag run none.safetensors none.txt -o OUT",
    "predict none.safetensors none.svm -o OUT",
    "certify none.svm -o OUT",
    "trace none.svm -o OUT",
    "convert none.svm OUT",
    "export none.safetensors -o OUT --to onnx",
    "plot boundary none.csv -o OUT.png",
    "plot steps none.csv -o OUT.gif",
    "plot losses -o OUT.svg",
)


def pipe(place: Path) -> str:
    os.mkfifo(place)
    return "expected a file or a free name, found a pipe or a device"


def folder_there(place: Path) -> str:
    place.mkdir()
    return "directory"


def device(place: Path) -> str:
    place.symlink_to("/dev/full")
    return "expected a file or a free name, found a pipe or a device"


def no_folder(place: Path) -> str:
    place.symlink_to(place.parent / "none" / "there")
    return "expected a file in a folder that is there"


def file_as_folder(place: Path) -> str:
    (place.parent / "file").write_bytes(b"")
    place.symlink_to(place.parent / "file" / "there")
    return "expected a file in a folder that is there"


def no_new_files(place: Path) -> str:
    """A folder of the system where nobody, not even root, makes a file."""
    place.symlink_to("/proc/self/out")
    return "No such file"


def circle(place: Path) -> str:
    place.symlink_to(place)
    return "symbolic links"


def read_only(place: Path) -> str:
    folder = place.parent / "read-only"
    folder.mkdir()
    place.symlink_to(folder / "there")
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    if os.access(folder, os.W_OK):
        pytest.skip("this user writes where nobody may")
    return "Permission denied"


PLACES = (pipe, folder_there, device, no_folder, file_as_folder, no_new_files, circle, read_only)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="not Linux")
@pytest.mark.parametrize("made", PLACES, ids=lambda made: made.__name__)
def test_every_verb_says_so_first(rosenblatt: Any, folder: Path, made: Callable[[Path], str]) -> None:
    names = sorted({word for command in COMMANDS for word in command.split() if word.startswith("OUT")})
    (folder / "m").write_bytes(b"old")
    for name in names:
        place = folder / name / "OUT"  # a folder of its own for each
        place.parent.mkdir()
        said = made(place.with_name(name))
    before = sorted(folder.rglob("*"))
    for command in COMMANDS:
        args = [f"{word}/{word}" if word.startswith("OUT") else word for word in command.split()]
        ended = rosenblatt(*args)
        assert (ended.code in (1, 2), ended.out, said in ended.err) == (True, "", True), (command, ended)
    assert sorted(folder.rglob("*")) == before
    assert (folder / "m").read_bytes() == b"old"


@pytest.mark.parametrize(
    "command",
    [
        "train two.svm --model two.svm",
        "train two.svm --model m --checkpoint m",
        "train two.svm --model m --cache ./m",
        "train two.svm --model m --checkpoint two.svm",
        "train two.svm --model m --checkpoint link.svm",
        "tag train train.txt --model train.txt",
        "tune two.svm --try max_iter=1,2 --test data.svm --model data.svm",
        "convert two.svm two.svm",
        "certify two.svm -o two.svm",
    ],
)
def test_two_names_for_one_file(rosenblatt: Any, folder: Path, command: str) -> None:
    (folder / "two.svm").write_text("1 1:1\n2 2:1\n", encoding="utf-8")
    (folder / "link.svm").symlink_to("two.svm")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    ended = rosenblatt(*command.split())
    assert (ended.code, ended.out) == (2, "")
    assert "expected two files, found '" in ended.err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_checkpoint_replaces_no_other_file(rosenblatt: Any, folder: Path) -> None:
    (folder / "two.svm").write_text("1 1:1\n2 2:1\n", encoding="utf-8")
    old = (folder / "data.svm").read_bytes()
    ended = rosenblatt("train", "two.svm", "--model", "m", "--checkpoint", "data.svm")
    assert (ended.code, ended.err) == (
        1,
        "error: data.svm: expected a checkpoint or a free name, found another file\n",
    )
    assert (folder / "data.svm").read_bytes() == old


def test_save_looks_first(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    model = Perceptron().fit(*AND)
    with pytest.raises(OSError, match="pipe: expected a file or a free name, found a pipe or a device"):
        save(model, tmp_path / "pipe", data=(1, "no data, which nobody has looked at"))
    with pytest.raises(OSError, match="expected a file or a free name"):
        check_writable(tmp_path / "pipe")


@pytest.mark.parametrize("word", ["cache", "checkpoint"])
def test_python_looks_first(tmp_path: Path, word: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "broken.svm").write_text("1 1:x\n", encoding="utf-8")
    with pytest.raises(OSError, match="expected a file or a free name, found a pipe or a device"):
        Perceptron().fit_file(tmp_path / "broken.svm", **{word: tmp_path / "pipe"})
