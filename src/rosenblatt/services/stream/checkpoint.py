"""A run that can continue after its process was killed: its complete state on disk, with the identity of run and data.

Every few seconds, between two blocks of rows, a rename replaces the file. A run that continues from it makes the same
visits with the same weights, and so ends with the same model, to the bit.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from rosenblatt.base.atomic_write import check_writable
from rosenblatt.base.record.json import canonical_json
from rosenblatt.base.record.parts import Parts, Tensors, parameters_as_json
from rosenblatt.services.records.safetensors import Sealed, errors_at

_FILE = Sealed("a checkpoint", "rosenblatt_checkpoint", "run", format=1)


class Checkpoint:
    """The file for the run with this `identity` (JSON). A new state is due every `seconds`."""

    def __init__(self, path: "str | os.PathLike[str]", identity: dict[str, Any], *, seconds: float) -> None:
        self.path, self.identity, self.seconds = Path(path), canonical_json(identity), seconds
        self._last = time.monotonic()
        check_writable(path)
        if self.path.exists() and not _FILE.is_at(path):
            raise ValueError(f"{path}: expected a checkpoint or a free name, found another file")

    def load(self) -> Parts | None:
        """The record and tensors to continue from; None if there is no file, because the run has not begun."""
        if not self.path.exists():
            return None
        with errors_at(self.path):
            record, tensors = _FILE.read(self.path)
            identity = record.pop("identity", None)
            if identity != self.identity:
                raise ValueError(
                    "expected a checkpoint of the same run: the same data, unchanged, and the same options; found "
                    "another. Without resume the run begins anew and replaces it"
                )
            return Parts(record, tensors)

    def due(self) -> bool:
        return time.monotonic() - self._last >= self.seconds

    def write(self, record: dict[str, Any], tensors: Tensors) -> None:
        _FILE.write(self.path, {"identity": self.identity, **record}, tensors)
        self._last = time.monotonic()


class Restorable(Protocol):
    """A run that can be stored between two turns, and continued by another process."""

    def to_record(self) -> tuple[dict[str, Any], Tensors]: ...

    def restore(self, parts: Parts) -> None: ...


def check_resume(checkpoint: "str | os.PathLike[str] | None", *, resume: bool) -> None:
    """Raise a `ValueError` before anything is read."""
    if resume and checkpoint is None:
        raise ValueError("resume: expected a checkpoint to go on from, found checkpoint=None")


def keep_rounds(
    run: Restorable,
    parameters: dict[str, Any],
    digest: str,
    checkpoint: "str | os.PathLike[str] | None",
    *,
    resume: bool,
) -> Callable[[], None]:
    """A function that writes the checkpoint after each round of a run.

    `parameters` and `digest`, that of the data, identify the run. With `resume`, the run continues from its checkpoint,
    if there is one.
    """
    if checkpoint is None:
        return lambda: None
    file = Checkpoint(checkpoint, {"parameters": parameters_as_json(parameters, {}), "rows": digest}, seconds=0)
    if resume and (parts := file.load()) is not None:
        run.restore(parts)
    return lambda: file.write(*run.to_record())
