"""Every script of the gallery draws its picture, and those of the README and the pages are all made by them."""

from pathlib import Path

import figures
import numpy as np
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from rosenblatt.services.lessons.plot.animate import TURN

DOCS = Path(__file__).resolve().parents[3] / "docs"
SCRIPTS = sorted(path.stem.removeprefix("plot_") for path in (DOCS / "gallery").glob("plot_*.py"))


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


def test_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures.main(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    shown = {path.name for path in (DOCS / "pictures").iterdir()}
    # Those are taken in a browser, by tests/studio/pictures.py.
    assert shown - names == {"studio.png", "studio_dark.png", "text_page.png"}
    assert names <= shown
    assert (tmp_path / "run.gif").stat().st_size < 500_000
    is_the_film(tmp_path / "run.gif")
    assert plt.get_fignums() == []
    first = (tmp_path / "boundary.svg").read_bytes()
    monkeypatch.setattr(figures, "PICTURES", ("boundary",))
    figures.main(tmp_path)
    assert (tmp_path / "boundary.svg").read_bytes() == first


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_of_the_gallery(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("agg")
    figures.run(name)
    drawn = [number for number in plt.get_fignums() if plt.figure(number).axes]
    plt.close("all")
    assert len(drawn) == (0 if name == figures.FILM else 1)
    assert len(list(tmp_path.iterdir())) == (1 if name == figures.FILM else 0)
