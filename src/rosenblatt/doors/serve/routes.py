"""The table of routes, which the app and the description at /openapi.json share, and the search for the route of a
path.

Every body needs a media type that HTML forms cannot send, and that a page of another origin may not send unasked.
"""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, NamedTuple

import msgspec

import rosenblatt
from rosenblatt.doors.serve import requests
from rosenblatt.doors.serve.answers import Answer, RefusalError, json
from rosenblatt.doors.serve.configuration import Configuration, served_kinds
from rosenblatt.doors.serve.handlers import LOG_PAGE, Handlers, Request
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.requests import CSV, FILE, JSON, NDJSON, SVMLIGHT

Queries = dict[str, tuple[str, dict[str, Any]]]  # for each name its meaning and its schema


class Route(NamedTuple):
    """A path and its handler, whose docstring becomes the text of the description."""

    method: str
    path: str
    scope: str | None  # the scope that a token needs; None: public
    handler: Callable[[Handlers, Request], Awaitable[Answer]]
    answer: Any  # the type of the JSON answer, or the media type of another answer
    body: Any = None  # the type of the JSON body
    media: tuple[str, ...] = ()  # the media types that a body may have
    queries: Queries = {}  # noqa: RUF012 - never written to

    def check_media(self, media: str) -> None:
        """Raise a 415 for a body with another type, or without one."""
        if media not in self.media:
            *most, last = self.media
            known = f"{', '.join(most)} or {last}" if most else last
            shown = repr(media[:60]) if media else "none"
            raise RefusalError(415, f"expected the type {known}, found {shown}", "content-type")


async def openapi(handlers: Handlers, _request: Request) -> Answer:
    """The description of the server, for programs."""
    return json(description(handlers.folder.limits))


