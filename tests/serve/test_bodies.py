"""Large bodies: counted before they are parsed, parsed in pieces of little memory, beside those who ask meanwhile."""

import http.client
import json
import re
import select
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt.doors.serve.answers import RefusalError
from rosenblatt.doors.serve.rows import PIECE, read_numbers
from tests.serve.server import PATIENCE, Server, running

SIZE = 16 << 20


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path / "models") as found:
        found.ask("PUT", "/v1/models/m", {"kind": "Perceptron"})
        found.learn("m", [{"x": {"1": 1, "1000": 2}, "y": "a"}, {"x": {"2": 1}, "y": "b"}])
        yield found


def megabytes(server: Server) -> float:
    """At the most so far."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


NUMBERS = b"1," * (SIZE // 2) + b"1"
WIDE = b",".join(b"c%d" % k for k in range(SIZE // 9))
SHAPES: list[tuple[str, str, bytes, str | None]] = [
    ("predict", "application/json", b'{"rows":[%s]}' % NUMBERS, "expected 1 to 10,000, found 8,388,609"),
    ("predict", "application/json", b'{"rows":[[%s]]}' % NUMBERS, None),
    ("predict", "application/json", b'{"rows":[%s]}' % b",".join([b"[%s]" % NUMBERS[:1601]] * 9990), None),
    (
        "predict",
        "application/json",
        b'{"rows":[[1]],"ids":[%s]}' % NUMBERS,
        "expected an id for each of the 1 rows, none twice",
    ),
    ("learn", "application/json", b'{"examples":[%s]}' % NUMBERS, "expected 1 to 10,000, found 8,388,609"),
    ("feedback", "application/json", b'{"feedback":[%s]}' % NUMBERS, "expected 1 to 10,000, found 8,388,609"),
    ("predict", "application/x-ndjson", b"1\n" * (SIZE // 2), "expected 1 to 10,000, found more"),
    ("predict", "application/x-ndjson", b"\n" * SIZE, "expected 1 to 10,000, found 0"),
    ("predict", "text/x-svmlight", b"1\n" * (SIZE // 2), "expected 1 to 10,000, found more"),
    ("predict", "text/x-svmlight", b"1" + b"".join(b" %d:1" % k for k in range(1, SIZE // 10)), None),
    ("predict", "text/csv", b"a\n" + b"1\n" * (SIZE // 2), "expected 1 to 10,000, found more"),
    (
        "predict",
        "text/csv",
        WIDE + b"\n",
        "expected at most 10,000 columns, found 1,864,135: send JSON or svmlight text",
    ),
]


@pytest.mark.parametrize(
    ("path", "media", "body", "error"),
    SHAPES,
    ids=[f"{path} {media} {k}" for k, (path, media, *_) in enumerate(SHAPES)],
)
def test_a_large_body_takes_a_small_multiple_of_its_size(
    server: Server, path: str, media: str, body: bytes, error: str | None
) -> None:
    before = megabytes(server)
    reply = server.ask("POST", f"/v1/models/m/{path}", body, content_type=media)
    assert (reply.status, reply.body.get("error")) == ((200, None) if error is None else (422, error))
    assert megabytes(server) - before < 20 * len(body) / 2**20


@pytest.mark.parametrize("kind", ["sentences", "tags", "empty"])
def test_sentences_are_counted_before_a_token_is_made(tmp_path: Path, kind: str) -> None:
    many = {"sentences": b'"a",' * (SIZE // 4) + b'"a"', "empty": b"[]," * (SIZE // 3) + b"[]"}.get(kind, b'"a"')
    tags = b'"a",' * (SIZE // 4) + b'"a"' if kind == "tags" else b'"N"'
    with running(tmp_path / "models") as server:
        server.ask("PUT", "/v1/models/m", {"kind": "SequenceTagger"})
        server.learn("m", [{"x": ["a"], "y": ["N"]}])
        before = megabytes(server)
        body = b'{"examples":[{"x":[%s],"y":[%s]}]}' % (many, tags)
        reply = server.ask("POST", "/v1/models/m/learn", body)
        assert reply.status == 422
        assert reply.body["error"].startswith("expected 1 to 10,000 tokens, found ")
        assert megabytes(server) - before < 10 * len(body) / 2**20


def test_others_are_answered_while_a_large_body_is_parsed(server: Server) -> None:
    row = b"[%s]" % NUMBERS[:1601]
    body = b'{"examples":[%s]}' % b",".join(b'{"x":%s,"y":"%s"}' % (row, b"ab"[k % 2 : k % 2 + 1]) for k in range(9990))
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("POST", "/v1/models/m/learn", body, {"content-type": "application/json"})
    for _ in range(10):
        assert server.ask("GET", "/healthz").status == 200
        assert server.ask("POST", "/v1/models/m/predict", {"rows": [{"1": 1}]}).status == 200
    assert select.select([connection.sock], [], [], 0)[0] == [], "the large one is not answered yet"
    learned = server.learn("m", [{"x": {"1": 1}, "y": "a"}])  # behind the large one, as it came
    answer = json.loads(connection.getresponse().read())
    connection.close()
    assert [one["seq"] for one in answer["examples"]] == [*range(3, 9993)]
    assert [one["seq"] for one in learned] == [9993]


def test_a_page_of_the_log_has_a_limit_of_bytes(server: Server) -> None:
    rows = [{"x": [1.25 + k] * 300_000, "y": "ab"[k % 2]} for k in range(10)]  # each above a megabyte
    for row in rows:
        server.learn("m", [row])
    path, after, pages = "/v1/models/m/log", 0, list[Any]()
    while page := server.ask("GET", f"{path}?after={after}").body["examples"]:
        after = page[-1]["seq"]
        pages.append(page)
    assert len(pages) > 1
    assert [entry["seq"] for page in pages for entry in page] == [*range(1, 13)]
    assert all(sum(len(json.dumps(entry["x"])) for entry in page[:-1]) < 9_000_000 for page in pages)
    newest = server.ask("GET", f"{path}?last=12").body["examples"]
    assert 1 < len(newest) < 12
    assert [entry["seq"] for entry in newest] == [*range(13 - len(newest), 13)]


def where(k: int) -> str:
    return f"rows[{k}]"


def test_a_row_that_is_cut_is_the_same_row() -> None:
    random = np.random.default_rng(0)
    values = [random.normal(size=n).round(3).tolist() for n in (0, 3, PIECE // 2, 1, PIECE // 3, 2)]
    texts = [json.dumps(row).encode() for row in values]
    texts[1::2] = [json.dumps({str(k): x for k, x in enumerate(row)}).encode() for row in values[1::2]]
    numbers = read_numbers(texts, where, 10**6)
    numbers.count_lists()
    assert numbers.listed.tolist() == [True, False] * 3
    for k, row in enumerate(values):
        assert numbers.values[numbers.row(k)].tolist() == row
        assert numbers.features[numbers.row(k)].tolist() == [*range(len(row))]


LONG = ",".join(f'"{k}":1' for k in range(PIECE // 4))
FLAT = "1," * PIECE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'{{{LONG},"0":2}}', "expected each feature once, found one twice"),
        (f'{{{LONG},"0":"{FLAT}"}}', "expected numbers, or an object of them by feature: "),
        (f'[{FLAT}"{FLAT}"]', "expected numbers, or an object of them by feature: "),
        (f"[{FLAT}[{FLAT}1]]", "expected numbers, or an object of them by feature: "),
        (f"[[{FLAT}1]]", "expected numbers, or an object of them by feature: "),
    ],
    ids=["twice", "text among features", "text", "list", "list alone"],
)
def test_a_long_row_that_is_wrong_is_refused(text: str, said: str) -> None:
    with pytest.raises(RefusalError, match=said) as error:
        read_numbers([b"[1]", text.encode()], where, 10**9)
    assert error.value.place == "rows[1]"


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("tagger") / "models") as found:
        labels = [f"l{k}" for k in range(100)]
        for name in ("slow", "other"):
            found.ask("PUT", f"/v1/models/{name}", {"kind": "SequenceTagger"})
            found.learn(name, [{"x": labels, "y": labels}])
        yield found


def test_others_are_answered_while_one_model_answers_for_long(tagger: Server) -> None:
    body = json.dumps({"rows": [["a"] * 1900] * 500}).encode()
    typed = {"content-type": "application/json"}
    large, small = (http.client.HTTPConnection("127.0.0.1", tagger.port, timeout=PATIENCE) for _ in range(2))
    large.request("POST", "/v1/models/slow/predict", body, typed)
    while True:
        small.request("POST", "/v1/models/slow/predict", b'{"rows": [["a"]]}', typed)
        for _ in range(3):
            assert tagger.ask("GET", "/healthz").status == 200
            assert tagger.ask("POST", "/v1/models/other/predict", {"rows": [["a"]]}).status == 200
        assert select.select([large.sock], [], [], 0)[0] == [], "the large one is not answered yet"
        if not select.select([small.sock], [], [], 0)[0]:
            break  # it waits for the model that the large one has
        assert small.getresponse().read()
    assert large.getresponse().status == 200
    large.close()
    small.close()


def test_what_an_answer_costs_is_bounded(tmp_path: Path) -> None:
    with running(tmp_path / "models", "--steps", "2000", "--body", "20000") as server:
        server.ask("PUT", "/v1/models/m", {"kind": "Perceptron"})
        server.ask("PUT", "/v1/models/t", {"kind": "SequenceTagger"})
        server.learn("t", [{"x": [*"abc"], "y": [*"ABC"]}])
        server.ask("PUT", "/v1/models/n", {"kind": "Perceptron"})
        for k in range(40):
            server.learn("m", [{"x": [1, k], "y": k}])
            if k < 30:
                server.learn("n", [{"x": [1], "y": k}])

        def refused(name: str, rows: list[Any]) -> tuple[int, str]:
            reply = server.ask("POST", f"/v1/models/{name}/predict", {"rows": rows})
            return reply.status, reply.body.get("error", "")

        rest = ": send less at once"
        said = "expected at most 2,000 steps to answer a request (--steps), found about "
        assert refused("m", [[1, 2]] * 26) == (422, f"{said}2,080{rest}")
        assert refused("t", [["a"] * 21]) == (422, f"{said}2,100{rest}")
        said = "expected at most 1,000 scores of an answer, one a row and label, found "
        assert refused("n", [[1]] * 34) == (422, f"{said}1,020{rest}")
        assert [refused(*one)[0] for one in (("m", [[1, 2]] * 25), ("t", [["a"] * 20]), ("n", [[1]] * 33))] == [200] * 3


def test_labels_that_come_later_have_rows_of_a_request_at_once(tmp_path: Path) -> None:
    with running(tmp_path / "models", "--body", "4000") as server:
        server.ask("PUT", "/v1/models/m", {"kind": "Perceptron"})
        server.learn("m", [{"x": [1.5] * 300, "y": label} for label in "ab"])
        for key in "pqrs":
            asked = {"rows": [[1.5] * 300], "ids": [key]}
            assert server.ask("POST", "/v1/models/m/predict", asked).status == 200
        path = "/v1/models/m/feedback"
        reply = server.ask("POST", path, {"feedback": [{"id": key, "y": "a"} for key in "pqrs"]})
        assert (reply.status, reply.body["place"]) == (422, "feedback[2].id")
        said = "expected rows of at most 4,000 bytes in all (--body), found more: send less at once"
        assert reply.body["error"] == said
        for keys in ("pq", "rs"):
            assert server.ask("POST", path, {"feedback": [{"id": key, "y": "a"} for key in keys]}).status == 200
