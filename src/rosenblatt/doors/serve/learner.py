"""The one thread that learns a model: it logs what waits in one commit, learns it in order, and then acknowledges it.

So the log is never behind the model that answers, and the order of the log is the order of learning. Whatever goes
wrong in this thread stops the model in a way that everybody sees: it learns nothing more, and says why.
"""

import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from rosenblatt.doors.serve.form import Batch, as_text
from rosenblatt.doors.serve.log_schema import DamagedLogError
from rosenblatt.doors.serve.recover import Recovered
from rosenblatt.doors.serve.refusal import RefusalError
from rosenblatt.doors.serve.requests import LearnedExample, Raw
from rosenblatt.doors.serve.snapshots import Snapshots
from rosenblatt.doors.serve.work import ENDING, Work, WorkQueue

IDLE = 0.2  # seconds after which answers are logged that no further commit took along
LOCKED = 10**7  # steps of learning during which no answer is given
REPLAY = 30.0  # seconds of learning after which a snapshot is due, so that a restart is quick


class Learner:
    """What a model is while it learns: the run, the newest sequence number, and the thread."""

    def __init__(self, name: str, state: Recovered, snapshots: Snapshots, queue: WorkQueue, every: int) -> None:
        self.name, self.state, self.snapshots, self.queue = name, state, snapshots, queue
        self.log = snapshots.log
        self.version = self.answered = self.log.head.seq
        self.lock = threading.Lock()  # of the run: held for the time of some updates, or of an answer
        self.stopped: str | None = None
        self.commits, self.commit_seconds = 0, 0.0
        self._every, self._next_snapshot = every, snapshots.seq + every
        self._seconds = state.seconds  # of learning since the newest snapshot
        self._until = float("inf")
        self._thread = threading.Thread(target=self._work, name=f"learner {name}", daemon=True)
        self._thread.start()

    def end(self, until: float) -> None:
        """Learn what waits and write a snapshot, if there is time for it; then close the log."""
        self._until = until
        self.queue.close(ENDING)

    def join(self, patience: float) -> bool:
        """Whether it has ended."""
        self._thread.join(max(0.0, patience))
        return not self._thread.is_alive()

    def _work(self) -> None:
        self._guarded(self._tend_snapshots)  # the replay may have been a long one
        while (works := self.queue.take(IDLE if self.state.unsaved or self.snapshots.busy else None)) is not None:
            self._guarded(lambda works=works: self._do(works), works)  # type: ignore[misc]
            self._guarded(self._tend_snapshots)
        self._guarded(self._save_answers)
        self._guarded(lambda: self._tend_snapshots(last=True))
        self._guarded(self.log.close)

    def _do(self, works: list[Work]) -> None:
        if not works:
            self._save_answers()
        elif works[0].task is not None:
            _tell(works[0], works[0].task)
        else:
            self._learn(works)

    def _guarded(self, work: Callable[[], None], works: list[Work] | None = None) -> None:
        """No error ends this thread: the model stops, and all that wait hear of it."""
        try:
            work()
        except Exception as error:
            refusal = error if isinstance(error, RefusalError) else self._failure(error)
            for one in works or ():
                one.done(None, refusal)  # where something was answered already, this is ignored

    def _failure(self, error: Exception) -> RefusalError:
        if isinstance(error, DamagedLogError):
            self.stop(str(error), "restore the model from a backup")
        elif isinstance(error, sqlite3.Error | OSError):
            self.stop(f"the log cannot be written: {error}")
        else:  # what is logged can be learned: a fault of ours, or no memory
            traceback.print_exception(error, file=sys.stderr)
            self.stop(f"{type(error).__name__}: {error}")
        return RefusalError(503, str(self.stopped), retry_after=60)

    @contextmanager
    def _logging(self) -> Iterator[None]:
        """A log that cannot be read or written ends the learning for good: what is on the disk, nobody can say."""
        if self.stopped is not None:
            raise RefusalError(503, self.stopped, retry_after=60)
        try:
            yield
        except RefusalError:
            raise
        except Exception as error:
            raise self._failure(error) from error

    def stop(self, why: str, then: str = "restart the server") -> None:
        """Learn nothing more; predictions go on."""
        if self.stopped is None:
            self.stopped = f"learning has stopped for good ({why}); {then}"
            print(f"error: model {self.name}: {self.stopped}", file=sys.stderr, flush=True)
            self.queue.close(self.stopped)

    def log_rollback(self, to: int) -> None:
        """From now on the examples after `to` do not count; it takes a sequence number, as all that changes a model."""
        self._save_answers()
        with self._logging():
            self.log.roll_back(to)

    def _learn(self, works: list[Work]) -> None:
        try:
            self._check_time()
            with self._logging():
                plans = self._commit(works)
            for work, plan in zip(works, plans, strict=True):
                begun = time.monotonic()
                result = self._kept(work) if work.batch is None else self._learned(work.batch, plan)
                self._seconds += time.monotonic() - begun
                work.done((result, self.version), None)
        finally:
            self.queue.finished(works)

    def _check_time(self) -> None:
        if time.monotonic() > self._until:
            raise RefusalError(503, ENDING, retry_after=1)

    def _commit(self, works: list[Work]) -> list[list[int | None]]:
        """One commit; for each example its new sequence number, None if its id was there already."""
        texts = [work.batch.texts if work.batch else [] for work in works]
        seen = set(self.log.seq_of([key for part in texts for key, _, _ in part if key is not None]))
        rows, plans, seq = [], list[list[int | None]](), self.log.head.seq
        for part in texts:
            plan: list[int | None] = []
            for key, x, y in part:
                if key in seen:
                    plan.append(None)
                    continue
                if key is not None:
                    seen.add(key)
                seq += 1
                rows.append((seq, key, x, y))
                plan.append(seq)
            plans.append(plan)
        kept = [row for work in works for row in work.kept]
        if rows or kept:
            begun = time.perf_counter()
            self.log.append(rows, self.state.unsaved.items(), kept)
            self.commit_seconds += time.perf_counter() - begun
            self.commits += 1
            self.state.unsaved = {}
        return plans

    def _learned(self, batch: Batch, plan: list[int | None]) -> list[LearnedExample]:
        state = self.state
        new = [k for k, seq in enumerate(plan) if seq is not None]
        X, y = (batch.X, batch.y) if len(new) == len(plan) else (_some(batch.X, new), [batch.y[k] for k in new])
        answers: list[LearnedExample | None] = [None] * len(plan)
        portion = _portion(state.run.portion, batch)
        for first in range(0, len(new), portion):
            self._check_time()  # what is not learned is on the disk: the next start learns it
            last = min(first + portion, len(new))
            with self.lock if state.run.in_place else nullcontext():
                learned = state.run.learn(X[first:last], y[first:last])
                self.version = plan[new[last - 1]] or 0
            for k, one in zip(new[first:last], learned, strict=True):
                key, _, text = batch.texts[k]
                seq, label = plan[k] or 0, as_text(one.label)
                mistake = label != text
                state.unsaved[seq] = label
                state.tally.add(seq, mistake=mistake)
                answers[k] = LearnedExample(seq, Raw(label.encode()), mistake, key, learned=one.learned)
        self.answered = self.version  # whoever reads the log finds an answer up to here
        return [one or self._first_answer(key) for one, (key, _, _) in zip(answers, batch.texts, strict=True)]

    def _first_answer(self, key: Any) -> LearnedExample:
        """To an example that comes again."""
        seq = self.log.seq_of([key])[key]
        y, label = self.log.answer_at(seq)
        label = self.state.unsaved[seq] if label is None else label
        return LearnedExample(seq, Raw(label.encode()), label != y, key, repeated=True)

    def _kept(self, work: Work) -> list[str | None]:
        """The answers that were kept, which are the first ones to their ids; None: its label was learned already."""
        rows = (self.log.waiting(key) for key, _, _ in work.kept)
        return [None if one is None else one[1] for one in rows]

    def _save_answers(self) -> None:
        if self.state.unsaved and self.stopped is None:
            with self._logging():
                self.log.note_answers(self.state.unsaved.items())
                self.state.unsaved = {}

    def _tend_snapshots(self, *, last: bool = False) -> None:
        """Begin one if it is time, and name in the log what was written."""
        if self.stopped is not None:
            return
        with self._logging():
            self._note_snapshot(wait=last)
            due = self.version >= self._next_snapshot or self._seconds > REPLAY or last
            if due and self.version > self.snapshots.seq and not self.snapshots.busy and time.monotonic() < self._until:
                self._next_snapshot, self._seconds = self.version + self._every, 0.0
                self.snapshots.begin(self.state.run.model(), self.version, self.state.beside)
            if last:
                self._note_snapshot(wait=True)

    def _note_snapshot(self, *, wait: bool) -> None:
        """With the answers up to it: they are not found again by a replay that begins after it."""
        patience = min(max(0.0, self._until - time.monotonic()), threading.TIMEOUT_MAX) if wait else 0.0
        if self.snapshots.note(self.state.unsaved.items(), patience):
            self.state.unsaved = {}


def _portion(most: int, batch: Batch) -> int:
    """How many examples are learned at a time: others do not wait long for an answer."""
    return max(1, min(most, LOCKED * len(batch.y) // max(1, batch.steps)))


def _some(X: Any, which: list[int]) -> Any:
    return [X[k] for k in which] if isinstance(X, list) else X[which]


def _tell(work: Work, task: Callable[[], Any]) -> None:
    try:
        work.done(task(), None)
    except Exception as error:  # whoever asked hears of it
        work.done(None, error)
