"""A load generator: connections that stay open, on each of them a fixed number of requests whose answer is awaited.

Raw bytes over asyncio (uvloop where it is installed), and nothing is parsed but the end of an answer, so that this
process does much less for a request than any of the servers. Whether that holds is measured, not hoped: `Load.busy` is
the share of one core that it needed, and the tables show it. It is the bottleneck where that is near 1.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
SECONDS_TO_END = 60  # for the last answers

Request = Callable[[int], bytes]  # the bytes of request number k
End = Callable[[bytearray], int]  # where the first answer ends, or 0 while it is not complete


@dataclass(frozen=True)
class Load:
    """What came of it: answers, also a second, seconds from sending to answer, and this process's share of a core."""

    answers: int
    rate: float
    p50: float
    p99: float
    busy: float


def http_end(buffer: bytearray) -> int:
    """The end of an answer that says how long it is; one that is not a success stops the measurement."""
    head = buffer.find(b"\r\n\r\n")
    if head < 0:
        return 0
    length = LENGTH.search(buffer, 0, head)
    if length is None or buffer[9:10] != b"2":
        raise RuntimeError(f"expected a success with a length, found {bytes(buffer[:600])!r}")
    end = head + 4 + int(length[1])
    return end if len(buffer) >= end else 0


def lines_end(n: int) -> End:
    """The end of an answer of n lines."""

    def end(buffer: bytearray) -> int:
        if buffer.count(b"\n") < n:
            return 0
        found = -1
        for _ in range(n):
            found = buffer.find(b"\n", found + 1)
        return found + 1

    return end


class _Run:
    """What the connections share."""

    def __init__(self, request: Request, end: End, seconds: float) -> None:
        self.request, self.end, self.seconds = request, end, seconds
        self.sent, self.waiting, self.stop = 0, 0, float("inf")
        self.took: list[float] = []
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def fail(self, error: BaseException) -> None:
        if not self.ended.done():
            self.ended.set_exception(error)


class _Connection(asyncio.Protocol):
    """Keeps `depth` requests on their way until the time is over."""

    def __init__(self, run: _Run, depth: int) -> None:
        self.run, self.depth = run, depth
        self.buffer, self.since = bytearray(), deque[float]()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def begin(self) -> None:
        for _ in range(self.depth):
            self.send()

    def send(self) -> None:
        run = self.run
        data = run.request(run.sent)
        run.sent += 1
        run.waiting += 1
        self.since.append(time.perf_counter())
        self.transport.write(data)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        run = self.run
        try:
            while end := run.end(self.buffer):
                del self.buffer[:end]
                now = time.perf_counter()
                run.took.append(now - self.since.popleft())
                run.waiting -= 1
                if now < run.stop:
                    self.send()
                elif run.waiting == 0 and not run.ended.done():
                    run.ended.set_result(None)
        except Exception as error:  # else it would only be logged
            run.fail(error)

    def connection_lost(self, error: Exception | None) -> None:
        if self.run.waiting:
            self.run.fail(error or ConnectionError("the server hung up"))


async def _drive(port: int, run: _Run, connections: int, depth: int) -> float:
    loop = asyncio.get_running_loop()
    made = [
        await loop.create_connection(lambda: _Connection(run, depth), "127.0.0.1", port) for _ in range(connections)
    ]
    start = time.perf_counter()
    run.stop = start + run.seconds
    for _, connection in made:
        connection.begin()
    try:
        await asyncio.wait_for(run.ended, run.seconds + SECONDS_TO_END)
        return time.perf_counter() - start
    finally:
        for transport, _ in made:
            transport.abort()


def _loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def load(port: int, request: Request, end: End, seconds: float, *, connections: int = 1, depth: int = 1) -> Load:
    """Keep `connections` times `depth` requests on their way for so many seconds."""

    async def run() -> tuple[_Run, float]:
        shared = _Run(request, end, seconds)
        return shared, await _drive(port, shared, connections, depth)

    cpu = time.process_time()
    with asyncio.Runner(loop_factory=_loop) as runner:
        shared, wall = runner.run(run())
    took = sorted(shared.took)
    at = [took[int(share * (len(took) - 1))] for share in (0.5, 0.99)]
    return Load(len(took), len(took) / wall, at[0], at[1], (time.process_time() - cpu) / wall)
