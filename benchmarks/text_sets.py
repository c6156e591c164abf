"""The sets of raw texts: unpacked from the folder `text` of the data, or small ones made here, to see that all runs.

Each is a folder with train.csv and test.csv of the columns text and label. In Reuters, and in the small set of several
labels, a blank is between the labels of a text.
"""

import csv
import lzma
from collections.abc import Iterable
from pathlib import Path
from random import Random

LONGEST = 131_072  # characters; longer texts are cut for all, because readers of CSV have limits of their own
SUBJECTS = {"a": ["apple", "pear"], "b": ["wave", "sail"], "c": ["stone", "hill"]}
FILLERS = ["the", "of", "to", "in", "it", "was", "we", "then", "all", "very"]
N_TRAIN, N_TEST = 1000, 100  # with 300 texts the five epochs of fastText's defaults are too few to learn them


def unpack(source: Path, name: str, cache: Path) -> Path:
    """The folder of a set of the data."""
    folder = cache / "text" / name
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("train", "test"):
        path = folder / f"{part}.csv"
        if not path.exists():
            with lzma.open(source / f"{name}.{part}.csv.xz", "rt", encoding="utf-8", newline="") as packed:
                write_rows(path, ((row["text"][:LONGEST], row["label"]) for row in csv.DictReader(packed)))
    return folder


def make(cache: Path, *, several: bool) -> Path:
    """The folder of a small set: words that say nothing, and one or two words of each label."""
    folder, lot = cache / "text-small" / ("several" if several else "made"), Random(0)
    folder.mkdir(parents=True, exist_ok=True)
    for part, n in (("train", N_TRAIN), ("test", N_TEST)):
        labels = [lot.sample(list(SUBJECTS), k=lot.choice((1, 2)) if several else 1) for _ in range(n)]
        texts = [
            " ".join([*lot.choices(FILLERS, k=5), *(lot.choice(SUBJECTS[label]) for label in row)]) for row in labels
        ]
        write_rows(folder / f"{part}.csv", zip(texts, map(" ".join, labels), strict=True))
    return folder


def write_rows(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *pairs])
