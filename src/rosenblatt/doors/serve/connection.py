"""Connections that cost little whatever a client does: limits on headers and on time, for each request anew.

A header has so many bytes and so many seconds, and a client that does not read its answers is let go. What is whole
and still too large is refused by the application, and so is a body that comes too slowly.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rosenblatt.doors.serve.limits import Limits

_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
MOST_PIPELINED = 100  # requests of one connection that wait for their turn


def guarded(limits: Limits) -> type[HttpToolsProtocol]:
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
