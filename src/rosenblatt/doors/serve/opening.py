"""A model that does not answer yet, or cannot: a thread of its own opens it, so that nobody else waits for it."""

import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.log_schema import DamagedLogError
from rosenblatt.doors.serve.recover import EndedError, Progress
from rosenblatt.doors.serve.refusal import RefusalError
from rosenblatt.doors.serve.served import Served


class Opening:
    """A model between the start of the server and its first answer; `ready` gets it."""

    def __init__(self, folder: Path, limits: Limits, ready: Callable[[Served], None]) -> None:
        self.name, self._folder, self._limits, self._ready = folder.name, folder, limits, ready
        self._progress = Progress()
        self.failure: str | None = None
        self._thread = threading.Thread(target=self._work, name=f"open {self.name}", daemon=True)
        self._thread.start()

    @property
    def why(self) -> str:
        """Why it does not answer."""
        if self.failure is not None:
            return self.failure
        seq, last = self._progress.seq, self._progress.last
        return "the model is being opened" + (f": {seq:,} of {last:,} examples are replayed" if last else "")

    def refusal(self) -> RefusalError:
        """What a request for it is answered with."""
        return RefusalError(503, self.why, retry_after=1 if self.failure is None else 60)

    def end(self) -> None:
        """Stop the replay."""
        self._progress.ended = True

    def join(self, until: float) -> bool:
        """Whether it has ended."""
        self._thread.join(max(0.0, until - time.monotonic()))
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Until it is open; a 503 if it cannot be."""
        self._thread.join()
        if self.failure is not None:
            raise self.refusal()

    def _work(self) -> None:
        try:
            self._ready(Served(self._folder, self._limits, self._progress))
        except EndedError:
            pass
        except Exception as error:  # this model alone is not served
            if not isinstance(error, DamagedLogError | OSError):
                traceback.print_exc(file=sys.stderr)
            self.failure = f"the model cannot be opened: {reason(error, self._folder)}; restore it from a backup"
            print(f"error: model {self.name}: {self.failure}", file=sys.stderr, flush=True)


def reason(error: Exception, folder: Path) -> str:
    """What is wrong with a model, with the place."""
    text = str(error) if isinstance(error, ValueError | OSError) else f"{type(error).__name__}: {error}"
    return text if str(folder) in text else f"{folder}: {text}"
