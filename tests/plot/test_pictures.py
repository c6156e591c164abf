"""The script that makes the pictures of the README makes all that are there, and the same ones each time."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
from matplotlib import pyplot as plt
from PIL import Image

from rosenblatt.plot.animate import TURN

DOCS = Path(__file__).resolve().parents[2] / "docs"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_the_film(path: Path) -> None:
    """That of three updates from w = 0."""
    with Image.open(path) as film:
        assert film.format == "GIF"
        assert film.n_frames == 3 * (1 + TURN) + 1  # type: ignore[attr-defined]
        assert film.info["loop"] == 0
        durations, shaded = [], []
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            durations.append(film.info["duration"])
            pixels = np.asarray(film.convert("RGB")).reshape(-1, 3).astype(int)
            shaded.append((np.abs(pixels - [219, 234, 243]).max(axis=1) < 4).mean())
    assert durations[1] < durations[0] > durations[TURN] > durations[1]
    assert shaded[0] < 0.001  # w = 0 has no + side
    assert min(shaded[TURN:]) > 0.1


def test_pictures(tmp_path: Path) -> None:
    pictures = script()
    pictures.main(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {path.name for path in DOCS.iterdir() if path.suffix in {".svg", ".gif"}}
    assert (tmp_path / "run.gif").stat().st_size < 500_000
    is_the_film(tmp_path / "run.gif")
    assert plt.get_fignums() == []
    first = (tmp_path / "boundary.svg").read_bytes()
    pictures.save(pictures.boundary(), tmp_path / "boundary.svg")
    assert (tmp_path / "boundary.svg").read_bytes() == first
