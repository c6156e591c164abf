"""The server's life: a socket, its models, requests until SIGTERM or Ctrl-C, then what waits is learned.

The end takes a bounded time. What is not learned by then is on the disk, and the next start learns it.

Connections cost little whatever a client does: a header has so many bytes and so many seconds, and a client that does
not read its answers is let go. What is whole and still too large is refused by the application, and so is a body that
comes too slowly.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rosenblatt.doors.serve.app import App
from rosenblatt.doors.serve.callers import Callers, Tokens
from rosenblatt.doors.serve.folder import Folder
from rosenblatt.doors.serve.limits import Limits

_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
MOST_PIPELINED = 100  # requests of one connection that wait for their turn


def connection_within(limits: Limits) -> type[HttpToolsProtocol]:
    """Uvicorn's protocol within these limits."""

    class Connection(HttpToolsProtocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._parsed_nothing = 0  # bytes since the parser had a whole header, or a piece of a body
            self._idle: asyncio.TimerHandle | None = None  # runs whenever no answer is due
            self._unread: asyncio.TimerHandle | None = None  # runs while too many bytes of answers wait
            self._wait_for_header()

        def data_received(self, data: bytes) -> None:
            self._parsed_nothing += len(data)
            super().data_received(data)
            if self._parsed_nothing > limits.header and not self.transport.is_closing():
                self._refuse()

        def on_headers_complete(self) -> None:
            self._parsed_nothing = 0
            if self.transport.is_closing():
                return
            if self._idle is not None:
                self._idle.cancel()
            super().on_headers_complete()
            if len(self.pipeline) > MOST_PIPELINED:
                self.transport.abort()

        def on_body(self, body: bytes) -> None:
            self._parsed_nothing = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._parsed_nothing = 0
            super().on_message_complete()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.cycle.response_complete:  # else another request of the connection has begun
                self._wait_for_header()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._wait_for_reader()

        def resume_writing(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
            super().resume_writing()

        def connection_lost(self, error: Exception | None) -> None:
            for timer in (self._idle, self._unread):
                if timer is not None:
                    timer.cancel()
            super().connection_lost(error)

        def _wait_for_header(self) -> None:
            """From the end of an answer to the next whole header: bytes that come meanwhile give no more time."""
            if self._idle is not None:
                self._idle.cancel()
            self._idle = self.loop.call_later(limits.seconds, self._end_idle)

        def _end_idle(self) -> None:
            if self.flow.write_paused:
                self.transport.close()  # what the client still reads is sent
            else:
                self.transport.abort()

        def _wait_for_reader(self) -> None:
            left = self.transport.get_write_buffer_size()
            self._unread = self.loop.call_later(limits.seconds, self._end_unread, left)

        def _end_unread(self, before: int) -> None:
            if self.transport.get_write_buffer_size() < before:
                self._wait_for_reader()
            else:
                self.transport.abort()

        def _refuse(self) -> None:
            """Headers without end; where an answer to an earlier request is due, that one would be misread."""
            cycle: Any = self.cycle  # None before the first request
            if cycle is None or cycle.response_complete:
                body = b'{"error":"expected headers of at most %d bytes","place":"headers"}' % limits.header
                lines = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
                self.transport.write(_TOO_LARGE + lines + body)
            self.transport.close()

    return Connection


class _Server(uvicorn.Server):
    """Uvicorn's server, which says when it is ready and knows until when it has to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], patience: float) -> None:
        super().__init__(config)
        self._ready, self._patience = ready, patience
        self.until: float | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal begins the end; another does not wait for requests."""
        self.until = self.until or time.monotonic() + self._patience
        super().handle_exit(sig, frame)


def serve(
    path: Path, host: str, port: int, limits: Limits, tokens: Tokens, callers: Callers, ready: Callable[[str], None]
) -> None:
    """Serve the models of a folder until the process is told to end; `ready` hears the address."""
    with _listening(host, port) as listening:
        folder = Folder(path, limits)
        address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        config = uvicorn.Config(
            App(folder, tokens, callers),
            http=connection_within(limits),
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            limit_concurrency=limits.connections,
            timeout_keep_alive=int(limits.seconds),
            timeout_graceful_shutdown=max(1, int(limits.ending / 2)),  # the rest is for what waits to be learned
        )
        server = _Server(config, lambda: ready(address), limits.ending)
        # uvicorn handles signals while it serves, and then sends them again: by then one must not end the learning.
        signal.signal(signal.SIGTERM, server.handle_exit)
        try:
            server.run(sockets=[listening])
        finally:
            _close(folder, server.until or time.monotonic() + limits.ending)


def _close(folder: Folder, until: float) -> None:
    """Threads that are still in the core when the time is over can only be ended with the process."""
    code = 130 if isinstance(sys.exception(), KeyboardInterrupt) else 0
    try:
        if folder.close(until):
            return
    except KeyboardInterrupt:
        code = 130
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from None
    return listening
