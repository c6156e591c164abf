"""What learning may cost is bounded: labels, steps, the time of a start and of the end. Nothing is lost by it."""

import signal
import sqlite3
import threading
import time
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from tests.serve.server import PATIENCE, Server, running
from tests.serve.test_serve import examples

MODEL = {"kind": "Perceptron"}
TAGGER = {"kind": "SequenceTagger"}


def refusal(server: Server, name: str, rows: list[dict[str, Any]]) -> tuple[int, str, str]:
    reply = server.ask("POST", f"/v1/models/{name}/learn", {"examples": rows})
    return reply.status, reply.body["error"], reply.body["place"]


def test_labels_are_bounded_before_they_are_logged(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    with running(folder, "--labels", "5") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.ask("PUT", "/v1/models/t", TAGGER)
        rows = [{"x": [1.0, k], "y": k} for k in range(6)]
        said = "expected at most 5 labels of a model (--labels), found another one: "
        assert refusal(server, "m", rows) == (422, f"{said}5", "examples[5].y")
        sentence = {"x": [*"abcdef"], "y": [*"ABCDEF"]}
        assert refusal(server, "t", [{"x": ["a"], "y": ["A"]}, sentence]) == (422, f"{said}'F'", "examples[1].y")
        assert server.log("m") == server.log("t") == []
        server.learn("m", [{"x": [1.0, k], "y": 10 * k} for k in range(5)])  # what was refused is not known
        assert refusal(server, "m", rows[3:4]) == (422, f"{said}3", "examples[0].y")
        server.learn("m", [{"x": [2.0, 1.0], "y": 40}])
        wide = server.ask("PUT", "/v1/models/wide", {**MODEL, "classes": [*range(6)]})
        assert (wide.status, wide.body["place"]) == (422, "classes")
        server.kill()
    with running(folder, "--labels", "2") as server:  # the model has more already
        server.learn("m", [{"x": [2.0, 1.0], "y": 30}])
        assert refusal(server, "m", rows[3:4])[0] == 422


def test_by_default_there_are_at_most_a_thousand_labels(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        status, said, place = refusal(server, "m", [{"x": [1.0], "y": k} for k in range(1001)])
        assert (status, place) == (422, "examples[1000].y")
        assert "at most 1,000 labels" in said


def test_the_steps_of_a_request_are_bounded(tmp_path: Path) -> None:
    with running(tmp_path / "models", "--steps", "1000") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.ask("PUT", "/v1/models/t", TAGGER)
        server.ask("PUT", "/v1/models/k", {"kind": "KernelPerceptron", "parameters": {"budget": 20, "gamma": 1.0}})
        said = "expected at most 1,000 steps to learn a request (--steps), found about "
        rest = ": send less at once"
        # 2 classes of 10 features: 2 * (90 * 10 + 2 * 10)
        rows = [{"x": [1.0] * 10, "y": k % 2} for k in range(90)]
        assert refusal(server, "m", rows) == (422, f"{said}1,840{rest}", "examples")
        server.learn("m", rows[:40])
        sentence = {"x": ["a"] * 50, "y": [*"ABCDE"] * 10}
        assert refusal(server, "t", [sentence]) == (422, f"{said}5,000{rest}", "examples")
        server.learn("t", [{"x": ["a"] * 5, "y": [*"ABCDE"]}])
        row = {"x": [1.0, 2.0], "y": 0}
        assert refusal(server, "k", [row] * 3) == (422, f"{said}1,320{rest}", "examples")
        server.learn("k", [row] * 2)


def sent(server: Server, rows: list[dict[str, Any]]) -> threading.Thread:
    """A request whose answer nobody waits for."""

    def send() -> None:
        with suppress(OSError, HTTPException):
            server.ask("POST", "/v1/models/slow/learn", {"examples": rows})

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    return thread


def count(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(f"file:{folder}/slow/log.sqlite?mode=ro", uri=True)) as db:
        found: int = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return found


def test_a_model_that_learns_for_minutes_delays_neither_the_end_nor_the_start(tmp_path: Path) -> None:
    folder, limits = tmp_path / "models", ("--labels", "100000", "--steps", "1" + "0" * 15, "--ending", "1")
    # Each sentence has a label that was not there before, so that all weights are copied: minutes in all.
    rows = [{"id": f"{k}", "x": [f"w{k}"], "y": [f"l{k}"]} for k in range(8000)]
    with running(folder, *limits) as server:
        server.ask("PUT", "/v1/models/slow", TAGGER)
        server.ask("PUT", "/v1/models/quick", MODEL)
        server.learn("quick", examples(20))
        request = sent(server, rows)
        end = time.monotonic() + PATIENCE
        while count(folder, "examples") < len(rows):
            assert time.monotonic() < end
            time.sleep(0.05)
        server.learn("quick", examples(20, seed=1))
        assert server.stop() == 0
        request.join(PATIENCE)
    assert count(folder, "examples") == len(rows), "what is logged is on the disk"
    assert count(folder, "predicted") < len(rows), "the rest is left to the next start"
    assert "warning: model slow: the next start learns what is not learned yet" in server.said.read_text()
    for end_with, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        with running(folder, *limits, wait=False) as server:
            end = time.monotonic() + PATIENCE
            while (reply := server.ask("GET", "/v1/models/quick")).status != 200:
                assert (reply.status, reply.headers["retry-after"]) == (503, "1")
                assert time.monotonic() < end
            assert reply.body["examples"] == 40
            asked = {"rows": [examples(1)[0]["x"]]}
            assert server.ask("POST", "/v1/models/quick/predict", asked).status == 200
            slow = server.ask("POST", "/v1/models/slow/learn", {"examples": rows[:1]})
            assert (slow.status, slow.headers["retry-after"]) == (503, "1")
            assert slow.body["error"].startswith("the model is being opened")
            ready = server.ask("GET", "/readyz")
            assert (ready.status, ready.body["status"], [*ready.body["opening"]]) == (503, "opening", ["slow"])
            assert [*server.ask("GET", "/v1/models").body["unavailable"]] == ["slow"]
            server.process.send_signal(end_with)
            assert server.process.wait(PATIENCE) == code
    assert count(folder, "examples") == len(rows)
