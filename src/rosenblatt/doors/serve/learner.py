"""The one thread that teaches a model: it logs waiting examples in one commit, learns them in order, and acknowledges
them.

So the log is never behind the model, and examples are learned in the order of the log. After any error in this thread
the model learns nothing more, and says why to everybody who asks.
"""

import sqlite3
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.doors.serve.answers import RefusalError
from rosenblatt.doors.serve.form import Batch, as_text
from rosenblatt.doors.serve.log_chain import DamagedLogError
from rosenblatt.doors.serve.recover import Recovered, Snapshots
from rosenblatt.doors.serve.requests import LearnedExample, Raw

MOST_AT_ONCE = 4096  # maximum examples in one commit
IDLE = 0.2  # seconds after which answers are logged if no further commit included them
LOCKED = 10**7  # maximum steps of learning at a time: during them the model cannot answer
REPLAY = 30.0  # seconds of learning after which a snapshot is due, so that a restart is quick
ENDING = "the server is ending"
Done = Callable[[Any, BaseException | None], None]  # called with the result of some work, or the error


@dataclass
class ExamplesToLearn:
    """The examples of a request. The result tells how each was learned."""

    done: Done
    batch: Batch

    def __len__(self) -> int:
        return len(self.batch.y)


@dataclass
class PredictionsToKeep:
    """Predictions that wait for their labels: id, x and answer of each. The result is the first answer for each id."""

    done: Done
    rows: list[tuple[str, str, str]]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass
class Task:
    """Other work that must not be interrupted by learning; it has a result of its own."""

    done: Done
    run: Callable[[], Any]

    def __len__(self) -> int:
        return 0


Work = ExamplesToLearn | PredictionsToKeep | Task


class WorkQueue:
    """The queue of work for the thread that learns. The handlers of requests add to it."""

    def __init__(self, most: int) -> None:
        self._most, self._works = most, deque[Work]()
        self._wake = threading.Condition()
        self._closed: str | None = None
        self.size = 0  # examples and predictions that wait, or that the thread is learning

    def put(self, work: Work) -> None:
        """Add work, or raise a 429 if there is no room: accepted work is never dropped."""
        with self._wake:
            if self._closed is not None and (len(work) or self._closed == ENDING):
                raise RefusalError(503, self._closed, retry_after=60)
            if self.size + len(work) > self._most:
                why = f"{self.size:,} examples wait to be learned: expected at most {self._most:,}"
                raise RefusalError(429, why, retry_after=1)
            self.size += len(work)
            self._works.append(work)
            self._wake.notify()

    def close(self, why: str) -> None:
        """Accept no more work. The thread still gets what is in the queue."""
        with self._wake:
            self._closed = why
            self._wake.notify()

    def take(self, patience: float | None) -> Task | list[ExamplesToLearn | PredictionsToKeep] | None:
        """Return a task, or a list of other work; an empty list if nothing came in time; None at the end."""
        with self._wake:
            if not self._works and self._closed != ENDING:
                self._wake.wait(patience)
            if not self._works:
                return None if self._closed == ENDING else []
            works, count = list[ExamplesToLearn | PredictionsToKeep](), 0
            while self._works and count < MOST_AT_ONCE:
                first = self._works[0]
                if isinstance(first, Task):
                    if works:
                        break
                    self._works.popleft()
                    return first
                works.append(first)
                count += len(first)
                self._works.popleft()
            return works

    def free(self, works: list[ExamplesToLearn | PredictionsToKeep]) -> None:
        """Make room again, after these were learned or kept."""
        with self._wake:
            self.size -= sum(map(len, works))


