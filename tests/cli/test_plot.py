"""`rosenblatt plot`: files of the kind that the name says, whole or not there."""

from pathlib import Path
from typing import Any

import pytest

HEADS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".gif": b"GIF89a"}


@pytest.mark.parametrize(
    "args",
    [
        ["boundary", "and.csv", "-o", "p.png"],
        ["boundary", "data.svm", "--readout", "vote", "--max-iter", "3", "-o", "p.SVG"],
        ["steps", "and.csv", "--every", "pass", "-o", "p.pdf"],
        ["steps", "and.csv", "--max-iter", "1", "-o", "p.gif"],
        ["squeeze", "and.csv", "-o", "p.svg"],
        ["mistakes", "xor.csv", "--max-iter", "40", "-o", "p.png"],
        ["losses", "-o", "p.svg"],
    ],
)
def test_pictures(rosenblatt: Any, folder: Path, args: list[str]) -> None:
    ended = rosenblatt("plot", *args)
    assert (ended.code, ended.out) == (0, ""), ended.err
    content = (folder / args[-1]).read_bytes()
    assert content.startswith(HEADS[Path(args[-1]).suffix.lower()])
    assert len(content) > 1000


def test_names_of_a_table_are_on_the_axes(rosenblatt: Any, folder: Path) -> None:
    (folder / "t.csv").write_text("height,width,depth,y\n0,0,1,a\n1,3,0,b\n2,1,1,b\n", encoding="utf-8")
    rosenblatt("train", "t.csv", "--model", "m.safetensors")
    drawn = {}
    for name, args in (
        ("p.svg", []),
        ("q.svg", ["--features", "height", "3"]),
        ("r.svg", ["--features", "1", "depth", "--model", "m.safetensors"]),
    ):
        assert rosenblatt("plot", "boundary", "t.csv", *args, "-o", name).code == 0
        text = (folder / name).read_text(encoding="utf-8")
        drawn[name] = [label for label in ("height", "width", "depth") if f"<!-- {label} -->" in text]
    assert drawn == {"p.svg": ["height", "width"], "q.svg": ["height", "depth"], "r.svg": ["height", "depth"]}


def test_what_cannot_be_drawn(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    before = sorted(folder.iterdir())
    for code, args in (
        (2, ["boundary", "and.csv"]),
        (2, ["boundary", "and.csv", "-o", "p.gif"]),
        (2, ["losses", "-o", "no/p.png"]),
        (2, ["boundary", "and.csv", "--model", "m.safetensors", "--step", "pa", "-o", "p.png"]),
        (1, ["boundary", "and.csv", "--features", "1", "5", "-o", "p.png"]),
        (1, ["steps", "nothing.csv", "-o", "p.png"]),
        (1, ["squeeze", "xor.csv", "--step", "arow", "-o", "p.png"]),
    ):
        ended = rosenblatt("plot", *args)
        assert (ended.code, ended.out) == (code, ""), (args, ended.err)
        assert "rror: " in ended.err
    assert sorted(folder.iterdir()) == before
