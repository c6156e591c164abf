"""A model that is served: its folder, what it was made with, and all that can be asked of it."""

import tempfile
from pathlib import Path
from typing import Any

import msgspec

from rosenblatt.learning.online_run import OnlineRun
from rosenblatt.model_file import read, write
from rosenblatt.serve.configuration import Configuration
from rosenblatt.serve.form import Form
from rosenblatt.serve.learner import Learner
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.log import Log
from rosenblatt.serve.recover import recovered
from rosenblatt.serve.refusal import RefusalError
from rosenblatt.serve.snapshots import Snapshots
from rosenblatt.serve.tally import Tally
from rosenblatt.serve.work import Work, WorkQueue

BASE = "base.safetensors"


class Served:
    """A model in its folder."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.name, self.folder, self.limits = folder.name, folder, limits
        self.log = Log(folder / "log.sqlite", limits.kept)
        self.configuration = msgspec.json.decode(self.log.about()["configuration"], type=Configuration)
        beside = read(folder / BASE) if self.configuration.file else None
        self.snapshots = Snapshots(folder / "snapshots", self.log, limits.snapshots, beside)
        state = recovered(self.configuration, limits, self.log, self.snapshots)
        if state.unsaved:
            self.log.note_answers(state.unsaved.items())
            state.unsaved = {}
        self.queue = WorkQueue(limits.queue)
        self.learner = Learner(self.name, state, self.snapshots, self.queue, limits.snapshot_every)
        self._rolling_back = False

    @property
    def run(self) -> OnlineRun:
        """What learns and answers."""
        return self.learner.state.run

    @property
    def form(self) -> Form:
        """What its examples look like."""
        return self.learner.state.form

    @property
    def tally(self) -> Tally:
        """Its mistakes."""
        return self.learner.state.tally

    @property
    def has_learned(self) -> bool:
        """Whether it can answer."""
        return self.tally.examples > 0 or self.configuration.file

    def began_as(self, base: bytes | None) -> bool:
        """Whether it was made from this model file, or from none."""
        return base is None or (self.folder / BASE).read_bytes() == base

    def put(self, work: Work) -> None:
        """Into the queue of the thread that learns."""
        if self._rolling_back and len(work):
            raise RefusalError(429, "the model is being rolled back", retry_after=1)
        self.queue.put(work)

    def answer(self, X: Any) -> tuple[list[Any], Any, int]:
        """Labels, scores, and the version of the model that gave them."""
        with self.learner.lock:
            return *self.run.answer(X), self.learner.version

    def file(self) -> tuple[bytes, int]:
        """The model file and its version: a task of the thread that learns, for which nothing changes meanwhile."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.safetensors")
            write(self.snapshots.stored(self.run.model()), path)
            return path.read_bytes(), self.learner.version

    def begin_rollback(self) -> None:
        """No example is let in before it is over: what it may look like depends on the model then."""
        self._rolling_back = True

    def roll_back(self, to: int) -> None:
        """To the model of the examples up to a sequence number: a task of the thread that learns."""
        learner = self.learner
        try:
            learner.log_rollback(to)
            try:
                found = recovered(self.configuration, self.limits, self.log, self.snapshots)
            except Exception as error:
                learner.stop(f"the model could not be rolled back: {error}")
                raise RefusalError(503, str(learner.stopped), retry_after=60) from error
            with learner.lock:
                learner.state, learner.version, learner.answered = found, learner.seq, learner.seq
        finally:
            self._rolling_back = False

    def end(self) -> None:
        """Learn what waits, and close all files."""
        self.learner.end()
