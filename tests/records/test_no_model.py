"""A file that is no model says so, and what it seems to be; one that is cut off says that."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import Perceptron, load, save
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import summary
from rosenblatt.services.records.safetensors import write


@pytest.mark.parametrize(
    ("content", "seems"),
    [
        (b"", "an empty file"),
        (b"1\n", "text"),
        (b"-1 1:0.5 3:1\n+1 2:1\n", "svmlight text"),
        (b"x1,x2,y\n0,0,-1\n", "a table (CSV)"),
        (b"x1;x2;y\n0;0;-1\n", "a table (CSV)"),
        (b'{"separable": true, "margin": [0.5, 0.5]}', "JSON"),
        (b"PAR1\x15\x04\x15 \x15", "a Parquet file"),
        (b"\x1f\x8b\x08\x00" * 4, "gzip data"),
        (pickle.dumps({"a": 1}), "a pickle"),
        ("größer als ".encode() * 50, "text"),
        (b"\x00\x01\x02\x03" * 9, "a file of another kind"),
        (b"\xff\xfe" * 9, "a file of another kind"),
    ],
)
def test_what_it_seems_to_be(tmp_path: Path, content: bytes, seems: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    for read in (load, summary):
        with pytest.raises(ValueError, match=f"^{re.escape(f'{path}: not a model file: it seems to be {seems}')}$"):
            read(path)


def test_tensors_of_others(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        write(file, {"w": np.zeros(3)}, {"format": "pt"})
    with pytest.raises(ValueError, match="file: not a model file of rosenblatt: expected rosenblatt_format with a"):
        load(tmp_path / "file")


def test_cut_off(tmp_path: Path) -> None:
    save(Perceptron().fit(*AND), tmp_path / "whole")
    content = (tmp_path / "whole").read_bytes()
    for size in (10, 100, len(content) - 9, len(content) - 1):
        (tmp_path / "part").write_bytes(content[:size])
        with pytest.raises(ValueError, match=r"part: the file is cut off: expected .* bytes.*, found \d+$"):
            load(tmp_path / "part")
