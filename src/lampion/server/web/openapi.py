"""The OpenAPI document, generated from the endpoints and the wire types."""

from __future__ import annotations

import re
from typing import Any

import msgspec

import lampion
from lampion.server import wire
from lampion.server.web.endpoints import ENDPOINTS
from lampion.server.web.http import Endpoint

_PARAMETER = re.compile(r"{(\w+):(\w+)}")
_ERRORS = {
    "4XX": "Refused; nothing has changed",
    "5XX": "The server could not do it; nothing has changed",
}


def openapi() -> dict[str, Any]:
    types = [
        wire.Problem,
        *(
            kind
            for endpoint in ENDPOINTS
            for kind in (endpoint.reply, endpoint.body)
            if kind is not None
        ),
    ]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    shown = dict(zip(map(_key, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        path = _PARAMETER.sub(r"{\1}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, shown)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lampion",
            "version": lampion.__version__,
            "license": {"name": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _key(kind: Any) -> str:
    return str(kind)


def _operation(endpoint: Endpoint, shown: dict[str, Any]) -> dict[str, Any]:
    problem = {"application/json": {"schema": shown[_key(wire.Problem)]}}
    operation: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary,
        "parameters": [*_path_parameters(endpoint), *_query_parameters(endpoint)],
        "responses": {
            "200": {
                "description": "Done",
                "content": {endpoint.media_type: {"schema": shown[_key(endpoint.reply)]}},
            },
            **{code: {"description": text, "content": problem} for code, text in _ERRORS.items()},
        },
    }
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": shown[_key(endpoint.body)]}},
        }
    return operation


def _path_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer" if kind == "int" else "string"},
        }
        for name, kind in _PARAMETER.findall(endpoint.path)
    ]


def _query_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    kinds = [
        *((each, "integer") for each in endpoint.numbers.items()),
        *((each, "string") for each in endpoint.texts.items()),
    ]
    return [
        {"name": name, "in": "query", "description": about, "schema": {"type": kind}}
        for (name, about), kind in kinds
    ]
