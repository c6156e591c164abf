"""Input that comes through a pipe, of which nobody knows when more will come.

A file is read in large blocks, and so is a pipe that is full. `at_once` has a block end where the pipe has nothing
more for now, so that what is there is answered although the pipe stays open. `interruptible` has no thread sleep in a
read that nothing ends.
"""

import os
import select
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.services.files.compressed import OpenFile

PATIENCE = 0.005  # seconds; a writer that is at work has its next piece ready by then
LONGEST = 0.05  # seconds; longer than this, what has arrived does not wait for more
LOOK_UP = 0.2  # seconds; a waiting thread checks this often whether it is still needed
_at_once = ContextVar("whether what has come is to be answered before more has", default=False)
_interruptible = ContextVar("whether nobody has read from standard input before", default=False)
_wanted: ContextVar[Callable[[], bool]] = ContextVar("whether a thread is to wait on", default=lambda: True)


def wait_while(wanted: Callable[[], bool]) -> None:
    """Let this thread, which is one of its own, wait for pipes while `wanted()` is true."""
    _wanted.set(wanted)


@contextmanager
def at_once() -> Iterator[None]:
    """End blocks of lines, sentences and rows where a pipe has nothing more for now."""
    before = _at_once.set(True)
    try:
        yield
    finally:
        _at_once.reset(before)


@contextmanager
def interruptible() -> Iterator[None]:
    """Read from pipes by their descriptors: only for a program that has not read from them otherwise."""
    before = _interruptible.set(True)
    try:
        yield
    finally:
        _interruptible.reset(before)


def is_answered_at_once(source: "OpenFile") -> bool:
    """Whether what has come of it is not to wait for what follows."""
    return _at_once.get() and _is_pipe(source)


def _is_pipe(source: "OpenFile") -> bool:
    if not _interruptible.get() or os.name != "posix" or source.compression != "no":
        return False
    try:
        mode = os.fstat(source.file.fileno()).st_mode
    except (AttributeError, OSError, ValueError):  # not a file of the operating system
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class Pipe:
    """A pipe that is read as its data come."""

    def __init__(self, file: Any, *, head: bool) -> None:
        self._file, self._descriptor = file, file.fileno()
        self._head = head  # whether the file's buffer may hold bytes that were looked at before
        self._since: float | None = None
        self._at_once = _at_once.get()

    @classmethod
    def of(cls, source: "OpenFile", *, head: bool) -> "Pipe | None":
        """The pipe that a source is, if it is one, and if it may be read so."""
        return cls(source.file, head=head) if _is_pipe(source) else None

    def read_into(self, view: memoryview) -> int:
        """What is there, once something is; 0 at the end, or when nobody waits for it any more."""
        if self._head:
            self._head = False
            data = self._file.read1(len(view))
            view[: len(data)] = data
            return len(data)
        wanted = _wanted.get()
        while not self._ready(LOOK_UP):
            if not wanted():
                return 0
        return os.readv(self._descriptor, [view])

    def is_pause(self) -> bool:
        """Whether what has come since the last pause is to be answered now."""
        if not self._at_once:
            return False
        self._since = self._since or time.monotonic()
        if time.monotonic() - self._since < LONGEST and self._ready(PATIENCE):
            return False
        self._since = None
        return True

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self._descriptor], [], [], seconds)[0])
