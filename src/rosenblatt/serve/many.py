"""Many JSON values at once: one call of the decoder for all, and one for each only where something is wrong."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rosenblatt.serve.refusal import RefusalError, wrong
from rosenblatt.serve.requests import said


class Many:
    """Decodes values of one type, and says of which it is not so."""

    def __init__(self, kind: Any, expected: str) -> None:
        self._all, self._one = msgspec.json.Decoder(list[kind]), msgspec.json.Decoder(kind)
        self._expected = expected

    def decode(self, texts: Sequence[bytes], place: Callable[[int], str]) -> list[Any]:
        """The values of JSON texts; a 422 names the first that is something else."""
        try:
            found: list[Any] = self._all.decode(b"[%s]" % b",".join(texts))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            for k, text in enumerate(texts):
                self._check(text, place(k))
            raise
        return found

    def _check(self, text: bytes, where: str) -> None:
        try:
            self._one.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected {self._expected}: {said(error)}", where) from None


def first_refusal(
    check: Callable[[Any, str], None], values: Sequence[Any], place: Callable[[int], str]
) -> RefusalError:
    """What `check` says of the first value that it refuses: one of them is wrong."""
    for k, value in enumerate(values):
        try:
            check(value, place(k))
        except RefusalError as error:
            return error
    raise AssertionError("expected a value that is refused")
