"""The one thread that learns a model: it logs what waits in one commit, learns it in order, and then acknowledges it.

So the log is never behind the model that answers, and the order of the log is the order of learning. Whatever goes
wrong in this thread stops the model in a way that everybody sees: it learns nothing more, and says why.
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

from rosenblatt.doors.serve.answers import RefusalError
from rosenblatt.doors.serve.form import Batch, as_text
from rosenblatt.doors.serve.log_chain import DamagedLogError
from rosenblatt.doors.serve.recover import Recovered, Snapshots
from rosenblatt.doors.serve.requests import LearnedExample, Raw

MOST_AT_ONCE = 4096  # examples of one commit
IDLE = 0.2  # seconds after which answers are logged that no further commit took along
LOCKED = 10**7  # steps of learning during which no answer is given
REPLAY = 30.0  # seconds of learning after which a snapshot is due, so that a restart is quick
ENDING = "the server is ending"
Done = Callable[[Any, BaseException | None], None]  # gets the result of some work, or why there is none


@dataclass
class ExamplesToLearn:
    """The examples of a request. The result is what became of each."""

    done: Done
    batch: Batch

    def __len__(self) -> int:
        return len(self.batch.y)


@dataclass
class PredictionsToKeep:
    """Predictions that wait for their labels: id, x and answer of each. The result is the first answer to each id."""

    done: Done
    rows: list[tuple[str, str, str]]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass
class Task:
    """Something else that no learning may interrupt; the result is its own."""

    done: Done
    run: Callable[[], Any]

    def __len__(self) -> int:
        return 0


Work = ExamplesToLearn | PredictionsToKeep | Task


class WorkQueue:
    """What waits for the thread that learns, in the order in which it came; those who handle requests fill it."""

    def __init__(self, most: int) -> None:
        self._most, self._works = most, deque[Work]()
        self._wake = threading.Condition()
        self._closed: str | None = None
        self.size = 0  # examples and predictions that wait or are being learned

    def put(self, work: Work) -> None:
        """A 429 if there is no room: nothing is dropped that was let in."""
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
        """Nothing more is let in; what is there already can be taken."""
        with self._wake:
            self._closed = why
            self._wake.notify()

    def take(self, patience: float | None) -> Task | list[ExamplesToLearn | PredictionsToKeep] | None:
        """A task, or some other works; no works if none came in time; None at the end."""
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
        """Make room again: these were learned or kept."""
        with self._wake:
            self.size -= sum(map(len, works))


class LearningModel:
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
        """Whether the thread has ended."""
        self._thread.join(max(0.0, patience))
        return not self._thread.is_alive()

    def _work(self) -> None:
        self._guard(self._tend_snapshots)  # the replay may have been a long one
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
        """No error ends this thread: the model stops, and all that wait hear of it."""
        try:
            step()
        except Exception as error:
            refusal = error if isinstance(error, RefusalError) else self._failure(error)
            for work in works:
                work.done(None, refusal)  # where something was answered already, this is ignored

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
        """One commit; for each example its new sequence number, None if its id was there already."""
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
            self._check_time()  # what is not learned is on the disk: the next start learns it
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
        self.answered = self.version  # whoever reads the log finds an answer up to here
        return [answer or self._answer_before(key) for answer, (key, _, _) in zip(answers, batch.texts, strict=True)]

    def _answer_before(self, key: Any) -> LearnedExample:
        """The answer to an example that came before: the same as then."""
        seq = self.log.seq_of([key])[key]
        y, label = self.log.answer_at(seq)
        label = self.state.unsaved[seq] if label is None else label
        return LearnedExample(seq, Raw(label.encode()), label != y, key, repeated=True)

    def _first_answers(self, predictions: list[tuple[str, str, str]]) -> list[str | None]:
        """The first answers to these ids, which the log keeps; None: the label was learned already."""
        rows = (self.log.waiting(key) for key, _, _ in predictions)
        return [None if row is None else row[1] for row in rows]

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


def _carry_out(task: Task) -> None:
    try:
        result = task.run()
    except Exception as error:  # whoever asked hears of it
        task.done(None, error)
    else:
        task.done(result, None)
