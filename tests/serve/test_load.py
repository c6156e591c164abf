"""The load generator of the benchmark counts what it does: each acknowledged example is in the log, once."""

from pathlib import Path

from benchmarks.load import http_end, lines_end, load
from benchmarks.serve_peers import MODEL, Ours
from rosenblatt.serve import Client
from tests.serve.server import running


def test_what_is_counted_was_learned(tmp_path: Path) -> None:
    with running(tmp_path / "served") as server:
        service = Ours("ours", server.port, server.process.pid)
        service.begin()
        with Client(server.address) as client:
            before = client.model(MODEL)["examples"]
            found = load(server.port, service.learn(3, "run"), http_end, 0.3, connections=8)
            learned = client.model(MODEL)["examples"] - before
            ids = [entry.id for entry in client.log(MODEL, after=before)]
        assert learned == 3 * found.answers
        assert len(set(ids)) == len(ids) == learned
        assert 0 < found.p50 <= found.p99
        assert service.cpu() > 0
        assert service.megabytes() > 1


def test_where_answers_end() -> None:
    answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"
    assert [http_end(bytearray(answer[:k])) for k in (10, len(answer) - 1)] == [0, 0]
    assert http_end(bytearray(answer + b"HTTP")) == len(answer)
    assert (lines_end(2)(bytearray(b"1\n2")), lines_end(2)(bytearray(b"1\n2\n3\n"))) == (0, 4)
