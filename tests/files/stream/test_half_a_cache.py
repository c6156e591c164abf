"""A run killed while it writes its cache goes on with the half of it that is there: no text is read twice."""

import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.services.stream.cache import CachedStream
from rosenblatt.services.stream.fit import Fitted, fit_stream
from rosenblatt.services.stream.streams import SvmlightStream

from .files import stream, write

KILLED = """
import os, signal, sys
from pathlib import Path
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.services.stream.cache import CachedStream
from rosenblatt.services.stream.fit import fit_stream
from tests.files.stream.files import stream

folder, seen = Path(sys.argv[1]), []

def watch(so_far):
    seen.append(so_far)
    if len(seen) == 7:
        if sys.argv[2] == "SIGINT":
            raise KeyboardInterrupt
        os.kill(os.getpid(), signal.SIGKILL)

rows = CachedStream(stream(folder / "data.svm"), folder / "data.arrow")
fit_stream(LinearMember(PerceptronParameters.of(max_iter=3)), rows, folder / "run.part", seconds=0, watch=watch)
"""


def same(one: Fitted, two: Fitted) -> bool:
    return np.asarray(one.model.coef).tobytes() == np.asarray(two.model.coef).tobytes()


@pytest.mark.parametrize("end", ["SIGKILL", "SIGINT"])
@pytest.mark.parametrize("damage", ["none", "cut", "gone", "other"])
def test_half_a_cache_is_gone_on_with(tmp_path: Path, end: str, damage: str) -> None:
    path = write(tmp_path / "data.svm", n_rows=60)
    root, command = Path(__file__).resolve().parents[3], [sys.executable, "-c", KILLED, str(tmp_path), end]
    assert subprocess.run(command, cwd=root, capture_output=True, check=False).returncode in (-9, 1, 130, -2)
    (half,) = tmp_path.glob(".data.arrow.*")
    if damage == "cut":
        half.write_bytes(half.read_bytes()[:-100])
    elif damage == "gone":
        half.unlink()
    elif damage == "other":
        half.write_bytes(b"ARROW1" + bytes(1000))
    asked: list[int] = []

    class Watched(SvmlightStream):
        def blocks(self, after: int = 0) -> Generator[Any, None, None]:
            asked.append(after)
            yield from super().blocks(after)

    text = Watched(path, n_features=None, dtype=np.float64, zero_based="auto", block_bytes=64)
    rows = CachedStream(text, tmp_path / "data.arrow", resume=True)
    member = LinearMember(PerceptronParameters.of(max_iter=3))
    found = fit_stream(member, rows, tmp_path / "run.part", resume=True)
    expected = fit_stream(member, stream(path))
    assert same(found, expected)
    assert found.model.mistakes.tolist() == expected.model.mistakes.tolist()
    assert 0 < asked[0] < path.stat().st_size
    assert asked[1:] == ([] if damage == "none" else [0])  # the text is not read again
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.arrow", "data.svm", "run.part"]
    again = fit_stream(member, CachedStream(text, tmp_path / "data.arrow"))
    assert same(again, expected)
    assert len(asked) == 1 + (damage != "none")  # and the cache is whole
