"""The paths of the server, the scope that each needs, the types of its bodies, and who handles it.

Every body needs a type that a form cannot have and that a page of another origin may not send unasked.
"""

from typing import NamedTuple

from rosenblatt.doors.serve.refusal import RefusalError


class Route(NamedTuple):
    """A path: its method, the name of its handler, the scope that a token needs (None: public), and types of bodies."""

    method: str
    path: str
    handler: str
    scope: str | None
    media: tuple[str, ...] = ()

    def check_media(self, media: str) -> None:
        """A 415 for a body of another type, or of none."""
        if media not in self.media:
            *most, last = self.media
            known = f"{', '.join(most)} or {last}" if most else last
            shown = repr(media[:60]) if media else "none"
            raise RefusalError(415, f"expected the type {known}, found {shown}", "content-type")


JSON, FILE = "application/json", "application/octet-stream"
NDJSON, CSV, SVMLIGHT = "application/x-ndjson", "text/csv", "text/x-svmlight"
MANY = (JSON, NDJSON, CSV, SVMLIGHT)

MODEL = "/v1/models/{name}"
ROUTES = (
    Route("GET", "/", "page", None),
    Route("GET", "/page/{name}", "page", None),
    Route("GET", "/healthz", "health", None),
    Route("GET", "/readyz", "ready", None),
    Route("GET", "/openapi.json", "openapi", None),
    Route("GET", "/metrics", "metrics", "predict"),
    Route("GET", "/v1/models", "models", "predict"),
    Route("GET", MODEL, "get", "predict"),
    Route("PUT", MODEL, "put", "admin", (JSON, FILE)),
    Route("POST", f"{MODEL}/predict", "predict", "predict", MANY),
    Route("POST", f"{MODEL}/learn", "learn", "learn", MANY),
    Route("POST", f"{MODEL}/feedback", "feedback", "learn", (JSON,)),
    Route("GET", f"{MODEL}/log", "log", "learn"),
    Route("GET", f"{MODEL}/curve", "curve", "predict"),
    Route("GET", f"{MODEL}/file", "file", "learn"),
    Route("POST", f"{MODEL}/rollback", "rollback", "admin", (JSON,)),
)
_BY_PATH: dict[str, dict[str, Route]] = {}
for _route in ROUTES:
    _BY_PATH.setdefault(_route.path, {})[_route.method] = _route


def find(method: str, path: str) -> tuple[Route, str]:
    """Where a request goes, and the name that its path has."""
    name, wanted = "", path
    for prefix in ("/v1/models/", "/page/"):
        if path.startswith(prefix):
            name, slash, rest = path.removeprefix(prefix).partition("/")
            wanted = f"{prefix}{{name}}{slash}{rest}"
    methods = _BY_PATH.get(wanted)
    if methods is None or (name == "" and "{name}" in wanted):
        raise RefusalError(404, "there is nothing at this path")
    found = methods.get("GET" if method == "HEAD" else method)
    if found is None:
        allow = ", ".join([*methods, *(["HEAD"] if "GET" in methods else [])])
        raise RefusalError(405, f"expected {' or '.join(methods)}, found {method[:20]}", allow=allow)
    return found, name
