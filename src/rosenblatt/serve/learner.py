"""The one thread that learns a model: it logs what waits in one commit, learns it in order, and then acknowledges it.

So the log is never behind the model that answers, and the order of the log is the order of learning.
"""

import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from rosenblatt.serve.form import as_text
from rosenblatt.serve.recover import Recovered
from rosenblatt.serve.refusal import RefusalError
from rosenblatt.serve.requests import LearnedExample, Raw
from rosenblatt.serve.snapshots import Snapshots
from rosenblatt.serve.work import ENDING, Work, WorkQueue

IDLE = 0.2  # seconds after which answers are logged that no further commit took along


class Learner:
    """What a model is while it learns: the run, the newest sequence number, and the thread."""

    def __init__(self, name: str, state: Recovered, snapshots: Snapshots, queue: WorkQueue, every: int) -> None:
        self.name, self.state, self.snapshots, self.queue = name, state, snapshots, queue
        self.log = snapshots.log
        self.seq = self.version = self.answered = self.log.last()
        self.lock = threading.Lock()  # of the run: held for the time of some updates, or of an answer
        self.stopped: str | None = None
        self.commits, self.commit_seconds = 0, 0.0
        self._every, self._next_snapshot = every, snapshots.seq + every
        self._thread = threading.Thread(target=self._work, name=f"learner {name}", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Learn all that waits, write a snapshot, and close the log."""
        self.queue.close(ENDING)
        self._thread.join()

    def _work(self) -> None:
        while (taken := self.queue.take(IDLE if self.state.unsaved or self.snapshots.busy else None)) is not None:
            if not taken:
                self._save_answers()
            elif taken[0].task is not None:
                _tell(taken[0], taken[0].task)
            else:
                self._learn(taken)
            self._tend_snapshots()
        self._save_answers()
        self._tend_snapshots(last=True)
        self.log.close()

    @contextmanager
    def _logging(self) -> Iterator[None]:
        """A log that cannot be written ends the learning for good: what is on the disk now, nobody can say."""
        if self.stopped is not None:
            raise RefusalError(503, self.stopped, retry_after=60)
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.stop(f"the log cannot be written: {error}")
            raise RefusalError(503, str(self.stopped), retry_after=60) from error

    def stop(self, why: str) -> None:
        """Learn nothing more; predictions go on."""
        self.stopped = f"learning has stopped for good ({why}); restart the server"
        print(f"error: model {self.name}: {self.stopped}", file=sys.stderr, flush=True)
        self.queue.close(self.stopped)

    def log_rollback(self, to: int) -> None:
        """From now on the examples after `to` do not count; it takes a sequence number, as all that changes a model."""
        self._save_answers()
        with self._logging():
            self.log.roll_back(self.seq + 1, to)
            self.seq += 1

    def _learn(self, works: list[Work]) -> None:
        try:
            with self._logging():
                planned = self._commit(works)
        except RefusalError as refusal:
            for work in works:
                work.done(None, refusal)
        else:
            for work, plan in zip(works, planned, strict=True):
                try:
                    result = self._kept(work) if work.batch is None else self._learned(work, plan)
                    work.done((result, self.version), None)
                except Exception as error:  # what is logged can be learned: a fault of ours, or no memory
                    traceback.print_exc()
                    self.stop(f"{type(error).__name__}: {error}")
                    work.done(None, RefusalError(503, str(self.stopped), retry_after=60))
        self.queue.finished(works)

    def _commit(self, works: list[Work]) -> list[list[int | None]]:
        """One commit; for each example its new sequence number, None if its id was there already."""
        texts = [work.batch.texts if work.batch else [] for work in works]
        seen = set(self.log.seq_of([key for part in texts for key, _, _ in part if key is not None]))
        rows, planned, seq = [], list[list[int | None]](), self.seq
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
            planned.append(plan)
        kept = [row for work in works for row in work.kept]
        if rows or kept:
            begun = time.perf_counter()
            self.log.append(rows, self.state.unsaved.items(), kept)
            self.commit_seconds += time.perf_counter() - begun
            self.commits += 1
            self.state.unsaved = {}
        self.seq = seq
        return planned

    def _learned(self, work: Work, plan: list[int | None]) -> list[LearnedExample]:
        batch, state = work.batch, self.state
        assert batch is not None
        new = [k for k, seq in enumerate(plan) if seq is not None]
        X, y = (batch.X, batch.y) if len(new) == len(plan) else (_some(batch.X, new), [batch.y[k] for k in new])
        taken = []
        portion = state.run.portion
        for first in range(0, len(new), portion):
            last = min(first + portion, len(new))
            with self.lock if state.run.in_place else nullcontext():
                taken += state.run.learn(X[first:last], y[first:last])
                self.version = plan[new[last - 1]] or 0
        answers, found = iter(taken), []
        for (key, _, text), seq in zip(batch.texts, plan, strict=True):
            if seq is None:
                found.append(self._first_answer(key))
                continue
            one = next(answers)
            state.unsaved[seq] = label = as_text(one.label)
            state.tally.add(seq, mistake=label != text)
            found.append(LearnedExample(seq, Raw(label.encode()), label != text, key, learned=one.learned))
        self.answered = self.version  # whoever reads the log finds an answer up to here
        return found

    def _first_answer(self, key: Any) -> LearnedExample:
        """To an example that comes again."""
        seq = self.log.seq_of([key])[key]
        y, label = self.log.answer_at(seq)
        label = self.state.unsaved[seq] if label is None else label
        return LearnedExample(seq, Raw(label.encode()), label != y, key, repeated=True)

    def _kept(self, work: Work) -> list[str | None]:
        """The answers that were kept, which are the first ones to their ids; None: its label was learned already."""
        found = (self.log.waiting(key) for key, _, _ in work.kept)
        return [None if one is None else one[1] for one in found]

    def _save_answers(self) -> None:
        if self.state.unsaved and self.stopped is None:
            try:
                with self._logging():
                    self.log.note_answers(self.state.unsaved.items())
                    self.state.unsaved = {}
            except RefusalError:
                pass  # it is said by whoever learns next

    def _tend_snapshots(self, *, last: bool = False) -> None:
        """Begin one if it is time, and name in the log what was written."""
        if self.stopped is not None:
            return
        try:
            with self._logging():
                self._note_snapshot(wait=last)
                due = self.version >= self._next_snapshot or (last and self.version > self.snapshots.seq)
                if due and not self.snapshots.busy:
                    self._next_snapshot = self.version + self._every
                    self.snapshots.begin(self.state.run.model(), self.version)
                if last:
                    self._note_snapshot(wait=True)
        except RefusalError:
            pass

    def _note_snapshot(self, *, wait: bool) -> None:
        """With the answers up to it: they are not found again by a replay that begins after it."""
        if self.snapshots.note(self.state.unsaved.items(), wait=wait):
            self.state.unsaved = {}


def _some(X: Any, which: list[int]) -> Any:
    return [X[k] for k in which] if isinstance(X, list) else X[which]


def _tell(work: Work, task: Callable[[], Any]) -> None:
    try:
        work.done(task(), None)
    except Exception as error:  # whoever asked hears of it
        work.done(None, error)
