"""A model in the server: its folder, its configuration, and every operation on it."""

import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from rosenblatt.doors.serve.answers import RefusalError, wrong
from rosenblatt.doors.serve.configuration import Configuration
from rosenblatt.doors.serve.form import Form
from rosenblatt.doors.serve.learner import ExamplesToLearn, LearningModel, Work, WorkQueue
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.log import Log
from rosenblatt.doors.serve.log_chain import DamagedLogError, LogCheck
from rosenblatt.doors.serve.recover import Progress, Recovered, Snapshots, recover, seal_of
from rosenblatt.members.calibration import Calibration
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.linear.text.model import TextModel
from rosenblatt.services.records.model_file import Stored, read, write

LOG, BASE, SNAPSHOTS = "log.sqlite", "base.safetensors", "snapshots"


class ModelAnswer(NamedTuple):
    """Labels, scores if there are any, how scores become probabilities if they do, and the version of the model."""

    labels: list[Any]
    decision: Any
    calibration: Calibration | None
    version: int


class FolderContent(NamedTuple):
    """The content of the folder of a model: its configuration, its log and snapshots, and its state after a replay."""

    configuration: Configuration
    log: Log
    snapshots: Snapshots
    state: Recovered

    @classmethod
    def read(cls, folder: Path, limits: Limits, progress: Progress) -> Self:
        """Read the newest snapshot, and replay the examples after it."""
        log = Log(folder / LOG, limits.kept)
        try:
            about = log.about()
            configuration = msgspec.json.decode(about["configuration"], type=Configuration)
            base = _base(folder / BASE, about["base"]) if configuration.file else None
            snapshots = Snapshots(folder / SNAPSHOTS, log, limits.snapshots, base)
            state = recover(configuration, limits, log, snapshots, progress)
            if state.unsaved:
                log.note_answers(state.unsaved.items())
                state.unsaved = {}
        except BaseException:
            log.close()
            raise
        return cls(configuration, log, snapshots, state)


class Served:
    """A model with the thread that learns and the check of its log."""

    def __init__(self, folder: Path, limits: Limits, progress: Progress) -> None:
        self.name, self.folder, self.limits, self._progress = folder.name, folder, limits, progress
        self.configuration, self.log, self.snapshots, state = FolderContent.read(folder, limits, progress)
        self.queue = WorkQueue(limits.queue)
        self.learner = LearningModel(self.name, state, self.snapshots, self.queue, limits.snapshot_every)
        self._check = LogCheck(self.log.path, lambda why: self.learner.stop(why, "restore the model from a backup"))
        self._rollbacks = 0  # rollbacks that are not over

    @property
    def state(self) -> Recovered:
        """The run, the form of its examples, and its mistakes."""
        return self.learner.state

    @property
    def has_learned(self) -> bool:
        return self.state.tally.examples > 0 or self.configuration.file

    def check_learned(self) -> None:
        """Raise a 409 if there is no model yet."""
        if not self.has_learned:
            raise RefusalError(409, "the model has learned nothing yet")

    def began_as(self, base: bytes | None) -> bool:
        """Whether the model file `base`, if there is one, is the file that the model was made from."""
        return base is None or (self.folder / BASE).read_bytes() == base

    def put(self, work: Work) -> None:
        """Add work to the queue of the thread that learns. Work that is refused changes nothing."""
        try:
            self._let_in(work)
        except RefusalError:
            if isinstance(work, ExamplesToLearn):
                self.state.form.forget(work.batch)
            raise

    def _let_in(self, work: Work) -> None:
        if self._rollbacks and len(work):
            raise RefusalError(429, "the model is being rolled back", retry_after=1)
        self.queue.put(work)

    def answer(self, X: Any, form: Form, *, wait: bool) -> ModelAnswer | None:
        """The answer of the model as it is now. None if the caller would wait but must not."""
        if not self.learner.lock.acquire(blocking=wait):
            return None
        try:
            if self.state.form is not form:
                raise RefusalError(429, "the model was rolled back meanwhile", retry_after=1)
            return ModelAnswer(*self.state.run.answer(X), self.state.run.calibration, self.learner.version)
        except ArithmeticError as error:
            raise wrong(f"expected rows with smaller numbers: {error}", "rows") from None
        finally:
            self.learner.lock.release()

    def model_for(self, X: TextRows, form: Form) -> tuple[TextModel, int]:
        """A model of texts that answers these rows as this one does, and its version."""
        with self.learner.lock:
            if self.state.form is not form:
                raise RefusalError(429, "the model was rolled back meanwhile", retry_after=1)
            classes = self.state.run.classes
            if classes is None or len(classes) < 2:
                raise RefusalError(409, "the model has not learned two labels yet")
            run: Any = self.state.run
            return run.model_for(X), self.learner.version

    def file(self) -> tuple[bytes, int]:
        """The model file and its version. The thread that learns must call it, because nothing may change meanwhile."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.safetensors")
            write(self.snapshots.to_store(self.state.run.model()), path)
            return path.read_bytes(), self.learner.version

    def begin_rollback(self) -> None:
        """Accept no example until the rollback is over, because the form of examples depends on the model."""
        self._rollbacks += 1

    def roll_back(self, to: int) -> None:
        """Return to the model of the examples up to a sequence number. Only the thread that learns may call it."""
        learner = self.learner
        try:
            learner.log_rollback(to)
            try:
                state = recover(self.configuration, self.limits, self.log, self.snapshots, self._progress)
            except Exception as error:
                learner.stop(f"the model could not be rolled back: {error}")
                raise RefusalError(503, str(learner.stopped), retry_after=60) from error
            with learner.lock:
                learner.state, learner.version, learner.answered = state, self.log.head.seq, self.log.head.seq
        finally:
            self._rollbacks -= 1

    def end(self, until: float) -> None:
        """Begin to end: learn what waits and write a snapshot, if there is time."""
        self._progress.ended = True
        self._check.end()
        self.learner.end(until)

    def join(self, until: float) -> bool:
        """Return whether everything has ended by then, and all files are closed."""
        learner, check = (thread.join(until - time.monotonic()) for thread in (self.learner, self._check))
        return learner and check


def _base(path: Path, seal: str) -> Stored:
    """The model file from which a model was made."""
    if seal_of(path) != seal:
        raise DamagedLogError(f"{path}: expected the file that the model began as, found another")
    return read(path)
