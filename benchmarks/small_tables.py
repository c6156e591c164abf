"""Small tables with classes, to choose defaults on: UCI's as ARFF files packed with xz, and those of scikit-learn.

The class is the attribute of that name, or else the last one. Left out are sets whose class is a number, rows of
classes with fewer than five, and what then has one class or fewer than 30 rows. Numbers get the median where they are
missing, and mean 0 and variance 1; categories get the most frequent one, and a column each.
"""

import csv
import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.data import Array

LEAST, FEW, TEST = 5, 30, 0.3
ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\S+)\s*(.*)", re.IGNORECASE)
SHIPPED = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}


@dataclass(frozen=True)
class Part:
    """A set, split once: dense rows to learn from and to test on."""

    X: Array
    y: Array
    X_test: Array
    y_test: Array


@dataclass(frozen=True)
class SmallTable:
    """A frame of numbers and of categories, and a class for each row."""

    name: str
    X: pd.DataFrame
    y: Array

    def split(self, seed: int) -> Part:
        """In two parts, of which the first alone says how columns become features."""
        X, X_test, y, y_test = train_test_split(self.X, self.y, test_size=TEST, stratify=self.y, random_state=seed)
        numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
        words = make_pipeline(
            SimpleImputer(strategy="most_frequent", keep_empty_features=True),
            OneHotEncoder(handle_unknown="ignore", sparse_output=False),
        )
        features = make_column_transformer(
            (numbers, make_column_selector(dtype_include="number")),
            (words, make_column_selector(dtype_exclude="number")),
        )
        return Part(np.ascontiguousarray(features.fit_transform(X)), y, np.asarray(features.transform(X_test)), y_test)


def load(folder: Path | None) -> Iterator[SmallTable]:
    """The sets of a folder, if it is there, and those that scikit-learn ships."""
    files = sorted(folder.glob("*.arff.xz")) if folder is not None else []
    for file in files:
        yield from read(file)
    for name, loaded in SHIPPED.items():
        if not any(file.name == f"{name}.arff.xz" for file in files):
            X, y = loaded(return_X_y=True)
            yield SmallTable(name, pd.DataFrame(X), y)


def read(file: Path) -> Iterator[SmallTable]:
    """The set of one file, or nothing if its class is a number."""
    lines = lzma.decompress(file.read_bytes()).decode("latin-1").splitlines()
    start = next(k for k, line in enumerate(lines) if line.strip().lower() == "@data")
    found = [match.groups() for line in lines[:start] if (match := ATTRIBUTE.match(line.strip()))]
    names, kinds = [name.strip("'") for name, _ in found], [kind.strip() for _, kind in found]
    rows = [line for line in lines[start + 1 :] if line.strip() and not line.startswith("%")]
    cells = [
        [cell.strip() for cell in row][: len(names)] for row in csv.reader(rows, quotechar="'", skipinitialspace=True)
    ]
    label = next((k for k, name in enumerate(names) if name.lower() == "class"), len(names) - 1)
    if not kinds[label].startswith("{"):
        return
    frame = pd.DataFrame(cells, columns=range(len(names))).replace("?", None)
    frame = frame[frame[label].notna()]
    frame = frame[frame.groupby(label)[label].transform("size") >= LEAST]
    y = frame.pop(label).astype(str).to_numpy()
    if len(y) < FEW or len(np.unique(y)) < 2:
        return
    for k, kind in enumerate(kinds):
        if k != label and not kind.startswith("{") and kind.lower() != "string":
            frame[k] = pd.to_numeric(frame[k])
    frame.columns = frame.columns.astype(str)
    yield SmallTable(file.name.removesuffix(".arff.xz"), frame.dropna(axis=1, how="all"), y)
