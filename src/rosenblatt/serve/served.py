"""A model that is served: its folder, its log, its run, and the one thread that learns.

The thread takes what waits, logs it in one commit, learns it in order, and only then acknowledges it. So the log is
never behind the model that answers. Predictions read the model as it is; the lock keeps them out of the middle of an
update, which is short.
"""

import sqlite3
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rosenblatt.model_file import Stored, write
from rosenblatt.serve.configuration import Configuration
from rosenblatt.serve.form import Batch, as_text
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.log import Log
from rosenblatt.serve.recover import recovered
from rosenblatt.serve.refusal import RefusalError
from rosenblatt.serve.snapshots import Snapshots

MOST_AT_ONCE = 4096  # examples of one commit
PORTION = 256  # examples that are learned while predictions wait
IDLE = 0.2  # seconds after which answers are logged that no further example took with it


@dataclass
class Work:
    """What the thread is to do, and whom to tell: `done` gets the result, or why there is none."""

    done: Callable[[Any, BaseException | None], None]
    batch: Batch | None = None
    task: Callable[[], Any] | None = None

    def __len__(self) -> int:
        return 1 if self.batch is None else len(self.batch.y)


@dataclass
class Learned:
    """What became of an example."""

    seq: int
    id: str | None
    predicted: str  # JSON
    mistake: bool
    repeated: bool = False
    learned: bool = True