class LearningModel:
    """What a model is while it learns: the run, the newest sequence number, and the thread."""

    def __init__(self, name: str, state: Recovered, snapshots: Snapshots, queue: WorkQueue, every: int) -> None:
        self.name, self.state, self.snapshots, self.queue = name, state, snapshots, queue
        self.log = snapshots.log
        self.version = self.answered = self.log.head.seq
        self.lock = threading.Lock()  # protects the run: held during some updates, or during an answer
        self.stopped: str | None = None
        self.commits, self.commit_seconds = 0, 0.0
        self._every, self._next_snapshot = every, snapshots.seq + every
        self._seconds = state.seconds  # seconds of learning since the newest snapshot
        self._until = float("inf")
        self._thread = threading.Thread(target=self._work, name=f"learner {name}", daemon=True)
        self._thread.start()

    def end(self, until: float) -> None:
        """Learn the waiting examples and write a snapshot, if there is time; then close the log."""
        self._until = until
        self.queue.close(ENDING)

    def join(self, patience: float) -> bool:
        """Return whether the thread has ended."""
        self._thread.join(max(0.0, patience))
        return not self._thread.is_alive()

    def _work(self) -> None:
        self._guard(self._tend_snapshots)  # after a long replay, a snapshot may be due
        while (work := self.queue.take(IDLE if self.state.unsaved or self.snapshots.busy else None)) is not None:
            if isinstance(work, Task):
                self._guard(lambda task=work: _carry_out(task), [work])  # type: ignore[misc]
            elif work:
                self._guard(lambda works=work: self._learn(works), work)  # type: ignore[misc]
            else:
                self._guard(self._save_answers)
            self._guard(self._tend_snapshots)
        self._guard(self._save_answers)
        self._guard(lambda: self._tend_snapshots(last=True))
        self._guard(self.log.close)

    def _guard(self, step: Callable[[], None], works: Sequence[Work] = ()) -> None:
        """Run a step. If it fails, this thread goes on, but the model stops, and all who wait get the reason."""
        try:
            step()
        except Exception as error:
            refusal = error if isinstance(error, RefusalError) else self._failure(error)
            for work in works:
                work.done(None, refusal)  # ignored for work that has its result already

    def _failure(self, error: Exception) -> RefusalError:
        if isinstance(error, DamagedLogError):
            self.stop(str(error), "restore the model from a backup")
        elif isinstance(error, sqlite3.Error | OSError):
            self.stop(f"the log cannot be written: {error}")
        else:  # logged examples can be learned, so this is an error of ours, or no memory
            traceback.print_exception(error, file=sys.stderr)
            self.stop(f"{type(error).__name__}: {error}")
        return RefusalError(503, str(self.stopped), retry_after=60)

    @contextmanager
    def _logging(self) -> Iterator[None]:
        """If the log cannot be read or written, learning ends for good, because nobody knows what is on the disk."""
        if self.stopped is not None:
            raise RefusalError(503, self.stopped, retry_after=60)
        try:
            yield
        except RefusalError:
            raise
        except Exception as error:
            raise self._failure(error) from error

    def stop(self, why: str, then: str = "restart the server") -> None:
        """Stop learning. The model still predicts."""
        if self.stopped is None:
            self.stopped = f"learning has stopped for good ({why}); {then}"
            print(f"error: model {self.name}: {self.stopped}", file=sys.stderr, flush=True)
            self.queue.close(self.stopped)

    def log_rollback(self, to: int) -> None:
        """Log that the examples after `to` no longer count. As every change, this has a sequence number."""
        self._save_answers()
        with self._logging():
            self.log.roll_back(to)

    def _learn(self, works: list[ExamplesToLearn | PredictionsToKeep]) -> None:
        try:
            self._check_time()
            with self._logging():
                plans = self._commit(works)
            for work, plan in zip(works, plans, strict=True):
                begun, result = time.monotonic(), list[Any]()
                if isinstance(work, ExamplesToLearn):
                    result = self._learn_batch(work.batch, plan)
                else:
                    result = self._first_answers(work.rows)
                self._seconds += time.monotonic() - begun
                work.done((result, self.version), None)
        finally:
            self.queue.free(works)

    def _check_time(self) -> None:
        if time.monotonic() > self._until:
            raise RefusalError(503, ENDING, retry_after=1)

    def _commit(self, works: list[ExamplesToLearn | PredictionsToKeep]) -> list[list[int | None]]:
        """Commit the examples. The result has the new sequence number of each; None if its id was in the log before."""
        texts = [work.batch.texts if isinstance(work, ExamplesToLearn) else [] for work in works]
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
        predictions = [row for work in works if isinstance(work, PredictionsToKeep) for row in work.rows]
        if rows or predictions:
            begun = time.perf_counter()
            self.log.append(rows, self.state.unsaved.items(), predictions)
            self.commit_seconds += time.perf_counter() - begun
            self.commits += 1
            self.state.unsaved = {}
        return plans

    def _learn_batch(self, batch: Batch, plan: list[int | None]) -> list[LearnedExample]:
        state = self.state
        new = [k for k, seq in enumerate(plan) if seq is not None]
        X, y = (batch.X, batch.y) if len(new) == len(plan) else (_some(batch.X, new), [batch.y[k] for k in new])
        answers: list[LearnedExample | None] = [None] * len(plan)
        portion = _portion(state.run.portion, batch)
        for first in range(0, len(new), portion):
            self._check_time()  # examples that are not learned yet are on the disk: the next start learns them
            last = min(first + portion, len(new))
            with self.lock if state.run.in_place else nullcontext():
                learned = state.run.learn(X[first:last], y[first:last])
                self.version = plan[new[last - 1]] or 0
            for k, answer in zip(new[first:last], learned, strict=True):
                key, _, text = batch.texts[k]
                seq, label = plan[k] or 0, as_text(answer.label)
                mistake = label != text
                state.unsaved[seq] = label
                state.tally.add(seq, mistake=mistake)
                answers[k] = LearnedExample(seq, Raw(label.encode()), mistake, key, learned=answer.learned)
        self.answered = self.version  # the log now has the answers up to here
        return [answer or self._answer_before(key) for answer, (key, _, _) in zip(answers, batch.texts, strict=True)]

    def _answer_before(self, key: Any) -> LearnedExample:
        """The answer to an example that came before; it does not change."""
        seq = self.log.seq_of([key])[key]
        y, label = self.log.answer_at(seq)
        label = self.state.unsaved[seq] if label is None else label
        return LearnedExample(seq, Raw(label.encode()), label != y, key, repeated=True)

    def _first_answers(self, predictions: list[tuple[str, str, str]]) -> list[str | None]:
        """The first answers for these ids, which the log keeps; None if the label was learned already."""
        rows = (self.log.waiting(key) for key, _, _ in predictions)
        return [None if row is None else row[1] for row in rows]

    def _save_answers(self) -> None:
        if self.state.unsaved and self.stopped is None:
            with self._logging():
                self.log.note_answers(self.state.unsaved.items())
                self.state.unsaved = {}

    def _tend_snapshots(self, *, last: bool = False) -> None:
        """Begin a snapshot when it is time, and register finished ones in the log."""
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
        """Register a snapshot with the answers up to it, because a replay that begins after it cannot find them."""
        patience = min(max(0.0, self._until - time.monotonic()), threading.TIMEOUT_MAX) if wait else 0.0
        if self.snapshots.note(self.state.unsaved.items(), patience):
            self.state.unsaved = {}


def _portion(most: int, batch: Batch) -> int:
    """How many examples to learn at a time, so that answers do not wait long."""
    return max(1, min(most, LOCKED * len(batch.y) // max(1, batch.steps)))


def _some(X: Any, which: list[int]) -> Any:
    return [X[k] for k in which] if isinstance(X, list) else X[np.array(which, dtype=np.int64)]


def _carry_out(task: Task) -> None:
    try:
        result = task.run()
    except Exception as error:  # the caller gets the error
        task.done(None, error)
    else:
        task.done(result, None)
