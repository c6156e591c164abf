"""Compressed files by name, in and out; nothing half-written; lines of any length."""

import bz2
import gzip
import io
import lzma
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.blocks import LineBlocks, in_order, longest_line
from rosenblatt.services.files.compressed import OpenFile, open_file, replace_file
from rosenblatt.services.files.svmlight import read_svmlight, write_svmlight

SUFFIXES = ["", ".gz", ".bz2", ".xz", ".zst"]
TEXT = b"".join(b"%d %d:%d.5\n" % (k % 2, k % 50 + 1, k) for k in range(3000))
X, Y = read_svmlight(io.BytesIO(TEXT))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_written_and_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.svm{suffix}"
    write_svmlight(X, Y, path, zero_based=False)
    again, y = read_svmlight(path)
    assert (again != X).nnz == 0
    np.testing.assert_array_equal(y, Y)
    assert (path.read_bytes() == TEXT) == (suffix == "")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(("suffix", "module"), [(".gz", gzip), (".bz2", bz2), (".xz", lzma)])
def test_as_others_write_and_read_it(suffix: str, module: Any, tmp_path: Path) -> None:
    path = tmp_path / f"data.svm{suffix}"
    path.write_bytes(module.compress(TEXT[:600]) + module.compress(TEXT[600:]))  # two members, as `cat` joins them
    np.testing.assert_array_equal(read_svmlight(path)[1], Y)
    write_svmlight(X, Y, path, zero_based=False)
    assert module.decompress(path.read_bytes()) == TEXT


def test_gzip_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one.svm.gz", "two.svm.gz"):
        write_svmlight(X, Y, tmp_path / name)
    assert (tmp_path / "one.svm.gz").read_bytes() == (tmp_path / "two.svm.gz").read_bytes()


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_every_cut_is_noticed(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.svm{suffix}"
    write_svmlight(X[:50], Y[:50], path)
    whole = path.read_bytes()
    for size in range(2, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(DataFileError, match=r"expected more \w+ data, found the end of the file"):
            read_svmlight(path)


def test_parts_of_a_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "data.svm.gz"
    write_svmlight(X, Y, path, zero_based=True)
    size = len(gzip.decompress(path.read_bytes()))
    words: Any = {"n_features": 50}
    labels = [*read_svmlight(path, length=size // 2, **words)[1], *read_svmlight(path, offset=size // 2, **words)[1]]
    assert labels == Y.tolist()


def test_zst_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    path = tmp_path / "data.svm.zst"
    path.write_bytes(b"(\xb5/\xfd")
    with pytest.raises(ImportError, match=r"pip install backports\.zstd$"):
        read_svmlight(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_fails_leaves_the_old_file(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.svm{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), replace_file(path) as file:
        file.writelines(bytes([6 // k]) for k in (2, 1, 0))
    with pytest.raises(ValueError, match="NaN"):
        write_svmlight([[np.nan]], [1], path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_svmlight([[2, 0]], [1], "-")
    assert capfdbinary.readouterr().out == b"1 1:2\n"


def test_a_line_without_end_is_refused() -> None:
    with longest_line(1000):
        found = list(LineBlocks(OpenFile(io.BytesIO(b"1 1:1\n1 " + b" " * 5000), "name"), 100))
    assert [(block.size, block.problem) for block in found] == [
        (6, None),
        (0, ("a line of at most 1000 bytes (or --max-line)", "a longer one")),
    ]


def test_an_error_of_the_disk_stays_one() -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise OSError(5, f"Input/output error after {size} bytes")

    source = OpenFile(Broken(), "data.svm.bz2", "bzip2", (EOFError, OSError))
    with pytest.raises(OSError, match="Input/output error"):
        next(iter(LineBlocks(source, 100)))


def test_work_keeps_its_order_and_its_errors() -> None:
    assert list(in_order(lambda k: k * k, iter(range(1, 50)))) == [k * k for k in range(1, 50)]
    results = in_order(lambda k: 6 // k, iter([3, 2, 0, 1]))
    assert [next(results), next(results)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_opened_leaves_open_what_was_open() -> None:
    with io.BytesIO(b"1") as file:
        with open_file(file) as source:
            assert source.file is file
        assert not file.closed
