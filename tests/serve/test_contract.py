"""The description at /openapi.json and the answers agree, as schemathesis finds by requests of all kinds."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.server import Server, running

CONFIG = Path(__file__).with_name("schemathesis.toml")


def test_no_request_finds_a_difference(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        server.ask("PUT", "/v1/models/m", {"kind": "Perceptron"})
        server.learn("m", [{"x": [1], "y": "a", "id": "one"}, {"x": [-1], "y": "b"}])
        options = ["--seed=1", "--max-examples=5", "--phases=coverage,fuzzing", "--generation-database=none"]
        command = ["-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", f"{server.address}/openapi.json"]
        done = subprocess.run(
            [sys.executable, *command, *options, "--no-color"],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        assert "No issues found" in done.stdout


def test_a_repeated_put_is_described(tmp_path: Path) -> None:
    with running(tmp_path / "models", "--rows", "77") as server:
        found = server.ask("GET", "/openapi.json").body
        statuses = [server.ask("PUT", "/v1/models/m", {"kind": "Perceptron"}).status for _ in range(2)]
    assert statuses == [201, 200]
    assert {"200", "201"} <= set(found["paths"]["/v1/models/{name}"]["put"]["responses"])
    examples = found["components"]["schemas"]["Learn"]["properties"]["examples"]
    assert (examples["minItems"], examples["maxItems"]) == (1, 77)


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/v1/models/m", "GET, PUT, HEAD"),
        ("GET", "/v1/models/m/learn", "POST"),
        ("OPTIONS", "/healthz", "GET, HEAD"),
        ("POST", "/", "GET, HEAD"),
    ],
)
def test_another_method_is_told_which_are_allowed(plain: Server, method: str, path: str, allow: str) -> None:
    reply = plain.ask(method, path)
    assert (reply.status, reply.headers["allow"]) == (405, allow)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("plain") / "models") as server:
        yield server


PUTS = [
    ({"classes": ["a", "a"]}, "classes[1]", "expected each label once, found 'a' twice"),
    ({"classes": [3, 1, 3]}, "classes[2]", "expected each label once, found 3 twice"),
    ({"classes": ["a", ""]}, "classes[1]", "expected a text of 1 to 256 characters other than \\0"),
    ({"classes": ["a\0"]}, "classes[0]", "expected a text of 1 to 256 characters other than \\0"),
    ({"classes": ["a" * 257]}, "classes[0]", "expected a text of 1 to 256 characters other than \\0"),
    ({"classes": [1, 2**53]}, "classes[1]", "expected a whole number within 2^53, found 9007199254740992"),
    ({"classes": []}, "classes", "classes: expected texts or whole numbers, and not both"),
    ({"bound": -1}, "bound", "bound: expected a number of mistakes, 0 or more, found -1"),
    ({"n_features": 2**63}, "n_features", f"n_features: expected a number from 1 to 16,777,216, found {2**63}"),
    ({"n_features": 0}, "n_features", "n_features: expected a number from 1 to 16,777,216, found 0"),
]


@pytest.mark.parametrize(("more", "place", "error"), PUTS, ids=[json.dumps(more)[:40] for more, *_ in PUTS])
@pytest.mark.parametrize("kind", ["Perceptron", "SequenceTagger"])
def test_what_no_example_could_have_is_refused(plain: Server, kind: str, more: object, place: str, error: str) -> None:
    assert isinstance(more, dict)
    reply = plain.ask("PUT", "/v1/models/wrong", {"kind": kind, **more})
    assert (reply.status, reply.body) == (422, {"error": error, "place": place})
    assert plain.ask("GET", "/v1/models/wrong").status == 404


def test_labels_come_back_as_they_were_named(plain: Server) -> None:
    for name, classes in (("small", [1, -1]), ("large", [2**53 - 1, 1]), ("text", ["b", "a"])):
        made = plain.ask("PUT", f"/v1/models/{name}", {"kind": "Perceptron", "classes": classes})
        assert (made.status, made.body["classes"]) == (201, sorted(classes))
        plain.learn(name, [{"x": [1], "y": classes[0]}, {"x": [-1], "y": classes[1]}])
        found = plain.ask("POST", f"/v1/models/{name}/predict", {"rows": [[1], [-1]]}).body["predictions"]
        assert repr([one["label"] for one in found]) == repr(classes)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("curve?points=", "points"),
        ("curve?points=1", "points"),
        ("log?limit=0", "limit"),
        ("log?after=-1", "after"),
        ("log?after=", "after"),
    ],
)
def test_a_wrong_query_is_refused(plain: Server, query: str, place: str) -> None:
    plain.ask("PUT", "/v1/models/queried", {"kind": "Perceptron"})
    reply = plain.ask("GET", f"/v1/models/queried/{query}")
    assert (reply.status, reply.body["place"]) == (400, place)
    assert reply.body["error"].startswith("expected a whole number")
