"""Which web pages may call the server: its own, and no other that the operator's browser happens to show.

A page of another origin can send simple requests to this machine, and one whose name was bound to 127.0.0.1 after it
was loaded (DNS rebinding) counts as the same origin. Without tokens that would be enough to teach a model. So the name
that a request calls the server by must be one of its own, and what a browser says about the page must fit.
"""

from collections.abc import Iterable

from rosenblatt.doors.serve.refusal import RefusalError

HERE = ("127.0.0.1", "localhost", "::1")
OWN_PAGE = (b"same-origin", b"none")  # none: a person has opened the address


class Callers:
    """The names that the server answers to; None: any, where tokens say who may call."""

    def __init__(self, names: Iterable[str] | None = HERE) -> None:
        self._names = None if names is None else tuple(dict.fromkeys(name.lower() for name in names))

    def check(self, headers: dict[bytes, bytes], *, public: bool) -> None:
        """A 403 for a foreign name, and for another site's page unless what it asks for is public."""
        host = headers.get(b"host", b"").lower()
        if self._names is not None and _name(host) not in self._names:
            *most, last = self._names
            raise RefusalError(403, f"expected {', '.join(most)} or {last}, found {_shown(host)} (--host-name)", "host")
        if public:
            return
        site = headers.get(b"sec-fetch-site")
        if site is not None and site not in OWN_PAGE:
            raise RefusalError(
                403, f"expected a page of this server, found one that is {_shown(site)}", "sec-fetch-site"
            )
        origin = headers.get(b"origin")
        if self._names is not None and origin is not None and origin.lower().partition(b"://")[2] != host:
            raise RefusalError(403, f"expected a page of this server, found one of {_shown(origin)}", "origin")


def _name(host: bytes) -> str:
    """The name in `name:port`, `127.0.0.1:8750` or `[::1]:8750`."""
    if host.startswith(b"["):
        name, bracket, port = host[1:].partition(b"]")
        return name.decode("latin-1") if bracket and (not port or port.startswith(b":")) else ""
    return host.partition(b":")[0].decode("latin-1")


def _shown(value: bytes) -> str:
    return repr(value[:60].decode("latin-1"))
