"""The description of the API, made of the calls themselves."""

from collections.abc import Iterable
from types import NoneType
from typing import Any

import msgspec

from gossamer import __version__
from gossamer.server.api.calls import EVENTS, PREFIX, Batch, Call, Events, RawObject
from gossamer.server.faults import ErrorAnswer

_REFERENCES = "#/components/schemas/{name}"
_BATCH: dict[str, Any] = {
    "application/json": {"schema": {"type": "array", "items": {}}},
    "application/x-ndjson": {"schema": {"type": "string"}},
}
_OBJECT: dict[str, Any] = {"application/json": {"schema": {"type": "object"}}}
_RAW_BODIES: dict[Any, dict[str, Any]] = {Batch: _BATCH, RawObject: _OBJECT}
_FAILURES = {
    400: "The request is wrong.",
    401: "A login or a token is needed.",
    403: "The role is not enough.",
    404: "There is no such thing.",
    409: "Its state forbids it.",
    413: "The request is too long.",
    429: "Too many requests.",
    503: "The disk, the database or a worker refuses.",
}


def description(calls: Iterable[Call], name: str, base_url: str) -> dict[str, Any]:
    known = list(calls)
    types = _types(known)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REFERENCES)
    schema_of = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for call in known:
        operations = paths.setdefault(PREFIX + call.described_path, {})
        operations[call.method.lower()] = _operation(call, schema_of, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": name, "version": __version__},
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _types(calls: Iterable[Call]) -> list[Any]:
    found: dict[str, Any] = {repr(ErrorAnswer): ErrorAnswer}
    for call in calls:
        for hint in call.hints.values():
            if hint not in (NoneType, Events, *_RAW_BODIES):
                found.setdefault(repr(hint), hint)
    return list(found.values())


def _operation(call: Call, schema_of: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    hints = call.hints
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schema_of[repr(hints[name])]}
        for name in call.path_names
    ]
    if "query" in hints:
        reference = schema_of[repr(hints["query"])]["$ref"].rsplit("/", 1)[1]
        parameters += _query_parameters(components[reference])
    operation: dict[str, Any] = {
        "operationId": call.name,
        "summary": call.summary,
        "parameters": parameters,
        "responses": {str(call.status): _success(call, schema_of), **_failures(schema_of)},
        # Who has a login may always send it; where no role is asked for, nobody has to.
        "security": [{"token": []}] if call.role else [{}, {"token": []}],
    }
    if "body" in hints:
        content = (
            _RAW_BODIES[hints["body"]]
            if hints["body"] in _RAW_BODIES
            else {"application/json": {"schema": schema_of[repr(hints["body"])]}}
        )
        operation["requestBody"] = {"required": True, "content": content}
    if call.role:
        operation["description"] = f"Needs the role {call.role.value}."
    return operation


def _query_parameters(schema: dict[str, Any]) -> list[dict[str, Any]]:
    required = schema.get("required", [])
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "schema": {key: value for key, value in inner.items() if key != "description"},
            "description": inner.get("description", ""),
        }
        for name, inner in schema["properties"].items()
    ]


def _success(call: Call, schema_of: dict[str, Any]) -> dict[str, Any]:
    gives = call.hints["return"]
    if gives is NoneType:
        return {"description": "Done."}
    if gives is Events:
        return {"description": "Events.", "content": {EVENTS: {"schema": {"type": "string"}}}}
    content = {"application/json": {"schema": schema_of[repr(gives)]}}
    return {"description": "Done.", "content": content}


def _failures(schema_of: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema_of[repr(ErrorAnswer)]}}
    return {
        str(status): {"description": text, "content": content} for status, text in _FAILURES.items()
    }
