"""Makes the pictures of the README and of the pages: `python docs/figures.py [folder]`.

Most are of the gallery's scripts; the tree is that of the page *From text to trees*. They are always the same. Without
a folder they go to docs/pictures.
"""

import contextlib
import runpy
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

from rosenblatt import TextPipeline
from rosenblatt.data.treebank import treebank_path

DOCS = Path(__file__).resolve().parent
PICTURES = ("and", "boundary", "classes", "kernel", "losses", "region", "reliability", "squeeze", "tenths")
SENTENCE = "The judge watches a small bird."  # whose tree a parser that has learned from 58 trees finds
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
    document = TextPipeline().fit_file(treebank_path()).annotate(SENTENCE)
    (folder / "tree.svg").write_text(f"{document[0].draw().svg()}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "pictures")
