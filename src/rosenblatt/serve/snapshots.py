"""Snapshots: ordinary model files, named after the sequence number of the last example in them.

Each is written beside, flushed and renamed, and only then named in the log. A damaged one is passed over: the one
before it and a longer replay give the same model.
"""

import os
import time
from pathlib import Path

from rosenblatt.data.atomic_write import sync_folder
from rosenblatt.learning.model import Model
from rosenblatt.model_file import Stored, read, write
from rosenblatt.serve.log import Log


class Snapshots:
    """Those of one model."""

    def __init__(self, folder: Path, log: Log, keep: int, encoding: object = None) -> None:
        self.folder, self._log, self._keep, self._encoding = folder, log, keep, encoding
        folder.mkdir(exist_ok=True)
        found = log.snapshots()
        self.seq = found[0][0] if found else 0
        self.made = found[0][2] if found else None

    def write(self, model: Model, seq: int) -> None:
        """On the disk when it returns; the log does not name it yet."""
        write(Stored(model, encoding=self._encoding), self.folder / _name(seq))  # type: ignore[arg-type]

    def note(self, seq: int) -> None:
        """Name it in the log, and let old ones go. By the thread that writes the log."""
        made = time.time()
        for file in self._log.note_snapshot(seq, _name(seq), made, self._keep):
            (self.folder / file).unlink(missing_ok=True)
        self.seq, self.made = seq, made

    def newest(self, upto: int, usable: "list[tuple[int, int]]") -> tuple[int, Model] | None:
        """The newest good one up to a sequence number that is not of examples that were rolled back."""
        for seq, file, _ in self._log.snapshots():
            if seq <= upto and not any(back_to < seq < at for at, back_to in usable):
                try:
                    return seq, read(self.folder / file).model
                except (OSError, ValueError) as error:
                    print(f"warning: snapshot passed over: {error}", file=os.sys.stderr, flush=True)
        return None


def _name(seq: int) -> str:
    return f"{seq:020}.safetensors"