def _number(least: int, default: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": 10**18 - 1, "default": default}


MODEL = "/v1/models/{name}"
_MANY = (JSON, NDJSON, CSV, SVMLIGHT)
_OF_FORMATS: Queries = {
    "label": ("for a table: the column with the labels", {"type": "string"}),
    "zero_based": ("for svmlight text: whether its first feature is 0", {"type": "boolean", "default": False}),
}
_OF_LOG: Queries = {
    "after": ("the sequence number after which the page begins", _number(0, 0)),
    "limit": ("the maximum number of examples; fewer if they are large", _number(1, LOG_PAGE)),
    "last": ("only this many of the newest examples", _number(0, 0)),
}
_OF_CURVE: Queries = {"points": ("the maximum number of points", _number(2, 200))}
_About, _Learned, _Predicted = requests.About, requests.LearnAnswer, requests.PredictAnswer
ROUTES = (
    Route("GET", "/", None, Handlers.page, "text/html"),
    Route("GET", "/page/{name}", None, Handlers.page, "text/html"),
    Route("GET", "/healthz", None, Handlers.health, requests.Status),
    Route("GET", "/readyz", None, Handlers.ready, requests.Status),
    Route("GET", "/openapi.json", None, openapi, JSON),
    Route("GET", "/metrics", "predict", Handlers.metrics, "text/plain"),
    Route("GET", "/v1/models", "predict", Handlers.models, requests.Models),
    Route("GET", MODEL, "predict", Handlers.get, _About),
    Route("PUT", MODEL, "admin", Handlers.put, _About, Configuration, (JSON, FILE)),
    Route("POST", f"{MODEL}/predict", "predict", Handlers.predict, _Predicted, requests.Predict, _MANY, _OF_FORMATS),
    Route("POST", f"{MODEL}/top", "predict", Handlers.top, requests.TopAnswer, requests.Top, (JSON,)),
    Route("POST", f"{MODEL}/explain", "predict", Handlers.explain, requests.WhyAnswer, requests.Explain, (JSON,)),
    Route("POST", f"{MODEL}/learn", "learn", Handlers.learn, _Learned, requests.Learn, _MANY, _OF_FORMATS),
    Route("POST", f"{MODEL}/feedback", "learn", Handlers.feedback, _Learned, requests.Feedback, (JSON,)),
    Route("GET", f"{MODEL}/log", "learn", Handlers.log, requests.LogPage, queries=_OF_LOG),
    Route("GET", f"{MODEL}/curve", "predict", Handlers.curve, requests.Curve, queries=_OF_CURVE),
    Route("GET", f"{MODEL}/file", "learn", Handlers.file, FILE),
    Route("POST", f"{MODEL}/rollback", "admin", Handlers.rollback, _About, requests.Rollback, (JSON,)),
)
_BY_PATH: dict[str, dict[str, Route]] = {}
for _route in ROUTES:
    _BY_PATH.setdefault(_route.path, {})[_route.method] = _route


def find(method: str, path: str) -> tuple[Route, str]:
    name, wanted = "", path
    for prefix in ("/v1/models/", "/page/"):
        if path.startswith(prefix):
            name, slash, rest = path.removeprefix(prefix).partition("/")
            wanted = f"{prefix}{{name}}{slash}{rest}"
    methods = _BY_PATH.get(wanted)
    if methods is None or (name == "" and "{name}" in wanted):
        raise RefusalError(404, "there is nothing at this path")
    route = methods.get("GET" if method == "HEAD" else method)
    if route is None:
        allow = ", ".join([*methods, *(["HEAD"] if "GET" in methods else [])])
        raise RefusalError(405, f"expected {' or '.join(methods)}, found {method[:20]}", allow=allow)
    return route, name


@cache
def description(limits: Limits) -> dict[str, Any]:
    bodies = [route.body for route in ROUTES if route.body is not None]
    answers = [route.answer for route in ROUTES if not isinstance(route.answer, str)]
    types = [*dict.fromkeys([*bodies, *answers, requests.Mistaken, requests.PredictedLabel])]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    _complete(schemas, limits)
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rosenblatt",
            "version": rosenblatt.__version__,
            "summary": "Models that learn online and lose nothing.",
            "license": {"name": "BSD-3-Clause", "identifier": "BSD-3-Clause"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(route: Route) -> dict[str, Any]:
    parameters = []
    if "{name}" in route.path:
        pattern = {"pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"} if "/models/" in route.path else {}
        parameters.append(_parameter("name", "path", "", {"type": "string"} | pattern))
    parameters += [_parameter(key, "query", *more) for key, more in route.queries.items()]
    done = {"description": "done", "content": _content(route.answer)}
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__ if "/page/" not in route.path else "page_file",
        "summary": (route.handler.__doc__ or "").strip(),
        "parameters": parameters,
        "responses": {
            "200": {**done, "description": "it existed already, made in the same way"}
            if route.method == "PUT"
            else done,
            **({"201": done} if route.method == "PUT" else {}),
            "default": {"description": "refused", "content": _content(requests.Mistaken)},
        },
        "security": [] if route.scope is None else [{}, {"token": []}],
    }
    if route.body is not None:
        others: dict[str, Any] = {media: {} for media in route.media if media != JSON}
        operation["requestBody"] = {"required": True, "content": {**_content(route.body), **others}}
    return operation


def _complete(schemas: dict[str, Any], limits: Limits) -> None:
    """Add what the types do not say: the server's limits, and the parameters of models."""
    lists = {"Learn": "examples", "Feedback": "feedback"} | dict.fromkeys(("Predict", "Top", "Explain"), "rows")
    for name, key in lists.items():
        schemas[name]["properties"][key] |= {"minItems": 1, "maxItems": limits.rows}
    configuration = schemas["Configuration"]["properties"]
    del configuration["file"]  # because a model file is sent as the whole body
    configuration["kind"] |= {"enum": served_kinds()}
    configuration["labels"] |= {"enum": ["add", "refuse"]}
    each = {"minItems": 1, "uniqueItems": True}
    classes = [{"type": "array", "items": form, **each} for form in requests.LABEL_FORMS]
    configuration["classes"] = {"anyOf": [*classes, {"type": "null"}], "default": None}
    for key, least in (("n_features", {"minimum": 1, "maximum": limits.features}), ("bound", {"minimum": 0})):
        kinds = configuration[key]["anyOf"]
        configuration[key]["anyOf"] = [kind | ({} if kind["type"] == "null" else least) for kind in kinds]


def _parameter(name: str, where: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "description": text, "schema": schema}


def _content(body: Any) -> dict[str, Any]:
    if isinstance(body, str):
        return {body: {}}
    return {JSON: {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
