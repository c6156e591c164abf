"""The folder of a server: it has a folder for each model, and a lock, so that no second server writes to the same logs.

A thread for each model opens it, so that no model waits for another.
"""

import fcntl
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec

from rosenblatt.base.atomic_write import sync_folder
from rosenblatt.doors.serve.answers import RefusalError, wrong
from rosenblatt.doors.serve.configuration import Configuration
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.log import Log
from rosenblatt.doors.serve.log_chain import DamagedLogError
from rosenblatt.doors.serve.recover import EndedError, Progress, seal_of
from rosenblatt.doors.serve.served import BASE, LOG, Served


class ModelOpening:
    """A model between the start of the server and its first answer. `ready` is called with the open model."""

    def __init__(self, folder: Path, limits: Limits, ready: Callable[[Served], None]) -> None:
        self.name, self._folder, self._limits, self._ready = folder.name, folder, limits, ready
        self._progress = Progress()
        self.failure: str | None = None
        self._thread = threading.Thread(target=self._work, name=f"open {self.name}", daemon=True)
        self._thread.start()

    @property
    def why(self) -> str:
        if self.failure is not None:
            return self.failure
        seq, last = self._progress.seq, self._progress.last
        return "the model is being opened" + (f": {seq:,} of {last:,} examples are replayed" if last else "")

    def refusal(self) -> RefusalError:
        return RefusalError(503, self.why, retry_after=1 if self.failure is None else 60)

    def end(self) -> None:
        self._progress.ended = True

    def join(self, until: float) -> bool:
        """Return whether the thread has ended by then."""
        self._thread.join(max(0.0, until - time.monotonic()))
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Wait until the model is open; if it cannot be opened, raise a 503."""
        self._thread.join()
        if self.failure is not None:
            raise self.refusal()

    def _work(self) -> None:
        try:
            self._ready(Served(self._folder, self._limits, self._progress))
        except EndedError:
            pass
        except Exception as error:  # only this model is not served
            if not isinstance(error, DamagedLogError | OSError):
                traceback.print_exc(file=sys.stderr)
            self.failure = f"the model cannot be opened: {reason(error, self._folder)}; restore it from a backup"
            print(f"error: model {self.name}: {self.failure}", file=sys.stderr, flush=True)


def reason(error: Exception, folder: Path) -> str:
    text = str(error) if isinstance(error, ValueError | OSError) else f"{type(error).__name__}: {error}"
    return text if str(folder) in text else f"{folder}: {text}"


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
_UNFINISHED = ".new-"


class Folder:
    """The models of a server: those that answer, and the names of those that do not yet, or cannot."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path, self.limits = path.resolve(), limits
        self._lock = lock(path)
        self.making = threading.Lock()  # makes one model at a time
        for left in self.path.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(left, ignore_errors=True)
        self.models: dict[str, Served] = {}
        self.openings: dict[str, ModelOpening] = {}
        for log in sorted(self.path.glob(f"[!.]*/{LOG}")):
            self._open(log.parent)

    def _open(self, folder: Path) -> ModelOpening:
        opening = ModelOpening(folder, self.limits, self._add)
        self.openings[opening.name] = opening
        return opening

    def _add(self, model: Served) -> None:
        self.models[model.name] = model

    def unavailable(self) -> dict[str, ModelOpening]:
        return {name: opening for name, opening in sorted(self.openings.items()) if name not in self.models}

    def make(self, name: str, configuration: Configuration, base: bytes | None = None) -> Served:
        """Make a new model. Its folder is complete, or does not exist."""
        check_name(name)
        if (self.path / name).exists():
            raise RefusalError(409, f"expected a free name, found a file or folder {name!r} that is no model", "name")
        if configuration.classes is not None and len(configuration.classes) > self.limits.labels:
            raise wrong(f"expected at most {self.limits.labels:,} (--labels)", "classes")
        folder = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self.path))
        try:
            about = {"configuration": msgspec.json.encode(configuration).decode()}
            if base is not None:
                _write(folder / BASE, base)
                about["base"] = seal_of(folder / BASE)
            Log.create(folder / LOG, about).close()
            sync_folder(folder)
            folder.rename(self.path / name)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        sync_folder(self.path)
        self._open(self.path / name).wait()
        return self.models[name]

    def close(self, until: float) -> bool:
        """Let models learn waiting examples if there is time. Return whether all ended and the folder is free."""
        for opening in self.openings.values():
            opening.end()
        for model in self.models.values():
            model.end(until)
        models: list[ModelOpening | Served] = [*self.openings.values(), *self.models.values()]
        late = [model.name for model in models if not model.join(until)]
        for name in late:
            print(f"warning: model {name}: the next start learns what is not learned yet", file=sys.stderr, flush=True)
        os.close(self._lock)
        return not late


def lock(path: Path) -> int:
    """Lock the folder for this process until the descriptor is closed."""
    path.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise ValueError(f"{path}: expected a folder that no server has, found one that another server has") from None
    return descriptor


def check_name(name: str) -> None:
    """Check that the name of a model can only be a folder inside this one."""
    if not _NAME.fullmatch(name):
        raise wrong("expected a name of up to 64 letters, digits, _ and -, found another", "name")


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
