"""A file as blocks of whole lines, and work on many blocks at a time that gives its results in the order of the file.

Blocks are read, not mapped into memory: a file that shrinks while it is mapped ends the program, and reading into
memory that is used again is no slower. Each reader of text turns what is wrong into a `DataFileError`.
"""

import operator
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from rosenblatt.base.cores import cpu_count
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.compressed import OpenFile
from rosenblatt.services.files.pipes import Pipe, wait_while

BLOCK_BYTES = 1 << 22
KEPT = 1 << 24
SHOWN = 20  # how many characters of a wrong cell are shown
LONGEST_LINE = 1 << 24  # because a small compressed file can unpack to one line that would fill the memory
_longest_line = ContextVar("the longest line that is read, in bytes", default=LONGEST_LINE)

S = TypeVar("S")
T = TypeVar("T")


def error_in(source: OpenFile, error: tuple[int, int, str, bytes], lines_before: int = 0) -> DataFileError:
    """What a reader of the core has found: line, column, what it expected, and the bytes that are there."""
    line, column, expected, actual = error
    text = actual.decode("utf-8", "surrogateescape")
    text = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
    shown = repr(text).replace("\\udc", "\\x") if actual else "the end of the line"  # bytes that are not UTF-8
    return DataFileError(source.name, lines_before + line, column, expected, shown)


@contextmanager
def longest_line(size: int) -> Iterator[None]:
    r"""Read lines of files of text, and rows of CSV, of up to so many bytes; without it, of up to 16 MiB.

    >>> import io
    >>> from rosenblatt.services.files.svmlight import read_svmlight
    >>> with longest_line(10):
    ...     read_svmlight(io.BytesIO(b"1 1:0.5\n-1 1:0.25 2:1\n"))
    Traceback (most recent call last):
    rosenblatt.DataFileError: <file>:2:1: expected a line of at most 10 bytes (or --max-line), found a longer one
    """
    if operator.index(size) < 1:
        raise ValueError(f"size must be at least 1, got {size}")
    before = _longest_line.set(size)
    try:
        yield
    finally:
        _longest_line.reset(before)


def line_limit() -> tuple[int, tuple[str, str]]:
    """The most bytes of a line, and what is said of a longer one: what was expected, and found."""
    size = _longest_line.get()
    return size, (f"a line of at most {size} bytes (or --max-line)", "a longer one")


class LineBlock(NamedTuple):
    """Whole lines: the first `size` bytes of `buffer`.

    If the reading had to end here, `problem` says what was expected and what was found, `rest` bytes after them; of a
    line that is too long, where it begins.
    """

    buffer: bytearray
    size: int
    problem: tuple[str, str] | None = None
    rest: int = 0


def keep_memory() -> None:
    """Let the C library keep the memory of a block for the next one.

    glibc gives large pieces back to the system, and pays for each page when it asks for them again, until a large piece
    that is freed tells it to keep pieces of that size (mallopt(3), M_MMAP_THRESHOLD). This one is never written to.
    """
    np.empty(KEPT, dtype=np.uint8)


