"""The folder of a server: one folder a model, and a lock, so that no second server learns into the same logs."""

import fcntl
import os
import re
import shutil
import tempfile
import threading
from pathlib import Path

import msgspec

from rosenblatt.data.atomic_write import sync_folder
from rosenblatt.serve.configuration import Configuration
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.log import Log
from rosenblatt.serve.refusal import wrong
from rosenblatt.serve.served import BASE, Served

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
_UNFINISHED = ".new-"


class Folder:
    """The models of a server."""

    def __init__(self, path: Path, limits: Limits) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path, self.limits = path.resolve(), limits
        self.making = threading.Lock()  # one model at a time
        self._lock = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise ValueError(
                f"{path}: expected a folder that no server has, found one that another server has"
            ) from None
        for left in self.path.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(left)
        logs = sorted(self.path.glob("*/log.sqlite"))
        self.models = {log.parent.name: Served(log.parent, limits) for log in logs}

    def make(self, name: str, configuration: Configuration, base: bytes | None = None) -> Served:
        """A new model: its folder is there whole, or not at all."""
        check_name(name)
        made = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self.path))
        try:
            if base is not None:
                _write(made / BASE, base)
            Log.made(made / "log.sqlite", {"configuration": msgspec.json.encode(configuration).decode()}).close()
            sync_folder(made)
            made.rename(self.path / name)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
        sync_folder(self.path)
        self.models[name] = Served(self.path / name, self.limits)
        return self.models[name]

    def close(self) -> None:
        """Each model learns what waits for it; then the folder is free for another server."""
        for model in self.models.values():
            model.end()
        os.close(self._lock)


def check_name(name: str) -> None:
    """The name of a model is that of a folder, and of no other place."""
    if not _NAME.fullmatch(name):
        raise wrong("expected a name of up to 64 letters, digits, _ and -, found another", "name")


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
