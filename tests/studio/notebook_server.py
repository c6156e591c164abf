"""Serves a notebook of marimo on a port that the system chooses, and prints it: `notebook_server.py NOTEBOOK`."""

import socket
import sys

import marimo
import uvicorn


def main() -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()  # before the port is known, so that a reader of it connects at once
    app = marimo.create_asgi_app(quiet=True).with_app(path="", root=sys.argv[1]).build()
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])


if __name__ == "__main__":
    main()
