"""What a model must be: its log, replayed here one example at a time, as a model file."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.base.rows import SparseRows
from rosenblatt.members.linear.online import LinearOnline
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.services.records.model_file import Stored, write


def row_of(x: Any, width: int | None = None) -> Any:
    """One row as members take it."""
    if isinstance(x, list):
        return np.array([x], dtype=np.float64)
    columns = sorted(int(key) for key in x)
    width = width or 1 << max(columns, default=0).bit_length()
    values = np.array([x[str(column)] for column in columns], dtype=np.float64)
    return SparseRows(values, np.array(columns, np.int32), np.array([0, len(columns)], np.int32), width)


def replayed(
    log: list[dict[str, Any]], classes: Any = None, width: int | None = None, **parameters: Any
) -> LinearOnline:
    """The run of a perceptron over a log; the predictions that the log has are checked."""
    run = LinearOnline(PerceptronParameters(**parameters), classes=classes)
    for entry in log:
        taken = run.learn(row_of(entry["x"], width), [entry["y"]])
        assert taken[0].label == entry["predicted"], entry["seq"]
    return run


def file_of(run: LinearOnline) -> bytes:
    """The bytes of its model file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.safetensors")
        write(Stored(run.model()), path)
        return path.read_bytes()
