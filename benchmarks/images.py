"""Handwritten digits to measure on: MNIST, or the small ones that come with scikit-learn.

MNIST is four idx files packed with gzip, in the folder given or in ../shared/data beside the project; without them
scikit-learn's digits are taken, and standard error says so. Pixels are from 0 to 1, float32.
"""

import gzip
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from benchmarks.data import ROOT, Array

FILES = [f"{part}-{what}-ubyte.gz" for part in ("train", "t10k") for what in ("images-idx3", "labels-idx1")]


@dataclass(frozen=True)
class Images:
    """Images to learn from and to test on, a row each, and their digits."""

    title: str
    X: Array
    y: Array
    X_test: Array
    y_test: Array

    def __str__(self) -> str:
        return f"{self.title}: {len(self.y):,} rows, {self.X.shape[1]} pixels; {len(self.y_test):,} to test on"

    @property
    def whole(self) -> bool:
        """Whether this is all of MNIST, which the targets are for."""
        return len(self.y) == 60_000

    def first(self, rows: int, test_rows: int | None = None) -> "Images":
        """The first rows only."""
        return Images(self.title, self.X[:rows], self.y[:rows], self.X_test[:test_rows], self.y_test[:test_rows])

    def held_out(self) -> "Images":
        """The last sixth of the training rows takes the place of the test rows, which nobody sees."""
        rows = len(self.y) * 5 // 6
        return Images(f"{self.title}, training rows", self.X[:rows], self.y[:rows], self.X[rows:], self.y[rows:])

    def error(self, model: Any) -> float:
        """The share of test rows that are wrong."""
        return float(np.mean(model.predict(self.X_test) != self.y_test))


def load(folder: Path | None, *, quick: bool = False) -> Images:
    """MNIST if it is there; the small digits else, or if `quick`."""
    files = [(folder or ROOT.parent / "shared" / "data") / name for name in FILES]
    if not quick and all(file.is_file() for file in files):
        X, y, X_test, y_test = (_read(file) for file in files)
        return Images("MNIST", _pixels(X, 255), y, _pixels(X_test, 255), y_test)
    if not quick:
        print(f"{files[0]} not found: scikit-learn's digits are taken; give the folder with --data", file=sys.stderr)
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(_pixels(X, 16), y, test_size=297, random_state=0)
    return Images("digits", X, y, X_test, y_test)


def _read(file: Path) -> Array:
    """An idx file of bytes: two zeros, the type (8: unsigned bytes), how many axes, their lengths, the values."""
    with gzip.open(file) as unpacked:
        content = unpacked.read()
    if content[:3] != b"\0\0\x08":
        raise ValueError(f"{file}: expected an idx file of unsigned bytes, found {content[:4]!r} at its beginning")
    lengths = np.frombuffer(content, ">u4", count=content[3], offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + lengths.nbytes).reshape(lengths)


def _pixels(images: Any, largest: int) -> Array:
    """A row an image."""
    return np.asarray(images.reshape(len(images), -1) / np.float32(largest), np.float32)