class Served:
    """A model in its folder."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        import msgspec

        self.name, self.folder, self.limits = folder.name, folder, limits
        self.log = Log(folder / "log.sqlite")
        self.configuration = msgspec.json.decode(self.log.about()["configuration"], type=Configuration)
        self.snapshots = Snapshots(folder / "snapshots", self.log, limits.snapshots)
        self._recover()
        self.seq = self.version = self.log.last()
        self.stopped: str | None = None
        self.lock = threading.Lock()  # of the run
        self.commit_seconds, self.commits = 0.0, 0
        self.waiting = 0  # examples in the queue
        self._queue: deque[Work] = deque()
        self._wake = threading.Condition()
        self._ending = False
        self._writer: threading.Thread | None = None
        self._thread = threading.Thread(target=self._work, name=f"learner {self.name}", daemon=True)
        self._thread.start()

    def _recover(self, upto: int = 2**62) -> None:
        found = recovered(self.folder, self.configuration, self.limits, self.log, self.snapshots, upto)
        self.run, self.form, self.tally, self.unsaved = found.run, found.form, found.tally, found.unsaved
        if self.unsaved:
            self.log.note_answers(self.unsaved.items())
            self.unsaved = {}

    def put(self, work: Work) -> None:
        """Into the queue; a 429 if it is full, a 503 if learning has stopped."""
        with self._wake:
            if self._ending:
                raise RefusalError(503, "the server is ending", retry_after=5)
            if work.batch is not None:
                if self.stopped is not None:
                    raise RefusalError(503, self.stopped, retry_after=60)
                if self.waiting + len(work) > self.limits.queue:
                    said = f"{self.waiting:,} examples wait to be learned: expected at most {self.limits.queue:,}"
                    raise RefusalError(429, said, retry_after=1)
                self.waiting += len(work)
            self._queue.append(work)
            self._wake.notify()

    def answer(self, X: Any) -> tuple[list[Any], Any, int]:
        """Labels, scores, and the version of the model that gave them."""
        with self.lock:
            return *self.run.answer(X), self.version

    def end(self) -> None:
        """Learn what waits, write a snapshot, and close the log."""
        with self._wake:
            self._ending = True
            self._wake.notify()
        self._thread.join()

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            learning = [work for work in taken if work.batch is not None]
            if learning:
                self._learn_all(learning)
            for work in taken:
                if work.task is not None:
                    _tell(work, work.task)
            if not taken:
                self._save_answers()
        self._save_answers()
        if self._writer is not None:
            self._writer.join()
            self._note_snapshot()
        if self.stopped is None and self.version > self.snapshots.seq:
            self._snapshot(wait=True)
        self.log.close()

    def _take(self) -> list[Work] | None:
        """What waits, up to a task, which is done alone; nothing after a while without work; None at the end."""
        with self._wake:
            if not self._queue:
                if self._ending:
                    return None
                self._wake.wait(IDLE if self.unsaved else None)
            taken, count = list[Work](), 0
            while self._queue and count < MOST_AT_ONCE:
                if self._queue[0].task is not None:
                    return taken or [self._queue.popleft()]
                taken.append(work := self._queue.popleft())
                count += len(work)
            return taken

    def _learn_all(self, works: list[Work]) -> None:
        try:
            if self.stopped is not None:
                raise RefusalError(503, self.stopped, retry_after=60)  # noqa: TRY301
            planned = self._log_all(works)
        except (sqlite3.Error, OSError) as error:
            self.stopped = f"learning has stopped, as the log cannot be written ({error}): restart the server"
            print(f"error: model {self.name}: {self.stopped}", file=sys.stderr, flush=True)
            planned, failed = [], RefusalError(503, self.stopped, retry_after=60)
        except RefusalError as error:
            planned, failed = [], error
        if not planned:
            for work in works:
                work.done(None, failed)
        answered = [(work, self._learned(work, plan)) for work, plan in zip(works, planned, strict=False)]
        with self._wake:
            self.waiting -= sum(map(len, works))
        for work, learned in answered:
            work.done((learned, self.version), None)
        if self.stopped is None and self._writer is None and self.version - self.snapshots.seq >= self.limits.snapshot_every:
            self._snapshot()
        elif self._writer is not None and not self._writer.is_alive():
            self._note_snapshot()

    def _log_all(self, works: list[Work]) -> list[list[int | None]]:
        """One commit; for each example its new sequence number, None if its id was there already."""
        texts = [text for work in works for text in work.batch.texts]  # type: ignore[union-attr]
        seen = set(self.log.seq_of([id for id, _, _ in texts if id is not None]))
        rows, planned, seq = [], list[list[int | None]](), self.seq
        for work in works:
            plan: list[int | None] = []
            for id, x, y in work.batch.texts:  # type: ignore[union-attr]
                if id is not None and id in seen:
                    plan.append(None)
                    continue
                if id is not None:
                    seen.add(id)
                seq += 1
                rows.append((seq, id, x, y))
                plan.append(seq)
            planned.append(plan)
        if rows:
            begun = time.perf_counter()
            self.log.append(rows, self.unsaved.items())
            self.commit_seconds += time.perf_counter() - begun
            self.commits += 1
            self.unsaved = {}
        self.seq = seq
        return planned

    def _learned(self, work: Work, plan: list[int | None]) -> list[Learned]:
        batch = work.batch
        assert batch is not None
        new = [k for k, seq in enumerate(plan) if seq is not None]
        X, y = (batch.X, batch.y) if len(new) == len(plan) else (batch.X[new], [batch.y[k] for k in new])
        taken = []
        for first in range(0, len(new), PORTION):
            with self.lock:
                taken += self.run.learn(X[first : first + PORTION], y[first : first + PORTION])
                self.version = plan[new[min(first + PORTION, len(new)) - 1]]  # type: ignore[assignment]
        answers = iter(taken)
        found = []
        for (id, _, text), seq in zip(batch.texts, plan, strict=True):
            if seq is None:
                found.append(self._first_answer(id))
                continue
            one = next(answers)
            label = as_text(one.label)
            self.unsaved[seq] = label
            self.tally.add(seq, mistake=label != text)
            found.append(Learned(seq, id, label, label != text, learned=one.learned))
        return found

    def _first_answer(self, id: str | None) -> Learned:  # noqa: A002
        seq = self.log.seq_of([id])[id]  # type: ignore[list-item, index]
        y, label = self.log.answer_at(seq)
        label = self.unsaved.get(seq) if label is None else label
        assert label is not None
        return Learned(seq, id, label, label != y, repeated=True)

    def _save_answers(self) -> None:
        if self.unsaved and self.stopped is None:
            try:
                self.log.note_answers(self.unsaved.items())
            except (sqlite3.Error, OSError) as error:
                self.stopped = f"learning has stopped, as the log cannot be written ({error}): restart the server"
                return
            self.unsaved = {}

    def _snapshot(self, *, wait: bool = False) -> None:
        """Of the model as it is now; written while learning goes on."""
        model, self._writing = self.run.model(), self.version

        def work() -> None:
            try:
                self.snapshots.write(model, self._writing)
            except OSError as error:
                self._writing = 0
                print(f"warning: model {self.name}: no snapshot: {error}", file=sys.stderr, flush=True)

        self._writer = threading.Thread(target=work, name=f"snapshot {self.name}", daemon=True)
        self._writer.start()
        if wait:
            self._writer.join()
            self._note_snapshot()

    def _note_snapshot(self) -> None:
        self._writer = None
        if self._writing:
            self.snapshots.note(self._writing)

    def file(self) -> tuple[bytes, int]:
        """The model file and its version; to be done by the thread that learns."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.safetensors")
            write(Stored(self.run.model()), path)
            return path.read_bytes(), self.version

    def roll_back(self, to: int) -> None:
        """To the model of the examples up to a sequence number; to be done by the thread that learns."""
        self._save_answers()
        self.log.roll_back(self.seq + 1, to)
        before = self.lock, self.seq + 1
        found = recovered(self.folder, self.configuration, self.limits, self.log, self.snapshots)
        with before[0]:
            self.run, self.form, self.tally = found.run, found.form, found.tally
            self.seq = self.version = before[1]


def _tell(work: Work, task: Callable[[], Any]) -> None:
    try:
        work.done(task(), None)
    except Exception as error:  # noqa: BLE001 - whoever asked hears of it
        work.done(None, error)
