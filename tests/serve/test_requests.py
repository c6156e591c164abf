"""Requests that are wrong: what is answered, to the letter; nothing of them is learned, and the process goes on."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.serve.server import PATIENCE, Server, running

LIMITS = ["--body", "20000", "--rows", "50", "--features", "1000", "--queue", "60", "--weights", "5000"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("serve") / "models", *LIMITS, "--seconds", "2") as found:
        for name, more in (
            ("dense", {}),
            ("sparse", {}),
            ("known", {"classes": ["no", "yes"], "labels": "refuse"}),
            ("empty", {}),
        ):
            assert found.ask("PUT", f"/v1/models/{name}", {"kind": "Perceptron", **more}).status == 201
        found.learn("dense", [{"x": [1, 2], "y": "a", "id": "one"}, {"x": [0, 1], "y": "b"}])
        found.learn("sparse", [{"x": {"3": 1.5}, "y": 1}, {"x": {"0": -1}, "y": 2}])
        yield found


LEARN = "/v1/models/dense/learn"
HEADER = f"POST {LEARN} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n".encode()
X = "expected numbers, or an object of them by feature: "
BAD: list[tuple[str, str, Any, int, str, str | None]] = [
    ("POST", LEARN, b"", 400, "expected another body: input data was truncated", None),
    ("POST", LEARN, b"{", 400, "expected another body: input data was truncated", None),
    ("POST", LEARN, b"[" * 5000, 400, "expected another body: expected `object`, got `array`", None),
    ("POST", LEARN, b"\xff\xfe", 400, "expected another body: JSON is malformed: invalid character (byte 0)", None),
    ("POST", LEARN, {"examples": 3}, 400, "expected another body: expected `array`, got `int`", "examples"),
    ("POST", LEARN, {"rows": []}, 400, "expected another body: object contains unknown field `rows`", None),
    (
        "POST",
        LEARN,
        {"examples": [{"x": [1, 2]}]},
        400,
        "expected another body: object missing required field `y`",
        "examples[0]",
    ),
    ("POST", LEARN, {"examples": []}, 422, "expected 1 to 50, found 0", "examples"),
    ("POST", LEARN, {"examples": [{"x": [1, 2], "y": "a"}] * 51}, 422, "expected 1 to 50, found 51", "examples"),
    ("POST", LEARN, {"examples": [{"x": [1], "y": "a"}]}, 422, "expected 2 numbers, found 1", "examples[0].x"),
    (
        "POST",
        LEARN,
        {"examples": [{"x": [1, 2], "y": "a"}, {"x": [1, "2"], "y": "a"}]},
        422,
        f"{X}expected `float`, got `str`",
        "examples[1].x",
    ),
    (
        "POST",
        LEARN,
        b'{"examples":[{"x":[1,NaN],"y":"a"}]}',
        400,
        "expected another body: JSON is malformed: invalid character (byte 21)",
        None,
    ),
    (
        "POST",
        LEARN,
        b'{"examples":[{"x":[1,1e999],"y":"a"}]}',
        422,
        f"{X}number out of range",
        "examples[0].x",
    ),
    (
        "POST",
        LEARN,
        {"examples": [{"x": [1, -1e200], "y": "a"}]},
        422,
        "expected numbers up to 1e+100, found -1e+200",
        "examples[0].x",
    ),
    (
        "POST",
        LEARN,
        {"examples": [{"x": {"2": 1}, "y": "a"}]},
        422,
        "expected features from 0 to 1, found 2",
        "examples[0].x",
    ),
    (
        "POST",
        LEARN,
        {"examples": [{"x": [1, 2], "y": 3}]},
        422,
        "expected a text, as the labels before, found 3",
        "examples[0].y",
    ),
    (
        "POST",
        LEARN,
        {"examples": [{"x": [1, 2], "y": None}]},
        422,
        "expected a text or a whole number: expected `int | str`, got `null`",
        "examples[0].y",
    ),
    (
        "POST",
        LEARN,
        {"examples": [{"x": [1, 2], "y": "a\0"}]},
        422,
        "expected a text of 1 to 256 characters other than \\0",
        "examples[0].y",
    ),
    (
        "POST",
        LEARN,
        {"examples": [{"x": [1, 2], "y": "a", "id": ""}]},
        422,
        "expected an id of 1 to 256 characters other than \\0",
        "examples[0].id",
    ),
    (
        "POST",
        "/v1/models/sparse/learn",
        {"examples": [{"x": {"1000": 1}, "y": 1}]},
        422,
        "expected features below 1,000, found 1000",
        "examples[0].x",
    ),
    (
        "POST",
        "/v1/models/sparse/learn",
        b'{"examples":[{"x":{"99999999999999999999":1},"y":1}]}',
        422,
        "expected features below 1,000, found 99999999999999999999",
        "examples[0].x",
    ),
    (
        "POST",
        "/v1/models/sparse/learn",
        {"examples": [{"x": {"-1": 1}, "y": 1}]},
        422,
        "expected features from 0 to 3, found -1",
        "examples[0].x",
    ),
    (
        "POST",
        "/v1/models/sparse/learn",
        b'{"examples":[{"x":{"1":1,"1":2},"y":1}]}',
        422,
        "expected each feature once, found one twice",
        "examples[0].x",
    ),
    (
        "POST",
        "/v1/models/sparse/learn",
        {"examples": [{"x": {"999": 1}, "y": k} for k in range(6)]},
        422,
        "expected at most 5,000 weights, one a feature and label",
        "examples",
    ),
    (
        "POST",
        "/v1/models/known/learn",
        {"examples": [{"x": [1], "y": "maybe"}]},
        422,
        "expected one of the 2 labels of the model, found 'maybe'",
        "examples[0].y",
    ),
    ("POST", "/v1/models/empty/predict", {"rows": [[1]]}, 409, "the model has learned nothing yet", None),
    ("GET", "/v1/models/empty/file", None, 409, "the model has learned nothing yet", None),
    ("POST", "/v1/models/none/predict", {"rows": [[1]]}, 404, "there is no model 'none'", None),
    ("POST", "/v1/models/dense/predict", {"rows": [[1, 2, 3]]}, 422, "expected 2 numbers, found 3", "rows[0]"),
    (
        "POST",
        "/v1/models/dense/predict",
        {"rows": [[1, 2]], "ids": ["a", "b"]},
        422,
        "expected an id for each of the 1 rows, none twice",
        "ids",
    ),
    (
        "POST",
        "/v1/models/dense/predict",
        {"rows": [[1, 2]], "ids": ["one"]},
        409,
        "the label of 'one' was learned already",
        "ids[0]",
    ),
    (
        "POST",
        "/v1/models/dense/feedback",
        {"feedback": [{"id": "never", "y": "a"}]},
        404,
        "there is no prediction 'never' that waits",
        "feedback[0].id",
    ),
    ("POST", "/v1/models/dense/rollback", {"seq": 3}, 422, "expected a sequence number from 0 to 2, found 3", "seq"),
    ("GET", "/v1/models/dense/log?after=x", None, 400, "expected a whole number, found 'x'", "after"),
    ("GET", "/nowhere", None, 404, "there is nothing at this path", None),
    ("GET", "/page/..%2f..%2fsetup.py", None, 404, "there is nothing at this path", None),
    ("DELETE", "/v1/models/dense", None, 405, "expected GET or PUT, found DELETE", None),
    ("PUT", "/v1/models/dense", {"kind": "Perceptron", "n_features": 2}, 409, None, None),  # type: ignore[list-item]
    ("PUT", "/v1/models/x", {"kind": "Forest"}, 422, None, "kind"),  # type: ignore[list-item]
    ("PUT", "/v1/models/..", {"kind": "Perceptron"}, 422, None, "name"),  # type: ignore[list-item]
    ("PUT", "/v1/models/a%2fb", {"kind": "Perceptron"}, 404, None, None),  # type: ignore[list-item]
    (
        "PUT",
        "/v1/models/x",
        {"kind": "Perceptron", "parameters": {"eta": 1}},
        422,
        None,  # type: ignore[list-item]
        "parameters",
    ),
    (
        "PUT",
        "/v1/models/x",
        {"kind": "Perceptron", "parameters": {"eta0": -1}},
        422,
        "eta0: expected a number over 0, found -1",
        "parameters",
    ),
    (
        "PUT",
        "/v1/models/x",
        {"kind": "SequenceTagger", "parameters": {"templates": "/etc/passwd"}},
        422,
        "templates: expected pos, chunk, ner, or a list of templates",
        "parameters.templates",
    ),
    (
        "PUT",
        "/v1/models/x",
        {"kind": "KernelPerceptron", "parameters": {"budget": 10**12, "gamma": 1}},
        422,
        "budget: expected at most 100,000, found 1,000,000,000,000",
        "parameters.budget",
    ),
    (
        "PUT",
        "/v1/models/x",
        {"kind": "Perceptron", "parameters": {"random_state": None}},
        422,
        "random_state: expected a seed, so that a replay gives the same model, found None",
        "parameters",
    ),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "error", "place"), BAD)
def test_a_wrong_request_is_refused_to_the_letter(
    server: Server, method: str, path: str, body: Any, status: int, error: str | None, place: str | None
) -> None:
    reply = server.ask(method, path, body)
    assert reply.status == status, reply.body
    assert set(reply.body) == {"error", "place"}
    assert reply.body["place"] == place
    assert error is None or reply.body["error"] == error
    for name, seq in (("dense", 2), ("sparse", 2), ("known", 0), ("empty", 0)):
        assert server.ask("GET", f"/v1/models/{name}").body["seq"] == seq


def test_other_media_and_bodies_that_are_too_large(server: Server) -> None:
    strange = server.ask("POST", LEARN, b"<x/>", content_type="text/xml")
    assert (strange.status, strange.body["place"]) == (415, "content-type")
    large = server.ask("POST", LEARN, b" " * 20001)
    assert (large.status, large.body["error"]) == (413, "expected a body of at most 20,000 bytes")
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:  # in pieces of unknown size
        client.sendall(HEADER + b"transfer-encoding: chunked\r\n\r\n")
        for _ in range(30):
            try:
                client.sendall(b"400\r\n" + b" " * 1024 + b"\r\n")
            except OSError:
                break
        assert client.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"GET /healthz HTTP/1.1\r\nhost", b""),
        (HEADER + b"content-length: 10\r\n\r\n{", b"HTTP/1.1 408"),
    ],
)
def test_a_slow_client_is_let_go(server: Server, sent: bytes, answer: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:
        client.sendall(sent)
        found = b""
        while part := client.recv(4096):
            found += part
        assert found[: len(answer)] == answer
    assert server.ask("GET", "/healthz").status == 200


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)
bodies = st.one_of(
    st.binary(max_size=60),
    json_values.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {"examples": st.lists(st.fixed_dictionaries({"x": json_values, "y": json_values}), max_size=3)}
    ).map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries({"rows": st.lists(json_values, max_size=3)}).map(lambda value: json.dumps(value).encode()),
)
paths = st.sampled_from(["learn", "predict", "feedback", "rollback"])


@settings(max_examples=150)
@given(bodies, paths, st.sampled_from(["application/json", "application/x-ndjson", "text/csv", "text/x-svmlight"]))
def test_no_body_brings_the_server_down(server: Server, body: bytes, path: str, media: str) -> None:
    reply = server.ask("POST", f"/v1/models/sparse/{path}", body, content_type=media)
    assert reply.status in (200, 400, 404, 409, 415, 422)
    if reply.status != 200:
        assert reply.body["error"]


def test_a_full_queue_is_said_and_loses_nothing(server: Server) -> None:
    reply = server.ask("POST", "/v1/models/empty/learn", {"examples": [{"x": [1], "y": "a"}] * 50})
    assert reply.status == 200
    with running(server.said.parent / "small", "--queue", "3") as small:
        small.ask("PUT", "/v1/models/m", {"kind": "Perceptron"})
        full = small.ask("POST", "/v1/models/m/learn", {"examples": [{"x": [1], "y": "a"}] * 4})
        assert full.status == 429
        assert full.headers["retry-after"] == "1"
        assert full.body["error"] == "0 examples wait to be learned: expected at most 3"
        assert small.log("m") == []
