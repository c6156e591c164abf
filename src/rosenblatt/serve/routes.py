"""The paths of the server, the scope that each needs, and who handles it."""

from typing import NamedTuple

from rosenblatt.serve.refusal import RefusalError


class Route(NamedTuple):
    """A path: its method, the name of its handler, and the scope of a token that it needs (None: none)."""

    method: str
    path: str
    handler: str
    scope: str | None


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
    Route("PUT", MODEL, "put", "admin"),
    Route("POST", f"{MODEL}/predict", "predict", "predict"),
    Route("POST", f"{MODEL}/learn", "learn", "learn"),
    Route("POST", f"{MODEL}/feedback", "feedback", "learn"),
    Route("GET", f"{MODEL}/log", "log", "learn"),
    Route("GET", f"{MODEL}/curve", "curve", "predict"),
    Route("GET", f"{MODEL}/file", "file", "learn"),
    Route("POST", f"{MODEL}/rollback", "rollback", "admin"),
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
        raise RefusalError(405, f"expected {' or '.join(methods)}, found {method[:20]}")
    return found, name
