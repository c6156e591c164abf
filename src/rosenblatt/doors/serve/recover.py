"""A model from its folder: the newest good snapshot, and a replay of the examples after it.

Only these are read, and each is checked. The examples that the snapshot includes are checked in the background.

Snapshots are ordinary model files, named after the sequence number of their last example. A thread writes each to a
temporary file, flushes it and renames it, while learning continues. Only then the log registers it, with its bond: a
hash of the chain up to that number, of the file, and of the mistakes until then. A snapshot that is damaged, or differs
from its bond, is skipped: the one before it and a longer replay give the same model.
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
TOLERANCE = 0.005  # how much the rate of mistakes may grow before it counts as drift


@dataclass
class Tally:
    """Counts the examples of the model, in order. A snapshot stores it as JSON."""

    examples: int = 0
    mistakes: int = 0
    points: list[tuple[int, int]] = field(default_factory=list)  # sequence numbers, and the mistakes so far
    drift: float = 0.0  # Page and Hinkley's statistic: how far `total` is above its minimum
    every: int = 1  # examples between two points
    total: float = 0.0  # the sum of the differences between the mistakes and their mean
    least: float = 0.0  # the minimum of `total`

    def add(self, seq: int, *, mistake: bool) -> None:
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
        """At most this number of points, with the newest among them."""
        every = -(-len(self.points) // max(1, most - 1)) or 1
        points = self.points[every - 1 :: every]
        return points if not self.examples or (points and points[-1][0] == last) else [*points, (last, self.mistakes)]


class Beside(msgspec.Struct):
    """The part of a snapshot that is not the model: its mistakes, and whether its rows may become wider."""

    tally: Tally
    grows: bool = False


class Snapshot(NamedTuple):
    """A model as it was at a sequence number."""

    seq: int
    model: Model
    beside: Beside


class Snapshots:
    """The snapshots of one model; `base` is the model file that it began as, if it did."""

    def __init__(self, folder: Path, log: Log, keep: int, base: Stored | None) -> None:
        self.folder, self.log, self._keep, self.base = folder, log, keep, base
        folder.mkdir(exist_ok=True)
        rows = log.snapshots()
        named = {row.file for row in rows}
        if (last := max((_seq_of(path) for path in folder.iterdir()), default=0)) > log.head.seq:
            why = f"expected {last} or more as the last, of which there is a snapshot, found {log.head.seq}"
            raise DamagedLogError(f"{log.path}: {why}")
        for left in folder.iterdir():  # files that were unfinished when the process was killed
            if left.name not in named and left.is_file():
                left.unlink()
        self.seq = rows[0].seq if rows else 0
        self.written_at: float | None = rows[0].written_at if rows else None
        self._writer: threading.Thread | None = None
        self._written: tuple[int, str, str] | None = (
            None  # the number, the seal of the file, and the state beside the model
        )

    @property
    def busy(self) -> bool:
        """Whether a snapshot is unfinished, or is not in the log yet."""
        return self._writer is not None

    def to_store(self, model: Model) -> Stored:
        """The content of a model file: with the names and the encoding of the file that the model began as."""
        return Stored(model) if self.base is None else replace(self.base, model=model)

    def begin(self, model: Model, seq: int, beside: Beside) -> None:
        """Begin to write a model that nobody changes any more."""
        state = msgspec.json.encode(beside).decode()

        def work() -> None:
            try:
                path = self.folder / name_of(seq)
                write(self.to_store(model), path)
                self._written = seq, seal_of(path), state
            except Exception as error:  # a snapshot can fail, because the log has everything
                print(f"warning: no snapshot was written: {error}", file=sys.stderr, flush=True)

        self._writer = threading.Thread(target=work, name="snapshot", daemon=True)
        self._writer.start()

    def note(self, answers: Iterable[tuple[int, str]], patience: float | None = 0) -> bool:
        """Register a finished snapshot in the log, with answers that the log does not have, and remove old ones.

        Only the thread that writes the log may call it; it waits for the file at most `patience` seconds. It returns
        whether there was a snapshot to register.
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
        """The newest good snapshot that includes no examples that were rolled back since."""
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
    """The hash of the whole content of a model file."""
    return read_tensors(path)[1]["sha256"]


def name_of(seq: int) -> str:
    return f"{seq:020}.safetensors"


def _seq_of(path: Path) -> int:
    """The number of a snapshot; 0 for any other file."""
    return int(path.stem) if path.stem.isdecimal() and path.name == name_of(int(path.stem)) else 0


@dataclass
class Recovered:
    """A recovered model, the answers that are not in its log, and the seconds that the replay took."""

    run: OnlineRun
    form: Form
    tally: Tally
    unsaved: dict[int, str]  # answers that clients got, but that the log does not have
    seconds: float = 0.0

    @property
    def beside(self) -> Beside:
        return Beside(self.tally, self.form.grows)


class EndedError(Exception):
    """The server ended before a replay was finished."""


@dataclass
class Progress:
    """How far a replay is, for the threads that wait for it. They may end it."""

    seq: int = 0
    last: int = 0
    ended: bool = False

    def reach(self, seq: int) -> None:
        """Note that another page of the log was replayed."""
        self.seq = seq
        if self.ended:
            raise EndedError


def recover(
    configuration: Configuration, limits: Limits, log: Log, snapshots: Snapshots, progress: Progress
) -> Recovered:
    """Replay the log: the model of all examples that were not rolled back."""
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