class LineBlocks:
    """The blocks of a file, about `block_bytes` each and at least a line; `limit` bytes of it at most.

    A line that is too long ends the reading before it takes more memory than its limit. A buffer that is given back
    with `recycle` is used again. `head`: whether somebody may have looked at how the file begins.
    """

    def __init__(self, source: OpenFile, block_bytes: int, limit: int | None = None, *, head: bool = False) -> None:
        self._source = source
        self._pipe = Pipe.of(source, head=head)
        self._left = limit
        self._longest, self._too_long = line_limit()
        self._block_bytes = min(block_bytes, self._longest + 1)  # a line that fits into a block is not too long
        self._idle: deque[bytearray] = deque()
        keep_memory()
        self._problem: tuple[str, str] | None = None

    def __iter__(self) -> Iterator[LineBlock]:
        rest, ended = b"", False
        while not ended:
            buffer = self._idle.pop() if self._idle else bytearray(self._block_bytes)
            buffer[: len(rest)] = rest
            size, filled = 0, len(rest)
            while not ended and not size:
                if filled == len(buffer):  # a line that is longer than the buffer
                    buffer.extend(bytes(max(1, min(len(buffer), self._longest + 1 - len(buffer)))))
                start = filled
                filled, ended = self._fill(buffer, filled)
                size = buffer.rfind(b"\n", start, filled) + 1
                if not size and filled > self._longest:
                    self._problem, ended, filled = self._too_long, True, 0
            if ended and not self._problem:
                size = filled  # the last line needs no line end
            rest = bytes(memoryview(buffer)[size:filled])
            if size or self._problem:
                yield LineBlock(buffer, size, self._problem, len(rest))

    def recycle(self, block: LineBlock) -> None:
        """Take back the buffer of a block that is no longer needed."""
        self._idle.append(block.buffer)

    def _fill(self, buffer: bytearray, filled: int) -> tuple[int, bool]:
        """How far the buffer is filled now, and whether the file ends there."""
        read_into = _read_into if self._pipe is None else lambda _, view: self._pipe.read_into(view)
        with memoryview(buffer) as view:
            while filled < len(view):
                end = len(view) if self._left is None else min(len(view), filled + self._left)
                try:
                    count = read_into(self._source.file, view[filled:end])
                except self._source.damage as error:
                    if getattr(error, "errno", None):  # the disk failed, not the data
                        raise
                    data = f"{self._source.compression} data"
                    if isinstance(error, EOFError):
                        self._problem = f"more {data}", "the end of the file"
                    else:
                        self._problem = data, f"damage: {error}"
                    count = 0
                if not count:
                    return filled, True
                filled += count
                if self._left is not None:
                    self._left -= count
                if self._pipe is not None and self._pipe.is_pause():
                    break
        return filled, False


def _read_into(file: Any, view: memoryview) -> int:
    """One read, so that what comes before an error is not lost."""
    if not len(view):
        return 0
    if hasattr(file, "readinto1"):
        return int(file.readinto1(view))
    data = file.read(len(view))
    view[: len(data)] = data
    return len(data)


def in_order(work: Callable[[S], T], items: Iterator[S], n_threads: int | None = None) -> Generator[T, None, None]:
    """`work(item)` for each item, in their order: on all cores unless told, a few items ahead of the caller.

    Each thread fetches an item, which one does at a time, and works on it at once: only results are handed over.

    >>> list(in_order(abs, iter([-1, 2, -3])))
    [1, 2, 3]
    """
    ended, n_threads = False, n_threads or cpu_count()
    fetching, ahead = Lock(), Semaphore(n_threads + 2)
    results: SimpleQueue[_Result[T]] = SimpleQueue()

    def work_ahead() -> None:
        nonlocal ended
        wait_while(lambda: not ended)
        while ahead.acquire() and not ended:
            result: _Result[T] = _Result()
            try:
                with fetching:
                    results.put(result)
                    item = next(items, None)
                if item is None:
                    ended = True
                result.put(None if item is None else work(item))
            except BaseException as error:
                ended = True
                result.put(error=error)

    # in the caller's context, because it holds the limit for lines
    workers = [Thread(target=copy_context().run, args=(work_ahead,)) for _ in range(n_threads)]
    try:
        for worker in workers:
            worker.start()
        while (result := results.get().get()) is not None:
            yield result
            ahead.release()
    finally:
        ended = True
        ahead.release(n_threads)
        for worker in workers:
            if worker.is_alive():  # Ctrl-C may come before all of them have started
                worker.join()


class _Result(Generic[T]):
    """The result of one item, to be waited for: a value, None if there are no more items, or an error.

    A Future of Python's would do, but to import it takes as long as to read a small file.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def put(self, value: T | None = None, error: BaseException | None = None) -> None:
        self._queue.put((value, error))

    def get(self) -> T | None:
        value, error = self._queue.get()
        if error is not None:
            raise error
        return value
