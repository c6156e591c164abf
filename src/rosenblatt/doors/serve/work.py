"""What waits for the thread that learns: requests in the order in which they came, as many as are allowed."""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rosenblatt.doors.serve.form import Batch
from rosenblatt.doors.serve.refusal import RefusalError

MOST_AT_ONCE = 4096  # examples of one commit


@dataclass
class Work:
    """Examples to learn, predictions to keep, or a task of its own; `done` gets the result, or why there is none."""

    done: Callable[[Any, BaseException | None], None]
    batch: Batch | None = None
    kept: list[tuple[str, str, str]] = field(default_factory=list)  # id, x, answer
    task: Callable[[], Any] | None = None

    def __len__(self) -> int:
        return len(self.kept) + (0 if self.batch is None else len(self.batch.y))


class WorkQueue:
    """Filled by those who handle requests, emptied by one thread."""

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
                said = f"{self.size:,} examples wait to be learned: expected at most {self._most:,}"
                raise RefusalError(429, said, retry_after=1)
            self.size += len(work)
            self._works.append(work)
            self._wake.notify()

    def close(self, why: str) -> None:
        """Nothing more is let in; what is there already can be taken."""
        with self._wake:
            self._closed = why
            self._wake.notify()

    def take(self, patience: float | None) -> list[Work] | None:
        """Some works, or a task alone; nothing if none came in time; None at the end."""
        with self._wake:
            if not self._works and self._closed != ENDING:
                self._wake.wait(patience)
            if not self._works:
                return None if self._closed == ENDING else []
            if self._works[0].task is not None:
                return [self._works.popleft()]
            taken, count = list[Work](), 0
            for work in self._works:
                if work.task is not None or count >= MOST_AT_ONCE:
                    break
                taken.append(work)
                count += len(work)
            for _ in taken:
                self._works.popleft()
            return taken

    def finished(self, works: list[Work]) -> None:
        """There is room again."""
        with self._wake:
            self.size -= sum(map(len, works))


ENDING = "the server is ending"
