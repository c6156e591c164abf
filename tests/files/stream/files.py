"""Small files with random integer rows, and streams that cut them into many blocks."""

from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt import Perceptron
from rosenblatt.doors.sklearn.model_file import save
from rosenblatt.services.files.svmlight import write_svmlight
from rosenblatt.services.stream.streams import SvmlightStream


def write(path: Path, n_rows: int = 40, n_features: int = 6, n_classes: int = 2, seed: int = 0) -> Path:
    """Integers, so that every sum is exact; the labels are nearly those of a plane."""
    random = np.random.default_rng(seed)
    X = random.integers(-3, 4, size=(n_rows, n_features)) * (random.random((n_rows, n_features)) < 0.6)
    scores = X @ random.integers(-2, 3, size=(n_features, n_classes))
    write_svmlight(X.astype(float), scores.argmax(axis=1), path, zero_based=False)
    return path


def stream(path: Any, block_bytes: int = 64, **words: Any) -> SvmlightStream:
    """In blocks of a few rows."""
    words = {"n_features": None, "dtype": np.float64, "zero_based": "auto", **words}
    return SvmlightStream(path, block_bytes=block_bytes, **words)


def bytes_of(model: Perceptron, folder: Path) -> bytes:
    """Its model file: all that it is."""
    save(model, folder / "model.safetensors")
    return (folder / "model.safetensors").read_bytes()
