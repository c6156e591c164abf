"""Text as vectors, to measure on: reviews (IMDB), posts (20 Newsgroups), and an RCV1-like set made here.

The first two are svmlight files packed with xz, in the folder given or in ../shared/data beside the project; without
them a stand-in of the same shape is made, and standard error says so. What was read or made is kept as .npz, so that
a second run starts at once.
"""

import lzma
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file

ROOT = Path(__file__).resolve().parents[1]
BLOCK = 50_000
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Shape:
    """Rows to train and test on, features, classes; `words` is the logarithm of a row's typical length."""

    train: int
    test: int
    features: int
    classes: int = 2
    words: float = 4.35


SHAPES = {
    "imdb1": Shape(25_000, 25_000, 74_851, words=4.95),
    "news20": Shape(11_314, 7_532, 130_107, classes=20, words=5.1),
    "rcv1-like": Shape(700_000, 60_000, 47_236),
}
TITLES = {"imdb1": "IMDB reviews", "news20": "20 Newsgroups, by date", "rcv1-like": "RCV1-like, made here"}


@dataclass(frozen=True)
class Split:
    """Rows to learn from and rows to test on: CSR, float32, 32-bit indices."""

    title: str
    X: sp.csr_matrix
    y: Array
    X_test: sp.csr_matrix
    y_test: Array

    def __str__(self) -> str:
        rows, features = self.X.shape
        return f"{self.title}: {rows:,} rows, {features:,} features, {self.X.nnz:,} non-zeros, {self.X.dtype}"


def load(name: str, *, folder: Path | None, cache: Path, quick: bool = False) -> Split:
    """The set of that name; a small stand-in if `quick`."""
    shape = SHAPES[name]
    if quick:
        small = Shape(2_000, 500, 5_000, shape.classes)
        return _split(f"{TITLES[name]} (small stand-in)", small, *make(small))
    folder = folder or ROOT.parent / "shared" / "data"
    files = [folder / f"{name}.{part}.svm.xz" for part in ("train", "test")]
    found = all(file.is_file() for file in files)
    made_here = name == "rcv1-like"
    title = TITLES[name] if found or made_here else f"{TITLES[name]} (stand-in)"
    if not found and not made_here:
        print(f"{files[0]} not found: a stand-in is made; give the folder with --data", file=sys.stderr)
    kept = cache / f"{name if found or made_here else name + '-stand-in'}.npz"
    if kept.is_file():
        held = np.load(kept)
        X = sp.csr_matrix((held["data"], held["indices"], held["indptr"]), shape=tuple(held["shape"]))
        return _split(title, shape, X, held["y"])
    X, y = _read(files, shape) if found else make(shape)
    cache.mkdir(parents=True, exist_ok=True)
    unfinished = kept.with_suffix(".part.npz")  # renamed when whole: a run that is stopped leaves no half of a file
    np.savez(unfinished, data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y)
    unfinished.replace(kept)
    return _split(title, shape, X, y)


def _split(title: str, shape: Shape, X: sp.csr_matrix, y: Array) -> Split:
    return Split(title, X[: shape.train], y[: shape.train], X[shape.train :], y[shape.train :])


def _read(files: list[Path], shape: Shape) -> tuple[sp.csr_matrix, Array]:
    parts = []
    for file in files:
        with lzma.open(file) as unpacked:
            parts.append(load_svmlight_file(unpacked, n_features=shape.features, dtype=np.float32, zero_based=False))
    X = _narrow(sp.vstack([X for X, _ in parts], format="csr"))
    return X, np.concatenate([y for _, y in parts]).astype(np.int64)


def _narrow(X: sp.csr_matrix) -> sp.csr_matrix:
    """With 32-bit indices, the only ones that scikit-learn's linear models take."""
    return sp.csr_matrix((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)


def make(shape: Shape, seed: int = 20_260_715) -> tuple[sp.csr_matrix, Array]:
    """Rows of unit length with Zipf's columns, like tf-idf; labels from true weights, 3 % of them changed."""
    blocks = list(_blocks(shape, seed))
    starts = np.cumsum([0] + [len(y) for y, *_ in blocks])
    row = np.concatenate([start + rows for start, (_, rows, _, _) in zip(starts[:-1], blocks, strict=True)])
    indptr = np.searchsorted(row, np.arange(starts[-1] + 1))
    column, value = (np.concatenate([block[k] for block in blocks]) for k in (2, 3))
    X = sp.csr_matrix((value, column, indptr), shape=(int(starts[-1]), shape.features))
    return _narrow(X), np.concatenate([y for y, *_ in blocks])


def _blocks(shape: Shape, seed: int) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Labels, row, column, value: a block of rows at a time."""
    rng, features, total = np.random.default_rng(seed), shape.features, shape.train + shape.test
    share = (np.arange(1, features + 1) + 20.0) ** -1.05
    share /= share.sum()
    column_of_rank = rng.permutation(features)
    rank_of_column = np.argsort(column_of_rank)
    idf = np.log(1.0 / np.minimum(1.0, share * 90)).clip(0.3)
    truth = _true_weights(shape, rng)
    cumulative = np.cumsum(share)
    for start in range(0, total, BLOCK):
        n = min(BLOCK, total - start)
        length = np.clip(rng.lognormal(shape.words, 0.55, n).astype(int), 8, 600)
        token = np.searchsorted(cumulative, rng.random(length.sum())).clip(0, features - 1)
        # A word that comes twice in a row is one entry, counted twice.
        key = np.repeat(np.arange(n, dtype=np.int64), length) * features + column_of_rank[token]
        key, count = np.unique(key, return_counts=True)
        row, column = key // features, key % features
        value = (1 + np.log(count)) * idf[rank_of_column[column]]
        value /= np.sqrt(np.bincount(row, value * value, n))[row]
        scores = np.stack([np.bincount(row, value * w[rank_of_column[column]], n) for w in truth])
        flipped = rng.random(n) < 0.03
        if shape.classes == 2:
            y = np.where(scores[0] > 0, 1, -1) * np.where(flipped, -1, 1)
        else:
            y = 1 + (scores.argmax(axis=0) + flipped) % shape.classes
        yield y, row, column, value.astype(np.float32)


def _true_weights(shape: Shape, rng: np.random.Generator) -> Array:
    """A row for two classes, a row a class for more: few features count, frequent ones more often."""
    truth = np.zeros((1 if shape.classes == 2 else shape.classes, shape.features))
    for w in truth:
        chosen = min(6000, shape.features // 4)
        w[rng.choice(shape.features, chosen, replace=False)] = rng.normal(size=chosen)
        w[: chosen // 2] += 0.5 * rng.normal(size=chosen // 2)
    return truth
