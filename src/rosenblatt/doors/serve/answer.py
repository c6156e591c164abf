"""What goes back to a client."""

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
