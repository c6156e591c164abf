"""The life of the server: a socket, models, requests until SIGTERM or Ctrl-C; then it learns what waits.

The end takes a limited time. Examples that are not learned by then are on the disk, and the next start learns them.

No client can make a connection expensive: a header has a limit of bytes and of seconds, and a client that does not read
its answers is disconnected. The application refuses complete requests that are too large, and bodies that come too
slowly.
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
MOST_PIPELINED = 100  # maximum of waiting requests of one connection


def connection_within(limits: Limits) -> type[HttpToolsProtocol]:
    """The class of uvicorn's protocol with these limits."""

    class Connection(HttpToolsProtocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._parsed_nothing = 0  # bytes since the parser last completed a header or a piece of a body
            self._idle: asyncio.TimerHandle | None = None  # runs while no answer is due
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
            if self.cycle.response_complete:  # otherwise the next request of the connection has begun
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
            """Limit the time from an answer to the next complete header: bytes in between do not extend it."""
            if self._idle is not None:
                self._idle.cancel()
            self._idle = self.loop.call_later(limits.seconds, self._end_idle)

        def _end_idle(self) -> None:
            if self.flow.write_paused:
                self.transport.close()  # sends what the client still reads
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
            """Refuse headers without end.

            If an answer to an earlier request is due, only close, because the client would mistake the refusal for that
            answer.
            """
            cycle: Any = self.cycle  # None before the first request
            if cycle is None or cycle.response_complete:
                body = b'{"error":"expected headers of at most %d bytes","place":"headers"}' % limits.header
                lines = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
                self.transport.write(_TOO_LARGE + lines + body)
            self.transport.close()

    return Connection


class _Server(uvicorn.Server):
    """Uvicorn's server, with a call when it is ready and a time by which it must end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], patience: float) -> None:
        super().__init__(config)
        self._ready, self._patience = ready, patience
        self.until: float | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal begins the end; a second one stops waiting for requests."""
        self.until = self.until or time.monotonic() + self._patience
        super().handle_exit(sig, frame)


def serve(
    path: Path, host: str, port: int, limits: Limits, tokens: Tokens, callers: Callers, ready: Callable[[str], None]
) -> None:
    """Serve the models of a folder until a signal ends the process; `ready` is called with the address."""
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
            timeout_graceful_shutdown=max(1, int(limits.ending / 2)),  # the rest of the time is for waiting examples
        )
        server = _Server(config, lambda: ready(address), limits.ending)
        # uvicorn sends a signal again after it has served: this one must not stop the learning.
        signal.signal(signal.SIGTERM, server.handle_exit)
        try:
            server.run(sockets=[listening])
        finally:
            _close(folder, server.until or time.monotonic() + limits.ending)


def _close(folder: Folder, until: float) -> None:
    """Close the folder. If threads are still in the core when the time is over, only ending the process ends them."""
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
