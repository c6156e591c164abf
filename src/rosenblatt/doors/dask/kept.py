"""A run that is kept: its checkpoint is written after each round, and it goes on from there."""

import os
from collections.abc import Callable
from typing import Any, Protocol

from rosenblatt.base.record.parts import Parts, Tensors, parameters_as_json
from rosenblatt.services.stream.checkpoint import Checkpoint

Path = str | os.PathLike[str]


class Run(Protocol):
    """What can be taken down between two rounds, and go on elsewhere."""

    def to_record(self) -> tuple[dict[str, Any], Tensors]:
        """The record and the tensors of a checkpoint."""
        ...

    def restore(self, parts: Parts) -> None:
        """Go on from there."""
        ...


def check_kept(checkpoint: Path | None, *, resume: bool) -> None:
    """Before anything is read."""
    if resume and checkpoint is None:
        raise ValueError("resume: expected a checkpoint to go on from, found checkpoint=None")


def kept(
    run: Run, parameters: dict[str, Any], digest: str, checkpoint: Path | None, *, resume: bool
) -> Callable[[], None]:
    """What is to be called after each round of a run with these parameters, on data of this digest.

    With `resume` the run goes on from its checkpoint, if there is one.
    """
    if checkpoint is None:
        return lambda: None
    file = Checkpoint(checkpoint, {"parameters": parameters_as_json(parameters, {}), "rows": digest}, seconds=0)
    if resume and (found := file.load()) is not None:
        run.restore(found)
    return lambda: file.write(*run.to_record())
