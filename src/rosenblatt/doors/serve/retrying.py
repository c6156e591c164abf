"""HTTP requests to one server over connections that stay open, tried again while that is safe.

A request is tried again when no answer came (the server was killed, or is not up yet) or when the answer says "later"
(429, 503). The pause doubles each time, with a random part so that many clients do not come back at the same moment;
`Retry-After` is kept where the server gives it. `patience` bounds all of it.
"""

import http.client
import json
import random
import weakref
from contextlib import suppress
from time import monotonic, sleep
from typing import NamedTuple
from urllib.parse import urlsplit

from rosenblatt.doors.serve.client_errors import UnavailableError

LATER = {429, 502, 503, 504}  # statuses after which the same request may succeed
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0  # seconds


class Answer(NamedTuple):
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
        weakref.finalize(self, _close, self._idle)  # for those who forget `close`
        self.address = f"{parts.scheme}://{parts.netloc}{self._prefix}"

    def send(self, method: str, path: str, body: bytes | None, media_type: str, *, again: bool) -> Answer:
        """The server's answer, whatever its status; `again=False` for what must not be done twice."""
        end = monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            try:
                answer = self._once(method, path, body, media_type)
            except (OSError, http.client.HTTPException) as error:
                self.close()  # they were to the server that is gone
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
        """Close the connections that wait; the next request opens one again."""
        _close(self._idle)

    def _once(self, method: str, path: str, body: bytes | None, media_type: str) -> Answer:
        headers = self._headers | ({"Content-Type": media_type} if body is not None else {})
        try:
            connection = self._idle.pop()
        except IndexError:
            make = http.client.HTTPSConnection if self._https else http.client.HTTPConnection
            connection = make(self._host, self._port, timeout=self._timeout)
        try:
            connection.request(method, self._prefix + path, body, headers)
            answer = connection.getresponse()
            found = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        except BaseException:
            connection.close()  # an answer to this request might still come
            raise
        self._idle.append(connection)
        return found


def _close(connections: list[http.client.HTTPConnection]) -> None:
    while connections:
        with suppress(IndexError):  # another thread was faster
            connections.pop().close()


def sentence_of(answer: Answer) -> tuple[str, str | None]:
    """What went wrong, and where in the request; of an answer that is not the server's own, its first words."""
    try:
        said = json.loads(answer.body)
        return str(said["error"]), said.get("place")
    except (ValueError, KeyError, TypeError, AttributeError):
        return answer.body[:300].decode(errors="replace"), None


def _retry_after(answer: Answer) -> float:
    """Seconds, where the server names them; a date, the other form that HTTP allows, is not used by ours."""
    try:
        return min(max(float(answer.headers.get("retry-after", 0)), 0), 60)
    except ValueError:
        return 0
