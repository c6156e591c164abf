"""The server's life: a socket, its models, requests until SIGTERM or Ctrl-C, then all that waits is learned."""

import signal
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from rosenblatt.serve.app import App
from rosenblatt.serve.callers import Callers
from rosenblatt.serve.connection import guarded
from rosenblatt.serve.folder import Folder
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.tokens import Tokens


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        self._ready()


def serve(
    path: Path, host: str, port: int, limits: Limits, tokens: Tokens, callers: Callers, ready: Callable[[str], None]
) -> None:
    """Serve the models of a folder until the process is told to end; `ready` hears the address."""
    folder = Folder(path, limits)
    # uvicorn ends its requests at SIGTERM, and then sends it again: by then it must not end the learning of what waits.
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with _listening(host, port) as listening:
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
                timeout_graceful_shutdown=int(limits.seconds),
            )
            _Server(config, lambda: ready(address)).run(sockets=[listening])
    finally:
        folder.close()


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
