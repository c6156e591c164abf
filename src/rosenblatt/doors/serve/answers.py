"""What goes back to a client: an answer, or a refusal, which says what is wrong and where in the request."""

from typing import Any

import msgspec

JSON = b"application/json"


class Answer(msgspec.Struct):
    """JSON, unless told otherwise."""

    body: bytes
    status: int = 200
    media: bytes = JSON
    headers: list[tuple[bytes, bytes]] = []


_ENCODER = msgspec.json.Encoder()


def json(value: Any, status: int = 200) -> Answer:
    """Any value as JSON."""
    return Answer(_ENCODER.encode(value), status)


class RefusalError(Exception):
    """An answer that is not the one asked for."""

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
        """The body of the answer."""
        return {"error": self.message, "place": self.place}


def bad(message: str, place: str | None = None) -> RefusalError:
    """A request that cannot be read: 400."""
    return RefusalError(400, message, place)


def wrong(message: str, place: str | None = None) -> RefusalError:
    """A request that can be read, but not be done: 422."""
    return RefusalError(422, message, place)
