"""Many JSON values at once: a call of the decoder for many, and one for each only where something is wrong.

A call stops all other threads, and its values take many times the memory of their text. So it gets a piece at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from rosenblatt.doors.serve.refusal import wrong
from rosenblatt.doors.serve.requests import said

PIECE = 1 << 18  # bytes


def pieces(texts: Sequence[bytes]) -> Iterator[tuple[int, Sequence[bytes]]]:
    """Texts, about `PIECE` bytes at a time and at least one, each time with the number of the first.

    >>> [(first, len(part)) for first, part in pieces([b"[1]"] * 10)]
    [(0, 10)]
    """
    first = size = 0
    for k, text in enumerate(texts):
        size += len(text)
        if size > PIECE and k > first:
            yield first, texts[first:k]
            first, size = k, len(text)
    if first < len(texts):
        yield first, texts[first:]


class Many:
    """Decodes values of one type, and says of which it is not so."""

    def __init__(self, kind: Any, expected: str) -> None:
        self._all, self._one = msgspec.json.Decoder(list[kind]), msgspec.json.Decoder(kind)
        self._expected = expected

    def decode(self, texts: Sequence[bytes], place: Callable[[int], str]) -> list[Any]:
        """The values of JSON texts; a 422 names the first that is something else."""
        values = list[Any]()
        for first, part in pieces(texts):
            try:
                values += self._all.decode(b"[%s]" % b",".join(part))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                for k, text in enumerate(part, first):
                    self._check(text, place(k))
                raise
        return values

    def _check(self, text: bytes, where: str) -> None:
        try:
            self._one.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected {self._expected}: {said(error)}", where) from None
