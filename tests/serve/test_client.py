"""The client: rows of every kind, retries that are safe, and errors in the server's own words."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import rosenblatt
from rosenblatt.doors.serve.client import as_rows
from rosenblatt.serve import Client, RefusedError, UnavailableError
from tests.serve.server import running

ANSWER = b'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 13\r\n\r\n{"models":[]}'
BUSY = b"HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}"
HANG_UP = b""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with running(tmp_path_factory.mktemp("client") / "served") as server, Client(server.address) as client:
        yield client


def test_learns_what_the_model_learns_alone(client: Client, tmp_path: Path) -> None:
    X, y = rosenblatt.read_svmlight(_digits())
    rows, labels = X[:400], y[:400].astype(int)
    client.create("digits", readout="average")
    learned = client.learn("digits", rows, labels)
    assert [one.seq for one in learned] == list(range(1, 401))
    assert [one.mistake for one in learned] == [
        one.predicted != label for one, label in zip(learned, labels, strict=True)
    ]
    (tmp_path / "digits.safetensors").write_bytes(client.file("digits"))
    model = rosenblatt.load(tmp_path / "digits.safetensors")
    alone = rosenblatt.Perceptron(readout="average")
    for row, label in zip(rows, labels, strict=True):
        alone.partial_fit(row.reshape(1, -1), [label])
    assert (model.coef_ == alone.coef_[:, : model.coef_.shape[1]]).all()
    answers = client.predict("digits", rows[:50])
    assert [one.label for one in answers] == model.predict(rows[:50]).tolist()
    assert {one.version for one in answers} == {400}
    assert client.model("digits")["mistakes"] == sum(one.mistake for one in learned)
    assert "digits" in [one["name"] for one in client.models()]


def test_a_repeated_id_gets_the_first_answer(client: Client) -> None:
    client.create("twice")
    first = client.learn("twice", [[1, 2], [2, 1]], ["a", "b"], ids=["1", "2"])
    again = client.learn("twice", [[1, 2], [2, 1], [3, 3]], ["a", "b", "a"], ids=["1", "2", "3"])
    assert again[:2] == first
    assert [entry.id for entry in client.log("twice")] == ["1", "2", "3"]


def test_the_log_comes_page_by_page(client: Client) -> None:
    client.create("pages")
    client.learn("pages", np.arange(5000.0).reshape(2500, 2), ["a", "b"] * 1250)
    log = list(client.log("pages"))
    assert [entry.seq for entry in log] == list(range(1, 2501))
    assert log[-1].x == [4998, 4999]
    assert next(client.log("pages", after=2400)) == log[2400]


def test_rollback(client: Client) -> None:
    client.create("back")
    client.learn("back", [[1, 0], [0, 1], [1, 1]], ["a", "b", "a"])
    before = client.file("back")
    client.learn("back", [[-1, 0], [0, -1]], ["a", "b"])
    assert client.rollback("back", 3)["examples"] == 3
    assert client.file("back") == before


def test_feedback_joins_a_label_that_comes_later(client: Client) -> None:
    client.create("later")
    client.learn("later", [[1, 0], [0, 1]], ["a", "b"])
    (answer,) = client.predict("later", [[3, 0]], ids=["mail 7"])
    (learned,) = client.feedback("later", {"mail 7": "b"})
    assert (learned.id, learned.predicted) == ("mail 7", answer.label)
    assert [entry.x for entry in client.log("later", after=2)] == [[3, 0]]


def test_a_classifier_of_texts_has_its_probabilities(client: Client, tmp_path: Path) -> None:
    texts, new = ["a red rose", "the blue sea", "red and red", "blue ice"], ["the red sea", "a blue rose"]
    model = rosenblatt.TextClassifier().fit(texts, ["red", "blue", "red", "blue"])
    rosenblatt.save(model, tmp_path / "texts.safetensors")
    client.upload("texts", tmp_path / "texts.safetensors")
    for answer, p in zip(client.predict("texts", new), model.predict_proba(new).tolist(), strict=True):
        assert answer.label == model.classes_[int(p[1] > 0.5)]
        assert answer.probabilities == pytest.approx(p, abs=1e-6)
    client.learn("texts", ["green leaf"], ["green"])
    assert [answer.probabilities for answer in client.predict("texts", new)] == [None, None]


def test_a_model_file_goes_on_learning(client: Client, tmp_path: Path) -> None:
    model = rosenblatt.Perceptron().fit([[0, 1], [1, 0]], ["a", "b"])
    rosenblatt.save(model, tmp_path / "model.safetensors")
    client.upload("uploaded", tmp_path / "model.safetensors")
    assert client.predict("uploaded", [[0, 1], [1, 0]])[0].label == "a"
    assert client.learn("uploaded", [[0, 1]], ["b"])[0].predicted == "a"


@pytest.mark.parametrize(
    ("call", "status", "words"),
    [
        (lambda client: client.model("none"), 404, "none"),
        (lambda client: client.create("a b"), 422, "name"),
        (lambda client: client.create("kind", "Perceptorn"), 422, "expected one of Perceptron"),
        (lambda client: client.create("parameters", step="far"), 422, "step"),
        (lambda client: client.learn("twice", [[1]], ["a"]), 422, r"examples\[0\].x: expected 2 numbers, found 1"),
    ],
)
def test_what_is_refused(client: Client, call: Callable[[Client], Any], status: int, words: str) -> None:
    client.create("twice")
    client.learn("twice", [[1, 2]], ["a"], ids=["1"])
    with pytest.raises(RefusedError, match=words) as caught:
        call(client)
    assert caught.value.status == status


def test_what_is_refused_before_it_is_sent() -> None:
    nowhere = Client("http://127.0.0.1:1", patience=0)
    with pytest.raises(ValueError, match="expected a label and an id a row, found 2 rows, 1, 2"):
        nowhere.learn("a", [[1], [2]], ["a"])
    with pytest.raises(TypeError, match="rows: expected a list of rows, found one text: put it into a list"):
        nowhere.predict("a", "a red rose")
    with pytest.raises(ValueError, match="not JSON compliant"):
        nowhere.learn("a", [[float("nan")]], ["a"])
    with pytest.raises(ValueError, match=r"address: expected one such as http://127.0.0.1:8750, found 'ftp://x'"):
        Client("ftp://x")
    with pytest.raises(UnavailableError, match="no answer within 0 s"):
        nowhere.models()


def test_rows_of_every_kind() -> None:
    dense = [[0.0, 1.5], [2.0, 0.0]]
    sparse = [{"1": 1.5}, {"0": 2.0}]
    assert as_rows(np.array(dense)) == as_rows(dense) == dense
    assert as_rows(csr_array(dense)) == as_rows([{np.int64(1): 1.5}, {0: 2.0}]) == sparse
    assert as_rows([["a", "word"], ("b",)]) == [["a", "word"], ("b",)]


def test_busy_is_tried_again_as_late_as_the_server_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("rosenblatt.doors.serve.client.sleep", waits.append)
    with answering(BUSY, BUSY, ANSWER) as (address, requests), Client(address) as client:
        assert client.models() == []
    assert len(requests) == 3
    assert len(set(requests)) == 1
    assert all(7 <= wait <= 10.5 for wait in waits)


def test_a_connection_that_breaks_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("rosenblatt.doors.serve.client.sleep", waits.append)
    with answering(HANG_UP, HANG_UP, ANSWER) as (address, _), Client(address) as client:
        assert client.models() == []
    assert 2 * waits[0] * 1.5 >= waits[1] > 0


def test_ids_are_the_same_when_a_request_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rosenblatt.doors.serve.client.sleep", lambda _: None)
    with answering(HANG_UP, ANSWER) as (address, requests), Client(address) as client, pytest.raises(KeyError):
        client.learn("model", [[1]], ["a"])
    assert len(requests) == 2
    assert requests[0] == requests[1]
    assert b'"id": "' in requests[0]


def test_a_rollback_is_sent_once() -> None:
    with (
        answering(HANG_UP) as (address, requests),
        Client(address) as client,
        pytest.raises(UnavailableError, match="it may have been done"),
    ):
        client.rollback("model", 3)
    assert len(requests) == 1


def test_patience_ends() -> None:
    with (
        answering(BUSY) as (address, _),
        Client(address, patience=1) as client,
        pytest.raises(UnavailableError, match=r"within 1 s: status 429"),
    ):
        client.models()


def test_a_token_is_sent() -> None:
    with answering(ANSWER) as (address, requests), Client(address, token="secret") as client:
        client.models()
    assert b"Authorization: Bearer secret\r\n" in requests[0]


def test_many_threads_share_a_client(client: Client) -> None:
    client.create("threads", n_features=2)
    failed: list[BaseException] = []

    def teach(number: int) -> None:
        try:
            for turn in range(20):
                client.learn("threads", [[number, turn]], ["a" if turn % 2 else "b"])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=teach, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert client.model("threads")["examples"] == 160


@contextmanager
def answering(*answers: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that gives these answers, each on a connection of its own, and keeps what it was asked."""
    asked: list[bytes] = []

    def work() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection:
                asked.append(_request(connection))
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked
        thread.join(60)


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def _digits() -> Path:
    return Path(rosenblatt.__file__).parent / "data" / "shipped" / "digits.svm"
