"""The client of `rosenblatt serve`: learn, predict and the rest as calls, with the standard library alone.

Every example gets an id before it is first sent, and the server counts an id once. So a request whose answer was lost
is simply sent again, and what `learn` has returned is on the server's disk, exactly once.

A request is sent again when no answer came (the server was killed, or is not up yet) or when the answer says "later"
(429, 503). The pause doubles each time, with a random part so that many clients do not come back at the same moment;
`Retry-After` is followed where the server gives it. `patience` bounds all of it.
"""

import http.client
import json
import random
import uuid
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import quote, urlencode, urlsplit


class RefusedError(ValueError):
    """The server refuses this request, and the same request will never succeed; the sentence says why.

    Attributes
    ----------
    status
        The HTTP status: 400 if the request cannot be read, 404 if there is no such model, 409 if there is a conflict.
    place
        The place of the mistake in the request, such as `examples[3].x`, or None.
    """

    def __init__(self, sentence: str, status: int, place: str | None = None) -> None:
        super().__init__(sentence if place is None or sentence.startswith(place) else f"{place}: {sentence}")
        self.status, self.place = status, place


class UnavailableError(ConnectionError):
    """No answer came within the client's patience, or the server has failed."""


LATER = {429, 502, 503, 504}  # statuses after which the same request may succeed
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0  # seconds


class Reply(NamedTuple):
    """Status, headers with names in lower case, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes


class Retrying:
    """One server; safe to use from many threads, each request of which takes a connection for itself."""

    def __init__(self, address: str, token: str | None, timeout: float, patience: float) -> None:
        parts = urlsplit(address if "//" in address else f"//{address}", scheme="http")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"address: expected one such as http://127.0.0.1:8750, found {address!r}")
        self._https = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port or (443 if self._https else 80)
        self._prefix = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._timeout, self._patience = timeout, patience
        self._idle: list[http.client.HTTPConnection] = []
        weakref.finalize(self, _close, self._idle)  # if the program forgets `close`
        self.address = f"{parts.scheme}://{parts.netloc}{self._prefix}"

    def send(self, method: str, path: str, body: bytes | None, media_type: str, *, again: bool) -> Reply:
        """Return the server's answer, whatever its status. `again=False`: do not send twice, which would do harm."""
        end = monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            try:
                answer = self._once(method, path, body, media_type)
            except (OSError, http.client.HTTPException) as error:
                self.close()  # they lead to a server that has ended
                if not again and not isinstance(error, ConnectionRefusedError):
                    raise UnavailableError(
                        f"{self.address}: no answer, and it may have been done: {error!r}"
                    ) from error
                wait, why = pause, repr(error)
            else:
                if answer.status not in LATER:
                    return answer
                wait, why = max(pause, _retry_after(answer)), f"status {answer.status}: {sentence_of(answer)[0]}"
            wait *= random.uniform(1, 1.5)
            if monotonic() + wait > end:
                raise UnavailableError(f"{self.address}: no answer within {self._patience:g} s: {why}")
            sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)

    def close(self) -> None:
        """Close the idle connections. The next request opens a new one."""
        _close(self._idle)

    def _once(self, method: str, path: str, body: bytes | None, media_type: str) -> Reply:
        headers = self._headers | ({"Content-Type": media_type} if body is not None else {})
        try:
            connection = self._idle.pop()
        except IndexError:
            make = http.client.HTTPSConnection if self._https else http.client.HTTPConnection
            connection = make(self._host, self._port, timeout=self._timeout)
        try:
            connection.request(method, self._prefix + path, body, headers)
            answer = connection.getresponse()
            reply = Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        except BaseException:
            connection.close()  # an answer to this request might still come
            raise
        self._idle.append(connection)
        return reply


def _close(connections: list[http.client.HTTPConnection]) -> None:
    while connections:
        with suppress(IndexError):  # another thread took the last one
            connections.pop().close()


