"""Makes the pictures of the README and of the pages by the gallery's scripts: `python docs/figures.py [folder]`.

They are always the same. Without a folder they go to docs/pictures.
"""

import contextlib
import runpy
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

DOCS = Path(__file__).resolve().parent
PICTURES = ("and", "boundary", "classes", "kernel", "losses", "region", "reliability", "squeeze", "tenths")
FILM = "run"  # its script writes it into the current folder


def run(name: str) -> None:
    """Run a script of the gallery; its figure is pyplot's current one."""
    plt.close("all")
    runpy.run_path(str(DOCS / "gallery" / f"plot_{name}.py"))


def main(folder: Path) -> None:
    """Draw all of them."""
    plt.switch_backend("agg")
    for name in PICTURES:
        run(name)
        with mpl.rc_context({"svg.hashsalt": "rosenblatt"}):
            plt.gcf().savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    plt.close("all")
    with contextlib.chdir(folder):
        run(FILM)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "pictures")
