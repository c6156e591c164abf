"""Sentences as requests have them: `["the", "dog"]`, or with columns `[["the", "DT"], ["dog", "NN"]]`."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rosenblatt.doors.serve.refusal import wrong
from rosenblatt.doors.serve.requests import said

_SENTENCE = msgspec.json.Decoder(list[str | list[str]])
MOST_TOKENS = 10_000  # of a sentence
MOST_AT_ONCE = 1_000_000  # of a request: each takes a hundred times the memory of a short word's text


class SentenceRows:
    """What sentences a tagger takes: tokens with as many columns as its templates look at."""

    width = None

    def __init__(self, n_columns: int) -> None:
        self._n_columns = n_columns

    def read(self, texts: Sequence[bytes], place: str) -> list[list[Any]]:
        """Sentences that are to be learned from."""
        check_texts(texts, self._n_columns, lambda k: f"{place}[{k}].x")
        return [self._sentence(text, f"{place}[{k}].x") for k, text in enumerate(texts)]

    def asked(self, texts: Sequence[bytes], place: str) -> list[list[Any]]:
        """Sentences to be tagged."""
        check_texts(texts, self._n_columns, lambda k: f"{place}[{k}]")
        return [self._sentence(text, f"{place}[{k}]") for k, text in enumerate(texts)]

    def _sentence(self, text: bytes, where: str) -> list[Any]:
        try:
            tokens: list[Any] = _SENTENCE.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected a list of tokens: {said(error)}", where) from None
        if not 0 < len(tokens) <= MOST_TOKENS:
            raise wrong(f"expected 1 to {MOST_TOKENS:,} tokens, found {len(tokens):,}", where)
        for k, token in enumerate(tokens):
            if self._n_columns == 1 if isinstance(token, str) else len(token) == self._n_columns:
                continue
            expected = "a text" if self._n_columns == 1 else f"{self._n_columns} texts"
            raise wrong(f"expected {expected}, found {token!r:.60}", f"{where}[{k}]")
        return [[token] if self._n_columns == 1 and isinstance(token, str) else token for token in tokens]


def check_texts(texts: Sequence[bytes], n_columns: int, where: Callable[[int], str]) -> None:
    """A 422 for more tokens than there may be, by their quotes and brackets: before any is made."""
    total = 0
    for k, text in enumerate(texts):
        strings = (text.count(b'"') - text.count(b'\\"')) // 2
        count = max(strings // n_columns, text.count(b"[") - 1)
        if count > MOST_TOKENS:
            raise wrong(f"expected 1 to {MOST_TOKENS:,} tokens, found {count:,}", where(k))
        total += count
        if total > MOST_AT_ONCE:
            raise wrong(f"expected at most {MOST_AT_ONCE:,} tokens in a request, found more", where(k))
