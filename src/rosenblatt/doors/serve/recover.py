"""A model from its folder: the newest good snapshot, and a replay of the examples after it.

Only these are read, and each is checked. What the snapshot has already is checked in the background.

Snapshots are ordinary model files, named after the sequence number of the last example in them. Each is written beside,
flushed and renamed by a thread of its own, while learning goes on, and only then named in the log, with its bond: a
hash of the chain up to that number, of the file, and of the mistakes until then. A snapshot that is damaged, or another
than was named, is passed over: the one before it and a longer replay give the same model.
"""

import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from rosenblatt.doors.serve.configuration import Configuration
from rosenblatt.doors.serve.form import Form, as_text
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.log import Log, SnapshotRow
from rosenblatt.doors.serve.log_chain import DamagedLogError, Entry, damage, link, undone
from rosenblatt.members.model import Model
from rosenblatt.members.online_run import OnlineRun
from rosenblatt.services.records.model_file import Stored, read, write
from rosenblatt.services.records.safetensors import read as read_tensors

MOST_POINTS = 1024
TOLERANCE = 0.005  # how much more often than before a mistake may come, before it counts as drift


@dataclass
class Tally:
    """Counts the examples that make the model, in order. A snapshot has it as JSON."""

    examples: int = 0
    mistakes: int = 0
    points: list[tuple[int, int]] = field(default_factory=list)  # sequence numbers, and the mistakes so far
    drift: float = (
        0.0  # Page and Hinkley's statistic: how far the mistakes are over their mean since they were least so
    )
    every: int = 1  # examples between two points
    total: float = 0.0  # of the mistakes over their mean
    least: float = 0.0  # that it was

    def add(self, seq: int, *, mistake: bool) -> None:
        """Count an example."""
        self.examples += 1
        self.mistakes += mistake
        self.total += mistake - self.mistakes / self.examples - TOLERANCE
        self.least = min(self.least, self.total)
        self.drift = self.total - self.least
        if self.examples % self.every == 0:
            self.points.append((seq, self.mistakes))
            if len(self.points) > MOST_POINTS:
                self.points, self.every = self.points[1::2], 2 * self.every

    def curve(self, last: int, most: int) -> list[tuple[int, int]]:
        """At most so many points, the newest among them."""
        every = -(-len(self.points) // max(1, most - 1)) or 1
        points = self.points[every - 1 :: every]
        return points if not self.examples or (points and points[-1][0] == last) else [*points, (last, self.mistakes)]


class Beside(msgspec.Struct):
    """What goes on beside the model: its mistakes, and whether its rows become wider as they come."""

    tally: Tally
    grows: bool = False


class Snapshot(NamedTuple):
    """A model as it was at a sequence number."""

    seq: int
    model: Model
    beside: Beside


class Snapshots:
    """Those of one model; `base` is the model file that it began as, if it did."""

    def __init__(self, folder: Path, log: Log, keep: int, base: Stored | None) -> None:
        self.folder, self.log, self._keep, self.base = folder, log, keep, base
        folder.mkdir(exist_ok=True)
        rows = log.snapshots()
        named = {row.file for row in rows}
        if (last := max((_seq_of(path) for path in folder.iterdir()), default=0)) > log.head.seq:
            why = f"expected {last} or more as the last, of which there is a snapshot, found {log.head.seq}"
            raise DamagedLogError(f"{log.path}: {why}")
        for left in folder.iterdir():  # what was being written when the process was killed
            if left.name not in named and left.is_file():
                left.unlink()
        self.seq = rows[0].seq if rows else 0
        self.written_at: float | None = rows[0].written_at if rows else None
        self._writer: threading.Thread | None = None
        self._written: tuple[int, str, str] | None = None  # the number, the seal of the file, and what was beside it

    @property
    def busy(self) -> bool:
        """Whether one is being written, or was written and is not in the log yet."""
        return self._writer is not None

    def to_store(self, model: Model) -> Stored:
        """A model as its file has it: with the names and the encoding of the file that it began as."""
        return Stored(model) if self.base is None else replace(self.base, model=model)

    def begin(self, model: Model, seq: int, beside: Beside) -> None:
        """Write a model, which nobody changes any more."""
        state = msgspec.json.encode(beside).decode()

        def work() -> None:
            try:
                path = self.folder / name_of(seq)
                write(self.to_store(model), path)
                self._written = seq, seal_of(path), state
            except Exception as error:  # the log has all of it
                print(f"warning: no snapshot was written: {error}", file=sys.stderr, flush=True)

        self._writer = threading.Thread(target=work, name="snapshot", daemon=True)
        self._writer.start()

    def note(self, answers: Iterable[tuple[int, str]], patience: float | None = 0) -> bool:
        """Name in the log what was written, in one commit with answers that it does not have, and let old ones go.

        To be called by the thread that writes the log; it waits for the file at most `patience` seconds. Returns
        whether there was something to name.
        """
        if self._writer is None:
            return False
        self._writer.join(patience)
        if self._writer.is_alive():
            return False
        self._writer, written, self._written = None, self._written, None
        if written is None:
            return False
        seq, seal, state = written
        new = SnapshotRow(seq, name_of(seq), state, link(self.log.hash_at(seq), seal, state), time.time())
        gone = self.log.note_snapshot(new, self._keep, answers)
        self.seq, self.written_at = seq, new.written_at
        for file in gone:
            (self.folder / file).unlink(missing_ok=True)
        return True

    def newest(self, rollbacks: list[tuple[int, int]]) -> Snapshot | None:
        """The newest good one that has no examples that were rolled back since."""
        for row in self.log.snapshots():
            if not undone(row.seq, rollbacks):
                try:
                    return self._read(row)
                except (OSError, ValueError, msgspec.MsgspecError) as error:
                    print(f"warning: a snapshot is passed over: {error}", file=sys.stderr, flush=True)
        if self.log.begin.seq:
            expected = f"the snapshot of example {self.log.begin.seq}, with which the compacted log begins, found none"
            raise DamagedLogError(f"{self.log.path}: expected {expected}")
        return None

    def _read(self, row: SnapshotRow) -> Snapshot:
        path = self.folder / row.file
        model = read(path).model
        if row.file != name_of(row.seq) or row.bond != link(self.log.hash_at(row.seq), seal_of(path), row.state):
            raise ValueError(f"{path}: expected the snapshot of example {row.seq} of this log, found another file")
        return Snapshot(row.seq, model, msgspec.json.decode(row.state, type=Beside))


def seal_of(path: Path) -> str:
    """The hash of all that a model file says."""
    return read_tensors(path)[1]["sha256"]


def name_of(seq: int) -> str:
    """The file of a snapshot."""
    return f"{seq:020}.safetensors"


def _seq_of(path: Path) -> int:
    """The number of a snapshot; 0 of another file."""
    return int(path.stem) if path.stem.isdecimal() and path.name == name_of(int(path.stem)) else 0


@dataclass
class Recovered:
    """A model as it was, what the log does not have of it, and the seconds that the replay took."""

    run: OnlineRun
    form: Form
    tally: Tally
    unsaved: dict[int, str]  # answers that were given, but not yet logged
    seconds: float = 0.0

    @property
    def beside(self) -> Beside:
        """What a snapshot has beside the model."""
        return Beside(self.tally, self.form.grows)


class EndedError(Exception):
    """The server ends before a replay is over."""


@dataclass
class Progress:
    """How far a replay is, for those who wait for it; they may end it."""

    seq: int = 0
    last: int = 0
    ended: bool = False

    def reach(self, seq: int) -> None:
        """Another page of the log was replayed."""
        self.seq = seq
        if self.ended:
            raise EndedError


def recover(
    configuration: Configuration, limits: Limits, log: Log, snapshots: Snapshots, progress: Progress
) -> Recovered:
    """The model of all examples that were not rolled back."""
    rollbacks, base = log.rollbacks(), snapshots.base
    snapshot = snapshots.newest(rollbacks)
    seq, before, beside = (0, None, Beside(Tally())) if snapshot is None else snapshot
    if before is None and base is not None:
        before = base.model
    run = configuration.run(before, same_pass=snapshot is not None)
    state = Recovered(run, Form(configuration, limits, run, base, grows=beside.grows), beside.tally, {})
    progress.last, begun = log.head.seq, time.monotonic()
    for page in log.pages(seq):
        progress.reach(page.last)
        live = [entry for entry in page.entries if not undone(entry.seq, rollbacks)]
        if live:
            _replay(state, live, log)
    state.seconds = time.monotonic() - begun
    return state


def _replay(state: Recovered, entries: list[Entry], log: Log) -> None:
    X, y = state.form.of_log(entries)
    for entry, answer in zip(entries, state.run.learn(X, y), strict=True):
        label = as_text(answer.label)
        if entry.predicted is None:
            state.unsaved[entry.seq] = label
        elif entry.predicted != label:
            expected = f"{entry.predicted} as its prediction, as was logged"
            raise damage(log.path, entry.seq, f"{expected}, found {label}: a replay gives another model")
        state.tally.add(entry.seq, mistake=label != entry.y)
