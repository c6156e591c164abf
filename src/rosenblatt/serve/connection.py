"""Clients that send nothing, or a header byte by byte: after some seconds their connection is closed.

A body that comes too slowly is answered with a 408, which is not for here.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


def patient(seconds: float) -> type[HttpToolsProtocol]:
    """Uvicorn's protocol, with so many seconds from the beginning of a connection to its first whole header."""

    class Patient(HttpToolsProtocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._header_timer = asyncio.get_running_loop().call_later(seconds, self._give_up)

        def on_headers_complete(self) -> None:
            self._header_timer.cancel()
            super().on_headers_complete()

        def connection_lost(self, error: Exception | None) -> None:
            self._header_timer.cancel()
            super().connection_lost(error)

        def _give_up(self) -> None:
            self.transport.close()

    return Patient
