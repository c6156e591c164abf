"""Who may do what: tokens of a file, each with its scopes. They are compared in a time that says nothing of them."""

import hashlib
import hmac
import re
from pathlib import Path

from rosenblatt.doors.serve.refusal import RefusalError

SCOPES = ("predict", "learn", "admin")
LEAST = 16  # characters
_COMMENT = re.compile(r"(^|\s)#.*")


class Tokens:
    """Those of a file; without one, everybody on this machine may do everything."""

    def __init__(self, known: dict[bytes, frozenset[str]] | None = None) -> None:
        self._known = known  # by their hashes: one length for all

    @classmethod
    def read(cls, path: Path) -> "Tokens":
        """A line a token: its scopes, with commas between them, and the token.

        A comment is a line that begins with #, or what follows a blank and #; any other # is part of a token.
        """
        known: dict[bytes, frozenset[str]] = {}
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words = _COMMENT.sub("", line).split()
            if not words:
                continue
            if len(words) != 2:
                raise ValueError(f"{path}:{number}:1: expected scopes and a token, found {len(words)} words")
            scopes = words[0].split(",")
            if unknown := [scope for scope in scopes if scope not in SCOPES]:
                raise ValueError(f"{path}:{number}:1: expected {', '.join(SCOPES)}, found {unknown[0]!r}")
            if len(words[1]) < LEAST:
                raise ValueError(f"{path}:{number}:1: expected a token of at least {LEAST} characters")
            hashed = _hash(words[1].encode())
            if hashed in known:
                raise ValueError(f"{path}:{number}:1: expected each token once, found one twice")
            known[hashed] = frozenset(scopes)
        if not known:
            raise ValueError(f"{path}:1:1: expected a token, found none")
        return cls(known)

    def check(self, scope: str | None, header: bytes) -> None:
        """A 401 without a known token, a 403 if it is not for this; `admin` is for everything."""
        if self._known is None or scope is None:
            return
        kind, _, token = header.partition(b" ")
        given, held = _hash(token.strip()), frozenset[str]()
        for known, scopes in self._known.items():
            if hmac.compare_digest(known, given):
                held = scopes
        if kind.lower() != b"bearer" or not held:
            raise RefusalError(401, "expected a known token: Authorization: Bearer TOKEN", "authorization")
        if scope not in held and "admin" not in held:
            raise RefusalError(403, f"expected a token for {scope}", "authorization")


def _hash(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
