"""Weights that do not fit are refused with the numbers, before the system promises memory that it has not got."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Perceptron
from rosenblatt.members.linear import perceptron
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import check_room

SAID = r"expected weights that fit into .* GiB of memory, found 2,000,000,000,000 columns with one weight each: they "


@pytest.mark.parametrize("words", [{}, {"shards": 2}, {"readout": "average", "step": "arow"}])
def test_a_wrong_index(words: dict[str, Any]) -> None:
    X = sp.csr_array(([1.0, 1.0, 1.0], ([0, 0, 1], [0, 2 * 10**12 - 1, 1])), shape=(2, 2 * 10**12))
    taken = {"": "1.49e\\+04", "average": "4.47e\\+04"}[words.get("readout", "")]
    with pytest.raises(MemoryError, match=f"{SAID}take {taken} GiB or more"):
        Perceptron(**words).fit(X, [1, -1])
    with pytest.raises(MemoryError, match=SAID):
        Perceptron(**words).partial_fit(X, [1, -1])


def test_what_fits_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perceptron, "memory", lambda: 8 * 1000.0)
    check_room(PerceptronParameters(), 1000, 1, np.float64)
    check_room(PerceptronParameters(), 2000, 1, np.float32)
    for given in ((1001, 1, np.float64), (500, 3, np.float64)):
        with pytest.raises(MemoryError):
            check_room(PerceptronParameters(), *given)
    with pytest.raises(MemoryError, match="A few wrong indices"):
        check_room(PerceptronParameters(readout="average"), 501, 1, np.float64)
    with pytest.raises(MemoryError, match="are the labels the right column"):
        check_room(PerceptronParameters(), 100, 200, np.float64)


def test_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perceptron, "memory", lambda: 8 * 1000.0)
    with pytest.raises(ValueError, match=r"<file>: expected indices whose weights fit into memory, found 2000: expect"):
        Perceptron(max_iter=1).fit_file(io.BytesIO(b"1 1:1\n-1 2000:1\n"))


def test_the_memory_of_a_container(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(perceptron, "_LIMIT", tmp_path / "memory.max")
    whole = perceptron.memory()
    assert whole > 1 << 28
    (tmp_path / "memory.max").write_text("1048576\n")
    assert perceptron.memory() == 1 << 20
    (tmp_path / "memory.max").write_text("max\n")
    assert perceptron.memory() == whole
