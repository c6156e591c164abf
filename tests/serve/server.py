"""A server in a process of its own, on a port that the system chose, and requests to it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE = 120  # seconds that anything may take on a machine that others use too


class Reply(NamedTuple):
    """What came back."""

    status: int
    body: Any
    headers: dict[str, str]


class Server:
    """A process that serves a folder."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        env: dict[str, str] | None = None,
        before: Any = None,
        wait: bool = True,  # until all models are open, or cannot be opened
    ) -> None:
        command = [sys.executable, "-m", "rosenblatt", "serve", str(folder), "--port", "0", *options]
        self.said = folder.parent / f"{folder.name}.stderr"
        with self.said.open("ab") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **(env or {})}, preexec_fn=before
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        if not line.startswith("serving "):
            self._gone()
            raise RuntimeError(f"no server: {self.process.returncode}: {self.said.read_text()}")
        self.address = line.split(" at ")[1].strip()
        self.port = int(self.address.rsplit(":", 1)[1])
        end = time.monotonic() + PATIENCE
        while wait and self.ask("GET", "/readyz").body["opening"] and time.monotonic() < end:
            time.sleep(0.01)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """One request on a connection of its own; what is not bytes is sent as JSON, and bytes are called so too.

        Only those of a PUT are a model file, unless they are given another type.
        """
        media = "application/octet-stream" if method == "PUT" and isinstance(body, bytes) else "application/json"
        named = {"content-type": media} | {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
            connection.request(method, path, sent, named)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        found = {name.lower(): value for name, value in answer.getheaders()}
        is_json = found.get("content-type") == "application/json"
        return Reply(answer.status, json.loads(content) if is_json else content, found)

    def learn(self, name: str, examples: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What became of them."""
        reply = self.ask("POST", f"/v1/models/{name}/learn", {"examples": examples})
        assert reply.status == 200, reply.body
        found: list[dict[str, Any]] = reply.body["examples"]
        return found

    def log(self, name: str) -> list[dict[str, Any]]:
        """All of it."""
        found: list[dict[str, Any]] = []
        while True:
            after = found[-1]["seq"] if found else 0
            page = self.ask("GET", f"/v1/models/{name}/log?after={after}").body["examples"]
            if not page:
                return found
            found += page

    def file(self, name: str) -> bytes:
        """The model file."""
        reply = self.ask("GET", f"/v1/models/{name}/file")
        assert reply.status == 200, reply.body
        content: bytes = reply.body
        return content

    def stopped(self, name: str) -> str:
        """Why a model does not learn any more, or cannot be opened: what /readyz says, once it says so."""
        end = time.monotonic() + PATIENCE
        while name not in (reply := self.ask("GET", "/readyz")).body["stopped"]:
            assert time.monotonic() < end, reply.body
            time.sleep(0.02)
        assert (reply.status, reply.body["status"]) == (503, "stopped")
        why: str = reply.body["stopped"][name]
        return why

    def kill(self) -> None:
        """As a crash: SIGKILL."""
        self.process.kill()
        self._gone()

    def stop(self) -> int:
        """As a service manager does: SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@contextmanager
def running(folder: Path, *options: str, **given: Any) -> Iterator[Server]:
    """A server until the end of the block."""
    server = Server(folder, *options, **given)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
        elif server.process.stdout is not None:
            server.process.stdout.close()
