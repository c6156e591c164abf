"""A file is replaced whole or not at all, and nothing is left beside it."""

import errno
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rosenblatt.base.atomic_write import check_writable, replacing

FULL_DISK = """
import resource, sys
from rosenblatt.base.atomic_write import replacing
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # a file that grows beyond is an error of the system
try:
    with replacing(sys.argv[1]) as file:
        file.write(b"n" * {size})
except OSError as error:
    print(error.strerror)
"""


def test_the_old_file_stays_until_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
        assert len(list(tmp_path.iterdir())) == 2
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("before", [b"old", None])
def test_what_fails_changes_nothing(tmp_path: Path, failure: type[BaseException], before: bytes | None) -> None:
    path = tmp_path / "model"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(failure), replacing(str(path)) as file:  # noqa: PT012
        file.write(b"half of")
        raise failure
    assert [p.read_bytes() for p in tmp_path.iterdir()] == ([] if before is None else [before])


@pytest.mark.skipif(os.name != "posix", reason="the system limits no file sizes")
@pytest.mark.parametrize("size", [1001, 10_000_000])  # fails when it is closed, and while it is written
def test_a_full_disk_changes_nothing(tmp_path: Path, size: int) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    code = FULL_DISK.format(size=size)
    result = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert result.stdout == "File too large\n", result.stderr
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_rights_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "model", tmp_path / "latest"
    path.write_bytes(b"old")
    path.chmod(0o600)
    link.symlink_to(path)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("place", ["", "no folder/model"])
def test_where_no_file_can_be(tmp_path: Path, place: str) -> None:
    with pytest.raises(OSError, match="folder"), replacing(tmp_path / place):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="there is no /dev/zero")
def test_a_device_is_not_replaced() -> None:
    with pytest.raises(OSError, match="/dev/zero: expected a file or a free name"), replacing("/dev/zero"):
        pass
    assert Path("/dev/zero").is_char_device()


@pytest.mark.skipif(os.name != "posix", reason="a folder has no rights")
@pytest.mark.parametrize("there", [True, False])
def test_a_read_only_folder(there: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if there:
            (folder / "model").write_bytes(b"old")
        before = sorted(folder.iterdir())
        folder.chmod(0o555)
        with as_nobody():
            for write in (check_writable, lambda path: replacing(path).__enter__()):
                with pytest.raises(PermissionError, match=r"Permission denied: '.*/model'$"):
                    write(folder / "model")
        folder.chmod(0o755)
        assert sorted(folder.iterdir()) == before


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write everywhere."""
    user = os.geteuid()
    try:
        if user == 0:
            os.seteuid(65534)
        yield
    finally:
        os.seteuid(user)


def test_whether_a_file_can_be_written(tmp_path: Path) -> None:
    check_writable(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "model").write_bytes(b"old")
    check_writable(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == b"old"
    with pytest.raises(OSError, match="File name too long"):
        check_writable(tmp_path / ("m" * 250))  # a file of this name could be there, but none beside it
    assert list(tmp_path.iterdir()) == [tmp_path / "model"]


@pytest.mark.skipif(os.name != "posix", reason="the system limits no file sizes")
def test_a_disk_with_a_free_name_but_no_room(tmp_path: Path) -> None:
    code = FULL_DISK.replace("1000, 1000", "0, 1000").partition("try:")[0] + "check_writable(sys.argv[1])"
    code = code.replace("import replacing", "import check_writable")
    args = [sys.executable, "-c", code, str(tmp_path / "model")]
    result = subprocess.run(args, capture_output=True, text=True, check=False)
    assert result.stderr.endswith(f"File too large: '{tmp_path / 'model'}'\n")
    assert list(tmp_path.iterdir()) == []


class Disk:
    """Calls of the system that change the disk, counted; the one of the given number fails, as on a full disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails: int | None) -> None:
        self.calls: list[str] = []
        self.fails = fails
        for name in ("chmod", "fsync", "replace", "open"):
            monkeypatch.setattr(os, name, self._counted(name, getattr(os, name)))

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **words: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) - 1 == self.fails:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return call(*args, **words)

        return called


CALLS = ["chmod", "fsync", "replace", "open", "fsync"]  # the last two are of the folder


def test_what_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").write_bytes(b"old")
    disk = Disk(monkeypatch, fails=None)
    with replacing(tmp_path / "model") as file:
        file.write(b"new")
    assert disk.calls == CALLS


@pytest.mark.skipif(os.name != "posix", reason="a folder is not synced")
@pytest.mark.parametrize("number", range(len(CALLS)))
def test_any_call_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    Disk(monkeypatch, fails=number)
    with pytest.raises(OSError, match="No space left on device") as raised, replacing(path) as file:
        file.write(b"new")
    assert (raised.value.errno, raised.value.filename) == (errno.ENOSPC, str(path))
    # Once the new file is in its place, it is there as a whole.
    assert path.read_bytes() == (b"old" if number <= CALLS.index("replace") else b"new")
    assert list(tmp_path.iterdir()) == [path]
