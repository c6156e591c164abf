"""The description of the server for programs that read OpenAPI, made of its routes and of the bodies' types."""

from functools import cache
from typing import Any

import msgspec

import rosenblatt
from rosenblatt.doors.serve import handlers, requests
from rosenblatt.doors.serve.configuration import Configuration, served_kinds
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.routes import JSON, ROUTES, Route


def _number(least: int, default: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": 10**18 - 1, "default": default}


_BODIES: dict[str, Any] = {
    "put": Configuration,
    "learn": requests.Learn,
    "predict": requests.Predict,
    "feedback": requests.Feedback,
    "rollback": requests.Rollback,
}
_ANSWERS: dict[str, Any] = {
    "put": requests.About,
    "get": requests.About,
    "models": requests.Models,
    "learn": requests.LearnAnswer,
    "feedback": requests.LearnAnswer,
    "predict": requests.PredictAnswer,
    "log": requests.LogPage,
    "curve": requests.Curve,
    "rollback": requests.About,
    "health": requests.Status,
    "ready": requests.Status,
}
_OTHER_MEDIA = {
    "page": "text/html",
    "metrics": "text/plain",
    "file": "application/octet-stream",
    "openapi": "application/json",
}
_Queries = dict[str, tuple[str, dict[str, Any]]]
_OF_FORMATS: _Queries = {
    "label": ("of a table: the column with the labels", {"type": "string"}),
    "zero_based": ("of svmlight text: whether its first feature is 0", {"type": "boolean", "default": False}),
}
_QUERIES: dict[str, _Queries] = {
    "log": {
        "after": ("the sequence number to go on from", _number(0, 0)),
        "limit": ("examples of the page, of which large ones take fewer", _number(1, handlers.LOG_PAGE)),
        "last": ("the newest so many", _number(0, 0)),
    },
    "curve": {"points": ("at most so many", _number(2, 200))},
    "learn": _OF_FORMATS,
    "predict": _OF_FORMATS,
}
_TEXTS = {"page": "The page.", "metrics": "Measurements, as Prometheus reads them.", "openapi": "This description."}


@cache
def description(limits: Limits) -> dict[str, Any]:
    """As OpenAPI 3.1 has it."""
    types = [*dict.fromkeys([*_BODIES.values(), *_ANSWERS.values(), requests.Mistaken, requests.Prediction])]
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
    name = route.handler
    parameters = (
        [_parameter("name", "path", "", {"type": "string"} | _of_name(route))] if "{name}" in route.path else []
    )
    parameters += [_parameter(key, "query", *more) for key, more in _QUERIES.get(name, {}).items()]
    done = {"description": "done", "content": _content(_ANSWERS.get(name), name)}
    operation: dict[str, Any] = {
        "operationId": name if "/page/" not in route.path else "page_file",
        "summary": _TEXTS.get(name) or (getattr(handlers.Handlers, name).__doc__ or "").strip(),
        "parameters": parameters,
        "responses": {
            "200": {**done, "description": "it was there, and was made so"} if name == "put" else done,
            **({"201": done} if name == "put" else {}),
            "default": {"description": "refused", "content": _content(requests.Mistaken, "")},
        },
        "security": [] if route.scope is None else [{}, {"token": []}],
    }
    if name in _BODIES:
        others: dict[str, Any] = {media: {} for media in route.media if media != JSON}
        operation["requestBody"] = {"required": True, "content": {**_content(_BODIES[name], ""), **others}}
    return operation


def _complete(schemas: dict[str, Any], limits: Limits) -> None:
    """What the types do not say: the server's limits, and what a model can be made of."""
    for name, key in (("Learn", "examples"), ("Predict", "rows"), ("Feedback", "feedback")):
        schemas[name]["properties"][key] |= {"minItems": 1, "maxItems": limits.rows}
    made = schemas["Configuration"]["properties"]
    del made["file"]  # a model file is a body of its own
    made["kind"] |= {"enum": served_kinds()}
    made["labels"] |= {"enum": ["add", "refuse"]}
    each = {"minItems": 1, "uniqueItems": True}
    classes = [{"type": "array", "items": form, **each} for form in requests.LABEL_FORMS]
    made["classes"] = {"anyOf": [*classes, {"type": "null"}], "default": None}
    for key, least in (("n_features", {"minimum": 1, "maximum": limits.features}), ("bound", {"minimum": 0})):
        made[key]["anyOf"] = [one | ({} if one["type"] == "null" else least) for one in made[key]["anyOf"]]


def _of_name(route: Route) -> dict[str, Any]:
    return {"pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"} if "/models/" in route.path else {}


def _parameter(name: str, where: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "description": text, "schema": schema}


def _content(body: Any, name: str) -> dict[str, Any]:
    if body is None:
        return {_OTHER_MEDIA[name]: {}}
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
