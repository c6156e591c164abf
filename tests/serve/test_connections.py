"""What one client can hold: bytes of headers, the time of each request, answers that nobody reads."""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.serve.server import PATIENCE, Server, running

GET = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = ["--seconds", "1", "--connections", "20"]
    with running(tmp_path_factory.mktemp("connections") / "models", *limits) as found:
        yield found


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def rest(client: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    found = b""
    try:
        while part := client.recv(1 << 16):
            found += part
    except ConnectionResetError:
        pass
    return found


def megabytes(server: Server) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


@pytest.mark.parametrize(
    "lines",
    [
        b"x: " + b"a" * 17_000 + b"\r\n",
        b"a:\r\n" * 101,
        b"".join(b"x%d: %s\r\n" % (k, b"a" * 400) for k in range(50)),
    ],
    ids=["long", "many", "together"],
)
def test_headers_have_limits(server: Server, lines: bytes) -> None:
    with connected(server) as client:
        client.sendall(GET + lines + b"\r\n")
        found = rest(client)
    assert found.startswith(b"HTTP/1.1 431 ")
    assert b'"place":"headers"' in found
    with connected(server) as client:
        client.sendall(GET + b"x: " + b"a" * 15_000 + b"\r\nconnection: close\r\n\r\n")
        assert rest(client).startswith(b"HTTP/1.1 200 ")


CHUNKED = b"POST /v1/models/m/learn HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n"
TYPED = b"content-type: application/json\r\n\r\n"


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (GET, b"a:\r\n" * 5000),
        (GET + b"x: ", b"a" * 20_000),
        (b"GET /", b"a" * 20_000),
        (b"", b"\r\n" * 10_000),
        (GET + b"\r\n" + GET, b"a:\r\n" * 5000),
        (CHUNKED + TYPED + b"2\r\n{}\r\n0\r\n", b"a:\r\n" * 5000),
        (CHUNKED + TYPED + b"2;", b"a" * 20_000),
    ],
    ids=["lines", "a line", "an address", "no lines", "second", "trailers", "chunk"],
)
def test_headers_without_end_are_cut(server: Server, begin: bytes, more: bytes) -> None:
    before = megabytes(server)
    with connected(server) as client:
        client.sendall(begin)
        sent = 0
        with suppress(OSError):  # reset, or a broken pipe
            while sent < 40_000_000:
                sent += client.send(more)
    assert sent < 20_000_000, "what the kernel takes before the server has closed"
    assert megabytes(server) < before + 10
    assert server.ask("GET", "/healthz").status == 200


@pytest.mark.parametrize(
    "second",
    [
        b"GET /healthz HTTP/1.1\r\nhost",
        b"\r\n",
        b"POST /v1/models/m/learn HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{",
    ],
    ids=["half a header", "an empty line", "half a body that was refused"],
)
def test_each_request_has_its_time(server: Server, second: bytes) -> None:
    clients = [connected(server) for _ in range(19)]
    try:
        for client in clients:
            client.sendall(GET + b"\r\n")
            assert client.recv(4096).startswith(b"HTTP/1.1 200")
            client.sendall(second)
        for client in clients:
            rest(client)  # ends
    finally:
        for client in clients:
            client.close()
    assert server.ask("GET", "/healthz").status == 200


def test_who_does_not_read_is_let_go(tmp_path: Path) -> None:
    with running(tmp_path / "models", "--seconds", "1", "--connections", "2") as server:
        server.ask("PUT", "/v1/models/large", {"kind": "Perceptron"})
        server.learn("large", [{"x": [1.0] * 100_000, "y": "ab"[k % 2]} for k in range(20)])
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(b"GET /v1/models/large/log HTTP/1.1\r\nhost: localhost\r\n\r\n")
            while server.ask("GET", "/healthz").status == 200:
                time.sleep(0.01)  # it comes
            while server.ask("GET", "/healthz").status == 503:
                time.sleep(0.1)  # it stays, and reads nothing


def test_many_requests_before_the_first_answer_take_no_memory(server: Server) -> None:
    before = megabytes(server)
    with connected(server) as client:
        client.sendall((GET + b"\r\n") * 5000)
        rest(client)
    assert megabytes(server) < before + 10
