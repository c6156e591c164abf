"""Rows for a cluster, and what tells two models apart."""

from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt import save
from rosenblatt.base.arrays import Array


def rows(n_rows: int = 240, n_features: int = 7, n_classes: int = 2, seed: int = 0) -> tuple[Array, Array]:
    """Rows with noise in their labels, which no weights separate."""
    random = np.random.default_rng(seed)
    X = random.integers(-9, 10, size=(n_rows, n_features)) / 4
    scores = X @ random.normal(size=(n_features, n_classes)) + 2 * random.normal(size=(n_rows, n_classes))
    return X, np.array(["apple", "bean", "carrot", "date"])[scores.argmax(axis=1)]


def model_bytes(model: Any, folder: Path) -> bytes:
    """The model file."""
    path = folder / "model.safetensors"
    save(model, path)
    return path.read_bytes()