def sentence_of(reply: Reply) -> tuple[str, str | None]:
    """The error and its place in the request. If the answer is not from this server, its first words."""
    try:
        refusal = json.loads(reply.body)
        return str(refusal["error"]), refusal.get("place")
    except (ValueError, KeyError, TypeError, AttributeError):
        return reply.body[:300].decode(errors="replace"), None


def _retry_after(reply: Reply) -> float:
    """The seconds that the server asks to wait. HTTP also allows a date, which our server never sends."""
    try:
        return min(max(float(reply.headers.get("retry-after", 0)), 0), 60)
    except ValueError:
        return 0


JSON = "application/json"
BATCH = 1000  # rows of one request: more would save little time, and a server has a limit


class Learned(NamedTuple):
    """An example that is on the server's disk: its number in the log, and what was predicted before it was learned."""

    seq: int
    id: str
    predicted: Any
    mistake: bool


class Prediction(NamedTuple):
    """A label; its score, or with more than two classes the score of each; and the version of the model.

    The version is the number of the last example that the model had learned. A model with probabilities says that of
    each class.
    """

    label: Any
    score: Any
    version: int
    probabilities: list[float] | None = None


class Logged(NamedTuple):
    """An example in the log."""

    seq: int
    id: str
    x: Any
    y: Any
    predicted: Any


