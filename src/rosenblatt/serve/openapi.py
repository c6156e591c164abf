"""The description of the server for programs that read OpenAPI, made of its routes and of the bodies' types."""

from functools import cache
from typing import Any

import msgspec

import rosenblatt
from rosenblatt.serve import handlers, requests
from rosenblatt.serve.configuration import Configuration
from rosenblatt.serve.routes import ROUTES, Route

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
_QUERIES = {
    "log": {"after": "the sequence number to go on from", "limit": "of the page", "last": "the newest so many"},
    "curve": {"points": "at most so many"},
}
_TEXTS = {"page": "The page.", "metrics": "Measurements, as Prometheus reads them.", "openapi": "This description."}
_MANY = ("application/x-ndjson", "text/csv", "text/x-svmlight")


@cache
def description() -> dict[str, Any]:
    """As OpenAPI 3.1 has it."""
    types = [*dict.fromkeys([*_BODIES.values(), *_ANSWERS.values(), requests.Mistaken, requests.Prediction])]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
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
    parameters = [_parameter("name", "path", "string", "")] if "{name}" in route.path else []
    parameters += [_parameter(key, "query", "integer", text) for key, text in _QUERIES.get(name, {}).items()]
    operation: dict[str, Any] = {
        "operationId": name if "/page/" not in route.path else "page_file",
        "summary": _TEXTS.get(name) or (getattr(handlers.Handlers, name).__doc__ or "").strip(),
        "parameters": parameters,
        "responses": {
            "201" if name == "put" else "200": {"description": "done", "content": _content(_ANSWERS.get(name), name)},
            "default": {"description": "refused", "content": _content(requests.Mistaken, "")},
        },
        "security": [] if route.scope is None else [{}, {"token": []}],
    }
    if name in _BODIES:
        content = _content(_BODIES[name], "")
        others = _MANY if name in ("learn", "predict") else ("application/octet-stream",) if name == "put" else ()
        operation["requestBody"] = {"required": True, "content": {**content, **{media: {} for media in others}}}
    return operation


def _parameter(name: str, where: str, kind: str, text: str) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "description": text, "schema": {"type": kind}}


def _content(body: Any, name: str) -> dict[str, Any]:
    if body is None:
        return {_OTHER_MEDIA[name]: {}}
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
