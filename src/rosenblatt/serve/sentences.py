"""Sentences as requests have them: `["the", "dog"]`, or with columns `[["the", "DT"], ["dog", "NN"]]`."""

from collections.abc import Sequence
from typing import Any

import msgspec

from rosenblatt.serve.refusal import wrong
from rosenblatt.serve.requests import said

_SENTENCE = msgspec.json.Decoder(list[str | list[str]])
MOST_TOKENS = 10_000


class SentenceRows:
    """What sentences a tagger takes: tokens with as many columns as its templates look at."""

    width = None

    def __init__(self, n_columns: int) -> None:
        self._n_columns = n_columns

    def read(self, texts: Sequence[bytes], place: str) -> list[list[Any]]:
        """Sentences that are to be learned from."""
        return [self._sentence(text, f"{place}[{k}].x") for k, text in enumerate(texts)]

    def asked(self, texts: Sequence[bytes], place: str) -> list[list[Any]]:
        """Sentences to be tagged."""
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
