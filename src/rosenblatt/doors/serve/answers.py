"""What the server returns to a client: an answer, or a refusal with the reason and its place in the request."""

from typing import Any

import msgspec

JSON = b"application/json"


class Answer(msgspec.Struct):
    """A body with its status and headers; it is JSON unless `media` says otherwise."""

    body: bytes
    status: int = 200
    media: bytes = JSON
    headers: list[tuple[bytes, bytes]] = []


_ENCODER = msgspec.json.Encoder()


def json(value: Any, status: int = 200) -> Answer:
    return Answer(_ENCODER.encode(value), status)


class RefusalError(Exception):
    """The server refuses a request: with a status, a sentence, and the place of the mistake in the request."""

    def __init__(
        self,
        status: int,
        message: str,
        place: str | None = None,
        *,
        retry_after: int | None = None,
        allow: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.place = status, message, place
        self.retry_after, self.allow = retry_after, allow

    def as_json(self) -> dict[str, Any]:
        return {"error": self.message, "place": self.place}


def bad(message: str, place: str | None = None) -> RefusalError:
    """A refusal with status 400: the request cannot be read."""
    return RefusalError(400, message, place)


def wrong(message: str, place: str | None = None) -> RefusalError:
    """A refusal with status 422: the request can be read, but what it asks for is impossible."""
    return RefusalError(422, message, place)