class Client:
    """Talks to a server that `rosenblatt serve` has started; many threads may share one.

    Parameters
    ----------
    address
        The URL of the server.
    token
        The token, if the server needs one.
    timeout
        Seconds to wait for one answer.
    patience
        Seconds in all, during which a request is tried again if the server is down or busy.

    Examples
    --------
    The server is a program; here it runs in a temporary folder.

    >>> import subprocess, sys, tempfile
    >>> from rosenblatt.serve import Client
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     command = [sys.executable, "-m", "rosenblatt", "serve", folder, "--port", "0"]
    ...     with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
    ...         with Client(server.stdout.readline().split()[-1]) as client:
    ...             about = client.create("spam")
    ...             learned = client.learn("spam", [[1, 0], [0, 1], [2, 0]], ["ham", "spam", "ham"])
    ...             answers = client.predict("spam", [[0, 2]])
    ...         server.terminate()
    >>> [(example.seq, example.predicted) for example in learned]
    [(1, None), (2, 'ham'), (3, 'ham')]
    >>> answers
    [Prediction(label='spam', score=1.0, version=3, probabilities=None)]
    """

    def __init__(
        self,
        address: str = "http://127.0.0.1:8750",
        *,
        token: str | None = None,
        timeout: float = 30,
        patience: float = 60,
    ) -> None:
        self._server = Retrying(address, token, timeout, patience)

    def create(
        self,
        model: str,
        kind: str = "Perceptron",
        *,
        classes: Sequence[Any] | None = None,
        labels: str | None = None,
        n_features: int | None = None,
        bound: float | None = None,
        **parameters: Any,
    ) -> dict[str, Any]:
        """Make a model that has learned nothing. The same call again changes nothing; a different one is refused.

        Parameters
        ----------
        model
            Its name: letters, digits, - and _.
        kind
            The member: Perceptron, KernelPerceptron (with a budget) or SequenceTagger.
        classes
            The labels that are known before the first example.
        labels
            What to do with an example whose label is not among them: "add" the label (default) or "refuse" the example.
        n_features
            The number of features of a row. Default: that of the first row.
        bound
            The maximum number of mistakes, if theory gives one: the page draws it beside the curve.
        **parameters
            The parameters of the member.
        """
        more = {"classes": classes, "labels": labels, "n_features": n_features, "bound": bound}
        chosen = {name: value for name, value in more.items() if value is not None}
        return self._json("PUT", _path(model), {"kind": kind, "parameters": parameters, **chosen})

    def upload(self, model: str, path: str | Path) -> dict[str, Any]:
        """Make a model from a model file; it continues to learn."""
        answer = self._server.send("PUT", _path(model), Path(path).read_bytes(), "application/octet-stream", again=True)
        return _read(answer)

    def models(self) -> list[dict[str, Any]]:
        """Return what the server knows about each model."""
        models: list[dict[str, Any]] = self._json("GET", "/v1/models")["models"]
        return models

    def model(self, model: str) -> dict[str, Any]:
        """Return the kind and parameters of a model, and how many examples it learned and mistakes it made."""
        return self._json("GET", _path(model))

    def learn(self, model: str, rows: Any, labels: Any, ids: Sequence[str] | None = None) -> list[Learned]:
        """Predict and then learn each row, in this order; when it returns, all of it is on the server's disk.

        Parameters
        ----------
        model
            The name of the model.
        rows
            A matrix, dense or sparse; or a list of rows: lists of numbers, dictionaries from the index of a feature (or
            the name of a column) to its value, sentences as lists of words.
        labels
            One for each row; for a sentence a list of tags.
        ids
            One for each row. The server counts an id only once, even if it is sent twice, or by another program.
            Default: random ids.
        """
        rows, labels = as_rows(rows), list(labels)
        ids = _new_ids(len(rows)) if ids is None else list(ids)
        if not len(rows) == len(labels) == len(ids):
            raise ValueError(f"expected a label and an id a row, found {len(rows)} rows, {len(labels)}, {len(ids)}")
        examples = [{"id": key, "x": x, "y": y} for key, x, y in zip(ids, rows, labels, strict=True)]
        return self._teach(model, "learn", "examples", examples)

    def predict(self, model: str, rows: Any, ids: Sequence[str] | None = None) -> list[Prediction]:
        """Return a label and its score for each row. The model does not change.

        Parameters
        ----------
        model
            The name of the model.
        rows
            As in `learn`.
        ids
            One for each row whose label comes later: the server keeps these rows for `feedback`.
        """
        rows = as_rows(rows)
        predictions: list[Prediction] = []
        for at in _batches(len(rows)):
            body = {"rows": rows[at]} if ids is None else {"rows": rows[at], "ids": list(ids[at])}
            answer = self._json("POST", _path(model, "predict"), body)
            for row in answer["predictions"]:
                score = row["score"] if "score" in row else row.get("scores")
                predictions.append(Prediction(row["label"], score, answer["version"], row.get("probabilities")))
        return predictions

    def top(self, model: str, texts: Any, k: int = 5) -> list[list[tuple[Any, float]]]:
        """Return the k best labels of each text, best first, with their probabilities, or scores if there are none.

        Parameters
        ----------
        model
            The name of a model of texts.
        texts
            Texts; or rows by column name, of a model that was trained on a table.
        k
            How many labels.
        """
        answers = self._of_texts(model, "top", texts, {"k": k})
        return [[(best["label"], best["score"]) for best in answer] for answer in answers]

    def explain(self, model: str, texts: Any, label: Any = None, k: int = 5) -> list[tuple[Any, list[dict[str, Any]]]]:
        """Return the label of each text, and the words that decide it, each with what it adds to the score.

        Parameters
        ----------
        model, texts
            As in `top`.
        label
            The label to explain. The default is that of the answer.
        k
            How many words, those that decide most first.
        """
        answers = self._of_texts(model, "explain", texts, {"label": label, "k": k})
        return [(answer["label"], answer["reasons"]) for answer in answers]

    def _of_texts(self, model: str, verb: str, texts: Any, words: dict[str, Any]) -> list[Any]:
        rows = as_rows(texts)
        bodies = ({"rows": rows[at], **words} for at in _batches(len(rows)))
        return [answer for body in bodies for answer in self._json("POST", _path(model, verb), body)["rows"]]

    def feedback(self, model: str, labels: Mapping[str, Any]) -> list[Learned]:
        """Learn rows that were predicted before, when their labels have come: a dict from the ids to the labels."""
        return self._teach(model, "feedback", "feedback", [{"id": key, "y": y} for key, y in labels.items()])

    def log(self, model: str, after: int = 0) -> Iterator[Logged]:
        """Yield every learned example after the number `after`, fetched page by page."""
        while True:
            page = self._json("GET", _path(model, "log") + "?" + urlencode({"after": after}))["examples"]
            if not page:
                return
            for entry in page:
                after = entry["seq"]
                yield Logged(after, entry["id"], entry["x"], entry["y"], entry["predicted"])

    def file(self, model: str) -> bytes:
        """Return the model file. Once saved, `rosenblatt.load` reads it, and so does any verb of the program."""
        return _body(self._server.send("GET", _path(model, "file"), None, JSON, again=True))

    def rollback(self, model: str, seq: int) -> dict[str, Any]:
        """Return to the model that had learned the first `seq` examples, and forget the rest.

        The request is sent only once: a second one would also forget what others have taught the model since the first.
        """
        return self._json("POST", _path(model, "rollback"), {"seq": seq}, again=False)

    def close(self) -> None:
        """Close all connections."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _teach(self, model: str, verb: str, what: str, examples: list[dict[str, Any]]) -> list[Learned]:
        learned: list[Learned] = []
        for at in _batches(len(examples)):
            answer = self._json("POST", _path(model, verb), {what: examples[at]})
            learned += [Learned(row["seq"], row["id"], row["predicted"], row["mistake"]) for row in answer["examples"]]
        return learned

    def _json(self, method: str, path: str, body: Any = None, *, again: bool = True) -> dict[str, Any]:
        sent = None if body is None else json.dumps(body, default=_plain, allow_nan=False).encode()
        return _read(self._server.send(method, path, sent, JSON, again=again))


def as_rows(rows: Any) -> list[Any]:
    """Turn a matrix, dense or sparse, or a list of rows into rows for JSON.

    >>> from scipy.sparse import csr_array
    >>> as_rows(csr_array([[0, 1.5], [0, 0]])), as_rows([{3: 1}, (1, 2)])
    ([{'1': 1.5}, {}], [{'3': 1}, (1, 2)])
    """
    if isinstance(rows, str | bytes):
        raise TypeError("rows: expected a list of rows, found one text: put it into a list")
    if hasattr(rows, "tocsr"):
        rows = rows.tocsr()
        starts, indices, values = rows.indptr.tolist(), rows.indices.tolist(), rows.data.tolist()
        pairs = [slice(*ends) for ends in pairwise(starts)]
        return [dict(zip(map(str, indices[at]), values[at], strict=True)) for at in pairs]
    listed = rows.tolist() if hasattr(rows, "tolist") else list(rows)
    return [{str(key): value for key, value in row.items()} if isinstance(row, Mapping) else row for row in listed]


def _plain(value: Any) -> Any:
    """Turn an array or number of numpy into plain Python, for JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"expected numbers, text, lists or dictionaries, found {type(value).__name__}")


def _new_ids(n: int) -> list[str]:
    prefix = uuid.uuid4().hex
    return [f"{prefix}-{number}" for number in range(n)]


def _batches(n: int) -> Iterator[slice]:
    return (slice(start, start + BATCH) for start in range(0, n, BATCH))


def _path(model: str, *verb: str) -> str:
    return "/".join(("/v1/models", quote(model, safe=""), *verb))


def _body(reply: Reply) -> bytes:
    """The body of an answer; a refusal raises an error."""
    if reply.status < 300:
        return reply.body
    sentence, place = sentence_of(reply)
    if reply.status >= 500:
        raise UnavailableError(f"status {reply.status}: {sentence}")
    raise RefusedError(sentence, reply.status, place)


def _read(reply: Reply) -> dict[str, Any]:
    value = json.loads(_body(reply))
    if not isinstance(value, dict):
        raise UnavailableError(f"expected an answer of rosenblatt serve, found {reply.body[:100]!r}")
    return value
