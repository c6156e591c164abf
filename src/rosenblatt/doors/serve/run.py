"""The server's life: a socket, its models, requests until SIGTERM or Ctrl-C, then what waits is learned.

The end takes a bounded time. What is not learned by then is on the disk, and the next start learns it.
"""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn

from rosenblatt.doors.serve.app import App
from rosenblatt.doors.serve.callers import Callers
from rosenblatt.doors.serve.connection import guarded
from rosenblatt.doors.serve.folder import Folder
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.tokens import Tokens


class _Server(uvicorn.Server):
    """Says when it is ready, and knows when it was told to end."""

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
            http=guarded(limits),
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
