"""Who may send requests: web pages by their origin, and programs by their tokens.

A page of another origin can send simple requests to this machine, and a page whose name was bound to 127.0.0.1 after it
was loaded (DNS rebinding) counts as the same origin. Without tokens that would be enough to teach a model. So the host
name of a request must be one of the server's own, and what a browser says about the page must fit, because the
operator's browser may show pages of other sites.

Tokens are in a file, each with its scopes. The time of a comparison tells nothing about them.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from pathlib import Path

from rosenblatt.doors.serve.answers import RefusalError

HERE = ("127.0.0.1", "localhost", "::1")
OWN_PAGE = (b"same-origin", b"none")  # none: a person typed the address


class Callers:
    """The names that the server answers to. None: any name, because tokens decide who may send requests."""

    def __init__(self, names: Iterable[str] | None = HERE) -> None:
        self._names = None if names is None else tuple(dict.fromkeys(name.lower() for name in names))

    def check(self, headers: dict[bytes, bytes], *, public: bool) -> None:
        """Raise a 403 for a foreign name, and for a page of another site unless the route is public."""
        host = headers.get(b"host", b"").lower()
        if self._names is not None and _name(host) not in self._names:
            *most, last = self._names
            raise RefusalError(403, f"expected {', '.join(most)} or {last}, found {_show(host)} (--host-name)", "host")
        if public:
            return
        site = headers.get(b"sec-fetch-site")
        if site is not None and site not in OWN_PAGE:
            raise RefusalError(
                403, f"expected a page of this server, found one that is {_show(site)}", "sec-fetch-site"
            )
        origin = headers.get(b"origin")
        if self._names is not None and origin is not None and origin.lower().partition(b"://")[2] != host:
            raise RefusalError(403, f"expected a page of this server, found one of {_show(origin)}", "origin")


def _name(host: bytes) -> str:
    """The name in `name:port`, `127.0.0.1:8750` or `[::1]:8750`."""
    if host.startswith(b"["):
        name, bracket, port = host[1:].partition(b"]")
        return name.decode("latin-1") if bracket and (not port or port.startswith(b":")) else ""
    return host.partition(b":")[0].decode("latin-1")


def _show(value: bytes) -> str:
    return repr(value[:60].decode("latin-1"))


SCOPES = ("predict", "learn", "admin")
LEAST = 16  # characters
_COMMENT = re.compile(r"(^|\s)#.*")


class Tokens:
    """The tokens of a file. Without a file, everybody on this machine may do everything."""

    def __init__(self, known: dict[bytes, frozenset[str]] | None = None) -> None:
        self._known = known  # by their hashes, which all have the same length

    @classmethod
    def read(cls, path: Path) -> "Tokens":
        """Read a file with one token in each line: its scopes, with commas between them, and the token.

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
            digest = _hash(words[1].encode())
            if digest in known:
                raise ValueError(f"{path}:{number}:1: expected each token once, found one twice")
            known[digest] = frozenset(scopes)
        if not known:
            raise ValueError(f"{path}:1:1: expected a token, found none")
        return cls(known)

    def check(self, scope: str | None, header: bytes) -> None:
        """Raise a 401 without a known token, a 403 if the token has another scope; `admin` includes every scope."""
        if self._known is None or scope is None:
            return
        kind, _, token = header.partition(b" ")
        digest, allowed = _hash(token.strip()), frozenset[str]()
        for known, scopes in self._known.items():
            if hmac.compare_digest(known, digest):
                allowed = scopes
        if kind.lower() != b"bearer" or not allowed:
            raise RefusalError(401, "expected a known token: Authorization: Bearer TOKEN", "authorization")
        if scope not in allowed and "admin" not in allowed:
            raise RefusalError(403, f"expected a token for {scope}", "authorization")


def _hash(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
