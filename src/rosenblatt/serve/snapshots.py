"""Snapshots: ordinary model files, named after the sequence number of the last example in them.

Each is written beside, flushed and renamed by a thread of its own, while learning goes on, and only then named in the
log. A damaged one is passed over: the one before it and a longer replay give the same model.
"""

import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rosenblatt.learning.model import Model
from rosenblatt.model_file import Stored, read, write
from rosenblatt.serve.log import Log


class Snapshots:
    """Those of one model; `beside` is the model file that it began as, if it did."""

    def __init__(self, folder: Path, log: Log, keep: int, beside: Stored | None) -> None:
        self.folder, self.log, self._keep, self.beside = folder, log, keep, beside
        folder.mkdir(exist_ok=True)
        found = log.snapshots()
        named = {file for _, file, _ in found}
        for left in folder.iterdir():  # what was being written when the process was killed
            if left.name not in named:
                left.unlink()
        self.seq = found[0][0] if found else 0
        self.made: float | None = found[0][2] if found else None
        self._writer: threading.Thread | None = None
        self._written: int | None = None

    @property
    def busy(self) -> bool:
        """Whether one is being written, or was written and is not in the log yet."""
        return self._writer is not None

    def stored(self, model: Model) -> Stored:
        """A model as its file has it: with the names and the encoding of the file that it began as."""
        return Stored(model) if self.beside is None else replace(self.beside, model=model)

    def begin(self, model: Model, seq: int) -> None:
        """Write a model, which nobody changes any more."""

        def work() -> None:
            try:
                write(self.stored(model), self.folder / _name(seq))
                self._written = seq
            except OSError as error:
                print(f"warning: no snapshot was written: {error}", file=sys.stderr, flush=True)

        self._writer = threading.Thread(target=work, name="snapshot", daemon=True)
        self._writer.start()

    def note(self, answers: Iterable[tuple[int, str]], *, wait: bool = False) -> bool:
        """Name in the log what was written, in one commit with answers that it does not have, and let old ones go.

        To be called by the thread that writes the log; returns whether there was something to name.
        """
        if self._writer is None or (self._writer.is_alive() and not wait):
            return False
        self._writer.join()
        self._writer, seq, self._written = None, self._written, None
        if seq is None:
            return False
        made = time.time()
        gone = self.log.note_snapshot(seq, _name(seq), made, self._keep, answers)
        self.seq, self.made = seq, made
        for file in gone:
            (self.folder / file).unlink(missing_ok=True)
        return True

    def newest(self, upto: int, rollbacks: list[tuple[int, int]]) -> tuple[int, Any] | None:
        """The newest good one up to a sequence number that has no examples that were rolled back since."""
        for seq, file, _ in self.log.snapshots():
            if seq <= upto and not any(back_to < seq < at for at, back_to in rollbacks):
                try:
                    return seq, read(self.folder / file).model
                except (OSError, ValueError) as error:
                    print(f"warning: a snapshot is passed over: {error}", file=sys.stderr, flush=True)
        return None


def _name(seq: int) -> str:
    return f"{seq:020}.safetensors"
